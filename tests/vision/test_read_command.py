"""`gorrion read` with painted tiles instead of networks: what it prints, and what bad files are told."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from painted import PaintedFinder, PaintedNamer, picture

import vision.reader
from companion.cli import main

NAMES = ["1m", "2m", "3m", "back", "7z"]
QUADS = [
    np.array([[x, 50], [x + 40, 50], [x + 40, 104], [x, 104]], np.float32)
    for x in (50, 94, 138, 300, 400)
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    real = vision.reader.Reader

    class Tiles(PaintedFinder):
        def find(self, image_bgr: np.ndarray) -> object:
            return super().find(image_bgr)[slice(0, 0 if image_bgr.max() == 0 else None)]

    monkeypatch.setattr(
        vision.reader, "Reader", lambda threads: real(finder=Tiles(QUADS), namer=PaintedNamer())
    )
    cv2.imwrite(str(tmp_path / "hand.png"), picture(list(zip(NAMES, QUADS, strict=True))))
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((300, 300, 3), np.uint8))
    (tmp_path / "note.jpg").write_text("123m 456p")
    (tmp_path / "empty.jpg").touch()
    return tmp_path


def test_one_json_object_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(folder / "hand.png")
    assert main(["--lang", "en", "read", path, path]) == 0
    out = capsys.readouterr()
    first, second = (json.loads(line) for line in out.out.splitlines())
    assert out.err == ""
    assert first["image"] == second["image"] == path
    assert set(first) == {"image", "width", "height", "tiles", "groups", "ms"}
    assert [tile["tile"] for tile in first["tiles"]] == NAMES
    assert {group["kind"] for group in first["groups"]} == {"meld", "single", "row"}


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("note.jpg", 2, "text file"),
        ("empty.jpg", 2, "is empty"),
        ("none.jpg", 2, "no file"),
        ("", 2, "folder"),
        ("black.png", 1, "no tiles"),
    ],
)
def test_bad_pictures_cost_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, code: int, sentence: str
) -> None:
    assert main(["--lang", "en", "read", str(folder / name)]) == code
    err = capsys.readouterr().err
    assert err.startswith("gorrion: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_one_bad_picture_does_not_cost_the_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(folder / name) for name in ("note.jpg", "hand.png", "black.png")]
    assert main(["--lang", "es", "read", *paths]) == 2
    out = capsys.readouterr()
    assert [json.loads(line)["image"] for line in out.out.splitlines()] == paths[1:]
    assert [line.split(": ")[1] for line in out.err.splitlines()] == [paths[0], paths[2]]
    assert "archivo de texto" in out.err


def test_a_drawing_never_takes_the_place_of_a_picture(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = folder / "hand.png"
    before = picture.read_bytes()
    assert main(["read", str(picture), "--draw", str(folder)]) == 2
    assert "give --draw another folder" in capsys.readouterr().err
    assert picture.read_bytes() == before


def test_drawings_of_pictures_with_one_name_are_numbered(folder: Path) -> None:
    (folder / "other").mkdir()
    twin = folder / "other" / "hand.png"
    twin.write_bytes((folder / "hand.png").read_bytes())
    out = folder / "out"
    assert main(["read", str(folder / "hand.png"), str(twin), "--draw", str(out)]) == 0
    assert {file.name for file in out.iterdir()} == {"hand.png", "hand-2.png"}


def test_pictures_are_drawn_on_request(folder: Path) -> None:
    assert main(["read", str(folder / "hand.png"), "--draw", str(folder / "out")]) == 0
    drawn = cv2.imread(str(folder / "out" / "hand.png"))
    assert drawn.shape == (700, 900, 3)
    assert (drawn != cv2.imread(str(folder / "hand.png"))).any()


def test_threads_are_a_positive_number(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "read", str(folder / "hand.png"), "--threads", "0"]) == 2
    assert "1 or more" in capsys.readouterr().err

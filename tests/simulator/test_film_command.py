"""`gorrion simulate` from the outside: its files, and one sentence for everything that is wrong."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import pytest

from calibration.table import read_calibration
from companion.cli import main
from companion.gamefile import read_game
from companion.simulator.film import output
from companion.table.wire import read_entries
from vision.render.art import OWN_FACES

QUICK = ("--fps", "0.2", "--size", "192x108")


def simulate(out: Path, *options: str) -> int:
    return main(["--lang", "en", "simulate", "--seed", "7", "--out", str(out), *options])


@pytest.mark.parametrize("options", [(), ("--disturb",)], ids=["plain", "disturbed"])
def test_the_log_folds_legally(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert simulate(tmp_path, "--no-video", "--hands", "2", *options) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["calibration.toml", "truth.jsonl"]
    game = read_game(tmp_path / "truth.jsonl", None)
    assert not any(state.flags for state in game.log.states)
    assert game.same_rules
    kinds = {entry.event.type for entry in game.log.entries}
    assert ("observation" in kinds) == bool(options)


def test_pictures_come_with_their_times(tmp_path: Path) -> None:
    assert simulate(tmp_path, "--frames", "--rules", "riichi", "--camera", "slanted", *QUICK) == 0
    lines = (tmp_path / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    times = [json.loads(line) for line in lines]
    assert [time["frame"] for time in times] == list(range(len(times)))
    assert times[1]["at_ms"] == 5000
    assert len(list((tmp_path / "frames").iterdir())) == len(times)
    image = cv2.imread(str(tmp_path / times[-1]["file"]))
    calibration = read_calibration(tmp_path / "calibration.toml")
    assert image.shape == (calibration.height, calibration.width, 3) == (108, 192, 3)
    with (tmp_path / "truth.jsonl").open(encoding="utf-8") as file:
        entries = list(read_entries(file))
    assert all(entry.frame is not None and entry.frame < len(times) for entry in entries)


def test_the_same_options_give_the_same_files(tmp_path: Path) -> None:
    once, again = tmp_path / "once", tmp_path / "again"
    for out in (once, again):
        assert simulate(out, "--frames", "--disturb", "--rules", "mcr", *QUICK) == 0
    files = sorted(file.relative_to(once) for file in once.rglob("*") if file.is_file())
    assert len(files) > 20
    assert all((once / file).read_bytes() == (again / file).read_bytes() for file in files)


def test_a_video_is_written_and_an_older_film_goes(tmp_path: Path) -> None:
    stale = tmp_path / "frames" / "000123.jpg"
    stale.parent.mkdir()
    stale.touch()
    assert simulate(tmp_path, *QUICK) == 0
    assert not stale.exists()
    video = next(file for file in tmp_path.iterdir() if file.stem == "video")
    film = cv2.VideoCapture(str(video))
    assert film.isOpened() and film.read()[1].shape == (108, 192, 3)


def test_a_build_without_mpeg4_writes_motion_jpeg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "CODECS", (("none", "video.mp4"), ("MJPG", "video.avi")))
    recorder = output.VideoRecorder(tmp_path, 5.0, (192, 108))
    recorder.close()
    assert recorder.name == "video.avi"


def test_a_camera_of_ones_own(tmp_path: Path) -> None:
    config = tmp_path / "camera.toml"
    config.write_text("[camera]\nelevation_deg = 60\nazimuth_deg = 90\n", encoding="utf-8")
    assert simulate(tmp_path / "film", "--no-video", "--camera", str(config)) == 0
    camera = read_calibration(tmp_path / "film" / "calibration.toml").camera
    assert camera is not None and camera.position_mm[0] > 400


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--rules", "hk-new-style"), "hk-new-style"),
        (("--tiles", "/nowhere"), "no tile faces in /nowhere"),
        (("--camera", "sideways"), "overhead, slanted"),
        (("--size", "1280"), "--size wants two even numbers"),
        (("--size", "101x200"), "--size wants two even numbers"),
        (("--fps", "0"), "--fps must be"),
        (("--hands", "0"), "--hands must be"),
        (("--seed", "-1"), "--seed must be"),
        (("--frames", "--no-video"), "not allowed with"),
    ],
)
def test_bad_options_are_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], says: str
) -> None:
    assert simulate(tmp_path / "film", *options) == 2
    told = capsys.readouterr().err
    assert says in told and told.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[camera]\nelevation = 60", "camera.elevation"),
        ("[camera]\nfov_deg = 300", "camera.fov_deg"),
        ("[camera]\nfov_deg = true", "camera.fov_deg"),
        ("[lens]", "camera"),
        ("camera", "TOML"),
    ],
)
def test_a_wrong_camera_file_is_told_with_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, key: str
) -> None:
    config = tmp_path / "camera.toml"
    config.write_text(text, encoding="utf-8")
    assert simulate(tmp_path / "film", "--camera", str(config)) == 2
    told = capsys.readouterr().err
    assert str(config) in told and key in told


def test_missing_faces_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "tiles"
    shutil.copytree(OWN_FACES, folder)
    for code in ("3p", "1f", "5z", "0m"):
        (folder / f"{code}.png").unlink(missing_ok=True)
    assert simulate(tmp_path / "film", "--tiles", str(folder)) == 2
    assert "lack 1f, 3p:" in capsys.readouterr().err
    # Without bonus tiles in the wall, only the suit tile is missed; a red five is made of a five.
    assert simulate(tmp_path / "film", "--tiles", str(folder), "--rules", "riichi") == 2
    assert "lack 3p:" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="a file in the place of a folder")
def test_a_folder_that_can_not_be_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert simulate(tmp_path / "file" / "film", "--no-video") == 1
    assert "can't be written" in capsys.readouterr().err


def test_a_full_disk_is_told_for_videos_and_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        assert simulate(tmp_path, "--frames", *QUICK) == 1
    assert "the disk is full" in capsys.readouterr().err
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=1000))
    assert simulate(tmp_path, *QUICK) == 1
    assert "the disk is full" in capsys.readouterr().err

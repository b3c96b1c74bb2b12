"""Random scenes: the same seed, the same files; truth inside the picture; families kept apart."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import CHECKOUT

from vision.labels import INDEX
from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.chances import KINDS
from vision.render.compose import Composer
from vision.render.faces import random_design
from vision.render.layouts import LAYOUTS
from vision.render.placing import Stock
from vision.render.pool import PoolPlan, photograph, write_pool
from vision.training.split import is_held_out_art


@pytest.fixture(scope="session")
def faces(shared_dir: Path) -> Path:
    return shared_dir / "art" / "faces"


def plan(faces: Path, seed: int = 3) -> PoolPlan:
    names = frozenset(n for n in FaceLibrary(faces).sets if not is_held_out_art(n))
    return PoolPlan(faces, (), names, seed, kinds=("pair", "none"))


def test_a_pool_is_the_same_for_the_same_seed(faces: Path, tmp_path: Path) -> None:
    write_pool(plan(faces), tmp_path / "a", 2)
    write_pool(plan(faces), tmp_path / "b", 1)
    write_pool(plan(faces), tmp_path / "b", 1, start=1)
    for name in ("00000.jpg", "00000.json", "00001.jpg", "00001.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    write_pool(plan(faces, seed=4), tmp_path / "c", 1)
    assert (tmp_path / "a/00000.jpg").read_bytes() != (tmp_path / "c/00000.jpg").read_bytes()


def test_the_truth_fits_the_picture(faces: Path, tmp_path: Path) -> None:
    write_pool(plan(faces), tmp_path, 2)
    record = json.loads((tmp_path / "00000.json").read_text())
    image = cv2.imread(str(tmp_path / "00000.jpg"))
    assert image.shape == (record["height"], record["width"], 3)
    assert record["kind"] == "pair"
    assert record["tiles"]
    assert json.loads((tmp_path / "00001.json").read_text())["tiles"] == []


@pytest.mark.parametrize("kind", sorted(LAYOUTS))
def test_every_kind_of_scene(faces: Path, kind: str) -> None:
    composer = Composer(FaceLibrary(faces, lambda name: name in ("lietxia", "kde-default")))
    image, tiles = photograph(composer, kind, np.random.default_rng(11))
    height, width = image.shape[:2]
    if kind == "none":
        assert tiles == []
    for truth in tiles:
        quad = np.array(truth["quad"])
        (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
        assert ax * by - ay * bx > 0, "clockwise, as y points down"
        if truth["visible"] > 0.99:
            assert (quad > -3).all()
            assert (quad < [width + 3, height + 3]).all()
        assert truth["tile"] in INDEX or truth["tile"] == "?"
        assert truth["up"] == (truth["tile"] != "back")
        assert truth["set"] in ("lietxia", "kde-default")


def test_tile_sizes_can_be_asked_for(faces: Path) -> None:
    composer = Composer(FaceLibrary(faces, lambda name: name == "lietxia"))
    _, tiles = photograph(composer, "rows", np.random.default_rng(2), (20, 40))
    assert 15 <= np.median([truth["px"] for truth in tiles]) <= 42


def test_held_out_families_do_not_enter(faces: Path) -> None:
    library = FaceLibrary(faces, lambda name: not is_held_out_art(name))
    rng = np.random.default_rng(1)
    used = {
        file.parent.name
        for _ in range(40)
        for file in random_design(library, rng, False).files.values()
    }
    assert used
    assert not [name for name in used if is_held_out_art(name)]


def test_our_own_drawings_are_one_more_set(faces: Path) -> None:
    library = FaceLibrary(faces, lambda name: name in ("own", "lietxia"), [OWN_FACES])
    assert set(library.sets) == {"lietxia", "own"}
    assert "own" in library.complete_for("mpszfg")


def test_a_stock_has_four_of_each_and_the_reds_among_them() -> None:
    whole = Stock(np.random.default_rng(0), True, 3, 0).whole(shuffled=True)
    assert len(whole) == 144
    assert whole.count("5p") == 3
    assert whole.count("0p") == 1
    assert whole.count("7z") == 4


def test_every_kind_has_its_turn() -> None:
    assert set(KINDS) == set(LAYOUTS)


def test_no_artwork_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no tile artwork"):
        FaceLibrary(tmp_path)


def test_the_script_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shared_dir: Path
) -> None:
    spec = importlib.util.spec_from_file_location("render_script", CHECKOUT / "scripts/render.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    (tmp_path / "file").write_text("")
    data = ["--data", str(shared_dir)]
    for arguments, code, words in (
        (["--data", str(tmp_path), "--out", str(tmp_path)], 2, "no artwork"),
        ([*data, "--out", str(tmp_path), "--kinds", "hand,foo"], 2, "'foo'"),
        ([*data, "--out", str(tmp_path), "--tile-px", "40-20"], 2, "20-40"),
        ([*data, "--out", str(tmp_path), "--count", "0"], 2, "--count"),
        ([*data, "--out", str(tmp_path / "file"), "--count", "1"], 1, "file"),
    ):
        assert script.main(arguments) == code
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1

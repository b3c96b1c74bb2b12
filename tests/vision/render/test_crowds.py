"""Crowds of like things: nothing in them is a tile or has a tile's proportions, and they leave tiles alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.chances import Chances
from vision.render.compose import Composer
from vision.render.crowds import random_crowd
from vision.render.layouts import LAYOUTS
from vision.render.placing import random_stock
from vision.render.scene import render
from vision.render.solids import Box, Round

SEEDS = range(60)


def test_no_block_has_a_tiles_proportions() -> None:
    boxes = [
        thing
        for seed in SEEDS
        for thing in random_crowd(np.random.default_rng(seed), (0.0, 0.0))[0]
        if isinstance(thing, Box)
    ]
    assert len(boxes) > 50
    for box in boxes:
        low, high = sorted(box.half_mm[:2])
        assert box.tile is None
        assert not 1.15 < high / low < 1.8


def test_every_kind_of_crowd_comes_up() -> None:
    crowds = [random_crowd(np.random.default_rng(seed), (5.0, 9.0)) for seed in SEEDS]
    assert any(patterns for _, patterns in crowds)
    assert any(isinstance(thing, Round) for things, _ in crowds for thing in things)
    assert any(isinstance(thing, Box) for things, _ in crowds for thing in things)


@pytest.mark.parametrize("seed", range(4))
def test_crowds_cut_into_no_tile_and_have_no_truth(seed: int) -> None:
    composer = Composer(FaceLibrary(OWN_FACES), chances=Chances(crowd=1.0, dark_set=0.0))
    scene = composer.compose("few", np.random.default_rng(seed))
    tiles = [box for box in scene.solids if isinstance(box, Box) and box.tile is not None]
    others = [thing for thing in scene.solids if not isinstance(thing, Box) or thing.tile is None]
    for tile in tiles:
        for thing in others:
            away = np.linalg.norm((tile.pose.centre_mm - thing.pose.centre_mm)[:2])
            assert away > np.linalg.norm(tile.half_mm[:2])
    assert len(render(scene).faces) <= len(tiles)
    empty = composer.compose("none", np.random.default_rng(seed))
    assert render(empty).faces == []


def test_close_tiles_are_few_and_fill_the_picture() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        arrangement = LAYOUTS["close"](rng, (26.0, 36.0, 20.0), random_stock(rng))
        assert 1 <= len(arrangement.tiles) <= 4
        assert arrangement.fill[0] >= 0.3

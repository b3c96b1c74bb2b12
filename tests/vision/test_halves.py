"""Finds that hold half a tile are tried larger, and only what contains them is believed."""

from __future__ import annotations

import numpy as np
import pytest

from vision.halves import HalvesConfig, better, candidates
from vision.maps import polygon_areas


def upright(x: float, y: float, width: float = 30, height: float = 40) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


ROW = np.stack([upright(32 * k, 100) for k in range(10)])


def test_tiles_of_one_size_are_left_alone() -> None:
    owner, quads = candidates(ROW, np.ones(10, bool), HalvesConfig())
    assert len(owner) == 0
    assert quads.shape == (0, 4, 2)


@pytest.mark.parametrize("side", ["left", "right"])
def test_half_a_tile_is_tried_as_the_whole_one(side: str) -> None:
    half = upright(128 if side == "left" else 143, 100, width=15)
    finds = np.concatenate([np.delete(ROW, 4, axis=0), half[None]])
    owner, quads = candidates(finds, np.ones(len(finds), bool), HalvesConfig())
    assert set(owner) == {9}
    assert np.abs(quads - ROW[4]).max(axis=(1, 2)).min() < 0.01
    assert np.allclose(polygon_areas(quads), 1200, rtol=1e-3)


def test_a_few_tiles_do_not_say_how_large_one_is() -> None:
    finds = np.concatenate([ROW[:5], upright(300, 100, width=15)[None]])
    assert len(candidates(finds, np.ones(6, bool), HalvesConfig())[0]) == 0
    illegible = np.arange(10) < 4
    assert len(candidates(ROW * np.float32(1), illegible, HalvesConfig())[0]) == 0


def test_only_a_larger_sure_quad_around_the_find_is_taken() -> None:
    config = HalvesConfig()
    half, whole, beside = upright(0, 0, 15), upright(0, 0), upright(30, 0)
    sure, unsure = np.array([0.99], np.float32), np.array([0.5], np.float32)
    assert better(half, whole[None], sure, sure, config) == 0
    assert better(half, whole[None], unsure, sure, config) is None
    assert better(half, whole[None], sure, unsure, config) is None
    assert better(half, beside[None], sure, sure, config) is None
    assert better(half, half[None], sure, sure, config) is None
    both = np.array([0.85, 0.95], np.float32)
    assert better(half, np.stack([whole, upright(-2, 0, 32)]), both, both, config) == 1

"""What the refiner learns from: strayed finds with their tiles in their own units, views, and what is no tile."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.maps import iou, polygon_areas
from vision.refiner import neighbourhoods, place
from vision.training.desk import Share, drawn
from vision.training.finder_crops import Spoiler
from vision.training.finder_pictures import Picture, without_tiles
from vision.training.finder_targets import IGNORED, TILE
from vision.training.refiner_crops import ViewConfig, crops_of, in_units, view
from vision.training.refiner_errors import ErrorConfig, stray
from vision.training.refiner_scenes import (
    NO_QUADS,
    Exact,
    Scene,
    half_turned,
    mirrored,
)
from vision.training.refiner_score import area_under_curve

ROW = np.array(
    [[[x, 200], [x + 40, 204], [x + 38, 258], [x - 2, 254]] for x in range(150, 430, 42)],
    np.float32,
)


def row_of_tiles(exact: bool = True, searched: bool = True) -> Scene:
    image = np.full((480, 640, 3), (60, 110, 30), np.uint8)
    cv2.fillPoly(image, [np.int32(quad) for quad in ROW], (230, 240, 245))
    n = len(ROW)
    picture = Picture(
        image,
        ROW,
        np.ones(n, bool),
        np.full(n, TILE, np.int8),
        np.ones(n, np.float32),
        np.zeros(n, bool),
    )
    return Scene(picture, exact, NO_QUADS, searched)


def test_true_corners_in_units_of_a_strayed_quad_lead_back() -> None:
    rng = np.random.default_rng(2)
    true = np.repeat(ROW, 30, axis=0)
    given = stray(true, rng, ErrorConfig())
    back = place(given, in_units(given, true))
    shares = [iou(a, b) for a, b in zip(back, true, strict=True)]
    assert min(shares) > 0.99
    # Nearest order: no corner is answered with the one across.
    away = np.linalg.norm(back - given, axis=2).sum(axis=1)
    assert (away <= np.linalg.norm(np.roll(back, 2, axis=1) - given, axis=2).sum(axis=1)).all()


def test_quads_stray_as_a_finder_errs() -> None:
    rng = np.random.default_rng(3)
    true = np.repeat(ROW, 200, axis=0)
    given = stray(true, rng, ErrorConfig())
    shares = np.array([iou(a, b) for a, b in zip(given, true, strict=True)])
    assert 0.7 < np.median(shares) < 0.85
    assert np.mean(shares > 0.3) > 0.97
    a, b = given[:, 2] - given[:, 0], given[:, 3] - given[:, 1]
    assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0).all()


@pytest.mark.parametrize("way", ["mirrored", "half turned"])
def test_crops_and_corners_are_turned_alike(way: str) -> None:
    image = row_of_tiles().picture.image_bgr.copy()
    image[:, ::3] //= 2
    given = ROW[:1] + np.float32(3)
    corners = in_units(given, ROW[:1])
    crop = neighbourhoods(image, given)[0]
    if way == "mirrored":
        width = image.shape[1]
        flipped = given.copy()[:, [1, 0, 3, 2]]
        flipped[..., 0] = width - flipped[..., 0]
        true = ROW[:1].copy()
        true[..., 0] = width - true[..., 0]
        image, crop = image[:, ::-1].copy(), crop[:, ::-1]
        turned, true = mirrored(corners), true[:, [1, 0, 3, 2]]
    else:
        flipped, crop, true = np.roll(given, 2, axis=1), crop[::-1, ::-1], np.roll(ROW[:1], 2, 1)
        turned = half_turned(corners)
    again = neighbourhoods(image, flipped)[0]
    assert np.abs(again.astype(int) - crop).mean() < 3
    assert np.allclose(place(flipped, turned), true, atol=0.01)


def test_views_carry_their_tiles_along() -> None:
    rng = np.random.default_rng(4)
    for _ in range(30):
        shown = view(row_of_tiles(), rng, ViewConfig())
        picture = shown.picture
        tiles = picture.quads_px[picture.states == TILE]
        a, b = tiles[:, 2] - tiles[:, 0], tiles[:, 3] - tiles[:, 1]
        assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0).all()
        for quad in tiles:
            x, y = quad.mean(axis=0).astype(int)
            assert picture.image_bgr[y, x].min() > 200
            assert polygon_areas(quad[None])[0] > 60


def test_straddling_finds_are_no_tiles_and_strayed_ones_are() -> None:
    rng = np.random.default_rng(5)
    crops = crops_of(row_of_tiles(), Spoiler(rng), rng, ViewConfig())
    assert crops is not None
    assert crops.pixels.shape == (len(crops), 64, 64, 3)
    assert 0.3 < crops.present[crops.present >= 0].mean() < 0.9
    assert (crops.known[crops.present == 0] == 0).all()
    assert np.abs(crops.corners).max() < 4


def test_photographs_teach_no_corners() -> None:
    rng = np.random.default_rng(6)
    crops = crops_of(row_of_tiles(exact=False, searched=False), Spoiler(rng), rng, ViewConfig())
    assert crops is not None
    assert crops.known.sum() == 0
    assert set(crops.present) == {0.0, 1.0}


def test_flanks_seen_in_photographs_are_no_tiles() -> None:
    rng = np.random.default_rng(9)
    below = ROW + np.array([0, 60], np.float32)
    scene = replace(row_of_tiles(exact=False, searched=False), wrong=below)
    bare = replace(scene, wrong=NO_QUADS)
    told = [crops_of(each, Spoiler(rng), rng, ViewConfig()) for each in [scene, bare] * 30]
    none = [np.count_nonzero(each.present == 0) for each in told if each is not None]
    assert sum(none[::2]) > 1.5 * sum(none[1::2])


def test_nothing_is_said_of_ignored_tiles() -> None:
    scene = row_of_tiles()
    picture = scene.picture
    states = np.full(len(ROW), IGNORED, np.int8)
    hidden = replace(picture, states=states)
    rng = np.random.default_rng(7)
    for _ in range(10):
        crops = crops_of(Scene(hidden, True, ROW, True), Spoiler(rng), rng, ViewConfig())
        if crops is not None:
            assert (crops.present == 0).all() and crops.known.sum() == 0


def test_tile_free_pictures_and_mistakes_show_no_tile() -> None:
    class Bare:
        def __len__(self) -> int:
            return 2

        def load(self, index: int) -> Picture:
            return without_tiles(np.full((300, 400, 3), 90 + index, np.uint8))

    rng = np.random.default_rng(8)
    scenes = drawn([Share(Exact(Bare(), {1: ROW[:2]}), 1.0)], rng)
    for _ in range(6):
        crops = crops_of(next(scenes), Spoiler(rng), rng, ViewConfig())
        assert crops is not None and (crops.present == 0).all()


def test_area_under_the_curve() -> None:
    few, many = np.array([0.1, 0.2], np.float32), np.array([0.8, 0.9, 0.2], np.float32)
    assert area_under_curve(many, few) == pytest.approx(5.5 / 6)
    assert area_under_curve(few, few) == pytest.approx(0.5)

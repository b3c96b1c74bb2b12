"""What the finder learns from: crops of several pictures, the dense maps, photographs of which only boxes are known."""

from __future__ import annotations

import gc
import itertools
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from vision.training.desk import Share, ahead, drawn
from vision.training.finder_crops import CropConfig, compose, cut
from vision.training.finder_photos import LabelConfig, boxed_photo
from vision.training.finder_pictures import Picture
from vision.training.finder_targets import CENTRE, IGNORED, TILE, encode

SIDE = 384


def picture(quads: list[list[list[float]]], states: list[int], up: list[bool]) -> Picture:
    return Picture(
        np.full((480, 640, 3), 90, np.uint8),
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(up, bool),
        np.array(states, np.int8),
        np.ones(len(quads), np.float32),
        ~np.array(up, bool),
    )


def square(x: float, y: float, side: float) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def test_four_quarters_keep_their_tiles_apart() -> None:
    rng = np.random.default_rng(3)
    config = CropConfig(quarters=1.0, tilt=0.0, stretch=0.0, any_turn=0.0, quarter_turn=0.0)
    drawn = 0

    def draw() -> Picture:
        nonlocal drawn
        drawn += 1
        return picture([square(300, 200, 40)], [TILE], [True])

    for _ in range(20):
        crop = compose(draw, rng, config)
        assert crop.image_bgr.shape == (SIDE, SIDE, 3)
        assert len(crop.quads_px) == len(crop.up) == len(crop.states) == len(crop.visible) <= 4
        for quad, state in zip(crop.quads_px, crop.states, strict=True):
            if state == TILE:
                # At least 60 % of a counted tile lies in one quarter: its centre and most corners do.
                quarter = (quad.mean(axis=0) // (SIDE // 2)).astype(int)
                inside = ((quad // (SIDE // 2)).astype(int) == quarter).all(axis=1)
                assert inside.sum() >= 1
    assert drawn == 80


def test_one_picture_fills_the_crop_where_quarters_are_off() -> None:
    drawn = []
    config = CropConfig(quarters=0.0)
    compose(
        lambda: drawn.append(1) or picture([square(300, 200, 40)], [TILE], [True]),
        np.random.default_rng(1),
        config,
    )
    assert len(drawn) == 1


def test_what_shows_no_print_is_in_the_middle_more_often() -> None:
    shown = picture([square(100, 100, 40), square(500, 400, 40)], [TILE, TILE], [True, False])
    config = replace(CropConfig(), tilt=0.0, stretch=0.0, enlarge=8.0, size_px=96)
    seen = [cut(shown, np.random.default_rng(seed), config) for seed in range(200)]
    faces, backs = (sum(bool((crop.up == up).any()) for crop in seen) for up in (True, False))
    assert backs > 1.5 * faces


def test_what_is_ignored_stays_ignored_however_little_is_in_view() -> None:
    everything = [[0, 0], [640, 0], [640, 480], [0, 480]]
    shown = picture([everything, square(300, 200, 40)], [IGNORED, CENTRE], [True, True])
    config = replace(CropConfig(), tilt=0.0, stretch=0.0, enlarge=8.0)
    for seed in range(10):
        crop = cut(shown, np.random.default_rng(seed), config)
        assert IGNORED in crop.states


def test_dense_maps_say_face_back_outline_and_where_nothing_is_known() -> None:
    quads = np.array(
        [square(40, 40, 40), square(80, 40, 40), square(200, 200, 40), square(300, 300, 40)],
        np.float32,
    )
    states = np.array([TILE, TILE, CENTRE, IGNORED], np.int8)
    parts = encode(quads, np.array([True, False, True, True]), states, SIDE, SIDE).parts
    middle = lambda x, y: parts[:, y // 4, x // 4].tolist()  # noqa: E731 - three cells, read like a table
    assert middle(60, 60) == [1, 0, 0]
    assert middle(100, 60) == [0, 1, 0]
    assert middle(220, 220) == [-1, -1, -1]
    assert middle(320, 320) == [-1, -1, -1]
    assert middle(150, 300) == [0, 0, 0]
    # The border between two tiles that touch is an outline.
    assert parts[2, 15, 19:21].max() == 1


@pytest.mark.parametrize(
    ("box", "state"),
    [((10, 10, 50, 62), CENTRE), ((10, 10, 30, 70), TILE)],
    ids=["upright", "squeezed"],
)
def test_a_photograph_teaches_only_its_boxes(
    box: tuple[float, float, float, float], state: int
) -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    shown = boxed_photo(image, np.array([box], np.float32), np.array([True]), LabelConfig())
    assert shown.plain.tolist() == [False, True]
    assert shown.states.tolist() == [IGNORED, state]
    targets = encode(shown.quads_px, shown.up, shown.states, 480, 640)
    assert targets.count == 1
    assert targets.mask[(box[1] + 8) // 4, (box[0] + 8) // 4] == 1
    assert targets.mask[100, 140] == 0
    assert targets.heat[0].max() == 1


def test_pictures_lie_open_for_a_while_and_every_one_gets_its_turn() -> None:
    class Counted:
        def __init__(self) -> None:
            self.loaded: list[int] = []

        def __len__(self) -> int:
            return 6

        def load(self, index: int) -> int:
            self.loaded.append(index)
            return index

    common, rare = Counted(), Counted()
    shares = [Share(common, 3.0, opened=2, uses=4), Share(rare, 1.0, opened=2, uses=4)]
    pictures = drawn(shares, np.random.default_rng(2))
    for _ in range(400):
        next(pictures)
    assert 65 < len(common.loaded) < 85 and 15 < len(rare.loaded) < 35
    # Round after round, each in an order of its own.
    assert sorted(common.loaded[:6]) == sorted(common.loaded[6:12]) == list(range(6))


def test_what_is_made_ahead_keeps_its_order_its_end_and_its_errors() -> None:
    assert list(ahead(iter(range(20)), 3)) == list(range(20))

    def broken() -> Iterator[int]:
        yield 1
        raise OSError("no such picture")

    things = ahead(broken(), 3)
    assert next(things) == 1
    with pytest.raises(OSError, match="no such picture"):
        next(things)


def test_what_is_made_ahead_is_let_go_with_its_user() -> None:
    class Source:
        def __iter__(self) -> Iterator[int]:
            return itertools.count()

    source = Source()
    gone = weakref.ref(source)
    things = ahead((n for each in [source] for n in each), 2)
    del source
    assert next(things) == 0
    things.close()
    for _ in range(50):
        gc.collect()
        if gone() is None:
            break
        time.sleep(0.1)
    assert gone() is None

"""The finder without its network: maps to quads and back, overlap, cover, and what it does with odd pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.finder import Finder, FinderConfig, cover
from vision.maps import decode, describe, doubled, iou, rebuild, shared_area, suppress
from vision.training.finder_targets import CENTRE, IGNORED, TILE, as_maps, encode


def parallelogram(
    cx: float, cy: float, short: float, long: float, turn_deg: float, skew_deg: float = 0
) -> np.ndarray:
    """A quad with sides 0-1 and 2-3 of length ``short``."""
    a, b = np.deg2rad(turn_deg), np.deg2rad(turn_deg + 90 + skew_deg)
    u = np.array([np.cos(a), np.sin(a)]) * short / 2
    v = np.array([np.cos(b), np.sin(b)]) * long / 2
    c = np.array([cx, cy])
    return np.array([c - u - v, c + u - v, c + u + v, c - u + v], np.float32)


def same_quad(a: np.ndarray, b: np.ndarray) -> float:
    """Largest corner distance, allowing for a half turn, which the maps cannot tell."""
    return min(float(np.abs(a - np.roll(b, k, axis=0)).max()) for k in (0, 2))


@pytest.mark.parametrize("turn", range(-180, 180, 15))
@pytest.mark.parametrize("skew", [-35, 0, 35])
def test_describing_and_rebuilding_are_inverses(turn: int, skew: int) -> None:
    quad = parallelogram(100.3, 57.8, 23, 31, turn, skew)
    centres, short, long = describe(quad[None])
    lengths = np.stack([np.hypot(*short.T), np.hypot(*long.T)], axis=1)
    again = rebuild(centres, lengths, doubled(short), doubled(long))
    assert same_quad(quad, again[0]) < 1e-3


def test_opposite_directions_are_one() -> None:
    vectors = np.array([[3.0, 1.0], [0.0, -2.0], [-5.0, 0.1]])
    assert np.allclose(doubled(vectors), doubled(-vectors), atol=1e-6)


def test_foreshortened_long_side_stays_the_long_one() -> None:
    flat = parallelogram(80, 80, 40, 18, 10)
    targets = encode(flat[None], np.array([True]), np.array([TILE]), 160, 160)
    quads, _, _ = decode(as_maps(targets), 0.9)
    assert same_quad(flat, quads[0]) < 0.1
    assert np.linalg.norm(quads[0, 1] - quads[0, 0]) == pytest.approx(40, abs=0.1)


@pytest.mark.parametrize("short", [9.0, 20.0, 64.0])
def test_a_tight_grid_survives_encoding_and_decoding(short: float) -> None:
    long, turn = short * 1.35, np.deg2rad(12)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    quads = []
    for row in range(3):
        for column in range(5):
            centre = spin @ np.array([column * short, row * long]) + (90, 60)
            quads.append(parallelogram(*centre, short, long, 12))
    up = np.arange(15) % 3 != 0
    targets = encode(np.array(quads), up, np.full(15, TILE), 416, 512)
    assert targets.count == 15
    found, scores, face = decode(as_maps(targets), 0.9)
    kept = suppress(found, scores, FinderConfig().overlap)
    assert len(kept) == 15
    for quad, is_up in zip(quads, up, strict=True):
        best = min(kept, key=lambda j: same_quad(quad, found[j]))
        assert same_quad(quad, found[best]) < 0.1
        assert (face[best] > 0.5) == is_up


def test_weights_of_one_tile_add_up_to_one() -> None:
    quads = np.array([parallelogram(60, 60, 12, 17, 30), parallelogram(120, 100, 50, 70, 100)])
    targets = encode(quads, np.array([True, False]), np.array([TILE, TILE]), 192, 192)
    assert targets.weight.sum() == pytest.approx(2.0, abs=1e-4)
    assert (targets.heat == 1.0).sum() == 2


def test_ignored_tiles_mask_and_teach_nothing() -> None:
    quads = np.array([parallelogram(60, 60, 40, 54, 0)])
    targets = encode(quads, np.array([True]), np.array([IGNORED]), 128, 128)
    assert targets.count == 0 and targets.heat.max() == 0 and targets.weight.max() == 0
    assert targets.mask[15, 15] == 0 and targets.mask[2, 2] == 1


def test_centre_only_tiles_have_a_peak_but_no_shape() -> None:
    quads = np.array([parallelogram(60, 60, 40, 54, 0)])
    targets = encode(quads, np.array([True]), np.array([CENTRE]), 128, 128)
    assert targets.count == 1 and targets.heat[0, 15, 15] == 1 and targets.weight.max() == 0


def test_duplicates_go_and_neighbours_stay() -> None:
    tile = parallelogram(50, 50, 20, 27, 33)
    nudged = tile + 3
    inside = parallelogram(50, 50, 10, 14, 33)
    step = describe(tile[None])[1][0]
    neighbour = tile + step * 0.97
    quads = np.array([tile, nudged, inside, neighbour], np.float32)
    kept = suppress(quads, np.array([0.9, 0.95, 0.5, 0.6], np.float32), 0.4)
    assert kept.tolist() == [1, 3]


def test_overlap_measures() -> None:
    a, b = parallelogram(50, 50, 20, 30, 0), parallelogram(60, 50, 20, 30, 0)
    assert shared_area(a, b) == pytest.approx(300, rel=1e-3)
    assert iou(a, b) == pytest.approx(1 / 3, rel=1e-3)
    assert iou(a, a + 200) == 0


def test_cover_holds_every_cell_and_little_else() -> None:
    grid = np.zeros((30, 40), bool)
    grid[2:5, 3:38] = True
    grid[20:28, 30:35] = True
    boxes = cover(grid, 0.6)
    held = np.zeros_like(grid)
    for x0, y0, x1, y1 in boxes:
        held[y0:y1, x0:x1] = True
    assert (held | ~grid).all()
    assert held.sum() < 1.2 * grid.sum()
    assert cover(np.zeros((4, 4), bool), 0.6) == []


def test_wrong_maps_are_named() -> None:
    with pytest.raises(ValueError, match="maps must be"):
        decode(np.zeros((3, 4, 4), np.float32), 0.5)
    with pytest.raises(ValueError, match="hint"):
        FinderConfig(hint=0.6, score=0.5)


class PerfectNetwork:
    """Stands in for the ONNX session: sees every white rectangle whose sides are at least 5 px, as long as its short
    side is within what the real network can judge."""

    def __init__(self) -> None:
        self.pixels = 0
        self.largest = 150

    def run(self, _: object, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        (image,) = feed["pixels"]
        assert image.shape[0] % 32 == 0 and image.shape[1] % 32 == 0
        self.pixels += image.shape[0] * image.shape[1]
        white = (image.min(axis=2) > 200).astype(np.uint8)
        contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        quads = []
        for contour in contours:
            (cx, cy), (a, b), turn = cv2.minAreaRect(contour)
            a, b = a + 1, b + 1  # contours run through pixel centres
            if 5 <= min(a, b) <= self.largest:
                turn = turn if a <= b else turn + 90
                quads.append(parallelogram(cx + 0.5, cy + 0.5, min(a, b), max(a, b), turn))
        every = np.ones(len(quads), bool)
        targets = encode(
            np.array(quads).reshape(-1, 4, 2), every, every.astype(int), *image.shape[:2]
        )
        return [as_maps(targets)[None]]


def scene(width: int, height: int, quads: list[np.ndarray]) -> np.ndarray:
    image = np.full((height, width, 3), 40, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(image, np.rint(quad - 0.5).astype(np.int32), (255, 255, 255))
    return image


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch) -> Finder:
    monkeypatch.setattr("vision.finder.open_session", lambda *_: PerfectNetwork())
    return Finder("no file is read")


@pytest.mark.parametrize(
    ("width", "height", "short"),
    [
        (320, 240, 15),  # smaller than the first look
        (640, 480, 30),
        (1920, 1080, 28),  # too small in the first look
        (4032, 3024, 400),  # a close-up
        (4032, 3024, 60),  # a whole table in 12 megapixels: found in a second and a third look
    ],
)
def test_tiles_are_found_at_any_size_of_picture(
    finder: Finder, width: int, height: int, short: int
) -> None:
    quads = [
        parallelogram(width * x, height * y, short, short * 1.35, turn)
        for x, y, turn in ((0.15, 0.2, 0), (0.5, 0.5, 30), (0.8, 0.25, 90), (0.7, 0.8, 150))
    ]
    finds = finder.find(scene(width, height, quads))
    assert len(finds) == 4
    for quad in quads:
        assert max(iou(quad, found) for found in finds.quads_px) > 0.85


def test_small_and_large_tiles_in_one_picture(finder: Finder) -> None:
    near = [parallelogram(300 + 260 * i, 850, 180, 243, 0) for i in range(5)]
    far = [parallelogram(500 + 40 * i, 100, 24, 33, 0) for i in range(8)]
    finds = finder.find(scene(1920, 1080, near + far))
    assert len(finds) == 13
    for quad in near + far:
        assert max(iou(quad, found) for found in finds.quads_px) > 0.85


def test_large_tiles_are_looked_at_smaller_too(finder: Finder) -> None:
    network = finder._session
    assert isinstance(network, PerfectNetwork)
    network.largest = 60
    row = [parallelogram(80 + 55 * i, 120, 40, 54, 0) for i in range(9)]
    nearer = parallelogram(300, 350, 72, 97, 20)
    finds = finder.find(scene(640, 480, [*row, nearer]))
    assert len(finds) == 10
    for quad in [*row, nearer]:
        assert max(iou(quad, found) for found in finds.quads_px) > 0.8


def test_closer_looks_stay_near_the_tiles(finder: Finder) -> None:
    row = [parallelogram(500 + 40 * i, 1500, 30, 41, 0) for i in range(14)]
    finds = finder.find(scene(4000, 3000, row))
    assert len(finds) == 14
    network = finder._session
    assert isinstance(network, PerfectNetwork)
    # The whole picture at the final scale would be some nine million pixels.
    assert network.pixels < 2_500_000


def test_a_tile_that_fills_the_picture_is_found(finder: Finder) -> None:
    quad = parallelogram(1000, 760, 1000, 1350, 0)
    finds = finder.find(scene(2000, 1520, [quad]))
    assert len(finds) == 1 and iou(quad, finds.quads_px[0]) > 0.9


def test_an_empty_picture_has_no_finds(finder: Finder) -> None:
    assert len(finder.find(scene(1000, 700, []))) == 0
    assert len(finder.find(scene(33, 700, []))) == 0


@pytest.mark.parametrize("shape", [(10, 10), (10, 10, 4)])
def test_pictures_of_another_shape_are_refused(finder: Finder, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="image must be"):
        finder.find(np.zeros(shape, np.uint8))

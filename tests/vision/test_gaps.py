"""Where a missed tile is looked for: beside sure tiles, where nothing stands, within the picture."""

from __future__ import annotations

import numpy as np
import pytest
from painted import PaintedFinder, PaintedNamer, picture

from vision.gaps import GapsConfig, places
from vision.reader import Reader

PICTURE = (700, 900)
CONFIG = GapsConfig()


def upright(x: float, y: float, width: float = 40, height: float = 54) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


ROW = np.stack([upright(300 + 41 * k, 300) for k in range(7)])


def test_a_gap_in_a_row_is_one_place_and_each_end_another() -> None:
    row = np.delete(ROW, 3, axis=0)
    quads = places(row, np.ones(6, np.float32), PICTURE, CONFIG)
    assert len(quads) == 3
    corners = sorted(quads[:, 0, 0].tolist())
    assert np.allclose(corners, [259, 423, 587], atol=1.5)


def test_what_is_not_sure_has_no_neighbours_but_keeps_its_place() -> None:
    believed = np.ones(7, np.float32)
    believed[3] = 0.6
    assert len(places(ROW, believed, PICTURE, CONFIG)) == 2
    believed[3] = 0.1
    assert len(places(ROW, believed, PICTURE, CONFIG)) == 3
    believed[:] = 0.8
    assert len(places(ROW, believed, PICTURE, CONFIG)) == 0


def test_nothing_is_looked_for_beside_a_tile_alone_or_outside_the_picture() -> None:
    assert places(ROW[:2], np.ones(2, np.float32), PICTURE, CONFIG).shape == (0, 4, 2)
    at_the_edge = ROW - np.float32([300, 0])
    quads = places(at_the_edge, np.ones(7, np.float32), (700, 290), CONFIG)
    assert len(quads) == 0


@pytest.mark.parametrize(
    ("missed", "present", "read"),
    [
        ("4m", 0.999, True),
        ("4m", 0.7, False),
        ("5z", 0.999, True),
        ("5z", 0.9, False),
        ("back", 0.999, True),
        ("back", 0.7, False),
    ],
)
def test_a_reader_sees_the_tile_its_finder_missed(missed: str, present: float, read: bool) -> None:
    names = ["1m", "2m", "3m", missed, "5m", "6m", "7m"]
    laid = [(name, quad) for name, quad in zip(names, ROW, strict=True)]
    seen = [quad for k, quad in enumerate(ROW) if k != 3]

    class Exact:
        """Knows every tile, and that there is none elsewhere."""

        def refine(
            self, image_bgr: np.ndarray, quads_px: np.ndarray
        ) -> tuple[np.ndarray, np.ndarray]:
            there = ROW.mean(axis=1)
            away = np.hypot(*(quads_px.mean(axis=1)[:, None] - there).transpose(2, 0, 1))
            known = away.min(axis=1) < 15
            quads = np.where(known[:, None, None], ROW[away.argmin(axis=1)], quads_px)
            sure = np.where(away.argmin(axis=1) == 3, present, 0.999)
            return quads.astype(np.float32), np.where(known, sure, 0.01).astype(np.float32)

    eyes = Reader(finder=PaintedFinder(seen), refiner=Exact(), namer=PaintedNamer())
    reading = eyes.read(picture(laid))
    by_place = sorted(reading.tiles, key=lambda each: each.quad_px[0][0])
    wanted = [name for name in names if read or name != missed]
    assert [each.tile for each in by_place] == wanted

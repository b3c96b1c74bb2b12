"""The flanks of tiles, drawn as plain surfaces below faces and below the backs of a wall."""

from __future__ import annotations

import numpy as np
import pytest

from vision.flanks import FlankConfig, flanks
from vision.seen import Finds
from vision.training.finder_photos import LabelConfig, label_photo
from vision.training.finder_targets import TILE

IVORY, SHADED, YELLOWED = (215, 235, 240), (140, 153, 156), (128, 168, 178)
GREEN, ORANGE, BLACK, SHADED_GREEN = (60, 120, 20), (40, 140, 230), (30, 32, 33), (40, 80, 14)

Colour = tuple[int, int, int]


def seen(upper: list[Colour], lower: list[Colour], gap: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A row of surfaces 50 x 70 px, and one of 50 x 50 px below it, as wide or shifted; a dot of print on ivory."""
    image = np.full((220, 60 * max(len(upper), len(lower)) + 40, 3), 90, np.uint8)
    quads = []
    for row, (y, high, colours) in enumerate(((20, 70, upper), (90 + gap, 50, lower))):
        for i, colour in enumerate(colours):
            x = 10 + 50 * i
            image[y : y + high, x : x + 50] = colour
            if row == 0 and colour == IVORY:
                image[y + 20 : y + 50, x + 12 : x + 38] = (30, 30, 160)
            quads.append([[x, y], [x + 50, y], [x + 50, y + high], [x, y + high]])
    return image, np.array(quads, np.float32)


def found(upper: list[Colour], lower: list[Colour], gap: int = 0) -> list[int]:
    """Numbers of the lower surfaces that are flanks, all of them taken for backs; what is ivory above is a face."""
    image, quads = seen(upper, lower, gap)
    faces = np.array([colour == IVORY for colour in upper] + [False] * len(lower))
    return [int(i) - len(upper) for i in flanks(image, quads, ~faces, faces, FlankConfig())]


@pytest.mark.parametrize(
    ("colour", "flank"),
    [(SHADED, True), (YELLOWED, True), (GREEN, False), (ORANGE, False), (BLACK, False)],
    ids=["in the shade", "light goes through it", "green", "orange", "black"],
)
def test_what_lies_against_a_face_and_is_of_its_material_is_its_flank(
    colour: Colour, flank: bool
) -> None:
    assert found([IVORY, IVORY], [colour, colour]) == ([0, 1] if flank else [])


def test_apart_from_the_faces_a_pale_back_stays_one() -> None:
    assert found([IVORY, IVORY, IVORY], [SHADED, SHADED, SHADED], gap=40) == []


def test_backs_of_another_tint_show_that_the_pale_surfaces_below_are_no_backs() -> None:
    wall, flank = [IVORY, IVORY, GREEN, GREEN], [SHADED, SHADED, SHADED, SHADED]
    assert found(wall, flank, gap=2) == [0, 1, 2, 3]
    assert found([IVORY, IVORY, GREEN, GREEN], [GREEN, SHADED_GREEN, GREEN, GREEN], gap=2) == []


def test_without_faces_nothing_is_said() -> None:
    assert found([GREEN, GREEN], [SHADED, SHADED]) == []


def test_photographs_teach_that_flanks_are_no_tiles_and_leave_backs_alone() -> None:
    image, quads = seen([IVORY, IVORY, IVORY], [SHADED, GREEN])
    boxes = np.array([[10, 20, 60, 90], [60, 20, 110, 90], [110, 20, 160, 90]], np.float32)
    up = np.array([0.9, 0.9, 0.9, 0.1, 0.1], np.float32)
    finds = Finds(quads, np.full(5, 0.95, np.float32), up)
    shown, body = label_photo(image, boxes, np.zeros(3, bool), lambda picture: finds, LabelConfig())
    assert body.tolist() == quads[3:4].tolist()
    assert shown.quads_px.tolist() == [*quads[:3].tolist(), quads[4].tolist()]
    assert shown.states.tolist() == [TILE] * 4
    assert shown.up.tolist() == [True, True, True, False]

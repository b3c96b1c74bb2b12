"""Things that touch have a dark line between them, and nothing else of the picture's truth changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.render import body
from vision.render.camera import Camera
from vision.render.grooves import grooves
from vision.render.light import Lamp, Light
from vision.render.paint import PlainPaint
from vision.render.scene import Scene, Table, render
from vision.render.solids import Box, world_corners

SIZE = (26.0, 35.0, 20.0)
RIGHT = 1
"""Place of the right edge among a face's four."""
GREEN = (60.0, 120.0, 20.0)


def box(x: float, y: float = 0.0, turn: float = 0.0, base: float = 0.0) -> Box:
    pose = body.resting(SIZE, x, y, body.FACE_UP, turn, base)
    return Box(np.array(SIZE) / 2, pose, 2.0, PlainPaint(GREEN))


def shares(boxes: Sequence[Box]) -> NDArray[np.float64]:
    return grooves(*world_corners(boxes))


def test_the_edges_that_two_tiles_share_are_found_and_no_others() -> None:
    found = shares([box(0), box(26.2)])
    assert found[0, body.FRONT].tolist() == [0, 1, 0, 0]
    assert found[1, body.FRONT].tolist() == [1, 0, 0, 0]
    # Of the sides towards the player, too: their upper edges are free.
    for each in found[:, body.BOTTOM]:
        assert sorted(each.tolist()) == [0, 0, 0, 1]


@pytest.mark.parametrize("gap", [1.0, 3.0, 200.0])
def test_tiles_apart_have_none(gap: float) -> None:
    assert not shares([box(0), box(26 + gap)]).any()
    assert not shares([box(0)]).any()


def test_a_neighbour_beside_a_part_of_an_edge_counts_in_part() -> None:
    found = shares([box(0), box(26.1, 20)])
    assert found[0, body.FRONT, RIGHT] == pytest.approx(1 / 3)


def test_a_turned_neighbour_and_one_on_top_are_neighbours() -> None:
    turned = shares([box(0), box((26 + 35) / 2 + 0.1, turn=90)])
    assert turned[0, body.FRONT, RIGHT] == 1
    assert turned[1, body.FRONT].max() == 1
    stacked = shares([box(0), box(0, base=20.0)])
    assert not stacked[0, body.FRONT].any()
    assert stacked[1, body.BOTTOM].max() == 1  # where its side meets the lower tile's


def test_the_line_between_two_tiles_is_dark_and_the_truth_the_same() -> None:
    light = Light((Lamp(np.array([0.3, 0.2, 0.93]), 0.4, 4.0),), np.ones(3), 0.3)
    grey = np.full((64, 64, 3), 90, np.uint8)
    camera = Camera.look_at((13.1, 0, 20), 300, 90, 0, 0, 30, (400, 300))
    table = Table(grey, 5.0, 0.0, (-900, -900, 900, 900), None, grey)
    plain = Scene(camera, light, table, (box(0), box(26.2)), unevenness=0.0)
    rows = [render(replace(plain, groove=groove)).image[150, :, 1].astype(int) for groove in (0, 1)]
    seam = slice(190, 211)
    lost = [int((row[170] - row[seam]).sum()) for row in rows]
    assert rows[0][170] == rows[1][170] == GREEN[1]
    assert lost[1] > 2 * lost[0] > 0
    away = np.r_[0:180, 220:400]
    assert np.array_equal(rows[0][away], rows[1][away])

"""From a description to pixels and truth, with faces drawn here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.labels import FACES
from vision.render import body
from vision.render.art import FaceLibrary
from vision.render.camera import Camera
from vision.render.faces import plain_design
from vision.render.light import Lamp, Light
from vision.render.paint import PlainPaint, TilePaint
from vision.render.scene import Overlay, Scene, Table, render
from vision.render.solids import Box, TileMark

BODY = body.TileBody((26, 35, 20), 2, (235, 240, 240), (60, 120, 20), 0.35, 0.1, 0.3, 0.2)
LIGHT = Light((Lamp(np.array([0.3, 0.2, 0.93]), 0.4, 4.0),), np.ones(3), 0.3)


@pytest.fixture(scope="module")
def art(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set whose every face has a broad bar at its top and a dot at its bottom."""
    folder: Path = tmp_path_factory.mktemp("art")
    for number, code in enumerate(FACES):
        face = np.zeros((320, 240, 4), np.uint8)
        face[20:80, 20:220, 3] = face[296:300, 116:124, 3] = 255
        face[20:80, 20:220, number % 3] = 20
        assert cv2.imwrite(str(folder / f"{code}.png"), face)
    return folder


def tile(art: Path, code: str, pose: body.Pose) -> Box:
    design = plain_design(FaceLibrary(art), art.name)
    paint = TilePaint(BODY, design, code)
    return Box(BODY.half_mm, pose, BODY.radius_mm, paint, tile=TileMark(code, art.name))


def scene(solids: list[Box], elevation: float = 90.0) -> Scene:
    camera = Camera.look_at((0, 0, 0), 400, elevation, 0, 0, 40, (400, 300))
    grey = np.full((64, 64, 3), 90, np.uint8)
    table = Table(grey, 5.0, 0.0, (-900, -900, 900, 900), None, grey)
    return Scene(camera, LIGHT, table, tuple(solids), unevenness=0.1, glare=0.5, seed=5)


def test_equal_scenes_give_equal_pixels(art: Path) -> None:
    solids = [tile(art, "5m", body.resting(BODY.size_mm, 0, 0))]
    first, second = render(scene(solids)), render(scene(solids))
    assert np.array_equal(first.image, second.image)
    assert not np.array_equal(first.image, render(replace(scene(solids), seed=6)).image)


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 231.0])
def test_the_quad_starts_at_the_faces_own_top_left(art: Path, turn: float) -> None:
    drawn = render(scene([tile(art, "5m", body.resting(BODY.size_mm, 0, 0, body.FACE_UP, turn))]))
    (face,) = drawn.faces
    assert (face.code, face.up, face.standing) == ("5m", True, False)
    assert face.visible > 0.97
    target = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
    straight = cv2.warpPerspective(
        drawn.image, cv2.getPerspectiveTransform(face.quad_px.astype(np.float32), target), (60, 80)
    )
    top, bottom = straight[8:20, 10:50].mean(), straight[60:72, 10:50].mean()
    assert top < bottom - 60


def test_half_covered_is_half_visible(art: Path) -> None:
    under = tile(art, "5m", body.resting(BODY.size_mm, 0, 0))
    over = tile(
        art, "6m", body.resting(BODY.size_mm, BODY.size_mm[0] / 2, 0, base_mm=BODY.size_mm[2])
    )
    far = replace(
        scene([under, over]), camera=Camera.look_at((0, 0, 0), 9000, 90, 0, 0, 2, (400, 300))
    )
    shares = {face.code: face.visible for face in render(far).faces}
    assert shares["6m"] > 0.95
    assert shares["5m"] == pytest.approx(0.5, abs=0.05)


def test_what_lies_off_the_picture_is_not_visible(art: Path) -> None:
    camera = scene([]).camera
    edge_mm = np.linalg.inv(camera.plane_homography(BODY.size_mm[2])) @ [400, 150, 1]
    x = float(edge_mm[0] / edge_mm[2])
    drawn = render(scene([tile(art, "1p", body.resting(BODY.size_mm, x, 0))]))
    assert drawn.faces[0].visible == pytest.approx(0.5, abs=0.05)


def test_a_hand_over_a_tile_hides_it(art: Path) -> None:
    solids = [tile(art, "1p", body.resting(BODY.size_mm, 0, 0))]
    hand = Overlay(
        np.full((300, 400, 3), 120, np.uint8), np.full((300, 400), 255, np.uint8), (0, 0)
    )
    assert render(replace(scene(solids), overlays=(hand,))).faces == []


def test_backs_fronts_and_edges(art: Path) -> None:
    down = tile(art, "1p", body.resting(BODY.size_mm, -60, 0, body.FACE_DOWN))
    facing = tile(art, "2p", body.resting(BODY.size_mm, 0, 0, body.STANDING))
    away = tile(art, "3p", body.resting(BODY.size_mm, 60, 0, body.turn_z(180) @ body.STANDING))
    low = {
        (f.solid, f.code, f.up, f.standing) for f in render(scene([down, facing, away], 25)).faces
    }
    assert low == {(0, "back", False, False), (1, "2p", True, True), (2, "back", False, True)}
    above = [face.solid for face in render(scene([down, facing, away], 90)).faces]
    assert above == [0], "standing tiles seen from above show only their edge"


def test_red_fives_and_faces_outside_the_notation_keep_their_code(art: Path) -> None:
    red = tile(art, "0p", body.resting(BODY.size_mm, -40, 0))
    joker = tile(art, "?", body.resting(BODY.size_mm, 40, 0))
    assert [face.code for face in render(scene([red, joker])).faces] == ["0p", "?"]


def test_the_back_layer_shows_on_the_sides(art: Path) -> None:
    drawn = render(scene([tile(art, "5z", body.resting(BODY.size_mm, 0, 0))], 30))
    near_edge = drawn.faces[0].quad_px[2:].mean(0).astype(int)
    column = drawn.image[near_edge[1] + 3 : near_edge[1] + 80, near_edge[0]].astype(int)
    greenness = column[:, 1] - column[:, 2]
    assert greenness.max() > 25, "green back"
    assert greenness[:6].max() < 10, "white front layer above it"


@pytest.mark.parametrize("shift", [0.0, 0.37, 0.8])
def test_the_quad_lies_on_the_edges_that_are_drawn(shift: float) -> None:
    """To a fifth of a pixel: a pixel off at both sides is a tenth of a small tile."""
    size = np.array([26.0, 35, 20])
    white = Box(
        size / 2,
        body.resting((26.0, 35.0, 20.0), shift, shift / 2),
        0.0,
        PlainPaint((250, 250, 250)),
        edge_shade=0.0,
        tile=TileMark("5m", "test"),
    )
    black = np.zeros((8, 8, 3), np.uint8)
    scene_ = Scene(
        Camera.look_at((0, 0, 0), 12000, 90, 0, 0, 1, (200, 150)),
        Light((), np.ones(3), 0.0),
        Table(black, 1000.0, 0.0, (-9e4, -9e4, 9e4, 9e4), None, black),
        (white,),
        unevenness=0.0,
    )
    drawn = render(scene_)
    quad = drawn.faces[0].quad_px
    bright = drawn.image[..., 0] / drawn.image.max()
    for line, axis in ((bright[75], 0), (bright[:, 100], 1)):
        middle = (line * (np.arange(len(line)) + 0.5)).sum() / line.sum()
        assert middle == pytest.approx(quad[:, axis].mean(), abs=0.2)
        assert line.sum() == pytest.approx(np.ptp(quad[:, axis]), abs=0.4)

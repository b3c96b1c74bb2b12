"""Boxes and cameras: where things land in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.render import body
from vision.render.camera import Camera
from vision.render.degrade import distort, squeeze


def straight_down(height_mm: float = 1000.0) -> Camera:
    return Camera.look_at((0, 0, 0), height_mm, 90, 0, 0, 60, (800, 600))


def test_the_target_is_in_the_middle_and_y_goes_up_the_picture() -> None:
    camera = straight_down()
    assert camera.project(np.zeros(3)) == pytest.approx([400, 300])
    right, away = camera.project(np.array([[10.0, 0, 0], [0, 10.0, 0]]))
    assert right[0] > 400
    assert right[1] == pytest.approx(300)
    assert away[1] < 300


def test_the_plane_homography_agrees_with_the_projection() -> None:
    camera = Camera.look_at((30, 20, 0), 700, 35, 25, 7, 50, (800, 600))
    at = np.array([40.0, -15.0])
    x, y, w = camera.plane_homography(12.0) @ [*at, 1.0]
    assert [x / w, y / w] == pytest.approx(camera.project(np.array([*at, 12.0])))


def test_a_pixel_is_a_point_of_the_table_or_sky() -> None:
    camera = Camera.look_at((0, 0, 0), 700, 12, 25, 7, 70, (800, 600))
    at = np.array([-40.0, 25.0])
    assert camera.on_table(camera.project(np.array([*at, 0.0]))) == pytest.approx(at)
    assert camera.on_table(np.array([400.0, 0.0])) is None


def test_a_polygon_behind_the_camera_is_clipped() -> None:
    camera = Camera.look_at((0, 0, 0), 500, 20, 0, 0, 60, (800, 600))
    floor = np.array([[-5000, -5000, 0], [5000, -5000, 0], [5000, 5000, 0], [-5000, 5000, 0.0]])
    assert len(camera.visible_polygon(floor)) == 4
    assert len(camera.visible_polygon(floor - [0, 20000, 0])) == 0


@pytest.mark.parametrize(
    ("attitude", "turn", "up"),
    [(body.FACE_UP, 0, (0, 1, 0)), (body.FACE_UP, 90, (-1, 0, 0)), (body.STANDING, 0, (0, 0, 1))],
)
def test_resting_tiles_stand_on_the_table(
    attitude: np.ndarray, turn: float, up: tuple[float, float, float]
) -> None:
    size = (26.0, 35.0, 20.0)
    pose = body.resting(size, 5, 6, attitude, turn)
    points = body.corners(np.array([size]) / 2, pose.centre_mm[None], pose.rotation[None])[0]
    assert points[:, 2].min() == pytest.approx(0)
    assert pose.rotation[:, 1] == pytest.approx(up)
    assert np.linalg.det(pose.rotation) == pytest.approx(1)


def test_faces_are_clockwise_from_outside() -> None:
    half = np.array([1.0, 2.0, 3.0])
    points = body.corners(half[None], np.zeros((1, 3)), np.eye(3)[None])[0]
    for face in (body.FRONT, body.BACK, body.RIGHT):
        a, b, c, _ = points[body.FACE_CORNERS[face]]
        inward = np.cross(b - a, c - b)  # clockwise as seen from outside
        assert inward @ body.FACE_NORMALS[face] < 0


def test_of_two_tiles_the_near_one_covers() -> None:
    half = np.full((2, 3), 10.0)
    points = body.corners(half, np.array([[0, 0, 10.0], [0, 30, 10]]), np.stack([np.eye(3)] * 2))
    normals = np.stack([body.FACE_NORMALS] * 2)
    eye = np.array([0.0, -200, 100])
    pairs = np.array([[0, 1], [1, 0]])
    assert body.nearer_pairs(points, normals, eye, pairs).tolist() == [-1, 1]


@pytest.mark.parametrize("strength", [-0.05, 0.03, 0.14])
def test_points_move_with_the_distorted_picture(strength: float) -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    points = np.array([[60.0, 50.0], [200.0, 150.0], [330.0, 240.0]])
    for x, y in points.astype(int):
        image[y - 4 : y + 4, x - 4 : x + 4] = 255
    moved, at = distort(image, points, strength)
    for x, y in at:
        rows, columns = np.nonzero(
            moved[round(y) - 12 : round(y) + 12, round(x) - 12 : round(x) + 12, 0] > 127
        )
        seen = np.array([columns.mean() + round(x) - 12, rows.mean() + round(y) - 12]) + 0.5
        assert np.abs(seen - [x, y]).max() < 1.0


@pytest.mark.parametrize(("factor", "size"), [(0.5, (200, 300)), (2.0, (400, 150))])
def test_a_squeezed_picture_takes_its_points_along(factor: float, size: tuple[int, int]) -> None:
    image, points = squeeze(np.zeros((300, 400, 3), np.uint8), np.array([[400.0, 300.0]]), factor)
    assert image.shape == (size[1], size[0], 3)
    assert points[0].tolist() == list(size)

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.rectify import CROP_SIZE, MARGIN, long_side_upright, rectify, side_lengths


def face() -> np.ndarray:
    """A 240x320 card whose four quarters have different colours (BGR): red, green / blue, white."""
    card = np.zeros((320, 240, 3), np.uint8)
    card[:160, :120] = (0, 0, 255)
    card[:160, 120:] = (0, 255, 0)
    card[160:, :120] = (255, 0, 0)
    card[160:, 120:] = (255, 255, 255)
    return card


def on_table(quad: np.ndarray, size: tuple[int, int] = (800, 800)) -> np.ndarray:
    corners = np.array([[0, 0], [240, 0], [240, 320], [0, 320]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, np.asarray(quad, np.float32) - 0.5)
    return cv2.warpPerspective(
        face(), matrix, size, flags=cv2.INTER_LINEAR, borderValue=(40, 40, 40)
    )


def quarters(crop: np.ndarray) -> list[tuple[int, ...]]:
    h, w = crop.shape[:2]
    return [
        tuple(int(v > 128) for v in crop[int(h * y), int(w * x)])
        for y in (0.3, 0.7)
        for x in (0.3, 0.7)
    ]


UPRIGHT = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]


@given(
    angle=st.floats(-180, 180),
    width=st.floats(20, 300),
    squeeze=st.floats(0.8, 1.0),
)
def test_a_turned_tile_comes_out_upright(angle: float, width: float, squeeze: float) -> None:
    height = width * 4 / 3 * squeeze
    box = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    a = np.deg2rad(angle)
    quad = box @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + 400
    crops, quads = rectify(on_table(quad), quad[None].astype(np.float32))
    assert crops.shape == (1, CROP_SIZE[1], CROP_SIZE[0], 3)
    assert quarters(crops[0]) == UPRIGHT
    assert np.allclose(quads[0], quad, atol=1e-3)


def test_a_sideways_quad_is_rolled_by_one_and_a_given_order_is_kept_on_request() -> None:
    quad = np.array([[350, 100], [350, 250], [150, 250], [150, 100]], np.float32)  # own top: right
    picture = on_table(quad)
    lying = np.roll(quad, 1, axis=0)
    assert np.array_equal(rectify(picture, lying[None])[1][0], quad)
    assert quarters(rectify(picture, lying[None])[0][0]) == UPRIGHT
    assert quarters(rectify(picture, lying[None], roll=False)[0][0]) != UPRIGHT


def test_the_margin_shows_the_surroundings_evenly() -> None:
    quad = np.array([[200, 200], [440, 200], [440, 520], [200, 520]], np.float32)
    crop = rectify(on_table(quad), quad[None])[0][0]
    dark = (crop == 40).all(axis=2)
    inset = CROP_SIZE[0] * MARGIN / (1 + 2 * MARGIN)
    assert dark[:, : int(inset)].all() and dark[:, -int(inset) :].all()
    assert not dark[8:-8, int(np.ceil(inset)) + 1 : -int(np.ceil(inset)) - 1].any()


def test_shrinking_averages_instead_of_skipping_pixels() -> None:
    stripes = np.zeros((640, 640, 3), np.uint8)
    stripes[:, ::2] = 255  # one pixel wide: sampling without averaging gives a moire of 0 and 255
    quad = np.array([[10, 10], [490, 10], [490, 630], [10, 630]], np.float32)
    crop = rectify(stripes, quad[None], margin=0.0)[0][0]
    assert abs(float(crop.mean()) - 127.5) < 3
    assert crop.std() < 20


def test_a_tile_over_the_frame_edge_repeats_the_border() -> None:
    quad = np.array([[-20, 100], [40, 100], [40, 180], [-20, 180]], np.float32)
    picture = np.full((300, 300, 3), 90, np.uint8)
    assert (rectify(picture, quad[None])[0] == 90).all()


def test_no_quads_give_no_crops_and_wrong_shapes_are_refused() -> None:
    picture = np.zeros((10, 10, 3), np.uint8)
    assert rectify(picture, np.zeros((0, 4, 2), np.float32))[0].shape == (0, 64, 48, 3)
    with pytest.raises(ValueError, match=r"\(N, 4, 2\)"):
        rectify(picture, np.zeros((4, 2), np.float32))
    with pytest.raises(ValueError, match=r"\(H, W, 3\)"):
        rectify(picture[:, :, 0], np.zeros((0, 4, 2), np.float32))


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=4, max_size=4))
def test_rolling_makes_the_first_side_the_shorter(corners: list[tuple[float, float]]) -> None:
    rolled = long_side_upright(np.array([corners], np.float32))
    width, height = side_lengths(rolled)
    assert width[0] <= height[0] + 1e-3
    assert {tuple(c) for c in rolled[0].tolist()} == {
        tuple(np.float32(c).tolist()) for c in corners
    }

"""Refining: where points of a quad land in the picture, which answers are believed, and what the shipped model does."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.maps import iou
from vision.models import MANIFEST, REFINER
from vision.rectify import rectify
from vision.refiner import CROP_PX, MARGIN, Refiner, RefinerConfig, neighbourhoods, place
from vision.render.sample import sample

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / REFINER
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

needs_model = pytest.mark.skipif(
    REFINER not in json.loads((ROOT / "models" / MANIFEST).read_text())["models"],
    reason="no refiner among the models",
)


class Answers(Refiner):
    """A refiner whose network always gives the same answer, and counts the crops it sees."""

    def __init__(self, corners: NDArray[np.float32], present: float = 0.9) -> None:
        self._config = RefinerConfig()
        self._session = self
        self.answer, self.present = corners, present
        self.seen: list[int] = []

    def run(self, _: None, feed: dict[str, NDArray[np.uint8]]) -> list[NDArray[np.float32]]:
        n = len(feed["crops"])
        self.seen.append(n)
        return [np.tile(self.answer, (n, 1, 1)), np.full(n, self.present, np.float32)]


coordinate = st.floats(-0.2, 0.2)


@given(st.lists(coordinate, min_size=8, max_size=8), st.floats(-0.3, 1.3), st.floats(-0.3, 1.3))
def test_points_of_a_quad_land_where_its_crop_shows_them(
    jitter: list[float], u: float, v: float
) -> None:
    quad = (UNIT + np.array(jitter, np.float32).reshape(4, 2)) * (60, 80) + (70, 60)
    (at,) = place(quad[None], np.array([[[u, v], *UNIT]], np.float32))
    assert np.allclose(at[1:], quad, atol=1e-2)
    if not (-0.2 < u < 1.2 and -0.2 < v < 1.2 and max(map(abs, jitter)) < 0.1):
        return
    # A picture whose pixels say where they are.
    rows, columns = np.mgrid[0:200, 0:200]
    picture = np.dstack([columns, rows, 0 * rows]).astype(np.uint8)
    crop = rectify(picture, quad[None], (CROP_PX, CROP_PX), MARGIN, roll=False)[0][0]
    x, y = ((np.array([u, v]) + MARGIN) / (1 + 2 * MARGIN) * CROP_PX).astype(int)
    pixel = (np.array([x, y]) + 0.5) / CROP_PX * (1 + 2 * MARGIN) - MARGIN
    there = place(quad[None], pixel[None, None].astype(np.float32))[0, 0] - 0.5
    assert np.allclose(crop[y, x, :2], np.clip(there, 0, 199), atol=1.5)


def test_an_answer_of_no_change_changes_nothing() -> None:
    quads = np.array([[[10, 12], [40, 15], [42, 60], [9, 55]]], np.float32)
    refined, present = Answers(UNIT).refine(np.zeros((80, 80, 3), np.uint8), quads)
    assert np.allclose(refined, quads, atol=1e-3)
    assert present.tolist() == [pytest.approx(0.9)]


@pytest.mark.parametrize(
    "answer",
    [
        UNIT + np.float32(0.8),
        UNIT * np.float32(0.5),
        UNIT[[0, 2, 1, 3]],
        np.array([[0.4, 0.4], [1, 0], [0.55, 0.45], [0, 1]], np.float32),
        np.full((4, 2), np.nan, np.float32),
    ],
    ids=["far away", "shrunk", "crossed", "a sliver", "no numbers"],
)
def test_implausible_answers_leave_the_find_as_it_was(answer: NDArray[np.float32]) -> None:
    quads = np.array([[[10, 12], [40, 12], [40, 52], [10, 52]]], np.float32)
    refined, _ = Answers(answer).refine(np.zeros((80, 80, 3), np.uint8), quads)
    assert np.array_equal(refined, quads)


def test_where_no_tile_is_nothing_moves() -> None:
    quads = np.array([[[10, 12], [40, 12], [40, 52], [10, 52]]], np.float32)
    shifted = UNIT + np.float32(0.1)
    image = np.zeros((80, 80, 3), np.uint8)
    assert np.array_equal(Answers(shifted, present=0.05).refine(image, quads)[0], quads)
    assert not np.array_equal(Answers(shifted).refine(image, quads)[0], quads)


def test_only_finds_that_moved_far_are_looked_at_again() -> None:
    quads = np.tile(np.array([[10, 12], [40, 12], [40, 52], [10, 52]], np.float32), (70, 1, 1))
    image = np.zeros((80, 80, 3), np.uint8)
    near, far = Answers(UNIT + np.float32(0.05)), Answers(UNIT + np.float32(0.3))
    near.refine(image, quads)
    far.refine(image, quads)
    assert near.seen == [64, 6]
    assert far.seen == [64, 6, 64, 6]


def test_no_finds_give_no_finds() -> None:
    refined, present = Answers(UNIT).refine(
        np.zeros((40, 40, 3), np.uint8), np.zeros((0, 4, 2), np.float32)
    )
    assert refined.shape == (0, 4, 2) and present.shape == (0,)


def test_missing_and_foreign_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no model"):
        Refiner(tmp_path / "none.onnx")
    with pytest.raises(ValueError, match="not a refining model"):
        Refiner(ROOT / "models" / "namer.onnx")


@needs_model
def test_strayed_quads_of_the_sample_are_brought_back() -> None:
    image, entries = sample()
    true = np.array([entry["quad"] for entry in entries], np.float32)
    rng = np.random.default_rng(5)
    centres = true.mean(axis=1, keepdims=True)
    size = np.linalg.norm(true[:, 1] - true[:, 0], axis=1)[:, None, None]
    strayed = centres + (true - centres) * rng.uniform(0.85, 1.2, (len(true), 1, 1))
    strayed = (strayed + rng.uniform(-0.12, 0.12, (len(true), 1, 2)) * size).astype(np.float32)
    refined, present = Refiner(MODEL).refine(image, strayed)
    before = np.linalg.norm(strayed - true, axis=2).mean(axis=1) / size[:, 0, 0]
    after = np.linalg.norm(refined - true, axis=2).mean(axis=1) / size[:, 0, 0]
    assert np.median(after) < 0.04 < 0.07 < np.median(before)
    assert min(iou(a, b) for a, b in zip(refined, true, strict=True)) > 0.75
    assert present.min() > 0.3


@needs_model
def test_bare_cloth_is_no_tile() -> None:
    noise = np.random.default_rng(1).integers(-12, 13, (300, 300, 3))
    cloth = np.clip(np.full((300, 300, 3), (70, 110, 30)) + noise, 0, 255).astype(np.uint8)
    quads = (UNIT * (45, 60))[None] + np.array([[[100, 80]], [[150, 160]]])
    assert Refiner(MODEL).refine(cloth, quads)[1].max() < 0.3


def test_crops_show_the_quad_in_their_middle() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[80:120, 80:120] = 255
    quad = np.array([[[80, 80], [120, 80], [120, 120], [80, 120]]], np.float32)
    (crop,) = neighbourhoods(picture, quad)
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert (crop[14:50, 14:50] > 250).all()
    assert crop[:10].max() < 5 and crop[:, 54:].max() < 5

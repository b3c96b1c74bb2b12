"""A picture that is one face from edge to edge."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.labels import INDEX, LABELS
from vision.seen import Names
from vision.whole import WholeConfig, in_pieces, whole_face


class Answers:
    """A namer that gives its answers in turn, each as (label, probability)."""

    def __init__(self, *answers: tuple[str, float]) -> None:
        self.answers = answers
        self.crops: NDArray[np.uint8] | None = None

    def name(self, crops: NDArray[np.uint8]) -> Names:
        self.crops = crops
        posteriors = np.zeros((len(crops), len(LABELS)), np.float32)
        for row, (label, p) in zip(posteriors, self.answers, strict=True):
            row[INDEX["not"]] = 1 - p
            row[INDEX[label]] = p
        return Names(
            posteriors, np.zeros(len(crops), np.float32), np.zeros((len(crops), 4), np.float32)
        )


def picture(width: int, height: int) -> NDArray[np.uint8]:
    return np.full((height, width, 3), 230, np.uint8)


def test_two_sure_looks_make_a_face() -> None:
    found = whole_face(picture(90, 120), Answers(("3p", 0.99), ("3p", 0.98)), WholeConfig())
    assert found is not None
    quad, names = found
    assert quad.tolist() == [[[0, 0], [90, 0], [90, 120], [0, 120]]]
    assert LABELS[names.posteriors[0].argmax()] == "3p"
    assert len(names) == 1


def test_a_face_that_lies_begins_with_a_short_side() -> None:
    found = whole_face(picture(120, 90), Answers(("3m", 0.99), ("3m", 0.98)), WholeConfig())
    assert found is not None
    (quad,) = found[0]
    assert np.hypot(*(quad[1] - quad[0])) == 90


@pytest.mark.parametrize(
    ("size", "answers"),
    [
        ((90, 120), (("3p", 0.99), ("5p", 0.99))),
        ((90, 120), (("3p", 0.99), ("3p", 0.7))),
        ((90, 120), (("back", 0.99), ("back", 0.99))),
        ((100, 100), (("3p", 0.99), ("3p", 0.99))),
        ((50, 120), (("3p", 0.99), ("3p", 0.99))),
    ],
    ids=[
        "looks differ",
        "one is unsure",
        "a wall may be a back",
        "square",
        "a strip",
    ],
)
def test_all_else_is_no_face(size: tuple[int, int], answers: tuple[tuple[str, float], ...]) -> None:
    assert whole_face(picture(*size), Answers(*answers), WholeConfig()) is None


def test_finds_are_pieces_if_they_are_few_and_small() -> None:
    half = np.array([[0, 0], [45, 0], [45, 120], [0, 120]], np.float32)
    config = WholeConfig()
    assert in_pieces(np.zeros((0, 4, 2), np.float32), (90, 120), config)
    assert in_pieces(np.stack([half, half + (45, 0)]), (90, 120), config)
    assert not in_pieces((half * (1.8, 0.9))[None], (90, 120), config)
    assert not in_pieces(np.repeat(half[None] / 4, 5, axis=0), (90, 120), config)

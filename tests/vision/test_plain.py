"""White dragons and backs: the same plain surface in one crop, and not the same beside other tiles."""

from __future__ import annotations

import numpy as np
import pytest

from vision.labels import BACK, INDEX, LABELS
from vision.plain import PlainConfig, edges, sure_faces, surfaces, told_apart

IVORY, GREEN, SHADED = (210, 230, 240), (60, 120, 20), (190, 210, 218)
WHITE = INDEX["5z"]


def table(
    grounds: list[tuple[int, int, int]], named: list[dict[str, float]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A row of tiles with their grounds and dots of print, what the namer says of each, and which are sure faces."""
    image = np.full((120, 60 * len(grounds) + 20, 3), 90, np.uint8)
    quads, posteriors = [], np.zeros((len(grounds), len(LABELS)), np.float32)
    for i, ground in enumerate(grounds):
        x = 10 + 60 * i
        image[20:90, x : x + 50] = ground
        image[40:70, x + 12 : x + 38] = (30, 30, 160)
        quads.append([[x, 20], [x + 50, 20], [x + 50, 90], [x, 90]])
        for label, p in named[i].items():
            posteriors[i, INDEX[label]] = p
    believed = np.full(len(grounds), 0.99, np.float32)
    faces = sure_faces(posteriors, believed, PlainConfig())
    return image, np.array(quads, np.float32), posteriors, faces


def told(*seen: np.ndarray) -> np.ndarray:
    return told_apart(seen[2], surfaces(*seen, PlainConfig()), PlainConfig())


FACES = [{"1m": 0.97}, {"2p": 0.95}, {"7s": 0.96}]


@pytest.mark.parametrize(
    ("ground", "name"),
    [(IVORY, "5z"), (SHADED, "5z"), (GREEN, BACK)],
    ids=["as the faces", "in a slight shadow", "as the backs"],
)
def test_the_colour_of_the_faces_decides(ground: tuple[int, int, int], name: str) -> None:
    doubtful = {"5z": 0.48, BACK: 0.49, "1p": 0.03}
    image, quads, posteriors, faces = table([IVORY, IVORY, IVORY, ground], [*FACES, doubtful])
    shared = told(image, quads, posteriors, faces)
    assert LABELS[int(shared[3].argmax())] == name
    assert shared[3].sum() == pytest.approx(posteriors[3].sum(), abs=1e-5)
    assert shared[3, INDEX["1p"]] == pytest.approx(0.03)
    assert (shared[:3] == posteriors[:3]).all()


def test_a_namer_that_is_quite_sure_is_not_overruled() -> None:
    image, quads, posteriors, faces = table(
        [IVORY, IVORY, IVORY, (90, 110, 120)], [*FACES, {"5z": 0.999}]
    )
    shared = told(image, quads, posteriors, faces)
    assert shared[3, WHITE] > 0.5


def test_one_face_says_enough_and_none_says_nothing() -> None:
    doubtful = {"5z": 0.6, BACK: 0.4}
    for ground, name in ((GREEN, BACK), (IVORY, "5z")):
        shared = told(*table([IVORY, ground], [FACES[0], doubtful]))
        assert LABELS[int(shared[1].argmax())] == name
    image, quads, posteriors, faces = table([GREEN, GREEN], [doubtful, doubtful])
    assert told(image, quads, posteriors, faces) is posteriors


def test_tiles_at_the_pictures_edge_are_looked_at_within_it() -> None:
    image, quads, posteriors, faces = table(
        [IVORY, IVORY, IVORY, GREEN], [*FACES, {"5z": 0.5, BACK: 0.5}]
    )
    quads[3] += (0, 60)
    shared = told(image, quads, posteriors, faces)
    assert np.isfinite(shared).all()


@pytest.mark.parametrize(
    ("ground", "side", "edge"),
    [(IVORY, 34, True), (IVORY, 46, False), (GREEN, 34, False)],
    ids=["small and ivory", "as large as a face", "small and green: a back that stands"],
)
def test_the_edge_of_a_standing_tile_is_no_white_dragon(
    ground: tuple[int, int, int], side: int, edge: bool
) -> None:
    image, quads, posteriors, faces = table(
        [IVORY, IVORY, IVORY, ground], [*FACES, {"5z": 0.7, BACK: 0.3}]
    )
    quads[3] = quads[3, 0] + np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    plain = surfaces(image, quads, posteriors, faces, PlainConfig())
    assert edges(plain, PlainConfig()).tolist() == ([3] if edge else [])

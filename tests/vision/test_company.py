"""What the tiles around a find say of it: their size, their colour, and how near they are."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from vision.company import FEATURES, CompanyConfig, belief_among, company
from vision.judge import Evidence
from vision.labels import BACK, INDEX, LABELS
from vision.models import FITTED

TABLE, IVORY, GREEN, BROWN = (60, 60, 60), (210, 230, 240), (60, 120, 20), (40, 60, 110)
CONFIG = CompanyConfig()

Find = tuple[float, float, float, float, str, float]
"""Left, top, width, height, label and belief."""


def seen(finds: list[Find], colours: dict[int, tuple[int, int, int]] | None = None) -> np.ndarray:
    """What `company` says of finds: ivory faces, green backs, others as told."""
    image = np.full((400, 600, 3), TABLE, np.uint8)
    posteriors = np.zeros((len(finds), len(LABELS)), np.float32)
    quads = np.zeros((len(finds), 4, 2), np.float32)
    for i, (x, y, w, h, label, _) in enumerate(finds):
        usual = GREEN if label == BACK else IVORY
        image[int(y) : int(y + h), int(x) : int(x + w)] = (colours or {}).get(i, usual)
        quads[i] = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
        posteriors[i, INDEX[label]] = 1
    believed = np.array([find[5] for find in finds], np.float32)
    up = np.array([find[4] != BACK for find in finds], np.float32)
    evidence = Evidence(quads, believed, up, believed, posteriors)
    return company(image, evidence, believed, believed >= 0.9, CONFIG)


def among(finds: list[Find], colours: dict[int, tuple[int, int, int]] | None = None) -> np.ndarray:
    backs = np.array([find[4] == BACK for find in finds])
    return belief_among(seen(finds, colours), backs, CONFIG)


ROW: list[Find] = [(20 + 30 * k, 20, 30, 40, "7m", 0.99) for k in range(5)]
WALL: list[Find] = [(20 + 30 * k, 200, 30, 40, BACK, 0.97) for k in range(4)]


def test_no_finds_have_no_company() -> None:
    said = seen([])
    assert said.shape == (0, len(FEATURES))
    assert belief_among(said, np.zeros(0, bool), CONFIG).shape == (0,)


def test_a_manifest_has_a_weight_for_every_feature_and_a_bias() -> None:
    assert FITTED["faces_among"] == FITTED["backs_among"] == len(FEATURES) + 1
    weights = [f.default for f in fields(CONFIG) if f.name in ("faces", "backs")]
    assert [len(each) for each in weights] == [len(FEATURES) + 1] * 2


def test_each_feature_is_what_it_is_called() -> None:
    half: Find = (300, 300, 15, 20, "3p", 0.5)
    said = seen([*ROW, *WALL, half])
    of = {name: said[:, k] for k, name in enumerate(FEATURES)}
    assert of["itself"][-1] == pytest.approx(0)
    assert of["beside"].tolist() == pytest.approx([0.99] * 5 + [0] * 5)
    assert of["faces"] == pytest.approx(np.log(5))
    assert (of["sized"] == 1).all()
    assert of["size"][:9] == pytest.approx(0, abs=1e-4)
    assert of["size"][-1] == pytest.approx(CONFIG.unlike), "half as large, and no more is said"
    assert of["backs"].tolist() == [0] * 5 + [3] * 4 + [0]
    assert of["colour"] == pytest.approx(0)


def test_without_enough_sure_faces_nothing_is_said_of_sizes() -> None:
    said = seen([*ROW[:2], (300, 300, 15, 20, "3p", 0.5)])
    assert (said[:, FEATURES.index("sized")] == 0).all()
    assert (said[:, FEATURES.index("size")] == 0).all()


def test_a_face_among_faces_of_its_size_is_believed_sooner_than_a_slim_one_or_one_apart() -> None:
    def believed(x: float, y: float, w: float, h: float) -> float:
        return float(among([*ROW, (x, y, w, h, "5z", 0.6)])[-1])

    beside, apart, slim = (
        believed(170, 20, 30, 40),
        believed(500, 300, 30, 40),
        believed(170, 20, 30, 12),
    )
    assert beside > apart > slim
    assert beside > 0.6 > slim


def test_a_doubtful_back_is_believed_for_the_colour_of_the_others() -> None:
    doubtful: Find = (140, 200, 30, 40, BACK, 0.5)
    alike = among([*ROW, *WALL, doubtful])[-1]
    other = among([*ROW, *WALL, doubtful], {len(ROW) + len(WALL): BROWN})[-1]
    assert alike > 0.6 > 0.4 > other


def test_two_squares_of_a_board_do_not_vouch_for_each_other() -> None:
    squares: list[Find] = [(300 + 100 * k, 300, 30, 40, BACK, 0.95) for k in range(2)]
    brown = {len(ROW) + len(WALL) + k: BROWN for k in range(2)}
    said = seen([*ROW, *WALL, *squares], brown)[-2:]
    assert (said[:, FEATURES.index("colour")] > 20).all()
    told = among([*ROW, *WALL, *squares], brown)
    assert (told[-2:] < told[5:9].min()).all()

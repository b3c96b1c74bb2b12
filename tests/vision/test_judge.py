"""The weighing of what three networks say of a find, and how its weights are found."""

from __future__ import annotations

import numpy as np
import pytest

from vision.judge import Evidence, JudgeConfig, belief, judge, logits
from vision.labels import INDEX, LABELS
from vision.training.judge_fit import FitConfig, fit

Row = tuple[list[list[float]], str, float, float, float]
"""Quad, label, finder's score, refiner's presence, probability of the label; the rest is "not"."""


def square(x: float, y: float, side: float = 30) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def evidence(rows: list[Row]) -> Evidence:
    posteriors = np.zeros((len(rows), len(LABELS)), np.float32)
    for row, (_, label, _, _, p) in zip(posteriors, rows, strict=True):
        row[INDEX["not"]] = 1 - p
        row[INDEX[label]] += p
    return Evidence(
        np.array([row[0] for row in rows], np.float32).reshape(-1, 4, 2),
        np.array([row[2] for row in rows], np.float32),
        np.array([row[1] != "back" for row in rows], np.float32),
        np.array([row[3] for row in rows], np.float32),
        posteriors,
    )


@pytest.mark.parametrize("network", range(3))
def test_every_network_can_raise_and_lower_the_belief(network: int) -> None:
    def believed(p: float) -> float:
        said = [0.6, 0.6, 0.6]
        said[network] = p
        return float(belief(evidence([(square(0, 0), "5m", *said)]), JudgeConfig())[0])

    assert 0 < believed(0.2) < believed(0.6) < believed(0.95) < 1


def test_no_finds_no_tiles() -> None:
    verdict = judge(evidence([]), JudgeConfig())
    assert len(verdict.kept) == 0
    assert verdict.because == {}


def test_each_reason_is_given_and_every_find_is_kept_or_explained() -> None:
    rows: list[Row] = [(square(40 * k, 0), "7m", 0.95, 0.99, 0.99) for k in range(4)]
    rows += [
        (square(40, 100), "7m", 0.3, 0.05, 0.6),
        (square(80, 100), "not", 0.9, 0.9, 0.9),
        (square(2, 1), "7m", 0.9, 0.99, 0.99),
        (square(45, 5, 12), "9s", 0.95, 0.99, 0.99),
        (square(120, 100, 15), "3p", 0.95, 0.99, 0.99),
    ]
    verdict = judge(evidence(rows), JudgeConfig())
    assert verdict.kept.tolist() == [0, 1, 2, 3]
    assert verdict.because == {
        4: "unsure",
        5: "not-a-tile",
        6: "duplicate",
        7: "part",
        8: "die",
    }


def test_a_tile_between_tiles_needs_less_than_one_alone() -> None:
    config = JudgeConfig()
    doubtful: Row = (square(200, 0), "7m", 0.68, 0.8, 0.95)
    (p,) = belief(evidence([doubtful]), config)
    assert config.least < p < config.alone
    assert judge(evidence([doubtful]), config).because == {0: "alone"}
    row: list[Row] = [(square(40 * k, 0), "7m", 0.95, 0.99, 0.99) for k in range(3)]
    assert judge(evidence([*row, doubtful]), config).kept.tolist() == [0, 1, 2, 3]


def test_the_fit_finds_the_weights_that_made_the_data() -> None:
    rng = np.random.default_rng(4)
    said = rng.uniform(0.02, 0.98, (20_000, 3))
    surest = JudgeConfig().surest
    truth = np.array([1.2, 0.4, 0.6, -1.0])
    odds = logits(said, surest) @ truth[:3] + truth[3]
    is_tile = rng.random(len(said)) < 1 / (1 + np.exp(-odds))
    assert np.allclose(fit(said, is_tile, surest, FitConfig()), truth, atol=0.08)


def test_a_fit_needs_finds_of_both_kinds() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        fit(np.full((5, 3), 0.5), np.ones(5, bool), JudgeConfig().surest, FitConfig())

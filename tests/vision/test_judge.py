"""The weighing of what three networks say of a find, and how its weights are found."""

from __future__ import annotations

import numpy as np
import pytest

from vision.judge import Evidence, JudgeConfig, Verdict, belief, judge, logits
from vision.labels import INDEX, LABELS
from vision.training.judge_fit import FitConfig, regress

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


def judged(seen: Evidence) -> Verdict:
    """The verdict where company says no more than the networks."""
    believed = belief(seen, JudgeConfig())
    return judge(seen, believed, believed, JudgeConfig())


@pytest.mark.parametrize("network", range(3))
def test_every_network_can_raise_and_lower_the_belief(network: int) -> None:
    def believed(p: float) -> float:
        said = [0.6, 0.6, 0.6]
        said[network] = p
        return float(belief(evidence([(square(0, 0), "5m", *said)]), JudgeConfig())[0])

    assert 0 < believed(0.2) < believed(0.6) < believed(0.95) < 1


def test_no_finds_no_tiles() -> None:
    verdict = judged(evidence([]))
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
    verdict = judged(evidence(rows))
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
    assert judged(evidence([doubtful])).because == {0: "alone"}
    row: list[Row] = [(square(40 * k, 0), "7m", 0.95, 0.99, 0.99) for k in range(3)]
    assert judged(evidence([*row, doubtful])).kept.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("px", "told"), [(17, [0]), (15, [])])
def test_a_lone_tile_is_not_tiny(px: float, told: list[int]) -> None:
    sure: Row = (square(0, 0, px), "7m", 0.99, 0.999, 0.999)
    assert judged(evidence([sure])).kept.tolist() == told
    row: list[Row] = [(square(40 * k, 90), "7m", 0.99, 0.999, 0.999) for k in range(3)]
    assert judged(evidence([sure, *row])).kept.tolist() == [0, 1, 2, 3]


def test_what_looks_like_a_tile_but_like_none_in_particular_is_no_company() -> None:
    doubtful: Row = (square(300, 0), "7m", 0.68, 0.8, 0.95)
    row: list[Row] = [(square(40 * k, 0), "7m", 0.99, 0.999, 0.999) for k in range(3)]
    torn = evidence([*row, doubtful])
    assert judged(torn).kept.tolist() == [0, 1, 2, 3]
    torn.posteriors[:3] = 0
    torn.posteriors[:3, INDEX["7m"]], torn.posteriors[:3, INDEX["3z"]] = 0.6, 0.4
    assert (belief(torn, JudgeConfig())[:3] >= JudgeConfig().sure).all()
    assert 3 not in judged(torn).kept


def test_the_fit_finds_the_weights_that_made_the_data() -> None:
    rng = np.random.default_rng(4)
    said = rng.uniform(0.02, 0.98, (20_000, 3))
    surest = JudgeConfig().surest
    truth = np.array([1.2, 0.4, 0.6, -1.0])
    features = logits(said, surest)
    odds = features @ truth[:3] + truth[3]
    is_tile = rng.random(len(said)) < 1 / (1 + np.exp(-odds))
    assert np.allclose(regress(features, is_tile, FitConfig()), truth, atol=0.08)


def test_a_find_that_counts_twice_is_like_two() -> None:
    rng = np.random.default_rng(3)
    features = rng.normal(size=(200, 2))
    is_tile = features[:, 0] + rng.normal(size=200) > 0
    twice = rng.random(200) < 0.3
    counted = regress(features, is_tile, FitConfig(), 1.0 + twice)
    again = np.concatenate([features, features[twice]])
    repeated = regress(again, np.concatenate([is_tile, is_tile[twice]]), FitConfig())
    assert np.allclose(counted, repeated)
    assert not np.allclose(counted, regress(features, is_tile, FitConfig()), atol=0.01)


def test_a_fit_needs_finds_of_both_kinds() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        regress(np.full((5, 3), 0.5), np.ones(5, bool), FitConfig())


def test_what_is_no_tile_to_the_namer_may_be_a_back_but_no_face() -> None:
    row: list[Row] = [(square(40 * k, 0), "7m", 0.95, 0.99, 0.99) for k in range(4)]
    plain = evidence([*row, (square(160, 0), "5m", 0.97, 0.99, 0.1)])
    assert judged(plain).because == {4: "not-a-tile"}
    up = plain.up.copy()
    up[4] = 0.05
    back = Evidence(plain.quads_px, plain.scores, up, plain.present, plain.posteriors)
    assert judged(back).because == {}


def test_finds_put_together_and_chosen_keep_their_rows() -> None:
    first, second = (
        evidence([(square(0, 0), "7m", 0.9, 0.8, 0.7)]),
        evidence([(square(50, 0), "back", 0.6, 0.5, 0.4), (square(90, 0), "1p", 0.3, 0.2, 0.1)]),
    )
    both = first.and_also(second)
    assert both.scores.tolist() == pytest.approx([0.9, 0.6, 0.3])
    assert both.backs.tolist() == [False, True, False]
    chosen = both[np.array([False, True, True])]
    assert chosen.present.tolist() == pytest.approx([0.5, 0.2])
    assert chosen.quads_px[0, 0].tolist() == [50, 0]

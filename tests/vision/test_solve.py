import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.labels import INDEX, LABELS, plain
from vision.solve import SolverConfig, Stock, settle

SOME = ("1m", "5p", "0p", "2m", "1f", "back")


def posterior(**likely: float) -> np.ndarray:
    """A row with the given probabilities (labels as keywords, `_5p` for 5p), the rest spread evenly."""
    row = np.zeros(len(LABELS))
    for label, p in likely.items():
        row[INDEX[label.lstrip("_")]] = p
    row[row == 0] = (1 - row.sum()) / (row == 0).sum()
    return row


def cost_of(labels: tuple[str, ...], rows: np.ndarray, stock: Stock, excess: float) -> float:
    total = -sum(np.log(max(rows[i, INDEX[label]], 1e-6)) for i, label in enumerate(labels))
    kinds = [plain(label) for label in labels]
    for kind in set(kinds):
        cap = {"back": 99, "1f": stock.bonus}.get(kind, stock.copies)
        total += excess * max(0, kinds.count(kind) - cap)
    for red, cap in stock.red_fives.items():
        total += excess * max(0, labels.count(red) - cap)
    return total


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_other_assignment_is_cheaper(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 5))
    weights = data.draw(
        st.lists(
            st.lists(st.floats(0.001, 1), min_size=len(SOME), max_size=len(SOME)),
            min_size=n,
            max_size=n,
        )
    )
    rows = np.full((n, len(LABELS)), 1e-9)
    rows[:, [INDEX[label] for label in SOME]] = weights
    rows /= rows.sum(axis=1, keepdims=True)
    stock = Stock(copies=2, red_fives={"0m": 1, "0p": 1, "0s": 1})
    excess = data.draw(st.floats(0.1, 9))
    got = settle(rows, stock, SolverConfig(excess_cost=excess))
    found = cost_of(tuple(LABELS[i] for i in got.labels), rows, stock, excess)
    best = min(cost_of(labels, rows, stock, excess) for labels in itertools.product(SOME, repeat=n))
    assert found == pytest.approx(best, abs=1e-6)
    assert np.allclose(got.posteriors.sum(axis=1), 1, atol=1e-5)


def test_the_least_sure_of_five_copies_gets_its_second_name() -> None:
    rows = np.array([posterior(_2m=0.97)] * 4 + [posterior(_2m=0.6, _3m=0.35)])
    settled = settle(rows)
    assert [LABELS[i] for i in settled.labels] == ["2m"] * 4 + ["3m"]
    assert settled.changed.tolist() == [False] * 4 + [True]
    assert settled.posteriors[4, INDEX["3m"]] > 0.8
    assert settled.posteriors[0, INDEX["2m"]] > 0.9


def test_a_chain_of_renamings_is_found() -> None:
    """Five 2m, of which one might be 3m; but there are four 3m, of which one might be 4m."""
    rows = np.array(
        [posterior(_2m=0.999)] * 4
        + [posterior(_2m=0.5, _3m=0.49)]
        + [posterior(_3m=0.999)] * 3
        + [posterior(_3m=0.5, _4m=0.49)]
    )
    names = [LABELS[i] for i in settle(rows).labels]
    assert names == ["2m"] * 4 + ["3m"] + ["3m"] * 3 + ["4m"]


def test_red_fives_count_as_fives_and_have_a_limit_of_their_own() -> None:
    fives = [posterior(_5p=0.95, _0p=0.04)] * 3
    two_reds = [posterior(_0p=0.9, _5p=0.09)] * 2
    names = [LABELS[i] for i in settle(np.array(fives + two_reds)).labels]
    assert sorted(names) == ["0p", "0p", "5p", "5p", "5p"], "five sure fives are kept, at a price"
    names = [
        LABELS[i] for i in settle(np.array(fives[:2] + two_reds), Stock(red_fives={"0p": 1})).labels
    ]
    assert names.count("0p") == 1


def test_two_sets_in_one_picture_keep_their_sure_names_but_less_surely() -> None:
    settled = settle(np.array([posterior(_1z=0.9999)] * 8))
    assert [LABELS[i] for i in settled.labels] == ["1z"] * 8
    assert (settled.posteriors[:, INDEX["1z"]] < 0.995).all()


def test_backs_have_no_limit_and_nothing_gives_nothing() -> None:
    assert not settle(np.array([posterior(back=0.9)] * 40)).changed.any()
    assert settle(np.zeros((0, len(LABELS)))).labels.shape == (0,)
    with pytest.raises(ValueError, match="47"):
        settle(np.zeros((3, 5)))


def test_a_whole_set_is_settled_to_its_144_tiles() -> None:
    rng = np.random.default_rng(5)
    kinds = [label for label in LABELS[:34] for _ in range(4)] + list(LABELS[34:42])
    logits = rng.normal(0, 1, (len(kinds), len(LABELS)))
    logits[:, INDEX["not"]] = logits[:, INDEX["back"]] = -9
    for row, kind in enumerate(kinds):
        logits[row, INDEX[kind]] += 3.2
    rows = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    alone = np.mean([LABELS[i] == kind for i, kind in zip(rows.argmax(axis=1), kinds, strict=True)])
    settled = settle(rows, config=SolverConfig(excess_cost=9))
    together = np.mean([LABELS[i] == kind for i, kind in zip(settled.labels, kinds, strict=True)])
    assert together > alone

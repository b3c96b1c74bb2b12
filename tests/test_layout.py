"""The layout of a hand under edits: pieces keep their identity, nothing is lost or doubled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hand import parse_hand
from companion.layout import Layout, LayoutError, layout_from_hand, layout_from_json
from companion.layout_edits import edit
from companion.text import GorrionError

EXAMPLE = "123p123s23477m [567m] (8888s) 2f2g"


def layout(text: str = EXAMPLE, win: str | None = "4m") -> Layout:
    return layout_from_hand(parse_hand(text, win))


@pytest.mark.parametrize("text", [EXAMPLE, "1m", "[123m]", "back ? 1z", "1f2f3f4f1g2g3g4g"])
def test_a_hand_and_its_layout_are_the_same(text: str) -> None:
    hand = parse_hand(text)
    assert layout_from_hand(hand).hand() == hand


def test_the_json_form_is_an_inverse() -> None:
    made = edit(layout(), {"do": "win", "piece": 3})
    assert layout_from_json(made.to_json()) == made


def test_naming_keeps_the_piece_and_its_place() -> None:
    before = layout("123m")
    after = edit(before, {"do": "name", "piece": 2, "tile": "9s"})
    assert [(p.id, p.tile.code) for p in after.concealed] == [(1, "1m"), (2, "9s"), (3, "3m")]


def test_moving_puts_before_the_piece_that_is_named() -> None:
    moved = edit(layout("123m"), {"do": "move", "piece": 3, "to": "concealed", "before": 1})
    assert [p.tile.code for p in moved.concealed] == ["3m", "1m", "2m"]


def test_the_winning_tile_follows_its_piece_and_ends_with_it() -> None:
    won = edit(layout("123m", None), {"do": "win", "piece": 2})
    assert won.hand().winning == parse_hand("2m").concealed[0]
    assert edit(won, {"do": "move", "piece": 2, "to": "concealed"}).winning == 2
    assert edit(won, {"do": "move", "piece": 2, "to": "new"}).winning is None
    assert edit(won, {"do": "remove", "piece": 2}).winning is None
    assert edit(won, {"do": "win", "piece": None}).winning is None


def test_the_winning_tile_lies_at_the_end() -> None:
    won = edit(layout("123m", None), {"do": "win", "piece": 1})
    assert [p.tile.code for p in won.concealed] == ["2m", "3m", "1m"]
    assert [p.tile.code for p in edit(won, {"do": "sort"}).concealed] == ["2m", "3m", "1m"]
    assert [p.tile.code for p in layout("123m", "2m").concealed] == ["1m", "3m", "2m"]


def test_a_tile_in_a_meld_can_not_be_the_winning_one() -> None:
    laid = layout("1m [567m]", None)
    with pytest.raises(LayoutError) as refused:
        edit(laid, {"do": "win", "piece": laid.melds[0].pieces[0].id})
    assert refused.value.code == "not_in_hand"


def test_meld_choices_leave_the_winning_tile_in_hand() -> None:
    hand = layout("23444m", "4m")
    two = next(p for p in hand.concealed if p.tile.code == "2m")
    (run,) = hand.meld_choices(two.id)
    assert hand.winning not in run.pieces
    assert [choice.kind for choice in hand.meld_choices(hand.winning or 0)] == ["chow", "pung"]


def test_an_emptied_meld_disappears() -> None:
    laid = layout("[11m] 5z", None)
    for piece in laid.melds[0].pieces:
        laid = edit(laid, {"do": "move", "piece": piece.id, "to": "concealed"})
    assert laid.melds == ()
    assert len(laid.concealed) == 3


def ids(made: Layout) -> list[int]:
    return [piece.id for piece in made.pieces] + [meld.id for meld in made.melds]


EDITS = st.one_of(
    st.builds(
        lambda p, t: {"do": "name", "piece": p, "tile": t},
        st.integers(1, 30),
        st.sampled_from(["1m", "5z", "2f", "not"]),
    ),
    st.builds(
        lambda t, to: {"do": "add", "tile": t, "to": to},
        st.sampled_from(["3s", "4g"]),
        st.sampled_from([None, "new", 16]),
    ),
    st.builds(
        lambda t, k: {"do": "lay", "tile": t, "kind": k},
        st.sampled_from(["7p", "1z"]),
        st.sampled_from(["chow", "ckong"]),
    ),
    st.builds(
        lambda p, to, b: {"do": "move", "piece": p, "to": to, "before": b},
        st.integers(1, 30),
        st.sampled_from(["concealed", "bonus", "new", 16, 21]),
        st.integers(1, 30),
    ),
    st.builds(lambda p: {"do": "remove", "piece": p}, st.integers(1, 30)),
    st.builds(
        lambda p: {"do": "meld", "pieces": p}, st.lists(st.integers(1, 12), min_size=2, max_size=4)
    ),
    st.builds(lambda m: {"do": "break", "meld": m}, st.integers(10, 30)),
    st.builds(lambda p: {"do": "win", "piece": p}, st.integers(1, 30)),
    st.sampled_from([{"do": "sort"}, {"do": "clear"}]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EDITS, max_size=12))
def test_whatever_is_done_ids_stay_unique_and_the_layout_sound(
    changes: list[dict[str, Any]],
) -> None:
    made = layout()
    for change in changes:
        try:
            made = edit(made, change)
        except GorrionError:
            continue  # refused, and so nothing has changed
        assert len(set(ids(made))) == len(ids(made))
        assert made.next_id > max(ids(made), default=0)
        assert made.winning is None or made.winning in [p.id for p in made.concealed]
        assert all(meld.pieces for meld in made.melds)
        assert layout_from_json(made.to_json()) == made
        made.hand().flags()

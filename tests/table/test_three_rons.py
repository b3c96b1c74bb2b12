"""Logs in which several players win on one tile, under rules by which that breaks the hand off."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.notation import parse_tiles
from companion.rules import Profile, load_profile
from companion.rules.flow import FlowError, HandResult, flow_of
from companion.rules.loader import change_profile
from companion.simulator.play import start_state
from companion.table import events as ev
from companion.table.fold import fold
from companion.table.log import entries_of
from companion.table.mjai import from_mjai, tile_to_mjai
from companion.table.rotating import result_of, rotation
from companion.table.settling import win_settlement
from companion.table.state import State
from companion.table.tenhou.reading import from_tenhou
from companion.table.tenhou.words import tile_to_tenhou
from companion.tiles import Tile

HANDS = (
    "22345m678678p67s5z",  # ready without the dragon: says riichi with it
    "123456789p123s5z",
    "123456789s123p5z",
    "123456789m789s5z",
)
FOUR = (0, 0, 0, 0)


def house(rons: str) -> Profile:
    return change_profile(load_profile("riichi"), {"riichi.several_rons": rons})


def tenhou(start: State, winners: list[int], paid: tuple[int, ...], riichi: bool) -> list[ev.Event]:
    """East discards the dragon, with riichi or without, and `winners` win on it."""
    rows: list[Any] = [[0, 0, 0], [25000] * 4, [tile_to_tenhou(Tile("9m"))], []]
    for seat, hand in enumerate(HANDS):
        held = [tile_to_tenhou(tile) for tile in parse_tiles(hand)]
        first = not seat
        rows += [held[:13], held[13:], [("r45" if riichi else 45)] if first else []]
    result: list[Any] = ["和了"]
    for winner in winners:
        result += [list(paid), [winner, 0, winner]]
    log = {"name": ["A", "B", "C", "D"], "log": [[*rows, result]]}
    return from_tenhou(json.dumps(log), start)


def mjai(start: State, winners: list[int], paid: tuple[int, ...], riichi: bool) -> list[ev.Event]:
    """The same in mjai."""
    dealt = [[tile_to_mjai(tile) for tile in parse_tiles(hand)] for hand in HANDS]
    begin = {"type": "start_kyoku", "bakaze": "E", "oya": 0, "scores": [25000] * 4, "honba": 0}
    begin |= {"kyotaku": 0, "dora_marker": "9m", "tehais": [hand[:13] for hand in dealt]}
    log = [{"type": "start_game"}, begin, {"type": "tsumo", "actor": 0, "pai": "P"}]
    log += [{"type": "reach", "actor": 0}] if riichi else []
    log += [{"type": "dahai", "actor": 0, "pai": "P"}]
    log += [{"type": "reach_accepted", "actor": 0}] if riichi else []
    log += [{"type": "hora", "actor": each, "target": 0, "deltas": paid} for each in winners]
    log += [{"type": "end_kyoku"}]
    return from_mjai(map(json.dumps, log), start)


Read = Callable[[State, list[int], tuple[int, ...], bool], list[ev.Event]]


def rotated(events: list[ev.Event]) -> tuple[int, int, int]:
    """East, round and honba after the hand."""
    event = next(event for event in events if isinstance(event, ev.Rotate))
    return event.east, event.round, event.honba


@pytest.mark.parametrize("read", [tenhou, mjai])
@pytest.mark.parametrize(
    ("rons", "winners", "standing"),
    [
        ("draw_on_three", [1, 2, 3], (0, 0, 1)),  # broken off: East stays, one counter more
        ("draw", [1, 2, 3], (0, 0, 1)),
        ("draw", [1, 2], (0, 0, 1)),
        ("draw_on_three", [1, 2], (1, 0, 0)),  # won by others: the winds pass on
        ("all", [1, 2, 3], (1, 0, 0)),
        ("draw", [1], (1, 0, 0)),
    ],
)
@pytest.mark.parametrize("riichi", [False, True])
def test_the_winds_pass_on_as_the_rules_say(
    read: Read, rons: str, winners: list[int], standing: tuple[int, int, int], riichi: bool
) -> None:
    start = start_state(house(rons))
    events = read(start, winners, FOUR, riichi)
    assert rotated(events) == standing
    state = fold(start, entries_of(events))
    assert state.flags == ()
    drawn = standing[2] == 1
    # The stick of the riichi lies on the table where nobody is paid for the discard.
    laid = riichi and (drawn or read is mjai)
    assert (state.sticks, state.scores[0]) == (int(laid), 25000 - 1000 * laid)
    assert state.history[-1].winners == tuple(winners)


@pytest.mark.parametrize("read", [tenhou, mjai])
def test_a_log_that_pays_them_is_flagged(read: Read) -> None:
    paid = (-2000, 2000, 0, 0)
    start = start_state(house("draw"))
    events = read(start, [1, 2], paid, False)
    state = fold(start, entries_of(events))
    assert {flag.code for flag in state.flags} == {"draw_is_paid"}
    assert "2 players win on one tile" in str(state.flags[0].text)
    assert rotated(events) == (0, 0, 1)
    assert fold(start_state(house("all")), entries_of(events)).flags == ()


def test_the_table_settles_and_rotates_alike() -> None:
    rules = house("draw_on_three")
    events = mjai(start_state(rules), [1, 2, 3], FOUR, True)
    won = fold(start_state(rules), entries_of(events[: events.index(ev.Settle(FOUR, 1))]))
    assert win_settlement(won, rules) == ev.Settle(FOUR, 1)
    assert result_of(won) == HandResult("replay")
    assert rotation(won) == ev.Rotate(0, 0, 0, honba=1)


def test_how_many_wins_draw_is_said_once() -> None:
    """By `riichi.several_rons` alone; other systems have no such rule."""
    assert flow_of(house("draw_on_three")).claims.wins_that_draw == 3
    assert flow_of(house("draw")).claims.wins_that_draw == 2
    for name in ("riichi", "hk-wiki", "mcr"):
        assert flow_of(load_profile(name)).claims.wins_that_draw == 0
        twice = change_profile(load_profile(name), {"flow.claims.wins_that_draw": 3})
        with pytest.raises(FlowError, match=r"leave flow\.claims\.wins_that_draw out"):
            flow_of(twice)


def test_a_hand_without_an_end_counts_as_drawn() -> None:
    start = start_state(load_profile("riichi"))
    events = mjai(start, [1], FOUR, False)
    discarded = events[: next(i for i, each in enumerate(events) if isinstance(each, ev.Win))]
    assert result_of(fold(start, entries_of(discarded))) == HandResult("draw")

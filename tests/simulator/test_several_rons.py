"""Several wins on one tile in a simulated game: paid, or the hand is broken off, as the rules say."""

from __future__ import annotations

import json
from random import Random

import pytest

from companion.notation import parse_tiles
from companion.rules import Profile, load_profile
from companion.rules.flow import Flow, deal
from companion.rules.loader import change_profile
from companion.simulator.luck import LoadedWall, build
from companion.simulator.moves import DealtHand
from companion.simulator.plans import Plan
from companion.simulator.play import Luck, play_match, start_state
from companion.simulator.player import Player, Temper
from companion.table import events as ev
from companion.table.fold import apply, fold
from companion.table.log import entries_of
from companion.table.state import SEATS
from companion.table.tenhou.reading import from_tenhou
from companion.table.tenhou.writing import to_tenhou
from companion.tiles import Tile

HANDS = (
    "22345m678678p67s5z",  # ready without the dragon: says riichi with it
    "123456789p123s5z",
    "123456789s123p5z",
    "123456789m789s5z",
)
"""East throws the white dragon, and the others, who hold one each, wait for it."""
KEEN = Luck(favoured=0.0, false_win=0.0, temper=Temper(riichi=1.0))
FOUR = (0,) * 4


def house(rons: str) -> Profile:
    return change_profile(load_profile("riichi"), {"riichi.several_rons": rons})


def load_walls(monkeypatch: pytest.MonkeyPatch, winners: int) -> None:
    """Deal `HANDS` whenever seat 0 is East, so that so many win on the first discard."""

    def loaded(flow: Flow, east: int, favour: dict[int, Plan], rng: Random) -> LoadedWall:
        wall = build(flow, east, favour, rng)
        if east:
            return wall
        free = list(wall.tiles)
        for seat in (0, *range(4 - winners, 4)):
            for index, wanted in zip(deal(flow)[seat], parse_tiles(HANDS[seat]), strict=True):
                spot = wall.opened.live[index]
                other = next(place for place in free if wall.tiles[place].kind is wanted)
                wall.tiles[spot], wall.tiles[other] = wall.tiles[other], wall.tiles[spot]
                free.remove(spot)
        return wall

    monkeypatch.setattr("companion.simulator.play.build", loaded)


def ended(events: list[ev.Event]) -> list[ev.Event]:
    """How the first hand went on after its first discard."""
    first = next(at for at, event in enumerate(events) if isinstance(event, ev.Discard))
    assert isinstance(events[first - 1], ev.Riichi)
    last = next(at for at, event in enumerate(events) if isinstance(event, ev.Rotate))
    return events[first + 1 : last + 1]


@pytest.mark.parametrize(("rons", "winners"), [("draw_on_three", 3), ("draw", 3), ("draw", 2)])
def test_too_many_wins_break_the_hand_off(
    rons: str, winners: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_walls(monkeypatch, winners)
    assert ended(list(play_match(house(rons), 1, 1, KEEN))) == [
        ev.RiichiAccepted(0),
        ev.DrawnHand("triple-win"),
        ev.Settle(FOUR, 1),
        ev.Rotate(0, 0, 0, honba=1),
    ]


@pytest.mark.parametrize(
    ("rons", "winners", "paid"),
    [("all", 3, 3), ("all", 2, 2), ("draw_on_three", 2, 2), ("nearest", 3, 1), ("draw", 1, 1)],
)
def test_wins_that_the_rules_pay_are_paid(
    rons: str, winners: int, paid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_walls(monkeypatch, winners)
    *wins, settle, rotate = ended(list(play_match(house(rons), 1, 1, KEEN)))
    assert [type(event) for event in wins] == [ev.Win] * paid
    assert isinstance(settle, ev.Settle) and settle.deltas[0] < 0 == sum(settle.deltas)
    assert isinstance(rotate, ev.Rotate) and (rotate.east, rotate.honba) == (1, 0)


def test_a_match_of_broken_off_hands_folds_and_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = house("draw_on_three")
    load_walls(monkeypatch, 3)
    events = list(play_match(rules, 2, 3, KEEN))
    monkeypatch.undo()
    events = events[:-1]
    state = start_state(rules)
    for event in events:
        state = apply(state, event)
        assert state.flags == ()
        if state.phase not in {"before", "over"}:
            assert state.tiles_on_table == state.flow.tiles.total
        if state.names:
            assert sum(state.scores) + state.flow.riichi.stick * state.sticks == 4 * 25000
    assert [hand.reason for hand in state.history] == ["triple-win"] * 3
    assert (state.standing.east, state.standing.hands, state.honba, state.sticks) == (0, 3, 3, 3)
    assert state.scores == (22000, 25000, 25000, 25000)
    again = from_tenhou(json.dumps(to_tenhou(entries_of(events))), start_state(rules))
    read = fold(start_state(rules), entries_of(again))
    assert (read.scores, read.honba, read.sticks) == (state.scores, state.honba, state.sticks)


def test_a_kong_that_two_rob_breaks_the_hand_off() -> None:
    rules = house("draw")
    wall = build(start_state(rules).flow, 0, {}, Random(1))
    held = (
        "4p19m19p19s1234567z",
        "44p123m456m78s12z3z",
        "23p123s456s789m11z",
        "56p123m456s789s22z",
    )
    moves = [
        ev.StartHand("riichi", "", "E", 0, (25000,) * 4, tuple(map(parse_tiles, held))),
        ev.Discard(0, Tile("4p")),
        ev.Pung(1, 0, Tile("4p"), (Tile("4p"),) * 2),
        ev.Discard(1, Tile("3z")),
        ev.Draw(2, Tile("9p")),
        ev.Discard(2, Tile("9p"), True),
        ev.Draw(3, Tile("9m")),
        ev.Discard(3, Tile("9m"), True),
        ev.Draw(0, Tile("9s")),
        ev.Discard(0, Tile("9s"), True),
        ev.Draw(1, Tile("4p")),
        ev.AddedKong(1, Tile("4p"), (Tile("4p"),) * 3),
    ]
    state = fold(start_state(rules), entries_of(moves))
    assert state.flags == ()
    players = [Player(seat, Random(seat), Temper()) for seat in SEATS]
    hand = DealtHand(rules, state, wall, players)
    assert list(hand.play()) == [ev.DrawnHand("triple-win")]
    assert (hand.state.flags, hand.state.phase) == ((), "drawn")

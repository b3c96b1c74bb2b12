"""Public riichi logs: imported, folded, settled, and written out again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.catalogue import translate
from companion.rules import load_profile, score
from companion.simulator.play import Luck, play_match, start_state
from companion.table import events as ev
from companion.table.log import TableLog, entries_of
from companion.table.mjai import from_mjai, to_mjai
from companion.table.state import State
from companion.table.tenhou.reading import from_tenhou
from companion.table.tenhou.writing import to_tenhou
from companion.table.wire import read_entry, write_entry
from companion.text import GorrionError
from companion.tiles import Tile

GAMES = (
    "chankan", "complex_nakis_0", "confusing_nakis_0", "confusing_nakis_2", "confusing_nakis_4",
    "confusing_nakis_6", "double_ron", "four_reach", "kyushukyuhai", "ranked_game", "rinshan",
    "suukantsu_0",
)  # fmt: skip
INVENTED_RESULT = "confusing_nakis_2"
"""Its result names a winner whose tiles form no hand, and pays somebody else: a test of claims alone."""


@pytest.fixture
def start() -> State:
    return start_state(load_profile("riichi"))


def worth(state: State) -> dict[int, int]:
    """What the last winner gains by our own rules, by seat, sticks apart."""
    won = state.wins[-1]
    payments = score(won.hand, won.circumstances, load_profile("riichi")).payments
    assert payments is not None and payments.net is not None
    return {state.standing.seat_of(wind): gain for wind, gain in payments.net.items()}


def check(events: list[ev.Event], start: State) -> int:
    """Fold a game: no flag, tiles conserved, and every win worth what the log paid. Gives the wins."""
    log, wins = TableLog(start), []
    for entry in entries_of(events):
        before, state = log.state, log.append(entry)
        assert not state.flags, (entry, state.flags)
        if state.phase != "before":
            assert state.tiles_on_table == 136
        if isinstance(entry.event, ev.Win):
            wins.append(worth(state))
        if isinstance(entry.event, ev.Settle) and before.wins:
            expected = wins[len(wins) - len(before.wins) + (before.phase == "settled")]
            paid = list(entry.event.deltas)
            sticks = before.sticks - state.sticks
            paid[max(expected, key=lambda seat: expected[seat])] -= 1000 * sticks
            assert paid == [expected[seat] for seat in range(4)]
        if isinstance(entry.event, ev.StartHand) and len(wins) > 0:
            assert before.scores == entry.event.scores
    return len(wins)


def test_the_mjai_game_folds_settles_and_comes_out_as_it_went_in(
    shared_dir: Path, start: State
) -> None:
    lines = (shared_dir / "rules/oracles/riichi-game.mjai.jsonl").read_text().splitlines()
    events = from_mjai(lines, start)
    assert check(events, start) == 9
    assert list(to_mjai(entries_of(events))) == [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", GAMES)
def test_the_tenhou_games_fold_and_settle(shared_dir: Path, start: State, name: str) -> None:
    text = (shared_dir / f"rules/oracles/tenhou6/{name}.json").read_text("utf-8")
    events = from_tenhou(text, start)
    if name == INVENTED_RESULT:
        log = TableLog(start, entries_of(events))
        paid = next(e.deltas for e in events if isinstance(e, ev.Settle))
        assert paid == (-3200, 0, 3200, 0)
        assert [flag.code for flag in log.state.flags] == ["no_winning_hand"]
    else:
        check(events, start)
    written = to_tenhou(entries_of(events))["log"]
    given = json.loads(text)["log"]
    assert [hand[:16] for hand in written] == [hand[:16] for hand in given]


def test_a_double_ron_pays_both(shared_dir: Path, start: State) -> None:
    text = (shared_dir / "rules/oracles/tenhou6/double_ron.json").read_text("utf-8")
    events = from_tenhou(text, start)
    assert [e.actor for e in events if isinstance(e, ev.Win)] == [0, 2]
    deltas = [e.deltas for e in events if isinstance(e, ev.Settle)]
    assert deltas == [(13000, 0, 0, -12000), (0, 0, 2000, -2000)]


@pytest.mark.parametrize("seed", range(8))
def test_simulated_games_pass_through_both_forms(start: State, seed: int) -> None:
    # A false win has no place in these forms.
    honest = Luck(false_win=0.0)
    line = entries_of(play_match(load_profile("riichi"), seed, 2, honest))
    objects = list(to_mjai(line))
    again = from_mjai(map(json.dumps, objects), start)
    assert list(to_mjai(entries_of(again))) == objects
    tenhou = to_tenhou(line)
    back = from_tenhou(json.dumps(tenhou), start)
    assert to_tenhou(entries_of(back), tenhou["rule"])["log"] == tenhou["log"]


def double_win(settlements: list[ev.Deltas], closed: bool) -> list[ev.Entry]:
    """A log's hand with two winners on one discard, and these payments."""
    profile = load_profile("riichi")
    events: list[ev.Event] = []
    for event in play_match(profile, 3, 1):
        events.append(event)
        if isinstance(event, ev.Discard) and len(events) > 12:
            break
    last = events[-1]
    assert isinstance(last, ev.Discard)
    for seat in (step % 4 for step in (last.actor + 1, last.actor + 2)):
        events.append(ev.Win(seat, last.actor, last.pai, "discard"))
    events += [ev.Settle(deltas) for deltas in settlements]
    events += [ev.Rotate(0, 0, 1)] if closed else []
    return entries_of(events)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(
    ("settlements", "paid"),
    [
        ([], [None, None]),
        ([(5, -9, 4, 0)], [[5, -9, 4, 0], [0, 0, 0, 0]]),
        ([(5, -5, 0, 0), (0, -4, 4, 0)], [[5, -5, 0, 0], [0, -4, 4, 0]]),
    ],
)
def test_every_win_is_written_however_the_hand_was_settled_and_closed(
    start: State, settlements: list[ev.Deltas], paid: list[list[int] | None], closed: bool
) -> None:
    line = double_win(settlements, closed)
    objects = list(to_mjai(line))
    ends = [each for each in objects if each["type"] == "hora"]
    assert [end.get("deltas") for end in ends] == paid
    assert objects[-1] == {"type": "end_kyoku"}
    wins = [entry.event.actor for entry in line if isinstance(entry.event, ev.Win)]
    again = from_mjai(map(json.dumps, objects), start)
    assert [event.actor for event in again if isinstance(event, ev.Win)] == wins
    outcome = to_tenhou(line)["log"][0][16]
    assert outcome[1::2] == [deltas or [0, 0, 0, 0] for deltas in paid]
    assert [who[0] for who in outcome[2::2]] == wins


def test_an_unseen_tile_refuses_tenhou(start: State) -> None:
    hidden = tuple((Tile("?"),) * (14 if seat == 0 else 13) for seat in range(4))
    begin = ev.StartHand("riichi", "", "E", 0, (25000,) * 4, hidden, dora_marker=Tile("1m"))
    with pytest.raises(ev.EventError, match="was not seen"):
        to_tenhou(entries_of([begin]))
    assert next(iter(to_mjai(entries_of([begin]))))["tehais"][1] == ["?"] * 13


def test_other_systems_are_refused() -> None:
    line = entries_of(play_match(load_profile("hk-wiki"), 1, 1))
    with pytest.raises(ev.EventError, match="is for riichi"):
        list(to_mjai(line))
    with pytest.raises(ev.EventError, match="is for riichi"):
        to_tenhou(line)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "no log of the form"),
        ('{"log": [[]]}', "no log of the form"),
        ('{"log": []}', "no log of the form"),
        ('{"name": ["A", "B"], "log": [[[0, 0, 0], [1, 1, 1, 1]]]}', '"names" must be four'),
    ],
)
def test_a_bad_tenhou_log_is_named(start: State, text: str, words: str) -> None:
    with pytest.raises(ev.EventError, match=words):
        from_tenhou(text, start)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 1 is not JSON"),
        ('{"type":"fly"}', "no mjai event"),
        ('{"type":"dahai"}', "line 1 is no mjai event"),
        ('{"type":"dahai","actor":0,"pai":"5h"}', 'line 1: unknown suit "h"'),
        ('{"type":"dahai","actor":7,"pai":"5m"}', 'line 1: "actor" must be a seat 0..3'),
        ('{"type":"start_game","names":["A"]}', 'line 1: "names" must be four'),
        ('{"type":"end_game","scores":[1]}', 'line 1: "scores" must be four'),
        ("[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_a_bad_mjai_line_is_named(start: State, line: str, words: str) -> None:
    with pytest.raises(ev.EventError, match=words):
        from_mjai([line], start)


ODD = (
    *(None, True, -1, 0, 3, 7, 60, 1e400, 1.5, 10**30),
    *("", "?", "x", "5mr", "c111213", "r60", "立直"),
    *([], [1], [[]], [None] * 4, ["5m"] * 20, {}, {"type": "hora"}),
)
"""What may stand in a log of another program that was damaged, or made by a program with a mistake."""


def exchanged(value: Any, data: st.DataObject) -> Any:
    """The value with one part, chosen by chance, replaced by something odd or left out."""
    if isinstance(value, (dict, list)) and value and data.draw(st.integers(0, 9)):
        key = data.draw(
            st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value)))
        )
        copy = dict(value) if isinstance(value, dict) else list(value)
        if data.draw(st.integers(0, 9)):
            copy[key] = exchanged(value[key], data)
        else:
            del copy[key]
        return copy
    return data.draw(st.sampled_from(ODD))


def simulated() -> list[ev.Entry]:
    """A game of one round, without what these forms have no word for."""
    return entries_of(play_match(load_profile("riichi"), 1, 1, Luck(false_win=0.0)))


def is_read_or_refused(events: list[ev.Event], start: State) -> None:
    """What was read can be kept, shown and folded like any other log."""
    for entry in entries_of(events):
        assert read_entry(write_entry(entry)) == entry
    TableLog(start, entries_of(events))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_mjai_log_is_read_or_refused_in_a_sentence(data: st.DataObject) -> None:
    start = start_state(load_profile("riichi"))
    objects = list(to_mjai(simulated()))
    at = data.draw(st.integers(0, len(objects) - 1))
    objects[at] = exchanged(objects[at], data)
    try:
        events = from_mjai(map(json.dumps, objects), start)
    except GorrionError as error:
        assert translate(error.text, "es") and "unhashable" not in str(error)
    else:
        is_read_or_refused(events, start)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_tenhou_log_is_read_or_refused_in_a_sentence(data: st.DataObject) -> None:
    start = start_state(load_profile("riichi"))
    value = exchanged(to_tenhou(simulated()), data)
    try:
        events = from_tenhou(json.dumps(value), start)
    except GorrionError as error:
        assert translate(error.text, "es") and "unhashable" not in str(error)
    else:
        is_read_or_refused(events, start)

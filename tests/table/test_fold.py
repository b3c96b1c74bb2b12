"""Folding games: legal, conserved, and the same however it is computed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests_table_games import PROFILES, game

from companion.rules import load_profile
from companion.simulator.play import start_state
from companion.table import events as ev
from companion.table.events import Entry
from companion.table.fold import apply, fold
from companion.table.log import TableLog, effective, entries_of
from companion.tiles import UNKNOWN, Tile


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(6))
def test_simulated_games_are_legal_and_lose_no_tile(profile: str, seed: int) -> None:
    state = start_state(load_profile(profile))
    total = 0
    for entry in game(profile, seed, 2):
        state = apply(state, entry.event, entry.ref)
        if isinstance(entry.event, ev.StartGame):
            total = sum(state.scores)
        else:
            assert state.tiles_on_table == state.flow.tiles.total or state.phase == "before"
        assert {flag.code for flag in state.flags} <= {"false_win"}
        assert sum(state.scores) + 1000 * state.sticks == total


@given(seed=st.integers(0, 5), data=st.data())
@settings(max_examples=30, deadline=None)
def test_incremental_state_equals_a_refold_under_any_corrections(
    seed: int, data: st.DataObject
) -> None:
    entries = list(game("hk-old-style", seed))[:60]
    start = start_state(load_profile("hk-old-style"))
    log = TableLog(start, entries)
    for _ in range(data.draw(st.integers(1, 6))):
        refs = [entry.ref for entry in log.line]
        refs += [str(e.seq) for e in log.entries if isinstance(e.event, ev.Correction)]
        how = data.draw(st.sampled_from(["replace", "before", "after"]))
        brought = data.draw(
            st.lists(st.sampled_from([entry.event for entry in entries]), max_size=2)
        )
        correction = ev.Correction(data.draw(st.sampled_from(refs)), how, tuple(brought))
        log.append(Entry(log.next_seq, correction))
        assert log.state == fold(start, effective(log.entries))
        assert TableLog(start, log.entries).state == log.state


@given(order=st.permutations(range(5)))
@settings(max_examples=20, deadline=None)
def test_everything_can_be_taken_back_in_any_order(order: list[int]) -> None:
    entries = list(game("hk-wiki", 1))[:12]
    start = start_state(load_profile("hk-wiki"))
    log = TableLog(start, entries)
    before = log.state
    taken = [entries[-1 - place].ref for place in order]
    for ref in taken:
        log.append(Entry(log.next_seq, log.undo(ref)))
    assert [e.ref for e in log.line] == [e.ref for e in entries if e.ref not in taken]
    for entry in [e for e in log.entries if isinstance(e.event, ev.Correction)]:
        log.append(Entry(log.next_seq, log.undo(entry.ref)))
    assert log.state == before


def test_a_corrected_log_equals_one_written_right_from_the_start() -> None:
    right = [entry.event for entry in game("hk-old-style", 3)]
    at = next(at for at, event in enumerate(right) if isinstance(event, ev.Discard)) + 8
    while not isinstance(right[at], ev.Discard):
        at += 1
    wrong = list(right)
    wrong[at] = replace(right[at], pai=Tile("9s"), tsumogiri=None)
    start = start_state(load_profile("hk-old-style"))
    log = TableLog(start, entries_of(wrong))
    assert log.state_after(str(at + 1)) != fold(start, entries_of(right[: at + 1]))
    log.append(Entry(log.next_seq, ev.Correction(str(at + 1), events=(right[at],))))
    state = fold(start, entries_of(right))
    assert replace(log.state, flags=()) == replace(state, flags=())


def test_what_no_longer_fits_is_flagged_and_not_dropped() -> None:
    entries = [e for e in game("hk-old-style", 3) if not isinstance(e.event, ev.Rotate)]
    start = start_state(load_profile("hk-old-style"))
    log = TableLog(start, entries[:20])
    draw = next(e for e in entries if isinstance(e.event, ev.Draw))
    log.append(Entry(log.next_seq, log.undo(draw.ref)))
    assert log.state.flags
    assert len(log.line) == 19


def test_an_unseen_tile_may_be_any_tile() -> None:
    start = start_state(load_profile("hk-old-style"))
    hidden = tuple((UNKNOWN,) * (14 if seat == 0 else 13) for seat in range(4))
    begin = ev.StartHand("hk-old-style", "", "E", 0, (0, 0, 0, 0), hidden)
    state = fold(start, entries_of([begin, ev.Discard(0, Tile("5m"))]))
    assert not state.flags
    assert state.chairs[0].concealed == (UNKNOWN,) * 13


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (ev.Draw(1, Tile("1m")), "no_draw_due"),
        (ev.Discard(2, Tile("1m")), "not_his_turn"),
        (ev.Chow(2, 0, Tile("1m"), (Tile("2m"), Tile("3m"))), "nothing_to_claim"),
        (ev.ConcealedKong(0, (Tile("1m"),) * 3), "not_a_meld"),
        (ev.AddedKong(0, Tile("1m"), (Tile("1m"),) * 3), "no_pung"),
        (ev.Flower(0, Tile("1m")), "not_a_bonus_tile"),
        (ev.ReplacementDraw(0, Tile("1m"), "kong"), "no_replacement_due"),
        (ev.Win(1, 0, Tile("1m"), "discard"), "nothing_to_win_on"),
        (ev.Settle((1, 0, 0, 0)), "not_zero_sum"),
        (ev.DrawnHand("exhausted"), "wall_not_empty"),
        (ev.DrawnHand("four-winds"), "unknown_abort"),
    ],
)
def test_the_referee_says_what_is_wrong(event: ev.Event, code: str) -> None:
    start = start_state(load_profile("hk-old-style"))
    hidden = tuple((UNKNOWN,) * (14 if seat == 0 else 13) for seat in range(4))
    begin = ev.StartHand("hk-old-style", "", "E", 0, (0, 0, 0, 0), hidden)
    state = apply(apply(start, begin), event, "7")
    assert (code, "7") in {(flag.code, flag.ref) for flag in state.flags}


def test_a_fifth_copy_is_flagged() -> None:
    start = start_state(load_profile("hk-old-style"))
    hands = ((Tile("1m"),) * 4 + (UNKNOWN,) * 10, *(((UNKNOWN,) * 13,) * 3))
    begin = ev.StartHand("hk-old-style", "", "E", 0, (0, 0, 0, 0), hands)
    events = [begin, ev.Discard(0, Tile("2m")), ev.Draw(1, Tile("1m"))]
    assert "too_many_copies" in {f.code for f in fold(start, entries_of(events)).flags}


def test_a_late_pung_returns_the_drawn_tile() -> None:
    start = start_state(load_profile("hk-wiki"))
    hidden = tuple((UNKNOWN,) * (14 if seat == 0 else 13) for seat in range(4))
    begin = ev.StartHand("hk-wiki", "", "E", 0, (0, 0, 0, 0), hidden)
    events = [
        begin,
        ev.Discard(0, Tile("5m")),
        ev.Draw(1, Tile("9s")),
        ev.Pung(2, 0, Tile("5m"), (Tile("5m"), Tile("5m"))),
    ]
    state = fold(start, entries_of(events))
    assert not state.flags
    assert state.wall.live == 144 - 14 - 53
    assert state.tiles_on_table == 144
    assert state.turn == 2

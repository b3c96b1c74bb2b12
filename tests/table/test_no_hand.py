"""Wins whose known tiles form no hand: flagged in one sentence, and folded all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main
from companion.notation import parse_tiles
from companion.rules import load_profile
from companion.simulator.play import start_state
from companion.table import events as ev
from companion.table.fold import fold
from companion.table.log import entries_of
from companion.table.state import State
from companion.table.wire import write_entry
from companion.tiles import UNKNOWN, Tile

UNSEEN = (UNKNOWN,) * 13
WAITS_369 = "45678p123s789s11z"
FAR = "4567p123s789s112z"


def begin(own: str = "", rules: str = "riichi") -> ev.StartHand:
    """A hand of which seat 1 may be known; East is seat 0."""
    dealt = ((*UNSEEN, UNKNOWN), parse_tiles(own) if own else UNSEEN, UNSEEN, UNSEEN)
    return ev.StartHand(rules, "", "E", 0, (25000,) * 4, dealt)


def played(first: ev.StartHand, *moves: ev.Event) -> State:
    start = start_state(load_profile(first.profile))
    return fold(start, entries_of([first, *moves]))


def claimed(code: str, hand: str = "", **how: bool) -> list[ev.Event]:
    tile = Tile(code)
    shown = parse_tiles(hand)
    return [ev.Discard(0, tile), ev.Win(1, 0, tile, "discard", hand=shown, **how)]


def codes(state: State) -> list[str]:
    return [flag.code for flag in state.flags]


@pytest.mark.parametrize(
    ("own", "win", "shown", "flagged"),
    [
        (WAITS_369, "3p", "", False),
        (WAITS_369, "2p", "", True),
        (FAR, "2z", "", True),
        ("", "2p", "", False),  # nobody saw the hand: it may be any
        ("", "2p", f"{WAITS_369}2p", True),
        ("", "3p", f"{WAITS_369}3p", False),
        ("", "3p", WAITS_369, True),  # a tile is missing
        ("1199m2288p3377s5z", "5z", "", False),  # seven pairs
        ("19m19p19s1234567z", "1m", "", False),  # thirteen orphans
    ],
)
def test_known_tiles_that_form_no_hand_are_flagged(
    own: str, win: str, shown: str, flagged: bool
) -> None:
    state = played(begin(own), *claimed(win, shown))
    assert codes(state) == (["no_winning_hand"] if flagged else [])
    assert state.phase == "won" and state.winners == (1,)


def test_what_finishes_a_hand_is_the_rules_to_say() -> None:
    """Honours and knitted tiles finish a hand under competition rules alone."""
    knitted = ("147m258p369s1234z", "5z")
    for rules, flagged in (("mcr", False), ("hk-old-style", True)):
        state = played(begin(knitted[0], rules), *claimed(knitted[1]))
        assert ("no_winning_hand" in codes(state)) is flagged


def test_a_self_draw_and_laid_sets_count_too() -> None:
    pung = (ev.Discard(0, Tile("5z")), ev.Pung(1, 0, Tile("5z"), (Tile("5z"),) * 2))
    between: list[ev.Event] = [ev.Discard(1, Tile("1m"))]
    for seat in (2, 3, 0):
        between += [ev.Draw(seat, UNKNOWN), ev.Discard(seat, Tile("9s"))]
    for drawn, flagged in (("6s", False), ("7s", True)):
        won = [ev.Draw(1, Tile(drawn)), ev.Win(1, 1, Tile(drawn), "self-draw")]
        state = played(begin("55z1m123456p45s22z"), *pung, *between, *won)
        assert codes(state) == (["no_winning_hand"] if flagged else [])
    # A tile of the hand that nobody saw may be the one that is missing.
    unseen = [ev.Draw(1, UNKNOWN), ev.Win(1, 1, Tile("7s"), "self-draw")]
    assert codes(played(begin("55z1m123456p45s22z"), *pung, *between, *unseen)) == []


def test_a_false_win_is_told_once() -> None:
    assert codes(played(begin(FAR), *claimed("2z", can_win=False))) == ["false_win"]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "South wins, but the tiles of the hand form no winning hand"),
        ("es", "Sur gana, pero las fichas de su mano no forman ninguna mano ganadora"),
    ],
)
def test_the_log_goes_on_after_it(
    lang: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = [begin(FAR), *claimed("2z"), ev.Settle((-1000, 1000, 0, 0)), ev.Rotate(1, 0, 0)]
    log = tmp_path / "game.jsonl"
    log.write_text("".join(f"{write_entry(entry)}\n" for entry in entries_of(moves)))
    assert main(["replay", str(log), "--lang", lang]) == 1
    told = capsys.readouterr().out
    assert told.count(sentence) == 1
    assert "24000" in told and "26000" in told

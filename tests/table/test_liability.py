"""Who answers for a limit hand that he fed: followed by the table from the events alone."""

from __future__ import annotations

import pytest

from companion.hand import parse_hand
from companion.notation import parse_tiles
from companion.rules import Circumstances, Profile, load_profile, score
from companion.rules.loader import change_profile
from companion.rules.settlement import Fed, liable_for, liable_seat
from companion.simulator.play import start_state
from companion.table import events as ev
from companion.table.fold import fold
from companion.table.log import entries_of
from companion.table.settling import win_settlement
from companion.table.state import State
from companion.tiles import UNKNOWN, Tile

Pay = tuple[int, ...]


def house(rules: str = "hk-old-style", **payment: object) -> Profile:
    """House rules in which whoever fed a limit hand answers for it."""
    changes = {f"payment.{key}": value for key, value in payment.items()}
    return change_profile(load_profile(rules), {"payment.liability": True, **changes})


def played(rules: Profile, own: str, *moves: ev.Event) -> State:
    """A hand of which seat 1 is known; seat 0 is East."""
    unseen = (UNKNOWN,) * 13
    dealt = ((*unseen, UNKNOWN), parse_tiles(own), unseen, unseen)
    begin = ev.StartHand(rules.id, "", "E", 0, (0,) * 4, dealt)
    state = fold(start_state(rules), entries_of([begin, *moves]))
    assert state.flags == ()
    return state


def gives(seat: int, code: str) -> list[ev.Event]:
    """A seat draws unseen and discards."""
    return [ev.Draw(seat, UNKNOWN), ev.Discard(seat, Tile(code))]


def pung(code: str, source: int, discard: str) -> list[ev.Event]:
    return [ev.Pung(1, source, Tile(code), (Tile(code),) * 2), ev.Discard(1, Tile(discard))]


def kong(code: str, source: int, then: str) -> list[ev.Event]:
    return [
        ev.ClaimedKong(1, source, Tile(code), (Tile(code),) * 3),
        ev.ReplacementDraw(1, Tile(then), "kong"),
    ]


def two_dragons() -> list[ev.Event]:
    """White from East, green from West; a 1p and a 9p leave the hand of seat 1."""
    moves = [ev.Discard(0, Tile("5z")), *pung("5z", 0, "1p")]
    return [*moves, *gives(2, "6z"), *pung("6z", 2, "9p")]


def three_dragons(spare: str) -> list[ev.Event]:
    """The same, and red from North: seat 1 discards `spare` and waits."""
    return [*two_dragons(), *gives(2, "1s"), *gives(3, "7z"), *pung("7z", 3, spare)]


def self_drawn(code: str) -> list[ev.Event]:
    drawn = Tile(code)
    between = [*gives(2, "9s"), *gives(3, "9s"), *gives(0, "9s")]
    return [*between, ev.Draw(1, drawn), ev.Win(1, 1, drawn, "self-draw")]


def claimed(code: str, source: int) -> list[ev.Event]:
    between = [each for seat in (2, 3, 0) if seat != source for each in gives(seat, "9s")]
    return [*between, *gives(source, code), ev.Win(1, source, Tile(code), "discard")]


HALF_FLUSH = "556677z22345m1p9p"
"""Ends as three dragons and 22345m: 8 faan, half flush 3, no flowers 1; the limit of 10 is 128 units."""
MIXED = "556677z22m345p1p9p"
"""Ends as three dragons, 22m and 345p: 8 faan and no flowers 1, so 9 on a discard, 96 units."""


@pytest.mark.parametrize(
    ("rules", "deltas"),
    [
        (load_profile("hk-old-style"), (-128, 384, -128, -128)),
        (house(), (0, 384, 0, -384)),
        (house(liable_hands=["big_winds"]), (-128, 384, -128, -128)),
        (load_profile("hk-wiki"), (-128, 384, -128, -128)),  # 64 units, doubled on a self-draw
        (house("hk-wiki"), (0, 384, 0, -384)),
    ],
)
def test_who_fed_the_third_dragon_pays_a_self_draw_for_all(rules: Profile, deltas: Pay) -> None:
    state = played(rules, HALF_FLUSH, *three_dragons("5m"), *self_drawn("5m"))
    assert win_settlement(state, rules).deltas == deltas


@pytest.mark.parametrize(
    ("rules", "deltas"),
    [
        (load_profile("hk-old-style"), (-128, 128, 0, 0)),
        (house(), (0, 128, 0, -128)),
        (load_profile("hk-wiki"), (-128, 256, -64, -64)),  # the discarder double, the others once
        (house("hk-wiki"), (0, 256, 0, -256)),
    ],
)
def test_and_another_players_discard_too(rules: Profile, deltas: Pay) -> None:
    state = played(rules, HALF_FLUSH, *three_dragons("5m"), *claimed("5m", 0))
    assert win_settlement(state, rules).deltas == deltas


def test_a_hand_below_the_limit_is_nobodys_to_answer_for() -> None:
    rules = house()
    little = played(rules, MIXED, *three_dragons("5p"), *claimed("5p", 0))
    assert win_settlement(little, rules).deltas == (-96, 96, 0, 0)
    # Drawn by himself it counts one faan more: the limit.
    drawn = played(rules, MIXED, *three_dragons("5p"), *self_drawn("5p"))
    assert win_settlement(drawn, rules).deltas == (0, 384, 0, -384)


def test_nobody_fed_a_dragon_pung_that_stayed_in_the_hand() -> None:
    rules = house()
    state = played(rules, "5566777z2234m1p9p", *two_dragons(), *self_drawn("5m"))
    assert win_settlement(state, rules).deltas == (-128, 384, -128, -128)


@pytest.mark.parametrize(
    ("grown_last", "deltas"), [(False, (0, 384, 0, -384)), (True, (-128, 384, -128, -128))]
)
def test_the_fourth_kong_is_the_last_that_was_made(grown_last: bool, deltas: Pay) -> None:
    """A pung of 1m lies first; who grows it to the fourth kong himself was fed by nobody."""
    rules = house()
    grown = ev.AddedKong(1, Tile("1m"), (Tile("1m"),) * 3)
    moves = [ev.Discard(0, Tile("1m")), *pung("1m", 0, "9p"), *gives(2, "2m")]
    moves += [*kong("2m", 2, "9s"), ev.Discard(1, Tile("9s")), *gives(2, "3m")]
    moves += kong("3m", 2, "9s" if grown_last else "1m")
    if not grown_last:
        moves += [grown, ev.ReplacementDraw(1, Tile("9s"), "kong")]
    moves += [ev.Discard(1, Tile("9s")), *gives(2, "8s"), *gives(3, "4m")]
    moves += kong("4m", 3, "1m" if grown_last else "5p")
    if grown_last:
        moves += [grown, ev.ReplacementDraw(1, Tile("5p"), "kong")]
    state = played(rules, "11222333444m5p9p", *moves, ev.Win(1, 1, Tile("5p"), "kong-draw"))
    assert win_settlement(state, rules).deltas == deltas


def test_a_riichi_table_follows_the_fourth_kan_likewise() -> None:
    wide = change_profile(load_profile("riichi"), {"riichi.pao": ["suukantsu"]})
    grown = Fed("kong", Tile("1m"), 1, added=True, made=3)
    fed = [Fed("kong", Tile(f"{n}m"), 2, made=n - 2) for n in (2, 3, 4)]
    assert liable_for(wide, "suukantsu", [grown, *fed]) is None
    early = Fed("kong", Tile("1m"), 1, added=True, made=0)
    late = [Fed("kong", Tile(f"{n}m"), n - 1, made=n) for n in (2, 3, 4)]
    assert liable_for(wide, "suukantsu", [early, *late]) == 3


def test_which_hands_are_fed_is_the_tables_choice() -> None:
    """The fourth set of honours is fed where the table says so; a chow of dragons is no pung."""
    honours = [Fed("pung", Tile(f"{n}z"), n % 4) for n in (1, 2, 5, 6)]
    assert liable_for(house(), "all_honours", honours) is None
    wide = house(liable_hands=["all_honours", "all_terminals"])
    assert liable_for(wide, "all_honours", honours) == 2
    assert liable_for(wide, "all_honours", honours[:3]) is None
    ends = [Fed("pung", Tile(code), 3) for code in ("1m", "9m", "1p", "9s")]
    assert liable_for(wide, "all_terminals", ends) == 3
    assert liable_for(wide, "big_dragons", honours) is None
    chow = [*honours[2:], Fed("chow", Tile("5z"), 3)]
    assert liable_for(house(), "big_dragons", chow) is None


def test_a_hand_beside_a_limit_hand_was_fed_all_the_same() -> None:
    """All honours is the limit and big three dragons adds nothing to it; the third dragon was fed."""
    rules = house()
    hand = parse_hand("11z222z [555z] [666z] [777z]", win="1z")
    sheet = score(hand, Circumstances("self-draw", "S"), rules)
    assert [line.pattern for line in sheet.lines] == ["all_honours"]
    laid = [Fed("pung", Tile(f"{n}z"), n - 5) for n in (5, 6, 7)]
    assert liable_seat(sheet, 1, laid) == 2
    assert liable_seat(sheet, 2, laid) is None

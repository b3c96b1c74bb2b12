"""Set points: every row of document 001, and document 003, which borrows them."""

from __future__ import annotations

from typing import Any

import pytest
from counted import count, house, lines

from companion.hand import parse_hand
from companion.rules import load_profile
from companion.rules.loader import change_profile
from companion.rules.points import count_loser
from companion.rules.rows import score_row
from companion.text import GorrionError

RULES = "beginner-points"
DRAWN = "self-draw"

ROWS = {
    "pair": (0, 0),
    "pair_dragon": (0, 2),
    "chow": (0, 0),
    "pung_simple": (2, 4),
    "pung_terminal": (4, 8),
    "pung_wind": (4, 8),
    "pung_dragon": (8, 16),
    "kong_simple": (8, 16),
    "kong_terminal": (16, 32),
    "kong_wind": (16, 32),
    "kong_dragon": (32, 64),
}
"""The list under "Contar los puntos": visible, hidden."""


@pytest.mark.parametrize("rules", ["beginner-points", "spanish-tournament"])
def test_every_row_of_the_points_table_has_its_value(rules: str) -> None:
    profile = load_profile(rules)
    assert {name: tuple(profile[f"points.{name}"]) for name in ROWS} == ROWS
    assert profile["points.mahjong"] == 20
    assert all(profile.leaves[f"points.{name}"].source.term for name in ROWS)


def test_document_003_says_where_its_points_come_from() -> None:
    leaf = load_profile("spanish-tournament").leaves["points.pung_dragon"]
    assert leaf.status == "missing"
    assert leaf.source.document == "001"
    assert "001" in leaf.why["es"]


@pytest.mark.parametrize(
    ("text", "win", "how", "expected"),
    [
        ("222m444p666s88s[111z]", "8s", DRAWN, {"pung_simple": 12, "pung_wind": 4}),
        ("222m444p666s88s[111z]", "6s", "discard", {"pung_simple": 10, "pung_wind": 4}),
        ("(2222m)[4444p](1111s)[9999s]88s", "8s", DRAWN, {"kong_simple": 24, "kong_terminal": 48}),
        ("(1111z)[2222z](5555z)[6666z]88s", "8s", DRAWN, {"kong_wind": 48, "kong_dragon": 96}),
        ("123m456p789s11z[234m]", "1z", DRAWN, {}),
        # a pair of dragons is hidden unless the discarded tile makes it
        ("123m456p789s55z[234m]", "3m", "discard", {"pair_dragon": 2}),
        ("123m456p789s55z[234m]", "5z", DRAWN, {"pair_dragon": 2}),
        ("123m456p789s55z[234m]", "5z", "discard", {}),
        # the discarded 4m can complete the chow and leave the pung hidden
        ("234444m456p88s[789s]", "4m", "discard", {"pung_simple": 4}),
        # three chows or three pungs: the pungs count
        ("222333444m88s[789s]", "8s", DRAWN, {"pung_simple": 12}),
        ("111m[999p]777z[555z]22s", "2s", "discard", {"pung_terminal": 12, "pung_dragon": 24}),
    ],
)
def test_a_finished_hand(text: str, win: str, how: str, expected: dict[str, int]) -> None:
    sheet = count(RULES, text, win, how)
    assert sheet.complete and sheet.can_win
    assert lines(sheet) == expected | {"mahjong": 20}
    assert sheet.values == {"points": sum(expected.values()) + 20}
    assert sheet.payments is None
    assert "does not say who pays whom" in str(sheet.details["payment_note"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("777z", {"pung_dragon": 16}),
        ("123m456p78s55z66z[234m]", {"pair_dragon": 4}),
        ("222m333m444m1123p", {"pung_simple": 12}),
        ("1111z234m556p[888s]", {"pung_wind": 8, "pung_simple": 2}),
        ("147m258p36s(1111z)", {"kong_wind": 32}),
    ],
)
def test_a_hand_that_did_not_win(text: str, expected: dict[str, int]) -> None:
    sheet = count_loser(parse_hand(text), load_profile("spanish-tournament"))
    assert lines(sheet) == expected
    assert sheet.values == {"points": sum(expected.values())}
    assert not sheet.can_win


def test_what_the_table_decides() -> None:
    loser = parse_hand("1111z234m556p[888s]")
    kong = house("spanish-tournament", rules__undeclared_kong="kong")
    assert lines(count_loser(loser, kong)) == {"kong_wind": 32, "pung_simple": 2}
    pairs = house(RULES, rules__forms=["standard", "seven_pairs"])
    sheet = count(pairs, "1133557799m5566z", "6z", DRAWN)
    assert lines(sheet) == {"pair_dragon": 4, "mahjong": 20}
    flowers = house("spanish-tournament", points__bonus_tile=4)
    assert lines(count(flowers, "123m456p789s11z[234m]1f2g", "1z")) == {
        "bonus_tile": 8,
        "mahjong": 20,
    }


def test_unfinished() -> None:
    sheet = count(RULES, "1133557799m1122p", "2p")
    assert not sheet.complete
    assert sheet.values == {"points": None}
    assert str(sheet.why[0]) == "the tiles do not form four sets and a pair"


def test_a_pair_of_dragons_that_a_discard_completes_lies_open_in_seven_pairs_too() -> None:
    profile = change_profile(
        load_profile("beginner-points"), {"rules.forms": ["standard", "seven_pairs"]}
    )
    hand = "1133557799m55z22p"
    assert count(profile, hand, "5z").value == 20
    assert count(profile, hand, "5z", "self-draw").value == 22
    assert count(profile, hand, "1m").value == 22


@pytest.mark.parametrize(
    ("sets", "mahjong", "words"),
    [
        ([("kong", "1111m"), ("pung", "111m")], True, "7 copies of 1m"),
        ([("pung", "111m"), ("pair", "11m")], True, "five copies of 1m"),
        ([("chow", "567z")], True, "three dragons are not a chow"),
        ([("pung", "111m")], "no", '"mahjong" has the wrong form'),
    ],
)
def test_told_sets_are_checked(sets: list[tuple[str, str]], mahjong: Any, words: str) -> None:
    told = [{"type": kind, "tiles": tiles} for kind, tiles in sets]
    row = {"context": {"sets": told, "mahjong": mahjong}}
    with pytest.raises(GorrionError, match=words):
        score_row(row, load_profile("beginner-points"))

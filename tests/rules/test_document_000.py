"""The Hong Kong rules of the encyclopedia: every row of document 000, and how rows add up."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from counted import Lines, because, count, house, lines, missing

from companion.hand import parse_hand
from companion.rules import Circumstances, load_profile, score
from companion.rules.circumstances import CircumstanceError
from companion.rules.loader import change_profile
from companion.rules.payment import pay_faan

RULES = "hk-wiki"
DRAWN: Final = "self-draw"


def rows_of_document(shared_dir: Path) -> list[tuple[int, str]]:
    """The list "1 faan ... 10 faan": each bullet with the heading that it stands under."""
    text = next((shared_dir / "seeds").glob("000_*")).read_text("utf-8")
    part = text.split("Sistema de obtención de los faan")[-1].split(
        "Puntos obtenidos con los faan"
    )[0]
    rows, faan = [], 0
    for line in part.splitlines():
        if heading := re.fullmatch(r"(\d+) faan", line.strip()):
            faan = int(heading.group(1))
        elif line.startswith("• "):
            rows.append((faan, line[2:].strip()))
    return rows


def test_every_row_of_the_faan_list_has_its_value(shared_dir: Path) -> None:
    rows = rows_of_document(shared_dir)
    assert len(rows) == 27
    profile = load_profile(RULES)
    on = [rule for rule in profile.patterns.values() if rule.is_on]
    used = set()
    for faan, text in rows:
        rules = [rule for rule in on if text.startswith(rule.leaf.source.term.rstrip("."))]
        assert rules, f"no pattern quotes {text!r}"
        for rule in rules:
            assert rule.leaf.value == faan, text
            used.add(rule.id)
    # "Con la última ficha de la muralla o su descarte" is one row and two triggers.
    assert used == {rule.id for rule in on}
    assert len(used) == 28


@pytest.mark.parametrize(
    ("text", "win", "how", "now", "expected"),
    [
        ("123p123s23477m[567m]3f", "4m", "discard", {}, {"all_chows": 1}),
        # the pair may be anything here
        ("123p123s234m55z[567m]3f", "4m", "discard", {}, {"all_chows": 1}),
        ("123p123s234m11z[567m]3f", "4m", "discard", {}, {"all_chows": 1}),
        # three dragons are a chow, laid down or not
        ("123p123s22m234m[567z]3f", "4m", "discard", {}, {"all_chows": 1}),
        ("123m456m99m567z[789m]3f", "9m", "discard", {}, {"all_chows": 1, "half_flush": 3}),
        ("556677z123m456p22p3f", "2p", DRAWN, {}, {"all_chows": 1, "self_draw": 1}),
        ("123p123s44m222z[567m]3f", "4m", "discard", {"seat": "S"}, {"seat_wind": 1}),
        (
            "123p123s44m222z[567m]3f",
            "4m",
            "discard",
            {"seat": "S", "round": "S"},
            {"seat_wind": 1, "round_wind": 1},
        ),
        ("111p66p[444m][789s][222m]", "6p", "discard", {}, {"no_flowers": 1}),
        (
            "111p66p[444m][789s][222m]1234f1g",
            "6p",
            "discard",
            {},
            {"own_flower": 2, "flower_set": 2},
        ),
        (
            "111p66p[444m][789s][222m]1234f1234g",
            "6p",
            "discard",
            {},
            {"own_flower": 2, "flower_set": 4},
        ),
        # a concealed hand on a discard is no row of this document
        ("345p678s12399m222m3f", "9m", "discard", {}, {}),
        (
            "345p678s12399m222m3f",
            "9m",
            DRAWN,
            {"last_tile": True},
            {"self_draw": 1, "last_tile": 1},
        ),
        ("345p678s12399m222m3f", "9m", "discard", {"last_discard": True}, {"last_discard": 1}),
        (
            "345p678s12399m(2222p)3f",
            "9m",
            DRAWN,
            {"kong_draw": True},
            {"self_draw": 1, "kong_replacement": 1},
        ),
        # the replacement comes from the dead wall: it can't be the last tile of the wall
        (
            "345p678s12399m(2222p)3f",
            "9m",
            DRAWN,
            {"kong_draw": True, "last_tile": True},
            {"self_draw": 1, "kong_replacement": 1},
        ),
        ("345p678s12399m222m3f", "3m", "discard", {"rob_kong": True}, {"rob_kong": 1}),
        ("22m[444p][666s][888s][111m]3f", "2m", "discard", {}, {"all_pungs": 3}),
        ("123456m[789m][222z]55z3f", "5z", "discard", {}, {"half_flush": 3}),
        ("55z666z[777z]123m[456p]3f", "1m", "discard", {}, {"small_dragons": 4}),
        ("1133557799m1122p3f", "2p", "discard", {}, {"seven_pairs": 4}),
        ("11335555m77m1122p3f", "2p", "discard", {}, {"seven_pairs": 4}),
        # seven pairs of honours are neither "pung/kong y la pareja" nor of one suit
        ("11223344556677z3f", "7z", "discard", {}, {"seven_pairs": 4}),
        ("123456m[789m][222m]55m3f", "5m", "discard", {}, {"full_flush": 6}),
        (
            "222m444p666s888s11z3f",
            "8s",
            DRAWN,
            {"seat": "S", "round": "S"},
            {"hidden_pungs": 10, "all_pungs": 3, "self_draw": 1},
        ),
        # the pair "no entra en esta consideración", a concealed kong "tiene la consideración"
        (
            "222m444p666s(8888s)11z3f",
            "1z",
            "discard",
            {"seat": "S", "round": "S"},
            {"hidden_pungs": 10, "all_pungs": 3},
        ),
        (
            "55m[1111p][2222s][3333z][9999m]3f",
            "5m",
            "discard",
            {},
            {"four_kongs": 10, "all_pungs": 3},
        ),
        ("555z666z[777z]11m[456p]3f", "1m", "discard", {}, {"big_dragons": 10}),
        (
            "44z111z[222z][333z]456m3f",
            "4m",
            "discard",
            {"seat": "S"},
            {"small_winds": 10, "half_flush": 3, "seat_wind": 1, "round_wind": 1},
        ),
        (
            "11z555z[666z][777z][222z]3f",
            "1z",
            "discard",
            {"seat": "S", "round": "W"},
            {"all_honours": 10, "all_pungs": 3, "big_dragons": 10, "seat_wind": 1},
        ),
        (
            "11m999m[111p][999p][111s]3f",
            "1m",
            "discard",
            {},
            {"all_terminals": 10, "all_pungs": 3},
        ),
        (
            "222s33s[444s][888s][666z]3f",
            "3s",
            "discard",
            {},
            {"jade_dragon": 10, "all_pungs": 3, "half_flush": 3},
        ),
        (
            "222m33m[444m][888m][777z]3f",
            "3m",
            "discard",
            {},
            {"ruby_dragon": 10, "all_pungs": 3, "half_flush": 3},
        ),
        (
            "222p33p[444p][888p][5555z]3f",
            "3p",
            "discard",
            {},
            {"pearl_dragon": 10, "all_pungs": 3, "half_flush": 3},
        ),
        # the red dragon belongs to the characters
        ("222s33s[444s][888s][777z]3f", "3s", "discard", {}, {"all_pungs": 3, "half_flush": 3}),
        # a chow is no "pung/kong de Bambúes"
        ("234s33s[444s][888s][666z]3f", "2s", "discard", {}, {"half_flush": 3}),
        (
            "345p678s12399m222m3f",
            "9m",
            DRAWN,
            {"first_turn": True, "seat": "N"},
            {"quick_hand": 10, "self_draw": 1},
        ),
        ("345p678s12399m222m3f", "9m", "discard", {"first_turn": True, "seat": "N"}, {}),
        # nobody discards before the first turn of East
        (
            "345p678s123m99m[222m]3f",
            "9m",
            DRAWN,
            {"first_turn": True, "seat": "E"},
            {"self_draw": 1},
        ),
        ("11123456789995m3f", "5m", "discard", {}, {"nine_gates": 10, "full_flush": 6}),
        ("11123456789995m3f", "1m", "discard", {}, {"full_flush": 6}),
        ("19m19p19s12345677z3f", "7z", DRAWN, {}, {"thirteen_orphans": 10, "self_draw": 1}),
        # the two gaps of the list: a dragon pung and four pungs of winds are no row
        ("789m22p234s[777z][123p]3f", "4s", "discard", {}, {}),
    ],
)
def test_everything_adds_up(
    text: str, win: str, how: str, now: dict[str, Any], expected: Lines
) -> None:
    sheet = count(RULES, text, win, how, **now)
    assert sheet.complete and sheet.can_win
    assert lines(sheet) == expected
    assert sheet.details["uncapped"] == sum(expected.values())
    assert sheet.values["faan"] == min(10, sum(expected.values()))
    assert sheet.payments is not None


@pytest.mark.parametrize(
    ("changes", "text", "win", "expected"),
    [
        ({"patterns__dragon_pung": 1}, "789m22p234s[777z][123p]3f", "4s", {"dragon_pung": 1}),
        (
            {"patterns__big_winds": 10},
            "22m[111z][222z][333z][444z]3f",
            "2m",
            {"big_winds": 10, "all_pungs": 3, "half_flush": 3, "seat_wind": 1, "round_wind": 1},
        ),
        (
            {"rules__dragon_hand_pair": "any"},
            "222s33z[444s][888s][666z]3f",
            "3z",
            {"jade_dragon": 10, "all_pungs": 3, "half_flush": 3},
        ),
        ({}, "222s33z[444s][888s][666z]3f", "3z", {"all_pungs": 3, "half_flush": 3}),
    ],
)
def test_what_the_table_decides(
    changes: dict[str, Any], text: str, win: str, expected: Lines
) -> None:
    assert lines(count(house(RULES, **changes), text, win)) == expected


@pytest.mark.parametrize(
    ("changes", "text", "win", "reason"),
    [
        ({"rules__dragon_chow": False}, "567z123m456p789s22p", "2p", "dragons are not a chow"),
        ({"rules__seven_pairs_quad": False}, "11335555m77m1122p", "2p", "not two pairs (5m)"),
        ({"rules__max_chows": 1}, "123p123s234m55z[567m]", "4m", "at most 1 chows"),
        ({"rules__max_chows": 1}, "111p66p[444m][789s][222m]", "6p", None),
        ({"rules__quad_may_split": False}, "1111m23m456p789s22z", "2z", "declared as a kong"),
        ({}, "1111m23m456p789s22z", "2z", None),
    ],
)
def test_what_is_a_hand(changes: dict[str, Any], text: str, win: str, reason: str | None) -> None:
    sheet = count(house(RULES, **changes), text, win)
    assert sheet.complete == (reason is None)
    if reason is not None:
        assert reason in str(sheet.why[0])


def test_the_last_discard_can_be_ruled_out() -> None:
    sheet = count(
        house(RULES, rules__last_discard_claim="none"),
        "345p678s12399m222m3f",
        "9m",
        last_discard=True,
    )
    assert lines(sheet) == {}
    assert "can't be claimed" in because(sheet)["last_discard"]


def test_near_misses_name_only_rows_of_the_document() -> None:
    sheet = count(RULES, "789m55z234s[777z][123p]3f", "4s")
    assert "dragon_pung" not in missing(sheet)
    impure = count(RULES, "11123456789995m3f", "1m")
    assert "was not 1112345678999" in because(impure)["nine_gates"]


def test_the_three_cases_of_the_text() -> None:
    """ "Pongamos algunos ejemplos": West drawing, West from North, East from North; 5 faan, 16 points."""
    profile = load_profile(RULES)
    first = pay_faan(profile, 5, Circumstances(DRAWN, "W"))
    assert first.net == {"E": -32, "S": -32, "W": 96, "N": -32}
    second = pay_faan(profile, 5, Circumstances(seat="W", discarder="N"))
    assert second.net == {"E": -16, "S": -16, "W": 64, "N": -32}
    third = pay_faan(profile, 5, Circumstances(seat="E", discarder="N"))
    assert third.net == {"E": 64, "S": -16, "W": -16, "N": -32}


def test_the_prose_pays_east_fourfold() -> None:
    """The variant of the prose: East pays and receives double, so her discarder pays fourfold."""
    profile = house(RULES, payment__east_multiplier=2)
    won = pay_faan(profile, 5, Circumstances(seat="E", discarder="N"))
    assert won.net == {"E": 128, "S": -32, "W": -32, "N": -64}
    lost = pay_faan(profile, 5, Circumstances(seat="W", discarder="E"))
    assert lost.net == {"E": -64, "S": -16, "W": 96, "N": -16}
    unknown = pay_faan(profile, 5, Circumstances(seat="W"))
    assert unknown.total is None and unknown.note is not None


def test_without_the_double_of_the_discarder() -> None:
    profile = house(RULES, payment__discarder_share=1)
    paid = pay_faan(profile, 3, Circumstances(seat="W", discarder="N"))
    assert paid.net == {"E": -8, "S": -8, "W": 24, "N": -8}


def test_flowers_count_nothing_where_the_table_plays_without_them() -> None:
    rules = change_profile(load_profile("hk-wiki"), {"rules.bonus_tiles": False}, "house")
    hand = parse_hand("111m456p999s333m99p 1f2f3f4f", win="4p")
    sheet = score(hand, Circumstances(seat="W"), rules)
    assert sheet.values == {"faan": 0}
    assert [gone.pattern for gone in sheet.excluded] == ["own_flower"]


def test_the_last_tile_does_not_come_in_the_first_go_around() -> None:
    with pytest.raises(CircumstanceError, match="does not come in the first go-around"):
        Circumstances("self-draw", first_turn=True, last_tile=True)
    with pytest.raises(CircumstanceError, match="does not come in the first go-around"):
        Circumstances(first_turn=True, last_discard=True)

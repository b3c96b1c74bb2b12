"""Hong Kong old style: each line of document 002, and what happens where two of them meet.

Hands carry a foreign bonus tile (3f for East and South) where 無花 would only be in the way.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from counted import Lines, because, count, house, lines, missing

from companion.rules import HandError, load_profile

RULES = "hk-old-style"
DRAWN = "self-draw"


def test_every_row_of_the_faan_list_has_its_value(shared_dir: Path) -> None:
    """The rows "對對糊3 faan" and "大四喜Límite" of the document itself."""
    text = next((shared_dir / "seeds").glob("002_*")).read_text("utf-8")
    rows = re.findall(r"^\s*([一-鿿]+)(?:(\d+) faan|(Límite))", text, re.MULTILINE)
    listed = {zh: "limit" if limit else int(value) for zh, value, limit in rows}
    # The rows of the flowers carry no Chinese name in the list; the text names two of them.
    listed |= {"正花": 1, "一台花": 3, "無花": 1}
    profile = load_profile(RULES)
    ours = {rule.names.zh: rule.leaf.value for rule in profile.patterns.values()}
    assert ours == listed
    assert len(listed) == 32


@pytest.mark.parametrize(
    ("text", "win", "how", "now", "expected"),
    [
        # -- the form of the hand
        ("111p66p[444m][789s][222m]3f", "6p", "discard", {}, {}),
        ("123p123s23477m[567m]3f", "4m", "discard", {}, {"all_chows": 1}),
        ("123p123s23477m567m3f", "4m", "discard", {}, {"all_chows": 1, "concealed_discard": 1}),
        ("123p123s23477m567m3f", "4m", DRAWN, {}, {"all_chows": 1, "self_draw": 1}),
        ("22m[444p][666s][888s][111m]3f", "2m", "discard", {}, {"all_pungs": 3}),
        ("22m[4444p](6666s)[888s][111m]3f", "2m", "discard", {}, {"all_pungs": 3}),
        # hidden pungs: the tile of a pung by discard spoils them, the tile of the pair does not
        ("222m444p666s888s11z3f", "8s", DRAWN, {}, {"hidden_pungs": 8, "self_draw": 1}),
        ("222m444p666s888s44z3f", "4z", "discard", {}, {"hidden_pungs": 8}),
        (
            "222m444p666s888s44z3f",
            "8s",
            "discard",
            {},
            {"all_pungs": 3, "concealed_discard": 1},
        ),
        ("(2222m)444p666s888s44z3f", "4z", "discard", {}, {"hidden_pungs": 8}),
        ("[2222m]444p666s888s44z3f", "4z", DRAWN, {}, {"all_pungs": 3, "self_draw": 1}),
        (
            "(2222m)(4444p)(6666s)888s44z3f",
            "8s",
            DRAWN,
            {},
            {"hidden_pungs": 8, "self_draw": 1},
        ),
        # the pair may be of dragons or winds here
        ("(2222m)444p666s888s55z3f", "5z", DRAWN, {}, {"hidden_pungs": 8, "self_draw": 1}),
        ("111m999p11z[111p][999s]3f", "1z", "discard", {}, {"mixed_terminals": 4}),
        (
            "111m999p111z[111p]99s3f",
            "1m",
            "discard",
            {},
            {"mixed_terminals": 4, "seat_wind": 1, "round_wind": 1},
        ),
        # both axes: which tiles, and none by discard
        (
            "111m999p44z111p999s3f",
            "4z",
            "discard",
            {},
            {"hidden_pungs": 8, "mixed_terminals": 4},
        ),
        ("1133557799m1122p3f", "2p", "discard", {}, {"seven_pairs": 4}),
        ("1133557799m1122p3f", "2p", DRAWN, {}, {"seven_pairs": 4, "self_draw": 1}),
        ("11335577m112233z3f", "1z", "discard", {}, {"seven_pairs": 4, "half_flush": 3}),
        # seven pairs beat two equal rows of chows: 4 + 7 against 1 + 7 + 1
        ("11223344556677m3f", "1m", "discard", {}, {"seven_pairs": 4, "full_flush": 7}),
        ("123456m789m[222z]55z3f", "5z", "discard", {"seat": "N"}, {"half_flush": 3}),
        ("123456m[789m][222m]55m3f", "5m", "discard", {}, {"full_flush": 7}),
        ("123456m[789m][345m]55m3f", "5m", "discard", {}, {"full_flush": 7, "all_chows": 1}),
        # -- sets of honours
        ("123m456p99s[555z][777z]3f", "9s", "discard", {}, {"dragon_pung": 2}),
        ("123m456p99s[5555z](7777z)3f", "9s", "discard", {}, {"dragon_pung": 2}),
        ("123p456s99m111z[567m]3f", "9m", "discard", {}, {"seat_wind": 1, "round_wind": 1}),
        ("123p456s99m222z[567m]3f", "9m", "discard", {"seat": "S"}, {"seat_wind": 1}),
        ("123p456s99m111z[567m]3f", "9m", "discard", {"seat": "S"}, {"round_wind": 1}),
        ("123p456s99m333z[567m]3f", "9m", "discard", {"seat": "S"}, {}),
        ("55z666z[777z]123m[456p]3f", "1m", "discard", {}, {"small_dragons": 5}),
        (
            "55z666z[777z]123m[456m]3f",
            "1m",
            "discard",
            {},
            {"small_dragons": 5, "half_flush": 3},
        ),
        ("555z666z[777z]11m[456p]3f", "1m", "discard", {}, {"big_dragons": 8}),
        (
            "44z111z[222z][333z]456m3f",
            "4m",
            "discard",
            {"seat": "S"},
            {"small_winds": 6, "half_flush": 3},
        ),
        # -- how the winning tile came
        (
            "(2222m)345p678s123s99p3f",
            "9p",
            DRAWN,
            {"kong_draw": True},
            {"self_draw": 1, "kong_replacement": 1},
        ),
        ("(2222m)345p678s123s99p3f", "9p", "discard", {}, {"concealed_discard": 1}),
        ("[2222m]345p678s123s99p3f", "9p", "discard", {}, {}),
        ("345p678s12399m222m3f", "9m", "discard", {}, {"concealed_discard": 1}),
        (
            "345p678s123m99m[222m]3f",
            "3m",
            "discard",
            {"rob_kong": True},
            {"rob_kong": 1},
        ),
        (
            "345p678s123m99m[222m]3f",
            "9m",
            DRAWN,
            {"last_tile": True},
            {"self_draw": 1, "last_tile": 1},
        ),
        (
            "345p678s123m99m(2222p)3f",
            "9m",
            DRAWN,
            {"last_tile": True, "kong_draw": True},
            {"self_draw": 1, "last_tile": 1, "kong_replacement": 1},
        ),
        (
            "345p678s123m99m[222m]3f",
            "9m",
            "discard",
            {"last_discard": True},
            {"last_discard": 1},
        ),
        # -- flowers: those of the seat one by one, full sets for anybody, none at all
        ("111p66p[444m][789s][222m]", "6p", "discard", {}, {"no_flowers": 1}),
        ("111p66p[444m][789s][222m]1f1g", "6p", "discard", {}, {"own_flower": 2}),
        ("111p66p[444m][789s][222m]1f2g", "6p", "discard", {"seat": "S"}, {"own_flower": 1}),
        (
            "111p66p[444m][789s][222m]1234g",
            "6p",
            "discard",
            {"seat": "W"},
            {"own_flower": 1, "flower_set": 3},
        ),
        (
            "111p66p[444m][789s][222m]1234f1234g",
            "6p",
            "discard",
            {"seat": "N"},
            {"own_flower": 2, "flower_set": 6},
        ),
    ],
)
def test_additive_patterns(
    text: str, win: str, how: str, now: dict[str, Any], expected: Lines
) -> None:
    sheet = count(RULES, text, win, how, **now)
    assert sheet.complete
    assert lines(sheet) == expected
    total = sum(expected.values())
    assert sheet.values["faan"] == min(total, 10)
    assert sheet.details["uncapped"] == total
    assert sheet.limit == (total >= 10)
    assert sheet.can_win == (total >= 3)
    assert (sheet.payments is not None) == sheet.can_win


@pytest.mark.parametrize(
    ("text", "win", "how", "now", "expected"),
    [
        ("22m[111z][222z][333z][444z]", "2m", "discard", {}, {"big_winds"}),
        ("55z111z[222z][333z][444z]", "5z", "discard", {}, {"big_winds", "all_honours"}),
        ("11z555z[666z][777z][222z]", "1z", "discard", {}, {"all_honours"}),
        ("11223344556677z", "7z", "discard", {}, {"all_honours"}),
        ("11m999m[111p][999p][111s]", "1m", "discard", {}, {"all_terminals"}),
        ("19m19p19s12345677z", "7z", "discard", {}, {"thirteen_orphans"}),
        ("19m19p19s12345677z", "1m", DRAWN, {}, {"thirteen_orphans"}),
        ("19m19p19s12345677z", "1m", "discard", {"rob_kong": True}, {"thirteen_orphans"}),
        ("11123456789995m", "5m", "discard", {}, {"nine_gates"}),
        ("11123456789995m", "2m", DRAWN, {}, {"nine_gates"}),
        ("66z[1111p](2222s)[3333m][4444z]", "6z", "discard", {}, {"four_kongs"}),
        ("66z(1111p)(2222s)(3333m)(4444z)", "6z", DRAWN, {"kong_draw": True}, {"four_kongs"}),
        ("123456789m11p234s", "4s", DRAWN, {"first_turn": True}, {"dealt_hand"}),
        ("123456789m11p234s2f", "4s", DRAWN, {"first_turn": True}, {"dealt_hand"}),
        (
            "123456789m11p234s",
            "4s",
            "discard",
            {"first_turn": True, "seat": "W"},
            {"dealer_first_discard"},
        ),
        (
            "123456789m11p234s",
            "4s",
            "discard",
            {"first_turn": True, "seat": "W", "discarder": "E"},
            {"dealer_first_discard"},
        ),
        (
            "123456789m11p234s",
            "4s",
            DRAWN,
            {"first_turn": True, "seat": "N"},
            {"own_first_draw"},
        ),
        (
            "19m19p19s12345677z",
            "7z",
            DRAWN,
            {"first_turn": True, "seat": "E"},
            {"thirteen_orphans", "dealt_hand"},
        ),
    ],
)
@pytest.mark.parametrize("bonus", ["", "1234f1g"])
def test_limit_hands_add_nothing(
    text: str, win: str, how: str, now: dict[str, Any], expected: set[str], bonus: str
) -> None:
    if "2f" in text and bonus:
        text = text.replace("2f", "")
    sheet = count(RULES, text + bonus, win, how, **now)
    assert set(lines(sheet)) == expected
    assert {line.value for line in sheet.lines} == {10}
    assert sheet.values["faan"] == 10
    assert sheet.limit
    assert sheet.payments is not None
    assert sheet.payments.base == 128
    if bonus:
        assert because(sheet)["flower_set"].startswith("a limit hand pays the limit")


@pytest.mark.parametrize(
    ("text", "win", "how", "now", "pattern", "reason"),
    [
        ("222m444p666s888s44z3f", "4z", "discard", {}, "all_pungs", "坎坎糊"),
        ("222m444p666s888s44z3f", "4z", "discard", {}, "concealed_discard", "坎坎糊"),
        ("222m444p666s888s44z3f", "8s", "discard", {}, "hidden_pungs", "the pung of 8 of bamboos"),
        ("111m999p11z[111p][999s]3f", "1z", "discard", {}, "all_pungs", "混么九"),
        ("1133557799m1122p3f", "2p", "discard", {}, "concealed_discard", "嚦咕嚦咕"),
        ("55z666z[777z]123m[456p]3f", "1m", "discard", {}, "dragon_pung", "小三元"),
        ("44z111z[222z][333z]456m3f", "4m", "discard", {"seat": "S"}, "seat_wind", "小四喜"),
        ("44z111z[222z][333z]456m3f", "4m", "discard", {"seat": "S"}, "round_wind", "小四喜"),
        ("123p123s234m77z[567m]3f", "4m", "discard", {}, "all_chows", "the pair is of dragons"),
        (
            "123p123s234m22z[567m]3f",
            "4m",
            "discard",
            {"seat": "S"},
            "all_chows",
            "the pair is of the own wind",
        ),
        ("123p123s23477m567m3f", "4m", DRAWN, {}, "concealed_discard", "it counts for a win on a"),
        (
            "345p678s123m99m[222m]3f",
            "9m",
            DRAWN,
            {"kong_draw": True},
            "kong_replacement",
            "no kong",
        ),
        (
            "345p678s123m99m[222m]3f",
            "3m",
            "discard",
            {"rob_kong": True, "last_discard": True},
            "last_discard",
            "a tile robbed from a kong is not a discard",
        ),
        (
            "(2222m)345p678s123s99p",
            "9p",
            DRAWN,
            {"first_turn": True, "kong_draw": True},
            "dealt_hand",
            "not the tiles as they were dealt",
        ),
        (
            "(2222m)345p678s123s99p",
            "9p",
            DRAWN,
            {"first_turn": True, "kong_draw": True, "seat": "S"},
            "own_first_draw",
            "not the first draw",
        ),
        (
            "123456789m11p234s",
            "4s",
            "discard",
            {"first_turn": True, "seat": "W", "discarder": "S"},
            "dealer_first_discard",
            "not a discard of the dealer",
        ),
        (
            "111p66p[444m][789s][222m]3f",
            "6p",
            "discard",
            {},
            "own_flower",
            "none of 3f is number 1",
        ),
    ],
)
def test_excluded_lines_have_their_reason(
    text: str, win: str, how: str, now: dict[str, Any], pattern: str, reason: str
) -> None:
    sheet = count(RULES, text, win, how, **now)
    assert pattern not in lines(sheet)
    told = because(sheet)[pattern] + str(
        [e.because.params for e in sheet.excluded if e.pattern == pattern]
    )
    assert reason in told


@pytest.mark.parametrize(
    ("changes", "text", "win", "how", "now", "expected"),
    [
        (
            {"rules__pinghu_pair_excludes_round_wind": True},
            "123p123s234m11z[567m]3f",
            "4m",
            "discard",
            {"seat": "S"},
            {},
        ),
        (
            {"rules__seven_pairs_includes_concealed": False},
            "1133557799m1122p3f",
            "2p",
            "discard",
            {},
            {"seven_pairs": 4, "concealed_discard": 1},
        ),
        (
            {"rules__mixed_terminals_with_seven_pairs": True},
            "1199m1199p119s9s11z3f",
            "1z",
            "discard",
            {},
            {"seven_pairs": 4, "mixed_terminals": 4},
        ),
        (
            {"rules__flower_set_includes_own": True},
            "111p66p[444m][789s][222m]1234f1g",
            "6p",
            "discard",
            {},
            {"own_flower": 1, "flower_set": 3},
        ),
        (
            {"rules__nine_gates": "pure"},
            "11123456789995m3f",
            "2m",
            "discard",
            {},
            {"full_flush": 7, "concealed_discard": 1},
        ),
        ({"rules__nine_gates": "pure"}, "11123456789995m3f", "5m", DRAWN, {}, {"nine_gates": 10}),
        (
            {"rules__concealed_kong_keeps_concealed": False},
            "(2222m)345p678s123s99p3f",
            "9p",
            "discard",
            {},
            {},
        ),
        ({"rules__bonus_tiles": False}, "111p66p[444m][789s][222m]", "6p", "discard", {}, {}),
        (
            {"rules__seven_pairs_quad": True},
            "11335555m77m1122p3f",
            "2p",
            "discard",
            {},
            {"seven_pairs": 4},
        ),
        (
            {"patterns__own_first_draw": 0},
            "123456789m11p234s3f",
            "4s",
            DRAWN,
            {"first_turn": True, "seat": "S"},
            {"self_draw": 1, "all_chows": 1},
        ),
    ],
)
def test_what_the_table_decides(
    changes: dict[str, Any], text: str, win: str, how: str, now: dict[str, Any], expected: Lines
) -> None:
    assert lines(count(house(RULES, **changes), text, win, how, **now)) == expected


def test_the_best_reading_counts() -> None:
    """222 333 444 as pungs, not 234 three times; the winning tile opens the pung it completes."""
    sheet = count(RULES, "222333444m55p666s3f", "6s")
    assert lines(sheet) == {"all_pungs": 3, "concealed_discard": 1}
    # Drawn, the same pungs are hidden.
    assert lines(count(RULES, "222333444m55p666s3f", "6s", DRAWN)) == {
        "hidden_pungs": 8,
        "self_draw": 1,
    }
    # 111 222 333 are worth more as chows here: 平糊, which one pung would spoil.
    chows = count(RULES, "111222333m567p99s3f", "9s", "discard", seat="W")
    assert lines(chows) == {"all_chows": 1, "concealed_discard": 1, "own_flower": 1}


@pytest.mark.parametrize(
    ("text", "win", "how", "now", "pattern", "missed"),
    [
        ("123456789m[222z]55p3f", "5p", "discard", {}, "half_flush", "one suit short: 5p, 5p"),
        ("123456789m[222p]55z3f", "5z", "discard", {}, "half_flush", "one suit short: 2p, 2p, 2p"),
        ("123456789m[222m]55p3f", "5p", "discard", {}, "full_flush", "one suit short: 5p, 5p"),
        ("123456789m[222z]55m3f", "5m", "discard", {}, "full_flush", "honours in the way: 2z, 2z"),
        ("22m[444p][666s][888s]123m3f", "2m", "discard", {}, "all_pungs", "one set is a chow"),
        ("123p123s23477m[555m]3f", "4m", "discard", {}, "all_chows", "one set is no chow"),
        ("222m444p666s888s44z3f", "8s", DRAWN, {}, None, ""),
        ("222m444p666s44z[888s]3f", "4z", "discard", {}, "hidden_pungs", "with a discard: 8s"),
        ("55z666z[777z]111m[333p]3f", "1m", "discard", {}, "big_dragons", "a third 5z"),
        ("22s666z[777z]111m[333p]3f", "1m", "discard", {}, "small_dragons", "a pair of 5z"),
        ("123m55z[345p][678s][222s]3f", "1m", "discard", {}, "dragon_pung", "a third 5z"),
        ("123m11z[345p][678s][222s]3f", "1m", "discard", {}, "seat_wind", "a third 1z"),
        ("123m55p[345p][678s][222s]123f", "1m", "discard", {}, "flower_set", "only 4f is missing"),
        ("1133557799m1122p3f", "2p", "discard", {}, None, ""),
        ("123p123s23477m[567m]", "4m", "discard", {}, "self_draw", "counts 3 faan"),
        ("111m999p55s[111p][999s]3f", "1m", "discard", {}, "mixed_terminals", "in the way: 5s, 5s"),
        ("44z111z[222z][333z]456m3f", "4m", "discard", {}, "big_winds", "a third 4z"),
        ("66z[1111p](2222s)[3333m][444z]3f", "6z", "discard", {}, "four_kongs", "one more 4z"),
    ],
)
def test_near_misses(
    text: str, win: str, how: str, now: dict[str, Any], pattern: str | None, missed: str
) -> None:
    found = missing(count(RULES, text, win, how, **now))
    if pattern is None:
        assert found == {}
    else:
        assert missed in found[pattern]


def test_a_pattern_that_is_there_is_not_missed() -> None:
    found = missing(count(RULES, "555z666z[777z]11m[456p]3f", "1m"))
    assert not found.keys() & {"dragon_pung", "small_dragons", "big_dragons"}


def test_too_cheap_to_call() -> None:
    sheet = count(RULES, "123p123s23477m[567m]", "4m", seat="S")
    assert lines(sheet) == {"all_chows": 1, "no_flowers": 1}
    assert not sheet.can_win and sheet.payments is None
    assert [str(text) for text in sheet.why] == [
        "2 of 3 faan: the hand is complete but can't be called"
    ]
    chicken = count(RULES, "111p66p[444m][789s][222m]3f", "6p")
    assert "0 of 3 faan" in str(chicken.why[0]) and "Chicken hand" in str(chicken.why[0])


@pytest.mark.parametrize(
    ("text", "reason", "distance"),
    [
        ("11335555m77m1122p", "four alike are not two pairs (5m)", "2 tiles would have to be"),
        ("567z123m456p789s22p", "three dragons are not a chow", "2 tiles would have to be"),
        ("[567z]123m456p789s22p", "three dragons are not a chow", None),
        ("124m456p789s22p111z", "the tiles form neither four sets and a pair", "another tile in"),
    ],
)
def test_an_unfinished_hand_says_why(text: str, reason: str, distance: str | None) -> None:
    sheet = count(RULES, text, "2p")
    assert not sheet.complete and not sheet.can_win
    assert sheet.values == {"faan": None}
    assert reason in str(sheet.why[0])
    told = " ".join(map(str, sheet.why[1:]))
    assert told.startswith(distance) if distance else not told


def test_a_tile_can_not_be_robbed_and_held() -> None:
    with pytest.raises(HandError, match="8s can't have been robbed"):
        count(RULES, "234567m234p56788s", "8s", rob_kong=True)


def test_who_pays() -> None:
    won = count(RULES, "123p123s23477m[567m]2f2g", "4m", seat="S", discarder="W")
    assert won.payments is not None
    assert won.payments.net == {"E": 0, "S": 8, "W": -8, "N": 0}
    drawn = count(RULES, "123p123s23477m[567m]2f2g", "4m", DRAWN, seat="S")
    assert drawn.payments is not None
    assert drawn.payments.net == {"E": -16, "S": 48, "W": -16, "N": -16}
    assert drawn.payments.to_json()["chips"] == 6


def test_a_pair_that_spoils_all_chows_is_more_than_one_step_away() -> None:
    assert "all_chows" in missing(count(RULES, "123m456m789s555p66s", "6s"))
    assert "all_chows" not in missing(count(RULES, "123m456m789s555p66z", "6z"))


@pytest.mark.parametrize("melds", ["[777z](6666z)", "(6666z)[777z]"])
def test_a_find_of_several_sets_names_its_tiles_however_the_melds_lie(melds: str) -> None:
    sheet = count("hk-wiki", f"55z{melds}123m[456p]3f", "1m")
    (line,) = (line for line in sheet.lines if line.pattern == "small_dragons")
    assert [str(tile) for tile in line.tiles] == ["6z"] * 4 + ["7z"] * 3 + ["5z"] * 2

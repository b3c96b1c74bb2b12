"""Riichi hands: the worked cases, what is refused and in which words, and every switch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.hand import parse_hand
from companion.rules import Circumstances, Profile, ProfileError, ScoreSheet, load_profile, score
from companion.rules.loader import change_profile
from companion.rules.riichi.marks import after
from companion.rules.riichi.points import basic_points, ron_points, tsumo_points
from companion.rules.riichi.value import ATTRIBUTES
from companion.rules.riichi.yaku import DORA, YAKU
from companion.rules.rows import score_row
from companion.rules.waits import waits
from companion.text import GorrionError
from companion.tiles import Tile


def with_hand(row: dict[str, Any]) -> bool:
    return row["ruleset"] == "riichi" and bool(row["hand"])


def row_named(shared_dir: Path, name: str) -> dict[str, Any]:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == name)


def count(
    hand: str, win: str, by: str = "discard", *, rules: Profile | None = None, **told: Any
) -> ScoreSheet:
    """A sheet; circumstances that only this game knows go to `extra`."""
    ours = (
        "seat",
        "round",
        "discarder",
        "kong_draw",
        "rob_kong",
        "last_tile",
        "last_discard",
        "first_turn",
    )
    known = {"seat": "S", **{key: told.pop(key) for key in ours if key in told}}
    now = Circumstances(by, extra=tuple(told.items()), **known)  # type: ignore[arg-type]
    return score(parse_hand(hand, win=win), now, rules or load_profile("riichi"))


def house(**changes: Any) -> Profile:
    return change_profile(load_profile("riichi"), {f"riichi.{k}": v for k, v in changes.items()})


def patterns(sheet: ScoreSheet) -> list[str]:
    return [line.pattern for line in sheet.lines]


CASES = [
    "riichi-fu-closed-terminal-pon",
    "riichi-chuuren-9wait-9",
    "riichi-chuuren-9wait-1",
    "riichi-chuuren-tenhou-single",
    "riichi-kokushi-13wait",
    "riichi-chiitoi-four-identical",
    "riichi-dragon-pon-open",
    "riichi-kazoe-cap",
    "riichi-kazoe-nolimit",
    "riichi-short-hand",
    "riichi-honitsu-decomposition",
    "riichi-kanchan-max-fu",
    "riichi-three-equal-chows",
    "riichi-double-wind-pair-2",
    "riichi-renhou-mangan",
    "riichi-renhou-yakuman",
    "riichi-pinfu-tsumo",
    "riichi-open-tanyao-on",
    "riichi-4ankou-tanki-tenhou",
    "riichi-tsuuiisou-chiitoi",
    "riichi-honroutou-chiitoi",
    "riichi-chankan-holding-copy",
]


@pytest.mark.parametrize("name", CASES)
def test_a_worked_case(name: str, shared_dir: Path) -> None:
    row = row_named(shared_dir, name)
    expected, profile = row["expected"], load_profile("riichi")
    if expected.get("error") == "impossible":
        with pytest.raises(GorrionError, match="can't have been robbed") as caught:
            score_row(row, profile)
        assert caught.value.code == "impossible"
        return
    if name == "riichi-short-hand":
        with pytest.raises(GorrionError, match=r"11 tiles: .* add 3"):
            score_row(row, profile)
        return
    sheet = score_row(row, profile).to_json("en")
    if expected.get("error") == "hand_not_winning":
        assert (sheet["complete"], sheet["can_win"]) == (False, False)
        return
    for key in ("han", "fu", "total"):
        if key in expected:
            assert sheet[key] == expected[key], (key, sheet)
    items = sorted(f"{item['item']} {item['fu']}" for item in sheet["fu_items"])
    assert items == sorted(expected.get("fu_items", items))
    names = " ".join(line["name"].lower() for line in sheet["lines"])
    for wanted in expected.get("yaku_includes", ()):
        assert wanted in names
    for unwanted in expected.get("yaku_excludes", ()):
        assert unwanted not in names


def test_every_riichi_row_with_a_hand_is_a_case(shared_dir: Path) -> None:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    waits = {"shanten-tanki-four-suited"}
    assert {row["id"] for row in map(json.loads, lines) if with_hand(row)} - waits == set(CASES)


def test_every_yaku_is_named_and_has_han() -> None:
    profile = load_profile("riichi")
    assert set(YAKU) - set(DORA) == {key[5:] for key in profile.leaves if key.startswith("yaku.")}
    assert set(ATTRIBUTES.values()) == set(YAKU) - {"nagashi_mangan"}
    for yaku in YAKU.values():
        for names in (yaku.names, yaku.what):
            assert names.es and names.en
        assert yaku.names.zh


# -- what is refused, and in which words


@pytest.mark.parametrize(
    ("hand", "win", "told", "sentence"),
    [
        ("123m456p789s11222z 2f", "1z", {}, "flowers or seasons: take 2f out"),
        ("005m123m456p789s11z", "1z", {}, "2 red fives 0m"),
        (
            "111m456p789s1122z2z",
            "2z",
            {"dora_indicators": "1m1m"},
            "5 copies of 1m in the hand and",
        ),
        ("123m456p789s11z [222z]", "1z", {"riichi": True}, r"closed hand and \[222z\] is open"),
        ("123m456p789s11222z", "1z", {"ippatsu": True}, "ippatsu comes after riichi"),
        (
            "123m456p789s11222z",
            "1z",
            {"double_riichi": True, "ippatsu": True, "last_discard": True},
            "long before the last tile",
        ),
        (
            "123m456p789s11222z",
            "1z",
            {"riichi": True, "dora_indicators": "9p", "ura_indicators": "1m2m"},
            "2 ura indicators under 1 dora indicators",
        ),
        ("123m456p789s11222z", "1z", {"dora_indicators": "1f"}, "1f can't be a dora indicator"),
        (
            "123m456p789s11222z",
            "1z",
            {"dora_indicators": "123456m"},
            "6 dora indicators: at most 5",
        ),
        (
            "123m456p789s11222z",
            "1z",
            {"dora_indicators": 3},
            '"dora_indicators" has the wrong form',
        ),
        ("123m456p789s11222z", "1z", {"honba": -1}, '"honba" has the wrong form'),
        ("123m456p789s11222z", "1z", {"riichi": "yes"}, '"riichi" has the wrong form'),
        ("123m456p789s11222z", "1z", {"richii": True}, '"richii" is not known here'),
        ("123m456p789s11222z", "1z", {"tenhou": True}, r"tenhou is the dealer's \(seat E\)"),
        ("123m456p789s11222z", "1z", {"renhou": True, "riichi": True}, "no time for riichi"),
        ("123m456p789s11z (2222z)", "1z", {"renhou": True}, r"the hand has \(2222z\)"),
        ("123m456p789s11222z", "1z", {"options": {"kan": 1}}, '"kan" is no option'),
        (
            "123m456p78s11222z9s",
            "9s",
            {"rob_kong": True, "dora_indicators": "9s"},
            "a dora indicator shows another one",
        ),
    ],
)
def test_what_cannot_be_is_named(hand: str, win: str, told: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GorrionError, match=sentence):
        count(hand, win, **told)


def test_without_a_yaku_the_hand_is_complete_and_can_not_be_called() -> None:
    sheet = count("234m567m234p88s [789s]", "8s", dora_indicators="7s")
    assert (sheet.complete, sheet.can_win, sheet.values["han"]) == (True, False, 0)
    assert "no yaku" in str(sheet.why[0])
    assert sheet.payments is None


# -- switches


def test_open_tanyao() -> None:
    hand = ("567m234p56788s [234m]", "7s")
    assert patterns(count(*hand)) == ["tanyao"]
    closed_only = count(*hand, rules=house(open_tanyao=False))
    assert not closed_only.can_win
    assert [gone.pattern for gone in closed_only.excluded] == ["tanyao"]


def test_a_double_wind_pair_of_two_or_four_fu() -> None:
    hand = ("999m345p234678s11z", "8s", "self-draw")
    four = count(*hand, seat="E", round="E")
    two = count(*hand, seat="E", round="E", rules=house(double_wind_fu=2))
    other = count(*hand, seat="E", round="S", rules=house(double_wind_fu=2))
    assert ("double_valued_pair", 4) in fu_items(four)
    assert ("valued_pair", 2) in fu_items(two)
    assert fu_items(other) == fu_items(two)


def test_a_set_of_the_double_wind_still_counts_twice() -> None:
    sheet = count("111z345p234678s99m", "9m", seat="E", round="E", rules=house(double_wind_fu=2))
    assert patterns(sheet) == ["seat_wind", "round_wind"]


def test_the_double_wind_switch_changes_the_total() -> None:
    """30 for the closed ron, 8 for the triplet of nines, and 4 or 2 for the pair: 42 or 40 fu."""
    hand = ("999m345p234678s11z", "8s")
    four = count(*hand, seat="E", round="E", riichi=True)
    two = count(*hand, seat="E", round="E", riichi=True, rules=house(double_wind_fu=2))
    assert (four.values["fu"], four.values["points"]) == (50, 2400)
    assert (two.values["fu"], two.values["points"]) == (40, 2000)


def fu_items(sheet: ScoreSheet) -> list[tuple[str, int]]:
    return [(item["item"], item["fu"]) for item in sheet.details["fu_items"]]


def test_red_fives() -> None:
    hand = ("406m234p56788s [234m]", "7s")
    assert patterns(count(*hand)) == ["tanyao", "red_dora"]
    plain = count(*hand, rules=house(red_fives=False))
    assert patterns(plain) == ["tanyao"]
    assert "red_dora" in {gone.pattern for gone in plain.excluded}


def test_dora_ura_and_their_tiles() -> None:
    sheet = count(
        "123m456p789s11p567s", "7s", riichi=True, dora_indicators="9p4p", ura_indicators="3p"
    )
    tiles = {line.pattern: [tile.code for tile in line.tiles] for line in sheet.lines}
    assert tiles["dora"] == ["1p", "1p", "5p"]
    assert tiles["ura_dora"] == ["4p"]
    no_ura = count(
        "123m456p789s11p567s", "7s", riichi=True, ura_indicators="3p", rules=house(ura_dora=False)
    )
    assert "ura_dora" not in patterns(no_ura)


def test_ura_need_riichi() -> None:
    sheet = count("111z123m456p789s11p", "1p", seat="E", ura_indicators="9p")
    assert "ura_dora" not in patterns(sheet)
    assert ("ura_dora", "ura dora count after riichi only") in {
        (gone.pattern, str(gone.because)) for gone in sheet.excluded
    }


@pytest.mark.parametrize(
    ("indicator", "dora"), [("9m", "1m"), ("4p", "5p"), ("4z", "1z"), ("7z", "5z"), ("0s", "6s")]
)
def test_the_tile_after_an_indicator(indicator: str, dora: str) -> None:
    assert after(Tile(indicator)) is Tile(dora)


def test_counted_yakuman() -> None:
    hand = ("44466677788m (2222m)", "7m")
    told = {"riichi": True, "dora_indicators": "1111m"}
    points = {
        limit: count(*hand, rules=house(counted_yakuman=limit), **told).values["points"]
        for limit in ("yakuman", "sanbaiman", "no_limit")
    }
    assert points == {"yakuman": 32000, "sanbaiman": 24000, "no_limit": 64000}


def test_double_yakuman_off() -> None:
    hand = ("11112345678999m", "1m")
    assert count(*hand).values["han"] == 26
    assert count(*hand, rules=house(double_yakuman=False)).values["han"] == 13


def test_a_yaku_may_be_worth_something_else_or_nothing() -> None:
    profile = load_profile("riichi")
    more = change_profile(profile, {"yaku.tanyao": [2, 1]})
    assert count("567m234p56788s234m", "7s", rules=more).lines[1].value == 2
    off = change_profile(profile, {"yaku.pinfu": [0, 0]})
    assert not count("123m456m789p456s99s", "4s", rules=off).can_win
    assert off.hash != profile.hash


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("yaku.tanyao", [1, 0]),
        ("yaku.pinfu", [1, 1]),
        ("yaku.kokushi", [12, 0]),
        ("yaku.daisangen", [13, 0]),
        ("yaku.riichi", 1),
        ("riichi.double_wind_fu", 3),
    ],
)
def test_a_wrong_value_is_named(key: str, value: Any) -> None:
    with pytest.raises(ProfileError, match=key):
        change_profile(load_profile("riichi"), {key: value})


def test_first_turn_by_how_it_was_won() -> None:
    hand = ("111456m789p11234s", "4s")
    assert patterns(count(*hand, "self-draw", seat="E", first_turn=True)) == ["tenhou"]
    assert patterns(count(*hand, "self-draw", first_turn=True)) == ["chiihou"]
    assert patterns(count(*hand, first_turn=True)) == ["renhou"]
    assert not count(*hand, first_turn=True, rules=house(renhou="none")).can_win
    assert count(*hand, first_turn=True, rules=house(renhou="yakuman")).values["han"] == 13


def test_a_renhou_of_a_mangan_is_not_added_to() -> None:
    cheap = count("234m567p678s345m99p", "9p", first_turn=True, dora="8p")
    assert (patterns(cheap), cheap.values["points"]) == (["renhou"], 8000)
    assert [gone.pattern for gone in cheap.excluded] == ["dora"]
    # The hand itself counts more: it is paid without renhou.
    dear = count("234m567m678m345m99m", "9m", first_turn=True, dora="8m")
    assert (patterns(dear), dear.values["points"]) == (["chinitsu", "dora"], 16000)
    assert [gone.pattern for gone in dear.excluded] == ["renhou"]
    limit = count("19m19p19s12345677z", "7z", first_turn=True)
    assert (patterns(limit), limit.values["han"]) == (["kokushi_13_wait"], 26)


def test_a_tile_of_a_kan_is_none_of_the_first_turn() -> None:
    robbed = count("234m567p678s345m99p", "8s", rob_kong=True, first_turn=True)
    assert patterns(robbed) == ["chankan", "pinfu"]
    with pytest.raises(GorrionError, match="its tile can't come from one"):
        count("234m567p678s345m99p", "8s", rob_kong=True, renhou=True)


def test_the_replacement_of_a_kan_is_no_last_tile() -> None:
    sheet = count("123m456p789s11z (2222p)", "1z", "self-draw", kong_draw=True, last_tile=True)
    assert patterns(sheet) == ["tsumo", "rinshan"]
    assert "haitei" in {gone.pattern for gone in sheet.excluded}


def test_rinshan_needs_a_kan() -> None:
    sheet = count("123m456p789s11z222p", "1z", "self-draw", kong_draw=True)
    assert patterns(sheet) == ["tsumo"]
    assert "rinshan" in {gone.pattern for gone in sheet.excluded}


# -- tiles of each line


def test_lines_light_up_their_own_tiles() -> None:
    sheet = count("223344m678s55z [777z]", "4m", discarder="E")
    assert {line.pattern: "".join(t.code for t in line.tiles) for line in sheet.lines} == {
        "chun": "7z7z7z"
    }
    straight = count("123456789m55z [678s]", "9m")
    assert "".join(t.code for t in straight.lines[0].tiles) == "1m2m3m4m5m6m7m8m9m"
    triple = count("234m234p234s55m [678s]", "2m")
    assert patterns(triple) == ["tanyao", "sanshoku"]
    assert "".join(t.code for t in triple.lines[1].tiles) == "2m3m4m2p3p4p2s3s4s"


# -- points


def test_points_of_the_standard_table() -> None:
    profile = load_profile("riichi")
    for han, fu, ron, dealer_ron, tsumo in [
        (1, 30, 1000, 1500, (500, 300)),
        (2, 25, 1600, 2400, (800, 400)),
        (3, 40, 5200, 7700, (2600, 1300)),
        (4, 30, 7700, 11600, (3900, 2000)),
        (4, 40, 8000, 12000, (4000, 2000)),
        (7, 30, 12000, 18000, (6000, 3000)),
        (12, 30, 24000, 36000, (12000, 6000)),
    ]:
        base, _ = basic_points(han, fu, False, profile)
        assert ron_points(base, dealer=False) == ron
        assert ron_points(base, dealer=True) == dealer_ron
        assert tsumo_points(base, dealer=False) == tsumo
    rounding = house(round_up_mangan=True)
    assert basic_points(4, 30, False, rounding) == (2000, "mangan")
    assert basic_points(3, 60, False, rounding) == (2000, "mangan")


def test_honba_and_sticks() -> None:
    drawn = count("123m456p789s11z345p", "1z", "self-draw", honba=2, sticks=1, riichi=True)
    paid = drawn.payments
    assert paid is not None and paid.net is not None
    assert sum(paid.net.values()) == 0
    base = drawn.values["points"]
    assert base is not None and paid.net["S"] == base + 600
    assert paid.total == base + 600 + 1000
    claimed = count("123m456p789s11z345p", "1z", honba=2, riichi=True, discarder="W")
    assert claimed.payments is not None and claimed.payments.net is not None
    assert claimed.payments.net == {"E": 0, "S": 1900, "W": -1900, "N": 0}


def test_the_limit_and_the_fu_are_told() -> None:
    sheet = count("22233344466m (8888m)", "2m", riichi=True)
    assert [str(remark) for remark in sheet.remarks] == [
        "Sanbaiman: 6000 basic points",
        "60 fu, from 56: Base 30, Closed kan of simples 16, Concealed triplet of simples 4, "
        "Concealed triplet of simples 4, Open triplet of simples 2",
    ]
    assert not sheet.limit
    assert count("11112345678999m", "1m").limit


def test_near_misses() -> None:
    sheet = count("234m567m234p88s789s", "8s")
    missed = {near.pattern: (near.value, str(near.missing)) for near in sheet.near}
    assert set(missed) == {"riichi", "tsumo", "tanyao"}
    assert missed["tanyao"] == (1, "one tile in the way: 9s")
    pair = count("223344m678s55z [777z]", "4m")
    assert [(near.pattern, near.value) for near in pair.near] == [("haku", 1)]
    assert count("11112345678999m", "1m").near == ()


def test_options_of_a_row_may_be_written_in_full() -> None:
    hand = ("567m234p56788s [234m]", "7s")
    assert not count(*hand, options={"riichi.open_tanyao": False}).can_win
    assert not count(*hand, options={"has_open_tanyao": False}).can_win
    assert count(*hand, options={"minimum": 1}).can_win


def test_four_plain_fives_beside_a_red_one() -> None:
    """A table may have fewer red fives than three; only the real ones count."""
    sheet = count("0p46p5555m46m777z11s", "1s")
    assert {line.pattern: line.value for line in sheet.lines} == {"chun": 1, "red_dora": 1}
    assert (sheet.values["han"], sheet.values["points"]) == (2, 3200)


def test_a_wait_for_a_tile_that_the_indicators_show_is_none() -> None:
    now = Circumstances(seat="S", extra=(("riichi", True), ("dora_indicators", "9s9s")))
    hand = parse_hand("234m567m234p99s11z")
    assert [wait.tile.code for wait in waits(hand, now, load_profile("riichi"))] == ["1z"]
    unseen = Circumstances(seat="S", extra=(("riichi", True),))
    assert [w.tile.code for w in waits(hand, unseen, load_profile("riichi"))] == ["9s", "1z"]


def test_a_minimum_is_reached_without_dora() -> None:
    two = change_profile(load_profile("riichi"), {"rules.minimum": 2})
    hand = ("234m567p678s345m99p", "8s")
    cheap = count(*hand, dora="8p", rules=two)
    assert (cheap.complete, cheap.can_win, cheap.payments) == (True, False, None)
    assert str(cheap.why[0]).startswith("1 of 2 han without dora")
    assert count(*hand, dora="8p", riichi=True, rules=two).can_win
    assert count(*hand, dora="8p").can_win


def test_open_simples_are_no_near_miss_where_they_do_not_count() -> None:
    hand = ("[234m] 123m 456p 678s 55p", "4p")
    assert [each.pattern for each in count(*hand).near] == ["tanyao"]
    assert count(*hand, rules=house(open_tanyao=False)).near == ()

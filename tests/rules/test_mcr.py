"""Hands of the Mahjong Competition Rules: worked cases, names, minimum, payment, a missing package."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from riichi_numbers import circumstances_of, hand_of
from winning_hands import Dealer

from companion.hand import Hand, parse_hand
from companion.notation import parse_tiles
from companion.rules import Circumstances, ScoreSheet, load_profile, score
from companion.rules.decomposition import is_finished
from companion.rules.loader import change_profile
from companion.rules.mcr.fans import FANS
from companion.rules.rows import score_row
from companion.rules.settlement import Win, settle_wins
from companion.simulator.play import start_state
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.winning import is_complete, judge
from companion.text import GorrionError
from companion.tiles import UNKNOWN, Tile

try:
    import MahjongGB
except ImportError:
    MahjongGB = None
needs_package = pytest.mark.skipif(
    MahjongGB is None, reason="PyMahjongGB is not installed: pip install PyMahjongGB (needs g++)"
)
WITH_HAND = [
    "mcr-no-edge-wait-multi",
    "mcr-no-closed-wait-multi",
    "mcr-knitted-not-chicken",
    "mcr-7pairs-four-identical",
]
CODES = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)]
CODES += ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]


def row_named(shared_dir: Path, name: str) -> dict[str, Any]:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == name)


def count(hand: str, win: str, by: str = "discard", **told: Any) -> ScoreSheet:
    extra = tuple((key, told.pop(key)) for key in list(told) if key == "last_of_kind")
    now = Circumstances(by, extra=extra, **{"seat": "S", **told})  # type: ignore[arg-type]
    return score(parse_hand(hand, win=win), now, load_profile("mcr"))


def named(sheet: ScoreSheet) -> dict[str, int]:
    return {line.names.en: line.value for line in sheet.lines}


@needs_package
@pytest.mark.parametrize("name", WITH_HAND)
def test_a_worked_case(name: str, shared_dir: Path) -> None:
    row = row_named(shared_dir, name)
    expected, sheet = row["expected"], score_row(row, load_profile("mcr"))
    assert sheet.values["fan"] == expected["fan"]
    lines = sorted((line.value, line.names.zh) for line in sheet.lines)
    assert lines == sorted((value, zh) for value, zh in expected["detail"])
    assert not {zh for _, zh in lines} & set(expected.get("excludes_zh", ()))
    assert sheet.can_win == (expected["fan"] >= 8)


@needs_package
def test_all_chows_go_without_no_honours(shared_dir: Path) -> None:
    expected = row_named(shared_dir, "mcr-all-chows-over-no-honors")["expected"]
    sheet = count("123m456p789s11p [234s]", "9s")
    fans = {f"{name} {value}" for name, value in named(sheet).items()}
    assert set(expected["includes"]) <= fans
    assert not set(expected["excludes"]) & set(named(sheet))


def test_the_payment_row(shared_dir: Path) -> None:
    row = row_named(shared_dir, "mcr-payment-discard")
    settled = settle_wins(load_profile("mcr"), [Win(0, row["context"]["fan"], discarder=2)], 0)
    expected = row["expected"]
    assert settled.net == (
        expected["winner"],
        expected["others"],
        expected["discarder"],
        expected["others"],
    )
    assert settle_wins(load_profile("mcr"), [Win(0, 11)], 0).net == (57, -19, -19, -19)


def test_every_row_of_these_rules_is_a_test(shared_dir: Path) -> None:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    found = {row["id"] for row in map(json.loads, lines) if row["ruleset"] == "mcr"}
    assert found == {*WITH_HAND, "mcr-all-chows-over-no-honors", "mcr-payment-discard"}


def test_eighty_one_fan_are_named_and_valued() -> None:
    profile = load_profile("mcr")
    assert len(FANS) == 82  # and the one of the later revision
    assert {key[4:] for key in profile.leaves if key.startswith("fan.")} == set(FANS)
    for attribute in ("es", "en", "zh"):
        assert len({getattr(names, attribute) for names in FANS.values()}) == 82, attribute


@needs_package
def test_flowers_count_but_not_towards_the_minimum() -> None:
    sheet = count("777789m11888p [444z] 1f2f3f", "7m", seat="E")
    assert (sheet.values["fan"], sheet.can_win) == (9, False)
    assert "6 of 8 fan without the flowers" in str(sheet.why[0])
    flowers = [line.tiles[0].code for line in sheet.lines if line.pattern == "flower_tiles"]
    assert flowers == ["1f", "2f", "3f"]


@needs_package
def test_a_table_may_change_minimum_and_values() -> None:
    house = change_profile(load_profile("mcr"), {"rules.minimum": 6, "fan.tile_hog": 3})
    hand = parse_hand("777789m11888p [444z]", win="7m")
    sheet = score(hand, Circumstances(), house)
    assert (sheet.values["fan"], sheet.can_win) == (7, True)


@needs_package
def test_circumstances_reach_the_count() -> None:
    hand = "234m234p234s55m [678s]"
    assert "Last Tile Draw" in named(count(hand, "2m", "self-draw", last_tile=True))
    assert "Last Tile Claim" in named(count(hand, "2m", last_discard=True))
    assert "Robbing The Kong" in named(count("234m34p2p234s55m [678s]", "2p", rob_kong=True))
    assert "Last Tile" in named(count(hand, "2m", last_of_kind=True))
    assert "Last Tile" in named(count("12m3m456p55s [789s] [333m]", "3m"))
    kong = count("234m234p55m [678s] (9999s)", "2m", "self-draw", kong_draw=True)
    assert "Out with Replacement Tile" in named(kong)
    without = count(hand, "2m", "self-draw", kong_draw=True)
    assert [gone.pattern for gone in without.excluded] == ["out_with_replacement_tile"]


@needs_package
def test_a_green_dragon_is_green_and_a_white_one_reversible() -> None:
    assert "All Green" in named(count("222333444s88s666z", "8s"))
    assert "Reversible Tiles" in named(count("123p345p99p444s555z", "9p"))


@needs_package
def test_what_is_no_hand_is_told() -> None:
    sheet = count("123m456p789s1122z3z", "3z")
    assert not sheet.complete
    assert "knitted tiles" in str(sheet.why[0])
    with pytest.raises(GorrionError, match='"last_of_kind" has the wrong form'):
        count("123m456p789s11222z", "1z", last_of_kind="yes")
    riichi_too = Circumstances(extra=(("riichi", True), ("last_of_kind", False)))
    hand = parse_hand("123m456p789s11222z", win="1z")
    assert score(hand, riichi_too, load_profile("mcr")).complete
    assert score(hand, riichi_too, load_profile("riichi")).complete


@needs_package
def test_payments_of_the_sheet() -> None:
    sheet = count("234m234p234s55m [678s]", "2m", discarder="N")
    fan = sheet.values["fan"]
    assert sheet.payments is not None and sheet.payments.net is not None and fan is not None
    assert sheet.payments.net == {"E": -8, "S": 24 + fan, "W": -8, "N": -8 - fan}
    drawn = count("234m234p234s55m [678s]", "2m", "self-draw")
    assert drawn.payments is not None and drawn.payments.net is not None
    assert sum(drawn.payments.net.values()) == 0


@needs_package
def test_random_hands_are_worth_what_the_package_says() -> None:
    profile, dealer = load_profile("mcr"), Dealer(20261130)
    for _ in range(1500):
        concealed, winning, melds, conditions, _dora, _ura = dealer.hand()
        conditions["rinshan"] = False
        told = {**conditions, "riichi": False, "double_riichi": False, "ippatsu": False}
        hand = hand_of(concealed, winning, melds)
        now = circumstances_of(told, [], [])
        sheet = score(hand, Circumstances(**{f: getattr(now, f) for f in PLAIN}), profile)
        own = own_answer(concealed, winning, melds, hand, conditions)
        assert sheet.values["fan"] == sum(points for points, _ in own), (hand, own)


PLAIN = ("by", "seat", "round", "kong_draw", "rob_kong", "last_tile", "last_discard")


def own_answer(
    concealed: list[int],
    winning: int,
    melds: list[tuple[str, list[int]]],
    hand: Hand,
    conditions: dict[str, Any],
) -> tuple[tuple[int, str], ...]:
    packs = []
    for kind, tiles in melds:
        word = {"chi": "CHI", "pon": "PENG"}.get(kind, "GANG")
        packs.append((word, CODES[sorted(tiles)[1] // 4], 0 if kind == "ankan" else 2))
    shown = any(kind == "pon" and tiles[0] // 4 == winning // 4 for kind, tiles in melds)
    answer: tuple[tuple[int, str], ...] = MahjongGB.MahjongFanCalculator(
        tuple(packs),
        tuple(CODES[number // 4] for number in concealed),
        CODES[winning // 4],
        len(hand.bonus),
        conditions["tsumo"],
        shown,
        conditions["chankan"],
        conditions["haitei"] or conditions["houtei"],
        conditions["player_wind"],
        conditions["round_wind"],
    )
    return answer


def test_without_the_package_one_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "MahjongGB", None)
    with pytest.raises(GorrionError, match="pip install PyMahjongGB") as caught:
        count("123m456p789s11222z", "1z")
    assert caught.value.code == "unsupported"


@needs_package
def test_our_shapes_finish_the_hands_that_the_package_counts() -> None:
    """The table asks our shapes whether a hand is finished, before anything is counted."""
    rules = load_profile("mcr")
    for text in (
        "147m258p369s12345z",
        "147m258p369s11122z",
        "147m258p369s11z [567m]",
        "19m19p19s12345677z",
        "1111m2222p3333s44s",
        "147m258p369m12345z",
        "147m258p369s11z22z9p",
    ):
        win = parse_hand(text).concealed[0].code
        assert is_finished(parse_hand(text), rules.shapes) is count(text, win).complete, text


@needs_package
@pytest.mark.parametrize(
    ("dealt", "won"),
    [("147m258p369s1234z", "5z"), ("19m19p19s1234567z", "1m"), ("1133m2244p5566s7z", "7z")],
)
def test_a_hand_without_four_sets_wins_at_the_table(dealt: str, won: str) -> None:
    rules = load_profile("mcr")
    unseen = (UNKNOWN,) * 13
    hands = ((*unseen, UNKNOWN), parse_tiles(dealt), unseen, unseen)
    state = start_state(rules)
    begin = ev.StartHand(rules.id, rules.hash, "E", 0, (0,) * 4, hands)
    for event in (begin, ev.Discard(0, Tile("8m")), ev.Draw(1, Tile.parse(won))):
        state = apply(state, event)
    assert is_complete(state, 1)
    assert judge(state, 1, rules).can_win


@needs_package
def test_a_robbed_tile_is_no_last_discard() -> None:
    both = count("123m456m789m11p123s", "3m", rob_kong=True, last_discard=True)
    assert "Last Tile Claim" not in named(both)
    assert named(both)["Robbing The Kong"] == 8
    assert [gone.pattern for gone in both.excluded] == ["last_tile_claim"]


@needs_package
def test_the_last_of_its_kind_is_not_hidden_in_the_hand() -> None:
    sheet = count("123m456m789m11p222s", "2s", last_of_kind=True)
    assert "Last Tile" not in named(sheet)
    assert [gone.pattern for gone in sheet.excluded] == ["last_tile"]
    assert named(count("123m456m789m11p123s", "3s", last_of_kind=True))["Last Tile"] == 4

"""The rows of the worked cases that hold no hand: kan, claims, furiten, nine terminals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.hand import parse_hand
from companion.notation import parse_tiles
from companion.rules import Circumstances, load_profile, score
from companion.rules.flow import (
    Claim,
    Flow,
    Furiten,
    WallCount,
    flow_of,
    kong_allowed,
    may_win_by_discard,
    must_wait_for,
    nine_terminals,
    resolve,
)
from companion.rules.loader import change_profile
from companion.rules.shanten import shanten
from companion.tiles import Tile


def row_named(shared_dir: Path, name: str) -> dict[str, Any]:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    return next(row for row in map(json.loads, lines) if row["id"] == name)


@pytest.fixture(scope="module")
def riichi() -> Flow:
    return flow_of(load_profile("riichi"))


def test_the_dora_of_an_open_kan_waits_for_the_discard(riichi: Flow, shared_dir: Path) -> None:
    expected = row_named(shared_dir, "riichi-kan-dora-open")["expected"]
    assert (riichi.dora.concealed, riichi.dora.claimed, riichi.dora.added) == (
        "at-once",
        "after-discard",
        "after-discard",
    )
    assert expected["rinshan_tsumo_counts_new_dora"] is (riichi.dora.claimed == "at-once")


def test_no_kan_when_no_live_tile_is_left(riichi: Flow, shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-no-kan-on-last")
    wall = WallCount(row["context"]["live_wall"], 14)
    assert kong_allowed(riichi, wall) is row["expected"]["kan_allowed"]
    assert kong_allowed(riichi, WallCount(1, 14))


def test_a_pon_waits_for_the_ron_of_another(riichi: Flow, shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-claim-order")
    kinds = {"ron": "win", "pon": "pung", "chii": "chow"}
    possible = [
        Claim(int(seat), kinds[word])  # type: ignore[arg-type]
        for seat, words in row["context"]["can"].items()
        for word in words
    ]
    made = Claim(1, kinds[row["context"]["choices"]["1"]])  # type: ignore[arg-type]
    assert must_wait_for(riichi, 0, made, possible) == (2,)
    assert resolve(riichi, 0, [made, Claim(2, "win")]) == (Claim(2, "win"),)
    assert row["expected"]["resolve"].startswith("wait for player 2")


def test_letting_the_tile_of_an_added_kan_pass_is_furiten(riichi: Flow, shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-furiten-passed-chankan")
    assert row["context"]["riichi"] is False
    passed = Furiten().passed(in_riichi=False)
    assert not may_win_by_discard(riichi, [Tile("3s")], [], passed)
    assert may_win_by_discard(riichi, [Tile("3s")], [], passed.turn_taken())
    in_riichi = Furiten().passed(in_riichi=True)
    assert not may_win_by_discard(riichi, [Tile("3s")], [], in_riichi.turn_taken())


def test_a_claim_does_not_clear_furiten_until_the_discard(riichi: Flow, shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-furiten-reset-after-call")
    assert row["expected"]["clear"] == "when the caller discards"
    claimed = Furiten().passed(in_riichi=False)
    assert not may_win_by_discard(riichi, [Tile("3s")], [], claimed)
    assert may_win_by_discard(riichi, [Tile("3s")], [], claimed.turn_taken())


def test_an_own_discard_is_furiten(riichi: Flow) -> None:
    assert not may_win_by_discard(riichi, [Tile("3s"), Tile("6s")], [Tile("6s")], Furiten())
    assert may_win_by_discard(riichi, [Tile("3s"), Tile("6s")], [Tile("5s")], Furiten())


def test_nine_terminals_only_on_the_first_draw(riichi: Flow, shared_dir: Path) -> None:
    row = row_named(shared_dir, "riichi-kyuushu-window")
    hand = parse_tiles("19m19p19s123z45678m")
    assert nine_terminals(riichi, hand, own_draws=1, claims=0)
    second = nine_terminals(riichi, hand, own_draws=2, claims=0)
    assert second is row["expected"]["kyuushu_allowed"]
    assert not nine_terminals(riichi, hand, own_draws=1, claims=1)


def test_four_alike_are_no_pair_to_wait_for(shared_dir: Path) -> None:
    row = row_named(shared_dir, "shanten-tanki-four-suited")
    found = shanten(parse_hand(row["hand"]), load_profile("riichi").shapes)
    assert found.best == row["expected"]["shanten"]


def test_at_most_one_chow_is_a_switch(shared_dir: Path) -> None:
    """Classical rules without a limit of chows count the hand; those with at most one do not."""
    row = row_named(shared_dir, "kj-two-chows-bmja")
    hand = parse_hand(row["hand"], win="1m")
    profile = load_profile("spanish-tournament")
    counted = score(hand, Circumstances(), profile)
    assert counted.values["points"] == row["expected"]["dmjl"]["points"]
    one_chow = change_profile(profile, {"rules.max_chows": 1})
    assert not score(hand, Circumstances(), one_chow).complete


def test_nine_gates_that_end_in_a_terminal(shared_dir: Path) -> None:
    """Limit where any tile of the suit may be the last; no win where a hand has at most one chow.

    The second is a consequence: closed by a terminal these tiles are three runs at least, and the
    classical hand of that name, which does without that limit, wants a pair of 2 to 8. No document of
    ours knows that hand, so no profile has it.
    """
    row = row_named(shared_dir, "kj-nine-gates-terminal")
    hand = parse_hand(row["hand"], win=row["context"]["win_tile"])
    any_last = load_profile("hk-old-style")
    assert any_last["rules.nine_gates"] == "any"
    counted = score(hand, Circumstances(), any_last)
    assert row["expected"]["dmjl"] == "limit"
    assert counted.can_win and counted.limit
    assert [line.pattern for line in counted.lines] == ["nine_gates"]
    one_chow = change_profile(any_last, {"rules.max_chows": 1})
    assert row["expected"]["bmja"] == "not a win"
    refused = score(hand, Circumstances(), one_chow)
    assert not refused.complete and not refused.can_win

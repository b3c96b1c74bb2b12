"""Claims, kongs and furiten under the profiles."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.hand import parse_hand
from companion.meld import parse_meld
from companion.notation import parse_tiles
from companion.rules import load_profile
from companion.rules.flow import (
    Claim,
    Flow,
    Furiten,
    WallCount,
    claims_for,
    flow_of,
    kong_allowed,
    kongs_in_turn,
    may_claim,
    may_rob,
    may_win_by_discard,
    must_wait_for,
    resolve,
)
from companion.tiles import Tile


def flow(name: str) -> Flow:
    return flow_of(load_profile(name))


def test_a_chow_is_for_the_next_player_only() -> None:
    hk = flow("hk-old-style")
    assert may_claim(hk, "chow", 1, 0)
    assert not may_claim(hk, "chow", 2, 0)
    assert not may_claim(hk, "chow", 3, 0)
    assert not may_claim(hk, "pung", 0, 0)


def test_document_000_lets_a_pung_come_until_the_next_discard() -> None:
    assert may_claim(flow("hk-wiki"), "pung", 2, 0, moment="drawn")
    assert not may_claim(flow("hk-wiki"), "chow", 1, 0, moment="drawn")
    assert not may_claim(flow("hk-wiki"), "pung", 2, 0, moment="gone")
    assert not may_claim(flow("hk-old-style"), "pung", 2, 0, moment="drawn")


def test_the_last_discard() -> None:
    assert may_claim(flow("hk-old-style"), "pung", 2, 0, last_discard=True)
    assert not may_claim(flow("hk-wiki"), "pung", 2, 0, last_discard=True)
    assert may_claim(flow("hk-wiki"), "win", 2, 0, last_discard=True)


def test_what_a_hand_may_claim() -> None:
    hand = parse_tiles("3334556m")
    found = claims_for(flow("hk-old-style"), hand, Tile("3m"), seat=1, discarder=0)
    assert {(claim.kind, "".join(t.code for t in claim.consumed)) for claim in found} == {
        ("kong", "3m3m3m"),
        ("pung", "3m3m"),
        ("chow", "4m5m"),
    }


def test_red_fives_are_a_choice() -> None:
    hand = parse_tiles("550m46m")
    found = claims_for(flow("hk-old-style"), hand, Tile("5m"), seat=2, discarder=0)
    pungs = {tuple(t.code for t in claim.consumed) for claim in found if claim.kind == "pung"}
    assert pungs == {("5m", "5m"), ("5m", "0m")}


def test_three_dragons_are_a_chow_where_the_profile_says_so() -> None:
    hand = parse_tiles("67z")
    assert claims_for(flow("hk-wiki"), hand, Tile("5z"), seat=1, discarder=0)
    assert not claims_for(flow("hk-old-style"), hand, Tile("5z"), seat=1, discarder=0)


def test_no_kong_without_a_replacement() -> None:
    hk = flow("hk-old-style")
    assert kong_allowed(hk, WallCount(1, 0))
    assert not kong_allowed(hk, WallCount(0, 0))
    hill = flow("beginner-points")
    assert not kong_allowed(hill, WallCount(10, 0))


@pytest.mark.parametrize(
    ("profile", "order"),
    [("hk-wiki", ["win", "pung", "chow"]), ("beginner-points", ["win", "kong", "pung", "chow"])],
)
def test_the_strongest_claim_wins(profile: str, order: list[str]) -> None:
    rules = flow(profile)
    for stronger, weaker in pairwise(order):
        claims = [Claim(1, weaker), Claim(3, stronger)]  # type: ignore[arg-type]
        assert resolve(rules, 0, claims) == (claims[1],)


def test_of_two_winners_the_nearest_in_turn_order_wins() -> None:
    claims = [Claim(3, "win"), Claim(2, "win")]
    assert resolve(flow("hk-wiki"), 1, claims) == (Claim(2, "win"),)


def test_a_lower_claim_waits_for_every_higher_one() -> None:
    made = Claim(1, "pung")
    assert must_wait_for(flow("hk-wiki"), 0, made, [Claim(1, "win"), Claim(2, "win")]) == (2,)
    assert must_wait_for(flow("hk-wiki"), 0, Claim(1, "win"), [Claim(2, "win")]) == ()


def test_kongs_of_the_own_turn() -> None:
    hand = parse_hand("1111s555m", win=None)
    melds = [parse_meld("777p")]
    found = kongs_in_turn(flow("hk-old-style"), (*hand.concealed, Tile("7p")), melds)
    assert found == (("concealed", Tile("1s")), ("added", Tile("7p")))


def test_robbing() -> None:
    assert may_rob(flow("hk-old-style"), "added")
    assert not may_rob(flow("hk-old-style"), "claimed")
    assert may_rob(flow("spanish-tournament"), "claimed")
    assert not may_rob(flow("spanish-tournament"), "concealed")
    assert not may_rob(flow("beginner-points"), "added")


def test_furiten_is_only_for_systems_that_know_it() -> None:
    passed = Furiten().passed(in_riichi=True)
    assert may_win_by_discard(flow("hk-old-style"), [Tile("1m")], [Tile("1m")], passed)

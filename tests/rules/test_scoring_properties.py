"""What must hold for any hand, whatever its tiles."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.hand import Hand
from companion.meld import Meld, MeldKind
from companion.rules import Circumstances, Wind, load_profile, score
from companion.rules.decomposition import is_finished, readings
from companion.rules.faan import active_patterns, count_reading
from companion.rules.loader import change_profile
from companion.rules.patterns import REGISTRY, Facts
from companion.rules.payment import pay_faan, settle_differences
from companion.rules.vocabulary import PATTERNS
from companion.rules.waits import waits
from companion.tiles import BONUS, KINDS, Tile

FAAN = ("hk-old-style", "hk-wiki")
POINTS = ("beginner-points", "spanish-tournament")
WINDS: tuple[Wind, ...] = ("E", "S", "W", "N")
winds = st.sampled_from(WINDS)
few = settings(max_examples=40)


@st.composite
def built_hands(draw: st.DrawFn) -> Hand:
    """Four sets and a pair, some of the sets laid down, within the four copies of each tile."""
    left = [4] * 34
    concealed: list[Tile] = []
    melds: list[Meld] = []
    for _ in range(4):
        kind: MeldKind = draw(st.sampled_from(("chow", "pung", "kong", "ckong")))
        if kind == "chow":
            low = draw(st.integers(0, 2)) * 9 + draw(st.integers(0, 6))
            indices = [low, low + 1, low + 2]
        else:
            indices = [draw(st.integers(0, 33))] * (3 if kind == "pung" else 4)
        for index in indices:
            left[index] -= 1
        tiles = tuple(KINDS[index] for index in indices)
        if kind in {"kong", "ckong"} or draw(st.booleans()):
            melds.append(Meld(kind, tiles))
        else:
            concealed += tiles
    pair = draw(st.integers(0, 33))
    left[pair] -= 2
    assume(min(left) >= 0)
    concealed += [KINDS[pair]] * 2
    bonus = draw(st.lists(st.sampled_from(BONUS), unique=True, max_size=8))
    return Hand(tuple(concealed), tuple(melds), tuple(bonus), draw(st.sampled_from(concealed)))


@st.composite
def circumstances(draw: st.DrawFn) -> Circumstances:
    seat: Wind = draw(winds)
    first = draw(st.booleans())
    if draw(st.booleans()):
        return Circumstances("self-draw", seat, draw(winds), first_turn=first)
    discarder = draw(st.one_of(st.none(), winds.filter(lambda wind: wind != seat)))
    return Circumstances("discard", seat, draw(winds), discarder, first_turn=first)


@given(built_hands())
def test_a_hand_built_from_sets_is_complete(hand: Hand) -> None:
    assert hand.flags() == ()
    assert is_finished(hand, load_profile("hk-old-style").shapes)


@few
@given(built_hands(), circumstances(), st.randoms(use_true_random=False))
def test_the_order_of_tiles_and_melds_does_not_matter(
    hand: Hand, now: Circumstances, chance: Any
) -> None:
    tiles, melds = list(hand.concealed), list(hand.melds)
    chance.shuffle(tiles)
    chance.shuffle(melds)
    other = Hand(tuple(tiles), tuple(melds), hand.bonus[::-1], hand.winning)
    for rules in FAAN + POINTS:
        profile = load_profile(rules)
        ours, theirs = score(hand, now, profile), score(other, now, profile)
        assert ours.values == theirs.values
        # Lines follow the order in which the melds lie.
        assert Counter(map(str, ours.lines)) == Counter(map(str, theirs.lines))
        assert Counter(map(str, ours.excluded)) == Counter(map(str, theirs.excluded))


@few
@given(built_hands(), circumstances())
def test_a_sheet_adds_up(hand: Hand, now: Circumstances) -> None:
    for rules in FAAN:
        profile = load_profile(rules)
        sheet = score(hand, now, profile)
        total = sum(line.value for line in sheet.lines)
        limit = profile["rules.limit"]
        assert sheet.complete
        assert sheet.values["faan"] == min(total, limit)
        assert sheet.limit == (total >= limit)
        assert sheet.can_win == (min(total, limit) >= profile["rules.minimum"])
        shown = {line.pattern for line in sheet.lines}
        gone = {each.pattern for each in sheet.excluded}
        assert not shown & {near.pattern for near in sheet.near} - {"self_draw"}
        # One flower may count while another one is contained in a set.
        assert not (shown & gone) - {"own_flower"}
        assert set(sheet.to_json("es")) == set(sheet.to_json("en"))
    for rules in POINTS:
        sheet = score(hand, now, load_profile(rules))
        assert sheet.values["points"] == sum(line.value for line in sheet.lines)


@few
@given(built_hands(), circumstances())
def test_no_reading_is_better_than_the_one_that_counts(hand: Hand, now: Circumstances) -> None:
    for rules in FAAN:
        profile = load_profile(rules)
        facts = Facts(hand, now, profile)
        all_readings = readings(hand, profile.shapes, by_discard=not now.is_self_draw)
        best = max(count_reading(facts, reading).faan for reading in all_readings)
        assert score(hand, now, profile).values["faan"] == best


@few
@given(built_hands(), circumstances())
def test_payments_sum_to_zero(hand: Hand, now: Circumstances) -> None:
    for rules in FAAN:
        for east in (1, 2):
            profile = change_profile(load_profile(rules), {"payment.east_multiplier": east})
            paid = pay_faan(profile, score(hand, now, profile).value, now)
            if paid.net is None:
                assert now.discarder is None and not now.is_self_draw
                continue
            assert sum(paid.net.values()) == 0
            assert paid.net[now.seat] == paid.total
            assert max(paid.net.values()) == paid.net[now.seat]


@given(st.lists(st.integers(0, 500), min_size=4, max_size=4), st.integers(0, 3))
def test_differences_sum_to_zero_and_the_winner_never_pays(points: list[int], winner: int) -> None:
    net = settle_differences(points, winner)
    assert sum(net) == 0
    assert net[winner] >= 0


@few
@given(built_hands(), circumstances())
def test_waits_find_the_tile_that_won(hand: Hand, now: Circumstances) -> None:
    assert hand.winning is not None
    concealed = list(hand.concealed)
    concealed.remove(hand.winning)
    waiting = Hand(tuple(concealed), hand.melds, hand.bonus)
    now = Circumstances(seat=now.seat, round=now.round)
    for rules in FAAN:
        profile = load_profile(rules)
        found = {wait.tile: wait for wait in waits(waiting, now, profile)}
        wait = found[hand.winning]
        assert wait.by_discard.values == score(hand, now.discarded(), profile).values
        assert wait.by_self_draw.values == score(hand, now.drawn(), profile).values
        assert wait.live == 4 - hand.all_counts[hand.winning.index or 0] + 1


def test_every_pattern_has_a_predicate() -> None:
    assert set(REGISTRY) == set(PATTERNS) - {"chicken"}


@pytest.mark.parametrize("rules", FAAN)
def test_every_active_pattern_is_worth_something(rules: str) -> None:
    profile = load_profile(rules)
    assert len(active_patterns(profile)) == sum(rule.is_on for rule in profile.patterns.values())

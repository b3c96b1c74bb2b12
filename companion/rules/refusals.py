"""Why something that a player may expect to count does not, and why tiles form no hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.hand import Hand
from companion.rules.decomposition import DRAGONS, Reading, is_finished, is_seven_pairs
from companion.rules.patterns import (
    Facts,
    is_nine_gates_shape,
    is_ninefold_wait,
    pair_of_chows_hand,
)
from companion.rules.profile import Profile
from companion.rules.shanten import shanten
from companion.text import T
from companion.tiles import KINDS, WINDS

NO_DRAGON_CHOW = T("under these rules three dragons are not a chow")

_PAIR_REASONS = {
    "dragon": T("the pair is of dragons"),
    "seat_wind": T("the pair is of the own wind"),
    "round_wind": T("the pair is of the round wind"),
}


def refused(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    """Patterns that the hand seems to have, with the reason why they do not count."""
    yield from _refused_shapes(facts, reading)
    yield from _refused_circumstances(facts)
    yield from _refused_flowers(facts)


def _refused_shapes(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    if reading.form == "standard" and reading.chows == 4:
        spoiler = pair_of_chows_hand(facts, reading)
        if spoiler is not None:
            yield "all_chows", _PAIR_REASONS[spoiler]
    pure_only = facts.profile.get("rules.nine_gates", "any") == "pure"
    if pure_only and is_nine_gates_shape(facts.hand) and not is_ninefold_wait(facts.hand):
        yield "nine_gates", T("before the last tile the hand was not 1112345678999")
    if reading.form == "standard" and reading.chows == 0 and not facts.exposed:
        opened = [block for block in reading.blocks if block.is_open]
        if opened:
            yield (
                "hidden_pungs",
                T("the pung of %(tile)s was completed by a discard", tile=KINDS[opened[0].base]),
            )


def _refused_circumstances(facts: Facts) -> Iterator[tuple[str, T]]:
    now = facts.circumstances
    if now.is_self_draw and not facts.exposed:
        yield "concealed_discard", T("it counts for a win on a discard; this tile was drawn")
    if now.kong_draw and not facts.hand.kongs:
        yield (
            "kong_replacement",
            T("there is no kong in the hand: lay it down as (8888s) or [8888s]"),
        )
    if now.last_discard and now.rob_kong:
        yield "last_discard", T("a tile robbed from a kong is not a discard")
    elif now.last_discard:
        yield "last_discard", T("under these rules the last discard can't be claimed")
    if now.last_tile and now.kong_draw:
        yield "last_tile", T("the replacement for a kong is not the last tile of the wall")
    if now.first_turn and now.is_self_draw and now.is_dealer and facts.hand.melds:
        yield "dealt_hand", T("a set was laid down, so these are not the tiles as they were dealt")
    if now.first_turn and now.is_self_draw and now.is_dealer and facts.hand.is_open:
        yield (
            "quick_hand",
            T("nobody discards before the first turn of East, and a set was claimed"),
        )
    if now.first_turn and now.is_self_draw and not now.is_dealer and now.kong_draw:
        yield "own_first_draw", T("the replacement for a kong is not the first draw")
    if now.first_turn and not now.is_self_draw and not now.is_dealer:
        if facts.hand.melds:
            yield (
                "dealer_first_discard",
                T("a set was laid down, so this was not the dealer's first discard"),
            )
        elif now.discarder not in {None, "E"}:
            yield "dealer_first_discard", T("the tile is not a discard of the dealer")


def _refused_flowers(facts: Facts) -> Iterator[tuple[str, T]]:
    bonus = facts.hand.bonus
    if not facts.profile.get("rules.bonus_tiles", True):
        yield (
            "own_flower" if bonus else "no_flowers",
            T("this table plays without flowers and seasons"),
        )
        return
    if not bonus:
        return
    number = WINDS.index(facts.circumstances.seat) + 1
    if all(tile.rank != number for tile in bonus):
        yield (
            "own_flower",
            T(
                "none of %(tiles)s is number %(number)s, that of the own wind",
                tiles=tuple(tile.code for tile in bonus),
                number=number,
            ),
        )


def why_unfinished(hand: Hand, profile: Profile) -> tuple[T, ...]:
    """Why the tiles form no hand, the most telling reason first; then how far they are from one."""
    shapes = profile.shapes
    reasons = []
    with_quads = (
        not hand.melds and "seven_pairs" in shapes.forms and is_seven_pairs(hand.counts, quad=True)
    )
    if with_quads:
        reasons.append(
            T(
                "under these rules four alike are not two pairs (%(tile)s)",
                tile=KINDS[hand.counts.index(4)].code,
            )
        )
    has_dragons = all(hand.all_counts[index] for index in DRAGONS)
    if has_dragons and is_finished(hand, replace(shapes, dragon_chow=True)):
        reasons.append(NO_DRAGON_CHOW)
    if not shapes.quad_may_split and 4 in hand.counts:
        reasons.append(
            T(
                "the four %(tile)s must be declared as a kong",
                tile=KINDS[hand.counts.index(4)].code,
            )
        )
    if not reasons and is_finished(hand, replace(shapes, max_chows=4)):
        reasons.append(T("under these rules a hand has at most %(n)s chows", n=shapes.max_chows))
    return (*(reasons or [_no_form(profile)]), *_distance(hand, profile))


def _distance(hand: Hand, profile: Profile) -> Iterator[T]:
    """How many tiles away the hand is; nothing where its melds rule every finished hand out."""
    away = shanten(hand, profile.shapes).best + 1
    if away == 1:
        yield T("another tile in place of one of these would finish the hand")
    elif 1 < away <= len(hand.concealed):
        yield T("%(count)s tiles would have to be others to finish the hand", count=away)


def _no_form(profile: Profile) -> T:
    forms = profile.shapes.forms
    if forms >= {"seven_pairs", "thirteen_orphans"}:
        return T("the tiles form neither four sets and a pair, seven pairs nor thirteen orphans")
    if "seven_pairs" in forms:
        return T("the tiles form neither four sets and a pair nor seven pairs")
    if "thirteen_orphans" in forms:
        return T("the tiles form neither four sets and a pair nor thirteen orphans")
    return T("the tiles do not form four sets and a pair")

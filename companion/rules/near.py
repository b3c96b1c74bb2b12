"""Near misses: patterns that one more step would have given, with what is missing.

A near miss is meaningful when one set or pair spoils the pattern, or one tile is missing from a set of
honours or of flowers. What the hand has already, or what something it has contains, is not named.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.decomposition import DRAGONS, ORPHANS, WIND_INDICES, Block, Reading
from companion.rules.knitted import HONOURS
from companion.rules.patterns import (
    REGISTRY,
    Facts,
    Tiles,
    is_all_pungs,
    pair_of_chows_hand,
)
from companion.rules.sheet import Near
from companion.text import T
from companion.tiles import BONUS, KINDS

_SUIT_WORDS = {"m": T("characters"), "p": T("circles"), "s": T("bamboos")}


def near_misses(
    facts: Facts, reading: Reading, present: frozenset[str], faan: int
) -> tuple[Near, ...]:
    """What the hand just misses, the most valuable first.

    Args:
        facts: the hand and its circumstances.
        reading: how it was read.
        present: patterns that count already.
        faan: what it is worth; at the limit nothing is missing.
    """
    profile = facts.profile
    if faan >= profile["rules.limit"]:
        return ()
    covered = present.union(*(profile.replaced_by[name] for name in present))
    found: dict[str, Near] = {}
    for name, missing in _candidates(facts, reading):
        rule = profile.patterns.get(name)
        if rule is None or not rule.is_on or name in covered or name in found:
            continue
        value = profile["rules.limit"] if rule.is_limit else rule.leaf.value
        found[name] = Near(name, rule.names, value, missing)
    return tuple(sorted(found.values(), key=lambda near: -near.value))


def _candidates(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    if reading.form == "standard":
        yield from _forms(facts, reading)
        yield from _honour_families(reading)
        yield from _honour_pairs(facts, reading)
    yield from _flushes(facts, reading)
    yield from _flowers(facts)


def _codes(tiles: Tiles) -> tuple[str, ...]:
    return tuple(tile.code for tile in tiles)


def _groups(facts: Facts, reading: Reading) -> list[Tiles]:
    """The sets and pairs that the reading is made of."""
    if reading.form == "seven_pairs":
        return [(KINDS[i],) * 2 for i, c in enumerate(facts.hand.counts) for _ in range(c // 2)]
    if reading.form != "standard":
        return []
    return [*map(facts.tiles_of, reading.blocks), (KINDS[reading.pair],) * 2]


def _flushes(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    """One suit (or the honours) in a single set or pair stands in the way of a flush."""
    groups = _groups(facts, reading)
    if len(facts.suits) == 2:
        for suit in facts.suits:
            off = [group for group in groups if group[0].suit == suit]
            if len(off) == 1:
                text = T(
                    "one suit short: %(tiles)s are %(suit)s",
                    tiles=_codes(off[0]),
                    suit=_SUIT_WORDS[suit],
                )
                yield ("half_flush" if facts.honours else "full_flush"), text
                if not facts.honours:
                    yield "half_flush", text
    if len(facts.suits) == 1 and facts.honours:
        off = [group for group in groups if group[0].is_honour]
        if len(off) == 1:
            yield "full_flush", T("honours in the way: %(tiles)s", tiles=_codes(off[0]))


def _forms(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    chows = [block for block in reading.blocks if block.kind == "chow"]
    pungs = [block for block in reading.blocks if block.kind != "chow"]
    if len(chows) == 1:
        tiles = _codes(facts.tiles_of(chows[0]))
        yield "all_pungs", T("one set is a chow: %(tiles)s", tiles=tiles)
    if len(pungs) == 1 and pair_of_chows_hand(facts, reading) is None:
        tiles = _codes(facts.tiles_of(pungs[0]))
        yield "all_chows", T("one set is no chow: %(tiles)s", tiles=tiles)
    opened = [block for block in pungs if block.is_open]
    # Where only the winning tile opened it, the excluded lines already say so.
    if not chows and len(opened) == 1 and opened[0].is_laid:
        tiles = _codes(facts.tiles_of(opened[0]))
        yield "hidden_pungs", T("one set was made with a discard: %(tiles)s", tiles=tiles)
    if reading.kongs == 3 and not chows:
        rest = next(block for block in reading.blocks if block.kind != "kong")
        yield "four_kongs", T("a fourth kong: one more %(tile)s", tile=KINDS[rest.base].code)
    if is_all_pungs(reading):
        yield from _one_group_off(facts, reading)


def _one_group_off(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    """A hand of pungs in which one set or the pair is not of the wanted tiles."""
    groups = [(block.base, facts.tiles_of(block)) for block in reading.blocks]
    groups.append((reading.pair, (KINDS[reading.pair],) * 2))
    wanted = {
        "all_honours": HONOURS,
        "all_terminals": tuple(index for index in ORPHANS if index < 27),
        "mixed_terminals": ORPHANS,
    }
    for name, fitting in wanted.items():
        off = [tiles for index, tiles in groups if index not in fitting]
        if len(off) == 1:
            yield name, T("one set or pair in the way: %(tiles)s", tiles=_codes(off[0]))


def _honour_families(reading: Reading) -> Iterator[tuple[str, T]]:
    families = (("dragons", DRAGONS), ("winds", WIND_INDICES))
    for family, indices in families:
        pungs = [block.base for block in reading.pungs_of(indices)]
        missing = [index for index in indices if index not in pungs]
        if len(missing) != 1:
            continue
        tile = KINDS[missing[0]].code
        if reading.pair == missing[0]:
            yield f"big_{family}", T("a third %(tile)s", tile=tile)
        else:
            yield f"small_{family}", T("a pair of %(tile)s", tile=tile)


def _honour_pairs(facts: Facts, reading: Reading) -> Iterator[tuple[str, T]]:
    """The pair would count as a pung."""
    text = T("a third %(tile)s: the pair would be a pung", tile=KINDS[reading.pair].code)
    as_pung = Reading("standard", (Block("pung", reading.pair),))
    for name in ("dragon_pung", "seat_wind", "round_wind"):
        if REGISTRY[name](facts, as_pung):
            yield name, text


def _flowers(facts: Facts) -> Iterator[tuple[str, T]]:
    for suit in "fg":
        family = [tile for tile in BONUS if tile.suit == suit]
        missing = [tile for tile in family if tile not in facts.hand.bonus]
        if len(missing) == 1:
            yield "flower_set", T("only %(tile)s is missing", tile=missing[0].code)

"""Yaku that a riichi hand just misses: one act or one tile more would have given them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.decomposition import DRAGONS, Reading
from companion.rules.profile import Profile
from companion.rules.riichi.marks import EAST
from companion.rules.riichi.situation import Situation
from companion.rules.riichi.value import Value
from companion.rules.riichi.yaku import YAKU
from companion.rules.sheet import Near
from companion.text import T
from companion.tiles import KINDS, WINDS

_DRAGON_YAKU: Final = dict(zip(DRAGONS, ("haku", "hatsu", "chun"), strict=True))


def near_misses(
    hand: Hand,
    now: Circumstances,
    its: Situation,
    value: Value,
    reading: Reading | None,
    profile: Profile,
) -> tuple[Near, ...]:
    """What would have added han, the most valuable first; nothing beside a yakuman."""
    if value.is_yakuman:
        return ()
    opened = hand.is_open
    found = []
    for name, missing in _candidates(hand, now, its, value, reading):
        han = profile[f"yaku.{name}"][1 if opened else 0]
        if name == "tanyao" and opened and not profile["riichi.open_tanyao"]:
            continue
        if han and name not in value.yaku:
            found.append(Near(name, YAKU[name].names, han, missing))
    return tuple(sorted(found, key=lambda near: -near.value))


def _candidates(
    hand: Hand, now: Circumstances, its: Situation, value: Value, reading: Reading | None
) -> Iterator[tuple[str, T]]:
    first_turn = its.tenhou or its.chiihou or its.renhou
    if not hand.is_open and not first_turn:
        if not its.riichi:
            yield "riichi", T("declare it when the closed hand is one tile from winning")
        if not now.is_self_draw:
            yield "tsumo", T("draw the winning tile yourself")
    if reading is None or reading.form != "standard":
        return
    pair = reading.pair
    third = T("a third %(tile)s: the pair would be a triplet", tile=KINDS[pair].code)
    if pair in _DRAGON_YAKU:
        yield _DRAGON_YAKU[pair], third
    if pair == EAST + WINDS.index(now.seat):
        yield "seat_wind", third
    if pair == EAST + WINDS.index(now.round):
        yield "round_wind", third
    odd = [block for block in reading.blocks if block.kind == "chow"]
    if len(odd) == 1:
        tiles = tuple(KINDS[index].code for index in odd[0].indices)
        yield "toitoi", T("one set is a sequence: %(tiles)s", tiles=tiles)
    outside = sorted({tile.kind for tile in hand.tiles if not tile.is_simple})
    if len(outside) == 1:
        yield "tanyao", T("one tile in the way: %(tile)s", tile=outside[0].code)

"""Counting by set points: every pung, kong and pair has its points, more when it is hidden.

The readings of a finished hand differ in what the discarded tile opens; the one with the most points
counts, among equals the first in the order of `companion.rules.decomposition.readings`. In a hand that
did not win, what is hidden counts as it lies: no discard was added to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.decomposition import DRAGONS, Block, Reading, laid_blocks, readings
from companion.rules.profile import Profile
from companion.rules.refusals import why_unfinished
from companion.rules.sheet import Line, ScoreSheet
from companion.rules.vocabulary import Names
from companion.text import T
from companion.tiles import KINDS, Tile

_TILES: Final = {
    "simple": Names("del 2 al 8", "of 2 to 8", "中張"),
    "terminal": Names("de 1 o 9", "of 1 or 9", "么九"),
    "wind": Names("de vientos", "of winds", "風牌"),
    "dragon": Names("de dragones", "of dragons", "三元牌"),
}
_SETS: Final = {"pung": Names("Pung", "Pung", "刻"), "kong": Names("Kong", "Kong", "槓")}
_VISIBLE: Final = Names("visible", "visible", "明")
_HIDDEN: Final = Names("oculto", "hidden", "暗")
_DRAGON_PAIR: Final = Names("Pareja de dragones, oculta", "Pair of dragons, hidden", "三元對")
_OPEN_DRAGON_PAIR: Final = Names(
    "Pareja de dragones, visible", "Pair of dragons, visible", "三元對"
)
_PAIR: Final = Names("Pareja", "Pair", "對")
_CHOW: Final = Names("Chow", "Chow", "順")
_MAHJONG: Final = Names("Mahjong", "Mahjong", "和")
_BONUS: Final = Names("Flor o estación", "Flower or season", "花")


def score_points(hand: Hand, now: Circumstances, profile: Profile) -> ScoreSheet:
    """Count a hand whose flags are clear; see `companion.rules.scoring.score`."""
    best: tuple[int, tuple[Line, ...], Reading] | None = None
    for reading in readings(hand, profile.shapes, by_discard=not now.is_self_draw):
        lines = (*_lines_of_reading(reading, hand, now, profile), *_bonus_lines(hand, profile))
        total = sum(line.value for line in lines)
        if best is None or total > best[0]:
            best = (total, lines, reading)
    if best is None:
        return ScoreSheet(
            profile,
            complete=False,
            can_win=False,
            values={"points": None},
            why=why_unfinished(hand, profile),
        )
    total, lines, won_reading = best
    lines += (_line("mahjong", _MAHJONG, profile["points.mahjong"], (), profile, "points.mahjong"),)
    return ScoreSheet(
        profile,
        complete=True,
        can_win=True,
        values={"points": total + profile["points.mahjong"]},
        lines=tuple(line for line in lines if line.value),
        reading=won_reading,
        details={"payment_note": payment_note(profile)},
    )


UNSEEN: Final = T("the unseen tiles of this hand count nothing: lay it open and count it again")


def unseen_tiles(hand: Hand) -> int:
    """Tiles of a hand that are face down or not known."""
    laid = [tile for meld in hand.melds for tile in meld.tiles]
    return sum(tile.index is None and not tile.is_bonus for tile in (*hand.concealed, *laid))


def count_loser(hand: Hand, profile: Profile) -> ScoreSheet:
    """The points of a hand that did not win: its melds, and what lies hidden in it.

    Hidden pungs and pairs of dragons count; four alike that were not declared count as the profile's
    ``rules.undeclared_kong`` says. Tiles that nobody saw count nothing, and a remark says so.
    """
    quad: str = profile.get("rules.undeclared_kong", "pung")
    known = tuple(meld for meld in hand.melds if meld.tiles[0].index is not None)
    blocks = list(laid_blocks(replace(hand, melds=known)))
    lines: list[Line] = []
    for index, count in enumerate(hand.counts):
        if count == 4 and quad == "kong":
            blocks.append(Block("kong", index))
        elif count >= 3:
            blocks.append(Block("pung", index))
        elif count == 2:
            lines.append(_pair_line(index, False, profile))
    lines = [*(_block_line(block, profile) for block in blocks), *lines]
    lines += _bonus_lines(hand, profile)
    return ScoreSheet(
        profile,
        complete=False,
        can_win=False,
        values={"points": sum(line.value for line in lines)},
        lines=tuple(line for line in lines if line.value),
        why=(T("a hand that did not win"),),
        remarks=(UNSEEN,) if unseen_tiles(hand) else (),
        details={"payment_note": payment_note(profile)},
    )


def count_sets(
    blocks: Sequence[Block],
    pairs: Sequence[tuple[int, bool]],
    profile: Profile,
    *,
    mahjong: bool,
) -> ScoreSheet:
    """The points of sets as somebody arranged them.

    Args:
        blocks: chows, pungs and kongs.
        pairs: each pair's kind 0..33 and whether it is visible.
        profile: the rules.
        mahjong: whether the hand won.
    """
    lines = [_block_line(block, profile) for block in blocks]
    lines += [_pair_line(index, is_open, profile) for index, is_open in pairs]
    if mahjong:
        bonus: int = profile["points.mahjong"]
        lines.append(_line("mahjong", _MAHJONG, bonus, (), profile, "points.mahjong"))
    complete = mahjong and len(blocks) == 4 and len(pairs) == 1
    return ScoreSheet(
        profile,
        complete=complete,
        can_win=complete,
        values={"points": sum(line.value for line in lines)},
        lines=tuple(line for line in lines if line.value),
        why=() if complete else (T("a hand that did not win"),),
        details={"payment_note": payment_note(profile)},
    )


def payment_note(profile: Profile) -> T:
    """Why one hand alone does not say who pays whom."""
    if profile["payment.kind"] == "differences":
        return T("each pays the difference between the hands: it takes the points of all four")
    return T("the document does not say who pays whom: the table decides")


def _lines_of_reading(
    reading: Reading, hand: Hand, now: Circumstances, profile: Profile
) -> list[Line]:
    lines = [_block_line(block, profile) for block in reading.blocks]
    if reading.form == "standard":
        lines.append(_pair_line(reading.pair, reading.won_in == -1, profile))
    elif reading.form == "seven_pairs":
        opened = None if now.is_self_draw or hand.winning is None else hand.winning.index
        lines += [
            _pair_line(index, index == opened and number == 0, profile)
            for index, count in enumerate(hand.counts)
            for number in range(count // 2)
        ]
    return lines


def _bonus_lines(hand: Hand, profile: Profile) -> list[Line]:
    value: int = profile.get("points.bonus_tile", 0)
    return [
        _line("bonus_tile", _BONUS, value, (tile,), profile, "points.bonus_tile")
        for tile in hand.bonus
        if value
    ]


def _block_line(block: Block, profile: Profile) -> Line:
    tiles = tuple(KINDS[index] for index in block.indices)
    if block.kind == "chow":
        return _seen_line("chow", _CHOW, block.is_open, tiles, profile)
    family = _family(KINDS[block.base])
    sets, tile = _SETS[block.kind], _TILES[family]
    seen = _VISIBLE if block.is_open else _HIDDEN
    names = Names(
        f"{sets.es} {tile.es}, {seen.es}",
        f"{sets.en} {tile.en}, {seen.en}",
        f"{tile.zh}{seen.zh}{sets.zh}",
    )
    return _seen_line(f"{block.kind}_{family}", names, block.is_open, tiles, profile)


def _pair_line(index: int, is_open: bool, profile: Profile) -> Line:
    tiles = (KINDS[index],) * 2
    if index not in DRAGONS:
        return _seen_line("pair", _PAIR, is_open, tiles, profile)
    names = _OPEN_DRAGON_PAIR if is_open else _DRAGON_PAIR
    return _seen_line("pair_dragon", names, is_open, tiles, profile)


def _seen_line(
    name: str, names: Names, is_open: bool, tiles: tuple[Tile, ...], profile: Profile
) -> Line:
    key = f"points.{name}"
    visible, hidden = profile[key]
    return _line(name, names, visible if is_open else hidden, tiles, profile, key)


def _line(
    name: str, names: Names, value: int, tiles: tuple[Tile, ...], profile: Profile, key: str
) -> Line:
    return Line(name, names, value, tiles, profile.leaves[key].source)


def _family(tile: Tile) -> str:
    if tile.is_wind:
        return "wind"
    if tile.is_dragon:
        return "dragon"
    return "terminal" if tile.is_terminal else "simple"

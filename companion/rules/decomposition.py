"""All the ways to read the tiles of a hand as a finished hand.

A reading is four sets and a pair, seven pairs, thirteen orphans, or a hand of knitted tiles. Each suit is
split on its own and the splits are remembered by its nine counts, so that a hand that was seen before
costs little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple

from companion.hand import Hand
from companion.rules.knitted import DIFFERENT, beside_knittings, different_tiles

Form = Literal["standard", "seven_pairs", "thirteen_orphans", "knitted"]
BlockKind = Literal["chow", "pung", "kong"]

ORPHANS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
"""Indices of the terminals and honours."""
GROUPS: Final = ((0, 9), (9, 18), (18, 27), (27, 31), (31, 34))
"""Index ranges of the three suits, the winds and the dragons."""
WIND_INDICES: Final = (27, 28, 29, 30)
DRAGONS: Final = (31, 32, 33)
_SPLITS_KEPT: Final = 1 << 15


class Block(NamedTuple):
    """One set of a reading.

    Attributes:
        kind: chow, pung or kong.
        base: the kind of its (lowest) tile, 0..33; three dragons in a row start at 31.
        is_open: another player's tile helped to make it: a claimed meld, or completed by the win.
        is_laid: it was laid on the table before the win.
    """

    kind: BlockKind
    base: int
    is_open: bool = False
    is_laid: bool = False

    def holds(self, index: int) -> bool:
        """Whether a tile of this kind is part of it."""
        if self.kind == "chow":
            return self.base <= index <= self.base + 2
        return index == self.base

    @property
    def indices(self) -> tuple[int, ...]:
        """Tile kinds with repetition."""
        if self.kind == "chow":
            return (self.base, self.base + 1, self.base + 2)
        return (self.base,) * (4 if self.kind == "kong" else 3)


@dataclass(frozen=True, slots=True)
class Shapes:
    """Which hands count as finished: the part of a rule profile that reading the tiles needs."""

    forms: frozenset[Form] = frozenset({"standard", "seven_pairs", "thirteen_orphans"})
    dragon_chow: bool = False
    seven_pairs_quad: bool = False
    quad_may_split: bool = True
    max_chows: int = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a finished hand.

    Attributes:
        form: standard, seven pairs, thirteen orphans or knitted tiles.
        blocks: the four sets of a standard hand, melds included; empty for the others.
        pair: the pair's kind 0..33 in a standard hand, the doubled orphan's in thirteen orphans,
            -1 for the others.
        won_in: the position in `blocks` of the set that the winning tile completed, -1 for the pair,
            None where it makes no difference (self-draw, all but standard hands).
    """

    form: Form
    blocks: tuple[Block, ...] = ()
    pair: int = -1
    won_in: int | None = None

    @property
    def chows(self) -> int:
        return sum(block.kind == "chow" for block in self.blocks)

    @property
    def kongs(self) -> int:
        return sum(block.kind == "kong" for block in self.blocks)

    def pungs_of(self, indices: tuple[int, ...] | range) -> list[Block]:
        """The pungs and kongs among `indices`."""
        return [b for b in self.blocks if b.kind != "chow" and b.base in indices]


def readings(hand: Hand, shapes: Shapes, *, by_discard: bool) -> Iterator[Reading]:
    """Every reading of a hand of 14 (kongs counted as three), in a fixed order.

    A tile won by discard opens the set it completes, so there is one reading for every set (or the
    pair) that it can stand in. The order is: standard readings with the most pungs first, then lower
    tiles first; then seven pairs; then thirteen orphans; then knitted tiles.
    """
    if "standard" in shapes.forms:
        winning = hand.winning.index if hand.winning is not None and by_discard else None
        for blocks, pair in _standard(hand, shapes):
            if winning is None:
                yield Reading("standard", blocks, pair)
            else:
                yield from _with_discard(blocks, pair, winning)
    if not hand.melds:
        yield from _without_sets(hand, shapes)
    if "knitted" in shapes.forms and is_knitted(hand):
        yield Reading("knitted")


def _without_sets(hand: Hand, shapes: Shapes) -> Iterator[Reading]:
    if "seven_pairs" in shapes.forms and is_seven_pairs(hand.counts, quad=shapes.seven_pairs_quad):
        yield Reading("seven_pairs")
    if "thirteen_orphans" in shapes.forms:
        doubled = doubled_orphan(hand.counts)
        if doubled is not None:
            yield Reading("thirteen_orphans", pair=doubled)


def is_finished(hand: Hand, shapes: Shapes) -> bool:
    """Whether there is any reading."""
    return next(readings(hand, shapes, by_discard=False), None) is not None


def may_lie(blocks: Iterable[Block], shapes: Shapes) -> bool:
    """Whether the rules know all these sets: three dragons are a chow under some alone."""
    return shapes.dragon_chow or all(b.kind != "chow" or b.base not in DRAGONS for b in blocks)


def is_seven_pairs(counts: tuple[int, ...], *, quad: bool) -> bool:
    """Whether 14 tiles are seven pairs; with `quad`, four alike are two of them."""
    if quad:
        return sum(counts) == 14 and all(count % 2 == 0 for count in counts)
    return sum(counts) == 14 and counts.count(2) == 7


def is_knitted(hand: Hand) -> bool:
    """Whether it is honours and knitted tiles, or a whole knitting with a set and a pair."""
    counts = hand.counts
    if not hand.melds and max(counts) == 1:
        return different_tiles(counts) == DIFFERENT
    return len(hand.melds) <= 1 and any(
        not missing and all(split_group(left[low:high], low < 27) for low, high in GROUPS)
        for _, missing, left in beside_knittings(counts)
    )


def doubled_orphan(counts: tuple[int, ...]) -> int | None:
    """The kind that a thirteen-orphans hand holds twice, or None when it is not one."""
    if sum(counts) != 14 or any(counts[index] == 0 for index in ORPHANS):
        return None
    doubled = [index for index in ORPHANS if counts[index] == 2]
    return doubled[0] if len(doubled) == 1 else None


def laid_blocks(hand: Hand) -> tuple[Block, ...]:
    """The melds as blocks."""
    blocks = []
    for meld in hand.melds:
        kind: BlockKind = "kong" if meld.is_kong else "chow" if meld.kind == "chow" else "pung"
        index = meld.tiles[0].index
        if index is None:
            raise ValueError(f"meld {meld} holds a tile of no kind; ask Hand.flags first")
        blocks.append(Block(kind, index, is_open=not meld.is_concealed, is_laid=True))
    return tuple(blocks)


def _standard(hand: Hand, shapes: Shapes) -> list[tuple[tuple[Block, ...], int]]:
    """Four sets and a pair: every split of the concealed tiles with the melds added."""
    laid = laid_blocks(hand)
    counts = hand.counts
    if not may_lie(laid, shapes):
        return []
    if not shapes.quad_may_split and 4 in counts:
        return []
    found: list[tuple[tuple[Block, ...], int]] = []
    per_group = [
        split_group(counts[low:high], low < 27 or (low == 31 and shapes.dragon_chow))
        for low, high in GROUPS
    ]
    if not all(per_group):
        return []
    for parts in product(*per_group):
        pairs = [
            low + part.pair for part, (low, _) in zip(parts, GROUPS, strict=True) if part.pair >= 0
        ]
        if len(pairs) != 1:
            continue
        blocks: tuple[Block, ...] = tuple(
            Block("chow" if is_chow else "pung", low + rank)
            for part, (low, _) in zip(parts, GROUPS, strict=True)
            for is_chow, rank in part.sets
        )
        blocks += laid
        if len(blocks) == 4 and sum(b.kind == "chow" for b in blocks) <= shapes.max_chows:
            found.append((blocks, pairs[0]))
    found.sort(key=lambda each: sum(block.kind == "chow" for block in each[0]))
    return found


def _with_discard(blocks: tuple[Block, ...], pair: int, winning: int) -> Iterator[Reading]:
    """One reading for each place where the discarded winning tile can stand."""
    seen = set()
    for at, block in enumerate(blocks):
        if block.is_laid or not block.holds(winning) or block in seen:
            continue
        seen.add(block)
        opened = (*blocks[:at], block._replace(is_open=True), *blocks[at + 1 :])
        yield Reading("standard", opened, pair, at)
    if pair == winning:
        yield Reading("standard", blocks, pair, -1)


class Split(NamedTuple):
    """One way to cut up the tiles of a group: sets as (is a chow, rank from 0), and the pair or -1."""

    sets: tuple[tuple[bool, int], ...]
    pair: int


@lru_cache(maxsize=_SPLITS_KEPT)
def split_group(counts: tuple[int, ...], chows: bool) -> tuple[Split, ...]:
    """Every way to cut one group's tiles into sets and at most one pair, using all of them.

    Args:
        counts: copies of each rank, 9 for a suit, 4 for the winds, 3 for the dragons.
        chows: whether neighbours may form chows.
    """
    total = sum(counts)
    if total % 3 == 1:
        return ()
    if total % 3 == 0:
        return tuple(Split(sets, -1) for sets in _sets(counts, chows))
    found = []
    for rank, count in enumerate(counts):
        if count >= 2:
            rest = (*counts[:rank], count - 2, *counts[rank + 1 :])
            found += [Split(sets, rank) for sets in _sets(rest, chows)]
    return tuple(found)


@lru_cache(maxsize=_SPLITS_KEPT)
def _sets(counts: tuple[int, ...], chows: bool) -> tuple[tuple[tuple[bool, int], ...], ...]:
    """Every way to cut tiles into sets alone, lowest rank first."""
    first = next((rank for rank, count in enumerate(counts) if count), None)
    if first is None:
        return ((),)
    found = []
    if counts[first] >= 3:
        rest = (*counts[:first], counts[first] - 3, *counts[first + 1 :])
        found += [((False, first), *more) for more in _sets(rest, chows)]
    if chows and first + 2 < len(counts) and counts[first + 1] and counts[first + 2]:
        left = list(counts)
        for rank in range(first, first + 3):
            left[rank] -= 1
        found += [((True, first), *more) for more in _sets(tuple(left), chows)]
    return tuple(found)

"""How far a hand is from waiting, and which tiles bring it nearer.

*Shanten* is the number of exchanges until the hand waits: -1 finished, 0 waiting. It is worked out as
the fewest tiles to draw for some finished hand, less one, where no finished hand uses more than the four
copies there are (so four alike cannot wait for a fifth). Each suit is solved on its own by a table of
"fewest tiles for so many sets and a pair", remembered by its counts; the tables are then added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from companion.hand import Hand
from companion.rules.decomposition import GROUPS, ORPHANS, Shapes
from companion.rules.knitted import DIFFERENT, beside_knittings, different_tiles
from companion.tiles import KINDS, Tile

_COPIES: Final = 4
_SETS: Final = 4
OUT_OF_REACH: Final = 99
"""More tiles than any hand needs: the melds rule every finished hand out."""
_FAR: Final = OUT_OF_REACH
_TABLE_SIZE: Final = 2 * (_SETS + 1)
_NOTHING: Final = (0, *(_FAR,) * (_TABLE_SIZE - 1))
_NEVER: Final = (_FAR,) * _TABLE_SIZE
_FREE: Final = -1
"""A chow budget without limit."""
_CACHE: Final = 1 << 16

Table = tuple[int, ...]
"""Fewest tiles to draw for ``sets`` sets and ``pairs`` pairs, at position ``2 * sets + pairs``."""


@dataclass(frozen=True, slots=True)
class Shanten:
    """Distances of one hand; None for a form that the rules or the melds rule out."""

    standard: int | None
    seven_pairs: int | None
    thirteen_orphans: int | None
    knitted: int | None = None

    @property
    def best(self) -> int:
        """The smallest of them; `OUT_OF_REACH` when there is none."""
        found = (self.standard, self.seven_pairs, self.thirteen_orphans, self.knitted)
        return min((n for n in found if n is not None), default=OUT_OF_REACH)


@dataclass(frozen=True, slots=True)
class Useful:
    """A tile that brings a hand nearer, and how many copies nobody has been seen to hold."""

    tile: Tile
    live: int


def shanten(hand: Hand, shapes: Shapes) -> Shanten:
    """Distances of a hand of 13 or 14 tiles (kongs counted as three)."""
    return _shanten(hand.counts, _Laid.of(hand), shapes)


def useful_tiles(
    hand: Hand, shapes: Shapes, visible: Iterable[Tile] = ()
) -> tuple[Shanten, tuple[Useful, ...]]:
    """The shanten of a hand of 13 tiles and every tile that lowers it.

    Args:
        hand: a hand without the tile to be drawn.
        shapes: which hands are finished.
        visible: tiles seen elsewhere (discards, others' melds), not those of the hand itself.

    Returns:
        The distances, and the useful tiles by kind; tiles of which all copies are seen have ``live`` 0.
    """
    laid = _Laid.of(hand)
    now = _shanten(hand.counts, laid, shapes)
    found = []
    for index, live in enumerate(live_copies(hand, visible)):
        if hand.all_counts[index] == _COPIES:
            continue
        counts = (*hand.counts[:index], hand.counts[index] + 1, *hand.counts[index + 1 :])
        if _shanten(counts, laid, shapes).best < now.best:
            found.append(Useful(KINDS[index], live))
    return now, tuple(found)


def live_copies(hand: Hand, visible: Iterable[Tile]) -> tuple[int, ...]:
    """Copies of each of the 34 kinds that are neither in the hand nor in `visible`."""
    left = [_COPIES - own for own in hand.all_counts]
    for tile in visible:
        if tile.index is not None:
            left[tile.index] -= 1
    return tuple(max(copies, 0) for copies in left)


class _Laid(NamedTuple):
    """What the melds take: how many there are, how many are chows, and copies of each kind.

    `dragon_chow` says that the three dragons lie as a chow, which few rules allow.
    """

    melds: int
    chows: int
    counts: tuple[int, ...]
    dragon_chow: bool = False

    @classmethod
    def of(cls, hand: Hand) -> _Laid:
        taken = (have - own for have, own in zip(hand.all_counts, hand.counts, strict=True))
        chows = [meld for meld in hand.melds if meld.kind == "chow"]
        dragons = any(meld.tiles[0].is_dragon for meld in chows)
        return cls(len(hand.melds), len(chows), tuple(taken), dragons)


def _shanten(counts: tuple[int, ...], laid: _Laid, shapes: Shapes) -> Shanten:
    forms = shapes.forms
    return Shanten(
        _standard(counts, laid, shapes) if "standard" in forms else None,
        _seven_pairs(counts, quad=shapes.seven_pairs_quad)
        if "seven_pairs" in forms and not laid.melds
        else None,
        _thirteen_orphans(counts) if "thirteen_orphans" in forms and not laid.melds else None,
        _knitted(counts, laid) if "knitted" in forms else None,
    )


def _standard(counts: tuple[int, ...], laid: _Laid, shapes: Shapes) -> int | None:
    """Distance to four sets and a pair, or None when the melds rule it out."""
    if laid.dragon_chow and not shapes.dragon_chow:
        return None
    most = _COPIES if shapes.quad_may_split else _COPIES - 1
    caps = tuple(min(most, _COPIES - taken) for taken in laid.counts)
    wanted = 2 * (_SETS - laid.melds) + 1
    best = min(
        (_fewest(counts, caps, budgets, wanted) for budgets in _budgets(shapes, laid.chows)),
        default=_FAR,
    )
    return None if best >= _FAR else best - 1


def _fewest(
    counts: tuple[int, ...], caps: tuple[int, ...], budgets: tuple[int, ...], wanted: int
) -> int:
    """Tiles to draw for the sets and the pair that stand at position `wanted` of a table."""
    tables = [
        _table(counts[low:high], caps[low:high], 0, 0, budget)
        for (low, high), budget in zip(GROUPS, budgets, strict=True)
    ]
    total = tables[0]
    for table in tables[1:]:
        total = _added(total, table)
    return total[wanted]


def _knitted(counts: tuple[int, ...], laid: _Laid) -> int | None:
    """Distance to honours and knitted tiles, or to a whole knitting with a set and a pair."""
    if laid.melds > 1:
        return None
    best = _FAR if laid.melds else DIFFERENT - different_tiles(counts)
    budgets = (_FREE, _FREE, _FREE, 0, 0)
    for knitting, missing, left in beside_knittings(counts):
        caps = tuple(
            max(0, _COPIES - taken - (index in knitting)) for index, taken in enumerate(laid.counts)
        )
        if all(laid.counts[index] < _COPIES for index in knitting):
            best = min(best, missing + _fewest(left, caps, budgets, 2 * (1 - laid.melds) + 1))
    return None if best >= _FAR else best - 1


def _budgets(shapes: Shapes, laid_chows: int) -> Iterator[tuple[int, int, int, int, int]]:
    """How many chows each group may still hold: winds none, the dragons only where they form chows."""
    if shapes.max_chows >= _SETS:
        yield (_FREE, _FREE, _FREE, 0, _FREE if shapes.dragon_chow else 0)
        return
    most = shapes.max_chows - laid_chows
    for m in range(most + 1):
        for p in range(most + 1 - m):
            for s in range(most + 1 - m - p):
                rest = most - m - p - s
                if shapes.dragon_chow:
                    yield (m, p, s, 0, rest)
                elif rest == 0:
                    yield (m, p, s, 0, 0)


@lru_cache(maxsize=_CACHE)
def _table(
    counts: tuple[int, ...], caps: tuple[int, ...], third: int, second: int, budget: int
) -> Table:
    """The table of the ranks from here on.

    Args:
        counts: copies held of each rank.
        caps: copies of each rank that the finished hand may hold.
        third: chows begun two ranks before, which need this rank as their last tile.
        second: chows begun one rank before, which need this rank in their middle.
        budget: chows that may still begin, or `_FREE`.
    """
    if not counts:
        return _NOTHING
    begun = third + second
    # Three equal chows are three pungs of the same tiles, so two of them are enough to try.
    most_chows = min(2, budget if budget != _FREE else 2) if len(counts) >= 3 else 0
    best = list(_NEVER)
    for chows in range(most_chows + 1):
        left = budget if budget == _FREE else budget - chows
        after = _table(counts[1:], caps[1:], second, chows, left)
        for pungs, pairs in ((0, 0), (1, 0), (0, 1)):
            tiles = begun + chows + 3 * pungs + 2 * pairs
            if tiles > caps[0]:
                continue
            cost = max(0, tiles - counts[0])
            step = 2 * (chows + pungs) + pairs
            for at in range(_TABLE_SIZE - step):
                # A pair here and another one later would be two pairs.
                if pairs and at % 2:
                    continue
                best[at + step] = min(best[at + step], after[at] + cost)
    return tuple(best)


@lru_cache(maxsize=_CACHE)
def _added(left: Table, right: Table) -> Table:
    """The table of two groups together."""
    best = list(_NEVER)
    for a, cost in enumerate(left):
        for b, more in enumerate(right):
            at = a + b
            if at < _TABLE_SIZE and not (a % 2 and b % 2) and cost + more < best[at]:
                best[at] = cost + more
    return tuple(best)


def _seven_pairs(counts: tuple[int, ...], *, quad: bool) -> int:
    if quad:
        return 6 - sum(count // 2 for count in counts)
    pairs = sum(count >= 2 for count in counts)
    kinds = sum(count >= 1 for count in counts)
    return 6 - pairs + max(0, 7 - kinds)


def _thirteen_orphans(counts: tuple[int, ...]) -> int:
    kinds = sum(counts[index] >= 1 for index in ORPHANS)
    paired = any(counts[index] >= 2 for index in ORPHANS)
    return 13 - kinds - paired

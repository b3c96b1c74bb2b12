"""What a player is after: a finished hand to collect, near to what he holds or just wished for.

Chance comes in as a `random.Random`, so that the same seed plays the same game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final, Literal

from companion.meld import Meld
from companion.rules.decomposition import ORPHANS, Shapes
from companion.tiles import KINDS, Tile

Style = Literal["any", "chows", "flush", "half-flush", "pungs", "honours", "pairs", "orphans"]

STYLES: Final[tuple[Style, ...]] = (
    "any", "chows", "flush", "half-flush", "pungs", "honours", "pairs", "orphans",
)  # fmt: skip

_COPIES: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """A finished hand that a player collects.

    Attributes:
        style: what kind of hand it is.
        sets: the sets still to be made in the hand, kinds with repetition.
        pair: the kind of the pair; None in seven pairs and thirteen orphans.
        wanted: all tiles to be held concealed, by kind.
    """

    style: Style
    sets: tuple[tuple[Tile, ...], ...]
    pair: Tile | None
    wanted: Mapping[Tile, int]

    def distance(self, held: Counter[Tile]) -> int:
        """Tiles that are still missing."""
        return sum(max(0, count - held[kind]) for kind, count in self.wanted.items())


@lru_cache(maxsize=8)
def all_sets(shapes: Shapes) -> tuple[tuple[Tile, ...], ...]:
    """Every pung and chow that a profile knows."""
    chows = [
        KINDS[start : start + 3] for suit in range(3) for start in range(9 * suit, 9 * suit + 7)
    ]
    if shapes.dragon_chow:
        chows.append(KINDS[31:34])
    return tuple((kind,) * 3 for kind in KINDS) + tuple(chows)


def plan_for(
    held: Sequence[Tile],
    melds: Sequence[Meld],
    left: Mapping[Tile, int],
    style: Style,
    shapes: Shapes,
    rng: Random,
) -> Plan | None:
    """The plan of a style that needs few tiles more, or None when the style is out of reach.

    Args:
        held: concealed tiles, bonus tiles left out.
        melds: sets already laid.
        left: copies of each kind that the player has not seen elsewhere, his own included.
        style: the kind of hand.
        shapes: which hands are finished.
        rng: breaks ties.
    """
    counts = Counter(tile.kind for tile in held)
    if style in {"pairs", "orphans"}:
        return None if melds else _special(counts, left, style, shapes, rng)
    suit = _suit_of(counts, melds, style)
    if suit is None:
        return None
    chows = sum(meld.kind == "chow" for meld in melds)
    options = [s for s in all_sets(shapes) if _fits(s, style, suit)]
    rest, sets = Counter(counts), []
    available = Counter(left)
    for _ in range(4 - len(melds)):
        usable = [
            s
            for s in options
            if _is_left(s, available) and (len(set(s)) == 1 or chows < shapes.max_chows)
        ]
        if not usable:
            return None
        best = max(usable, key=lambda s: (_overlap(s, rest), rng.random()))
        sets.append(best)
        chows += len(set(best)) > 1
        rest.subtract(best)
        rest = +rest
        available.subtract(best)
    pairs = [k for k in KINDS if available[k] >= 2 and _fits((k, k), style, suit)]
    if not pairs:
        return None
    pair = max(pairs, key=lambda k: (min(2, rest[k]), rng.random()))
    wanted = Counter(tile for s in sets for tile in s)
    wanted[pair] += 2
    return Plan(style, tuple(sets), pair, wanted)


def dream(style: Style, shapes: Shapes, rng: Random) -> Plan:
    """A plan out of nothing, for a player whom the wall will favour."""
    start = [kind for kind in KINDS for _ in range(_COPIES)]
    while True:
        held = rng.sample(start, 5)
        plan = plan_for(held, (), dict.fromkeys(KINDS, _COPIES), style, shapes, rng)
        if plan is not None:
            return plan


def _special(
    counts: Counter[Tile], left: Mapping[Tile, int], style: Style, shapes: Shapes, rng: Random
) -> Plan | None:
    form = "seven_pairs" if style == "pairs" else "thirteen_orphans"
    if form not in shapes.forms:
        return None
    if style == "orphans":
        kinds = [KINDS[index] for index in ORPHANS]
        if any(left[kind] < 1 for kind in kinds):
            return None
        doubled = max(kinds, key=lambda k: (min(left[k], counts[k], 2), rng.random()))
        if left[doubled] < 2:
            return None
        return Plan(style, (), None, Counter({k: 1 + (k is doubled) for k in kinds}))
    usable = [kind for kind in KINDS if left[kind] >= 2]
    if len(usable) < 7:
        return None
    usable.sort(key=lambda k: (min(2, counts[k]), rng.random()), reverse=True)
    return Plan(style, (), None, Counter(dict.fromkeys(usable[:7], 2)))


def _suit_of(counts: Counter[Tile], melds: Sequence[Meld], style: Style) -> str | None:
    """The suit of a flush: "" where any will do, None where the melds forbid the style."""
    laid = [tile.kind for meld in melds for tile in meld.tiles]
    if style == "pungs" and any(meld.kind == "chow" for meld in melds):
        return None
    if style == "chows" and any(meld.kind != "chow" for meld in melds):
        return None
    if style == "honours" and any(not tile.is_honour for tile in laid):
        return None
    if style not in {"flush", "half-flush"}:
        return ""
    if style == "flush" and any(tile.is_honour for tile in laid):
        return None
    suits = {tile.suit for tile in laid if tile.is_suited}
    if len(suits) > 1:
        return None
    if suits:
        return suits.pop()
    return max("mps", key=lambda s: sum(n for t, n in counts.items() if t.suit == s))


def _fits(tiles: Sequence[Tile], style: Style, suit: str) -> bool:
    first = tiles[0]
    is_run = len(set(tiles)) > 1
    if style == "flush":
        return first.suit == suit
    if style == "half-flush":
        return first.suit == suit or (first.is_honour and not is_run)
    if style == "pungs":
        return not is_run
    if style == "honours":
        return first.is_honour and not is_run
    return style != "chows" or is_run or len(tiles) == 2


def _overlap(tiles: tuple[Tile, ...], rest: Counter[Tile]) -> int:
    return sum(min(count, rest[kind]) for kind, count in _counted(tiles))


def _is_left(tiles: tuple[Tile, ...], available: Mapping[Tile, int]) -> bool:
    return all(available[kind] >= count for kind, count in _counted(tiles))


@lru_cache(maxsize=256)
def _counted(tiles: tuple[Tile, ...]) -> tuple[tuple[Tile, int], ...]:
    """A set's kinds with their counts; there are fewer than a hundred sets."""
    return tuple(Counter(tiles).items())

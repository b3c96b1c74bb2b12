"""Knitted tiles: 147 of one suit, 258 of another and 369 of the third (Mahjong Competition Rules).

Two finished hands are made with them: fourteen different tiles out of one knitting and the seven
honours, and a whole knitting of nine with a set and a pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

HONOURS: Final = tuple(range(27, 34))
DIFFERENT: Final = 14
"""Tiles of a hand of honours and knitted tiles, no two alike."""
KNITTINGS: Final = tuple(
    tuple(9 * suit + first + step for first, suit in enumerate(suits) for step in (0, 3, 6))
    for suits in permutations(range(3))
)
"""The six ways to knit the suits, each as nine kinds."""

Counts = tuple[int, ...]


def different_tiles(counts: Counts) -> int:
    """The most different tiles of the hand that one knitting and the honours hold."""
    honours = sum(counts[index] > 0 for index in HONOURS)
    return honours + max(sum(counts[index] > 0 for index in knitting) for knitting in KNITTINGS)


def beside_knittings(counts: Counts) -> Iterator[tuple[tuple[int, ...], int, Counts]]:
    """For each knitting: its kinds, how many of them are missing, and the tiles beside it."""
    for knitting in KNITTINGS:
        missing = sum(counts[index] == 0 for index in knitting)
        left = tuple(
            count - (index in knitting and count > 0) for index, count in enumerate(counts)
        )
        yield knitting, missing, left

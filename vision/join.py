"""Which tiles of one picture are those of the picture before: a row photographed in two parts that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, INDEX

_BACK: Final = INDEX[BACK]

Place = tuple[int, int]
"""Index of the picture and of the tile in it."""


@dataclass(frozen=True, slots=True)
class JoinConfig:
    """When two ends of rows are the same tiles."""

    least_tiles: int = 3
    """A shorter overlap happens by chance: "2m 3m" ends one row and begins another in every tenth hand."""
    telling: int = 1
    """So many of them must be faces: a row of backs is like every other row of backs."""
    agreement: float = 0.25
    """Least chance that two tiles have the same name, by their posteriors: one blurred tile must hide no overlap."""


DEFAULT: Final = JoinConfig()


def overlap(
    left: NDArray[np.floating], right: NDArray[np.floating], config: JoinConfig = DEFAULT
) -> int:
    """How many tiles at the end of the left row are those at the start of the right one.

    Args:
        left: (N, labels) posteriors from left to right.
        right: (M, labels) posteriors.
        config: see `JoinConfig`.

    Returns:
        The longest overlap, 0 if there is none. Rows that are the same as a whole are one row photographed twice.
    """
    agree = np.asarray(left, np.float64) @ np.asarray(right, np.float64).T
    for k in range(min(agree.shape), config.least_tiles - 1, -1):
        faces = np.count_nonzero(left[len(left) - k :].argmax(axis=1) != _BACK)
        if (
            faces >= config.telling
            and np.diagonal(agree[len(left) - k :, :k]).min() >= config.agreement
        ):
            return k
    return 0


def same_tiles(
    rows: Sequence[tuple[Sequence[int], NDArray[np.floating]]], config: JoinConfig = DEFAULT
) -> dict[Place, Place]:
    """The tiles that an earlier picture has already, as (picture, tile) -> (picture, tile) there.

    Args:
        rows: for each picture the tiles of its longest row from left to right, and all posteriors of the picture.
        config: see `JoinConfig`.
    """
    found: dict[Place, Place] = {}
    for second in range(1, len(rows)):
        first = second - 1
        (row_a, all_a), (row_b, all_b) = rows[first], rows[second]
        a, b = all_a[list(row_a)], all_b[list(row_b)]
        after, before = overlap(a, b, config), overlap(b, a, config)
        if after >= before:
            pairs = zip(row_a[len(row_a) - after :], row_b[:after], strict=True)
        else:
            pairs = zip(row_a[:before], row_b[len(row_b) - before :], strict=True)
        for i, j in pairs:
            found[second, j] = found.get((first, i), (first, i))
    return found

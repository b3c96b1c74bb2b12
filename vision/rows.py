"""Which tiles stand side by side: rows, with their sideways members, cut where the gaps are wide.

Every tile brings its own ruler: positions are taken in units of its width and height along its own two axes, so one
set of thresholds serves a close-up and a corner of a whole table, seen from any side.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RowConfig:
    """When tiles make a row; lengths in tile widths (along a row) and heights (across it)."""

    parallel_degrees: float = 22.0
    """Neighbours in a laid row lean by a few degrees; beyond this, two rows merely meet."""
    square_degrees: float = 25.0
    """A tile turned sideways is square to its row within this."""
    size_ratio: float = 1.5
    """Perspective changes neighbours by a few per cent; a larger step means that one lies behind the other."""
    overlap: float = 0.55
    """Share of their height that neighbours have in common: a tile pushed up by half no longer belongs to the row."""
    reach: float = 1.3
    """The widest gap within a loosely laid row."""
    sideways_gap: float = 0.4
    """A sideways tile of a meld touches its neighbours; this much is allowed for an inexact quad."""
    break_gap: float = 0.4
    """A row is cut at gaps above this..."""
    break_times: float = 2.2
    """...and above this many times its usual gap, so that a loosely laid row stays whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """Centres (N, 2) and own axes of N quads: ``across`` along the width, ``down`` along the height, (N, 2) pixels."""

    centres: Floats
    across: Floats
    down: Floats

    @staticmethod
    def of(quads_px: NDArray[np.floating]) -> Frames:
        """Frames of (N, 4, 2) quads whose first corner is the face's top left."""
        q = np.asarray(quads_px, np.float64).reshape(-1, 4, 2)
        return Frames(
            centres=q.mean(axis=1),
            across=(q[:, 1] - q[:, 0] + q[:, 2] - q[:, 3]) / 2,
            down=(q[:, 3] - q[:, 0] + q[:, 2] - q[:, 1]) / 2,
        )

    def __len__(self) -> int:
        return len(self.centres)

    def seen_from(self, i: int) -> tuple[Floats, Floats]:
        """All quads in the frame of quad ``i``: centres (N, 2) and half extents (N, 2), in its widths and heights."""
        basis = np.stack([self.across[i], self.down[i]], axis=1)
        inverse = np.linalg.pinv(basis)
        centres = (self.centres - self.centres[i]) @ inverse.T
        halves = (np.abs(self.across @ inverse.T) + np.abs(self.down @ inverse.T)) / 2
        return centres, halves

    def width(self, i: int) -> float:
        """Length of the width axis of quad ``i`` in pixels."""
        return float(np.hypot(*self.across[i]))

    def area(self) -> Floats:
        """(N,) areas in square pixels."""
        return np.abs(self.across[:, 0] * self.down[:, 1] - self.across[:, 1] * self.down[:, 0])


def _alignment(a: Floats, b: Floats, degrees: float) -> NDArray[np.bool_]:
    """(N, N): whether line i of ``a`` and line j of ``b`` lie within so many degrees of each other."""
    a = a / np.maximum(np.hypot(a[:, 0], a[:, 1]), 1e-9)[:, None]
    b = b / np.maximum(np.hypot(b[:, 0], b[:, 1]), 1e-9)[:, None]
    return np.abs(a @ b.T) >= np.cos(np.radians(degrees))


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles in a row.

    Attributes:
        tiles: indices from left to right as the row's tiles see it.
        sideways: which of them lie across.
        line: rows cut from one line at wide gaps have the same number.
    """

    tiles: tuple[int, ...]
    sideways: frozenset[int] = frozenset()
    line: int = -1

    def __len__(self) -> int:
        return len(self.tiles)


def find_rows(frames: Frames, config: RowConfig) -> list[Row]:
    """All tiles, each in exactly one row; a lone tile is a row of one."""
    chains = _chains(frames, config)
    chains, sideways = _take_in_sideways(frames, chains, config)
    rows: list[Row] = []
    for line, chain in enumerate(chains):
        order = _ordered(frames, [i for i in chain if i not in sideways], chain)
        rows.extend(
            Row(tuple(piece), frozenset(piece) & sideways if len(piece) > 1 else frozenset(), line)
            for piece in _cut_at_gaps(frames, order, sideways, config)
        )
    return rows


def _neighbour(
    frames: Frames, i: int, candidates: NDArray[np.bool_], side: int, max_gap: float, overlap: float
) -> int | None:
    """The nearest candidate on one side (-1 left, 1 right) of tile i in its own frame."""
    centres, halves = frames.seen_from(i)
    along = centres[:, 0] * side
    gap = along - halves[:, 0] - 0.5
    shared = np.minimum(0.5, centres[:, 1] + halves[:, 1]) - np.maximum(
        -0.5, centres[:, 1] - halves[:, 1]
    )
    shared = shared / np.minimum(1.0, 2 * halves[:, 1])
    fits = candidates & (along > 0.4) & (gap < max_gap) & (shared >= overlap)
    if not fits.any():
        return None
    return int(np.flatnonzero(fits)[np.argmin(along[fits])])


def _chains(frames: Frames, config: RowConfig) -> list[list[int]]:
    """Tiles linked to parallel neighbours where each is the other's nearest."""
    n = len(frames)
    size = np.sqrt(np.maximum(frames.area(), 1e-9))
    ratio = size[None] / size[:, None]
    like = (
        _alignment(frames.across, frames.across, config.parallel_degrees)
        & _alignment(frames.down, frames.down, config.parallel_degrees)
        & (np.maximum(ratio, 1 / ratio) <= config.size_ratio)
        & ~np.eye(n, dtype=bool)
    )
    parent = list(range(n))
    neighbours: dict[tuple[int, int], int | None] = {}
    for i in range(n):
        for side in (-1, 1):
            neighbours[i, side] = _neighbour(frames, i, like[i], side, config.reach, config.overlap)
    for (i, _), j in neighbours.items():
        if j is not None and i in (neighbours[j, -1], neighbours[j, 1]):
            _join(parent, i, j)
    return _components(parent)


def _take_in_sideways(
    frames: Frames, chains: list[list[int]], config: RowConfig
) -> tuple[list[list[int]], frozenset[int]]:
    """Give lone tiles (or two, one on the other: an added kong) that lie square to a row to that row."""
    of = {tile: number for number, chain in enumerate(chains) for tile in chain}
    short = np.array([len(chains[of[i]]) <= 2 for i in range(len(frames))], bool)
    square = (
        _alignment(frames.across, frames.down, config.square_degrees)
        & _alignment(frames.down, frames.across, config.square_degrees)
        & short[None]
    )
    parent = list(range(len(chains)))
    sideways: set[int] = set()
    for number, chain in sorted(enumerate(chains), key=lambda item: -len(item[1])):
        if sideways & set(chain):
            continue
        for i, side in ((i, side) for i in chain for side in (-1, 1)):
            j = _neighbour(frames, i, square[i], side, config.sideways_gap, config.overlap)
            if j is not None and of[j] != number:
                sideways.update(chains[of[j]])
                _join(parent, number, of[j])
    merged = [
        [tile for number in numbers for tile in chains[number]] for numbers in _components(parent)
    ]
    return merged, frozenset(sideways)


def _ordered(frames: Frames, upright: list[int], chain: list[int]) -> list[int]:
    """From left to right, as most of the upright tiles see it."""
    axes = frames.across[upright]
    reference = axes[0]
    axes = axes * np.where(axes @ reference < 0, -1.0, 1.0)[:, None]
    axis = axes.mean(axis=0)
    if (frames.across[upright] @ axis < 0).sum() * 2 > len(upright):
        axis = -axis
    return sorted(chain, key=lambda i: float(frames.centres[i] @ axis))


def _cut_at_gaps(
    frames: Frames, order: list[int], sideways: frozenset[int], config: RowConfig
) -> list[list[int]]:
    if len(order) < 2:
        return [order]
    gaps = []
    for left, right in itertools.pairwise(order):
        base = left if left not in sideways else right
        centres, halves = frames.seen_from(base)
        other = right if base == left else left
        own = 0.5 if base not in sideways else halves[base, 0]
        gaps.append(max(0.0, abs(float(centres[other, 0])) - float(halves[other, 0]) - float(own)))
    usual = float(np.median(gaps)) if len(gaps) >= 3 else 0.0
    limit = max(config.break_gap, config.break_times * usual + 0.1)
    pieces = [[order[0]]]
    for gap, tile in zip(gaps, order[1:], strict=True):
        if gap > limit:
            pieces.append([])
        pieces[-1].append(tile)
    return pieces


def _join(parent: list[int], a: int, b: int) -> None:
    while parent[a] != a:
        a = parent[a]
    while parent[b] != b:
        b = parent[b]
    parent[max(a, b)] = min(a, b)


def _components(parent: list[int]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for i in range(len(parent)):
        root = i
        while parent[root] != root:
            root = parent[root]
        found.setdefault(root, []).append(i)
    return list(found.values())


DEFAULT: Final = RowConfig()

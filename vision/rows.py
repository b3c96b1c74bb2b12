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
    """N quads, and each of them as every other sees it.

    Attributes:
        centres: (N, 2) pixels.
        across: (N, 2) pixels, the width axis.
        down: (N, 2) pixels, the height axis.
        seen_at: (N, N, 2), ``[i, j]`` is the centre of quad j in widths and heights of quad i, along i's axes.
        seen_half: (N, N, 2), half the extent of quad j in the same measure.
    """

    centres: Floats
    across: Floats
    down: Floats
    seen_at: Floats
    seen_half: Floats

    @staticmethod
    def of(quads_px: NDArray[np.floating]) -> Frames:
        """Frames of (N, 4, 2) quads whose first corner is the face's top left."""
        q = np.asarray(quads_px, np.float64).reshape(-1, 4, 2)
        centres = q.mean(axis=1)
        across = (q[:, 1] - q[:, 0] + q[:, 2] - q[:, 3]) / 2
        down = (q[:, 3] - q[:, 0] + q[:, 2] - q[:, 1]) / 2
        area = across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]
        area = np.where(np.abs(area) < 1e-6, 1e-6, area)
        to_across = np.stack([down[:, 1], -down[:, 0]], axis=1) / area[:, None]
        to_down = np.stack([-across[:, 1], across[:, 0]], axis=1) / area[:, None]
        inverse = np.stack([to_across, to_down], axis=1)  # (N, 2, 2): pixels to own widths, heights
        between = centres[None] - centres[:, None]
        return Frames(
            centres,
            across,
            down,
            np.einsum("iab,ijb->ija", inverse, between),
            (np.abs(inverse @ across.T) + np.abs(inverse @ down.T)).transpose(0, 2, 1) / 2,
        )

    def __len__(self) -> int:
        return len(self.centres)

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


def _neighbours(
    frames: Frames, candidates: NDArray[np.bool_], side: int, max_gap: float, overlap: float
) -> NDArray[np.intp]:
    """For each tile the nearest of its candidates (N, N) on one side (-1 left, 1 right) as itself sees it, or -1."""
    along = frames.seen_at[..., 0] * side
    gap = along - frames.seen_half[..., 0] - 0.5
    low = frames.seen_at[..., 1] - frames.seen_half[..., 1]
    high = frames.seen_at[..., 1] + frames.seen_half[..., 1]
    shared = np.minimum(0.5, high) - np.maximum(-0.5, low)
    shared = shared / np.minimum(1.0, np.maximum(high - low, 1e-6))
    fits = candidates & (along > 0.4) & (gap < max_gap) & (shared >= overlap)
    nearest = np.where(fits, along, np.inf).argmin(axis=1)
    return np.where(fits.any(axis=1), nearest, -1)


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
    sides = [_neighbours(frames, like, side, config.reach, config.overlap) for side in (-1, 1)]
    for i, j in ((i, int(j)) for nearest in sides for i, j in enumerate(nearest)):
        if j >= 0 and i in (sides[0][j], sides[1][j]):
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
    sides = [
        _neighbours(frames, square, side, config.sideways_gap, config.overlap) for side in (-1, 1)
    ]
    for number, chain in sorted(enumerate(chains), key=lambda item: -len(item[1])):
        if sideways & set(chain):
            continue
        for j in (int(nearest[i]) for i in chain for nearest in sides):
            if j >= 0 and of[j] != number:
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
        other = right if base == left else left
        along = int(base in sideways)  # both lie sideways: along the row is up and down for them
        away, half = frames.seen_at[base, other, along], frames.seen_half[base, other, along]
        gaps.append(max(0.0, abs(float(away)) - float(half) - 0.5))
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

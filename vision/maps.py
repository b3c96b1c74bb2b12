"""What the finder's network says at every fourth pixel, and how that becomes quads.

A tile's face is described as the parallelogram that fits its four corners best: its centre, the length of its short
and of its long side, and the direction of both. A direction is written as the unit vector of the *doubled* angle: a
side has no front end, so an angle and its opposite must be the same number, and this is what makes it learnable.
The short and the long side are those of the physical tile, also where foreshortening makes the long one look shorter.

Corners are pixel edges: pixel ``i`` covers ``[i, i + 1)``, its centre is at ``i + 0.5``.
"""

from __future__ import annotations

from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Reals = TypeVar("Reals", NDArray[np.float32], NDArray[np.float64])

STRIDE: Final = 4
"""Input pixels a cell of the maps: tiles of 10 px that touch are still more than two cells apart."""

CHANNELS: Final = (
    *("up", "down"),  # probability that a tile's face (back) has its centre in this cell
    *("dx", "dy"),  # from the cell's centre to the tile's centre, over the tile's size
    *("log_short", "log_long"),  # natural logarithm of the sides, over REFERENCE_PX
    *("cos_short", "sin_short", "cos_long", "sin_long"),  # doubled angles of the sides
)

REFERENCE_PX: Final = 32.0
"""The length whose logarithm is zero: the middle of the sizes the network sees."""

_LARGEST_LOG: Final = 4.0
"""Sides are held within e^4 of the reference: an untrained or confused network must not overflow."""


def describe(quads_px: NDArray[np.floating]) -> tuple[Floats, Floats, Floats]:
    """The parallelograms that fit quads best (least squares over the corners).

    Args:
        quads_px: (N, 4, 2) corners in order around the face; sides 0-1 and 2-3 are the physical short ones.

    Returns:
        ``centres`` (N, 2), ``short`` (N, 2) and ``long`` (N, 2) float32: the centre and the two side vectors, pixels.
    """
    q = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    short = (q[:, 1] - q[:, 0] + q[:, 2] - q[:, 3]) / 2
    long = (q[:, 3] - q[:, 0] + q[:, 2] - q[:, 1]) / 2
    centres = np.asarray(q.mean(axis=1), np.float32)
    return centres, np.asarray(short, np.float32), np.asarray(long, np.float32)


def doubled(vectors: NDArray[np.floating]) -> Floats:
    """Unit vectors (N, 2) of the doubled angles of (N, 2) vectors; opposite vectors give the same."""
    x, y = np.asarray(vectors, np.float32).reshape(-1, 2).T
    squared = np.maximum(x * x + y * y, 1e-12)
    return np.stack([(x * x - y * y) / squared, 2 * x * y / squared], axis=1)


def rebuild(centres: Floats, lengths: Floats, short_2x: Floats, long_2x: Floats) -> Floats:
    """Quads of parallelograms, the inverse of `describe`.

    Args:
        centres: (N, 2) pixels.
        lengths: (N, 2) pixels, the short and the long side.
        short_2x: (N, 2) doubled-angle vector of the short side, of any length above zero.
        long_2x: (N, 2) the same of the long side.

    Returns:
        (N, 4, 2) float32 corners, clockwise in the image (y down), sides 0-1 and 2-3 the short ones.
    """
    angle_short = np.arctan2(short_2x[:, 1], short_2x[:, 0]) / 2
    angle_long = np.arctan2(long_2x[:, 1], long_2x[:, 0]) / 2
    short = lengths[:, :1] * np.stack([np.cos(angle_short), np.sin(angle_short)], axis=1)
    long = lengths[:, 1:] * np.stack([np.cos(angle_long), np.sin(angle_long)], axis=1)
    clockwise = short[:, 0] * long[:, 1] - short[:, 1] * long[:, 0] >= 0
    long = np.where(clockwise[:, None], long, -long)
    a, b = short / 2, long / 2
    return np.stack(
        [centres - a - b, centres + a - b, centres + a + b, centres - a + b], axis=1
    ).astype(np.float32)


def decode(maps: Floats, threshold: float) -> tuple[Floats, Floats, Floats]:
    """Quads at the peaks of the two probability maps.

    Args:
        maps: (10, h, w) float32, channels as in `CHANNELS`, the first two as probabilities.
        threshold: peaks below it are left out.

    Returns:
        ``quads_px`` (N, 4, 2) in pixels of the network's input, ``scores`` (N,), ``up`` (N,), best score first.
    """
    if maps.ndim != 3 or maps.shape[0] != len(CHANNELS):
        raise ValueError(f"maps must be ({len(CHANNELS)}, h, w), got {maps.shape}")
    present = np.minimum(maps[0] + maps[1], 1.0)
    peaks = (present >= threshold) & (present >= cv2.dilate(present, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-present[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    at = maps[:, rows, columns].T
    logs = np.clip(at[:, 4:6], -_LARGEST_LOG, _LARGEST_LOG)
    lengths = np.asarray(REFERENCE_PX * np.exp(logs), np.float32)
    size = np.sqrt(lengths[:, 0] * lengths[:, 1])
    cells = (np.stack([columns, rows], axis=1) + 0.5) * STRIDE
    centres = np.asarray(cells + at[:, 2:4] * size[:, None], np.float32)
    quads = rebuild(centres, lengths, at[:, 6:8], at[:, 8:10])
    both = np.maximum(at[:, 0] + at[:, 1], 1e-6)
    return quads, present[rows, columns], (at[:, 0] / both).astype(np.float32)


def suppress(quads_px: Floats, scores: Floats, overlap: float) -> NDArray[np.intp]:
    """Which quads stay when, of two that cover each other, only the better one may.

    The measure is the shared area over the *smaller* quad's area: a tile inside another is no tile, while
    neighbours that touch share next to nothing, however tightly they are packed.

    Args:
        quads_px: (N, 4, 2) convex corners.
        scores: (N,) the higher wins; of equals the first.
        overlap: share above which the worse one goes.

    Returns:
        Indices of the quads that stay, best first.
    """
    order = np.argsort(-scores, kind="stable")
    if len(order) < 2:
        return order
    quads = np.asarray(quads_px, np.float32)[order]
    low, high = quads.min(axis=1), quads.max(axis=1)
    shared = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    areas = polygon_areas(quads)
    bound = np.prod(np.maximum(shared, 0), axis=2) / np.maximum(
        np.minimum(areas[:, None], areas[None]), 1e-6
    )
    # Upright bounds overlap a little between any two neighbours; only the deep overlaps are worth an exact look.
    suspects = np.argwhere(np.triu(bound > overlap, k=1))
    gone = np.zeros(len(quads), bool)
    for i, j in suspects:
        if not (gone[i] or gone[j]):
            gone[j] = shared_area(quads[i], quads[j]) > overlap * min(areas[i], areas[j])
    return order[~gone]


def polygon_areas(quads_px: NDArray[np.floating]) -> Floats:
    """Areas (N,) of convex quads (N, 4, 2)."""
    q = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    d1, d2 = q[:, 2] - q[:, 0], q[:, 3] - q[:, 1]
    return (np.abs(d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]) / 2).astype(np.float32)


def shared_area(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    """Area that two convex quads (4, 2) share, square pixels."""
    area, _ = cv2.intersectConvexConvex(np.asarray(a, np.float32), np.asarray(b, np.float32))
    return float(area)


def iou(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    """Shared over united area of two convex quads (4, 2), 0..1."""
    shared = shared_area(a, b)
    areas = polygon_areas(np.stack([np.asarray(a), np.asarray(b)]))
    return shared / max(float(areas.sum()) - shared, 1e-6)


def apart(a: Reals, b: Reals) -> Reals:
    """(N, M) distances of points (N, 2) and (M, 2)."""
    between = a[:, None] - b
    return np.asarray(np.hypot(between[..., 0], between[..., 1]), between.dtype)


def medians_nearby(
    values: Floats,
    centres: Floats,
    asked: NDArray[np.intp],
    known: NDArray[np.intp],
    nearest: int,
) -> Floats:
    """The median value of those of ``known`` that lie nearest to each of ``asked``, itself left out.

    Args:
        values: (N,) for example sizes.
        centres: (N, 2) pixels.
        asked: (A,) indices of those that are asked about.
        known: (K,) indices of those that may answer.
        nearest: how many answer at most.

    Returns:
        (A,) float32; NaN where nobody can answer.
    """
    if not len(asked) or not len(known):
        return np.full(len(asked), np.nan, np.float32)
    away = np.where(asked[:, None] == known, np.inf, apart(centres[asked], centres[known]))
    order = np.argsort(away, axis=1, kind="stable")[:, :nearest]
    answers = np.where(
        np.isinf(np.take_along_axis(away, order, axis=1)), np.nan, values[known][order]
    )
    # Oneself comes last, if at all: where so many others are known, no answer is missing.
    middle = np.median if not np.isnan(answers).any() else _nanmedian
    return np.asarray(middle(answers, axis=1), np.float32)


def _nanmedian(answers: Floats, axis: int) -> Floats:
    out = np.full(len(answers), np.nan, np.float32)
    some = ~np.isnan(answers).all(axis=axis)
    out[some] = np.nanmedian(answers[some], axis=axis)
    return out

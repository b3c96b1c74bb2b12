"""Quads to the maps the finder's network should give: the inverse of `vision.maps.decode`. numpy and OpenCV only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.maps import CHANNELS, REFERENCE_PX, STRIDE, Floats, describe, doubled

TILE: Final = 1
"""State of a quad: a tile to find, corners known."""
CENTRE: Final = 2
"""State: a tile to find of which only the centre and rough extent are known (an upright label box)."""
IGNORED: Final = 0
"""State: neither tile nor background; nothing is learned inside it."""

SPREAD: Final = 0.15
"""Standard deviation of the peak, as a share of each side: at the border to a neighbour it is down to 0.4 %."""
LEAST_SPREAD_CELLS: Final = 0.45
"""The peak of a tiny tile still reaches its neighbour cells, or its centre's rounding decides everything."""
OUTLINE: Final = 0.08
"""Half the width of an outline in the dense maps, as a share of the shorter side, at least half a cell."""
REGRESSED_FROM: Final = 0.35
"""Cells where the peak is at least this high learn the tile's shape, weighted by the peak."""


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """Maps of one picture of h x w cells.

    Attributes:
        heat: (2, h, w) float32 in 0..1, peaks of faces and backs; exactly 1 at the cell of each tile's centre.
        shape: (8, h, w) float32, the other channels of `vision.maps.CHANNELS`, where ``weight`` is above zero.
        weight: (h, w) float32; the weights of one tile's cells add up to 1.
        mask: (h, w) float32, 0 where nothing may be learned about the presence of tiles.
        count: number of tiles.
        parts: (3, h, w) float32, 1 inside a face, inside a back, on an outline; -1 where nothing is known of it.
    """

    heat: Floats
    shape: Floats
    weight: Floats
    mask: Floats
    count: int
    parts: Floats


def encode(
    quads_px: NDArray[np.floating],
    up: NDArray[np.bool_],
    states: NDArray[np.integer],
    height: int,
    width: int,
) -> Targets:
    """Target maps of a picture.

    Args:
        quads_px: (N, 4, 2) corners, sides 0-1 and 2-3 the physical short ones.
        up: (N,) bool, face (true) or back.
        states: (N,) one of TILE, CENTRE, IGNORED.
        height: picture's height in pixels, a multiple of 4.
        width: picture's width in pixels, a multiple of 4.

    Returns:
        Maps of height/4 x width/4 cells.
    """
    h, w = height // STRIDE, width // STRIDE
    heat = np.zeros((2, h, w), np.float32)
    shape = np.zeros((len(CHANNELS) - 2, h, w), np.float32)
    weight = np.zeros((h, w), np.float32)
    best = np.zeros((h, w), np.float32)
    quads = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    mask = _mask(quads, states, h, w)
    centres, shorts, longs = describe(quads)
    short_2x, long_2x = doubled(shorts), doubled(longs)
    lengths = np.maximum(np.stack([np.hypot(*shorts.T), np.hypot(*longs.T)], axis=1), 1e-3)
    logs = np.log(lengths / REFERENCE_PX)
    sizes = np.sqrt(lengths.prod(axis=1))
    spreads = np.maximum(SPREAD, LEAST_SPREAD_CELLS * STRIDE / lengths)
    count = 0
    for i in np.flatnonzero(states != IGNORED):
        column, row = int(centres[i, 0] // STRIDE), int(centres[i, 1] // STRIDE)
        if not (0 <= column < w and 0 <= row < h):
            continue
        count += 1
        reach = (
            3.0 * (spreads[i, 0] * np.abs(shorts[i]) + spreads[i, 1] * np.abs(longs[i])) / STRIDE
            + 1
        )
        x0, x1 = max(0, int(column - reach[0])), min(w, int(column + reach[0]) + 2)
        y0, y1 = max(0, int(row - reach[1])), min(h, int(row + reach[1]) + 2)
        dx = (np.arange(x0, x1, dtype=np.float32)[None] + 0.5) * STRIDE - centres[i, 0]
        dy = (np.arange(y0, y1, dtype=np.float32)[:, None] + 0.5) * STRIDE - centres[i, 1]
        # Position along the two sides, in side lengths: the inverse of the 2x2 matrix of the side vectors.
        (sx, sy), (lx, ly) = shorts[i], longs[i]
        area = sx * ly - sy * lx
        if abs(area) < 1.0:
            continue
        along_short, along_long = (ly * dx - lx * dy) / area, (sx * dy - sy * dx) / area
        peak = np.exp(
            -0.5 * ((along_short / spreads[i, 0]) ** 2 + (along_long / spreads[i, 1]) ** 2)
        )
        peak[row - y0, column - x0] = 1.0
        window = (slice(y0, y1), slice(x0, x1))
        layer = heat[0 if up[i] else 1][window]
        np.maximum(layer, peak, out=layer)
        if states[i] != TILE:
            continue
        mine = (peak >= REGRESSED_FROM) & (peak > best[window])
        best[window][mine] = peak[mine]
        weight[window][mine] = peak[mine] / max(float(peak[mine].sum()), 1e-6)
        shape[0][window][mine] = np.broadcast_to(-dx / sizes[i], peak.shape)[mine]
        shape[1][window][mine] = np.broadcast_to(-dy / sizes[i], peak.shape)[mine]
        for channel, value in enumerate((*logs[i], *short_2x[i], *long_2x[i]), start=2):
            shape[channel][window][mine] = value
    parts = _parts(quads, up, states, lengths, mask)
    return Targets(heat, shape, weight, mask, count, parts)


def _parts(
    quads: Floats,
    up: NDArray[np.bool_],
    states: NDArray[np.integer],
    lengths: Floats,
    mask: Floats,
) -> Floats:
    parts = np.zeros((3, *mask.shape), np.int8)
    parts[:, mask == 0] = -1
    cells = np.rint((quads / STRIDE - 0.5) * 16).clip(-65536, 65536).astype(np.int32)
    for i in np.flatnonzero(states == CENTRE):
        for part in parts:
            cv2.fillConvexPoly(part, cells[i], -1, cv2.LINE_8, 4)
    for i in np.flatnonzero(states == TILE):
        for k, part in enumerate(parts):
            cv2.fillConvexPoly(part, cells[i], int(k == (not up[i])), cv2.LINE_8, 4)
    for i in np.flatnonzero(states == TILE):
        thick = max(1, round(2 * OUTLINE * float(lengths[i].min()) / STRIDE))
        cv2.polylines(parts[2], [cells[i]], True, 1, thick, cv2.LINE_8, 4)
    return parts.astype(np.float32)


def _mask(quads: Floats, states: NDArray[np.integer], h: int, w: int) -> Floats:
    mask = np.ones((h, w), np.uint8)
    cells = np.rint(quads / STRIDE - 0.5).clip(-4096, 4096).astype(np.int32)
    for state, value in ((IGNORED, 0), (TILE, 1), (CENTRE, 1)):
        for i in np.flatnonzero(states == state):
            cv2.fillConvexPoly(mask, cells[i], value)
    return mask.astype(np.float32)


def as_maps(targets: Targets) -> Floats:
    """(10, h, w) the perfect network's answer, for tests and pictures."""
    return np.concatenate([targets.heat, targets.shape])

"""Finds that hold half a tile: four bamboos or circles stand in two columns, and either pair looks like a slim tile.

Such a find is much smaller than the tiles around it. It is tried wider and longer, to every side, up to their size;
what the refiner and the namer then take for a tile that contains it is the tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, medians_nearby, polygon_areas, shared_area


@dataclass(frozen=True, slots=True)
class HalvesConfig:
    """When a find is taken for a part, and what is believed instead."""

    small: float = 0.72
    """A find below this part of the median area of its neighbours is tried larger: perspective takes a fifth."""
    nearest: int = 8
    """So many legible finds say how large a tile is there; with fewer in the picture nothing is tried."""
    most: int = 24
    """Finds tried at most: a picture in which more are odd has tiles of two sizes."""
    named: float = 0.8
    """Least probability of the larger quad's best name, and of the refiner's "this is a tile"."""
    grown: float = 1.25
    """Least area of what the refiner makes of it beside the find's."""
    contains: float = 0.8
    """Share of the find that must lie in it."""


def candidates(
    quads_px: Floats, legible: NDArray[np.bool_], config: HalvesConfig
) -> tuple[NDArray[np.intp], Floats]:
    """Larger quads to try for finds that are too small beside their neighbours.

    Args:
        quads_px: (N, 4, 2) refined corners.
        legible: (N,) finds that are read well: they say how large tiles are.
        config: thresholds.

    Returns:
        ``owner`` (K,) the find each quad is for and ``quads_px`` (K, 4, 2), grown across or along, to one side or both.
    """
    known = np.flatnonzero(legible)
    owner: list[int] = []
    quads: list[Floats] = []
    if len(known) > config.nearest:
        areas, centres = polygon_areas(quads_px), quads_px.mean(axis=1)
        usual = medians_nearby(areas, centres, np.arange(len(areas)), known, config.nearest)
        for i in np.flatnonzero(areas < config.small * usual)[: config.most]:
            factor = float(usual[i]) / max(float(areas[i]), 1.0)
            for low, high in ((factor - 1, 0.0), (0.0, factor - 1), ((factor - 1) / 2,) * 2):
                for turn in (0, 1):
                    owner.append(int(i))
                    quads.append(_grown(quads_px[i], low, high, turn))
    return np.array(owner, np.intp), np.array(quads, np.float32).reshape(-1, 4, 2)


def better(
    find_px: Floats, tried_px: Floats, named: Floats, present: Floats, config: HalvesConfig
) -> int | None:
    """Which of the refined quads (K, 4, 2) tried for a find (4, 2) is the tile it is part of, if any."""
    area = float(polygon_areas(find_px[None])[0])
    best, choice = 0.0, None
    for k, quad in enumerate(tried_px):
        if min(named[k], present[k]) < config.named or named[k] * present[k] <= best:
            continue
        if float(polygon_areas(quad[None])[0]) < config.grown * area:
            continue
        if shared_area(find_px, quad) >= config.contains * area:
            best, choice = float(named[k] * present[k]), k
    return choice


def _grown(quad: Floats, low: float, high: float, turn: int) -> Floats:
    """A quad made larger along its first side (or, ``turn`` 1, its second) by shares of it at either end."""
    a, b, c, d = np.roll(quad, -turn, axis=0)
    grown = np.stack([a - (b - a) * low, b + (b - a) * high, c + (c - d) * high, d - (c - d) * low])
    return np.asarray(np.roll(grown, turn, axis=0), np.float32)

"""Places beside tiles where another may lie unseen: tiles stand in rows, and a finder misses one in fifty.

Where a sure tile has no neighbour to its left or right, a quad of its own size is proposed there. What the refiner then
takes for a tile is named and judged, in its company, like a find of which the finder was not sure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, apart, polygon_areas, shared_area


@dataclass(frozen=True, slots=True)
class GapsConfig:
    """Where a tile is looked for, and from when on one is seen there."""

    sure: float = 0.9
    """Belief in a tile from which its neighbour is looked for."""
    taken: float = 0.5
    """Belief in a find from which its place is taken."""
    company: int = 3
    """So many sure tiles make a row likely; beside one or two alone nothing is looked for."""
    step: float = 1.03
    """Distance of neighbours in widths of a tile: they touch, or nearly."""
    free: float = 0.25
    """A place is free while no tile shares more than this part of the smaller of both."""
    same: float = 0.4
    """Two places nearer than this part of a tile's size are one: a gap is proposed from both sides."""
    inside: int = 2
    """Corners that may lie outside the picture."""
    score: float = 0.3
    """What the finder is taken to have said: a little above its threshold."""
    present: float = 0.8
    """Least probability of the refiner's "this is a tile" with which a place is named at all."""
    blank: float = 0.95
    """Least such probability of a blank white dragon. Above, of seven so named on renders and photographs kept aside
    five were white dragons, one a back and one had no label."""
    plain_believed: float = 0.1
    """Least belief in a blank white dragon or a back: the networks see little of them, the tiles around say more."""


def places(
    quads_px: Floats, believed: Floats, size_px: tuple[int, int], config: GapsConfig
) -> Floats:
    """Free places to the left and right of sure tiles.

    Args:
        quads_px: (N, 4, 2) corners, sides 0-1 and 2-3 the tile's short ones.
        believed: (N,) belief that each is a tile.
        size_px: height and width of the picture.
        config: thresholds.

    Returns:
        (K, 4, 2) float32 corners, in the order of those of the tiles beside them.
    """
    sure = quads_px[believed >= config.sure]
    if len(sure) < config.company:
        return np.zeros((0, 4, 2), np.float32)
    across = (sure[:, 1] - sure[:, 0] + sure[:, 2] - sure[:, 3])[:, None] / 2 * config.step
    both: Floats = np.stack([sure - across, sure + across], axis=1).astype(np.float32)
    places_px = both.reshape(-1, 4, 2)
    there = quads_px[believed >= config.taken]
    places_px = places_px[_inside(places_px, size_px, config)]
    places_px = places_px[~stood_on(places_px, there, config)]
    middles, own = places_px.mean(axis=1), polygon_areas(places_px)
    areas = polygon_areas(there)
    # Only what is near can share anything: half diagonals, of slim ones too.
    near = apart(middles, there.mean(axis=1)) < np.sqrt(own)[:, None] + np.sqrt(areas)
    # A gap is proposed from both sides.
    same = apart(middles, middles) < config.same * np.sqrt(own)[:, None]
    found: list[int] = []
    for i, place in enumerate(places_px):
        if not same[i, found].any() and all(
            shared_area(place, there[j]) <= config.free * min(float(own[i]), float(areas[j]))
            for j in np.flatnonzero(near[i])
        ):
            found.append(i)
    return places_px[found]


def _inside(places_px: Floats, size_px: tuple[int, int], config: GapsConfig) -> NDArray[np.bool_]:
    limits = np.array(size_px[::-1])
    out = ((places_px < 0) | (places_px > limits)).any(axis=2).sum(axis=1)
    middles = places_px.mean(axis=1)
    within = ((middles > 0) & (middles < limits)).all(axis=1)
    return np.asarray(within & (out <= config.inside))


def stood_on(places_px: Floats, there: Floats, config: GapsConfig) -> NDArray[np.bool_]:
    """Which places have a tile's middle close to their own: most of a row, and quickly told."""
    away = apart(places_px.mean(axis=1), there.mean(axis=1))
    near = config.same * np.sqrt(polygon_areas(places_px))
    return np.asarray(away.min(axis=1, initial=np.inf) < near)

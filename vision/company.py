"""What the tiles around a find say of it: on one table tiles are of one size, and backs of one colour.

A wall in the shade or without a seam shows the networks little, one find at a time. Beside backs of the same colour and
faces of the same size it is plain to see, as is a chessboard's square that has neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.judge import Evidence, logits, regressed
from vision.labels import INDEX, NOT
from vision.maps import Floats, apart, medians_nearby, polygon_areas
from vision.plain import grounds

_NOT: Final = INDEX[NOT]

FEATURES: Final = ("itself", "nothing", "beside", "faces", "sized", "size", "backs", "colour")
"""What the weights are of, in this order; behind them a bias."""


@dataclass(frozen=True, slots=True)
class CompanyConfig:
    """How company is measured. Models come with their own weights, fitted by ``scripts/fit_judge.py``."""

    faces: tuple[float, ...] = (0.84, -0.03, 0.43, 0.56, 1.23, -7.47, 0.0, 0.0, -1.02)
    """Weights of `FEATURES` and the bias, for finds that the finder takes for faces."""
    backs: tuple[float, ...] = (0.73, -0.03, 0.55, -0.06, 1.35, -2.69, -0.59, -0.16, 3.87)
    """For finds it takes for backs."""
    surest: float = 0.999
    """Logits are taken of probabilities up to here, as by the judge."""
    known: int = 3
    """With fewer sure faces in view nothing is said of sizes."""
    nearest: int = 6
    """So many of the nearest say how large a tile is there."""
    touching: float = 1.45
    """Distance of neighbours at most, in sides of a square of a tile's area: its long side and a gap."""
    alike: float = 0.25
    """Logarithm of the ratio of two sides up to which neighbours are equally large."""
    unlike: float = 0.5
    """Beyond this one, more says no more: it is no tile of this table."""
    lightness: float = 0.6
    """A step of lightness says less than one of colour: walls stand in light and in shadow."""
    farthest: float = 30.0
    """CIELAB distance beyond which more says no more; without other sure backs it is that far, too."""
    second: int = 2
    """Not the sure back of the nearest colour counts but this one: two squares of a board have each other."""
    many: int = 5
    """More sure backs say no more."""


def company(
    image_bgr: NDArray[np.uint8],
    evidence: Evidence,
    believed: Floats,
    sure: NDArray[np.bool_],
    config: CompanyConfig,
) -> Floats:
    """What is around each find.

    Args:
        image_bgr: (H, W, 3) uint8.
        evidence: N finds.
        believed: (N,) what each is believed by itself.
        sure: (N,) which are tiles for sure.
        config: thresholds.

    Returns:
        (N, 8) float32, columns as in `FEATURES`: the logit of the belief in the find itself; that of the namer's "no
        tile"; the belief in the best face that touches it and is as large; the logarithm of the number of sure faces;
        1 if they say how large tiles are; the logarithm, without its sign, of its size beside them; the number of other
        sure backs; and how far its colour is from theirs. The last two are 0 for what the finder takes for a face.
    """
    n = len(believed)
    out = np.zeros((n, len(FEATURES)), np.float32)
    if not n:
        return out
    quads, backs = evidence.quads_px, evidence.backs
    side, centres = np.sqrt(np.maximum(polygon_areas(quads), 1e-6)), quads.mean(axis=1)
    out[:, 0] = logits(believed, config.surest)
    out[:, 1] = logits(evidence.posteriors[:, _NOT], config.surest)
    away = apart(centres, centres)
    np.fill_diagonal(away, np.inf)
    near = away < config.touching * side[:, None]
    near &= np.abs(np.log(side[:, None] / side)) < config.alike
    out[:, 2] = np.where(near & ~backs, believed, 0).max(axis=1)
    faces = np.flatnonzero(sure & ~backs)
    out[:, 3] = np.log(max(len(faces), 0.5))
    if len(faces) >= config.known:
        usual = medians_nearby(side, centres, np.arange(n), faces, config.nearest)
        out[:, 4] = 1
        out[:, 5] = np.minimum(np.abs(np.log(side / usual)), config.unlike)
    asked = np.flatnonzero(backs)
    if len(asked):
        others = sure[asked] & (asked[:, None] != asked)
        colours = grounds(image_bgr, quads[asked])
        step = colours[:, None] - colours
        step[..., 0] *= config.lightness
        far = np.where(others, np.sqrt((step**2).sum(axis=2)), config.farthest)
        rank = min(config.second, len(asked)) - 1
        out[asked, 6] = np.minimum(others.sum(axis=1), config.many)
        out[asked, 7] = np.minimum(np.partition(far, rank, axis=1)[:, rank], config.farthest)
    return out


def belief_among(said: Floats, backs: NDArray[np.bool_], config: CompanyConfig) -> Floats:
    """(N,) probability that a find is a tile, from what `company` says of it."""
    return regressed(said, backs, config.faces, config.backs)

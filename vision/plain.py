"""Plain surfaces told apart by the other faces in view: backs, blank white dragons, and the edges of standing tiles.

One crop alone does not say which of them it shows. Beside other tiles it is plain to see: a white dragon has the faces'
colour, a back hasn't, and the top edge of a tile that stands has it too, but is smaller than a face.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, INDEX, NOT, WHITE
from vision.maps import Floats, apart, polygon_areas

_BACK, _WHITE, _NOT = INDEX[BACK], INDEX[WHITE], INDEX[NOT]

_INSET: Final = 0.08
"""Where the colour is taken: so much of the tile's sides from its edge, between the edge's shadow and the print."""
_STEPS: Final = np.linspace(_INSET, 1 - _INSET, 5, dtype=np.float32)
_RING: Final = np.array(
    [(u, v) for u in _STEPS for v in (_INSET, 1 - _INSET)]
    + [(u, v) for v in _STEPS for u in (_INSET, 1 - _INSET)],
    np.float32,
)


@dataclass(frozen=True, slots=True)
class PlainConfig:
    """How much the colour says. Models come with their own weights, fitted by ``scripts/fit_judge.py``."""

    asked: float = 0.5
    """Least probability that a tile is a back or a white dragon with which its colour is looked at."""
    sure: float = 0.9
    """Belief in a tile from which it says what faces look like."""
    named: float = 0.8
    """Probability of its name from which it does."""
    company: int = 1
    """With fewer such faces nothing is said. On 30 pictures of one or two, one of 222 backs and white dragons was told
    wrong, 26 without their colour."""
    nearest: int = 6
    """So many of the nearest say what faces look like there: light changes over a table."""
    lightness: float = 0.75
    """A step of lightness says less than one of colour: tiles stand and lie, in light and in shadow."""
    farthest: float = 10.0
    """CIELAB distance beyond which more says no more: a second set on the table, a tile in the shadow."""
    odds: float = 0.64
    """Weight of the logarithm of the namer's odds, white dragon against back."""
    distance: float = -0.87
    """Weight of the distance."""
    bias: float = 5.6
    """Added."""
    edge: float = 0.75
    """What has the faces' colour and is smaller than this beside them is the edge of a tile that stands: a face is half
    as long again as a tile is thick. On pictures kept aside 27 of 37 such finds in renders and 23 without a label in
    photographs are smaller, and one of 198 white dragons."""
    like_faces: float = 6.0
    """CIELAB distance up to which a surface has the faces' colour."""


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """Finds that may be backs or white dragons, beside the faces around them; empty where too few faces are in view.

    Attributes:
        finds: (A,) their indices.
        distance: (A,) float32, how far their colour is from that of the faces.
        size: (A,) float32, how large they are beside the faces: square roots of areas.
    """

    finds: NDArray[np.intp]
    distance: Floats
    size: Floats


def told_apart(posteriors: Floats, plain: Plain, config: PlainConfig) -> Floats:
    """Posteriors (N, 47) with what belongs to back and white dragon shared anew between the two."""
    asked = plain.finds
    if not len(asked):
        return posteriors
    logit = config.odds * odds(posteriors[asked]) + config.distance * plain.distance + config.bias
    white = 1 / (1 + np.exp(-logit))
    both = posteriors[asked, _BACK] + posteriors[asked, _WHITE]
    shared = posteriors.copy()
    shared[asked, _WHITE], shared[asked, _BACK] = both * white, both * (1 - white)
    return shared


def edges(plain: Plain, config: PlainConfig) -> NDArray[np.intp]:
    """The finds that are edges of standing tiles."""
    alike = plain.distance <= config.like_faces
    return plain.finds[alike & (plain.size < config.edge)]


def odds(posteriors: Floats) -> Floats:
    """(N,) logarithm of the odds of white dragon against back in posteriors (N, 47)."""
    ratio: Floats = (posteriors[:, _WHITE] + 1e-3) / (posteriors[:, _BACK] + 1e-3)
    return np.asarray(np.log(ratio), np.float32)


def sure_faces(posteriors: Floats, believed: Floats, config: PlainConfig) -> NDArray[np.bool_]:
    """(N,) which finds are printed faces for sure, by the namer's posteriors (N, 47) and the belief in each (N,)."""
    best = posteriors[:, :_NOT].max(axis=1, initial=0.0)
    printed = _blank(posteriors) < config.asked
    return np.asarray(printed & (believed >= config.sure) & (best >= config.named))


def _blank(posteriors: Floats) -> Floats:
    return np.asarray(posteriors[:, _BACK] + posteriors[:, _WHITE], np.float32)


def surfaces(
    image_bgr: NDArray[np.uint8],
    quads_px: Floats,
    posteriors: Floats,
    faces: NDArray[np.bool_],
    config: PlainConfig,
) -> Plain:
    """What may be backs or white dragons, beside the faces around it.

    Args:
        image_bgr: (H, W, 3) uint8.
        quads_px: (N, 4, 2) corners.
        posteriors: (N, 47) the namer's.
        faces: (N,) bool, see `sure_faces`.
        config: thresholds.
    """
    printed = np.flatnonzero(faces)
    asked = np.flatnonzero(_blank(posteriors) >= config.asked)
    if len(printed) < config.company or not len(asked):
        return Plain(np.zeros(0, np.intp), np.zeros(0, np.float32), np.zeros(0, np.float32))
    centres = quads_px.mean(axis=1)
    near = np.argsort(apart(centres[asked], centres[printed]), axis=1)[:, : config.nearest]
    # A few plain tiles among a hundred faces: only those beside them are looked at.
    looked_at, rows = np.unique(near, return_inverse=True)
    known = grounds(image_bgr, quads_px[printed[looked_at]])[rows.reshape(near.shape)]
    step = grounds(image_bgr, quads_px[asked]) - np.median(known, axis=1)
    step[:, 0] *= config.lightness
    away = np.minimum(np.sqrt((step**2).sum(axis=1)), config.farthest)
    sides = np.sqrt(polygon_areas(quads_px))
    size = sides[asked] / np.maximum(np.median(sides[printed[near]], axis=1), 1e-6)
    return Plain(asked, away.astype(np.float32), size.astype(np.float32))


def grounds(image_bgr: NDArray[np.uint8], quads_px: Floats) -> Floats:
    """(N, 3) CIELAB colour of what a face is printed on, in full units (L up to 100)."""
    u, v = _RING[:, :1], _RING[:, 1:]
    corner = quads_px[:, None]
    points = (
        (1 - u) * (1 - v) * corner[:, :, 0]
        + u * (1 - v) * corner[:, :, 1]
        + u * v * corner[:, :, 2]
        + (1 - u) * v * corner[:, :, 3]
    )
    height, width = image_bgr.shape[:2]
    x = points[..., 0].astype(np.intp).clip(0, width - 1)
    y = points[..., 1].astype(np.intp).clip(0, height - 1)
    seen = image_bgr[y, x].astype(np.float32) / 255
    lab: Floats = np.median(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), axis=1)
    return lab

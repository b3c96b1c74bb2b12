"""The flanks of tiles, which from low down look as large as backs: their colour and their place give them away.

A tile's body is of the faces' material but for its back. So what has the faces' tint, in more shade, and lies against
the short side of a face is the flank of that tile; and where backs of another tint are in view, it is one anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, apart
from vision.plain import grounds

_BLACK: Final = 16.0
"""CIELAB's lightness is 116 times a cube root less this: with it added, shade scales lightness and tint alike."""


@dataclass(frozen=True, slots=True)
class FlankConfig:
    """What passes for the same material, and for touching."""

    tint: float = 8.0
    """Distance of two tints, in CIELAB units at full light, up to which they are of one material."""
    warmer: float = 25.0
    """The same for what lies against a face: light goes through a tile and comes out of its flank yellower. On
    photographs kept aside flanks are up to 24 from their faces, backs that touch one from 76 on."""
    darkest: float = 0.55
    """A flank keeps at least this share of the faces' lightness; what is darker is a dark back of no tint."""
    nearest: int = 6
    """So many of the nearest faces say what their material looks like there."""
    touching: float = 0.3
    """How far the corners of two sides that are one may lie apart, as a share of that side."""
    several: int = 2
    """So many flanks against faces show what flanks look like on this table, so many backs of another tint, backs."""


def flanks(
    image_bgr: NDArray[np.uint8],
    quads_px: Floats,
    backs: NDArray[np.bool_],
    faces: NDArray[np.bool_],
    config: FlankConfig,
) -> NDArray[np.intp]:
    """Which finds are flanks.

    Args:
        image_bgr: (H, W, 3) uint8.
        quads_px: (N, 4, 2) corners; sides 0-1 and 2-3 are the physical short ones.
        backs: (N,) bool, what passes for a back.
        faces: (N,) bool, what is a face for sure.
        config: thresholds.

    Returns:
        Their indices, all of them among ``backs``.
    """
    asked, known = np.flatnonzero(backs), np.flatnonzero(faces)
    if not len(asked) or not len(known):
        return np.zeros(0, np.intp)
    mine, light = _tints(grounds(image_bgr, quads_px[asked]))
    theirs, lit = _tints(grounds(image_bgr, quads_px[known]))
    centres = quads_px.mean(axis=1)
    near = np.argsort(apart(centres[asked], centres[known]), axis=1)[:, : config.nearest]
    step = np.hypot(*(mine - np.median(theirs[near], axis=1)).T)
    lit_enough = light >= config.darkest * np.median(lit[near], axis=1)
    against = lit_enough & (step <= config.warmer)
    against &= _against(quads_px[asked], quads_px[known], config.touching)
    like_flanks = np.hypot(*np.moveaxis(mine[:, None] - mine[against], -1, 0)) <= config.tint
    found = against | (lit_enough & (like_flanks.sum(axis=1) >= config.several))
    if np.count_nonzero(step > config.warmer) >= config.several:
        found |= lit_enough & (step <= config.tint)
    return asked[found]


def _tints(lab: Floats) -> tuple[Floats, Floats]:
    """Tints (N, 2), the same in light and in shade, and lightness (N,), of CIELAB colours (N, 3)."""
    light = lab[:, 0] + _BLACK
    return lab[:, 1:] * (100 + _BLACK) / light[:, None], light


def _against(asked: Floats, known: Floats, share: float) -> NDArray[np.bool_]:
    """(A,) whether a side of a quad is, end for end, a short side of one of the known quads (K, 4, 2)."""
    ends = np.stack([asked, np.roll(asked, -1, axis=1)], axis=2)[:, None, :, None]
    short = np.stack([known[:, [1, 3]], known[:, [0, 2]]], axis=2)[None, :, None]
    off = np.hypot(*np.moveaxis(ends - short, -1, 0)).max(axis=-1)
    length = np.hypot(*np.moveaxis(short[..., 0, :] - short[..., 1, :], -1, 0))
    return np.asarray((off <= share * length).any(axis=(1, 2, 3)))

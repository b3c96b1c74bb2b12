"""A picture that is one tile from edge to edge: a shop's product picture, or a tile cut out by hand.

Such a picture shows the finder no outline and nothing beside it: it finds nothing, or takes the two halves of a four
of bamboos for tiles. So where little was found, the whole frame is named as if it were a face, once as it is and once
without its rim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, INDEX, NOT
from vision.maps import polygon_areas
from vision.rectify import rectify
from vision.seen import Names


class Naming(Protocol):
    """What names crops."""

    def name(self, crops: NDArray[np.uint8]) -> Names: ...


@dataclass(frozen=True, slots=True)
class WholeConfig:
    """When a picture is taken for a face."""

    narrow: float = 0.55
    """Least share of the shorter side in the longer: the slimmest faces of antique sets."""
    wide: float = 0.9
    """Largest: faces are never square, many pictures are."""
    rim: float = 0.1
    """Share of both sides that the second look leaves out: it must not be the frame that makes the face."""
    few: int = 4
    """With more finds than this the picture shows several tiles: the columns of a nine of bamboos are three."""
    piece: float = 0.6
    """A find with less than this share of the frame may be a piece of the face; a larger one is the tile itself."""
    sure: float = 0.9
    """Least probability of the same name in both looks. To the namer alone a chess board is eight circles: of 22 that
    no network was trained on nine at 0.9 and two at 0.97."""
    present: float = 0.2
    """Least that the refiner says of the frame. The ten of those boards, seen from four sides, that the namer is sure
    of reach 0.14 at most; of 505 faces of shops 99 in a hundred reach 0.24."""


def in_pieces(quads_px: NDArray[np.float32], size: tuple[int, int], config: WholeConfig) -> bool:
    """Whether finds (N, 4, 2) in a picture of ``size`` (width, height) may all be pieces of one face, or are none."""
    largest = float(polygon_areas(quads_px).max(initial=0.0))
    return len(quads_px) <= config.few and largest < config.piece * size[0] * size[1]


def whole_face(
    image_bgr: NDArray[np.uint8], namer: Naming, config: WholeConfig
) -> tuple[NDArray[np.float32], Names] | None:
    """The frame as one face.

    Args:
        image_bgr: (H, W, 3) uint8.
        namer: names crops of `vision.rectify.rectify`.
        config: thresholds.

    Returns:
        The frame's (1, 4, 2) quad with a short side first and its names; None if it is no face, or a back, which a
        plain wall would be too.
    """
    height, width = image_bgr.shape[:2]
    if not config.narrow <= min(width, height) / max(width, height) <= config.wide:
        return None
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    if width > height:
        frame = np.roll(frame, -1, axis=0)
    middle = frame.mean(axis=0)
    inner = middle + (frame - middle) * np.float32(1 - config.rim)
    names = namer.name(rectify(image_bgr, np.stack([frame, inner]), roll=False)[0])
    faces = names.posteriors[:, : INDEX[NOT]]
    best = faces.argmax(axis=1)
    if best[0] != best[1] or best[0] == INDEX[BACK] or faces.max(axis=1).min() < config.sure:
        return None
    return frame[None], names[np.array([0])]

"""Draw a reading into its picture, to look at it without a browser."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.seen import Reading

_COLOURS: Final = {
    "hand": (60, 170, 0),
    "meld": (220, 120, 0),
    "bonus": (190, 0, 190),
    "single": (0, 90, 240),
    "row": (120, 120, 120),
}
"""Of each kind of group, blue green red: dark enough to be read on a tile's ivory."""


def draw(image_bgr: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """The picture with every tile's outline, its top side doubled, and its name; doubtful names carry a "?".

    Args:
        image_bgr: (H, W, 3) uint8, the picture that was read.
        reading: what was read in it.

    Returns:
        A new (H, W, 3) uint8 picture.
    """
    out = image_bgr.copy()
    for group in reading.groups:
        for index in group.tiles:
            tile = reading.tiles[index]
            quad = np.array(tile.quad_px, np.float32)
            size = float(np.sqrt(max(cv2.contourArea(quad), 1.0)))
            line = max(1, round(size / 40))
            points = np.round(quad).astype(np.int32)
            colour = _COLOURS[group.kind]
            cv2.polylines(out, [points], True, colour, line, cv2.LINE_AA)
            inner = np.round(quad[:2] * 0.93 + quad.mean(axis=0) * 0.07).astype(np.int32)
            cv2.polylines(out, [inner], False, colour, line, cv2.LINE_AA)
            text = ("-" if tile.tile == "back" else tile.tile) + ("?" if tile.doubtful else "")
            _write(out, text, quad.mean(axis=0), size, colour)
    return out


def _write(
    out: NDArray[np.uint8],
    text: str,
    centre: NDArray[np.floating],
    size: float,
    colour: tuple[int, int, int],
) -> None:
    scale = max(0.3, size / 75)
    thick = max(1, round(scale * 1.6))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    at = (round(float(centre[0]) - width / 2), round(float(centre[1]) + height / 2))
    for paint, extra in (((255, 255, 255), max(2, thick * 2)), (colour, 0)):
        cv2.putText(
            out, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, paint, thick + extra, cv2.LINE_AA
        )

"""The canvas bank crops are drawn on: sizes, tables, patches of photographs, and the small tools of drawing.

A *bank crop* is what `vision.rectify.rectify` would cut with `BANK_SIZE` and `BANK_MARGIN`: the face upright in the
middle with more surroundings than the namer will see, so that `namer_augment` can move, turn and tilt it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

BANK_SIZE: Final = (72, 96)
"""Width and height of a bank crop in pixels."""

BANK_MARGIN: Final = 0.22
"""Share of the tile's width and height that a bank crop shows beyond each side."""

FACE_SIZE: Final = (100, 133)
"""Width and height of a face in pixels: twice the resolution of a bank crop."""

CANVAS: Final = (144, 192)
"""Width and height of what is drawn before it shrinks to a bank crop."""

ORIGIN: Final = ((CANVAS[0] - FACE_SIZE[0]) // 2, (CANVAS[1] - FACE_SIZE[1]) // 2)
"""Left and top of the face on the canvas."""

FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
"""OpenCV's own strokes: the same on every machine."""

Image = NDArray[np.uint8]
BGR = tuple[float, float, float]


class Backdrop:
    """What lies behind tiles: cloth of any colour, or a patch of a photograph without tiles.

    Args:
        photos: photographs without tiles; may be empty.
        rng: the only source of chance.
    """

    def __init__(self, photos: Sequence[Image], rng: np.random.Generator) -> None:
        self.photos = list(photos)
        self._rng = rng

    def table(self) -> Image:
        """One canvas of table."""
        rng = self._rng
        w, h = CANVAS
        if self.photos and rng.random() < 0.4:
            return self.patch()
        canvas = np.full(
            (h, w, 3), hsv(*rng.integers((0, 0, 10), (180, 220, 250)).tolist()), np.uint8
        )
        grain = np.empty((h // 2, w // 2), np.int16)
        cv2.setRNGSeed(int(rng.integers(1 << 31)))
        cv2.randn(grain, 0, rng.uniform(0, 14))
        return cv2.add(canvas, cv2.merge([cv2.resize(grain, (w, h))] * 3), dtype=cv2.CV_8U)

    def patch(self) -> Image:
        """One canvas full of photograph, from a detail to a view."""
        rng = self._rng
        w, h = CANVAS
        photo = self.photos[int(rng.integers(len(self.photos)))]
        reach = np.exp(rng.uniform(np.log(24), np.log(600)))
        height = int(min(photo.shape[0], photo.shape[1] * h / w, reach))
        width = max(2, height * w // h)
        y = int(rng.integers(0, photo.shape[0] - height + 1))
        x = int(rng.integers(0, photo.shape[1] - width + 1))
        patch = photo[y : y + height, x : x + width]
        if rng.random() < 0.5:
            patch = patch[::-1, ::-1]
        how = cv2.INTER_AREA if height > h else cv2.INTER_LINEAR
        return cv2.resize(patch, (w, h), interpolation=how)

    def whole(self) -> Image:
        """A whole photograph, squeezed onto the canvas: chess boards are no eight circles."""
        rng = self._rng
        photo = self.photos[int(rng.integers(len(self.photos)))]
        turned = np.rot90(photo, int(rng.integers(4)))
        return cv2.resize(np.ascontiguousarray(turned), CANVAS, interpolation=cv2.INTER_AREA)


def hsv(hue: float, saturation: float, value: float) -> BGR:
    """OpenCV's HSV (hue 0..179) as BGR, 0..255."""
    pixel = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)
    return scaled((1, 1, 1), pixel[0, 0].astype(np.float64))


def scaled(colour: BGR, factors: NDArray[np.float64]) -> BGR:
    """A colour times a factor a channel, kept within 0..255."""
    blue, green, red = np.clip(np.array(colour) * factors, 0, 255).tolist()
    return blue, green, red


def paste(
    canvas: Image, patch: Image, at: tuple[int, int], mask: NDArray[np.uint8] | None = None
) -> None:
    """Copy a patch to (x, y) of the canvas, cut off at its borders."""
    x, y = at
    h, w = patch.shape[:2]
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(w, canvas.shape[1] - x), min(h, canvas.shape[0] - y)
    if left >= right or top >= bottom:
        return
    target = canvas[y + top : y + bottom, x + left : x + right]
    source = patch[top:bottom, left:right]
    if mask is None:
        target[:] = source
    else:
        part = mask[top:bottom, left:right]
        target[:] = cv2.copyTo(np.ascontiguousarray(source), part, np.ascontiguousarray(target))


def corner_mask(radius: int) -> NDArray[np.uint8]:
    """1 inside a tile's outline with rounded corners."""
    mask = _corner_masks.get(radius)
    if mask is None:
        w, h = FACE_SIZE
        canvas = np.zeros((h, w), np.uint8)
        cv2.rectangle(canvas, (radius, 0), (w - 1 - radius, h - 1), 1, -1)
        cv2.rectangle(canvas, (0, radius), (w - 1, h - 1 - radius), 1, -1)
        for x in (radius, w - 1 - radius):
            for y in (radius, h - 1 - radius):
                cv2.circle(canvas, (x, y), radius, 1, -1)
        mask = _corner_masks[radius] = canvas
    return mask


_corner_masks: dict[int, NDArray[np.uint8]] = {}

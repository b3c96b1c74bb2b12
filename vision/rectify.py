"""Cut upright crops of tiles out of the full-resolution picture.

The namer is trained on exactly these crops and named with exactly these crops, so this is the only place that
decides how a quad becomes pixels.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_SIZE: Final = (48, 64)
"""Width and height of a crop in pixels: a tile's face is about 3:4 on nearly every set."""

MARGIN: Final = 0.06
"""Share of the tile's width (height) added on either side: the rim and the body tell a face from a printed card."""

_SAMPLES: Final = 0.67
"""Samples each way for a source pixel: bilinear samples that far apart still see every pixel."""

_MAX_OVERSAMPLING: Final = 8
"""A 400 px tile shrinks about eight times; beyond that, more samples a pixel no longer change the crop."""


def side_lengths(quads_px: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean length of the first and third side, and of the second and fourth.

    Args:
        quads_px: (N, 4, 2) corners, clockwise.

    Returns:
        Two (N,) float32 arrays in pixels: ``width`` (corners 0-1 and 3-2) and ``height`` (1-2 and 0-3).
    """
    q = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    width = (
        np.linalg.norm(q[:, 1] - q[:, 0], axis=1) + np.linalg.norm(q[:, 2] - q[:, 3], axis=1)
    ) / 2
    height = (
        np.linalg.norm(q[:, 2] - q[:, 1], axis=1) + np.linalg.norm(q[:, 3] - q[:, 0], axis=1)
    ) / 2
    return width.astype(np.float32), height.astype(np.float32)


def long_side_upright(quads_px: NDArray[np.floating]) -> NDArray[np.float32]:
    """Roll the corners of every quad whose long side lies across, so that its first side is a short one.

    Args:
        quads_px: (N, 4, 2) corners, clockwise in the image.

    Returns:
        (N, 4, 2) float32, still clockwise, the same quads.
    """
    q = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    width, height = side_lengths(q)
    return np.where((width > height)[:, None, None], np.roll(q, -1, axis=1), q)


def rectify(
    image_bgr: NDArray[np.uint8],
    quads_px: NDArray[np.floating],
    size: tuple[int, int] = CROP_SIZE,
    margin: float = MARGIN,
    roll: bool = True,
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Crop every quad to an upright rectangle, averaging over the source's pixels when it shrinks.

    A tile that lies far from the camera can look wider than it is tall; rolling by the visible long side then gives
    a crop turned by 90 degrees. Callers that know the face's own corners pass ``roll=False``.

    Args:
        image_bgr: (H, W, 3) uint8, the picture in full resolution; neither side above 32,766 px (OpenCV's limit).
        quads_px: (N, 4, 2) corners, clockwise in the image (y down); the start corner becomes the crop's top left.
        size: width and height of a crop in pixels.
        margin: share of the quad's own width and height shown beyond each of its sides.
        roll: first roll the corners of quads whose long side lies across (see `long_side_upright`).

    Returns:
        ``crops`` (N, size[1], size[0], 3) uint8 and ``quads`` (N, 4, 2) float32, the corners in the order used.
        Outside the frame the border pixel is repeated.

    Raises:
        ValueError: if the shapes do not fit.
    """
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3:
        raise ValueError(f"image must be (H, W, 3), got {image_bgr.shape}")
    quads = np.asarray(quads_px, np.float32)
    if quads.ndim != 3 or quads.shape[1:] != (4, 2):
        raise ValueError(f"quads must be (N, 4, 2), got {quads.shape}")
    if roll:
        quads = long_side_upright(quads)
    out_w, out_h = size
    crops = np.empty((len(quads), out_h, out_w, 3), np.uint8)
    widths, heights = side_lengths(quads)
    for i, quad in enumerate(quads):
        across = _oversampling(float(widths[i]) / out_w, margin)
        down = _oversampling(float(heights[i]) / out_h, margin)
        crop = _warp(image_bgr, quad, out_w * across, out_h * down, margin)
        if across > 1 or down > 1:
            crops[i] = cv2.resize(crop, (out_w, out_h), interpolation=cv2.INTER_AREA)
        else:
            crops[i] = crop
    return crops, quads


def _oversampling(shrink: float, margin: float) -> int:
    """Samples a pixel of the crop needs along one side, where a source side shrinks ``shrink`` times."""
    return int(np.clip(np.ceil(shrink * (1 + 2 * margin) * _SAMPLES), 1, _MAX_OVERSAMPLING))


def _warp(
    image_bgr: NDArray[np.uint8], quad: NDArray[np.float32], width: int, height: int, margin: float
) -> NDArray[np.uint8]:
    inset_x, inset_y = width * margin / (1 + 2 * margin), height * margin / (1 + 2 * margin)
    target = np.array(
        [
            [inset_x, inset_y],
            [width - inset_x, inset_y],
            [width - inset_x, height - inset_y],
            [inset_x, height - inset_y],
        ],
        np.float32,
    )
    # Corners are pixel edges here, OpenCV's samples sit on pixel centres: shift both by half a pixel.
    homography = cv2.getPerspectiveTransform(quad - 0.5, target - 0.5)
    warped = cv2.warpPerspective(
        image_bgr,
        homography,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return warped.astype(np.uint8, copy=False)

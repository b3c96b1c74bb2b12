"""Dark and noisy pictures made fit to read; all others are left as they are.

The networks learned pictures three times as dark as usual and a little grain. What is darker is brightened first, and
what is noisier, as dark pictures mostly are, is smoothed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LightConfig:
    """When and how a picture is mended; grey levels of 0 to 255."""

    dark: float = 80.0
    """A picture whose brightest pixels stay below this is brightened."""
    lit: float = 200.0
    """Where the brightest pixels of a dark picture are put."""
    most_gain: float = 16.0
    """Beyond, there are fewer than sixteen steps between black and white and nothing is left to read."""
    noisy: float = 10.0
    """Noise (one standard deviation) from which a picture is smoothed. Photographs in good light have 0.2 to 4; up to
    8 the networks read as well as without."""
    per_px: float = 18.0
    """So much noise is smoothed by one pixel (sigma): photographs kept aside at 12 and 6 % of their light were read
    best when smoothed by 1 and 1.5 pixels."""
    most_px: float = 1.6
    """More than this smooths away what is to be read."""


_CURVATURE = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
"""Answers neither to surfaces nor to straight edges; white noise comes out six times as strong (Immerkaer 1996)."""

_PATCH_PX, _PATCHES = 64, 4
"""Noise is measured in so many patches along each side: a large picture says no more than that."""


def mended(image_bgr: Image, config: LightConfig) -> Image:
    """A picture (H, W, 3) as it can be read best: brightened if it is dark, smoothed if it is noisy."""
    return _smoothed(_brightened(image_bgr, config), config)


def noise_of(image_bgr: Image) -> float:
    """Standard deviation of the noise between neighbouring pixels, grey levels; what is drawn hardly counts."""
    height, width = image_bgr.shape[:2]
    found = []
    for y in _starts(height):
        for x in _starts(width):
            patch = cv2.cvtColor(
                image_bgr[y : y + _PATCH_PX, x : x + _PATCH_PX], cv2.COLOR_BGR2GRAY
            )
            found.append(np.abs(cv2.filter2D(patch, cv2.CV_16S, _CURVATURE)).ravel())
    return counted_quantile(np.concatenate(found), 0.5) / 0.6745 / 6


def counted_quantile(numbers: NDArray[np.integer], share: float) -> float:
    """As numpy's, of small whole numbers: counting them is quicker than sorting them."""
    upto = np.cumsum(np.bincount(numbers.ravel()))
    at = share * (int(upto[-1]) - 1)
    low, high = np.searchsorted(upto, [int(at) + 1, min(int(at) + 2, int(upto[-1]))])
    return float(low + (high - low) * (at - int(at)))


def _starts(length: int) -> list[int]:
    """Where patches begin along a side; they overlap in small pictures."""
    last = max(length - _PATCH_PX, 0)
    return sorted({round(last * i / (_PATCHES - 1)) for i in range(_PATCHES)})


def _brightened(image: Image, config: LightConfig) -> Image:
    # Every eighth pixel says it as well; the brightest half per cent may be a lamp.
    brightest = counted_quantile(image[::8, ::8], 0.995)
    if brightest >= config.dark:
        return image
    gain = min(config.lit / max(brightest, 1.0), config.most_gain)
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)


def _smoothed(image: Image, config: LightConfig) -> Image:
    noise = noise_of(image)
    if noise < config.noisy:
        return image
    sigma = min(noise / config.per_px, config.most_px)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)

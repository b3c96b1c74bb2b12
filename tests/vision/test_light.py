"""Dark and noisy pictures: what is mended, what is left alone, and that mending brings them nearer to the truth."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from painted import PaintedFinder, PaintedNamer

from vision.light import LightConfig, counted_quantile, mended, noise_of
from vision.reader import Reader
from vision.seen import Finds

CONFIG = LightConfig()


def scene() -> np.ndarray:
    """Light rectangles with strokes on green, as tiles on a table."""
    image = np.full((480, 640, 3), (60, 110, 40), np.uint8)
    for x in range(40, 600, 60):
        cv2.rectangle(image, (x, 180), (x + 44, 240), (225, 235, 240), -1)
        cv2.putText(image, "8", (x + 6, 232), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (40, 30, 160), 3)
    return image


def noisy(image: np.ndarray, sigma: float) -> np.ndarray:
    grain = np.random.default_rng(5).normal(0, sigma, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def test_a_good_picture_is_left_alone() -> None:
    image = scene()
    assert mended(image, CONFIG) is image
    grainy = noisy(image, 8)
    assert mended(grainy, CONFIG) is grainy


@pytest.mark.parametrize("sigma", [6.0, 14.0, 25.0])
def test_noise_is_measured_beside_what_is_drawn(sigma: float) -> None:
    assert noise_of(scene()) < 1
    # Grey is the mean of three channels that err by themselves: 0.587, 0.299 and 0.114 of them.
    grey = sigma * float(np.hypot(np.hypot(0.587, 0.299), 0.114))
    assert noise_of(noisy(scene(), sigma)) == pytest.approx(grey, rel=0.15)


def test_what_is_dark_and_noisy_comes_nearer_to_the_truth() -> None:
    truth = scene().astype(float)
    dark = noisy((truth * 0.06).astype(np.uint8), 3)

    def away(image: np.ndarray) -> float:
        gain = (image * truth).sum() / (truth * truth).sum()
        return float(np.abs(image / gain - truth).mean())

    found, unsmoothed = mended(dark, CONFIG), mended(dark, replace(CONFIG, noisy=1e9))
    assert np.percentile(unsmoothed, 99.5) == pytest.approx(CONFIG.lit, abs=12)
    assert away(found) < 0.6 * away(unsmoothed)


@pytest.mark.parametrize("shape", [(32, 32, 3), (40, 900, 3), (63, 65, 3)])
def test_pictures_of_any_shape(shape: tuple[int, int, int]) -> None:
    black = np.zeros(shape, np.uint8)
    assert mended(black, CONFIG).max() == 0
    assert mended(noisy(black + np.uint8(120), 30), CONFIG).shape == shape


def test_a_reader_mends_what_it_reads() -> None:
    seen = []

    class Looking(PaintedFinder):
        def find(self, image_bgr: np.ndarray) -> Finds:
            seen.append(float(image_bgr.max()))
            return super().find(image_bgr)

    dim = (scene() * 0.08).astype(np.uint8)
    Reader(finder=Looking([]), namer=PaintedNamer()).read(dim)
    assert seen and min(seen) > 150


@pytest.mark.parametrize("share", [0.0, 0.5, 0.995, 1.0])
@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_counted_quantiles_are_sorted_ones(share: float, count: int) -> None:
    numbers = np.random.default_rng(count).integers(0, 256, count).astype(np.uint8)
    assert counted_quantile(numbers, share) == pytest.approx(float(np.quantile(numbers, share)))

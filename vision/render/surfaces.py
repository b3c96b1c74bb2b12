"""Table tops: cloth, felt, wood, marble, leather, rug, cutting mat, patterned cover, plain desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
FloatImage = NDArray[np.float32]

SIDE: Final = 768
"""Pixels of a square texture."""


def clouds(
    rng: np.random.Generator, octaves: tuple[int, ...], side: int = SIDE, stretch: float = 1.0
) -> FloatImage:
    """Smooth noise, zero mean, deviation about 1: cells per side given per octave, halving weights."""
    total = np.zeros((side, side), np.float32)
    weight = 1.0
    for cells in octaves:
        rows = max(round(cells * stretch), 2)
        grid = rng.standard_normal((rows, cells), np.float32)
        total += weight * cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
        weight *= 0.6
    return total / max(float(total.std()), 1e-6)


def random_colour(
    rng: np.random.Generator,
    hues: tuple[float, float],
    saturation: tuple[float, float],
    value: tuple[float, float],
) -> NDArray[np.float32]:
    hsv = np.array(
        [[[rng.uniform(*hues) % 360, rng.uniform(*saturation), rng.uniform(*value)]]], np.float32
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255, np.float32)


def _tinted(colour: NDArray[np.float32], brightness: FloatImage) -> Image:
    return np.clip(colour * brightness[..., None], 0, 255).astype(np.uint8)


def _table_colour(rng: np.random.Generator) -> NDArray[np.float32]:
    dice = rng.random()
    if dice < 0.45:
        return random_colour(rng, (100, 170), (0.35, 1.0), (0.15, 0.6))
    if dice < 0.6:
        return random_colour(rng, (195, 240), (0.3, 0.9), (0.15, 0.6))
    if dice < 0.72:
        return random_colour(rng, (340, 375), (0.5, 0.95), (0.3, 0.75))
    if dice < 0.88:
        return random_colour(rng, (15, 45), (0.1, 0.5), (0.3, 0.9))
    return random_colour(rng, (0, 360), (0.0, 0.2), (0.08, 0.85))


def cloth(rng: np.random.Generator, colour: NDArray[np.float32] | None = None) -> Image:
    """Woven or felted cloth, of a table's usual colours unless one is given."""
    fine = clouds(rng, (SIDE, SIDE // 2)) * rng.uniform(0.015, 0.14)
    wide = clouds(rng, (3, 7)) * rng.uniform(0.01, 0.06)
    weave = np.zeros((SIDE, SIDE), np.float32)
    if rng.random() < 0.4:
        step = rng.uniform(3, 9)
        axis = np.arange(SIDE, dtype=np.float32)
        weave = (
            np.sin(axis * 2 * np.pi / step)[None]
            * np.sin(axis * 2 * np.pi / step)[:, None]
            * rng.uniform(0.02, 0.1)
        ).astype(np.float32)
    return _tinted(_table_colour(rng) if colour is None else colour, 1 + fine + wide + weave)


def automatic(rng: np.random.Generator) -> Image:
    """Felt with the seams and printed frames of an automatic table."""
    image = cloth(rng)
    line = random_colour(
        rng, (0, 360), (0, 0.3), (0.02, 0.15) if rng.random() < 0.7 else (0.5, 0.9)
    )
    for _ in range(int(rng.integers(3, 9))):
        at, width = int(rng.integers(0, SIDE)), int(rng.integers(1, 4))
        if rng.random() < 0.5:
            cv2.line(image, (at, 0), (at, SIDE), line.tolist(), width, cv2.LINE_AA)
        else:
            cv2.line(image, (0, at), (SIDE, at), line.tolist(), width, cv2.LINE_AA)
    if rng.random() < 0.5:
        a, b = sorted(rng.integers(0, SIDE, 2).tolist())
        cv2.rectangle(
            image, (a, a // 2), (b, b), line.tolist(), int(rng.integers(1, 3)), cv2.LINE_AA
        )
    return image


def wood(rng: np.random.Generator) -> Image:
    colour = random_colour(rng, (18, 38), (0.2, 0.7), (0.25, 0.85))
    grain = clouds(rng, (12, 40, 110, 300), stretch=0.06) * rng.uniform(0.04, 0.14)
    rings = np.sin(clouds(rng, (4, 8), stretch=0.15) * rng.uniform(4, 14)) * rng.uniform(0.0, 0.06)
    image = _tinted(colour, 1 + grain + rings.astype(np.float32))
    if rng.random() < 0.3:  # planks
        for x in range(0, SIDE, int(rng.integers(90, 260))):
            cv2.line(image, (x, 0), (x, SIDE), (colour * 0.4).tolist(), 2, cv2.LINE_AA)
    return image


def marble(rng: np.random.Generator) -> Image:
    colour = random_colour(rng, (0, 360), (0.0, 0.12), (0.15, 0.95))
    veins = np.exp(-np.abs(clouds(rng, (4, 9, 20, 50))) * rng.uniform(5, 18))
    return _tinted(colour, 1 - veins * rng.uniform(-0.3, 0.5) + clouds(rng, (3, 8, 20)) * 0.04)


def leather(rng: np.random.Generator) -> Image:
    cells = np.abs(clouds(rng, (60, 120, 200)))
    colour = random_colour(rng, (0, 360), (0.1, 0.8), (0.08, 0.6))
    return _tinted(colour, 0.9 + cells * rng.uniform(0.03, 0.12) + clouds(rng, (3, 6)) * 0.05)


def rug(rng: np.random.Generator) -> Image:
    colour = random_colour(rng, (0, 360), (0.0, 0.4), (0.12, 0.75))
    pile = clouds(rng, (30, 90, 240, 500)) * rng.uniform(0.1, 0.3)
    return _tinted(colour, np.clip(1 + pile, 0.2, 2))


def cutting_mat(rng: np.random.Generator) -> Image:
    image = _tinted(
        random_colour(rng, (90, 260), (0.3, 0.9), (0.12, 0.5)),
        1 + clouds(rng, (SIDE,)) * rng.uniform(0.01, 0.06),
    )
    tone = (image.mean((0, 1)) + rng.uniform(25, 90)).tolist()
    step = int(rng.integers(24, 80))
    for at in range(0, SIDE, step):
        thick = 2 if at % (5 * step) == 0 else 1
        cv2.line(image, (at, 0), (at, SIDE), tone, thick, cv2.LINE_AA)
        cv2.line(image, (0, at), (SIDE, at), tone, thick, cv2.LINE_AA)
        cv2.putText(
            image,
            str(at // step),
            (at + 2, 12),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.3,
            tone,
            1,
            cv2.LINE_AA,
        )
    return image


def patterned(rng: np.random.Generator) -> Image:
    """Printed cloth or floor tiles: repeated shapes, the most tile-like ground there is."""
    image = cloth(rng)
    step = int(rng.integers(28, 140))
    down = round(step * float(rng.choice([1.0, 0.75, 1.35, 2.0])))
    seam = int(rng.integers(1, 9))
    first = random_colour(rng, (0, 360), (0, 0.9), (0.05, 1.0)).tolist()
    second = random_colour(rng, (0, 360), (0, 0.9), (0.05, 1.0)).tolist()
    kind = int(rng.integers(6))
    for row, y in enumerate(range(0, SIDE, down)):
        for column, x in enumerate(range(0, SIDE, step)):
            if kind == 0 and (row + column) % 2:
                cv2.rectangle(image, (x, y), (x + step, y + down), first, -1)
            elif kind == 1:
                cv2.circle(image, (x, y), step // 4, first if row % 2 else second, -1, cv2.LINE_AA)
            elif kind == 2:
                cv2.rectangle(image, (x, y), (x + step - 3, y + down - 3), first, 2, cv2.LINE_AA)
            elif kind == 4:  # cells with seams, in the cloth's colour
                cv2.rectangle(image, (x, y), (x + step, y + down), first, seam, cv2.LINE_AA)
            elif kind == 5:  # plates with joints, as a floor has
                tone = (np.array(first) * rng.uniform(0.9, 1.1)).clip(0, 255).tolist()
                cv2.rectangle(
                    image, (x + seam, y + seam), (x + step - seam, y + down - seam), tone, -1
                )
            elif kind == 3:
                cv2.line(image, (x, y), (x + step // 2, y + step // 2), first, 3, cv2.LINE_AA)
                cv2.ellipse(
                    image, (x, y), (step // 3, step // 6), 45.0, 0, 360, second, -1, cv2.LINE_AA
                )
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.5))
    return np.asarray(soft, np.uint8)


def desk(rng: np.random.Generator) -> Image:
    colour = random_colour(rng, (20, 60), (0.0, 0.3), (0.45, 1.0))
    return _tinted(
        colour,
        1
        + clouds(rng, (2, 5)) * rng.uniform(0.005, 0.04)
        + clouds(rng, (SIDE,)) * rng.uniform(0.0, 0.05),
    )


SURFACES: Final[tuple[tuple[Callable[[np.random.Generator], Image], float], ...]] = (
    (cloth, 0.24),
    (automatic, 0.2),
    (wood, 0.14),
    (desk, 0.12),
    (leather, 0.05),
    (marble, 0.05),
    (rug, 0.08),
    (cutting_mat, 0.06),
    (patterned, 0.14),
)
"""Table tops and how often each is met."""


def random_surface(rng: np.random.Generator) -> Image:
    """(SIDE, SIDE, 3) a table top."""
    makers, shares = zip(*SURFACES, strict=True)
    pick = rng.choice(len(makers), p=np.array(shares) / sum(shares))
    return makers[int(pick)](rng)


def random_backdrop(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """A blurred room: what is seen past the table when no photograph is at hand."""
    w, h = size_px
    colours = random_colour(rng, (0, 360), (0, 0.4), (0.1, 0.8))
    image = np.empty((h // 4, w // 4, 3), np.uint8)
    image[:] = colours.astype(np.uint8)
    for _ in range(int(rng.integers(4, 14))):
        a = (int(rng.integers(-20, w // 4)), int(rng.integers(-20, h // 4)))
        b = (a[0] + int(rng.integers(8, w // 8)), a[1] + int(rng.integers(8, h // 8)))
        tone = random_colour(rng, (0, 360), (0, 0.7), (0.05, 1.0)).tolist()
        cv2.rectangle(image, a, b, tone, -1)
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 5))
    return np.asarray(cv2.resize(soft, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)

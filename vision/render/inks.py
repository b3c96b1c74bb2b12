"""Inks: what is red, green, blue and black on a set, and how artwork is inked with them.

Artwork in colour keeps its division and takes the palette's inks; artwork in one colour is divided
the way real sets are: numeral and 萬, rows of circles, the middle column of bamboos.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """Four inks (blue, green, red order) and how faces of one colour are divided among them.

    Attributes:
        plan: picks among the usual divisions of each face, see ``_division``.
        paper: grey level that stands for the white inside a drawing; dark on dark tiles.
    """

    red: Colour
    green: Colour
    blue: Colour
    black: Colour
    frame: Colour
    plan: int
    paper: float = 248.0

    @classmethod
    def classic(cls) -> Palette:
        return cls((40, 30, 190), (50, 115, 20), (150, 50, 25), (35, 30, 30), (150, 50, 25), 0)

    def inks(self) -> NDArray[np.float32]:
        """(4, 3): red, green, blue, black."""
        return np.array([self.red, self.green, self.blue, self.black], np.float32)


RED, GREEN, BLUE, BLACK = range(4)


def random_palette(rng: np.random.Generator, light_ink: bool) -> Palette:
    """Inks as sets have them; on dark tiles white, gold and bright ones."""

    def ink(
        hue_deg: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
    ) -> Colour:
        hsv = np.array(
            [[[rng.uniform(*hue_deg) % 360, rng.uniform(*saturation), rng.uniform(*value)]]],
            np.float32,
        )
        b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255
        return float(b), float(g), float(r)

    if light_ink:
        white = ink((0, 360), (0.0, 0.12), (0.8, 1.0))
        gold = ink((30, 48), (0.5, 0.9), (0.75, 1.0))
        return Palette(
            gold if rng.random() < 0.5 else ink((-8, 14), (0.6, 0.95), (0.7, 1.0)),
            white if rng.random() < 0.5 else ink((110, 160), (0.5, 0.9), (0.6, 0.95)),
            white if rng.random() < 0.6 else ink((195, 225), (0.4, 0.8), (0.7, 1.0)),
            white,
            gold if rng.random() < 0.4 else white,
            int(rng.integers(1 << 16)),
            40.0,
        )
    red = ink((-12, 14), (0.72, 0.98), (0.5, 0.92))
    green = ink((115, 170), (0.55, 1.0), (0.22, 0.62))
    blue = ink((208, 242), (0.6, 1.0), (0.28, 0.75))
    black = ink((0, 360), (0.0, 0.35), (0.06, 0.24))
    dice = rng.random()
    if dice < 0.2:  # riichi: what is blue elsewhere is black
        blue = black
    elif dice < 0.3:
        green = black
    elif dice < 0.38:
        blue = green
    frame = blue if rng.random() < 0.6 else (green if rng.random() < 0.5 else black)
    return Palette(red, green, blue, black, frame, int(rng.integers(1 << 16)))


def recolour(art: Image, kind: str, palette: Palette) -> Image:
    """Artwork in colour -> the same in the palette's inks, its light and dark kept.

    Args:
        art: (h, w, 4).
        kind: the face's code, or ``red`` for a face inked all in red.
    """
    bgr = art[..., :3].astype(np.float32)
    high, low = bgr.max(2), bgr.min(2)
    chroma = high - low
    b, g, r = bgr[..., 0], bgr[..., 1], bgr[..., 2]
    classes = np.full(high.shape, BLACK, np.intp)
    strong = chroma > 28
    classes[strong & (r >= g) & (r >= b)] = RED
    classes[strong & (g > r) & (g >= b)] = GREEN
    classes[strong & (b > r) & (b > g)] = BLUE
    if kind == "red":
        classes[:] = RED
    ink = palette.inks()[classes]
    # White inside the drawing (a petal, a ring) stays white; dark strokes stay darker than light ones.
    whiteness = np.where(chroma > 28, low, high) / 255
    whiteness = np.clip(whiteness * 1.25 - 0.25, 0, 1)[..., None]
    shade = np.where(strong, 0.72 + 0.28 * high / 255, 1.0)[..., None]
    result = art.copy()
    result[..., :3] = np.clip(ink * shade + (palette.paper - ink * shade) * whiteness, 0, 255)
    return result


def colour_in(art: Image, kind: str, palette: Palette, seed: int) -> Image:
    """Artwork in one colour -> inked part by part."""
    result = art.copy()
    inks = palette.inks()
    result[..., :3] = inks[_division(kind, art.shape[0], art.shape[1], palette.plan, seed)]
    return result


@lru_cache(maxsize=512)
def _division(kind: str, height: int, width: int, plan: int, seed: int) -> NDArray[np.intp]:
    """(h, w) ink number per pixel."""
    y, x = np.mgrid[0:height, 0:width]
    y, x = (y + 0.5) / height, (x + 0.5) / width
    inks = np.full((height, width), BLACK, np.intp)
    second = BLUE if plan & 1 else BLACK  # the ink of numerals, winds and half of the circles
    suit = kind[1] if len(kind) == 2 else ""
    if kind == "red":
        inks[:] = RED
    elif suit == "m":
        inks[:] = second
        inks[y > 0.48] = RED
        if plan & 0b110 == 0b110:  # some sets write both parts in one ink
            inks[:] = RED if plan & 8 else second
    elif suit == "z":
        inks[:] = {"6": GREEN, "7": RED, "5": BLUE if plan & 16 else BLACK}.get(kind[0], second)
        if kind[0] == "5" and plan & 96 == 96:
            inks[:] = GREEN
    elif suit == "p":
        inks[:] = _circles(int(kind[0]), y, x, plan, second)
    elif suit == "s" and kind != "1s":
        inks[:] = _bamboos(int(kind[0]), y, x, plan)
    else:  # birds, flowers, seasons: patches of three inks
        rng = np.random.default_rng([seed, ord(kind[0]), ord(kind[-1])])
        seeds = rng.uniform(0, 1, (int(rng.integers(3, 7)), 2))
        wheel = rng.permutation([RED, GREEN, GREEN if plan & 1 else BLUE, BLACK])
        nearest = np.argmin(
            (y[..., None] - seeds[:, 0]) ** 2 + (x[..., None] - seeds[:, 1]) ** 2, 2
        )
        inks = wheel[nearest % 4]
    return inks


def _circles(
    rank: int, y: NDArray[np.float64], x: NDArray[np.float64], plan: int, second: int
) -> NDArray[np.intp]:
    inks = np.full(y.shape, second, np.intp)
    first = GREEN if plan & 32 else second
    if rank == 1:
        radius = np.hypot((y - 0.5) * 4 / 3, x - 0.5)
        inks[:] = first
        inks[radius < 0.26] = GREEN if plan & 64 else second
        inks[radius < 0.14] = RED
    elif rank == 2:
        inks[y < 0.5] = first
    elif rank == 3:
        inks[y < 0.36] = first
        inks[(y >= 0.36) & (y < 0.64)] = RED
    elif rank == 4:
        inks[(y < 0.5) == (x < 0.5)] = first
    elif rank == 5:
        inks[(y < 0.5) == (x < 0.5)] = first
        inks[np.hypot((y - 0.5) * 4 / 3, x - 0.5) < 0.21] = RED
    elif rank == 6:
        inks[:] = RED
        inks[y < 0.36] = first
    elif rank == 7:
        inks[:] = RED
        inks[y < 0.48] = first
    elif rank == 9:
        inks[y < 0.36] = first
        inks[(y >= 0.36) & (y < 0.64)] = RED
    return inks


def _bamboos(
    rank: int, y: NDArray[np.float64], x: NDArray[np.float64], plan: int
) -> NDArray[np.intp]:
    inks = np.full(y.shape, GREEN, np.intp)
    other = BLUE if plan & 128 else GREEN
    middle = (x > 0.37) & (x < 0.63)
    if rank == 2:
        inks[y < 0.5] = other
    elif rank == 3:
        inks[y < 0.5] = RED if plan & 256 else other
    elif rank in (4, 6, 8):
        inks[(y < 0.5) if plan & 512 else (x < 0.5)] = other
    elif rank == 5:
        inks[(y < 0.5) == (x < 0.5)] = other
        inks[middle] = RED
    elif rank == 7:
        inks[y < 0.36] = RED
        inks[(y >= 0.36) & middle] = other
    elif rank == 9:
        inks[middle if plan & 1024 else (y > 0.36) & (y < 0.64)] = RED
    return inks

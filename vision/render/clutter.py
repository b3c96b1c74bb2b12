"""What lies on a table beside tiles, and the hands over it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import prints
from vision.render.body import FACE_DOWN, FACE_UP, STANDING, Colour, resting, turn_z
from vision.render.paint import DicePaint, PlainPaint, PrintedPaint
from vision.render.scene import Flat, Overlay
from vision.render.solids import Box, Round, Solid
from vision.render.surfaces import random_colour

FloatArray = NDArray[np.float64]


def _colour(
    rng: np.random.Generator,
    saturation: tuple[float, float] = (0, 0.9),
    value: tuple[float, float] = (0.15, 1.0),
) -> Colour:
    b, g, r = random_colour(rng, (0, 360), saturation, value)
    return float(b), float(g), float(r)


def flat(
    texture: NDArray[np.uint8],
    centre_mm: tuple[float, float],
    size_mm: tuple[float, float],
    turn_deg: float,
    lift_mm: float = 0.0,
) -> Flat:
    """A print lying on the table."""
    w, h = size_mm[0] / 2, size_mm[1] / 2
    local = np.array([[-w, h, 0], [w, h, 0], [w, -h, 0], [-w, -h, 0.0]])
    return Flat(texture, local @ turn_z(turn_deg).T + [centre_mm[0], centre_mm[1], lift_mm])


def random_flat(rng: np.random.Generator, centre_mm: tuple[float, float]) -> Flat:
    """A sheet, a card, a phone, a keyboard or a ruler."""
    turn = float(rng.uniform(0, 360))
    dice = rng.random()
    if dice < 0.3:
        return flat(
            prints.paper(rng, (260, 340)),
            centre_mm,
            (float(rng.uniform(70, 210)), float(rng.uniform(90, 290))),
            turn,
        )
    if dice < 0.62:
        return flat(prints.card(rng, (126, 176)), centre_mm, (63, 88), turn)
    if dice < 0.74:
        return flat(prints.phone(rng, (140, 290)), centre_mm, (72, 150), turn, 6.0)
    if dice < 0.8:
        return flat(prints.buttons(rng, (160, 260)), centre_mm, (80, 130), turn, 8.0)
    if dice < 0.84:
        return flat(prints.dial(rng, (160, 160)), centre_mm, (45, 45), turn, 6.0)
    if dice < 0.9:
        return flat(prints.keyboard(rng, (520, 180)), centre_mm, (380, 130), turn, 8.0)
    return flat(prints.ruler(rng, (500, 50)), centre_mm, (300, 30), turn)


def dice(rng: np.random.Generator, at_mm: tuple[float, float], colour: Colour) -> Box:
    """One die: 10 to 22 mm, now and then a large one that shows the dealer."""
    size = np.full(3, rng.uniform(10, 22) if rng.random() < 0.8 else rng.uniform(25, 55))
    light = sum(colour) > 300
    paint = DicePaint(
        colour,
        (170, 60, 25) if light else (245, 245, 245),
        (40, 30, 200) if light else (245, 245, 245),
        int(rng.integers(6)),
    )
    return Box(
        size / 2,
        resting(size, *at_mm, FACE_UP, float(rng.uniform(0, 360))),
        float(size[0] * 0.16),
        paint,
        0.5,
        0.25,
    )


def random_solid(rng: np.random.Generator, at_mm: tuple[float, float]) -> list[Solid]:
    """Dice, point sticks, chips, a cup, a box or book, dominoes, a plain block."""
    pick = rng.random()
    turn = float(rng.uniform(0, 360))
    found: list[Solid] = []
    if pick < 0.18:
        colour = (245.0, 245.0, 240.0) if rng.random() < 0.7 else _colour(rng, (0.5, 1))
        for _ in range(int(rng.integers(1, 5))):
            x, y = np.array(at_mm) + rng.uniform(-45, 45, 2)
            found.append(dice(rng, (float(x), float(y)), colour))
        return found
    if pick < 0.3:
        size = (float(rng.uniform(60, 95)), float(rng.uniform(5, 9)), 3.0)
        for i in range(int(rng.integers(1, 6))):
            spots = np.full((16, 160, 3), 240, np.uint8)
            for k in range(int(rng.integers(1, 6))):
                cv2.circle(
                    spots,
                    (70 + 6 * k, 8),
                    3,
                    (40, 30, 190) if k % 2 == 0 else (40, 40, 40),
                    -1,
                    cv2.LINE_AA,
                )
            x, y = np.array(at_mm) + [i * 3.0, i * 10.0]
            found.append(
                Box(
                    np.array(size) / 2,
                    resting(size, float(x), float(y), FACE_UP, turn + float(rng.normal(0, 8))),
                    1.0,
                    PrintedPaint(spots, (240, 240, 235), True),
                    0.3,
                    0.15,
                )
            )
        return found
    if pick < 0.45:
        for _ in range(int(rng.integers(1, 5))):
            x, y = np.array(at_mm) + rng.uniform(-60, 60, 2)
            found.append(chips(rng, (float(x), float(y))))
        return found
    if pick < 0.57:
        return [cup(rng, at_mm)]
    if pick < 0.82:
        w, h = float(rng.uniform(45, 200)), float(rng.uniform(30, 150))
        if 0.62 < min(w, h) / max(w, h) < 0.85:
            h = w * float(rng.uniform(1.7, 2.5))  # never a tile's proportions
        size = (w, h, float(rng.uniform(8, 60)))
        colour = _colour(rng, (0, 0.6), (0.3, 1.0))
        paint = PrintedPaint(prints.package(rng, (260, max(int(260 * h / w), 20))), colour)
        attitude = FACE_UP if rng.random() < 0.75 else STANDING
        return [
            Box(np.array(size) / 2, resting(size, *at_mm, attitude, turn), 1.5, paint, 0.2, 0.2)
        ]
    if pick < 0.92:
        size = (24.0, 50.0, 8.0)
        for i in range(int(rng.integers(1, 5))):
            x, y = np.array(at_mm) + rng.uniform(-50, 50, 2) + [28 * i, 0]
            paint = PrintedPaint(prints.domino(rng, (96, 200)), (225, 230, 232))
            attitude = FACE_UP if rng.random() < 0.8 else FACE_DOWN
            found.append(
                Box(
                    np.array(size) / 2,
                    resting(size, float(x), float(y), attitude, float(rng.uniform(0, 360))),
                    2.0,
                    paint,
                    0.4,
                    0.2,
                )
            )
        return found
    a, b, c = (float(v) for v in rng.uniform(12, 75, 3))
    size = (a, b * 2.2, c * 0.5)
    tone = _colour(rng, (0.3, 0.8), (0.3, 0.9))
    return [
        Box(
            np.array(size) / 2,
            resting(size, *at_mm, FACE_UP, turn),
            2.0,
            PlainPaint(tone),
            0.2,
            0.25,
        )
    ]


def chips(rng: np.random.Generator, at_mm: tuple[float, float]) -> Round:
    """A poker chip or a pile of them."""
    count = int(rng.integers(1, 9)) if rng.random() < 0.5 else 1
    tone, other = _colour(rng, (0.4, 1)), _colour(rng, (0, 0.3), (0.7, 1))
    dark = (tone[0] * 0.75, tone[1] * 0.75, tone[2] * 0.75)
    bands = tuple(((i + 1) / (2 * count), tone if i % 2 else dark) for i in range(2 * count))
    return Round(
        np.array([*at_mm, 0.0]),
        19.5,
        3.3 * count,
        ((1.0, tone), (0.85, other), (0.72, tone), (0.5, other)),
        bands,
    )


def cup(rng: np.random.Generator, at_mm: tuple[float, float]) -> Round:
    tone, drink = _colour(rng, (0, 0.7), (0.2, 1)), _colour(rng, (0.2, 0.8), (0.05, 0.6))
    inner = (tone[0] * 0.8, tone[1] * 0.8, tone[2] * 0.8)
    return Round(
        np.array([*at_mm, 0.0]),
        float(rng.uniform(28, 45)),
        float(rng.uniform(40, 110)),
        ((1.0, tone), (0.92, inner), (0.84, drink)),
        ((1.0, tone),),
    )


def caption(rng: np.random.Generator, size_px: tuple[int, int]) -> Overlay:
    """A box of small writing over a corner of the picture."""
    width, height = size_px
    w, h = int(width * rng.uniform(0.12, 0.3)), int(height * rng.uniform(0.1, 0.35))
    text = prints.paper(rng, (max(w, 24), max(h, 24)))
    if rng.random() < 0.7:
        text = 255 - text
    cover = np.full(text.shape[:2], int(rng.integers(140, 256)), np.uint8)
    x, y = rng.choice([0, width - w]), rng.choice([0, height - h], p=[0.2, 0.8])
    return Overlay(text, cover, (int(x), int(y)))

"""Many like things side by side: stones, chips, blocks, keys, holes and squares, which pass for tiles one by one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import prints
from vision.render.body import FACE_UP, Colour, resting, turn_z
from vision.render.clutter import chips, dice, flat
from vision.render.paint import PlainPaint, PrintedPaint
from vision.render.scene import Flat
from vision.render.solids import Box, Paint, Round, Solid
from vision.render.surfaces import random_colour

Image = NDArray[np.uint8]
Spot = tuple[float, float]


def random_crowd(rng: np.random.Generator, centre_mm: Spot) -> tuple[list[Solid], list[Flat]]:
    """One kind of thing, many times, in rows or strewn about a point of the table."""
    kind = rng.random()
    if kind < 0.28:
        return [], [pattern(rng, centre_mm)]
    if kind < 0.55:
        return _stones(rng, centre_mm), []
    if kind < 0.68:
        spots = _spots(rng, centre_mm, float(rng.uniform(42, 60)))
        return [chips(rng, spot) for spot in spots], []
    if kind < 0.76:
        tone = _tone(rng, (0, 1), (0.1, 1))
        return [dice(rng, spot, tone) for spot in _spots(rng, centre_mm, 34.0)], []
    return _blocks(rng, centre_mm), []


def _tone(
    rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]
) -> Colour:
    b, g, r = random_colour(rng, (0, 360), saturation, value)
    return float(b), float(g), float(r)


def _spots(rng: np.random.Generator, centre_mm: Spot, pitch_mm: float) -> list[Spot]:
    """Places on a turned lattice, some of them empty, all a little off it."""
    columns, rows = int(rng.integers(2, 11)), int(rng.integers(1, 9))
    across = pitch_mm * float(rng.uniform(1.0, 1.5))
    slip = float(rng.choice([0.02, 0.1, 0.3])) * pitch_mm
    share = float(rng.uniform(0.35, 1.0))
    turn = turn_z(float(rng.uniform(0, 360)))[:2, :2]
    spots = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() > share:
                continue
            at = np.array([column - (columns - 1) / 2, row - (rows - 1) / 2]) * [across, pitch_mm]
            x, y = turn @ at + rng.normal(0, slip, 2) + centre_mm
            spots.append((float(x), float(y)))
    return spots


def _stones(rng: np.random.Generator, centre_mm: Spot) -> list[Solid]:
    """Domed stones of one or two colours, as in Go, draughts and Othello: buttons, sweets and caps look alike."""
    radius = float(rng.uniform(8, 20))
    height = radius * float(rng.uniform(0.2, 0.7))
    if rng.random() < 0.6:
        tones: list[Colour] = [(235.0, 240.0, 240.0), (38.0, 36.0, 35.0)]
    else:
        tones = [_tone(rng, (0, 1), (0.1, 1)) for _ in range(2)]
    ringed = rng.random() < 0.3
    found: list[Solid] = []
    for x, y in _spots(rng, centre_mm, radius * float(rng.uniform(2.1, 3.2))):
        tone = tones[int(rng.random() < 0.45)]
        steps = np.linspace(1.0, 0.15, 6)
        lights = np.linspace(0.75, 1.12, 6) if not ringed else np.tile([1.0, 0.8], 3)
        rings = tuple(
            (float(step), _lit(tone, float(light)))
            for step, light in zip(steps, lights, strict=True)
        )
        bands = ((0.4, _lit(tone, 0.55)), (1.0, _lit(tone, 0.72)))
        found.append(Round(np.array([x, y, 0.0]), radius, height, rings, bands))
    return found


def _lit(tone: Colour, light: float) -> Colour:
    b, g, r = (min(value * light, 255.0) for value in tone)
    return b, g, r


def _blocks(rng: np.random.Generator, centre_mm: Spot) -> list[Solid]:
    """Square or long blocks: keys, caramels, erasers, sticks of wood, batteries; plain or with a sign on top."""
    width = float(rng.uniform(14, 34))
    # Never a tile's proportions: a plain block that has them is no different from a tile's back.
    ratio = float(rng.uniform(0.92, 1.1) if rng.random() < 0.5 else rng.uniform(1.9, 5.0))
    size = (width, width * ratio, width * float(rng.uniform(0.25, 1.0)))
    tones = [_tone(rng, (0, 0.9), (0.15, 1)) for _ in range(int(rng.choice([1, 1, 3])))]
    written = rng.random() < 0.5
    found: list[Solid] = []
    turn = float(rng.uniform(0, 360))
    loose = float(rng.choice([1.0, 6.0, 90.0]))
    spots = _spots(rng, centre_mm, float(np.hypot(*size[:2])) * float(rng.uniform(1.0, 1.5)))
    for x, y in spots:
        tone = tones[int(rng.integers(len(tones)))]
        paint: Paint = PrintedPaint(_sign(rng, tone, ratio), tone) if written else PlainPaint(tone)
        pose = resting(size, x, y, FACE_UP, turn + float(rng.normal(0, loose)))
        found.append(Box(np.array(size) / 2, pose, width * 0.1, paint, 0.3, 0.25))
    return found


def _sign(rng: np.random.Generator, tone: Colour, ratio: float) -> Image:
    """A letter, a digit or a stripe on a block's top."""
    image = np.empty((max(round(96 * ratio), 24), 96, 3), np.uint8)
    image[:] = np.array(tone).astype(np.uint8)
    ink = (30.0, 30.0, 30.0) if sum(tone) > 330 else (235.0, 235.0, 235.0)
    if rng.random() < 0.75:
        text = "ABCDEFGHJKLMNPRSTUVXYZ0123456789+-=?!&%#"[int(rng.integers(40))]
        font = prints.FONTS[int(rng.integers(len(prints.FONTS)))]
        at = (int(rng.uniform(8, 40)), int(image.shape[0] * rng.uniform(0.45, 0.85)))
        thick = int(rng.integers(2, 7))
        cv2.putText(image, text, at, font, float(rng.uniform(1.2, 2.6)), ink, thick, cv2.LINE_AA)
    else:
        y = int(image.shape[0] * rng.uniform(0.2, 0.8))
        cv2.line(image, (0, y), (95, y), ink, int(rng.integers(3, 20)), cv2.LINE_AA)
    return image


def pattern(rng: np.random.Generator, centre_mm: Spot) -> Flat:
    """A panel of holes, a wall of tiles or bricks, a ruled or chequered board, as one print."""
    columns, rows = int(rng.integers(4, 15)), int(rng.integers(4, 15))
    cell = int(rng.integers(22, 40))
    size = np.array([float(rng.uniform(14, 45))]) * [columns, rows]
    size[1] *= float(rng.choice([1.0, 1.0, rng.uniform(0.4, 2.2)]))
    ground = np.array(_tone(rng, (0, 0.6), (0.1, 1)))
    image = np.empty((rows * cell, columns * cell, 3), np.uint8)
    image[:] = ground.astype(np.uint8)
    ink = np.array(_tone(rng, (0, 0.9), (0.02, 1)))
    how = rng.random()
    inset = int(cell * rng.uniform(0.06, 0.26))
    shift = cell // 2 if rng.random() < 0.25 else 0
    for row in range(rows):
        for column in range(-1, columns):
            x, y = column * cell + shift * (row % 2), row * cell
            shade = [float(v) for v in np.clip(ink * rng.uniform(0.85, 1.1), 0, 255)]
            if how < 0.45:  # holes, tiles of a bathroom, bricks, windows
                low, high = (x + inset, y + inset), (x + cell - inset, y + cell - inset)
                cv2.rectangle(image, low, high, shade, -1, cv2.LINE_AA)
            elif how < 0.6:  # round holes, pegs, drops
                middle = (x + cell // 2, y + cell // 2)
                cv2.circle(image, middle, cell // 2 - inset, shade, -1, cv2.LINE_AA)
            elif how < 0.8:  # a chequered board
                if (row + column) % 2:
                    cv2.rectangle(image, (x, y), (x + cell, y + cell), shade, -1)
            else:  # a ruled board
                cv2.rectangle(image, (x, y), (x + cell, y + cell), [float(v) for v in ink], 1)
    turn = float(rng.uniform(0, 360))
    return flat(image, centre_mm, (float(size[0]), float(size[1])), turn, 0.0)

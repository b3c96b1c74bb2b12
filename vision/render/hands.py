"""Hands and arms: soft shapes of skin over the table, or holding a tile up to the camera."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Overlay
from vision.render.surfaces import random_colour

FloatArray = NDArray[np.float64]

FINE_PX = 90.0
"""Palms broader than this are drawn at this breadth and enlarged: skin is smooth."""


class _Shape:
    """Limbs as thick strokes on a small canvas, each rounded on its own so that fingers stay apart.

    Args:
        size_px: (width, height) of the picture.
        palm_px: breadth of the palm in the picture.
    """

    def __init__(self, size_px: tuple[int, int], palm_px: float) -> None:
        self._size = size_px
        self.scale = min(1.0, FINE_PX / palm_px)
        self.palm = max(palm_px * self.scale, 6.0)
        self.width = max(int(size_px[0] * self.scale), 8)
        self.height = max(int(size_px[1] * self.scale), 8)
        shape = (self.height, self.width)
        self._mask = np.zeros(shape, np.uint8)
        self._sleeve = np.zeros(shape, np.uint8)
        self._bulge = np.zeros(shape, np.float32)
        self._nails: list[tuple[FloatArray, float]] = []

    def limb(self, points: list[FloatArray], thick: float, sleeve: bool = False) -> None:
        """A stroke through points, in the small canvas's pixels."""
        part = np.zeros_like(self._mask)
        corners = [np.round(np.array(points)).astype(np.int32)]
        cv2.polylines(part, corners, False, 255, max(round(thick), 1), cv2.LINE_AA)
        self._add(part, thick / 2)
        if sleeve:
            self._sleeve = np.maximum(self._sleeve, part)

    def ball(self, centre: FloatArray, radii: tuple[float, float], turn_deg: float) -> None:
        part = np.zeros_like(self._mask)
        axes = (max(round(radii[0]), 1), max(round(radii[1]), 1))
        cv2.ellipse(part, _point(centre), axes, turn_deg, 0, 360, 255, -1, cv2.LINE_AA)
        self._add(part, min(radii))

    def nail(self, tip: FloatArray, radius: float) -> None:
        self._nails.append((tip, radius))

    def _add(self, part: NDArray[np.uint8], reach: float) -> None:
        depth = cv2.distanceTransform((part > 127).astype(np.uint8), cv2.DIST_L2, 3)
        rounded = np.sqrt(np.clip(depth / max(reach, 1.0), 0, 1))
        # The newer limb lies on top, so its own rounding replaces what was there.
        self._bulge = np.where(part > 127, rounded, self._bulge).astype(np.float32)
        self._mask = np.maximum(self._mask, part)

    def overlay(self, rng: np.random.Generator, skin: NDArray[np.float32]) -> Overlay:
        """The shape lit from a random side, at the picture's size."""
        bulge = cv2.GaussianBlur(self._bulge, (0, 0), max(self.palm * 0.025, 0.5))
        gx, gy = cv2.Sobel(bulge, cv2.CV_32F, 1, 0), cv2.Sobel(bulge, cv2.CV_32F, 0, 1)
        angle = rng.uniform(0, 2 * np.pi)
        shade = 0.68 + 0.32 * bulge + (np.cos(angle) * gx + np.sin(angle) * gy) * self.palm * 0.008
        colour = np.empty((self.height, self.width, 3), np.float32)
        colour[:] = skin
        for tip, radius in self._nails:
            pale = (skin * 1.1 + 12).tolist()
            cv2.circle(colour, _point(tip), max(round(radius), 1), pale, -1, cv2.LINE_AA)
        colour[self._sleeve > 127] = random_colour(rng, (0, 360), (0, 0.8), (0.05, 0.9))
        colour *= np.clip(shade, 0.4, 1.2)[..., None]
        image = cv2.resize(np.clip(colour, 0, 255).astype(np.uint8), self._size)
        cover = cv2.resize(self._mask, self._size)
        return Overlay(np.asarray(image, np.uint8), np.asarray(cover, np.uint8), (0, 0))


def random_skin(rng: np.random.Generator) -> NDArray[np.float32]:
    return random_colour(rng, (8, 26), (0.25, 0.6), (0.35, 0.95))


def random_hand(
    rng: np.random.Generator,
    size_px: tuple[int, int],
    at_px: tuple[float, float],
    palm_px: float,
) -> Overlay:
    """An arm from the picture's edge with a hand whose fingertips are near ``at_px``.

    Args:
        size_px: (width, height) of the picture.
        palm_px: breadth of the palm.
    """
    shape = _Shape(size_px, palm_px)
    palm = shape.palm
    tip = np.array(at_px) * shape.scale
    start = _entry(rng, shape, tip)
    direction = tip - start
    direction /= max(float(np.linalg.norm(direction)), 1e-6)
    across = np.array([-direction[1], direction[0]])
    heart = tip - direction * palm * 1.35
    wrist = heart - direction * palm * 0.9
    _arm(rng, shape, start, wrist, heart)
    shape.ball(heart, (palm * 0.62, palm * 0.52), _degrees(direction))
    curl = rng.uniform(0.35, 1.0)
    for i in range(4):
        base = heart + across * palm * (0.36 - 0.24 * i) + direction * palm * 0.2
        reach = palm * (0.15 + curl * (0.75 if i in (0, 3) else 0.95))
        bend = direction + across * (0.18 - 0.12 * i) * rng.uniform(0.3, 1.6)
        end = base + bend / np.linalg.norm(bend) * reach
        shape.limb([base, end], palm * 0.235)
        shape.nail(end, palm * 0.07)
    side = 1 if rng.random() < 0.5 else -1
    base = heart + across * side * palm * 0.4
    shape.limb([base, base + (direction * 0.55 + across * side * 0.5) * palm], palm * 0.26)
    return shape.overlay(rng, random_skin(rng))


def reaching(rng: np.random.Generator, palm_px: float, length_px: float) -> Overlay:
    """An arm by itself, fingertips at the top of the sprite, for games in which arms move.

    Args:
        palm_px: breadth of the palm; the sprite is three palms wide, the fingertips at its middle
            and a third of a palm from its top.
        length_px: of the sprite.
    """
    shape = _Shape((round(3 * palm_px), round(length_px)), palm_px)
    palm = shape.palm
    tip = np.array([shape.width / 2, palm / 3])
    down, across = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    heart = tip + down * palm * 1.05
    wrist = heart + down * palm * 0.9
    end = np.array([shape.width / 2, shape.height + palm])
    shape.limb([wrist, end], palm * 0.72)
    shape.limb([wrist, heart], palm * 0.8)
    shape.limb([wrist + down * palm * float(rng.uniform(0.3, 1.6)), end], palm * 1.05, sleeve=True)
    shape.ball(heart, (palm * 0.62, palm * 0.52), 90.0)
    for i in range(4):  # fingers drawn in, as when they pick a tile up
        base = heart + across * palm * (0.36 - 0.24 * i) - down * palm * 0.2
        reach = palm * (0.55 if i in (0, 3) else 0.72)
        bend = -down + across * (0.1 - 0.07 * i)
        point = base + bend / np.linalg.norm(bend) * reach
        shape.limb([base, point], palm * 0.235)
        shape.nail(point, palm * 0.07)
    side = 1 if rng.random() < 0.5 else -1
    base = heart + across * side * palm * 0.4
    shape.limb([base, base + (across * side * 0.12 - down * 0.75) * palm], palm * 0.26)
    return shape.overlay(rng, random_skin(rng))


def holding(
    rng: np.random.Generator, size_px: tuple[int, int], quad_px: FloatArray, palm_px: float
) -> tuple[Overlay, Overlay]:
    """A hand that holds a tile up: fingers behind it, the thumb over an edge before it.

    Args:
        quad_px: (4, 2) the tile's face.
        palm_px: breadth of the palm.
    Returns:
        what lies behind the tile, and what lies before it.
    """
    behind, before = _Shape(size_px, palm_px), _Shape(size_px, palm_px)
    palm, scale = behind.palm, behind.scale
    quad = quad_px * scale
    centre = quad.mean(0)
    reach = float(np.linalg.norm(quad - centre, axis=1).max())
    # The hand comes from below or from a side, wherever the tile's own bottom points.
    angle = float(rng.normal(np.pi / 2, 0.7))
    away = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-away[1], away[0]])
    heart = centre + away * (reach + palm * rng.uniform(0.25, 0.6))
    start = heart + away * palm * 6
    _arm(rng, behind, start, heart + away * palm * 0.8, heart)
    behind.ball(heart, (palm * 0.6, palm * 0.52), _degrees(away))
    for i in range(4):
        base = heart + across * palm * (0.36 - 0.24 * i)
        end = centre + across * palm * (0.3 - 0.2 * i) - away * reach * rng.uniform(-0.6, 0.9)
        behind.limb([base, end], palm * 0.235)
        behind.nail(end, palm * 0.07)
    skin = random_skin(rng)
    side = across * (1 if rng.random() < 0.5 else -1)
    grip = centre + away * reach * rng.uniform(0.45, 0.75) + side * reach * rng.uniform(0, 0.6)
    before.limb([heart + side * palm * 0.4, grip + away * palm * 0.2, grip], palm * 0.25)
    before.nail(grip, palm * 0.075)
    return behind.overlay(rng, skin), before.overlay(rng, skin)


def _entry(rng: np.random.Generator, shape: _Shape, tip: FloatArray) -> FloatArray:
    """Where the arm enters: mostly from the bottom or the sides, where players sit."""
    palm = shape.palm
    starts = (
        [tip[0] + rng.normal(0, palm * 2), shape.height + palm],
        [-palm, tip[1] + palm * 2],
        [shape.width + palm, tip[1] + palm * 2],
        [tip[0], -palm],
    )
    return np.array(starts[int(rng.choice(4, p=[0.4, 0.25, 0.25, 0.1]))])


def _arm(
    rng: np.random.Generator, shape: _Shape, start: FloatArray, wrist: FloatArray, heart: FloatArray
) -> None:
    palm = shape.palm
    shape.limb([start, wrist], palm * 0.72)
    shape.limb([wrist, heart], palm * 0.8)
    if rng.random() < 0.5:
        towards = start - wrist
        towards /= max(float(np.linalg.norm(towards)), 1e-6)
        shape.limb([wrist + towards * palm * rng.uniform(0.2, 1.5), start], palm, sleeve=True)


def _degrees(direction: FloatArray) -> float:
    return float(np.degrees(np.arctan2(direction[1], direction[0])))


def _point(xy: FloatArray) -> tuple[int, int]:
    return round(float(xy[0])), round(float(xy[1]))

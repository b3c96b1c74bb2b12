"""Lamps, sky light and what they do to a surface; shadows, glare and uneven light on a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.render.camera import Camera

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

SHADOW_SCALE = 2
"""Shadows are soft, so they are drawn at half the picture's size and cost a quarter."""


@dataclass(frozen=True)
class Lamp:
    """A far light.

    Attributes:
        towards: (3,) unit vector from the table to the lamp.
        share: part of a level surface's light that comes from this lamp.
        softness_mm: how wide its shadow edges are.
    """

    towards: FloatArray
    share: float
    softness_mm: float


@dataclass(frozen=True)
class Light:
    """All the light of a scene. A level white surface has brightness 1 before exposure.

    Attributes:
        tint: (3,) blue, green, red multipliers.
        contact: darkness of the line where a thing touches the table, 0..1.
    """

    lamps: tuple[Lamp, ...]
    tint: FloatArray
    contact: float

    def on(self, normals: FloatArray) -> FloatArray:
        """(..., 3) unit normals -> (...) brightness; a level surface has 1."""
        ambient = 1.0 - sum(lamp.share for lamp in self.lamps)
        brightness: FloatArray = ambient * (0.86 + 0.14 * normals[..., 2])
        for lamp in self.lamps:
            facing = np.maximum(normals @ lamp.towards, 0.0) / max(float(lamp.towards[2]), 0.25)
            brightness = brightness + lamp.share * np.minimum(facing, 1.3)
        return brightness


def cast_shadows(
    image: Image,
    camera: Camera,
    light: Light,
    boxes_mm: FloatArray,
    heights_mm: FloatArray,
    depth_mm: float | None = None,
) -> None:
    """Darken the table, in place, where boxes stand between it and the lamps.

    Args:
        boxes_mm: (N, 8, 3) world corners.
        heights_mm: (N,) height of each box's lowest point over the table.
        depth_mm: distance at which the softness is measured, by default the boxes' median; parts of
            one picture that are drawn apart need the same.
    """
    if not len(boxes_mm):
        return
    size = (camera.width // SHADOW_SCALE + 1, camera.height // SHADOW_SCALE + 1)
    kept = np.ones((size[1], size[0]), np.float32)
    target_depth = depth_mm or float(np.median(camera.depth(boxes_mm.mean(1))))
    px_per_mm = camera.focal_px / max(target_depth, 1.0) / SHADOW_SCALE

    def draw(polygons_mm: FloatArray, sigma_mm: float, strength: float) -> None:
        mask = np.zeros(kept.shape, np.uint8)
        for polygon in camera.project(polygons_mm) / SHADOW_SCALE:
            if np.abs(polygon).max() < 1e4:
                hull = cv2.convexHull(polygon.astype(np.float32))
                cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255)
        blurred = cv2.GaussianBlur(mask, (0, 0), float(np.clip(sigma_mm * px_per_mm, 0.6, 40.0)))
        np.multiply(kept, 1 - blurred.astype(np.float32) * (strength / 255), out=kept)

    for lamp in light.lamps:
        slant = lamp.towards[:2] / max(float(lamp.towards[2]), 0.25)
        fallen = boxes_mm.copy()
        fallen[..., :2] -= boxes_mm[..., 2:] * slant
        fallen[..., 2] = 0
        draw(fallen, lamp.softness_mm, lamp.share)
    grounded = boxes_mm[heights_mm < 2.0]
    if len(grounded):
        middle = grounded.mean(1, keepdims=True)
        feet = middle + (grounded - middle) * 1.08
        feet[..., 2] = 0
        draw(feet, 2.5, light.contact)
    full = cv2.resize(kept, (camera.width, camera.height), interpolation=cv2.INTER_LINEAR)
    cv2.multiply(image, cv2.merge([full, full, full]), image, dtype=cv2.CV_8U)


def uneven(rng: np.random.Generator, size_px: tuple[int, int], strength: float) -> FloatArray:
    """A smooth field of light for a whole picture: a gradient, a fall-off, perhaps a shadow's edge.

    Returns:
        (h, w, 3) float32 multipliers around 1, at an eighth of ``size_px`` (width, height).
    """
    w, h = max(size_px[0] // 8, 8), max(size_px[1] // 8, 8)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = x / w - 0.5, y / h - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    field = 1 + strength * (np.cos(angle) * x + np.sin(angle) * y)
    if rng.random() < 0.5:  # a lamp's pool of light
        cx, cy = rng.uniform(-0.6, 0.6, 2)
        field = field * (1 - strength * 0.8 * np.clip((x - cx) ** 2 + (y - cy) ** 2, 0, 1))
    colour = np.ones(3, np.float32)
    layers = np.repeat(field[..., None], 3, 2)
    if rng.random() < 0.25:  # something outside the picture shades part of it
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.35, 0.35)
        edge = (np.cos(angle) * x + np.sin(angle) * y - offset) / rng.uniform(0.004, 0.12)
        shade = 1 - rng.uniform(0.15, 0.55) / (1 + np.exp(-np.clip(edge, -30, 30)))
        layers = layers * shade[..., None]
    if rng.random() < 0.1:  # a coloured lamp or screen at one side
        colour = 1 + rng.uniform(-0.2, 0.2, 3).astype(np.float32)
        angle = rng.uniform(0, 2 * np.pi)
        side = np.clip(0.5 + np.cos(angle) * x + np.sin(angle) * y, 0, 1)[..., None]
        layers = layers * (1 + (colour - 1) * side)
    return np.clip(layers, 0.15, 1.7)


def glare(
    image: Image,
    owners: NDArray[np.int16],
    gloss: NDArray[np.float32],
    rng: np.random.Generator,
    strength: float,
) -> None:
    """Add, in place, a lamp's reflection on level glossy surfaces.

    Args:
        owners: (H, W) index of the box seen at each pixel, -1 for none.
        gloss: (N + 1,) reflectance per box as seen from the camera; the last entry is the table's.
    """
    height, width = owners.shape
    cx, cy = rng.uniform(0.1, 0.9, 2)
    rx, ry = rng.uniform(0.04, 0.22, 2)
    y, x = np.mgrid[0:height:4, 0:width:4].astype(np.float32)
    x, y = (x / width - cx) / rx, (y / height - cy) / ry
    if rng.random() < 0.5:
        blob = np.exp(-(x * x + y * y))
    else:  # a window or a tube lamp: a box with soft edges
        blob = 1 / (1 + np.exp(np.clip((np.maximum(np.abs(x), np.abs(y)) - 1) * 8, -30, 30)))
    blob = cv2.resize(blob, (width, height), interpolation=cv2.INTER_LINEAR)
    # Tiles never lie perfectly level, so each takes its own share of the reflection.
    uneven_gloss = gloss * rng.uniform(0.3, 1.0, len(gloss)).astype(np.float32)
    added = blob * uneven_gloss[owners] * (255 * strength)
    cv2.add(image, cv2.merge([added, added, added]), image, dtype=cv2.CV_8U)

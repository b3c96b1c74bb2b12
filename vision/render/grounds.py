"""What the tiles lie on: a cloth, a board, a photograph, a drawn sheet; and what is seen past the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import surfaces
from vision.render.body import Colour
from vision.render.camera import Camera
from vision.render.placing import Arrangement
from vision.render.scene import Table

Image = NDArray[np.uint8]


def random_table(
    rng: np.random.Generator,
    arrangement: Arrangement,
    camera: Camera,
    photos: Sequence[Path],
    photo_ground: float,
    back_bgr: Colour | None,
) -> Table:
    """What the tiles lie on and what is seen past it.

    Args:
        photos: tile-free photographs, for the backdrop and for the ground itself.
        photo_ground: chance that the ground is such a photograph.
        back_bgr: make the cloth look like the tiles' backs.
    """
    size_px = (camera.width, camera.height)
    photo = None
    on_photo = bool(photos) and rng.random() < photo_ground
    if photos and (on_photo or rng.random() < 0.6):
        photo = crop_of(rng, photos[int(rng.integers(len(photos)))], size_px)
    backdrop = photo if photo is not None else surfaces.random_backdrop(rng, size_px)
    if on_photo and photo is not None:
        nowhere = (1e6, 1e6, 1e6 + 1, 1e6 + 1)
        if rng.random() < 0.7:
            return Table(photo, 1.0, 0.0, nowhere, None, backdrop)
        texture = photo  # the photograph lies on the table as its surface
    elif back_bgr is not None:
        tone = np.array(back_bgr, np.float32) * rng.uniform(0.75, 1.15)
        texture = surfaces.cloth(rng, tone)
    else:
        texture = surfaces.random_surface(rng)
    px_per_mm = camera.focal_px / float(np.linalg.norm(camera.position_mm))
    mm_per_px = float(rng.uniform(0.7, 2.2)) / px_per_mm
    half = arrangement.table_mm or float(rng.choice([260, 500, 2500]))
    extent = np.array([np.abs(p.centre_mm[:2]).max() for _, p in arrangement.tiles] or [200.0])
    half = max(half, float(extent.max()) + 30)
    rim = None
    if rng.random() < 0.6:
        tone = surfaces.random_colour(rng, (0, 360), (0, 0.8), (0.05, 0.8))
        rim = (float(rng.uniform(15, 90)), (float(tone[0]), float(tone[1]), float(tone[2])))
    wide = half * float(rng.choice([1.0, 1.6]))
    return Table(
        texture,
        mm_per_px,
        float(rng.choice([0, 90, rng.uniform(0, 360)])),
        (-wide, -half, wide, half),
        rim,
        backdrop,
    )


def plain_table(rng: np.random.Generator) -> Table:
    """One colour without end: the paper of a drawn sheet."""
    colour = surfaces.random_colour(rng, (0, 360), (0, 0.8), (0.3, 1.0))
    plain = np.empty((8, 8, 3), np.uint8)
    plain[:] = np.clip(colour, 0, 255).astype(np.uint8)
    return Table(plain, 1e3, 0.0, (-1e4, -1e4, 1e4, 1e4), None, plain)


def crop_of(rng: np.random.Generator, file: Path, size_px: tuple[int, int]) -> Image | None:
    """A random part of a photograph at the picture's size, perhaps mirrored; None if it can't be read."""
    image = cv2.imread(str(file))
    if image is None:
        return None
    height, width = image.shape[:2]
    aspect = size_px[0] / size_px[1]
    share = float(rng.uniform(0.6, 1.0))
    w, h = width * share, width * share / aspect
    if h > height:
        w, h = height * share * aspect, height * share
    x, y = rng.uniform(0, max(width - w, 0)), rng.uniform(0, max(height - h, 0))
    part = image[int(y) : int(y + h), int(x) : int(x + w)]
    if rng.random() < 0.5:
        part = part[:, ::-1]  # no tile on it, so a mirror image is as good
    scale = size_px[0] / part.shape[1]
    return np.asarray(
        cv2.resize(part, size_px, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR),
        np.uint8,
    )

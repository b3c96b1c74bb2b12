"""What lens, sensor, phone software and file format do to a picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Faults:
    """How strong each fault may be, and how often. Shares are of all pictures.

    Attributes:
        distortion: bound of the radial term; phones stay below 0.05, wide webcams reach 0.15.
        squeezed: share of pictures resized to another aspect; one public collection is all square.
        defocus_px, motion_px: bounds; beyond them people would take the picture again.
        grain: bound of the noise deviation in grey levels; a dim phone picture has 10 to 14.
        salt: bound of the share of pixels replaced; one public collection carries up to 2 %.
        quality: lowest JPEG quality; messengers use 50 to 75.
        dim, bright: grey level of the brightest parts in under- and over-exposed pictures.
    """

    distortion: float = 0.14
    squeezed: float = 0.22
    defocus_px: float = 1.8
    motion_px: float = 6.0
    grain: float = 13.0
    salt: float = 0.02
    quality: int = 30
    dim: tuple[float, float] = (60.0, 180.0)
    bright: tuple[float, float] = (265.0, 340.0)


def distort(image: Image, points_px: FloatArray, strength: float) -> tuple[Image, FloatArray]:
    """Radial distortion: a pixel at radius r shows what was at r * (1 + strength * r^2).

    Args:
        points_px: (..., 2) moved along.
        strength: positive is barrel, with r = 1 at half the diagonal.
    """
    height, width = image.shape[:2]
    centre = np.array([width / 2, height / 2])
    reach = float(np.hypot(width, height) / 2)
    zoom = 1 / (1 + max(strength, 0.0))  # so that barrel shows nothing from outside
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x + 0.5 - width / 2) / reach, (y + 0.5 - height / 2) / reach
    factor = zoom * (1 + strength * (x * x + y * y))
    moved = cv2.remap(
        image,
        x * factor * reach + width / 2 - 0.5,
        y * factor * reach + height / 2 - 0.5,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    offset = (points_px - centre) / reach
    wanted = np.linalg.norm(offset, axis=-1, keepdims=True)
    radius = wanted.copy()
    for _ in range(12):  # invert r * zoom * (1 + k r^2) = wanted
        value = radius * zoom * (1 + strength * radius**2) - wanted
        radius = radius - value / np.maximum(zoom * (1 + 3 * strength * radius**2), 0.2)
    return np.asarray(moved, np.uint8), centre + offset * (
        radius / np.maximum(wanted, 1e-9)
    ) * reach


def squeeze(image: Image, points_px: FloatArray, factor: float) -> tuple[Image, FloatArray]:
    """Change width over height by ``factor``, the larger side kept: a picture resized without care."""
    height, width = image.shape[:2]
    w, h = (width, round(height / factor)) if factor > 1 else (round(width * factor), height)
    smaller = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8), points_px * [w / width, h / height]


def degrade(
    image: Image, points_px: FloatArray, rng: np.random.Generator, tile_px: float, faults: Faults
) -> tuple[Image, FloatArray]:
    """A clean picture -> a photograph.

    Args:
        points_px: (..., 2) positions that move with the lens.
        tile_px: short side of the smallest tiles of interest: blur is kept below legibility.
    """
    if rng.random() < 0.35:
        strength = float(rng.uniform(-0.05, faults.distortion))
        image, points_px = distort(image, points_px, strength)
    if rng.random() < faults.squeezed:
        image, points_px = squeeze(image, points_px, float(np.exp(rng.uniform(-0.4, 0.4))))
    blurred = _blur(image, rng, tile_px, faults)
    exposed = _expose(blurred, rng, faults)
    return _grain_and_file(exposed, rng, faults), points_px


def _blur(image: Image, rng: np.random.Generator, tile_px: float, faults: Faults) -> Image:
    # Strokes are about a twentieth of a tile's width. Most pictures that reach us can be read by
    # people; one in twelve can't be read well, and a reader must say so.
    legible = max(tile_px / (34 if rng.random() < 0.92 else 20), 0.35)
    result = image
    if rng.random() < 0.55:
        sigma = float(rng.uniform(0.25, min(faults.defocus_px, legible * 1.3)))
        result = np.asarray(cv2.GaussianBlur(result, (0, 0), sigma), np.uint8)
    if rng.random() < 0.1:  # a smaller picture blown up again
        share = 1 / float(rng.uniform(1.1, 1 + legible))
        size = (image.shape[1], image.shape[0])
        small = cv2.resize(result, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        result = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    if rng.random() < 0.15:
        length = float(rng.uniform(1.5, max(min(faults.motion_px, legible * 3), 1.6)))
        angle = rng.uniform(0, np.pi)
        side = int(length) + 2 | 1
        kernel = np.zeros((side, side), np.float32)
        reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        middle = side // 2
        cv2.line(
            kernel,
            tuple(np.round(middle - reach).astype(int).tolist()),
            tuple(np.round(middle + reach).astype(int).tolist()),
            1.0,
            1,
        )
        result = np.asarray(cv2.filter2D(result, -1, kernel / kernel.sum()), np.uint8)
    if rng.random() < 0.5:  # phone sharpening
        soft = cv2.GaussianBlur(result, (0, 0), float(rng.uniform(0.7, 1.6)))
        amount = float(rng.uniform(0.3, 2.0))
        result = np.asarray(cv2.addWeighted(result, 1 + amount, soft, -amount, 0), np.uint8)
    return result


def _expose(image: Image, rng: np.random.Generator, faults: Faults) -> Image:
    """Exposure, contrast curve, white balance and saturation in one table and one matrix."""
    bright = max(float(np.percentile(image[::7, ::7].max(2), 97)), 1.0)
    dice = rng.random()
    if dice < 0.14:
        gain = float(rng.uniform(*faults.dim)) / bright
    elif dice < 0.24:
        gain = float(rng.uniform(*faults.bright)) / bright
    else:  # the camera sees to it that what is bright comes out nearly white
        gain = float(rng.uniform(190, 258)) / bright
    gain = float(np.clip(gain, 0.2, 2.4))
    gamma = float(np.exp(rng.normal(0, 0.16)))
    lift = float(rng.choice([0.0, rng.uniform(0, 22)]))
    ramp = np.arange(256) / 255
    curve = np.clip(ramp * gain, 0, 1) ** gamma
    curve = np.clip(lift / 255 + curve * (1 - lift / 255), 0, 1)
    warmth = rng.normal(0, 0.045)
    balance = np.array([1 - warmth, 1 + rng.normal(0, 0.018), 1 + warmth])
    table = np.clip(curve[:, None] * balance * 255, 0, 255)
    result = cv2.LUT(image, np.ascontiguousarray(table.astype(np.uint8))[None])
    if rng.random() < 0.4:
        grey = cv2.cvtColor(cv2.cvtColor(result, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        keep = float(rng.uniform(0.55, 1.3)) if rng.random() < 0.93 else 0.0
        result = cv2.addWeighted(result, keep, grey, 1 - keep, 0)
    return np.asarray(result, np.uint8)


def _grain_and_file(image: Image, rng: np.random.Generator, faults: Faults) -> Image:
    result = image
    height, width = image.shape[:2]
    if rng.random() < 0.7:
        sigma = float(rng.uniform(0.5, faults.grain)) * (1.0 if rng.random() < 0.3 else 0.4)
        # One tile of noise, laid down at a random offset, costs a tenth of fresh noise everywhere.
        side = 320
        patch = rng.standard_normal((side, side, 3), np.float32)
        if rng.random() < 0.5:  # denoised: blotches instead of dots
            patch = cv2.GaussianBlur(patch, (0, 0), 0.9) * 2.2
        if rng.random() < 0.4:  # brightness noise only
            patch[:] = patch.mean(2, keepdims=True) * 1.6
        repeat = (height // side + 1, width // side + 1, 1)
        noise = np.tile(patch, repeat)[:height, :width] * sigma
        result = np.asarray(cv2.add(result, noise, dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.1:
        count = int(rng.uniform(0.001, faults.salt) * height * width)
        result = result.copy()
        at = (rng.integers(0, height, count), rng.integers(0, width, count))
        result[at] = np.where(rng.random(count) < 0.5, 0, 255)[:, None].astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.integers(faults.quality, 96))
        done, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise RuntimeError("the picture could not be encoded as JPEG")
        result = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return result

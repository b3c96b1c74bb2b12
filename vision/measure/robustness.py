"""How accuracy falls as photographs get worse: blur, darkness, glare, compression, turning, size, noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import plain
from vision.measure.match import bounds, match_boxes
from vision.measure.photos import Read, photo_rows

Image = NDArray[np.uint8]
Worsen = Callable[[Image, float, np.random.Generator], Image]


@dataclass(frozen=True, slots=True)
class Ordeal:
    """One way in which photographs get worse.

    Attributes:
        name: of the curve.
        unit: what the strengths count.
        strengths: from none to hopeless.
        apply: worsens an image by a strength.
        moves: the strength turns or scales the picture, and the labels with it.
    """

    name: str
    unit: str
    strengths: tuple[float, ...]
    apply: Worsen
    moves: bool = False


def _blur(image: Image, sigma: float, _rng: np.random.Generator) -> Image:
    return cv2.GaussianBlur(image, (0, 0), sigma).astype(np.uint8, copy=False) if sigma else image


def _motion(image: Image, length: float, rng: np.random.Generator) -> Image:
    if length < 2:
        return image
    size = int(length) | 1
    kernel = np.zeros((size, size), np.float32)
    a, c = rng.uniform(0, np.pi), size // 2
    reach = np.array([np.cos(a), np.sin(a)]) * c
    ends = [tuple(round(float(v)) for v in c + sign * reach) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum()).astype(np.uint8, copy=False)


def _dark(image: Image, gain: float, rng: np.random.Generator) -> Image:
    """Less light and the noise of a sensor that amplifies what is left."""
    if gain == 1:
        return image
    noise = rng.normal(0, 1.5 / gain**0.5, image.shape)
    return np.clip(image * gain + noise, 0, 255).astype(np.uint8)


def _glare(image: Image, strength: float, rng: np.random.Generator) -> Image:
    """The reflection of a lamp over a third of the picture."""
    if not strength:
        return image
    height, width = image.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    at = rng.uniform(0.3, 0.7, 2)
    away = ((x / width - at[0]) / 0.2) ** 2 + ((y / height - at[1]) / 0.16) ** 2
    light = strength * np.exp(-away)[..., None]
    return np.clip(image * (1 - light) + 255 * light, 0, 255).astype(np.uint8)


def _jpeg(image: Image, quality: float, _rng: np.random.Generator) -> Image:
    if quality >= 100:
        return image
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
    return np.array(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _noise(image: Image, sigma: float, rng: np.random.Generator) -> Image:
    if not sigma:
        return image
    return np.clip(image + rng.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


def _turn(image: Image, degrees: float, _rng: np.random.Generator) -> Image:
    height, width = image.shape[:2]
    matrix = _turning(degrees, width, height)
    side = round(float(np.hypot(width, height)))
    turned = cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_LINEAR)
    return turned.astype(np.uint8, copy=False)


def _turning(degrees: float, width: int, height: int) -> NDArray[np.float64]:
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    side = round(float(np.hypot(width, height)))
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    return np.asarray(matrix, np.float64)


def _shrink(image: Image, share: float, _rng: np.random.Generator) -> Image:
    height, width = image.shape[:2]
    size = (round(width * share), round(height * share))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


ORDEALS: Final = (
    Ordeal("defocus", "sigma, px", (0, 1, 1.5, 2, 3, 4), _blur),
    Ordeal("motion blur", "length, px", (0, 3, 5, 7, 11, 15), _motion),
    Ordeal("darkness", "share of light", (1, 0.5, 0.25, 0.12, 0.06, 0.03), _dark),
    Ordeal("glare", "strength", (0, 0.3, 0.5, 0.7, 0.85, 1), _glare),
    Ordeal("JPEG", "quality", (100, 50, 30, 20, 10, 5), _jpeg),
    Ordeal("noise", "sigma", (0, 8, 16, 25, 40, 60), _noise),
    Ordeal("turning", "degrees", (0, 10, 20, 30, 45, 90), _turn, moves=True),
    Ordeal("small size", "share of size", (1, 0.75, 0.6, 0.5, 0.4, 0.3), _shrink, moves=True),
)


def curves(
    read: Read,
    data: Path,
    every: int,
    ordeals: Sequence[Ordeal] = ORDEALS,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, list[tuple[float, float]]]:
    """Accuracy over strength for each ordeal.

    Args:
        read: the reader under test.
        data: folder with ``photos.jsonl``.
        every: of the held-out photographs every so many is used.
        ordeals: what they go through.
        progress: told what is measured.

    Returns:
        Name -> (strength, labels found and named right of all labels).
    """
    rows = [row for row in photo_rows(data, "held-out") if row["boxes"]][::every]
    out = {}
    for ordeal in ordeals:
        points = []
        for strength in ordeal.strengths:
            progress(f"{ordeal.name} {strength}")
            rng = np.random.default_rng(7)
            labels = right = 0
            for row in rows:
                image = cv2.imread(str(data / row["image"]), cv2.IMREAD_COLOR)
                if image is None:
                    raise FileNotFoundError(data / row["image"])
                boxes = [box for box in row["boxes"] if not box.get("caption_only")]
                corners = np.array([box["xyxy"] for box in boxes], np.float32).reshape(-1, 4)
                if ordeal.moves:
                    corners = _moved(corners, ordeal, strength, image.shape[1], image.shape[0])
                worse = ordeal.apply(image.astype(np.uint8, copy=False), strength, rng)
                reading = read(worse)
                quads = np.array([t.quad_px for t in reading.tiles], np.float32).reshape(-1, 4, 2)
                for box, find in zip(boxes, match_boxes(quads, corners), strict=True):
                    labels += 1
                    right += find >= 0 and plain(reading.tiles[find].tile) == plain(box["tile"])
            points.append((strength, round(right / max(labels, 1), 4)))
        out[ordeal.name] = points
    return out


def _moved(
    boxes: NDArray[np.float32], ordeal: Ordeal, strength: float, width: int, height: int
) -> NDArray[np.float32]:
    """Where upright boxes come to lie: the upright bounds of the turned boxes, or the shrunken boxes."""
    if ordeal.apply is _shrink:
        return (boxes * strength).astype(np.float32)
    quads = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    matrix = _turning(strength, width, height)
    return bounds(quads @ matrix[:, :2].T + matrix[:, 2])

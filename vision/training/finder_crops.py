"""Crops for training: turned, scaled, tilted and spoiled as cameras do. numpy and OpenCV only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, describe, polygon_areas, shared_area
from vision.training.finder_pictures import HINTED_FROM, SEEN_FROM, Picture
from vision.training.finder_targets import IGNORED

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class CropConfig:
    """How crops are cut; shares are probabilities."""

    size_px: int = 384
    """Side of a crop: room for a row of 14 tiles at the size the network likes, and twice as many crops as at 512."""
    least_px: float = 8.5
    """Short side of the smallest tile shown: below, a stride of 4 cannot keep neighbours apart."""
    typical_px: float = 21.0
    """The most frequent short side; sizes spread around it as a log-normal. At 30 px with a spread of 0.65 a crop
    showed half as many tiles, and the network was half as far after the same time."""
    spread: float = 0.55
    """Standard deviation of the logarithm of the short side: two thirds lie between 12 and 36 px."""
    largest_px: float = 90.0
    """Short side of the largest: above, the finder looks at a smaller scale."""
    enlarge: float = 2.2
    """Never enlarge a picture more than this: there is nothing to learn from blown-up pixels."""
    least_picture_px: int = 330
    """Never shrink a picture's long side below this: the crop would be mostly empty."""
    plain: float = 3.5
    """A back or a white dragon is so many times as likely to be in the middle of things as another face: one in seven
    is missed, one in fifty of the others."""
    any_turn: float = 0.4
    """Turned by any angle; the rest stays within some degrees of upright or of a quarter turn."""
    quarter_turn: float = 0.25
    tilt: float = 0.5
    """Seen with another perspective."""
    tilt_by: float = 0.09
    """Largest shift of a corner, as a share of the crop."""
    stretch: float = 0.5
    """Squeezed along the picture's axes, as screens, video and data sets do to photographs."""
    stretch_by: float = 0.25
    """Standard deviation of the logarithm of the factor by which one axis grows and the other shrinks."""
    quarters: float = 0.5
    """Put together of four smaller crops of four pictures: a third more tiles a crop, and less of it empty."""
    mirror: float = 0.25
    """Mirrored: a finder need not read, and every layout has a mirror image."""


def compose(draw: Callable[[], Picture], rng: np.random.Generator, config: CropConfig) -> Picture:
    """A crop of one picture, or one of four quarters from four pictures.

    Args:
        draw: gives the next picture.
        rng: chance.
        config: see `CropConfig`.
    """
    if rng.random() >= config.quarters:
        return cut(draw(), rng, config)
    half = config.size_px // 2
    small = replace(config, size_px=half, largest_px=config.largest_px / 2)
    quarters = [cut(draw(), rng, small) for _ in range(4)]
    at = np.array([(0, 0), (half, 0), (0, half), (half, half)], np.float32)
    top, bottom = (np.hstack([quarters[i].image_bgr, quarters[i + 1].image_bgr]) for i in (0, 2))
    return Picture(
        np.vstack([top, bottom]),
        np.concatenate([q.quads_px + corner for q, corner in zip(quarters, at, strict=True)]),
        np.concatenate([q.up for q in quarters]),
        np.concatenate([q.states for q in quarters]),
        np.concatenate([q.visible for q in quarters]),
        np.concatenate([q.plain for q in quarters]),
    )


def cut(picture: Picture, rng: np.random.Generator, config: CropConfig) -> Picture:
    """A square crop of a picture, at a random scale, angle and tilt, tiles carried along.

    Tiles whose visible share inside the crop is below 25 % are dropped, below 60 % ignored; what was ignored stays so.
    """
    height, width = picture.image_bgr.shape[:2]
    size = config.size_px
    focus, scale = _focus(picture, rng, config)
    middle = _middle(focus, scale, (width, height), rng, config)
    image = picture.image_bgr
    ratio = 1.0
    if scale < 0.95:
        # Averaged first, as the finder does it: sampling a shrunk picture would add glitter no camera makes.
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        ratio = image.shape[1] / width
        scale /= ratio
    angle = np.deg2rad(_turn(rng, config))
    mirror = -1.0 if rng.random() < config.mirror else 1.0
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    turn = np.array([[c * mirror, -s], [s * mirror, c]])
    if rng.random() < config.stretch:
        by = np.exp(rng.normal(0, config.stretch_by))
        turn = np.diag([by, 1 / by]) @ turn
    shift = size / 2 - turn @ (middle * ratio)
    matrix = np.vstack([np.column_stack([turn, shift]), [0.0, 0.0, 1.0]])
    if rng.random() < config.tilt:
        square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
        moved = (square + rng.uniform(-1, 1, (4, 2)) * config.tilt_by * size).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(square, moved) @ matrix
    border = [int(v) for v in rng.integers(0, 256, 3)] if rng.random() < 0.5 else [0, 0, 0]
    # Corners are pixel edges, OpenCV's samples pixel centres.
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    crop = cv2.warpPerspective(
        image,
        np.linalg.inv(half) @ matrix @ half,
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE if rng.random() < 0.15 else cv2.BORDER_CONSTANT,
        borderValue=border,
    )
    return _carry(picture, matrix @ np.diag([ratio, ratio, 1.0]), np.asarray(crop, np.uint8))


def _focus(picture: Picture, rng: np.random.Generator, config: CropConfig) -> tuple[Floats, float]:
    """The point of the picture to show, and input pixels a picture pixel."""
    height, width = picture.image_bgr.shape[:2]
    floor = config.least_picture_px / max(height, width)
    candidates = np.flatnonzero(picture.states != IGNORED)
    if len(candidates) == 0 or rng.random() < 0.05:
        scale = floor * (2.0 * max(1.0, config.size_px / config.least_picture_px)) ** rng.uniform(
            0, 1
        )
        point = rng.uniform(0.1, 0.9, 2) * (width, height)
        return point.astype(np.float32), min(scale, config.enlarge)
    odds = np.where(picture.plain[candidates], config.plain, 1.0)
    i = int(rng.choice(candidates, p=odds / odds.sum()))
    centres, short, long = describe(picture.quads_px[i : i + 1])
    side = float(min(np.hypot(*short[0]), np.hypot(*long[0])))
    wanted = config.typical_px * np.exp(rng.normal(0, config.spread))
    wanted = float(np.clip(wanted, config.least_px, config.largest_px))
    scale = float(np.clip(wanted / max(side, 1.0), floor, max(config.enlarge, floor)))
    return centres[0], scale


def _middle(
    focus: Floats,
    scale: float,
    extent: tuple[int, int],
    rng: np.random.Generator,
    config: CropConfig,
) -> Floats:
    """The picture's point in the crop's middle: the focus is somewhere in view, and little of the crop is empty."""
    middle = focus + rng.uniform(-0.42, 0.42, 2) * config.size_px / scale
    inset = 0.35 * config.size_px / scale
    for axis, length in enumerate(extent):
        if length > 2 * inset:
            middle[axis] = np.clip(middle[axis], inset, length - inset)
        else:
            middle[axis] = length * rng.uniform(0.4, 0.6)
    return np.asarray(middle, np.float32)


def _turn(rng: np.random.Generator, config: CropConfig) -> float:
    kind = rng.random()
    if kind < config.any_turn:
        return float(rng.uniform(0, 360))
    quarter = 90.0 * int(rng.integers(4)) if kind < config.any_turn + config.quarter_turn else 0.0
    return quarter + float(rng.normal(0, 6))


def _carry(picture: Picture, matrix: NDArray[np.float64], crop: Pixels) -> Picture:
    quads = picture.quads_px
    if not len(quads):
        return replace(picture, image_bgr=crop)
    moved = cv2.perspectiveTransform(quads.reshape(1, -1, 2).astype(np.float64), matrix)
    moved = moved.reshape(-1, 4, 2).astype(np.float32)
    size = crop.shape[0]
    low, high = moved.min(axis=1), moved.max(axis=1)
    visible = picture.visible.copy()
    visible[(high <= 0).any(axis=1) | (low >= size).any(axis=1)] = 0
    frame = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    areas = np.maximum(polygon_areas(moved), 1e-3)
    for i in np.flatnonzero((visible > 0) & ((low < 0).any(axis=1) | (high > size).any(axis=1))):
        visible[i] *= shared_area(moved[i], frame) / areas[i]
    # What is to be ignored stays so, however little of it is in view.
    keep = (visible >= HINTED_FROM) | ((picture.states == IGNORED) & (visible > 0))
    states = np.where(visible >= SEEN_FROM, picture.states, IGNORED).astype(np.int8)
    return Picture(
        crop, moved[keep], picture.up[keep], states[keep], visible[keep], picture.plain[keep]
    )


_NOISE_SIDE: Final = 1024


class Spoiler:
    """What light, lenses, sensors and compression do to a picture, at random strength.

    Args:
        rng: source of chance; also makes the bank of noise that is reused, since fresh noise costs more than the rest.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._noise = rng.normal(0, 1, (_NOISE_SIDE, _NOISE_SIDE, 3)).astype(np.float32)

    def __call__(self, image_bgr: Pixels, rng: np.random.Generator) -> Pixels:
        """(H, W, 3) uint8, at most 1024 a side, to the same; the input is left as it was."""
        image = image_bgr
        # Renders and photographs have their own weather: a good part stays as it is.
        if rng.random() < 0.3:
            return image
        if rng.random() < 0.2:
            image = self._uneven_light(image, rng)
        if rng.random() < 0.6:
            image = _tone(image, rng)
        if rng.random() < 0.25:
            image = _saturation(image, rng)
        if rng.random() < 0.3:
            image = _blur(image, rng)
        if rng.random() < 0.35:
            image = self._grain(image, rng)
        if rng.random() < 0.04:
            image = _pepper(image, rng)
        if rng.random() < 0.5:
            quality = int(rng.uniform(25, 92))
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
            return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return image

    def _grain(self, image: Pixels, rng: np.random.Generator) -> Pixels:
        height, width = image.shape[:2]
        y, x = rng.integers(0, _NOISE_SIDE - height + 1), rng.integers(0, _NOISE_SIDE - width + 1)
        noise = self._noise[y : y + height, x : x + width] * np.float32(rng.exponential(6.0) + 1.0)
        if rng.random() < 0.3:
            noise = cv2.GaussianBlur(noise, (3, 3), 0) * np.float32(2.0)
        return np.asarray(cv2.add(image, noise, dtype=cv2.CV_8U), np.uint8)

    def _uneven_light(self, image: Pixels, rng: np.random.Generator) -> Pixels:
        height, width = image.shape[:2]
        cells = int(rng.integers(2, 7))
        field = rng.uniform(1 - rng.uniform(0.1, 0.7), 1.15, (cells, cells)).astype(np.float32)
        field = cv2.resize(
            field,
            (width, height),
            interpolation=cv2.INTER_CUBIC if rng.random() < 0.7 else cv2.INTER_NEAREST,
        )
        return np.asarray(cv2.multiply(image, cv2.merge([field] * 3), dtype=cv2.CV_8U), np.uint8)


def _tone(image: Pixels, rng: np.random.Generator) -> Pixels:
    ramp = np.linspace(0, 1, 256)[:, None]
    gains = np.exp(rng.normal(0, 0.07, 3)) * np.exp(rng.normal(0, 0.2))
    curve = np.clip(ramp * gains, 0, None) ** np.exp(rng.normal(0, 0.22))
    contrast = np.exp(rng.normal(0, 0.15))
    curve = (curve - 0.5) * contrast + 0.5 + rng.normal(0, 0.06)
    table = (np.clip(curve, 0, 1) * 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(image, table), np.uint8)


def _saturation(image: Pixels, rng: np.random.Generator) -> Pixels:
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    share = 0.0 if rng.random() < 0.2 else float(rng.uniform(0.2, 1.8))
    return np.asarray(cv2.addWeighted(image, share, grey, 1 - share, 0), np.uint8)


def _blur(image: Pixels, rng: np.random.Generator) -> Pixels:
    kind = rng.random()
    if kind < 0.5:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.8))), np.uint8)
    if kind < 0.75:
        length = int(rng.integers(3, 10))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        middle = np.array([length, length]) / 2
        a, b = (
            tuple(np.rint((middle + sign * step) * 16).astype(int).tolist()) for sign in (-1, 1)
        )
        cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_AA, 4)
        return np.asarray(
            cv2.filter2D(image, -1, kernel / max(float(kernel.sum()), 1e-3)), np.uint8
        )
    height, width = image.shape[:2]
    share = float(rng.uniform(0.4, 0.9))
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _pepper(image: Pixels, rng: np.random.Generator) -> Pixels:
    image = image.copy()
    height, width = image.shape[:2]
    count = int(height * width * rng.uniform(0.001, 0.02))
    rows, columns = rng.integers(0, height, count), rng.integers(0, width, count)
    image[rows, columns] = rng.choice(np.array([0, 255], np.uint8), (count, 1))
    return image

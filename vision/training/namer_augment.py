"""From a bank crop to what a real camera and a real finder would hand to the namer.

The order is that of a photograph: light on the tile, something in the way, lens, sensor, JPEG, and only then the
finder's inexact quad and the upscaling that `vision.rectify` does. Small tiles are made small in a turned pixel grid
and enlarged again, because that is what a tile across the table looks like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import CROP_SIZE, MARGIN
from vision.training.namer_canvas import BANK_MARGIN, BANK_SIZE

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class AugmentConfig:
    """How hard the pictures are made; each number with its reason."""

    small_px: float = 14.0
    """Narrowest tile shown: a player across a table seen by a 1080p camera; below it the pips merge."""
    small_share: float = 0.55
    """Share of crops made smaller than the bank's 50 px: whole tables have mostly tiles of 20 to 40 px."""
    turn_sd_deg: float = 2.6
    """Spread of the finder's turning error; tilted crops were most of the naming errors of the first trials."""
    shift_sd: float = 0.03
    """Spread of the finder's centre error as a share of the tile."""
    scale_sd: float = 0.05
    """Spread of the finder's size error."""
    corner_sd: float = 0.018
    """Spread of each corner on top of it: perspective and rounded corners."""
    shear_sd: float = 0.02
    """Spread of the finder's shear, as a share of the tile: it gives parallelograms, tiles are not always."""
    careless: float = 0.15
    """Share of crops with twice these errors: one quad in ten is off by a tenth of the tile."""
    squeezed: float = 0.2
    """Share of crops with one side photographed up to 2.5 times smaller than the other: pictures squeezed to squares,
    and tiles seen from low above the table. Upright again they are blurred along one side."""
    cut_out: float = 0.03
    """Share of crops with nothing around the face but its own rim, repeated: pictures of one tile from edge to edge."""
    blur: float = 0.5
    """Share of crops with defocus or motion blur."""
    noise: float = 0.5
    """Share of crops with sensor noise."""
    salt: float = 0.06
    """Share of crops with salt-and-pepper noise, which some of the shared photographs carry."""
    jpeg: float = 0.45
    """Share of crops that pass through JPEG at the size of the photograph."""
    light: float = 0.5
    """Share of crops with a gradient, a glare or a shadow edge."""
    cover: float = 0.16
    """Share of crops partly covered by fingers, tiles or the frame's edge."""
    grey: float = 0.02
    """Share of crops without colour; never fives, where colour alone tells red from plain."""


PHOTO: Final = AugmentConfig(
    small_share=0.35,
    blur=0.3,
    noise=0.35,
    jpeg=0.3,
    light=0.3,
    cover=0.12,
    squeezed=0.12,
    cut_out=0.02,
)
"""Photographs are already blurred, noisy and compressed once."""

RENDER: Final = AugmentConfig(
    small_share=0.3,
    blur=0.2,
    noise=0.25,
    jpeg=0.25,
    light=0.2,
    cover=0.06,
    squeezed=0.12,
    cut_out=0.01,
)
"""So are renders, and covered by other things where they are; many are small as they come."""

_W, _H = BANK_SIZE
_INSET_X: Final = _W * BANK_MARGIN / (1 + 2 * BANK_MARGIN)
_INSET_Y: Final = _H * BANK_MARGIN / (1 + 2 * BANK_MARGIN)
_TILE_W: Final = _W - 2 * _INSET_X
_TILE_H: Final = _H - 2 * _INSET_Y
_RECT: Final = np.array(
    [
        [_INSET_X, _INSET_Y],
        [_W - _INSET_X, _INSET_Y],
        [_W - _INSET_X, _H - _INSET_Y],
        [_INSET_X, _H - _INSET_Y],
    ]
)
_CENTRE: Final = np.array([_W / 2, _H / 2])


def _crop_target() -> NDArray[np.float64]:
    w, h = CROP_SIZE
    x, y = w * MARGIN / (1 + 2 * MARGIN), h * MARGIN / (1 + 2 * MARGIN)
    return np.array([[x, y], [w - x, y], [w - x, h - y], [x, h - y]])


_TARGET: Final = _crop_target()


def plain_crop(bank_crop: Image, turned: bool = False) -> Image:
    """The (64, 48, 3) crop an exact finder and a perfect camera would give."""
    quad = np.roll(_RECT, 2, axis=0) if turned else _RECT
    matrix = cv2.getPerspectiveTransform(
        (quad - 0.5).astype(np.float32), (_TARGET - 0.5).astype(np.float32)
    )
    return cv2.warpPerspective(
        bank_crop, matrix, CROP_SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def augment(
    bank_crop: Image,
    turned: bool,
    rng: np.random.Generator,
    config: AugmentConfig,
    native_px: float = 50.0,
    keep_colour: bool = False,
    sideways: bool = False,
) -> Image:
    """Photograph a bank crop.

    Args:
        bank_crop: (96, 72, 3) uint8 BGR.
        turned: show it upside down.
        rng: the only source of chance.
        config: how hard.
        native_px: width of the tile in the picture the crop came from; it is not made "smaller" to more than that.
        keep_colour: never make it grey, and seldom shift its white balance far.
        sideways: cut it a quarter turn off, as happens to tiles that look wider than tall.

    Returns:
        (64, 48, 3) uint8 BGR.
    """
    image = bank_crop
    if rng.random() < config.cut_out:
        image = _cut_out(image)
    if rng.random() < config.cover:
        image = _covered(image, rng)
    if rng.random() < config.light:
        image = _lit(image, rng)
    scale, angle = 1.0, 0.0
    if rng.random() < config.small_share:
        top = min(native_px, _TILE_W)
        width = np.exp(rng.uniform(np.log(config.small_px), np.log(max(top, config.small_px + 1))))
        scale, angle = width / _TILE_W, rng.uniform(-np.pi, np.pi)
        if rng.random() < 0.4:
            angle = rng.normal(0, 0.1)
    squeeze = np.ones(2)
    if rng.random() < config.squeezed:
        narrowest = max(0.4, config.small_px / (scale * _TILE_W))
        squeeze[int(rng.integers(2))] = rng.uniform(min(narrowest, 1.0), 1.0)
    image, to_photo = _shrunk(image, scale, angle, squeeze)
    image = _exposed(image, rng, config, keep_colour)
    if rng.random() < config.blur:
        image = _blurred(image, rng, scale)
    if rng.random() < config.noise:
        image = _noisy(image, rng)
    if rng.random() < config.salt:
        image = _salted(image, rng)
    if rng.random() < config.jpeg:
        quality = int(rng.integers(25, 95))
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    quad = _inexact_quad(rng, config)
    quad = quad @ to_photo[:, :2].T + to_photo[:, 2]
    quad = np.roll(quad, 2 * turned + sideways, axis=0)
    matrix = cv2.getPerspectiveTransform(
        (quad - 0.5).astype(np.float32), (_TARGET - 0.5).astype(np.float32)
    )
    return cv2.warpPerspective(
        image, matrix, CROP_SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _inexact_quad(rng: np.random.Generator, config: AugmentConfig) -> NDArray[np.float64]:
    """The tile's corners in the bank crop as a finder would give them."""
    size = np.array([_TILE_W, _TILE_H])
    worse = 2.0 if rng.random() < config.careless else 1.0
    turn = np.clip(rng.normal(0, worse * config.turn_sd_deg), -9, 9) * np.pi / 180
    scale = np.exp(np.clip(rng.normal(0, worse * config.scale_sd, 2), -0.17, 0.17))
    centred = (_RECT - _CENTRE) * scale
    sheared = int(rng.integers(2))
    shear = np.clip(rng.normal(0, worse * config.shear_sd), -0.08, 0.08)
    centred[:, sheared] += shear * size[sheared] * centred[:, 1 - sheared] / size[1 - sheared] * 2
    c, s = np.cos(turn), np.sin(turn)
    centred = centred @ np.array([[c, s], [-s, c]])
    if (
        rng.random() < 0.08
    ):  # one side taken too far: the flank of a standing tile, or short of the rim
        side, by = int(rng.integers(0, 4)), rng.uniform(-0.12, 0.16)
        axis, outward = (
            (1, -1) if side == 0 else (0, 1) if side == 1 else (1, 1) if side == 2 else (0, -1)
        )
        centred[[side, (side + 1) % 4], axis] += outward * by * size[axis]
    shift = np.clip(rng.normal(0, worse * config.shift_sd, 2), -0.11, 0.11) * size
    return centred + _CENTRE + shift + rng.normal(0, config.corner_sd, (4, 2)) * size


def _cut_out(image: Image) -> Image:
    """The face alone; what `vision.rectify` shows beyond the edge of a picture is its border, repeated."""
    x, y = round(_INSET_X), round(_INSET_Y)
    face = image[y : _H - y, x : _W - x]
    return cv2.copyMakeBorder(face, y, y, x, x, cv2.BORDER_REPLICATE)


def _shrunk(
    image: Image, scale: float, angle: float, squeeze: NDArray[np.float64]
) -> tuple[Image, NDArray[np.float64]]:
    """The picture at the size of the photograph and the 2x3 matrix (pixel edges) that leads there."""
    across, down = scale * squeeze
    if min(across, down) >= 0.98 and angle == 0.0:
        return image, np.array([[1.0, 0, 0], [0, 1.0, 0]])
    if min(across, down) < 0.8:
        soft_x, soft_y = (max(0.01, 0.45 * (1 / share - 0.6)) for share in (across, down))
        image = cv2.GaussianBlur(image, (0, 0), sigmaX=soft_x, sigmaY=soft_y)
    c, s = abs(np.cos(angle)), abs(np.sin(angle))
    width, height = (
        int(np.ceil(_W * across * c + _H * down * s)) + 1,
        int(np.ceil(_W * across * s + _H * down * c)) + 1,
    )
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * np.array([across, down])
    matrix = np.column_stack([turn, np.array([width / 2, height / 2]) - turn @ _CENTRE])
    centres = matrix.copy()
    centres[:, 2] += turn @ [0.5, 0.5] - 0.5
    out = cv2.warpAffine(
        image, centres, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return out, matrix


def _exposed(
    image: Image, rng: np.random.Generator, config: AugmentConfig, keep_colour: bool
) -> Image:
    """Exposure, contrast, gamma, white balance, haze and saturation through one table a channel."""
    ramp = np.arange(256, dtype=np.float32) / 255
    gain = np.exp(rng.normal(0, 0.22)) if rng.random() < 0.8 else rng.uniform(0.2, 0.6)
    gamma = np.exp(rng.normal(0, 0.22))
    mild = rng.random() < (0.95 if keep_colour else 0.8)
    balance = np.exp(rng.normal(0, 0.08 if mild else 0.22, 3))
    haze = max(0.0, rng.normal(0, 0.06))
    curve = np.clip((ramp[:, None] ** gamma) * gain * balance * (1 - haze) + haze, 0, 1)
    image = cv2.LUT(image, (curve * 255).astype(np.uint8)[None])
    if rng.random() < 0.35:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = rng.uniform(0.45, 1.4)
        image = cv2.addWeighted(image, share, grey, 1 - share, 0)
    if not keep_colour and rng.random() < config.grey:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return image


def _lit(image: Image, rng: np.random.Generator) -> Image:
    """Uneven light: a gradient, a soft glare, or the edge of a shadow."""
    h, w = image.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    xx, yy = (
        np.arange(w, dtype=np.float32)[None, :] / w - 0.5,
        np.arange(h, dtype=np.float32)[:, None] / h - 0.5,
    )
    along = xx * np.float32(np.cos(angle)) + yy * np.float32(np.sin(angle))
    kind = rng.random()
    if kind < 0.45:
        factor = 1 + along * np.float32(rng.normal(0, 0.5))
        return cv2.multiply(image, cv2.merge([np.clip(factor, 0.2, 2.0)] * 3), dtype=cv2.CV_8U)
    if kind < 0.7:  # shadow edge
        width = rng.uniform(0.01, 0.15)
        step = 1 / (1 + np.exp(-np.clip((along - rng.uniform(-0.4, 0.4)) / width, -30, 30)))
        factor = (1 - rng.uniform(0.2, 0.65) * step).astype(np.float32)
        return cv2.multiply(image, cv2.merge([factor] * 3), dtype=cv2.CV_8U)
    across = -xx * np.float32(np.sin(angle)) + yy * np.float32(np.cos(angle))
    cx, cy = rng.uniform(-0.4, 0.4, 2)
    rx, ry = rng.uniform(0.06, 0.5, 2)
    glare = np.exp(-(((along - cx) / rx) ** 2) - ((across - cy) / ry) ** 2) * rng.uniform(40, 220)
    return cv2.add(image, cv2.merge([glare.astype(np.float32)] * 3), dtype=cv2.CV_8U)


def _covered(image: Image, rng: np.random.Generator) -> Image:
    """A finger, a tile or the frame's edge over up to two fifths of the face."""
    out = image.copy()
    tone = rng.random()
    if tone < 0.35:
        colour = np.array([120, 160, 215]) * rng.uniform(0.35, 1.15) * rng.uniform(0.9, 1.1, 3)
    elif tone < 0.6:
        colour = np.array([225, 235, 238]) * rng.uniform(0.6, 1.05)
    else:
        colour = rng.uniform(0, 230, 3)
    fill = tuple(float(v) for v in np.clip(colour, 0, 255))
    depth = rng.beta(1.3, 2.2) * 0.4
    angle = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.3)
    reach = (abs(np.cos(angle)) * _TILE_W + abs(np.sin(angle)) * _TILE_H) / 2
    edge = _CENTRE + np.array([np.cos(angle), np.sin(angle)]) * reach * (1 - 2 * depth)
    if rng.random() < 0.5:
        radius = rng.uniform(10, 30)
        centre = edge + np.array([np.cos(angle), np.sin(angle)]) * radius
        centre += np.array([-np.sin(angle), np.cos(angle)]) * rng.normal(0, 12)
        axes = (int(radius * rng.uniform(1.0, 2.5)), int(radius))
        cv2.ellipse(
            out,
            tuple(int(v) for v in centre),
            axes,
            float(np.degrees(angle)),
            0,
            360,
            fill,
            -1,
            cv2.LINE_AA,
        )
        return out
    across = np.array([-np.sin(angle), np.cos(angle)]) * 150
    away = np.array([np.cos(angle), np.sin(angle)]) * 150
    corners = np.array([edge - across, edge + across, edge + across + away, edge - across + away])
    cv2.fillConvexPoly(out, corners.astype(np.int32), fill, cv2.LINE_AA)
    return out


def _blurred(image: Image, rng: np.random.Generator, scale: float) -> Image:
    width = scale * _TILE_W
    if rng.random() < 0.6:
        return cv2.GaussianBlur(image, (0, 0), max(0.3, rng.uniform(0.008, 0.045) * width))
    length = int(np.clip(rng.uniform(0.03, 0.14) * width, 2, 9))
    kernel = np.zeros((length * 2 + 1, length * 2 + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = np.rint(length - reach).astype(int), np.rint(length + reach).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0, 1, cv2.LINE_AA)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def _noisy(image: Image, rng: np.random.Generator) -> Image:
    spread = rng.uniform(2, 14) if rng.random() < 0.8 else rng.uniform(14, 28)
    noise = np.empty(image.shape, np.int16)
    cv2.setRNGSeed(int(rng.integers(1 << 31)))
    cv2.randn(noise, (0, 0, 0), (spread, spread, spread))
    return cv2.add(image, noise, dtype=cv2.CV_8U)


def _salted(image: Image, rng: np.random.Generator) -> Image:
    out = image.copy()
    h, w = out.shape[:2]
    count = int(h * w * rng.uniform(0.002, 0.04))
    ys, xs = rng.integers(0, h, count), rng.integers(0, w, count)
    out[ys, xs] = rng.choice(np.array([0, 255], np.uint8), count)[:, None]
    return out

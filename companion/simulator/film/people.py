"""People over the table: arms that reach, and somebody who leans in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.film.acts import Reach
from companion.simulator.film.look import PALM_MM, Look
from companion.simulator.film.stage import Lie, at_seat
from vision.render.camera import Camera
from vision.render.scene import Overlay

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

_ARM_Z_MM: Final = 55.0
"""Height of a hand over the table, above a carried tile."""

_HEAD_Z_MM: Final = 300.0
_SHOULDER_MM: Final = (170.0, -1250.0)
_HEAD: Final = (200, 130)
"""Middle of the head in its sprite: x, y in mm."""


@dataclass(frozen=True)
class _Sprite:
    """Something flat over the table: colours, cover and its soft shadow, a pixel per millimetre."""

    colour: Image
    cover: Image
    shadow: Image


class People:
    """The people of a film, ready to be laid over its frames.

    Args:
        look: has their arms.
        camera: where they are seen from.
    """

    def __init__(self, look: Look, camera: Camera, seed: int) -> None:
        self._camera = camera
        self._arms = [_sprite(arm) for arm in look.arms]
        self._left = [_sprite(_mirrored(arm)) for arm in look.arms]
        self._head = _sprite(_leaning(np.random.default_rng([seed, 3])))
        slant = look.light.lamps[0].towards
        self._slant = slant[:2] / slant[2]

    def reach(self, frame: Image, reach: Reach, tip_mm: tuple[float, float]) -> None:
        """Lay an arm over a frame, in place, its fingertips over a point of the table."""
        side = -1.0 if reach.left else 1.0
        shoulder = at_seat(reach.seat, Lie(side * _SHOULDER_MM[0], _SHOULDER_MM[1]))
        sprite = (self._left if reach.left else self._arms)[reach.seat]
        anchor = (sprite.cover.shape[1] / 2, PALM_MM / 3)
        self._lay(frame, sprite, anchor, tip_mm, (shoulder.x_mm, shoulder.y_mm), _ARM_Z_MM)

    def lean(self, frame: Image, seat: int, share: float) -> None:
        """Lay somebody who leans over the table over a frame; `share` of the way in."""
        far = -620.0 + 430.0 * share
        head = at_seat(seat, Lie(30.0, far))
        back = at_seat(seat, Lie(0.0, far - 500))
        at, behind = (head.x_mm, head.y_mm), (back.x_mm, back.y_mm)
        self._lay(frame, self._head, _HEAD, at, behind, _HEAD_Z_MM)

    def _lay(
        self,
        frame: Image,
        sprite: _Sprite,
        anchor: tuple[float, float],
        at_mm: tuple[float, float],
        behind_mm: tuple[float, float],
        z_mm: float,
    ) -> None:
        """A sprite with its anchor over a point and its lower side towards another."""
        down = np.array(behind_mm) - at_mm
        down = down / max(float(np.linalg.norm(down)), 1e-6)
        right = np.array([-down[1], down[0]])
        origin = np.array(at_mm) - right * anchor[0] - down * anchor[1]
        to_mm = np.eye(3)
        to_mm[:2] = np.stack([right, down, origin], 1)
        fallen = to_mm.copy()
        fallen[:2, 2] -= self._slant * z_mm
        self._blend(frame, sprite.shadow, None, self._camera.plane_homography(0.0) @ fallen)
        through = self._camera.plane_homography(z_mm) @ to_mm
        self._blend(frame, sprite.cover, sprite.colour, through)

    def _blend(self, frame: Image, cover: Image, colour: Image | None, matrix: FloatArray) -> None:
        """Blend colours over a frame where the warped cover says so; None darkens."""
        height, width = cover.shape
        corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1.0]])
        pixels = corners @ matrix.T
        if pixels[:, 2].min() <= 1.0:
            return  # partly behind the lens
        quad = pixels[:, :2] / pixels[:, 2:]
        x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int), frame.shape[1::-1])
        if x1 <= x0 or y1 <= y0:
            return
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        size = (int(x1 - x0), int(y1 - y0))
        mask = cv2.warpPerspective(cover, shift @ matrix, size)
        rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        if not len(rows):
            return
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        window = frame[y0:y1, x0:x1][part]
        if colour is None:
            kept = cv2.merge([255 - mask[part]] * 3)
            cv2.multiply(window, kept, window, 1 / 255)
            return
        warped = cv2.warpPerspective(colour, shift @ matrix, size)[part]
        share = cv2.merge([mask[part]] * 3)
        over = cv2.multiply(warped, share, scale=1 / 255)
        under = cv2.multiply(window, 255 - share, scale=1 / 255)
        cv2.add(over, under, window)


def _sprite(overlay: Overlay) -> _Sprite:
    soft = cv2.GaussianBlur(overlay.cover, (0, 0), 11)
    return _Sprite(overlay.colour, overlay.cover, (soft * 0.42).astype(np.uint8))


def _mirrored(overlay: Overlay) -> Overlay:
    flipped = np.ascontiguousarray(overlay.colour[:, ::-1])
    return Overlay(flipped, np.ascontiguousarray(overlay.cover[:, ::-1]), (0, 0))


def _leaning(rng: np.random.Generator) -> Overlay:
    """Head and shoulders from above, the head at the top."""
    colour = np.zeros((900, 400, 3), np.uint8)
    cover = np.zeros((900, 400), np.uint8)
    cloth = [float(tone) for tone in rng.uniform(30, 150, 3)]
    hair = [float(tone) for tone in rng.uniform(15, 70) * np.array([0.7, 0.85, 1.0])]
    cv2.ellipse(cover, (200, 330), (190, 130), 0, 0, 360, 255, -1, cv2.LINE_AA)
    cv2.rectangle(cover, (60, 330), (340, 900), 255, -1)
    colour[:] = cloth
    cv2.ellipse(cover, _HEAD, (88, 112), 0, 0, 360, 255, -1, cv2.LINE_AA)
    cv2.ellipse(colour, _HEAD, (92, 116), 0, 0, 360, hair, -1, cv2.LINE_AA)
    round_ = cv2.GaussianBlur(cover, (0, 0), 26).astype(np.float32)[..., None] / 255
    shaded = np.clip(colour * (0.45 + 0.65 * round_), 0, 255).astype(np.uint8)
    return Overlay(cv2.GaussianBlur(shaded, (0, 0), 3), cover, (0, 0))

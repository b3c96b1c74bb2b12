"""Draws the table again and again, each time only where something on it has changed.

What rests costs nothing: the picture of the last frame stays, and only windows around the solids that
moved, came or went are drawn anew, shadows included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.film.look import Look
from vision.render.camera import Camera
from vision.render.light import cast_shadows, uneven
from vision.render.scene import Scene, render
from vision.render.solids import NOBODY, Canvas, Solid, draw_solids, world_corners

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]
Window = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels."""

_PAD_PX: Final = 4
"""Around a solid: its rounded outline and the lens reach past the corners."""

_MANY: Final = 0.55
"""From this share of the picture on, everything is drawn at once: windows would overlap."""


@dataclass(frozen=True)
class _Drawn:
    """A solid on the table, with the pixels it and its shadow can touch."""

    solid: Solid
    corners_mm: FloatArray
    body: Window
    reach: Window


class Painter:
    """The table as one camera sees it.

    Args:
        look: the things of the film.
        camera: where it is seen from.
        seed: of the light's unevenness.
    """

    def __init__(self, look: Look, camera: Camera, seed: int) -> None:
        self._look = look
        self.camera = camera
        size = (camera.width, camera.height)
        bare = Scene(camera, look.light, look.table, (), unevenness=0.0)
        self._ground = render(bare).image
        field = uneven(np.random.default_rng([seed, 2]), size, look.unevenness)
        self._field = cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        owners = np.full((camera.height, camera.width), NOBODY, np.int16)
        self._canvas = Canvas(self._ground.copy(), owners, camera, look.light)
        self._depth_mm = float(np.linalg.norm(camera.position_mm))
        lamp = look.light.lamps[0]
        sigma_px = lamp.softness_mm * camera.focal_px / self._depth_mm
        self._soft_px = int(np.ceil(3 * sigma_px)) + 4
        self._drawn: dict[object, _Drawn] = {}
        self._paint((0, 0, *size))

    @property
    def image(self) -> Image:
        """The picture; not to be written on."""
        return self._canvas.image

    def show(self, changes: Mapping[object, Solid | None]) -> Image:
        """Put solids where they are now, take those away that are None, and draw what that changes."""
        dirty: list[Window] = []
        added = {key: solid for key, solid in changes.items() if solid is not None}
        for key in changes:
            old = self._drawn.pop(key, None)
            if old is not None:
                dirty.append(old.reach)
        corners, _ = world_corners(tuple(added.values()))
        for (key, solid), box in zip(added.items(), corners, strict=True):
            drawn = self._measured(solid, box)
            self._drawn[key] = drawn
            dirty.append(drawn.reach)
        # The order of drawing must not depend on what was drawn before.
        self._drawn = dict(sorted(self._drawn.items(), key=lambda item: str(item[0])))
        for window in self._joined(dirty):
            self._paint(window)
        return self.image

    def _measured(self, solid: Solid, corners_mm: FloatArray) -> _Drawn:
        pixels = self.camera.project(corners_mm)
        slant = self._look.light.lamps[0].towards
        fallen = corners_mm.copy()
        fallen[:, :2] -= corners_mm[:, 2:] * (slant[:2] / slant[2])
        fallen[:, 2] = 0
        shadow = self.camera.project(fallen)
        body = _around(pixels, _PAD_PX)
        x0, y0, x1, y1 = _around(shadow, self._soft_px)
        reach = (min(body[0], x0), min(body[1], y0), max(body[2], x1), max(body[3], y1))
        return _Drawn(solid, corners_mm, body, reach)

    def _joined(self, windows: list[Window]) -> list[Window]:
        """Windows inside the picture that do not overlap."""
        width, height = self.camera.width, self.camera.height
        left = [
            # Shadows are drawn at half size: windows begin at even pixels so that they agree.
            (max(x0, 0) // 2 * 2, max(y0, 0) // 2 * 2, min(x1 + 1, width), min(y1 + 1, height))
            for x0, y0, x1, y1 in windows
        ]
        left = [window for window in left if window[2] > window[0] and window[3] > window[1]]
        joined: list[Window] = []
        while left:
            here = left.pop()
            at = next((i for i, other in enumerate(joined) if _overlap(here, other)), None)
            if at is None:
                joined.append(here)
                continue
            other = joined.pop(at)
            left.append(
                (
                    min(here[0], other[0]),
                    min(here[1], other[1]),
                    max(here[2], other[2]),
                    max(here[3], other[3]),
                )
            )
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in joined)
        if area > _MANY * width * height:
            return [(0, 0, width, height)]
        return sorted(joined)

    def _paint(self, window: Window) -> None:
        x0, y0, x1, y1 = window
        canvas = self._canvas.window(x0, y0, x1 - x0, y1 - y0)
        canvas.owners[:] = NOBODY
        shading = [drawn for drawn in self._drawn.values() if _overlap(drawn.reach, window)]
        canvas.image[:] = self._shaded_ground(window, shading)
        near = [drawn.solid for drawn in shading if _overlap(drawn.body, window)]
        draw_solids(canvas, near)
        cv2.multiply(canvas.image, self._field[y0:y1, x0:x1], canvas.image, dtype=cv2.CV_8U)

    def _shaded_ground(self, window: Window, shading: list[_Drawn]) -> Image:
        """The cloth under the shadows; a margin around the window makes them end softly everywhere."""
        width, height = self.camera.width, self.camera.height
        margin = self._soft_px // 2 * 2
        x0, y0, x1, y1 = window
        ax, ay = max(x0 - margin, 0), max(y0 - margin, 0)
        bx, by = min(x1 + margin, width), min(y1 + margin, height)
        ground = self._ground[ay:by, ax:bx].copy()
        if shading:
            corners = np.stack([drawn.corners_mm for drawn in shading])
            camera = self.camera.window(ax, ay, bx - ax, by - ay)
            heights = corners[..., 2].min(1)
            cast_shadows(ground, camera, self._look.light, corners, heights, self._depth_mm)
        return np.asarray(ground[y0 - ay : y1 - ay, x0 - ax : x1 - ax])


def _around(pixels: FloatArray, pad_px: int) -> Window:
    low = np.floor(pixels.min(0)).astype(int) - pad_px
    high = np.ceil(pixels.max(0)).astype(int) + pad_px
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _overlap(a: Window, b: Window) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

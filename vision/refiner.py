"""Put the corners of finds where the tiles' corners are, from the full-resolution picture.

The finder sees a reduced picture and answers in parallelograms, a tenth of the tile's width off. The refiner sees each
find again, cut out with its neighbourhood and turned upright, and says where the face's own four corners lie and
whether there is a tile's face or back at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.maps import polygon_areas
from vision.rectify import rectify
from vision.session import open_session

CROP_PX: Final = 64
"""Side of a crop in pixels: a tile of 40 px across in it, about what a camera over a whole table gives."""

MARGIN: Final = 0.3
"""Share of the find's width (height) shown beyond either side: finds are off by 15 % seldom and by 30 % hardly ever."""

_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class RefinerConfig:
    """What is believed of the network; offsets are shares of the find's own sides."""

    batch: int = 64
    """Crops a pass: their activations stay near the processor, larger passes are no faster."""
    again: float = 0.2
    """A find with a corner that moved farther is looked at once more where it went: the farther, the rougher."""
    farthest: float = 0.7
    """A corner that moves farther has left what the network learned: the find stays as it was."""
    least_area: float = 0.35
    """Least area of the refined quad beside the find's: below, a part of the face was taken for the face."""
    largest_area: float = 2.6
    """Largest: above, two tiles were taken for one."""
    present: float = 0.3
    """Where a tile is less likely there are no corners to be put right."""


DEFAULT_CONFIG: Final = RefinerConfig()


def neighbourhoods(
    image_bgr: NDArray[np.uint8], quads_px: NDArray[np.floating]
) -> NDArray[np.uint8]:
    """The refiner's crops: every quad with its margin, the start corner at the top left.

    Args:
        image_bgr: (H, W, 3) uint8, the picture in full resolution.
        quads_px: (N, 4, 2) corners, clockwise in the image (y down).

    Returns:
        (N, 64, 64, 3) uint8; the quad itself is the middle 40 x 40 pixels.
    """
    return rectify(image_bgr, quads_px, (CROP_PX, CROP_PX), MARGIN, roll=False)[0]


def place(quads_px: NDArray[np.floating], points: NDArray[np.floating]) -> NDArray[np.float32]:
    """Points in units of quads, in picture pixels: the inverse of how `neighbourhoods` cuts.

    Args:
        quads_px: (N, 4, 2) corners; they are (0, 0), (1, 0), (1, 1), (0, 1) in their own units.
        points: (N, K, 2) in those units.

    Returns:
        (N, K, 2) float32.
    """
    p0, p1, p2, p3 = (np.asarray(quads_px, np.float64)[:, i, None] for i in range(4))
    u, v = (np.asarray(points, np.float64)[..., i : i + 1] for i in range(2))
    # The homography of the unit square (Heckbert): p0 + u a + v b over 1 + u g + v h.
    bend, d1, d2 = p0 - p1 + p2 - p3, p1 - p2, p3 - p2
    cross = d1[..., :1] * d2[..., 1:] - d2[..., :1] * d1[..., 1:]
    cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    g = (bend[..., :1] * d2[..., 1:] - d2[..., :1] * bend[..., 1:]) / cross
    h = (d1[..., :1] * bend[..., 1:] - bend[..., :1] * d1[..., 1:]) / cross
    a, b = p1 - p0 + g * p1, p3 - p0 + h * p3
    below = 1 + u * g + v * h
    below = np.where(np.abs(below) < 1e-6, 1e-6, below)
    return ((p0 + u * a + v * b) / below).astype(np.float32)


class Refiner:
    """The refining network, loaded once and called with a picture's finds. Not shared between threads at the same time.

    Args:
        path: the ONNX file.
        threads: processor threads for one pass.
        config: see `RefinerConfig`.

    Raises:
        FileNotFoundError: if there is no file at ``path``.
        ValueError: if the file is another model.
    """

    def __init__(
        self, path: Path | str, threads: int = 1, config: RefinerConfig = DEFAULT_CONFIG
    ) -> None:
        path = Path(path)
        self._session = open_session(path, threads)
        if [output.name for output in self._session.get_outputs()] != ["corners", "present"]:
            raise ValueError(f"{path.name} is not a refining model")
        self._config = config

    def refine(
        self, image_bgr: NDArray[np.uint8], quads_px: NDArray[np.floating]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where the tiles' own corners are, and whether there are tiles.

        Args:
            image_bgr: (H, W, 3) uint8, the picture in full resolution.
            quads_px: (N, 4, 2) corners of finds, clockwise in the image (y down); N may be 0.

        Returns:
            ``quads_px`` (N, 4, 2) float32 in the order of the given corners, those that would move implausibly far as
            they were, and ``present`` (N,) float32 in 0..1.

        Raises:
            ValueError: if the shapes do not fit.
        """
        quads, present, moved = self._look(image_bgr, np.asarray(quads_px, np.float32))
        again = np.flatnonzero(moved > self._config.again)
        if len(again):
            quads[again], present[again], _ = self._look(image_bgr, quads[again])
        return quads, present

    def _look(
        self, image_bgr: NDArray[np.uint8], quads: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Refined quads, ``present``, and how far (N,) each find's farthest corner went, 0 where it stayed."""
        crops = neighbourhoods(image_bgr, quads)
        n, step = len(crops), self._config.batch
        corners = np.empty((n, 4, 2), np.float32)
        present = np.empty(n, np.float32)
        for start in range(0, n, step):
            part = slice(start, start + step)
            corners[part], present[part] = self._session.run(None, {"crops": crops[part]})
        moved = np.abs(corners - _UNIT).max(axis=(1, 2), initial=0.0)
        keep = self._plausible(corners, moved) & (present >= self._config.present)
        refined = np.where(keep[:, None, None], place(quads, corners), quads)
        return refined, present, np.where(keep, moved, np.float32(0))

    def _plausible(
        self, corners: NDArray[np.float32], moved: NDArray[np.float32]
    ) -> NDArray[np.bool_]:
        """Which answers (N,) are quads that a find may have been meant for; corners in units of the find."""
        config = self._config
        sides = np.roll(corners, -1, axis=1) - corners
        after = np.roll(sides, -1, axis=1)
        turns = sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0]
        areas = polygon_areas(corners)
        fits = (areas >= config.least_area) & (areas <= config.largest_area)
        plausible: NDArray[np.bool_] = (
            fits & (moved <= config.farthest) & (turns > 0).all(axis=1) & np.isfinite(moved)
        )
        return plausible

"""Where the camera stands: chosen so that the tiles fill the picture as people frame them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.render.camera import Camera
from vision.render.placing import Arrangement, Size

FloatArray = NDArray[np.float64]


def random_camera(
    rng: np.random.Generator,
    arrangement: Arrangement,
    tile_mm: Size,
    size_px: tuple[int, int],
    bounds_px: tuple[float, float],
    close: float,
) -> Camera:
    """A camera that sees the arrangement as one would photograph it.

    Args:
        tile_mm: width, height, depth of a tile.
        size_px: (width, height) of the picture.
        bounds_px: least and greatest short side of a tile at the middle of the picture.
        close: chance that the camera is so near that the frame cuts the arrangement.
    """
    elevation = float(rng.uniform(*arrangement.elevation_deg))
    if arrangement.elevation_deg[1] >= 90 and rng.random() < 0.25:
        elevation = float(rng.uniform(82, 90))
    azimuth = float(rng.uniform(*arrangement.azimuth_deg))
    roll = float(rng.normal(0, 4))
    if elevation > 75 and rng.random() < 0.4:
        roll = float(rng.uniform(-180, 180))
    fov = float(rng.uniform(28, 74))
    if arrangement.drawing:
        elevation, azimuth, roll, fov = 90.0, 0.0, 0.0, 4.0
    if arrangement.tiles:
        centres = np.array([pose.centre_mm for _, pose in arrangement.tiles])
    else:
        centres = np.array([[-150, -110, 0], [150, 110, 0.0]])
    low, high = centres.min(0), centres.max(0)
    margin = tile_mm[1] / 2
    # A standing hand matters more than the wall behind it.
    if arrangement.table_mm is not None and arrangement.elevation_deg[1] < 60:
        near = centres[np.abs(centres[:, 1]) < tile_mm[1] * 2.2]
        low, high = near.min(0), near.max(0)
    focus = np.array(
        [
            [x, y, 0.0]
            for x in (low[0] - margin, high[0] + margin)
            for y in (low[1] - margin, high[1] + margin)
        ]
    )
    target = (low + high) / 2
    target[2] = target[2] if arrangement.held else 0.0
    focus[:, 2] = target[2]
    fill = float(rng.uniform(*arrangement.fill))
    distance = 900.0

    def view(target_mm: FloatArray) -> Camera:
        return Camera.look_at(
            (float(target_mm[0]), float(target_mm[1]), float(target_mm[2])),
            distance,
            elevation,
            azimuth,
            roll,
            fov,
            size_px,
        )

    for _ in range(5):
        pixels = view(target).project(focus)
        reach = float((np.abs(pixels - np.array(size_px) / 2) / np.array(size_px)).max()) * 2
        distance *= float(np.clip(reach / fill, 0.2, 5))
    if arrangement.tiles and rng.random() < close:
        distance *= float(rng.uniform(0.3, 0.75))
        target[:2] = centres[int(rng.integers(len(centres)))][:2]
    focal = view(target).focal_px
    # A tilted view makes the far tiles smaller than those at the middle.
    distance = float(
        np.clip(
            distance,
            focal * tile_mm[0] / bounds_px[1],
            focal * tile_mm[0] / (bounds_px[0] * 1.1),
        )
    )
    distance = max(distance, 60 + tile_mm[1])
    loose = max(1 - min(fill, 1.0), 0.08) * 0.5 * distance * np.array(size_px) / focal
    target[:2] += rng.uniform(-1, 1, 2) * loose * 0.8
    return view(target)

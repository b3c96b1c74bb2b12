"""A pinhole camera over the table.

World frame: millimetres, right-handed, x to the right of the player at the bottom edge, y away from
that player, z up; the table top is z = 0. Image frame: pixels, x right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

NEAR_MM = 1.0
"""Points nearer than this to the camera plane are not projected: their pixel would be meaningless."""


@dataclass(frozen=True)
class Camera:
    """Where the camera is and how it maps millimetres to pixels.

    Attributes:
        matrix: (3, 3) intrinsics, pixels.
        rotation: (3, 3) world -> camera (x right, y down, z forward).
        position_mm: (3,) camera centre in the world.
        width, height: picture size in pixels.
    """

    matrix: FloatArray
    rotation: FloatArray
    position_mm: FloatArray
    width: int
    height: int

    @classmethod
    def look_at(
        cls,
        target_mm: tuple[float, float, float],
        distance_mm: float,
        elevation_deg: float,
        azimuth_deg: float,
        roll_deg: float,
        fov_deg: float,
        size_px: tuple[int, int],
    ) -> Camera:
        """A camera looking at a point.

        Args:
            elevation_deg: 90 looks straight down, 0 along the table.
            azimuth_deg: 0 stands at the bottom edge (negative y); 90 at the right edge.
            fov_deg: angle of view along the longer side of the picture.
            size_px: (width, height).
        """
        width, height = size_px
        el, az, roll = np.radians([elevation_deg, azimuth_deg, roll_deg])
        back = np.array([np.sin(az) * np.cos(el), -np.cos(az) * np.cos(el), np.sin(el)])
        right = np.array([np.cos(az), np.sin(az), 0.0])
        forward = -back
        down = np.cross(forward, right)
        turned_right = np.cos(roll) * right + np.sin(roll) * down
        turned_down = -np.sin(roll) * right + np.cos(roll) * down
        focal_px = 0.5 * max(width, height) / np.tan(np.radians(fov_deg) / 2)
        matrix = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1.0]])
        position = np.asarray(target_mm, float) + distance_mm * back
        return cls(matrix, np.stack([turned_right, turned_down, forward]), position, width, height)

    def window(self, x_px: int, y_px: int, width: int, height: int) -> Camera:
        """The camera whose picture is a part of this one's, from (``x_px``, ``y_px``) on."""
        matrix = self.matrix.copy()
        matrix[:2, 2] -= [x_px, y_px]
        return Camera(matrix, self.rotation, self.position_mm, width, height)

    @property
    def focal_px(self) -> float:
        return float(self.matrix[0, 0])

    def depth(self, points_mm: FloatArray) -> FloatArray:
        """(..., 3) world points -> (...) distance in front of the camera plane, millimetres."""
        depth: FloatArray = (points_mm - self.position_mm) @ self.rotation[2]
        return depth

    def project(self, points_mm: FloatArray) -> FloatArray:
        """(..., 3) world points -> (..., 2) pixels. Points behind the camera are put at its plane."""
        local = (np.asarray(points_mm, float) - self.position_mm) @ self.rotation.T
        z = np.maximum(local[..., 2:], NEAR_MM)
        pixels: FloatArray = local[..., :2] / z * self.focal_px + self.matrix[:2, 2]
        return pixels

    def plane_homography(self, z_mm: float = 0.0) -> FloatArray:
        """(3, 3) homography from (x, y) on the horizontal plane at ``z_mm`` to pixels."""
        columns = np.stack(
            [
                self.rotation[:, 0],
                self.rotation[:, 1],
                self.rotation @ (np.array([0.0, 0.0, z_mm]) - self.position_mm),
            ],
            axis=1,
        )
        homography: FloatArray = self.matrix @ columns
        return homography

    def on_table(self, pixel: FloatArray, reach_mm: float = 6000.0) -> FloatArray | None:
        """(2,) pixel -> (2,) the table's point seen there; None when it is sky or farther than ``reach_mm``."""
        local = np.array([*((pixel - self.matrix[:2, 2]) / self.focal_px), 1.0])
        ray = local @ self.rotation
        if ray[2] >= -1e-9:
            return None
        step: FloatArray = ray[:2] * (-self.position_mm[2] / ray[2])
        return self.position_mm[:2] + step if np.linalg.norm(step) < reach_mm else None

    def visible_polygon(self, corners_mm: FloatArray) -> FloatArray:
        """(N, 3) convex world polygon -> (M, 2) its pixels, clipped at the camera plane (M may be 0)."""
        depths = self.depth(corners_mm) - 10 * NEAR_MM
        kept: list[FloatArray] = []
        for here, there, a, b in zip(
            corners_mm, np.roll(corners_mm, -1, 0), depths, np.roll(depths, -1), strict=True
        ):
            if a > 0:
                kept.append(here)
            if (a > 0) != (b > 0):
                kept.append(here + (there - here) * (a / (a - b)))
        return self.project(np.array(kept)) if kept else np.zeros((0, 2))

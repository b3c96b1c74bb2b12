"""Boxes with rounded edges: the shape of a tile, and of the books, dice and boxes beside it.

A box's own frame has x to the face's right, y to the face's top and z out of the face, so a tile that
lies face up and unturned has the world's axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Colour = tuple[float, float, float]
"""Blue, green, red, 0..255."""

FRONT, BACK, RIGHT, LEFT, TOP, BOTTOM = range(6)

CORNER_SIGNS: Final = np.array(
    [(x, y, z) for z in (1, -1) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))], float
)
"""(8, 3): the front's corners clockwise from its top left, then those behind them."""

FACE_CORNERS: Final = np.array(
    [
        [0, 1, 2, 3],  # front
        [5, 4, 7, 6],  # back, from its own top left as seen from behind
        [1, 5, 6, 2],  # the four sides: first and last corner on the front's edge
        [0, 4, 7, 3],
        [0, 4, 5, 1],
        [3, 7, 6, 2],
    ]
)
FACE_NORMALS: Final = np.array(
    [[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], float
)
"""(6, 3) outward normals in the box's frame, in the order of the face numbers."""

_CIRCLE: Final = np.stack(
    [np.cos(np.linspace(0, 2 * np.pi, 12, False)), np.sin(np.linspace(0, 2 * np.pi, 12, False))], 1
)


@dataclass(frozen=True)
class TileBody:
    """How a set's tiles are made.

    Attributes:
        size_mm: width, height (along the face) and depth.
        radius_mm: rounding of edges and corners.
        face_bgr, back_bgr: the two layers.
        back_share: the back layer's part of the depth.
        seam: darkening of the line where the layers meet, 0..1.
        gloss: strength of reflections, 0 (matt) .. 1.
        edge_shade: how much darker the rounded edge is than the flat, 0..1.
    """

    size_mm: tuple[float, float, float]
    radius_mm: float
    face_bgr: Colour
    back_bgr: Colour
    back_share: float
    seam: float
    gloss: float
    edge_shade: float

    @property
    def half_mm(self) -> FloatArray:
        return np.array(self.size_mm) / 2


@dataclass(frozen=True)
class Pose:
    """Where a box is: its centre and the rotation from its frame to the world's."""

    centre_mm: FloatArray
    rotation: FloatArray


def turn_z(degrees: float) -> FloatArray:
    """(3, 3) rotation about the vertical, counter-clockwise seen from above."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def turn_x(degrees: float) -> FloatArray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def turn_y(degrees: float) -> FloatArray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, 0, s], [0, 1.0, 0], [-s, 0, c]])


FACE_UP: Final = np.eye(3)
FACE_DOWN: Final = turn_y(180)
STANDING: Final = turn_x(90)
"""On its bottom edge, the face towards negative y: towards the player at the bottom edge."""


def resting(
    size_mm: FloatArray | tuple[float, float, float],
    x_mm: float,
    y_mm: float,
    attitude: FloatArray = FACE_UP,
    turn_deg: float = 0.0,
    base_mm: float = 0.0,
) -> Pose:
    """The pose of a box that rests on the plane z = ``base_mm`` with its centre over (x, y)."""
    rotation = turn_z(turn_deg) @ attitude
    lift = float(np.abs(rotation[2]) @ (np.asarray(size_mm) / 2))
    return Pose(np.array([x_mm, y_mm, base_mm + lift]), rotation)


def corners(half_mm: FloatArray, centres_mm: FloatArray, rotations: FloatArray) -> FloatArray:
    """(N, 3) half sizes, (N, 3) centres, (N, 3, 3) rotations -> (N, 8, 3) world corners."""
    local = CORNER_SIGNS[None] * half_mm[:, None]
    world: FloatArray = np.einsum("nij,nkj->nki", rotations, local) + centres_mm[:, None]
    return world


def outline(inner_px: FloatArray, radii_px: FloatArray) -> FloatArray:
    """Points whose convex hull is the outline of a rounded box.

    Args:
        inner_px: (8, 2) projections of the centres of the rounded corners.
        radii_px: (8,) projected radii of the rounding.
    Returns:
        (96, 2) pixels.
    """
    points: FloatArray = inner_px[:, None] + radii_px[:, None, None] * _CIRCLE[None]
    return points.reshape(-1, 2)


def nearer_pairs(
    corners_mm: FloatArray, normals: FloatArray, eye_mm: FloatArray, pairs: NDArray[np.intp]
) -> NDArray[np.int8]:
    """Which of two boxes can cover the other, by a face plane that separates them.

    Args:
        corners_mm: (N, 8, 3) world corners.
        normals: (N, 6, 3) world face normals.
        eye_mm: (3,) camera centre.
        pairs: (P, 2) indices.
    Returns:
        (P,) 1 when the second is nearer to the eye, -1 when the first is, 0 when no face decides.
    """
    tolerance_mm = 0.3  # touching tiles overlap by their jitter; that is no order
    anchors = corners_mm[:, FACE_CORNERS[:, 0]]  # (N, 6, 3) a point of each face
    eye_side = np.einsum("nfi,nfi->nf", eye_mm - anchors, normals) > 0

    def decide(i: NDArray[np.intp], j: NDArray[np.intp]) -> NDArray[np.int8]:
        heights = np.einsum(
            "pkfi,pfi->pkf", corners_mm[j][:, :, None] - anchors[i][:, None], normals[i]
        )
        apart = heights.min(1) >= -tolerance_mm
        towards = apart & eye_side[i]
        away = apart & ~eye_side[i]
        return np.where(away.any(1), -1, np.where(towards.any(1), 1, 0)).astype(np.int8)

    first, second = pairs[:, 0], pairs[:, 1]
    verdict = decide(first, second)
    other = -decide(second, first)
    return np.where(verdict != 0, verdict, other)

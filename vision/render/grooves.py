"""The lines between things that touch: rounded edges side by side are a groove that little light gets into."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.render import body as shape

FloatArray = NDArray[np.float64]

_REACH_MM: Final = 0.9
"""A neighbour no farther than this makes a groove; tiles pushed together by hand stand up to half of it apart."""

_DEPTH_MM: Final = 2.0
"""How far below a face its neighbour is looked for: more than the rounding of most edges."""

_ALONG: Final = (1 / 6, 1 / 2, 5 / 6)
"""Where along an edge it is looked for: a wall's upper tile may stand beside two lower ones, or half beside one."""

_EDGES: Final = np.array([[0, 3], [1, 2], [0, 1], [3, 2]])
"""(4, 2) the corners of a face that bound its left, right, upper and lower edge."""


def grooves(corners_mm: FloatArray, normals: FloatArray) -> FloatArray:
    """How much of each edge has a neighbour right beside it.

    Args:
        corners_mm: (N, 8, 3) world corners of boxes.
        normals: (N, 6, 3) world normals of the faces.
    Returns:
        (N, 6, 4) shares 0..1 for the left, right, upper and lower edge of each face.
    """
    centres = corners_mm.mean(1)
    axes = normals[:, [shape.RIGHT, shape.TOP, shape.FRONT]]  # (N, 3, 3) of each box's own frame
    half = np.einsum("ni,nai->na", corners_mm[:, 1] - centres, axes)  # a corner right, up, in front
    faces = corners_mm[:, shape.FACE_CORNERS]  # (N, 6, 4, 3)
    ends = faces[:, :, _EDGES]  # (N, 6, 4, 2, 3)
    outward = ends.mean(3) - faces.mean(2)[:, :, None]
    outward /= np.linalg.norm(outward, axis=-1, keepdims=True)
    along = np.array(_ALONG)[:, None]
    points = ends[..., None, 0, :] * (1 - along) + ends[..., None, 1, :] * along
    points = points + (outward * _REACH_MM - normals[:, :, None] * _DEPTH_MM)[..., None, :]
    reach = np.linalg.norm(half, axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = apart < reach[:, None] + reach[None] + _REACH_MM
    np.fill_diagonal(near, False)
    found = np.zeros(points.shape[:-1], bool)
    for i in range(len(corners_mm)):
        others = np.flatnonzero(near[i])
        if len(others):
            away = points[i].reshape(-1, 1, 3) - centres[others]
            local = np.abs(np.einsum("pni,nai->pna", away, axes[others]))
            found[i] = (local <= half[others]).all(2).any(1).reshape(found.shape[1:])
    shares: FloatArray = found.mean(3)
    return shares

"""Drawing boxes and round things, back to front, with the owner of every pixel kept."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import body as shape
from vision.render.body import Pose
from vision.render.camera import Camera
from vision.render.grooves import grooves
from vision.render.light import Light

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

TEXTURE_SIDES = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""Long sides at which a face is painted, pixels; the next above the projected size is used."""

SUBPIXEL = 4
"""Fraction bits of polygon corners, so that small tiles do not snap to whole pixels."""

NOBODY = -1
"""Owner of the table's pixels; things drawn over the solids take ``COVER``."""
COVER = -2


class Paint(Protocol):
    """What a solid's faces look like under even light."""

    @property
    def key(self) -> Hashable:
        """Equal keys paint equal faces."""

    def paint(self, face: int, size_px: tuple[int, int]) -> Image:
        """(h, w, 3) colours of a face, ``size_px`` = (width, height)."""


@dataclass(frozen=True)
class TileMark:
    """What the truth says of a tile: its face's code, its set's name."""

    code: str
    set_name: str


@dataclass(frozen=True)
class Box:
    """A rounded box: a tile when ``tile`` is given, else clutter."""

    half_mm: FloatArray
    pose: Pose
    radius_mm: float
    paint: Paint
    gloss: float = 0.2
    edge_shade: float = 0.25
    brightness: float = 1.0
    tile: TileMark | None = None


@dataclass(frozen=True)
class Round:
    """An upright cylinder: a cup, a chip, a pile of chips.

    Attributes:
        rings: (radius share, colour) of the discs seen on top, from the outermost.
        bands: (height share, colour) up the side.
    """

    centre_mm: FloatArray
    radius_mm: float
    height_mm: float
    rings: tuple[tuple[float, tuple[float, float, float]], ...]
    bands: tuple[tuple[float, tuple[float, float, float]], ...]

    @property
    def half_mm(self) -> FloatArray:
        return np.array([self.radius_mm, self.radius_mm, self.height_mm / 2])

    @property
    def pose(self) -> Pose:
        return Pose(self.centre_mm + [0, 0, self.height_mm / 2], np.eye(3))


Solid = Box | Round


@dataclass
class Canvas:
    """A picture being drawn.

    Attributes:
        image: (H, W, 3) uint8.
        owners: (H, W) int16, the index of the solid seen at each pixel.
        groove: how dark the line between things that touch is, 0..1.
    """

    image: Image
    owners: NDArray[np.int16]
    camera: Camera
    light: Light
    groove: float = 0.0
    _albedo: dict[Hashable, Image] = field(default_factory=dict)
    _shaded: dict[Hashable, Image] = field(default_factory=dict)
    _edges: dict[Hashable, NDArray[np.float32]] = field(default_factory=dict)

    def window(self, x_px: int, y_px: int, width: int, height: int) -> Canvas:
        """A part of this canvas, drawn on in place; what was painted for one serves the other."""
        rows, columns = slice(y_px, y_px + height), slice(x_px, x_px + width)
        return Canvas(
            self.image[rows, columns],
            self.owners[rows, columns],
            self.camera.window(x_px, y_px, width, height),
            self.light,
            self.groove,
            self._albedo,
            self._shaded,
            self._edges,
        )


def world_corners(solids: Sequence[Solid]) -> tuple[FloatArray, FloatArray]:
    """(N, 8, 3) corners and (N, 6, 3) normals of the solids' boxes."""
    if not solids:
        return np.zeros((0, 8, 3)), np.zeros((0, 6, 3))
    half = np.stack([solid.half_mm for solid in solids])
    centres = np.stack([solid.pose.centre_mm for solid in solids])
    rotations = np.stack([solid.pose.rotation for solid in solids])
    normals = np.einsum("nij,fj->nfi", rotations, shape.FACE_NORMALS)
    return shape.corners(half, centres, rotations), normals


def far_to_near(corners_mm: FloatArray, normals: FloatArray, camera: Camera) -> list[int]:
    """The order in which to draw, so that what is nearer covers what is behind it."""
    count = len(corners_mm)
    pixels = camera.project(corners_mm)
    low, high = pixels.min(1) - 2, pixels.max(1) + 2
    overlap = (low[:, None] < high[None]).all(2) & (low[None] < high[:, None]).all(2)
    pairs = np.argwhere(np.triu(overlap, 1))
    distance = np.linalg.norm(corners_mm.mean(1) - camera.position_mm, axis=1)
    verdicts = shape.nearer_pairs(corners_mm, normals, camera.position_mm, pairs)
    before: list[list[int]] = [[] for _ in range(count)]  # what must wait for each solid
    waits = np.zeros(count, int)
    for (i, j), verdict in zip(pairs.tolist(), verdicts.tolist(), strict=True):
        if verdict:
            far, near = (i, j) if verdict > 0 else (j, i)
            before[far].append(near)
            waits[near] += 1
    order: list[int] = []
    left = set(range(count))
    ready = sorted((i for i in left if not waits[i]), key=lambda i: distance[i])
    while left:
        if not ready:  # a ring of mutual overlaps: break it at the farthest
            ready = [max(left, key=lambda i: distance[i])]
        here = ready.pop()
        if here not in left:
            continue
        left.discard(here)
        order.append(here)
        for near in before[here]:
            waits[near] -= 1
            if waits[near] == 0 and near in left:
                ready.append(near)
        ready.sort(key=lambda i: distance[i])
    return order


def draw_solids(canvas: Canvas, solids: Sequence[Solid]) -> None:
    """Draw everything with its shading and note who owns each pixel."""
    corners_mm, normals = world_corners(solids)
    depths = canvas.camera.depth(corners_mm)
    dark = np.zeros((len(solids), 6, 4))
    if canvas.groove:
        dark = canvas.groove * grooves(corners_mm, normals)
    for index in far_to_near(corners_mm, normals, canvas.camera):
        if depths[index].min() < 5:
            continue  # at or behind the lens
        solid = solids[index]
        if isinstance(solid, Box):
            around = (corners_mm[index], normals[index], depths[index], dark[index])
            _draw_box(canvas, index, solid, *around)
        else:
            _draw_round(canvas, index, solid)


def coverage(
    polygon_px: FloatArray | NDArray[np.float32],
    origin_px: tuple[int, int],
    size_px: tuple[int, int],
) -> Image:
    """How much of each pixel a convex polygon covers.

    OpenCV's smoothed polygons are half a pixel too fat on every side, which is a tenth of a small
    tile; a finer mask averaged down is not.

    Args:
        polygon_px: (N, 2) corners; pixel i covers [i, i + 1).
        origin_px: (x, y) of the mask's first pixel.
        size_px: (width, height) of the mask.
    Returns:
        (height, width) uint8, 255 for all of the pixel.
    """
    width, height = size_px
    finer = 4 if width * height < 40_000 else 2
    mask = np.zeros((height * finer, width * finer), np.uint8)
    # A pixel's centre has whole coordinates for OpenCV; ours lie at the half.
    corners_px = np.clip((polygon_px - np.array(origin_px)) * finer - 0.5, -16000, 16000)
    # The outline itself is drawn too: half a fine pixel is taken back from every side.
    towards = corners_px.mean(0) - corners_px
    corners_px = corners_px + np.sign(towards) * np.minimum(np.abs(towards), 0.5)
    fixed = np.round(corners_px * (1 << SUBPIXEL)).astype(np.int32)
    cv2.fillConvexPoly(mask, fixed, 255, cv2.LINE_8, SUBPIXEL)
    return np.asarray(cv2.resize(mask, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def fill(
    canvas: Canvas, index: int, outline_px: FloatArray
) -> tuple[slice, slice, NDArray[np.float32], NDArray[np.float32]] | None:
    """Claim the pixels of a convex outline.

    Returns:
        rows, columns, the (2,) origin of that window in pixels, and (h, w, 1) cover 0..1; or None
        when the outline lies outside the picture.
    """
    hull = cv2.convexHull(outline_px.astype(np.float32))[:, 0]
    x0, y0 = np.floor(hull.min(0)).astype(int) - 1
    x1, y1 = np.ceil(hull.max(0)).astype(int) + 2
    height, width = canvas.owners.shape
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if x1 <= x0 or y1 <= y0:
        return None
    mask = coverage(hull, (int(x0), int(y0)), (int(x1 - x0), int(y1 - y0)))
    rows, columns = slice(y0, y1), slice(x0, x1)
    canvas.owners[rows, columns][mask > 127] = index
    cover = (mask.astype(np.float32) / np.float32(255))[..., None]
    return rows, columns, np.array([x0, y0], np.float32), cover


def blend(
    canvas: Canvas,
    rows: slice,
    columns: slice,
    patch: NDArray[np.float32] | Image,
    cover: NDArray[np.float32],
) -> None:
    window = canvas.image[rows, columns]
    window[:] = (window + (patch - window.astype(np.float32)) * cover + 0.5).astype(np.uint8)


def _draw_box(
    canvas: Canvas,
    index: int,
    box: Box,
    corners_mm: FloatArray,
    normals: FloatArray,
    depths: FloatArray,
    dark: FloatArray,
) -> None:
    camera = canvas.camera
    radius = min(box.radius_mm, float(box.half_mm.min()) * 0.9)
    inner = shape.corners(
        (box.half_mm - radius)[None], box.pose.centre_mm[None], box.pose.rotation[None]
    )[0]
    outline = shape.outline(camera.project(inner), radius * camera.focal_px / depths)
    claimed = fill(canvas, index, outline)
    if claimed is None:
        return
    rows, columns, origin, cover = claimed
    pixels = camera.project(corners_mm)
    anchors = corners_mm[shape.FACE_CORNERS[:, 0]]
    facing = np.einsum("fi,fi->f", camera.position_mm - anchors, normals)
    seen = [face for face in range(6) if facing[face] > 0]
    seen.sort(key=lambda face: float(facing[face]))  # the most frontal last, over the seams
    size = (cover.shape[1], cover.shape[0])
    patch = np.zeros((*cover.shape[:2], 3), np.float32)
    for place, face in enumerate(seen):
        quad = pixels[shape.FACE_CORNERS[face]]
        long_px = float(np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).max())
        texture = _shaded_face(canvas, box, face, long_px, corners_mm, normals[face], dark[face])
        th, tw = texture.shape[:2]
        # The texture carries a border of one pixel, so that neighbouring sides leave no seam.
        source = np.array([[1, 1], [tw - 1, 1], [tw - 1, th - 1], [1, th - 1]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32) - origin - 0.5)
        side = cv2.warpPerspective(texture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        if place == 0:
            patch[:] = side
            continue
        edge = coverage(quad, (columns.start, rows.start), size)[..., None] / np.float32(255)
        patch += (side - patch) * edge
    blend(canvas, rows, columns, patch, cover)


def _shaded_face(
    canvas: Canvas,
    box: Box,
    face: int,
    long_px: float,
    corners_mm: FloatArray,
    normal: FloatArray,
    dark: FloatArray,
) -> Image:
    """A face as lit where it stands, its (4,) edges as dark as said, cached for boxes that stand alike."""
    side = next((s for s in TEXTURE_SIDES if s >= long_px), TEXTURE_SIDES[-1])
    w, h, d = box.half_mm * 2
    wide, tall = {0: (w, h), 1: (w, h), 2: (d, h), 3: (d, h)}.get(face, (d, w))
    scale = side / max(wide, tall)
    size = (max(round(wide * scale), 4), max(round(tall * scale), 4))
    heights = corners_mm[shape.FACE_CORNERS[face], 2]
    stand = (np.round(box.pose.rotation.ravel() * 8).tobytes(), np.round(heights / 5).tobytes())
    make = (round(box.brightness, 2), round(box.radius_mm, 1), np.round(dark, 2).tobytes())
    key = (box.paint.key, face, size, stand, *make)
    found = canvas._shaded.get(key)
    if found is not None:
        return found
    albedo_key = (box.paint.key, face if face < 2 else 2, size)
    albedo = canvas._albedo.get(albedo_key)
    if albedo is None:
        albedo = canvas._albedo[albedo_key] = box.paint.paint(face, size)
    corner_axes = corners_mm[shape.FACE_CORNERS[face]]
    along = corner_axes[1] - corner_axes[0]
    down = corner_axes[3] - corner_axes[0]
    along, down = along / np.linalg.norm(along), down / np.linalg.norm(down)
    tilted = np.stack([normal, normal - along, normal + along, normal - down, normal + down])
    tilted /= np.linalg.norm(tilted, axis=1, keepdims=True)
    bright = canvas.light.on(tilted)
    edge_key = (size, round(box.radius_mm, 1), wide, tall)
    masks = canvas._edges.get(edge_key)
    if masks is None:
        masks = canvas._edges[edge_key] = _edge_masks(size, box.radius_mm * size[0] / wide)
    flat = 1 - masks.sum(0)
    # A convex edge mirrors the lamp where it turns towards it and gathers dirt where it does not.
    lift = np.where(bright[1:] > bright[0], 1 + box.gloss * 0.35, 1 - box.edge_shade)
    shade = flat * bright[0] + np.tensordot(bright[1:] * lift, masks, 1)
    shade = shade * (1 - np.tensordot(dark, masks, 1))
    if abs(normal[2]) < 0.8:  # light is lost between a thing and the table
        sunk = (1 - 0.24 * np.exp(-np.maximum(heights, 0) / 7)).astype(np.float32)
        shade = shade * cv2.resize(
            sunk[[0, 1, 3, 2]].reshape(2, 2), size, interpolation=cv2.INTER_LINEAR
        )
    tint = (canvas.light.tint * box.brightness).astype(np.float32)
    lit = albedo.astype(np.float32) * shade.astype(np.float32)[..., None] * tint
    padded = cv2.copyMakeBorder(
        np.clip(lit, 0, 255).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_REPLICATE
    )
    canvas._shaded[key] = padded
    return padded


def _edge_masks(size: tuple[int, int], radius_px: float) -> NDArray[np.float32]:
    """(4, h, w) how far each pixel has turned towards the left, right, upper and lower edge."""
    width, height = size
    reach = max(radius_px, 0.8)
    x = np.arange(width, dtype=np.float32) + 0.5
    y = np.arange(height, dtype=np.float32) + 0.5
    left = np.clip(1 - x / reach, 0, 1) ** 2
    up = np.clip(1 - y / reach, 0, 1) ** 2
    shape_ = (height, width)
    masks = np.stack(
        [
            np.broadcast_to(left, shape_),
            np.broadcast_to(left[::-1], shape_),
            np.broadcast_to(up[:, None], shape_),
            np.broadcast_to(up[::-1][:, None], shape_),
        ]
    )
    return masks / np.maximum(masks.sum(0), 1)


def _draw_round(canvas: Canvas, index: int, thing: Round) -> None:
    camera = canvas.camera
    angles = np.linspace(0, 2 * np.pi, 28, False)
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(28)], 1) * thing.radius_mm
    foot = camera.project(thing.centre_mm + circle)
    top = camera.project(thing.centre_mm + [0, 0, thing.height_mm] + circle)
    claimed = fill(canvas, index, np.concatenate([foot, top]))
    if claimed is None:
        return
    rows, columns, origin, cover = claimed
    side = np.zeros((*cover.shape[:2], 3), np.uint8)
    tint = canvas.light.tint
    low = 0.0
    for share, colour in thing.bands:
        a, b = foot + (top - foot) * low, foot + (top - foot) * share
        hull = cv2.convexHull(np.concatenate([a, b]).astype(np.float32) - origin)
        cv2.fillConvexPoly(side, np.round(hull).astype(np.int32), [float(c) for c in colour])
        low = share
    span = np.linspace(-1, 1, side.shape[1])
    roundness = 0.55 + 0.45 * np.sqrt(np.maximum(1 - (span - 0.3) ** 2 / 1.7, 0))
    patch = (side * roundness[None, :, None]).astype(np.uint8)
    middle = top.mean(0)
    for share, colour in thing.rings:
        ring = middle + (top - middle) * share - origin - 0.5
        fixed = np.round(ring * (1 << SUBPIXEL)).astype(np.int32)
        cv2.fillConvexPoly(patch, fixed, [float(c) for c in colour], cv2.LINE_AA, SUBPIXEL)
    blend(canvas, rows, columns, np.clip(patch * tint, 0, 255).astype(np.uint8), cover)

"""A scene's description and the one function that turns it into pixels and truth.

The same description always gives the same pixels; everything random was drawn when it was made, except
grain whose seed the description carries. The pools for training and the game simulator both end here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import body as shape
from vision.render.camera import Camera
from vision.render.light import Light, cast_shadows, glare, uneven
from vision.render.solids import (
    NOBODY,
    Box,
    Canvas,
    Solid,
    coverage,
    draw_solids,
    world_corners,
)

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

GRAZING_COS = 0.17
"""A face seen at less than 10 degrees shows nothing: it gets no entry."""

SLANTED_COS = 0.30
"""Below this (17 degrees) a face can just be guessed: it counts as half seen at most."""

EDGE_ON = 0.55
"""A standing tile whose face shows less than this part of its top edge's area counts as seen edge-on."""


@dataclass(frozen=True)
class Table:
    """The surface: a texture on a rectangle at z = 0, and what lies beyond it.

    Attributes:
        texture: (h, w, 3), repeated by reflection.
        mm_per_px: size of a texture pixel.
        turn_deg: of the texture about the origin.
        rect_mm: x0, y0, x1, y1 of the table top.
        rim: width in mm and colour of a raised frame around it, or None.
        backdrop: (h, w, 3) any size, what is seen past the table.
    """

    texture: Image
    mm_per_px: float
    turn_deg: float
    rect_mm: tuple[float, float, float, float]
    rim: tuple[float, tuple[float, float, float]] | None
    backdrop: Image


@dataclass(frozen=True)
class Flat:
    """Something printed or lying flat on the table: a card, a sheet, a mat, a line.

    Attributes:
        texture: (h, w, 3).
        corners_mm: (4, 3) where the texture's corners lie, clockwise from its top left.
        cover: (h, w) uint8 mask, or None for all of it.
    """

    texture: Image
    corners_mm: FloatArray
    cover: Image | None = None


@dataclass(frozen=True)
class Overlay:
    """Something between the camera and the table, drawn last: a hand, an arm, a blurred edge.

    Attributes:
        colour: (h, w, 3) and cover: (h, w) uint8, in picture pixels at ``origin_px`` (x, y).
    """

    colour: Image
    cover: Image
    origin_px: tuple[int, int]


@dataclass(frozen=True)
class Scene:
    """Everything that is in the picture, before the camera's own faults.

    Attributes:
        underlays, overlays: drawn before and after the solids.
        unevenness: strength of the light's fall-off over the picture.
        glare: strength of a lamp's reflection.
        groove: how dark the line between things that touch is, 0..1.
        seed: of the light field and the reflection.
    """

    camera: Camera
    light: Light
    table: Table
    solids: tuple[Solid, ...]
    flats: tuple[Flat, ...] = ()
    underlays: tuple[Overlay, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    unevenness: float = 0.2
    glare: float = 0.0
    groove: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class SeenFace:
    """The truth about one tile's face or back.

    Attributes:
        quad_px: (4, 2) clockwise from the face's own top left corner.
        code: MPSZ, ``back``, or ``?`` for a face outside the notation.
        up: a face, not a back.
        standing: the tile stands on an edge.
        visible: share of the face inside the picture and not covered, 0..1.
        set_name: the artwork's set.
        solid: index of the tile in the scene.
    """

    quad_px: FloatArray
    code: str
    up: bool
    standing: bool
    visible: float
    set_name: str
    solid: int

    @property
    def short_px(self) -> float:
        """Mean length of the two shorter opposite sides."""
        sides = np.linalg.norm(np.roll(self.quad_px, -1, 0) - self.quad_px, axis=1)
        return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


@dataclass
class Rendered:
    """Pixels, (H, W, 3) uint8, and what is true of them."""

    image: Image
    faces: list[SeenFace] = field(default_factory=list)


def render(scene: Scene) -> Rendered:
    """Draw a scene. Pure: equal scenes give equal pixels."""
    rng = np.random.default_rng(scene.seed)
    camera = scene.camera
    image = _ground(scene)
    for flat in scene.flats:
        _lay(image, camera, flat)
    if not np.allclose(scene.light.tint, 1):
        image = np.clip(image * scene.light.tint.astype(np.float32), 0, 255).astype(np.uint8)
    corners_mm, normals = world_corners(scene.solids)
    if len(corners_mm):
        cast_shadows(image, camera, scene.light, corners_mm, corners_mm[..., 2].min(1))
    owners = np.full((camera.height, camera.width), NOBODY, np.int16)
    for underlay in scene.underlays:
        _cover(image, owners, underlay)
    canvas = Canvas(image, owners, camera, scene.light, scene.groove)
    draw_solids(canvas, scene.solids)
    if scene.glare:
        shine = [
            solid.gloss * float(abs(normals[i][:, 2]).max() > 0.9)
            if isinstance(solid, Box)
            else 0.1
            for i, solid in enumerate(scene.solids)
        ]
        glare(image, owners, np.array([*shine, 0.12], np.float32), rng, scene.glare)
    for overlay in scene.overlays:
        _cover(image, owners, overlay)
    if scene.unevenness:
        layers = uneven(rng, (camera.width, camera.height), scene.unevenness)
        full = cv2.resize(
            layers.astype(np.float32), (camera.width, camera.height), interpolation=cv2.INTER_CUBIC
        )
        cv2.multiply(image, full, image, dtype=cv2.CV_8U)
    return Rendered(image, seen_faces(scene.solids, corners_mm, normals, camera, owners))


def seen_faces(
    solids: Sequence[Solid],
    corners_mm: FloatArray,
    normals: FloatArray,
    camera: Camera,
    owners: NDArray[np.int16],
) -> list[SeenFace]:
    """The tile faces and backs that a reader could be asked about, in the order of the solids."""
    found: list[SeenFace] = []
    if not len(corners_mm):
        return found
    pixels = camera.project(corners_mm)
    depths = camera.depth(corners_mm)
    for index, solid in enumerate(solids):
        if not isinstance(solid, Box) or solid.tile is None or depths[index].min() < 5:
            continue
        towards = camera.position_mm - corners_mm[index].mean(0)
        towards /= np.linalg.norm(towards)
        cosines = normals[index] @ towards
        face = shape.FRONT if cosines[shape.FRONT] > 0 else shape.BACK
        if cosines[face] < GRAZING_COS:
            continue
        w, h, d = solid.half_mm * 2
        standing = bool(abs(normals[index][face][2]) < 0.5)
        areas = np.maximum(cosines, 0) * [w * h, w * h, h * d, h * d, w * d, w * d]
        if standing and areas[face] < EDGE_ON * areas[2:].max():
            continue
        quad = pixels[index][shape.FACE_CORNERS[face]]
        visible = visible_share(quad, owners, index)
        if cosines[face] < SLANTED_COS:
            visible = min(visible, 0.5)
        if visible <= 0.02:
            continue
        up = face == shape.FRONT
        found.append(
            SeenFace(
                quad,
                solid.tile.code if up else "back",
                up,
                standing,
                visible,
                solid.tile.set_name,
                index,
            )
        )
    return found


def visible_share(quad_px: FloatArray, owners: NDArray[np.int16], index: int) -> float:
    """The part of a quad whose pixels belong to solid ``index``; what lies off the picture does not."""
    low = np.floor(quad_px.min(0)).astype(int)
    size = np.ceil(quad_px.max(0)).astype(int) - low + 1
    if size.max() > 8 * max(owners.shape):
        return 0.0
    mask = coverage(quad_px, (int(low[0]), int(low[1])), (int(size[0]), int(size[1]))) > 127
    whole = int(mask.sum())
    if not whole:
        return 0.0
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(low + size, owners.shape[::-1])
    if x1 <= x0 or y1 <= y0:
        return 0.0
    inside = mask[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
    return float((inside & (owners[y0:y1, x0:x1] == index)).sum()) / whole


def _ground(scene: Scene) -> Image:
    """The backdrop with the table on it."""
    camera, table = scene.camera, scene.table
    size = (camera.width, camera.height)
    x0, y0, x1, y1 = table.rect_mm
    top = camera.visible_polygon(np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0.0]]))
    mask = np.zeros((camera.height, camera.width), np.uint8)
    if len(top) >= 3:
        cv2.fillConvexPoly(mask, _fixed(top), 255, cv2.LINE_AA, 4)
    if mask.min() == 255:
        image = np.empty((camera.height, camera.width, 3), np.uint8)
    else:
        image = np.asarray(
            cv2.resize(table.backdrop, size, interpolation=cv2.INTER_LINEAR), np.uint8
        )
        if table.rim is not None:
            width, colour = table.rim
            rim = camera.visible_polygon(
                np.array(
                    [
                        [x0 - width, y0 - width, 0],
                        [x1 + width, y0 - width, 0],
                        [x1 + width, y1 + width, 0],
                        [x0 - width, y1 + width, 0.0],
                    ]
                )
            )
            if len(rim) >= 3:
                cv2.fillConvexPoly(image, _fixed(rim), [float(c) for c in colour], cv2.LINE_AA, 4)
    if not mask.any():
        return image
    th, tw = table.texture.shape[:2]
    scale, turn = table.mm_per_px, np.radians(table.turn_deg)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    to_table = np.array(
        [[c, -s, -c * tw / 2 + s * th / 2], [s, c, -s * tw / 2 - c * th / 2], [0, 0, 1.0]]
    )
    surface = cv2.warpPerspective(
        table.texture,
        camera.plane_homography() @ to_table,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    if mask.min() == 255:
        return np.asarray(surface, np.uint8)
    cover = mask[..., None].astype(np.float32) / 255
    return np.asarray(image + (surface - image.astype(np.float32)) * cover, np.uint8)


def _fixed(polygon_px: FloatArray) -> NDArray[np.int32]:
    """Polygon corners for OpenCV with four fraction bits, kept inside its number range."""
    return np.round(np.clip(polygon_px, -30000, 30000) * 16).astype(np.int32)


def _lay(image: Image, camera: Camera, flat: Flat) -> None:
    if camera.depth(flat.corners_mm).min() < 5:
        return
    quad = camera.project(flat.corners_mm)
    low = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, [camera.width, camera.height])
    if (high <= low).any():
        return
    h, w = flat.texture.shape[:2]
    longest = float(np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).max())
    texture, cover = flat.texture, flat.cover
    if max(h, w) > 1.5 * longest:  # shrink first: a warp alone would alias
        factor = max(longest, 4) / max(h, w)
        size = (max(round(w * factor), 2), max(round(h * factor), 2))
        texture = np.asarray(cv2.resize(texture, size, interpolation=cv2.INTER_AREA), np.uint8)
        if cover is not None:
            cover = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.uint8)
        h, w = texture.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - low - 0.5).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    patch = cv2.warpPerspective(texture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, _fixed(quad - low - 0.5), 255, cv2.LINE_AA, 4)
    if cover is not None:
        mask = np.minimum(mask, cv2.warpPerspective(cover, matrix, size))
    window = image[low[1] : high[1], low[0] : high[0]]
    share = mask[..., None].astype(np.float32) / 255
    window[:] = (window + (patch - window.astype(np.float32)) * share).astype(np.uint8)


def _cover(image: Image, owners: NDArray[np.int16], overlay: Overlay) -> None:
    x, y = overlay.origin_px
    h, w = overlay.cover.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, image.shape[1]), min(y + h, image.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))
    window = image[y0:y1, x0:x1]
    share = overlay.cover[part][..., None].astype(np.float32) / 255
    window[:] = (window + (overlay.colour[part] - window.astype(np.float32)) * share).astype(
        np.uint8
    )
    owners[y0:y1, x0:x1][overlay.cover[part] > 127] = -2

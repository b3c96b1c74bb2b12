"""Chance: a random scene of a given kind, with a set, a body, a table, clutter, light and a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.render import clutter, hands, prints, surfaces
from vision.render.art import FaceLibrary, load_art
from vision.render.body import FACE_UP, TileBody, resting
from vision.render.camera import Camera
from vision.render.chances import Chances, random_body, random_light
from vision.render.crowds import pattern, random_crowd
from vision.render.faces import Design, random_design
from vision.render.grounds import plain_table, random_table
from vision.render.layouts import LAYOUTS
from vision.render.light import Light
from vision.render.paint import PrintedPaint, TilePaint
from vision.render.placing import Arrangement, random_stock
from vision.render.scene import Flat, Overlay, Scene
from vision.render.solids import Box, Round, Solid, TileMark
from vision.render.viewpoint import random_camera

Image = NDArray[np.uint8]
FloatArray = NDArray[np.float64]


class Composer:
    """Makes random scenes from artwork and tile-free photographs.

    Args:
        library: artwork that may be used.
        photos: tile-free photographs that may be used; may be empty.
        chances: how often things happen.
    """

    def __init__(
        self, library: FaceLibrary, photos: Sequence[Path] = (), chances: Chances | None = None
    ) -> None:
        self._library = library
        self._photos = tuple(photos)
        self._chances = chances or Chances()

    def compose(
        self, kind: str, rng: np.random.Generator, tile_px: tuple[float, float] | None = None
    ) -> Scene:
        """A random scene of a kind (a key of ``LAYOUTS``).

        Args:
            tile_px: bounds of the tiles' short side; by default whatever the kind brings.
        """
        chances = self._chances
        light_ink = bool(rng.random() < chances.dark_set)
        design = random_design(self._library, rng, light_ink)
        body = random_body(rng, design.light_ink)
        arrangement = LAYOUTS[kind](rng, body.size_mm, random_stock(rng))
        if arrangement.drawing:
            body = replace(body, edge_shade=0.05, gloss=0.0)
        sizes = chances.sizes_px
        if kind in ("standing", "rows") and rng.random() < chances.strip:
            sizes = chances.strips_px
        size_px = sizes[int(rng.integers(len(sizes)))]
        bounds = tile_px or (chances.smallest_px, chances.largest_px)
        camera = random_camera(rng, arrangement, body.size_mm, size_px, bounds, chances.close)
        solids = self._tiles(rng, arrangement, body, design) + _furniture(rng, arrangement)
        flats: list[Flat] = []
        crowded = kind in ("none", "few")
        if crowded or rng.random() < chances.clutter:
            count = int(rng.integers(0, 10)) if crowded else int(rng.integers(1, 5))
            self._scatter_clutter(rng, camera, count, solids, flats)
        if crowded and rng.random() < chances.crowd:
            self._add_crowd(rng, camera, solids, flats)
        if not crowded and rng.random() < chances.pattern:
            at = camera.on_table(rng.uniform(0.2, 0.8, 2) * size_px)
            flats += [] if at is None else [pattern(rng, (float(at[0]), float(at[1])))]
        if rng.random() < chances.printed:
            flats += self._printed_signs(rng, camera)
        if arrangement.drawing:
            return Scene(
                camera=camera,
                light=Light((), np.ones(3), 0.0),
                table=plain_table(rng),
                solids=tuple(solids),
                flats=tuple(flats),
                unevenness=0.0,
            )
        underlays, overlays = self._people(rng, arrangement, camera, body)
        alike = rng.random() < chances.alike
        return Scene(
            camera=camera,
            light=random_light(rng),
            table=random_table(
                rng,
                arrangement,
                camera,
                self._photos,
                chances.photo_ground * (3.0 if crowded else 1.0),
                body.back_bgr if alike else None,
            ),
            solids=tuple(solids),
            flats=tuple(flats),
            underlays=tuple(underlays),
            overlays=tuple(overlays),
            unevenness=float(rng.uniform(0.0, 0.45)),
            glare=float(rng.uniform(0.15, 0.9)) if rng.random() < chances.glare else 0.0,
            seed=int(rng.integers(2**31)),
            # Drawn aside: a scene's other chances are the same without it.
            groove=float(rng.spawn(1)[0].uniform(*chances.groove)),
        )

    def _people(
        self, rng: np.random.Generator, arrangement: Arrangement, camera: Camera, body: TileBody
    ) -> tuple[list[Overlay], list[Overlay]]:
        """Hands behind and before the tiles, and a caption over it all."""
        size_px = (camera.width, camera.height)
        underlays: list[Overlay] = []
        overlays: list[Overlay] = []

        def palm_px(depth_mm: float) -> float:
            return float(np.clip(camera.focal_px * rng.uniform(62, 92) / depth_mm, 20, 900))

        if arrangement.held:
            pose = arrangement.tiles[0][1]
            local = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0.0]]) * body.half_mm
            quad = camera.project(pose.centre_mm + local @ pose.rotation.T)
            depth = float(camera.depth(pose.centre_mm))
            behind, before = hands.holding(rng, size_px, quad, palm_px(depth))
            underlays.append(behind)
            if rng.random() < 0.75:
                overlays.append(before)
        elif rng.random() < self._chances.hands:
            ends = arrangement.row_ends_mm
            for _ in range(int(rng.choice([1, 1, 2]))):
                at = rng.uniform(0.1, 0.95, 2) * size_px
                if ends is not None and rng.random() < 0.5:  # as one holds a row together
                    at = camera.project(np.array(ends[int(rng.random() < 0.7)]))
                depth = float(np.linalg.norm(camera.position_mm))
                overlays.append(
                    hands.random_hand(rng, size_px, (float(at[0]), float(at[1])), palm_px(depth))
                )
        if rng.random() < self._chances.caption:
            overlays.append(clutter.caption(rng, size_px))
        return underlays, overlays

    def _printed_signs(self, rng: np.random.Generator, camera: Camera) -> list[Flat]:
        """The same artwork that tiles carry, printed large or small on the cloth."""
        signs = []
        names = self._library.sets
        tone = surfaces.random_colour(rng, (0, 360), (0, 0.9), (0.05, 1.0))
        side_mm = float(np.exp(rng.uniform(np.log(20), np.log(160))))
        for _ in range(int(rng.integers(1, 7))):
            files = self._library.drawings(
                names[int(rng.integers(len(names)))],
                f"{int(rng.integers(1, 8))}{'zm'[int(rng.integers(2))]}",
            )
            at = camera.on_table(rng.uniform(0, 1, 2) * [camera.width, camera.height])
            if not files or at is None:
                continue
            art = load_art(files[0], 160)
            ink = np.empty((*art.shape[:2], 3), np.uint8)
            ink[:] = np.clip(tone, 0, 255).astype(np.uint8)
            lying = clutter.flat(
                ink,
                (float(at[0]), float(at[1])),
                (side_mm * 0.75, side_mm),
                float(rng.choice([0, 90, 180, 270])),
            )
            signs.append(Flat(ink, lying.corners_mm, np.ascontiguousarray(art[..., 3])))
        return signs

    def _tiles(
        self, rng: np.random.Generator, arrangement: Arrangement, body: TileBody, design: Design
    ) -> list[Solid]:
        sets = [(body, design)]
        if rng.random() < self._chances.two_sets and not design.light_ink:
            other = random_body(rng, False)
            other = replace(other, size_mm=body.size_mm)
            sets.append((other, random_design(self._library, rng, False)))
        solids: list[Solid] = []
        wear = float(rng.choice([0.0, 0.015, 0.04]))
        second = rng.random(len(arrangement.tiles)) < 0.5
        for i, (code, pose) in enumerate(arrangement.tiles):
            made, inked = sets[int(second[i]) % len(sets)]
            if code == "?" and "?" not in inked.files:
                code = "5z"
            solids.append(
                Box(
                    made.half_mm,
                    pose,
                    made.radius_mm,
                    TilePaint(made, inked, code),
                    made.gloss,
                    made.edge_shade,
                    round(float(1 + rng.normal(0, wear)), 2),
                    TileMark(code, inked.name),
                )
            )
        return solids

    def _scatter_clutter(
        self,
        rng: np.random.Generator,
        camera: Camera,
        count: int,
        solids: list[Solid],
        flats: list[Flat],
    ) -> None:
        """Things on the table where they do not cut into tiles, mostly within view."""
        for _ in range(count):
            pixels = rng.uniform(-0.05, 1.05, (10, 2)) * [camera.width, camera.height]
            at = next((p for p in map(camera.on_table, pixels) if p is not None), None)
            if at is None:
                return  # the camera looks past the table
            spot = (float(at[0]), float(at[1]))
            if rng.random() < 0.45:
                flats.append(clutter.random_flat(rng, spot))
            else:
                _put(clutter.random_solid(rng, spot), solids)

    def _add_crowd(
        self, rng: np.random.Generator, camera: Camera, solids: list[Solid], flats: list[Flat]
    ) -> None:
        """Many like things about a point in view."""
        at = camera.on_table(rng.uniform(0.2, 0.8, 2) * [camera.width, camera.height])
        if at is None:
            return
        things, patterns = random_crowd(rng, (float(at[0]), float(at[1])))
        flats += patterns
        _put(things, solids)


def _put(things: Sequence[Solid], solids: list[Solid]) -> None:
    """Add those things that do not cut into what is there."""
    taken = [(solid.pose.centre_mm[:2], _reach_mm(solid)) for solid in solids]
    for thing in things:
        middle, reach = thing.pose.centre_mm[:2], _reach_mm(thing)
        if all(np.linalg.norm(middle - other) > reach + size for other, size in taken):
            solids.append(thing)
            taken.append((middle, reach))


def _reach_mm(solid: Solid) -> float:
    """Distance from a thing's middle that it stays within on the table."""
    if isinstance(solid, Round):
        return solid.radius_mm
    return float(np.linalg.norm(solid.half_mm[:2]))


def _furniture(rng: np.random.Generator, arrangement: Arrangement) -> list[Solid]:
    """Racks and an automatic table's centre."""
    solids: list[Solid] = []
    for bar in arrangement.bars:
        front = prints.rack_front(rng, (512, 64))
        b, g, r = (float(c) for c in front.mean((0, 1)))
        pose = resting(bar.size_mm, *bar.centre_mm, FACE_UP, bar.turn_deg)
        paint = PrintedPaint(front, (b, g, r))
        solids.append(Box(np.array(bar.size_mm) / 2, pose, 1.0, paint, 0.4, 0.2))
    if arrangement.console_mm is not None:
        x, y, side = arrangement.console_mm
        size = (side, side, float(rng.uniform(3, 24)))
        paint = PrintedPaint(prints.console(rng, (300, 300)), (50, 50, 50))
        solids.append(Box(np.array(size) / 2, resting(size, x, y), 3.0, paint, 0.5, 0.2))
    return solids

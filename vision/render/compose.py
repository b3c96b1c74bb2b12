"""Chance: a random scene of a given kind, with a set, a body, a table, clutter, light and a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import clutter, hands, prints, surfaces
from vision.render.art import FaceLibrary, load_art
from vision.render.body import FACE_UP, TileBody, resting
from vision.render.camera import Camera
from vision.render.chances import Chances, random_body, random_light
from vision.render.faces import Design, random_design
from vision.render.layouts import LAYOUTS
from vision.render.light import Light
from vision.render.paint import PrintedPaint, TilePaint
from vision.render.placing import Arrangement, Stock
from vision.render.scene import Flat, Overlay, Scene, Table
from vision.render.solids import Box, Round, Solid, TileMark

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
        stock = Stock(
            rng,
            bool(rng.random() < 0.6),
            int(rng.choice([0, 0, 3, 4])),
            2 if rng.random() < 0.12 else 0,
        )
        arrangement = LAYOUTS[kind](rng, body.size_mm, stock)
        if arrangement.drawing:
            body = replace(body, edge_shade=0.05, gloss=0.0)
        sizes = chances.sizes_px
        if kind in ("standing", "rows") and rng.random() < chances.strip:
            sizes = chances.strips_px
        size_px = sizes[int(rng.integers(len(sizes)))]
        camera = self._camera(rng, arrangement, body, size_px, tile_px)
        solids = self._tiles(rng, arrangement, body, design)
        flats: list[Flat] = []
        for bar in arrangement.bars:
            front = prints.rack_front(rng, (512, 64))
            tone = tuple(float(c) for c in front.mean((0, 1)))
            solids.append(
                Box(
                    np.array(bar.size_mm) / 2,
                    resting(bar.size_mm, *bar.centre_mm, FACE_UP, bar.turn_deg),
                    1.0,
                    PrintedPaint(front, (tone[0], tone[1], tone[2])),
                    0.4,
                    0.2,
                )
            )
        if arrangement.console_mm is not None:
            x, y, side = arrangement.console_mm
            paint = PrintedPaint(prints.console(rng, (300, 300)), (50, 50, 50))
            solids.append(
                Box(
                    np.array([side, side, float(rng.uniform(3, 24))]) / 2,
                    resting((side, side, 12.0), x, y),
                    3.0,
                    paint,
                    0.5,
                    0.2,
                )
            )
        crowded = kind in ("none", "few")
        if crowded or rng.random() < chances.clutter:
            count = int(rng.integers(0, 10)) if crowded else int(rng.integers(1, 5))
            self._scatter_clutter(rng, camera, count, solids, flats, crowded)
        if rng.random() < chances.printed:
            flats += self._printed_signs(rng, camera)
        underlays: list[Overlay] = []
        overlays: list[Overlay] = []
        if arrangement.held:
            pose = arrangement.tiles[0][1]
            local = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0.0]]) * body.half_mm
            quad = camera.project(pose.centre_mm + local @ pose.rotation.T)
            breadth = (
                camera.focal_px * float(rng.uniform(60, 90)) / float(camera.depth(pose.centre_mm))
            )
            behind, before = hands.holding(rng, size_px, quad, float(np.clip(breadth, 20, 900)))
            underlays.append(behind)
            if rng.random() < 0.75:
                overlays.append(before)
        if rng.random() < chances.hands:
            for _ in range(int(rng.choice([1, 1, 2]))):
                at = rng.uniform(0.1, 0.95, 2) * [camera.width, camera.height]
                if (
                    kind == "standing" and rng.random() < 0.5
                ):  # at an end of the row, as one holds it
                    row = [
                        pose.centre_mm
                        for _, pose in arrangement.tiles
                        if abs(pose.centre_mm[1]) < 3
                    ]
                    at = camera.project(row[-1 if rng.random() < 0.7 else 0])
                palm = (
                    camera.focal_px
                    * float(rng.uniform(65, 95))
                    / float(np.linalg.norm(camera.position_mm))
                )
                overlays.append(
                    hands.random_hand(
                        rng, size_px, (float(at[0]), float(at[1])), float(np.clip(palm, 20, 500))
                    )
                )
        if rng.random() < chances.caption:
            overlays.append(clutter.caption(rng, size_px))
        if arrangement.drawing:
            ground = surfaces.random_colour(rng, (0, 360), (0, 0.8), (0.3, 1.0))
            plain = np.empty((8, 8, 3), np.uint8)
            plain[:] = np.clip(ground, 0, 255).astype(np.uint8)
            everywhere = (-1e4, -1e4, 1e4, 1e4)
            return Scene(
                camera=camera,
                light=Light((), np.ones(3), 0.0),
                table=Table(plain, 1e3, 0.0, everywhere, None, plain),
                solids=tuple(solids),
                flats=tuple(flats),
                unevenness=0.0,
            )
        return Scene(
            camera=camera,
            light=random_light(rng),
            table=self._table(rng, arrangement, camera, kind, body),
            solids=tuple(solids),
            flats=tuple(flats),
            underlays=tuple(underlays),
            overlays=tuple(overlays),
            unevenness=float(rng.uniform(0.0, 0.45)),
            glare=float(rng.uniform(0.15, 0.9)) if rng.random() < chances.glare else 0.0,
            seed=int(rng.integers(2**31)),
        )

    def _printed_signs(self, rng: np.random.Generator, camera: Camera) -> list[Flat]:
        """The same artwork that tiles carry, printed large or small on the cloth."""
        signs = []
        names = self._library.sets
        tone = surfaces.random_colour(rng, (0, 360), (0, 0.9), (0.05, 1.0))
        inverse = np.linalg.inv(camera.plane_homography())
        side_mm = float(np.exp(rng.uniform(np.log(20), np.log(160))))
        for _ in range(int(rng.integers(1, 7))):
            files = self._library.drawings(
                names[int(rng.integers(len(names)))],
                f"{int(rng.integers(1, 8))}{'zm'[int(rng.integers(2))]}",
            )
            pixel = rng.uniform(0, 1, 2) * [camera.width, camera.height]
            x, y, w = inverse @ [*pixel, 1.0]
            if not files or w * inverse[2, 2] <= 0 or abs(x / w) + abs(y / w) > 5000:
                continue
            art = load_art(files[0], 160)
            ink = np.empty((*art.shape[:2], 3), np.uint8)
            ink[:] = np.clip(tone, 0, 255).astype(np.uint8)
            lying = clutter.flat(
                ink,
                (float(x / w), float(y / w)),
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
            other = TileBody(
                body.size_mm,
                other.radius_mm,
                other.face_bgr,
                other.back_bgr,
                other.back_share,
                other.seam,
                other.gloss,
                other.edge_shade,
            )
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

    def _camera(
        self,
        rng: np.random.Generator,
        arrangement: Arrangement,
        body: TileBody,
        size_px: tuple[int, int],
        tile_px: tuple[float, float] | None,
    ) -> Camera:
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
        margin = body.size_mm[1] / 2
        # A standing hand matters more than the wall behind it.
        if arrangement.table_mm is not None and arrangement.elevation_deg[1] < 60:
            near = centres[np.abs(centres[:, 1]) < body.size_mm[1] * 2.2]
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
        if arrangement.tiles and rng.random() < self._chances.close:
            distance *= float(rng.uniform(0.3, 0.75))
            target[:2] = centres[int(rng.integers(len(centres)))][:2]
        focal = view(target).focal_px
        bounds = tile_px or (self._chances.smallest_px, self._chances.largest_px)
        # A tilted view makes the far tiles smaller than those at the middle.
        distance = float(
            np.clip(
                distance,
                focal * body.size_mm[0] / bounds[1],
                focal * body.size_mm[0] / (bounds[0] * 1.1),
            )
        )
        distance = max(distance, 60 + body.size_mm[1])
        loose = max(1 - min(fill, 1.0), 0.08) * 0.5 * distance * np.array(size_px) / focal
        target[:2] += rng.uniform(-1, 1, 2) * loose * 0.8
        return view(target)

    def _table(
        self,
        rng: np.random.Generator,
        arrangement: Arrangement,
        camera: Camera,
        kind: str,
        body: TileBody,
    ) -> Table:
        size_px = (camera.width, camera.height)
        photo = None
        wanted = self._chances.photo_ground * (3.0 if kind in ("none", "few") else 1.0)
        on_photo = bool(self._photos) and rng.random() < wanted
        if self._photos and (on_photo or rng.random() < 0.6):
            photo = self._photo(rng, size_px)
        backdrop = photo if photo is not None else surfaces.random_backdrop(rng, size_px)
        if on_photo and photo is not None:
            nowhere = (1e6, 1e6, 1e6 + 1, 1e6 + 1)
            if kind in ("none", "few") or rng.random() < 0.6:
                return Table(photo, 1.0, 0.0, nowhere, None, backdrop)
            texture = photo  # the photograph lies on the table as its surface
        elif rng.random() < self._chances.alike:
            tone = np.array(body.back_bgr, np.float32) * rng.uniform(0.75, 1.15)
            texture = surfaces.cloth(rng, tone)
        else:
            texture = surfaces.random_surface(rng)
        px_per_mm = camera.focal_px / float(np.linalg.norm(camera.position_mm))
        mm_per_px = float(rng.uniform(0.7, 2.2)) / px_per_mm
        half = arrangement.table_mm or float(rng.choice([260, 500, 2500]))
        extent = np.array([np.abs(p.centre_mm[:2]).max() for _, p in arrangement.tiles] or [200.0])
        half = max(half, float(extent.max()) + 30)
        rim = None
        if rng.random() < 0.6:
            tone = surfaces.random_colour(rng, (0, 360), (0, 0.8), (0.05, 0.8))
            rim = (float(rng.uniform(15, 90)), (float(tone[0]), float(tone[1]), float(tone[2])))
        wide = half * float(rng.choice([1.0, 1.6]))
        return Table(
            texture,
            mm_per_px,
            float(rng.choice([0, 90, rng.uniform(0, 360)])),
            (-wide, -half, wide, half),
            rim,
            backdrop,
        )

    def _photo(self, rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
        image = cv2.imread(str(self._photos[int(rng.integers(len(self._photos)))]))
        if image is None:
            return surfaces.random_backdrop(rng, size_px)
        height, width = image.shape[:2]
        aspect = size_px[0] / size_px[1]
        share = float(rng.uniform(0.6, 1.0))
        w, h = width * share, width * share / aspect
        if h > height:
            w, h = height * share * aspect, height * share
        x, y = rng.uniform(0, max(width - w, 0)), rng.uniform(0, max(height - h, 0))
        part = image[int(y) : int(y + h), int(x) : int(x + w)]
        if rng.random() < 0.5:
            part = part[:, ::-1]  # no tile on it, so a mirror image is as good
        scale = size_px[0] / part.shape[1]
        return np.asarray(
            cv2.resize(
                part, size_px, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            ),
            np.uint8,
        )

    def _scatter_clutter(
        self,
        rng: np.random.Generator,
        camera: Camera,
        count: int,
        solids: list[Solid],
        flats: list[Flat],
        crowded: bool,
    ) -> None:
        """Things on the table where they do not cut into tiles, mostly within view."""
        inverse = np.linalg.inv(camera.plane_homography())
        taken = [(s.pose.centre_mm[:2], float(np.linalg.norm(s.half_mm[:2]))) for s in solids]
        for _ in range(count):
            for _ in range(10):
                pixel = rng.uniform(-0.05, 1.05, 2) * [camera.width, camera.height]
                x, y, w = inverse @ [*pixel, 1.0]
                at = np.array([x, y]) / w
                if w * inverse[2, 2] > 0 and np.linalg.norm(at - camera.position_mm[:2]) < 6000:
                    break
            else:
                continue
            spot = (float(at[0]), float(at[1]))
            if rng.random() < 0.45:
                flats.append(clutter.random_flat(rng, spot))
                continue
            for thing in clutter.random_solid(rng, spot):
                reach = (
                    thing.radius_mm
                    if isinstance(thing, Round)
                    else float(np.linalg.norm(thing.half_mm[:2]))
                )
                middle = thing.pose.centre_mm[:2]
                if all(np.linalg.norm(middle - other) > reach + size for other, size in taken):
                    solids.append(thing)
                    taken.append((middle, reach))

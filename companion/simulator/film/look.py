"""What the film's table looks like: the tile set, the cloth, the light, the players' arms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.rules.flow import Flow
from companion.simulator.film.props import Prop
from companion.simulator.film.stage import DOWN, Lie, TablePlan
from companion.simulator.luck import tile_set
from companion.text import GorrionError, T
from companion.tiles import Tile
from vision.render import hands, surfaces
from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.body import FACE_UP, Colour, TileBody, resting, turn_x
from vision.render.faces import Design, plain_design
from vision.render.light import Lamp, Light
from vision.render.paint import DicePaint, PlainPaint, TilePaint
from vision.render.scene import Overlay, Table
from vision.render.solids import Box, Round, Solid, TileMark

Image = NDArray[np.uint8]

_BACKS: Final[tuple[Colour, ...]] = (
    (70, 150, 40),
    (45, 140, 215),
    (165, 95, 35),
    (60, 110, 30),
    (150, 120, 60),
)
"""Backs that sets are sold with: greens, amber, blues; blue, green, red order."""

_CLOTHS: Final[tuple[Colour, ...]] = (
    (66, 88, 22),
    (96, 62, 26),
    (42, 36, 104),
    (70, 70, 72),
    (58, 92, 120),
)
"""Green, blue, wine red, grey felt and a pale wood; blue, green, red order."""

PALM_MM: Final = 84.0
ARM_MM: Final = 960.0


class TilesError(GorrionError):
    """Artwork that can't be used: the sentence names the folder and what is missing."""


@dataclass(frozen=True)
class Look:
    """The film's things.

    Attributes:
        body, design: the tile set.
        table: cloth, rim and floor.
        light: two lamps would double the shadows' cost; there is one, and the sky.
        arms: by seat, an arm sprite at one pixel per millimetre, fingertips at its top.
        unevenness: strength of the light's fall-off.
    """

    body: TileBody
    design: Design
    table: Table
    light: Light
    arms: tuple[Overlay, ...]
    unevenness: float


def faces_of(folder: Path | None, flow: Flow) -> Design:
    """The faces of a folder whose files are named by their codes (``5m.png``); None: our own.

    A white dragon without a file is blank, a red five without one is the five in red.

    Raises:
        TilesError: when there is no such folder, or faces are missing.
    """
    place = OWN_FACES if folder is None else folder
    if not place.is_dir() or not any(place.glob("*.png")):
        text = T(
            "there are no tile faces in %(folder)s: name a folder with files like 5m.png, or own",
            folder=str(place),
        )
        raise TilesError(text, code="no_tiles", field="tiles")
    library = FaceLibrary(place)
    design = plain_design(library, place.name)
    files, reds = dict(design.files), set[str]()
    for code in ("0m", "0p", "0s"):
        if code not in files and "5" + code[1] in files:
            files[code] = files["5" + code[1]]
            reds.add(code)
    missing = sorted({tile.code for tile in tile_set(flow)} - set(files) - {"5z"})
    if missing:
        text = T(
            "the tile faces in %(folder)s lack %(missing)s: add these files or choose other tiles",
            folder=str(place),
            missing=tuple(missing),
        )
        raise TilesError(text, code="missing_faces", field="tiles")
    return replace(design, files=files, reds_from_fives=frozenset(reds))


def look_of(design: Design, plan: TablePlan, seed: int, size_px: tuple[int, int]) -> Look:
    """A table by chance."""
    rng = np.random.default_rng([seed, 1])
    body = TileBody(
        size_mm=plan.tile_mm,
        radius_mm=2.3,
        face_bgr=(224.0 + float(rng.uniform(-6, 6)), 238.0, 243.0),
        back_bgr=_BACKS[int(rng.integers(len(_BACKS)))],
        back_share=float(rng.uniform(0.3, 0.42)),
        seam=0.12,
        gloss=0.5,
        edge_shade=0.18,
    )
    backs = np.array(body.back_bgr)
    # Backs that can't be told from the cloth are no set that anybody would put on it.
    apart = [tone for tone in _CLOTHS if np.abs(backs - np.array(tone)).sum() > 110]
    tone = np.array(apart[int(rng.integers(len(apart)))], np.float32)
    brightness = 1 + surfaces.clouds(rng, (surfaces.SIDE, surfaces.SIDE // 2)) * 0.045
    cloth = np.clip(tone * brightness[..., None], 0, 255).astype(np.uint8)
    half = plan.half_mm
    wood = surfaces.random_colour(rng, (14, 34), (0.3, 0.7), (0.2, 0.5))
    rim = (26.0, (float(wood[0]), float(wood[1]), float(wood[2])))
    floor = _floor(rng)
    angle = float(rng.uniform(0, 2 * np.pi))
    lamp = np.array([0.42 * np.cos(angle), 0.42 * np.sin(angle), 0.9])
    light = Light((Lamp(lamp / np.linalg.norm(lamp), 0.36, 5.0),), np.ones(3), 0.4)
    return Look(
        body,
        design,
        Table(cloth, 0.9, 0.0, (-half, -half, half, half), rim, floor),
        light,
        tuple(hands.reaching(rng, PALM_MM, ARM_MM) for _ in range(4)),
        0.18,
    )


def _floor(rng: np.random.Generator) -> Image:
    """What is seen past the table: a floor out of focus."""
    tone = surfaces.random_colour(rng, (10, 40), (0.05, 0.4), (0.15, 0.5))
    patches = 1 + surfaces.clouds(rng, (5, 11), 192) * 0.08
    return np.clip(tone * patches[..., None], 0, 255).astype(np.uint8)


def tile_box(look: Look, tile: Tile, lie: Lie) -> Box:
    """A tile as it lies; of one that lies face down only the back is ever painted."""
    body = look.body
    hidden = lie.pitch_deg >= DOWN - 1
    paint = TilePaint(body, look.design, "back" if hidden else tile.code)
    pose = resting(
        body.size_mm, lie.x_mm, lie.y_mm, turn_x(lie.pitch_deg), lie.turn_deg, lie.base_mm
    )
    mark = TileMark(tile.code, look.design.name)
    return Box(body.half_mm, pose, body.radius_mm, paint, body.gloss, body.edge_shade, tile=mark)


def prop_solid(prop: Prop) -> Solid:
    """A thing beside the tiles."""
    at = (prop.x_mm, prop.y_mm)
    if prop.kind == "cup":
        tea, glaze = (30.0, 95.0, 150.0), (150.0, 105.0, 55.0)
        inner = (235.0, 238.0, 240.0)
        rings = ((1.0, glaze), (0.93, inner), (0.84, tea))
        return Round(np.array([*at, 0.0]), 33.0, 62.0, rings, ((1.0, glaze),))
    if prop.kind == "stick":
        size = (78.0, 7.0, 3.0)
        bone = PlainPaint((232.0, 238.0, 240.0))
        pose = resting(size, *at, FACE_UP, prop.turn_deg)
        return Box(np.array(size) / 2, pose, 1.0, bone, 0.3, 0.15)
    size = (12.0, 12.0, 12.0)
    paint = DicePaint((245, 245, 240), (40, 40, 40), (40, 30, 200), prop.pips - 1)
    return Box(np.array(size) / 2, resting(size, *at, FACE_UP, prop.turn_deg), 1.8, paint, 0.5, 0.2)

"""A given hand laid on a table: the bundled sample picture, and hands with known tiles for tests.

It lies as a player lays it down: the hand in a row, the winning tile apart at its right, melds in a
second row with the claimed tile sideways, concealed kongs with their ends face down, bonus tiles at the
left of the melds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.render import clutter, surfaces
from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.body import FACE_DOWN, FACE_UP, TileBody
from vision.render.camera import Camera
from vision.render.faces import Design, plain_design
from vision.render.light import Lamp, Light
from vision.render.paint import TilePaint
from vision.render.placing import Arrangement, Care, Slot, centred, row
from vision.render.pool import truth_of
from vision.render.scene import Rendered, Scene, Table, render
from vision.render.solids import Box, Round, Solid, TileMark

Image = NDArray[np.uint8]

SAMPLE_BODY: Final = TileBody(
    size_mm=(27.0, 36.0, 20.0),
    radius_mm=2.4,
    face_bgr=(226, 240, 246),
    back_bgr=(45, 140, 215),
    back_share=0.36,
    seam=0.12,
    gloss=0.6,
    edge_shade=0.16,
)
"""Ivory over amber: stands out from the cloth and from the inks."""


@dataclass(frozen=True)
class LaidHand:
    """Tiles by group, MPSZ codes.

    Attributes:
        concealed: the row, without the winning tile.
        winning: laid apart, or None.
        melds: exposed sets; the first tile of each lies sideways.
        kongs: concealed kongs; their first and last tile lie face down.
        bonus: flowers and seasons.
    """

    concealed: tuple[str, ...]
    winning: str | None = None
    melds: tuple[tuple[str, ...], ...] = ()
    kongs: tuple[tuple[str, ...], ...] = ()
    bonus: tuple[str, ...] = ()


SAMPLE_HAND: Final = LaidHand(
    concealed=("1p", "2p", "3p", "1s", "2s", "3s", "2m", "3m", "7m", "7m"),
    winning="4m",
    melds=(("5m", "6m", "7m"),),
    bonus=("2f", "2g"),
)
"""``123p123s23477m [567m] 2f2g``, won with 4m: the worked example of the documents."""


def lay_hand(
    hand: LaidHand, size_mm: tuple[float, float, float], rng: np.random.Generator
) -> Arrangement:
    """Where the tiles of a hand lie, its middle at the origin, read from the bottom edge."""
    care = Care(slip_mm=0.35, turn_deg=0.5, gap_mm=0.15)
    width, height, _ = size_mm
    laid = Arrangement()
    tiles, end = row(rng, size_mm, [Slot(code) for code in hand.concealed], (0, 0), care)
    laid.tiles += tiles
    if hand.winning is not None:
        tiles, end = row(rng, size_mm, [Slot(hand.winning)], (end + 0.9 * width, 0), care)
        laid.tiles += tiles
    above = 1.55 * height
    tiles, left = row(rng, size_mm, [Slot(code) for code in hand.bonus], (0, above), care)
    laid.tiles += tiles
    sets = [
        [Slot(code, FACE_UP, 1 if place == 0 else 0) for place, code in enumerate(meld)]
        for meld in hand.melds
    ]
    sets += [
        [Slot(code, FACE_DOWN if place in (0, 3) else FACE_UP) for place, code in enumerate(kong)]
        for kong in hand.kongs
    ]
    breadth = sum(len(slots) * width for slots in sets) + len(hand.melds) * (height - width)
    x = max(left + width, end - breadth - 0.6 * width * max(len(sets) - 1, 0))
    for slots in sets:
        tiles, x = row(rng, size_mm, slots, (x, above), care)
        laid.tiles += tiles
        x += 0.6 * width
    return centred(laid)


def render_hand(
    hand: LaidHand,
    design: Design,
    seed: int,
    size_px: tuple[int, int] = (1600, 1000),
    body: TileBody = SAMPLE_BODY,
) -> Rendered:
    """A photograph of a hand on a cloth under a lamp, with dice and a cup at the edge, and its truth."""
    rng = np.random.default_rng(seed)
    laid = lay_hand(hand, body.size_mm, rng)
    centres = np.array([pose.centre_mm for _, pose in laid.tiles])
    reach = float(centres[:, 0].max()) + body.size_mm[1]
    solids: list[Solid] = [
        Box(
            body.half_mm,
            pose,
            body.radius_mm,
            TilePaint(body, design, code),
            body.gloss,
            body.edge_shade,
            tile=TileMark(code, design.name),
        )
        for code, pose in laid.tiles
    ]
    away = float(centres[:, 1].max()) + 2.4 * body.size_mm[1]
    ivory = (226.0, 238.0, 242.0)
    solids += [clutter.dice(rng, (x, away), ivory) for x in (-0.3 * reach, -0.12 * reach)]
    tea, glaze = (30.0, 95.0, 150.0), (150.0, 105.0, 55.0)
    solids.append(
        Round(
            np.array([0.8 * reach, away + 6, 0.0]),
            30.0,
            38.0,
            ((1.0, glaze), (0.93, (235.0, 238.0, 240.0)), (0.84, tea)),
            ((1.0, glaze),),
        )
    )
    fov = 42.0
    focal = 0.5 * max(size_px) / np.tan(np.radians(fov) / 2)
    distance = focal * 2 * reach / (0.9 * size_px[0])
    camera = Camera.look_at((0, 34, 0), float(distance), 56, 4, -1.2, fov, size_px)
    brightness = 1 + surfaces.clouds(rng, (surfaces.SIDE, surfaces.SIDE // 2)) * 0.05
    cloth = np.array([86, 98, 22], np.float32) * brightness[..., None]
    lamps = (
        Lamp(np.array([-0.5, -0.24, 0.83]), 0.36, 5.0),
        Lamp(np.array([0.45, 0.4, 0.8]), 0.12, 16.0),
    )
    scene = Scene(
        camera=camera,
        light=Light(lamps, np.ones(3), 0.4),
        table=Table(
            np.clip(cloth, 0, 255).astype(np.uint8),
            0.32,
            0.0,
            (-900, -900, 900, 900),
            None,
            np.zeros((8, 8, 3), np.uint8),
        ),
        solids=tuple(solids),
        unevenness=0.16,
        groove=0.7,
        seed=seed,
    )
    return render(scene)


def sample(seed: int = 5) -> tuple[Image, list[dict[str, object]]]:
    """The bundled sample picture, drawn with the project's own faces, and its truth as in a pool."""
    drawn = render_hand(SAMPLE_HAND, plain_design(FaceLibrary(OWN_FACES), OWN_FACES.name), seed)
    return drawn.image, truth_of(drawn.faces, [face.quad_px for face in drawn.faces])

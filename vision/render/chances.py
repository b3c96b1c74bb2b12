"""How often things happen in a random scene, and what a set and its light may be like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.render import surfaces
from vision.render.body import Colour, TileBody
from vision.render.light import Lamp, Light


@dataclass(frozen=True)
class Chances:
    """How often things happen in a scene, and within which bounds.

    Attributes:
        sizes_px: pictures, width and height; what phones, webcams and the public photos have.
        strips_px: wide cut-outs, as stills of streamed games are passed around.
        strip: standing hands and rows seen in such a cut-out.
        smallest_px, largest_px: tile's short side; below 12 a face holds no information.
        two_sets: scenes with a second set on the table, as on shop pictures.
        dark_set: scenes with black or deep coloured tiles and light ink.
        photo_ground: scenes whose table is a tile-free photograph.
        clutter: scenes with things beside the tiles.
        crowd: scenes with few tiles or none where many like things lie side by side.
        pattern: other scenes with a panel of like shapes under the tiles.
        hands: scenes with a hand or arm.
        letterbox: pictures set in black bars, as video stills are.
        glare: scenes with a visible reflection.
        groove: bounds of how dark the line between touching tiles is.
        close: scenes seen from so near that the frame cuts the layout.
        alike: scenes whose cloth has the colour of the tiles' backs.
        printed: scenes with characters and ornaments printed on the table: ink without a tile.
        caption: scenes with a box of text over a corner, as streamed games have.
    """

    sizes_px: tuple[tuple[int, int], ...] = (
        (640, 480),
        (640, 640),
        (800, 600),
        (960, 540),
        (960, 720),
        (1024, 768),
        (1280, 720),
        (720, 960),
        (720, 1280),
        (1280, 960),
    )
    strips_px: tuple[tuple[int, int], ...] = ((640, 210), (640, 300), (900, 340), (1100, 420))
    strip: float = 0.4
    smallest_px: float = 12.0
    largest_px: float = 300.0
    two_sets: float = 0.1
    dark_set: float = 0.06
    photo_ground: float = 0.2
    clutter: float = 0.6
    crowd: float = 0.6
    pattern: float = 0.08
    hands: float = 0.22
    letterbox: float = 0.12
    glare: float = 0.3
    groove: tuple[float, float] = (0.5, 0.95)
    close: float = 0.14
    alike: float = 0.07
    printed: float = 0.1
    caption: float = 0.05


KINDS: Final[tuple[str, ...]] = (
    "hand",
    "standing",
    "grid",
    "none",
    "rows",
    "table",
    "standing",
    "few",
    "columns",
    "melds",
    "walls",
    "pair",
    "none",
    "pool",
    "hand",
    "edge-on",
    "few",
    "table",
    "grid",
    "heap",
    "none",
    "rows",
    "few",
    "hand",
    "sheet",
    "standing",
    "held",
    "none",
    "close",
)
"""The round of scene kinds a pool goes through: a quarter holds no tile or only a few amid clutter."""

BACKS: Final[tuple[Colour, ...]] = (
    (60, 120, 20),
    (110, 140, 10),
    (190, 80, 20),
    (150, 40, 10),
    (20, 130, 240),
    (30, 20, 190),
    (30, 200, 240),
    (40, 160, 225),
    (225, 180, 120),
    (30, 30, 30),
    (130, 40, 110),
    (170, 130, 235),
    (120, 165, 200),
    (60, 80, 110),
    (200, 205, 150),
)
"""Greens, blues, orange, red, yellows, light blue, black, purple, pink, bamboo, brown, mint."""


def random_body(rng: np.random.Generator, light_ink: bool) -> TileBody:
    """A set's material and make."""
    width = float(rng.uniform(20, 34))
    height = width / float(rng.uniform(0.68, 0.80))
    depth = width * float(rng.uniform(0.5, 0.85))
    dice = rng.random()
    if light_ink:
        face = tuple(
            float(c) for c in surfaces.random_colour(rng, (0, 360), (0, 0.6), (0.05, 0.25))
        )
    elif dice < 0.5:  # white, a little warm or cold
        value = float(rng.uniform(225, 252))
        face = (value * float(rng.uniform(0.93, 1.0)), value * float(rng.uniform(0.97, 1.0)), value)
    elif dice < 0.85:  # ivory to bone
        face = tuple(
            float(c) for c in surfaces.random_colour(rng, (28, 55), (0.03, 0.2), (0.85, 1.0))
        )
    else:  # aged or yellow, or grey and greenish
        face = tuple(
            float(c) for c in surfaces.random_colour(rng, (30, 80), (0.1, 0.42), (0.7, 0.97))
        )
    back = np.array(BACKS[int(rng.integers(len(BACKS)))]) * rng.uniform(0.75, 1.15)
    back = np.clip(back + rng.normal(0, 10, 3), 5, 250)
    share = float(rng.uniform(0.18, 0.5))
    if rng.random() < 0.06 and not light_ink:  # one piece all through, the back a shade darker
        back = np.array(face) * rng.uniform(0.7, 0.9)
    return TileBody(
        size_mm=(width, height, depth),
        radius_mm=width * float(rng.uniform(0.04, 0.13)),
        face_bgr=(float(face[0]), float(face[1]), float(face[2])),
        back_bgr=(float(back[0]), float(back[1]), float(back[2])),
        back_share=share,
        seam=float(rng.uniform(0, 0.3)),
        gloss=float(rng.uniform(0.1, 1.0)),
        edge_shade=float(rng.uniform(0.05, 0.45)),
    )


def random_light(rng: np.random.Generator) -> Light:
    lamps = []
    left = float(rng.uniform(0.15, 0.52))
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(28, 85))
        share = left * float(rng.uniform(0.5, 1.0))
        left -= share
        lamps.append(
            Lamp(
                np.array(
                    [
                        np.cos(azimuth) * np.cos(elevation),
                        np.sin(azimuth) * np.cos(elevation),
                        np.sin(elevation),
                    ]
                ),
                share,
                float(rng.choice([1.0, 4.0, 12.0])),
            )
        )
    tint = np.clip(1 + rng.normal(0, 0.022, 3), 0.85, 1.15)
    return Light(tuple(lamps), tint, float(rng.uniform(0.15, 0.55)))

"""What covers the boxes: tile bodies and faces, dice, dominoes, printed boxes, plain things."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.body import BACK, FRONT, Colour, TileBody
from vision.render.faces import Design, draw_face

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class TilePaint:
    """One tile of a set: its face, its back, and the layers along its sides."""

    body: TileBody
    design: Design
    code: str

    @property
    def key(self) -> Hashable:
        return (id(self.body), id(self.design), self.code)

    def paint(self, face: int, size_px: tuple[int, int]) -> Image:
        width, height = size_px
        if face == FRONT:
            return draw_face(self.design, self.code, self.body.face_bgr, size_px)
        picture = np.empty((height, width, 3), np.uint8)
        if face == BACK:
            picture[:] = _bytes(self.body.back_bgr)
            return picture
        # Sides: the first column touches the face, the last the back.
        across = (np.arange(width) + 0.5) / width
        border = 1 - self.body.back_share
        mix = np.clip((across - border) * width + 0.5, 0, 1)[:, None]
        line = np.array(self.body.face_bgr) * (1 - mix) + np.array(self.body.back_bgr) * mix
        if 0 < self.body.back_share < 1:
            near = np.exp(-np.abs(across - border) * width / max(width / 40, 0.7))[:, None]
            line = line * (1 - self.body.seam * near)
        picture[:] = np.clip(line, 0, 255).astype(np.uint8)[None]
        return picture


@dataclass(frozen=True)
class PlainPaint:
    """One colour all round."""

    colour: Colour

    @property
    def key(self) -> Hashable:
        return ("plain", self.colour)

    def paint(self, face: int, size_px: tuple[int, int]) -> Image:
        picture = np.empty((size_px[1], size_px[0], 3), np.uint8)
        picture[:] = _bytes(self.colour)
        return picture


@dataclass(frozen=True)
class PrintedPaint:
    """A picture on the front (and perhaps the back), a colour on the other faces."""

    front: Image
    colour: Colour
    both: bool = False

    @property
    def key(self) -> Hashable:
        return ("printed", id(self.front))

    def paint(self, face: int, size_px: tuple[int, int]) -> Image:
        if face == FRONT or (self.both and face == BACK):
            return np.asarray(cv2.resize(self.front, size_px, interpolation=cv2.INTER_AREA))
        return PlainPaint(self.colour).paint(face, size_px)


@dataclass(frozen=True)
class DicePaint:
    """A die: pips on every face, a red one on some."""

    colour: Colour
    pips: Colour
    one: Colour
    turn: int

    @property
    def key(self) -> Hashable:
        return ("die", self.colour, self.turn)

    def paint(self, face: int, size_px: tuple[int, int]) -> Image:
        width, height = size_px
        picture = PlainPaint(self.colour).paint(face, size_px)
        number = 1 + (min(face, 2) * 2 + self.turn) % 6
        spots = {
            1: [(2, 2)],
            2: [(1, 1), (3, 3)],
            3: [(1, 1), (2, 2), (3, 3)],
            4: [(1, 1), (1, 3), (3, 1), (3, 3)],
        }.get(number)
        if spots is None:
            spots = [(1, 1), (1, 3), (3, 1), (3, 3)]
            spots += [(2, 2)] if number == 5 else [(1, 2), (3, 2)]
        colour = self.one if number in (1, 4) else self.pips
        for x, y in spots:
            radius = max(width * (0.16 if number == 1 else 0.1), 1)
            cv2.circle(
                picture,
                (round(x * width / 4), round(y * height / 4)),
                round(radius),
                colour,
                -1,
                cv2.LINE_AA,
            )
        return picture


def _bytes(colour: Colour) -> NDArray[np.uint8]:
    return np.clip(np.array(colour), 0, 255).astype(np.uint8)

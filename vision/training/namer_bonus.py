"""Bonus tiles put together from the picture of one set, the caption of another and a number.

Flowers and seasons differ wildly from set to set, and what tells them apart everywhere is what is written on them:
梅蘭菊竹, 春夏秋冬 and 1 to 4. Mixed tiles teach to read that instead of learning a few dozen pictures by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import BONUS
from vision.training.namer_canvas import BGR, FACE_SIZE, FONTS
from vision.training.namer_faces import Face, FaceSet, Inks, filled

_Box = tuple[float, float, float, float]  # left, top, right, bottom as shares of the face

_CAPTIONS: Final[dict[str, tuple[_Box, _Box]]] = {
    "font-symbola": ((0, 0, 0.54, 0.38), (0, 0, 0.54, 0.38)),
    "wikimedia-unib": ((0, 0, 0.54, 0.38), (0, 0, 0.54, 0.38)),
    "font-noto-symbols2": ((0, 0, 0.52, 0.36), (0, 0, 0.52, 0.36)),
    "gl-mahjongtile-mono": ((0, 0, 0.44, 0.37), (0.54, 0, 1, 0.39)),
    "imahjong-JP": ((0, 0, 0.44, 0.37), (0.54, 0, 1, 0.39)),
    "imahjong-TW": ((0, 0, 0.42, 0.37), (0.6, 0, 1, 0.39)),
    "lietxia": ((0, 0, 0.5, 0.39), (0.5, 0, 1, 0.39)),
}
"""Designs with a caption: the corner it stands in on flowers and on seasons."""

_PICTURES: Final = ("xhokir",)
"""Designs with a picture and nothing else."""

_CAPTIONED: Final = 0.8
"""Share of mixed tiles with a caption; the others keep the picture that belongs to the number."""

_FOREIGN: Final = 0.5
"""Share of captioned tiles that show the picture of another flower or season: only the writing counts."""

_WRITTEN: Final = 0.12
"""Share of mixed tiles with the caption alone, large, most of them in a frame: some sets draw no picture."""

Mask = NDArray[np.uint8]


class BonusMixer:
    """Cuts captions and pictures out of the sets that have them, and puts them together anew.

    Args:
        sets: designs to cut from.
        rng: the only source of chance.
    """

    def __init__(self, sets: Sequence[FaceSet], rng: np.random.Generator) -> None:
        self._rng = rng
        self._captions: dict[str, list[Mask]] = {label: [] for label in BONUS}
        self._pictures: dict[str, list[Face]] = {label: [] for label in BONUS}
        for face_set in sets:
            for label in BONUS:
                for face in face_set.faces.get(label, []):
                    if face_set.name in _CAPTIONS:
                        box = _CAPTIONS[face_set.name][label[1] == "g"]
                        caption, picture = _split(face, box)
                        if caption is not None:
                            self._captions[label].append(caption)
                            self._pictures[label].append(picture)
                    elif face_set.name in _PICTURES:
                        self._pictures[label].append(face)

    def mix(self, label: str, inks: Inks) -> Face | None:
        """A new face for a bonus label, (133, 100, 4) BGRA, or None where no set to cut from has one."""
        rng = self._rng
        if not self._captions[label] or not self._pictures[label]:
            return None
        if rng.random() < _WRITTEN:
            return self._written(label, inks)
        captioned = rng.random() < _CAPTIONED
        shown = str(rng.choice(BONUS)) if captioned and rng.random() < _FOREIGN else label
        pictures = self._pictures[shown] or self._pictures[label]
        picture = pictures[int(rng.integers(len(pictures)))]
        palette = [inks.red, inks.green, inks.blue, inks.black]
        picture = _inked(picture, palette, rng)
        if rng.random() < 0.3:
            picture = filled(picture, inks, rng)
        out = _lowered(picture, rng)
        caption_left = rng.random() < 0.5
        if captioned:
            captions = self._captions[label]
            glyph = captions[int(rng.integers(len(captions)))]
            size = rng.uniform(0.24, 0.38)
            _stamp(out, glyph, caption_left, size, palette[int(rng.integers(4))], rng)
        if not captioned or rng.random() < 0.75:
            digit = _digit(label[0], int(rng.choice(FONTS)), int(rng.integers(2, 5)))
            _stamp(
                out,
                digit,
                not caption_left,
                rng.uniform(0.15, 0.28),
                palette[int(rng.integers(4))],
                rng,
            )
        return out

    def _written(self, label: str, inks: Inks) -> Face:
        """The caption alone in the middle, mostly in a frame: not to be taken for a framed white dragon."""
        rng = self._rng
        w, h = FACE_SIZE
        palette = [inks.red, inks.green, inks.blue, inks.black]
        out = np.zeros((h, w, 4), np.uint8)
        if rng.random() < 0.75:
            left, top = rng.integers(6, 20, 2).tolist()
            frame = palette[int(rng.integers(4))]
            thick = int(rng.integers(2, 5))
            cv2.rectangle(out, (left, top), (w - left, h - top), (*frame, 255), thick, cv2.LINE_AA)
        captions = self._captions[label]
        glyph = captions[int(rng.integers(len(captions)))]
        height = int(h * rng.uniform(0.3, 0.48))
        width = min(int(glyph.shape[1] * height / glyph.shape[0]), w // 2)
        alpha = cv2.resize(glyph, (width, height), interpolation=cv2.INTER_LINEAR)
        x, y = (w - width) // 2, (h - height) // 2 + int(rng.normal(0, 4))
        ink = palette[int(rng.integers(4))]
        region = out[y : y + height, x : x + width]
        region[alpha > 0, :3] = np.array(ink, np.uint8)
        region[..., 3] = alpha
        return out


def _split(face: Face, box: _Box) -> tuple[Mask | None, Face]:
    """The caption's alpha, trimmed, and the face without it: pieces of ink that lie wholly in the box."""
    w, h = FACE_SIZE
    count, pieces, stats, _ = cv2.connectedComponentsWithStats((face[..., 3] > 40).astype(np.uint8))
    inside = np.zeros(pieces.shape, bool)
    for piece in range(1, count):
        x, y, width, height = stats[piece][:4]
        if (
            x >= box[0] * w
            and y >= box[1] * h
            and x + width <= box[2] * w
            and y + height <= box[3] * h
        ):
            inside |= pieces == piece
    if inside.sum() < 150:
        return None, face
    grown = cv2.dilate(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    alpha = np.where(grown, face[..., 3], 0).astype(np.uint8)
    ys, xs = np.nonzero(inside)
    rest = face.copy()
    rest[..., 3][grown] = 0
    return alpha[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], rest


def _inked(face: Face, palette: Sequence[BGR], rng: np.random.Generator) -> Face:
    """The picture in its own colours, or each piece in an ink of the set."""
    if face[..., :3][face[..., 3] > 128].std() > 25 and rng.random() < 0.6:
        return face.copy()
    out = face.copy()
    count, pieces = cv2.connectedComponents((face[..., 3] > 40).astype(np.uint8))
    odds = rng.dirichlet([1.5, 1.5, 0.6, 1.0])
    out[..., :3] = palette[int(rng.choice(4, p=odds))]
    for piece in range(1, min(count, 25)):
        out[pieces == piece, :3] = palette[int(rng.choice(4, p=odds))]
    return out


def _lowered(face: Face, rng: np.random.Generator) -> Face:
    """The picture smaller and lower, to leave room for writing above it."""
    w, h = FACE_SIZE
    ys, xs = np.nonzero(face[..., 3] > 40)
    if len(ys) == 0:
        return face
    height = rng.uniform(0.55, 0.78) * h
    scale = min(
        height / (ys.max() - ys.min() + 1), rng.uniform(0.7, 0.95) * w / (xs.max() - xs.min() + 1)
    )
    middle_x, bottom = (xs.min() + xs.max()) / 2, ys.max()
    to_x, to_y = w / 2 + rng.normal(0, 3), h * rng.uniform(0.9, 0.98)
    matrix = np.array(
        [[scale, 0, to_x - scale * middle_x], [0, scale, to_y - scale * bottom]], np.float32
    )
    return np.asarray(cv2.warpAffine(face, matrix, FACE_SIZE, flags=cv2.INTER_AREA), np.uint8)


def _digit(text: str, font: int, thick: int) -> Mask:
    """The alpha of one digit, trimmed."""
    canvas = np.zeros((90, 90), np.uint8)
    cv2.putText(canvas, text, (15, 75), font, 2.2, 255, thick * 2, cv2.LINE_AA)
    ys, xs = np.nonzero(canvas)
    return canvas[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def _stamp(
    face: Face, alpha: Mask, left: bool, size: float, colour: BGR, rng: np.random.Generator
) -> None:
    """Write into an upper corner, over what is there; ``size`` is the height as a share of the face's."""
    w, h = FACE_SIZE
    height = int(size * h)
    width = min(int(alpha.shape[1] * height / alpha.shape[0] * rng.uniform(0.85, 1.15)), w // 2)
    glyph = (
        cv2.resize(alpha, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    )
    inset_x, inset_y = rng.integers(3, 12, 2).tolist()
    x = inset_x if left else w - inset_x - width
    region = face[inset_y : inset_y + height, x : x + width]
    region[..., :3] = (
        region[..., :3] * (1 - glyph[..., None]) + np.array(colour) * glyph[..., None]
    ).astype(np.uint8)
    region[..., 3] = np.maximum(region[..., 3], (glyph * 255).astype(np.uint8))

"""Bank crops drawn from faces: a tile on its body, among neighbours, sides and table, and things that are no tile.

A *bank crop* is what `vision.rectify.rectify` would cut with `BANK_SIZE` and `BANK_MARGIN`: the face upright in the
middle with more surroundings than the namer will see, so that `namer_augment` can move, turn and tilt it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, DIRECTIONLESS, LABELS, NOT, RED_FIVES
from vision.training.namer_faces import (
    FACE_SIZE,
    Face,
    FaceSet,
    Inks,
    paint,
    paint_hues,
    paint_red,
    plain_label,
    random_inks,
)

BANK_SIZE: Final = (72, 96)
"""Width and height of a bank crop in pixels."""

BANK_MARGIN: Final = 0.22
"""Share of the tile's width and height that a bank crop shows beyond each side."""

_CANVAS: Final = (144, 192)  # twice the bank crop
_TILE: Final = FACE_SIZE
_ORIGIN: Final = ((_CANVAS[0] - _TILE[0]) // 2, (_CANVAS[1] - _TILE[1]) // 2)

_INDEXED_SETS: Final = ("kde-classic", "kde-default", "kde-traditional", "martinpersson-index")
"""Designs whose artwork already carries an index in a corner."""

_BGR = tuple[float, float, float]
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Sample:
    """One bank crop: (96, 72, 3) uint8 BGR, its label, and whether the face has a top (so that turning matters)."""

    crop: Image
    label: str
    directed: bool


_Index = tuple[str, int, _BGR, int]  # corners, font, colour, height in px


@dataclass(frozen=True)
class _Style:
    face_set: FaceSet
    inks: Inks
    body: _BGR
    layer: _BGR
    back: _BGR
    index: _Index | None
    scale: tuple[float, float]
    bolder: float
    engraving: float
    light: float
    radius: int


class Synthesizer:
    """Draws bank crops for ever.

    Args:
        sets: designs to draw from; each *family* is equally likely (see `families`).
        backgrounds: photographs without tiles, for tables and for what is no tile; may be empty.
        rng: the only source of chance.
    """

    def __init__(
        self, sets: Sequence[FaceSet], backgrounds: Sequence[Image], rng: np.random.Generator
    ) -> None:
        self._sets = list(sets)
        self._weights = _set_weights(self._sets)
        self._backgrounds = list(backgrounds)
        self._rng = rng
        self._drawn = np.zeros(len(LABELS))
        self._jokers = [(face, s.photo) for s in self._sets for face in s.faces.get(NOT, [])]

    def draw(self, count: int) -> list[Sample]:
        """Draw at least ``count`` samples, labels in balance over all calls."""
        samples: list[Sample] = []
        while len(samples) < count:
            samples += self._one_set()
        return samples

    def _one_set(self) -> list[Sample]:
        """A handful of tiles of one made-up set: they are each other's neighbours."""
        rng = self._rng
        style = self._style()
        labels = self._choose_labels(style.face_set, 8)
        tiles = [self._tile(label, style) for label in labels]
        backs = [self._blank(style, style.back)]
        samples = []
        for label, tile in zip(labels, tiles, strict=True):
            canvas = self._compose(tile, tiles if rng.random() < 0.85 else backs, style)
            samples.append(self._sample(canvas, label, style))
        if rng.random() < 0.8:
            canvas = self._compose(self._blank(style, style.back), backs + tiles[:1], style)
            samples.append(self._sample(canvas, BACK, style))
        samples += [
            self._sample(self._no_tile(tiles, style), NOT, style)
            for _ in range(int(rng.choice([1, 2])))
        ]
        if self._jokers and rng.random() < 0.25:
            face, photo = self._jokers[int(rng.integers(len(self._jokers)))]
            joker = face if photo else self._face_on_body(face, style)
            samples.append(self._sample(self._compose(joker, tiles, style), NOT, style))
        return samples

    def _sample(self, canvas: Image, label: str, style: _Style) -> Sample:
        self._drawn[LABELS.index(label)] += 1
        crop = cv2.resize(canvas, BANK_SIZE, interpolation=cv2.INTER_AREA)
        directed = has_top(label) or (
            style.index is not None and style.index[0] != "both" and label not in (BACK, NOT)
        )
        return Sample(crop, label, directed)

    def _choose_labels(self, face_set: FaceSet, count: int) -> list[str]:
        rng = self._rng
        candidates = [
            label
            for label in LABELS
            if label not in (BACK, NOT) and plain_label(label, face_set) in face_set.faces
        ]
        behind = 1 / (1 + self._drawn[[LABELS.index(c) for c in candidates]]) ** 1.5
        chosen = rng.choice(
            len(candidates),
            size=min(count, len(candidates)),
            replace=False,
            p=behind / behind.sum(),
        )
        return [candidates[i] for i in chosen]

    def _style(self) -> _Style:
        rng = self._rng
        face_set = self._sets[int(rng.choice(len(self._sets), p=self._weights))]
        dark = face_set.white_ink or (face_set.mono and rng.random() < 0.06)
        inks = random_inks(rng, dark)
        warm = rng.uniform(0, 1)
        level = rng.uniform(190, 255)
        body = (level * (1 - 0.3 * warm**2), level * (1 - 0.07 * warm**2), level)
        if dark:
            body = _times((1, 1, 1), rng.uniform(15, 70) * rng.uniform(0.7, 1.3, 3))
        back = _hsv(*rng.integers((0, 60, 40), (180, 256, 256)).tolist())
        index = None
        if not face_set.photo and face_set.name not in _INDEXED_SETS and rng.random() < 0.35:
            index = self._index(inks)
        return _Style(
            face_set=face_set,
            inks=inks,
            body=body,
            layer=_times(body, rng.uniform(0.9, 1.1, 3)),
            back=back,
            index=index,
            scale=(rng.uniform(0.78, 1.06), rng.uniform(0.82, 1.06)),
            bolder=rng.uniform(-0.9, 1.2) if rng.random() < 0.5 else 0.0,
            engraving=rng.uniform(0, 0.9) if rng.random() < 0.6 else 0.0,
            light=rng.uniform(0, 2 * np.pi),
            radius=int(rng.integers(3, 15)),
        )

    def _index(self, inks: Inks) -> _Index:
        rng = self._rng
        corners = str(rng.choice(["left", "right", "both"], p=[0.4, 0.4, 0.2]))
        colours = (inks.red, inks.black, inks.blue, inks.green)
        colour = colours[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))]
        return corners, int(rng.choice(_FONTS)), colour, int(rng.integers(14, 27))

    def _bonus_index(self, label: str, style: _Style) -> _Index | None:
        """Flowers and seasons are numbered on most sets that number nothing else."""
        plain_set = style.face_set.name not in _INDEXED_SETS
        if label[1:] in ("f", "g") and plain_set and self._rng.random() < 0.5:
            return self._index(style.inks)
        return None

    def _tile(self, label: str, style: _Style) -> Image:
        rng = self._rng
        drawn = style.face_set.faces[plain_label(label, style.face_set)]
        face = drawn[int(rng.integers(len(drawn)))]
        if style.face_set.photo:
            return _photographed(face, label, style, rng)
        return self._face_on_body(paint(face, label, style.face_set, style.inks, rng), style, label)

    def _face_on_body(self, face: Face, style: _Style, label: str = NOT) -> Image:
        rng = self._rng
        w, h = _TILE
        sx, sy = style.scale
        index = style.index or self._bonus_index(label, style)
        if index is not None:
            sx, sy = sx * 0.93, sy * 0.93
        dx, dy = rng.normal(0, 1.2, 2)
        matrix = np.array(
            [[sx, 0, w * (1 - sx) / 2 + dx], [0, sy, h * (1 - sy) / 2 + dy]], np.float32
        )
        face = cv2.warpAffine(face, matrix, _TILE, flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
        if index is not None:
            face = _with_index(face, label, index, rng)
        alpha = face[..., 3].astype(np.float32) / 255
        if style.bolder:
            soft = cv2.GaussianBlur(alpha, (0, 0), 1.2)
            alpha = np.clip((soft - 0.5 + 0.25 * style.bolder) * 2.2 + 0.5, 0, 1) * np.clip(
                soft * 8, 0, 1
            )
        tile = self._blank(style, style.body).astype(np.float32)
        tile *= 1 - alpha[..., None]
        tile += face[..., :3] * alpha[..., None]
        if style.engraving:
            soft = cv2.GaussianBlur(alpha, (0, 0), 1.0)
            slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * np.cos(style.light)
            slope += cv2.Sobel(soft, cv2.CV_32F, 0, 1) * np.sin(style.light)
            tile *= (1 + 0.3 * style.engraving * slope)[..., None]
        return np.clip(tile, 0, 255).astype(np.uint8)

    def _blank(self, style: _Style, colour: _BGR) -> Image:
        """A face without artwork: a little unevenness, edges that catch or lose the light."""
        rng = self._rng
        w, h = _TILE
        xx, yy = (
            np.linspace(-0.5, 0.5, w, dtype=np.float32),
            np.linspace(-0.5, 0.5, h, dtype=np.float32),
        )
        slope = rng.normal(0, 0.05, 2)
        shade = 1 + slope[0] * xx[None, :] + slope[1] * yy[:, None]
        down, across = np.arange(h), np.arange(w)
        edge = np.minimum.outer(np.minimum(down, down[::-1]), np.minimum(across, across[::-1]))
        rim = np.exp(-edge / (1.0 + style.radius * 0.25))
        lit = np.sign(xx[None, :]) * np.cos(style.light) + np.sign(yy[:, None]) * np.sin(
            style.light
        )
        shade = shade * (1 - rim * rng.uniform(0, 0.25) + rim * lit * rng.uniform(0, 0.12))
        return np.clip(np.array(colour, np.float32) * shade[..., None], 0, 255).astype(np.uint8)

    def _compose(self, tile: Image, others: Sequence[Image], style: _Style) -> Image:
        """Put a tile in the middle of a canvas and something believable on each of its sides."""
        rng = self._rng
        canvas = self._table()
        x0, y0 = _ORIGIN
        w, h = _TILE
        gap = int(rng.choice([0, 1, 2, 3, 6], p=[0.25, 0.25, 0.2, 0.15, 0.15]))
        side = int(rng.integers(0, 4)) if rng.random() < 0.45 else -1
        beside, above = rng.random() < 0.6, rng.random() < 0.35
        steps = {0: (0, -1), 1: (1, 0), 2: (0, 1), 3: (-1, 0)}
        seam = rng.uniform(0.2, 0.9)
        for direction, (sx, sy) in steps.items():
            if direction != side and (beside if sx else above) and rng.random() < 0.9:
                other = others[int(rng.integers(len(others)))]
                if rng.random() < 0.4:
                    other = other[::-1, ::-1]
                slip = int(rng.normal(0, 4))
                at = (
                    x0 + sx * (w + gap) + (slip if sy else 0),
                    y0 + sy * (h + gap) + (slip if sx else 0),
                )
                shade = rng.uniform(0.85, 1.05)
                _paste(canvas, np.clip(other * shade, 0, 255).astype(np.uint8), at)
        if rng.random() < 0.7:
            self._shadow(canvas, gap, seam)
        if side >= 0:
            self._side(canvas, side, style)
        _paste(canvas, tile, (x0, y0), _corner_mask(style.radius))
        return canvas

    def _shadow(self, canvas: Image, gap: int, strength: float) -> None:
        """The dark seam between touching tiles, or the contact shadow on the table."""
        x0, y0 = _ORIGIN
        w, h = _TILE
        grow = max(1, gap)
        region = canvas[y0 - grow : y0 + h + grow, x0 - grow : x0 + w + grow]
        region[:] = (region * strength).astype(np.uint8)

    def _side(self, canvas: Image, direction: int, style: _Style) -> None:
        """The tile's own flank seen beside its face: the white layer, then the coloured one."""
        rng = self._rng
        x0, y0 = _ORIGIN
        w, h = _TILE
        shade = rng.uniform(0.55, 1.02)
        thick = int(rng.uniform(5, 40))
        first = int(thick * rng.uniform(0.4, 1.0)) + 1
        white = tuple(c * shade for c in style.layer)
        colour = tuple(c * shade for c in style.back)
        for depth, paint_ in ((thick, colour), (first, white)):
            box = {
                0: (x0, y0 - depth, x0 + w, y0 + 8),
                1: (x0 + w - 8, y0, x0 + w + depth, y0 + h),
                2: (x0, y0 + h - 8, x0 + w, y0 + h + depth),
                3: (x0 - depth, y0, x0 + 8, y0 + h),
            }[direction]
            cv2.rectangle(canvas, (box[0], box[1]), (box[2] - 1, box[3] - 1), paint_, -1)

    def _table(self) -> Image:
        rng = self._rng
        w, h = _CANVAS
        if self._backgrounds and rng.random() < 0.4:
            return self._photo_patch(h, w)
        colour = np.array(_hsv(*rng.integers((0, 0, 10), (180, 220, 250)).tolist()), np.float64)
        noise = rng.normal(0, rng.uniform(0, 14), (h // 2, w // 2, 1)).astype(np.float32)
        return np.clip(colour + cv2.resize(noise, (w, h))[..., None], 0, 255).astype(np.uint8)

    def _photo_patch(self, h: int, w: int) -> Image:
        rng = self._rng
        photo = self._backgrounds[int(rng.integers(len(self._backgrounds)))]
        height = int(
            min(
                photo.shape[0], photo.shape[1] * h / w, np.exp(rng.uniform(np.log(24), np.log(600)))
            )
        )
        width = max(2, height * w // h)
        y = int(rng.integers(0, photo.shape[0] - height + 1))
        x = int(rng.integers(0, photo.shape[1] - width + 1))
        patch = photo[y : y + height, x : x + width]
        if rng.random() < 0.5:
            patch = patch[::-1, ::-1]
        return cv2.resize(
            patch, (w, h), interpolation=cv2.INTER_AREA if height > h else cv2.INTER_LINEAR
        )

    def _no_tile(self, tiles: Sequence[Image], style: _Style) -> Image:
        """What a finder may offer that is no tile: misplaced quads, flanks, photographs, cards, dice, writing."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.30:
            return self._misplaced(tiles, style)
        if kind < 0.40:
            return self._flanks(style)
        if kind < 0.48:
            return self._table()
        if kind < 0.78 and self._backgrounds:
            return self._photo_patch(_CANVAS[1], _CANVAS[0])
        return self._thing(style)

    def _misplaced(self, tiles: Sequence[Image], style: _Style) -> Image:
        """A patch of a table of tiles cut at the wrong place, size or angle."""
        rng = self._rng
        w, h = _TILE
        gap = int(rng.integers(0, 8))
        table = cv2.resize(self._table(), (4 * w, 4 * h))
        mask = _corner_mask(style.radius)
        slip = rng.integers(0, h // 2)
        for row in range(4):
            for column in range(4):
                if rng.random() < 0.85:
                    tile = tiles[int(rng.integers(len(tiles)))]
                    at = (column * (w + gap) - 20, row * (h + gap) - int(slip) * (column % 2))
                    _paste(table, tile if rng.random() < 0.6 else tile[::-1, ::-1], at, mask)
        how = rng.random()
        centre_x, centre_y = 1.5 * w + gap - 20, 1.5 * h + gap
        scale, angle = rng.uniform(0.9, 1.1), rng.normal(0, 4)
        if how < 0.45:
            offset = rng.uniform(0.38, 0.62)
            centre_x += offset * w * (rng.random() < 0.6)
            centre_y += offset * h * (rng.random() < 0.6) or offset * h * 0.9
        elif how < 0.75:
            scale = rng.uniform(1.7, 3.0)
        else:
            angle = rng.uniform(35, 60) * rng.choice([-1, 1])
            scale *= 1.3
        matrix = cv2.getRotationMatrix2D((centre_x, centre_y), angle, 1 / scale)
        matrix[:, 2] += np.array([_CANVAS[0] / 2 - centre_x, _CANVAS[1] / 2 - centre_y])
        return cv2.warpAffine(
            table, matrix, _CANVAS, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        )

    def _flanks(self, style: _Style) -> Image:
        """The narrow sides of one or several tiles: two layers, no artwork."""
        rng = self._rng
        w, h = _CANVAS
        canvas = self._table()
        count = int(rng.integers(1, 5))
        width = int(w * 0.85 / count)
        share = rng.uniform(0.3, 0.75)
        shade = rng.uniform(0.6, 1.0)
        for i in range(count):
            left, top, bottom = int(w * 0.075) + i * width, int(h * 0.1), int(h * 0.9)
            middle = int(top + (bottom - top) * share)
            for y0, y1, colour in ((top, middle, style.layer), (middle, bottom, style.back)):
                dim = shade * rng.uniform(0.93, 1.03)
                cv2.rectangle(
                    canvas, (left, y0), (left + width - 2, y1), tuple(c * dim for c in colour), -1
                )
        return np.ascontiguousarray(np.rot90(canvas, 2)) if rng.random() < 0.5 else canvas

    def _thing(self, style: _Style) -> Image:
        """Cards, dice, keys, labels: light rectangles with a rim and marks of another kind."""
        rng = self._rng
        w, h = _CANVAS
        canvas = self._table()
        level = rng.uniform(120, 255)
        colour = tuple(float(level * v) for v in rng.uniform(0.85, 1.0, 3))
        pad_x, pad_y = rng.uniform(0.0, 0.3, 2)
        x0, y0, x1, y1 = (
            int(w * pad_x),
            int(h * pad_y),
            int(w * (1 - pad_x * 0.9)),
            int(h * (1 - pad_y * 0.9)),
        )
        what = rng.random()
        cv2.rectangle(canvas, (x0, y0), (x1, y1), colour, -1)
        dark = tuple(float(v) for v in rng.uniform(0, 120, 3))
        if what < 0.3:  # printed words
            for _ in range(int(rng.integers(1, 7))):
                text = "".join(
                    rng.choice(list("abcdefghijklmnopqrstuvwxyzABCDEFGHKLMNPRST0123456789 .,:"), 8)
                )
                at = (int(rng.uniform(-0.2, 0.5) * w), int(rng.uniform(0.1, 1) * h))
                cv2.putText(
                    canvas,
                    text,
                    at,
                    int(rng.choice(_FONTS)),
                    rng.uniform(0.4, 2.5),
                    dark,
                    2,
                    cv2.LINE_AA,
                )
        elif what < 0.5:  # one big letter or digit on a key or a card
            text = str(rng.choice(list("ABCDFGHJKLMQRTUVXYZ024678+-=?!&%@#")))
            at = (int(w * rng.uniform(0.2, 0.45)), int(h * rng.uniform(0.4, 0.75)))
            size, thick = rng.uniform(1, 4), int(rng.integers(2, 7))
            cv2.putText(canvas, text, at, int(rng.choice(_FONTS)), size, dark, thick, cv2.LINE_AA)
        elif what < 0.65:  # a die: pips in a square
            size = min(x1 - x0, y1 - y0)
            canvas[y0 + size :] = canvas[0, 0]
            for _ in range(int(rng.integers(1, 7))):
                at = (
                    x0 + int(size * rng.choice([0.25, 0.5, 0.75])),
                    y0 + int(size * rng.choice([0.25, 0.5, 0.75])),
                )
                cv2.circle(canvas, at, max(3, size // 10), dark, -1, cv2.LINE_AA)
        elif what < 0.8:  # lines and grids
            for _ in range(int(rng.integers(2, 12))):
                ends = (rng.uniform(0, 1, 4) * [w, h, w, h]).astype(int)
                if rng.random() < 0.6:
                    ends[2] = ends[0]
                cv2.line(
                    canvas,
                    tuple(ends[:2]),
                    tuple(ends[2:]),
                    dark,
                    int(rng.integers(1, 6)),
                    cv2.LINE_AA,
                )
        else:  # a plain surface without a tile's rim
            canvas[:] = np.clip(np.array(colour) + rng.normal(0, 3, (h, w, 1)), 0, 255).astype(
                np.uint8
            )
            if rng.random() < 0.5:
                angle = rng.uniform(0, np.pi)
                yy, xx = np.mgrid[0:h, 0:w]
                beyond = (xx - w / 2) * np.cos(angle) + (yy - h / 2) * np.sin(angle) > rng.uniform(
                    -30, 30
                )
                canvas[beyond] = (canvas[beyond] * rng.uniform(0.2, 0.85)).astype(np.uint8)
        return canvas


_FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)


def _hsv(hue: float, saturation: float, value: float) -> _BGR:
    """OpenCV's HSV (hue 0..179) as BGR, 0..255."""
    pixel = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)
    return _times((1, 1, 1), pixel[0, 0].astype(np.float64))


def _times(colour: _BGR, factors: NDArray[np.float64]) -> _BGR:
    blue, green, red = np.clip(np.array(colour) * factors, 0, 255).tolist()
    return blue, green, red


def has_top(label: str) -> bool:
    """Whether the artwork of a label looks different upside down on (nearly) every set."""
    return label not in DIRECTIONLESS


def _set_weights(sets: Sequence[FaceSet]) -> NDArray[np.float64]:
    """Whole designs weigh one each, typefaces (characters only) together as much as eight, parts of a set a quarter."""
    typefaces = sum(s.name.startswith("kanji-") for s in sets)
    weights = []
    for s in sets:
        if s.name.startswith("kanji-"):
            weights.append(8 / typefaces)
        elif len(s.faces) < 12:
            weights.append(0.25)
        else:
            weights.append(1.0)
    return np.array(weights) / np.sum(weights)


def _paste(
    canvas: Image, patch: Image, at: tuple[int, int], mask: NDArray[np.bool_] | None = None
) -> None:
    """Copy a patch to (x, y) of the canvas, cut off at its borders."""
    x, y = at
    h, w = patch.shape[:2]
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(w, canvas.shape[1] - x), min(h, canvas.shape[0] - y)
    if left >= right or top >= bottom:
        return
    target = canvas[y + top : y + bottom, x + left : x + right]
    source = patch[top:bottom, left:right]
    if mask is None:
        target[:] = source
    else:
        part = mask[top:bottom, left:right]
        target[part] = source[part]


def _corner_mask(radius: int) -> NDArray[np.bool_]:
    """True inside a tile's outline with rounded corners."""
    mask = _corner_masks.get(radius)
    if mask is None:
        w, h = _TILE
        canvas = np.zeros((h, w), np.uint8)
        cv2.rectangle(canvas, (radius, 0), (w - 1 - radius, h - 1), 1, -1)
        cv2.rectangle(canvas, (0, radius), (w - 1, h - 1 - radius), 1, -1)
        for x in (radius, w - 1 - radius):
            for y in (radius, h - 1 - radius):
                cv2.circle(canvas, (x, y), radius, 1, -1)
        mask = _corner_masks[radius] = canvas.astype(bool)
    return mask


_corner_masks: dict[int, NDArray[np.bool_]] = {}


def _with_index(face: Face, label: str, index: _Index, rng: np.random.Generator) -> Face:
    """Draw the Western index into one corner, or into two opposite ones."""
    corners, font, colour, height = index
    text = _index_text(label, rng)
    if not text:
        return face
    (tw, th), _ = cv2.getTextSize(text, font, 1.0, 2)
    size = height / th
    width = int(tw * size)
    w, _ = _TILE
    inset = int(rng.integers(4, 9))

    def write(target: Face, x: int) -> Face:
        out = np.ascontiguousarray(target)
        thick = max(1, round(size * 3))
        cv2.putText(out, text, (x, inset + height), font, size, (*colour, 255), thick, cv2.LINE_AA)
        return out

    left = corners == "left" or (corners == "both" and rng.random() < 0.5)
    face = write(face, inset if left else w - inset - width)
    if corners == "both":
        face = write(face[::-1, ::-1], inset if left else w - inset - width)[::-1, ::-1]
    return face


def _index_text(label: str, rng: np.random.Generator) -> str:
    if label in (BACK, NOT):
        return ""
    rank, suit = int(label[0]), label[1]
    if suit != "z":
        return str(rank or 5)
    options = {1: "E", 2: "S", 3: "W", 4: "N", 5: "PBD", 6: "FG", 7: "CR"}[rank]
    return str(rng.choice(list(options)))


def _photographed(face: Face, label: str, style: _Style, rng: np.random.Generator) -> Image:
    """A photographed face as it is, in other inks, or on a tinted body; red fives are made from plain ones."""
    image = face[..., :3]
    red = label in RED_FIVES and label not in style.face_set.faces
    if red or rng.random() < _REPAINTED:
        body = np.median(image[20:-20, 12:-12].reshape(-1, 3), axis=0)
        distance = np.abs(image.astype(np.float32) - body).max(2)
        ink = np.clip((distance - 25) / 45, 0, 1)[..., None]
        opaque = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
        painted = (
            paint_red(opaque, style.inks, rng) if red else paint_hues(opaque, label, style.inks)
        )
        image = (image * (1 - ink) + painted[..., :3] * ink).astype(np.uint8)
    if rng.random() < 0.4:
        tint = np.array(style.body, np.float32) / 235
        image = np.clip(image * np.clip(tint, 0.6, 1.1), 0, 255).astype(np.uint8)
    return image


_REPAINTED: Final = 0.3
"""Share of photographed faces shown in the inks of another set: engraving is dear, colours are cheap."""

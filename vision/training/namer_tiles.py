"""One tile, seen straight on: a face printed or engraved on a body, with or without an index in a corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import BACK, NOT, RED_FIVES
from vision.training.namer_bonus import BonusMixer
from vision.training.namer_canvas import BGR, FACE_SIZE, FONTS, Image, hsv, scaled
from vision.training.namer_faces import (
    Face,
    FaceSet,
    Inks,
    paint,
    paint_hues,
    paint_red,
    plain_label,
    random_inks,
)

OWN: Final = "own"
"""Name of the set in `vision/render/own`."""

_INDEXED_SETS: Final = ("kde-classic", "kde-default", "kde-traditional", "martinpersson-index")
"""Designs whose artwork already carries an index in a corner."""

_REPAINTED: Final = 0.3
"""Share of photographed faces shown in the inks of another set: engraving is dear, colours are cheap."""

_PALE_BACKS: Final = 0.25
"""Share of sets with a pastel back: the ones that were taken for a blank dragon."""

_OWN_WEIGHT: Final = 5.0
"""How many other designs our own drawings weigh: the sample, the demo and the tests are made with them and must be read
without a mistake. Twelve times for five minutes was enough too, and cost other sets nothing."""

_MIXED: Final = 0.4
"""Share of drawn bonus tiles whose picture, caption and number come from different sets."""


@dataclass(frozen=True)
class Index:
    """Western index: ``corners`` is left, right or both (the second one upside down); ``height`` in pixels."""

    corners: str
    font: int
    colour: BGR
    height: int


@dataclass(frozen=True)
class Style:
    """One made-up set: whose faces, in which inks, on which body, how deep, lit from where (``light``, radians)."""

    face_set: FaceSet
    inks: Inks
    body: BGR
    layer: BGR
    back: BGR
    index: Index | None
    scale: tuple[float, float]
    bolder: float
    engraving: float
    light: float
    radius: int


class TileArtist:
    """Invents sets and draws their tiles.

    Args:
        sets: designs to draw from.
        rng: the only source of chance.
    """

    def __init__(self, sets: Sequence[FaceSet], rng: np.random.Generator) -> None:
        self._sets = list(sets)
        self._weights = _set_weights(self._sets)
        self._bonus = BonusMixer(sets, rng)
        self._jokers = [(face, s.photo) for s in self._sets for face in s.faces.get(NOT, [])]
        self._rng = rng

    def style(self) -> Style:
        """A made-up set."""
        rng = self._rng
        face_set = self._sets[int(rng.choice(len(self._sets), p=self._weights))]
        dark = face_set.white_ink or (face_set.mono and rng.random() < 0.06)
        inks = random_inks(rng, dark)
        warm = rng.uniform(0, 1)
        level = rng.uniform(190, 255)
        body = (level * (1 - 0.3 * warm**2), level * (1 - 0.07 * warm**2), level)
        if dark:
            body = scaled((1, 1, 1), rng.uniform(15, 70) * rng.uniform(0.7, 1.3, 3))
        back = hsv(*rng.integers((0, 60, 40), (180, 256, 256)).tolist())
        if rng.random() < _PALE_BACKS:
            back = hsv(*rng.integers((0, 40, 170), (180, 100, 256)).tolist())
        index = None
        if not face_set.photo and face_set.name not in _INDEXED_SETS and rng.random() < 0.35:
            index = self._index(inks)
        return Style(
            face_set=face_set,
            inks=inks,
            body=body,
            layer=scaled(body, rng.uniform(0.9, 1.1, 3)),
            back=back,
            index=index,
            scale=(rng.uniform(0.78, 1.06), rng.uniform(0.82, 1.06)),
            bolder=rng.uniform(-0.9, 1.2) if rng.random() < 0.5 else 0.0,
            engraving=rng.uniform(0, 0.9) if rng.random() < 0.6 else 0.0,
            light=rng.uniform(0, 2 * np.pi),
            radius=int(rng.integers(3, 15)),
        )

    def _index(self, inks: Inks) -> Index:
        rng = self._rng
        corners = str(rng.choice(["left", "right", "both"], p=[0.4, 0.4, 0.2]))
        colours = (inks.red, inks.black, inks.blue, inks.green)
        colour = colours[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))]
        return Index(corners, int(rng.choice(FONTS)), colour, int(rng.integers(14, 27)))

    def _bonus_index(self, label: str, style: Style) -> Index | None:
        """Flowers and seasons are numbered on most sets that number nothing else."""
        plain_set = style.face_set.name not in _INDEXED_SETS
        if label[1:] in ("f", "g") and plain_set and self._rng.random() < 0.5:
            return self._index(style.inks)
        return None

    def tile(self, label: str, style: Style) -> Image:
        """A face of this set: (133, 100, 3) uint8 BGR."""
        rng = self._rng
        if style.face_set.photo:
            return _photographed(self._drawing(label, style), label, style, rng)
        if label[1:] in ("f", "g") and rng.random() < _MIXED:
            mixed = self._bonus.mix(label, style.inks)
            if mixed is not None:
                return self._on_body(mixed, style, NOT)
        face = paint(self._drawing(label, style), label, style.face_set, style.inks, rng)
        return self._on_body(face, style, label)

    def _drawing(self, label: str, style: Style) -> Face:
        drawn = style.face_set.faces[plain_label(label, style.face_set)]
        return drawn[int(self._rng.integers(len(drawn)))]

    def joker(self, style: Style) -> Image | None:
        """A face outside the notation, if any set has one."""
        if not self._jokers:
            return None
        face, photo = self._jokers[int(self._rng.integers(len(self._jokers)))]
        return face if photo else self._on_body(face, style, NOT)

    def back(self, style: Style) -> Image:
        """The back of this set's tiles."""
        return self._blank(style, style.back)

    def _on_body(self, face: Face, style: Style, label: str) -> Image:
        rng = self._rng
        w, h = FACE_SIZE
        sx, sy = style.scale
        index = (style.index or self._bonus_index(label, style)) if label != NOT else None
        if index is not None:
            sx, sy = sx * 0.93, sy * 0.93
        dx, dy = rng.normal(0, 1.2, 2)
        matrix = np.array(
            [[sx, 0, w * (1 - sx) / 2 + dx], [0, sy, h * (1 - sy) / 2 + dy]], np.float32
        )
        face = cv2.warpAffine(
            face, matrix, FACE_SIZE, flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0)
        )
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

    def _blank(self, style: Style, colour: BGR) -> Image:
        """A face without artwork: a little unevenness, edges that catch or lose the light."""
        rng = self._rng
        w, h = FACE_SIZE
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


def _set_weights(sets: Sequence[FaceSet]) -> NDArray[np.float64]:
    """Whole designs weigh one each, typefaces (characters only) together as much as eight, parts of a set a quarter,
    our own drawings several times."""
    typefaces = sum(s.name.startswith("kanji-") for s in sets)
    weights = []
    for s in sets:
        if s.name.startswith("kanji-"):
            weights.append(8 / typefaces)
        elif s.name == OWN:
            weights.append(_OWN_WEIGHT)
        elif len(s.faces) < 12:
            weights.append(0.25)
        else:
            weights.append(1.0)
    return np.array(weights) / np.sum(weights)


def _with_index(face: Face, label: str, index: Index, rng: np.random.Generator) -> Face:
    """Draw the Western index into one corner, or into two opposite ones."""
    corners, font, height = index.corners, index.font, index.height
    text = _index_text(label, rng)
    if not text:
        return face
    (tw, th), _ = cv2.getTextSize(text, font, 1.0, 2)
    size = height / th
    width = int(tw * size)
    w, _ = FACE_SIZE
    inset = int(rng.integers(4, 9))

    def write(target: Face, x: int) -> Face:
        out = np.ascontiguousarray(target)
        thick = max(1, round(size * 3))
        cv2.putText(
            out, text, (x, inset + height), font, size, (*index.colour, 255), thick, cv2.LINE_AA
        )
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


def _photographed(face: Face, label: str, style: Style, rng: np.random.Generator) -> Image:
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

"""Bank crops drawn from faces: a tile among its neighbours, flanks and table, labels in balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.labels import BACK, DIRECTIONLESS, LABELS, NOT
from vision.training.namer_canvas import (
    BANK_SIZE,
    FACE_SIZE,
    ORIGIN,
    Backdrop,
    Image,
    corner_mask,
    paste,
)
from vision.training.namer_faces import FaceSet, plain_label
from vision.training.namer_nothing import NoTiles
from vision.training.namer_tiles import Style, TileArtist


@dataclass(frozen=True)
class Sample:
    """One bank crop: (96, 72, 3) uint8 BGR, its label, and whether the face has a top (so that turning matters)."""

    crop: Image
    label: str
    directed: bool


class Synthesizer:
    """Draws bank crops for ever.

    Args:
        sets: designs to draw from.
        photos: photographs without tiles, for tables and for what is no tile; may be empty.
        rng: the only source of chance.
    """

    def __init__(
        self, sets: Sequence[FaceSet], photos: Sequence[Image], rng: np.random.Generator
    ) -> None:
        self._rng = rng
        self._backdrop = Backdrop(photos, rng)
        self._artist = TileArtist(sets, rng)
        self._no_tiles = NoTiles(self._backdrop, rng)
        self._drawn = np.zeros(len(LABELS))

    def draw(self, count: int) -> list[Sample]:
        """Draw at least ``count`` samples, labels in balance over all calls."""
        samples: list[Sample] = []
        while len(samples) < count:
            samples += self._one_set()
        return samples

    def _one_set(self) -> list[Sample]:
        """A handful of tiles of one made-up set: they are each other's neighbours."""
        rng, artist = self._rng, self._artist
        style = artist.style()
        labels = self._choose_labels(style.face_set, 8)
        tiles = [artist.tile(label, style) for label in labels]
        back = artist.back(style)
        samples = []
        for label, tile in zip(labels, tiles, strict=True):
            canvas = self._compose(tile, tiles if rng.random() < 0.85 else [back], style)
            samples.append(self._sample(canvas, label, style))
        if rng.random() < 0.8:
            samples.append(self._sample(self._compose(back, [back, tiles[0]], style), BACK, style))
        for _ in range(int(rng.integers(1, 3))):
            samples.append(self._sample(self._no_tiles.draw(tiles, style), NOT, style))
        joker = artist.joker(style) if rng.random() < 0.25 else None
        if joker is not None:
            samples.append(self._sample(self._compose(joker, tiles, style), NOT, style))
        return samples

    def _sample(self, canvas: Image, label: str, style: Style) -> Sample:
        self._drawn[LABELS.index(label)] += 1
        crop = cv2.resize(canvas, BANK_SIZE, interpolation=cv2.INTER_AREA)
        directed = has_top(label) or (
            label not in (BACK, NOT) and style.index is not None and style.index.corners != "both"
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

    def _compose(self, tile: Image, others: Sequence[Image], style: Style) -> Image:
        """Put a tile in the middle of a canvas and something believable on each of its sides."""
        rng = self._rng
        canvas = self._backdrop.table()
        x0, y0 = ORIGIN
        w, h = FACE_SIZE
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
                paste(canvas, np.clip(other * shade, 0, 255).astype(np.uint8), at)
        if rng.random() < 0.7:
            self._shadow(canvas, gap, seam)
        if side >= 0:
            self._side(canvas, side, style)
        paste(canvas, tile, (x0, y0), corner_mask(style.radius))
        return canvas

    def _shadow(self, canvas: Image, gap: int, strength: float) -> None:
        """The dark seam between touching tiles, or the contact shadow on the table."""
        x0, y0 = ORIGIN
        w, h = FACE_SIZE
        grow = max(1, gap)
        region = canvas[y0 - grow : y0 + h + grow, x0 - grow : x0 + w + grow]
        region[:] = (region * strength).astype(np.uint8)

    def _side(self, canvas: Image, direction: int, style: Style) -> None:
        """The tile's own flank seen beside its face: the white layer, then the coloured one."""
        rng = self._rng
        x0, y0 = ORIGIN
        w, h = FACE_SIZE
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


def has_top(label: str) -> bool:
    """Whether the artwork of a label looks different upside down on (nearly) every set."""
    return label not in DIRECTIONLESS

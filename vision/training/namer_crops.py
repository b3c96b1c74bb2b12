"""Bank crops from labelled photographs.

Photographs come with axis-aligned boxes and without orientation. Which quad inside a box is the tile, and which way
up it reads, is left to the namer that is being trained (see `Photographs.settle`): among the few quads a tile can
have inside its box it takes the one that the namer recognises as the label.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import INDEX, LABELS, NOT
from vision.rectify import rectify, side_lengths
from vision.training.namer_bank import Bank, Image
from vision.training.namer_canvas import BANK_MARGIN, BANK_SIZE, FACE_SIZE
from vision.training.namer_faces import FaceSet
from vision.training.namer_synthesis import has_top
from vision.training.split import kept_aside, no_tiles_part, photo_part, photo_set

Judge = Callable[[NDArray[np.uint8]], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""(N, 64, 48, 3) crops -> posteriors (N, 47) and probability of being upside down (N,)."""


@dataclass(frozen=True)
class Box:
    """One labelled tile of a photograph."""

    image: str
    source: str  # photo_set of the picture
    xyxy: tuple[float, float, float, float]
    label: int
    other: int  # the red five where a riichi five may be one, else -1


@dataclass(frozen=True)
class Doubt:
    """A box whose label the namer does not see: the best bank crop, the label's probability, the namer's own guess."""

    box: Box
    crop: Image
    probability: float
    guess: int


_RED: Final = {"5m": "0m", "5p": "0p", "5s": "0s"}
_ASPECTS: Final = (0.64, 0.74, 0.84)
"""Width over height of a tile's face as photographed: foreshortened, straight from above, wide antique sets."""

_UPRIGHT: Final = (0.56, 0.9)
"""Boxes of this aspect (or its inverse) are taken as the quad itself before the namer knows better."""


def read_boxes(data: Path, part: Callable[[dict[str, Any]], bool]) -> list[Box]:
    """All usable boxes of ``photos.jsonl`` whose row satisfies ``part``."""
    boxes = []
    with (data / "photos.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if not part(row):
                continue
            riichi = row["dataset"] == "riichi-parlour"
            for box in row["boxes"]:
                x0, y0, x1, y1 = box["xyxy"]
                if box.get("caption_only") or min(x1 - x0, y1 - y0) < 8:
                    continue
                other = INDEX[_RED[box["tile"]]] if riichi and box["tile"] in _RED else -1
                boxes.append(
                    Box(row["image"], photo_set(row), (x0, y0, x1, y1), INDEX[box["tile"]], other)
                )
    return boxes


VALIDATION_ART: Final = ("kanji-seto", "kanji-reggae", "gl-mahjongtile")
"""Designs of the training part kept for choosing and calibrating: two typefaces and a Japanese family.
Not gnome-postmodern: without it no drawn set shows the one of bamboos as a plain stick, and sticks became ``not``."""

_VALIDATION_SHOP: Final = range(297, 340)


def is_validation_row(row: dict[str, Any]) -> bool:
    """Training photographs kept for choosing and calibrating: half of the web's one-off sets, 5 % of the others."""
    if photo_part(row) != "train":
        return False
    if row.get("dataset", "shop-tiles") == "shop-tiles":
        return int(Path(row["image"]).stem) in _VALIDATION_SHOP
    share = 500 if photo_set(row) == "hk-web" else 50
    return zlib.crc32(b"namer " + row["original"].encode()) % 1000 < share


def is_training_row(row: dict[str, Any]) -> bool:
    """Whether the namer may learn from this row: not what the judge is fitted to, either."""
    if photo_part(row) != "train" or is_validation_row(row):
        return False
    return "original" not in row or not kept_aside(row["original"])


_SQUEEZED: Final = (4 / 3, 16 / 9)
"""How much wider pictures were that a collection squeezed into squares: a tilted tile in them is no rectangle."""


def box_quads(xyxy: Sequence[float], squeezed: Sequence[float] = ()) -> NDArray[np.float32]:
    """The quads a tile can have inside an axis-aligned box.

    The box itself, upright and on its side, and for each plausible aspect the two tilts whose bounding box has the
    box's proportions.

    Args:
        xyxy: left, top, right, bottom in pixels.
        squeezed: how many times wider the picture may have been before it was squeezed: tilts in those, too.

    Returns:
        (K, 4, 2) float32, clockwise, first side a short side of the tile; the first two are the box itself.
    """
    quads = [_tilted_quads(xyxy)]
    for factor in squeezed:
        stretch = np.array([factor, 1.0], np.float32)
        wide = (xyxy[0] * factor, xyxy[1], xyxy[2] * factor, xyxy[3])
        quads.append(_tilted_quads(wide)[2:] / stretch)
    return np.concatenate(quads).astype(np.float32)


def _tilted_quads(xyxy: Sequence[float]) -> NDArray[np.float32]:
    x0, y0, x1, y1 = xyxy
    w, h = x1 - x0, y1 - y0
    centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    quads = [box, np.roll(box, -1, axis=0)]
    if w > h:
        quads.reverse()
    for aspect in _ASPECTS:
        for angle in _tilts(w / h, aspect):
            c, s = abs(np.cos(angle)), abs(np.sin(angle))
            height = (w + h) / ((aspect + 1) * (c + s))
            half = np.array([aspect * height / 2, height / 2])
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            quads.append(corners @ turn + centre)
    return np.array(quads, np.float32)


def _tilts(proportion: float, aspect: float) -> list[float]:
    """Angles at which a rectangle of this aspect has a bounding box of this proportion (width over height)."""
    angles = np.linspace(0.06, np.pi / 2 - 0.06, 90)
    c, s = np.cos(angles), np.sin(angles)
    error = np.abs(np.log((aspect * c + s) / (aspect * s + c) / proportion))
    best = int(np.argmin(error))
    if error[best] > 0.03:
        return []
    return [float(angles[best]), -float(angles[best])]


class Photographs:
    """The labelled boxes of photographs as bank crops, settled better as the namer learns.

    Args:
        data: the folder that holds ``photos.jsonl``.
        boxes: what to cut.
        found: extra candidate quads of a picture (for example a finder's), (N, 4, 2), asked for once; or None.
    """

    def __init__(
        self,
        data: Path,
        boxes: Sequence[Box],
        found: Callable[[Image], NDArray[np.float32]] | None = None,
    ) -> None:
        self._data = data
        self.boxes = list(boxes)
        self._by_image: dict[str, list[int]] = {}
        for i, box in enumerate(self.boxes):
            self._by_image.setdefault(box.image, []).append(i)
        self._found = found
        self._found_quads: dict[str, NDArray[np.float32]] = {}

    def naive(self) -> Bank:
        """Boxes that look like an upright or lying tile, as they are; orientation unknown."""
        bank = Bank()
        for name, image, indices in self._pictures():
            del name
            for i in indices:
                box = self.boxes[i]
                w, h = box.xyxy[2] - box.xyxy[0], box.xyxy[3] - box.xyxy[1]
                if _UPRIGHT[0] <= min(w, h) / max(w, h) <= _UPRIGHT[1]:
                    crop = rectify(
                        image, box_quads(box.xyxy)[:1], BANK_SIZE, BANK_MARGIN, roll=False
                    )[0][0]
                    bank.add(crop, box.label, False, min(w, h), box.other)
        return bank

    def blind(self, judge: Judge) -> Bank:
        """Every box by the quad the namer is surest of, whatever its label: for judging, not for learning."""
        bank = Bank()
        for name, image, indices in self._pictures():
            quads, owner = self._candidates(name, image, indices)
            posteriors, _ = judge(rectify(image, quads, roll=False)[0])
            sure = posteriors[:, : INDEX[NOT]].max(1)
            for i in indices:
                mine = np.flatnonzero(owner == i)
                quad = quads[mine[np.argmax(sure[mine])]][None]
                crop = rectify(image, quad, BANK_SIZE, BANK_MARGIN, roll=False)[0][0]
                width = float(min(side_lengths(quad))[0])
                bank.add(crop, self.boxes[i].label, False, width, self.boxes[i].other)
        return bank

    def settle(self, judge: Judge) -> tuple[Bank, list[Doubt]]:
        """Choose quad, direction and, for riichi fives, colour of every box by what the namer sees.

        Args:
            judge: the namer as it is now.

        Returns:
            The bank of all boxes in which the label was recognised, and the doubtful ones.
        """
        bank, doubtful = Bank(), []
        for name, image, indices in self._pictures():
            quads, owner = self._candidates(name, image, indices, _SQUEEZED)
            crops, _ = rectify(image, quads, roll=False)
            posteriors, turned = judge(crops)
            for i in indices:
                box = self.boxes[i]
                mine = np.flatnonzero(owner == i)
                right = posteriors[mine, box.label]
                if box.other >= 0:
                    right = right + posteriors[mine, box.other]
                prior = np.ones(len(mine))
                prior[1:] = 0.97
                best = int(mine[np.argmax(right * prior)])
                p = float(right[np.argmax(right * prior)])
                quad, directed = quads[best], has_top(LABELS[box.label])
                t = float(turned[best])
                if directed and t > 0.5:
                    quad = np.roll(quad, 2, axis=0)
                crop = rectify(image, quad[None], BANK_SIZE, BANK_MARGIN, roll=False)[0][0]
                width = float(min(side_lengths(quad[None]))[0])
                if p < 0.35:
                    doubtful.append(Doubt(box, crop, p, int(np.argmax(posteriors[best]))))
                    continue
                label, other = box.label, box.other
                if other >= 0:
                    red = float(posteriors[best, other]) / max(p, 1e-6)
                    if red > 0.9:
                        label, other = other, -1
                    elif red < 0.1:
                        other = -1
                bank.add(crop, label, directed and abs(t - 0.5) > 0.4, width, other)
        return bank, doubtful

    def _pictures(self) -> Iterable[tuple[str, Image, list[int]]]:
        for name, indices in self._by_image.items():
            image = cv2.imread(str(self._data / name), cv2.IMREAD_COLOR)
            if image is None:
                raise FileNotFoundError(f"no picture at {self._data / name}")
            yield name, image, indices

    def _candidates(
        self, name: str, image: Image, indices: Sequence[int], squeezed: Sequence[float] = ()
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        if self._found is not None and name not in self._found_quads:
            self._found_quads[name] = self._found(image)
        extra = self._found_quads.get(name, np.zeros((0, 4, 2), np.float32))
        bounds = (
            np.concatenate([extra.min(1), extra.max(1)], axis=1) if len(extra) else np.zeros((0, 4))
        )
        quads, owner = [], []
        for i in indices:
            mine = box_quads(self.boxes[i].xyxy, squeezed)
            if len(extra):
                near = extra[overlap(np.array(self.boxes[i].xyxy), bounds) > 0.6]
                mine = np.concatenate([near, np.roll(near, -1, axis=1), mine])
            quads.append(mine)
            owner += [i] * len(mine)
        return np.concatenate(quads), np.array(owner)


def overlap(box: NDArray[np.floating], others: NDArray[np.floating]) -> NDArray[np.floating]:
    """IoU of one box (4,) with others (N, 4), all left, top, right, bottom."""
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, 2:])
    overlap = np.clip(high - low, 0, None).prod(1)
    area = (box[2:] - box[:2]).prod() + (others[:, 2:] - others[:, :2]).prod(1) - overlap
    return overlap / np.maximum(area, 1e-6)


def shop_sets(data: Path, part: Callable[[dict[str, Any]], bool]) -> list[FaceSet]:
    """The photographed shop tiles as opaque faces, fifty file numbers a set: neighbours come from one shop sheet."""
    groups: dict[int, dict[str, list[NDArray[np.uint8]]]] = {}
    with (data / "shop-tiles.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if not part(row):
                continue
            image = cv2.imread(str(data / row["image"]), cv2.IMREAD_COLOR)
            faces = groups.setdefault(int(Path(row["image"]).stem) // 50, {})
            faces.setdefault(row["tile"], []).append(
                cv2.resize(image, FACE_SIZE, interpolation=cv2.INTER_AREA)
            )
    return [
        FaceSet(f"shop-{number}", faces, photo=True) for number, faces in sorted(groups.items())
    ]


def background_photos(data: Path) -> list[Image]:
    """The tile-free photographs of the training part, at most 900 px on the long side."""
    photos = []
    for file in sorted((data / "no-tiles").iterdir()):
        if no_tiles_part(file.name) != "train":
            continue
        image = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if image is None:
            continue
        scale = 900 / max(image.shape[:2])
        if scale < 1:
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        photos.append(image)
    return photos

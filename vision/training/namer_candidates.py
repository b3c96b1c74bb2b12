"""What a finder makes of the training pictures: quads to try on labelled boxes, and finds that hit no tile."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder import Finder, FinderConfig
from vision.labels import INDEX, NOT
from vision.rectify import rectify, side_lengths
from vision.training.namer_bank import Bank
from vision.training.namer_canvas import BANK_MARGIN, BANK_SIZE
from vision.training.namer_crops import overlap

Image = NDArray[np.uint8]

Quads = Callable[[Image], NDArray[np.float32]]
"""Quads (N, 4, 2) in a picture, best score first."""

_SCORE: Final = 0.3
"""Least score of a find that teaches what is no tile: below the reader's own, so that near misses are there too."""

_EACH: Final = 6
"""Most crops of one picture: where the finder is lost, it is lost many times in the same way."""

_LOOKS: Final = 2
"""Closer looks at most: over a thousand pictures are asked about each time."""

_APART: Final = 0.3
"""A find that shares less than this with every tile of a render (IoU of the upright boxes around both) hits none."""

_SHOWN: Final = 0.25
"""Tiles of a render covered more than that need not be found, but a find on the rest may be a tile for all we know."""


def quads_by(path: Path) -> Quads:
    """The finder of an ONNX file, as what gives the quads of a picture.

    Raises:
        FileNotFoundError: if there is no such file.
    """
    finder = Finder(path, config=FinderConfig(score=_SCORE, looks=_LOOKS))
    return lambda image_bgr: finder.find(image_bgr).quads_px


def false_finds(quads: Quads, photographs: Sequence[Image], renders: Sequence[Path]) -> Bank:
    """Crops of what the finder takes for tiles in tile-free photographs and beside the tiles of renders: all ``not``.

    Args:
        quads: the finder's, see `quads_by`.
        photographs: pictures without tiles.
        renders: JSON files of a pool.
    """
    bank = Bank()
    for image in photographs:
        _cut(bank, image, quads(image))
    for file in renders:
        read = cv2.imread(str(file.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        if read is None:
            continue
        image = np.asarray(read, np.uint8)
        scene: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        found = quads(image)
        seen = [tile["quad"] for tile in scene["tiles"] if tile["visible"] >= _SHOWN]
        if seen and len(found):
            true = np.array(seen, np.float32)
            bounds = np.concatenate([true.min(1), true.max(1)], axis=1)
            boxes = np.concatenate([found.min(1), found.max(1)], axis=1)
            found = found[[overlap(box, bounds).max() < _APART for box in boxes]]
        _cut(bank, image, found)
    return bank


def _cut(bank: Bank, image: Image, quads: NDArray[np.float32]) -> None:
    quads = quads[:_EACH]  # best score first
    if len(quads):
        widths = np.minimum(*side_lengths(quads))
        for crop, width in zip(
            rectify(image, quads, BANK_SIZE, BANK_MARGIN)[0], widths, strict=True
        ):
            bank.add(crop, INDEX[NOT], False, float(width))

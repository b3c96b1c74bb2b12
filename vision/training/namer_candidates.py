"""What a finder makes of the training pictures: quads to try on labelled boxes, and finds that hit no tile.

The finder may be in training at the same time, in another process that exports it every few minutes. So its file is
looked for anew whenever the namer settles its photographs, and as long as there is none the namer does without.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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


class FinderQuads:
    """The finder whose file lies at ``path``, read again whenever the file has changed.

    Args:
        path: an ONNX file that need not exist yet; None for no finder at all.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp = 0
        self._finder: Finder | None = None

    def renew(self) -> bool:
        """Read the file if it is new; whether it was."""
        if self._path is None or not self._path.is_file():
            return False
        stamp = self._path.stat().st_mtime_ns
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        self._finder = Finder(self._path, config=FinderConfig(score=_SCORE, looks=_LOOKS))
        return True

    def __call__(self, image_bgr: Image) -> NDArray[np.float32]:
        """(N, 4, 2) quads of a picture, none without a finder."""
        if self._finder is None:
            return np.zeros((0, 4, 2), np.float32)
        return self._finder.find(image_bgr).quads_px


def false_finds(
    quads: FinderQuads,
    photographs: Sequence[Image],
    renders: Sequence[Path],
) -> Bank:
    """Crops of what the finder takes for tiles in tile-free photographs and beside the tiles of renders: all ``not``.

    Args:
        quads: the finder as it is now.
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

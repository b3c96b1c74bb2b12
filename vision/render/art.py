"""Artwork on disk: folders of face sets, read at the size needed, and what can be said of a set's drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import FACES

Image = NDArray[np.uint8]

OWN_FACES: Final = Path(__file__).parent / "own"
"""The project's own drawings: the only artwork that ships with it."""

ART_HEIGHTS: Final = (320, 160, 80)
"""Sizes at which artwork is kept in memory; a face is inked at the smallest that is large enough."""


class FaceLibrary:
    """Artwork on disk.

    Args:
        folder: holds one folder per set, or directly the PNGs of a single set.
        keep: which sets may be used, by name.
        more: folders of single sets besides.
    Raises:
        FileNotFoundError: the folder holds no artwork that may be used.
    """

    def __init__(
        self,
        folder: Path,
        keep: Callable[[str], bool] = lambda _name: True,
        more: Sequence[Path] = (),
    ) -> None:
        self._files: dict[str, dict[str, list[Path]]] = {}
        folders = [folder] if any(folder.glob("*.png")) else sorted(folder.glob("*/"))
        for place in [*folders, *more]:
            if not keep(place.name):
                continue
            codes: dict[str, list[Path]] = {}
            for file in sorted(place.glob("*.png")):
                codes.setdefault(file.stem.split("__")[0], []).append(file)
            if codes:
                self._files[place.name] = codes
        if not self._files:
            raise FileNotFoundError(f"no tile artwork that may be used in {folder}")

    @property
    def sets(self) -> tuple[str, ...]:
        return tuple(self._files)

    def codes(self, name: str) -> Iterable[str]:
        return self._files[name].keys()

    def drawings(self, name: str, code: str) -> list[Path]:
        """Every drawing a set has of a face, in a stable order."""
        return self._files[name].get(code, [])

    def complete_for(self, suits: str) -> list[str]:
        """Sets that draw every face of the suits given (``mpszfg``)."""
        wanted = [code for code in FACES if code[1] in suits and code[0] != "0"]
        return [
            name
            for name in self.sets
            if all(code in self._files[name] or code == "5z" for code in wanted)
        ]

    def jokers(self) -> list[Path]:
        """Faces outside the notation: jokers, animals, kings."""
        return [
            file
            for codes in self._files.values()
            for code, files in codes.items()
            if code.startswith("x") or code == "joker"
            for file in files
        ]


@lru_cache(maxsize=3000)
def load_art(file: Path, height: int) -> Image:
    """Artwork at a height in pixels: (h, w, 4) blue, green, red, alpha; read-only.

    Raises:
        ValueError: the file is no PNG with transparency.
    """
    art = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if art is None or art.ndim != 3 or art.shape[2] != 4:
        raise ValueError(f"{file} is not a PNG with transparency")
    if art.shape[0] == height:
        return np.asarray(art, np.uint8)
    width = round(art.shape[1] * height / art.shape[0])
    # Colour is weighted by alpha so that transparent pixels leave no fringe.
    weighted = art.astype(np.float32)
    weighted[..., :3] *= weighted[..., 3:] / 255
    small = cv2.resize(weighted, (width, height), interpolation=cv2.INTER_AREA)
    small[..., :3] /= np.maximum(small[..., 3:], 1e-3) / 255
    return np.clip(small, 0, 255).astype(np.uint8)


@lru_cache(maxsize=256)
def drawn_extent(folder: Path) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of what a set's suits and winds cover together, in art heights.

    Artists leave different margins; real sets do not.
    """
    height = ART_HEIGHTS[-1]
    cover: NDArray[np.uint8] | None = None
    for file in sorted(folder.glob("[1-9][mps]*.png")) + sorted(folder.glob("[1-4]z*.png")):
        alpha = load_art(file, height)[..., 3]
        cover = alpha if cover is None or cover.shape != alpha.shape else np.maximum(cover, alpha)
    if cover is None or not (cover > 40).any():
        return 0.0, 0.0, 0.75, 1.0
    rows, columns = np.nonzero((cover > 40).any(1))[0], np.nonzero((cover > 40).any(0))[0]
    return (
        float(columns[0]) / height,
        float(rows[0]) / height,
        float(columns[-1] + 1) / height,
        float(rows[-1] + 1) / height,
    )


@lru_cache(maxsize=4000)
def is_monochrome(file: Path) -> bool:
    """Whether the artwork has no colour of its own."""
    art = load_art(file, ART_HEIGHTS[-1]).astype(np.int16)
    inked = art[art[..., 3] > 128][:, :3]
    return len(inked) == 0 or float(np.ptp(inked, axis=1).mean()) < 12

"""Pictures the finder learns from: renders with exact quads, photographs with what is known of them, tile-free ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import WHITE
from vision.maps import Floats
from vision.training.finder_targets import IGNORED, TILE
from vision.training.split import NoTilesPart, no_tiles_part

SEEN_FROM: Final = 0.6
"""A tile counts when at least this share of its face is visible."""
HINTED_FROM: Final = 0.25
"""Between this and `SEEN_FROM` a tile is neither asked for nor forbidden; below, it is background."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture and its tiles.

    Attributes:
        image_bgr: (H, W, 3) uint8.
        quads_px: (N, 4, 2) float32, sides 0-1 and 2-3 the physical short ones.
        up: (N,) bool, face or back.
        states: (N,) int8, see `vision.training.finder_targets`.
        visible: (N,) float32 in 0..1, share of the face that is not covered.
        plain: (N,) bool, nothing printed on it: backs and white dragons.
    """

    image_bgr: NDArray[np.uint8]
    quads_px: Floats
    up: NDArray[np.bool_]
    states: NDArray[np.int8]
    visible: Floats
    plain: NDArray[np.bool_]


class Renders:
    """Renders of one or more pools: ``NNNNN.jpg`` beside ``NNNNN.json`` with exact quads.

    Args:
        pools: folders; their pictures are numbered through in order of name.
        part: ``"train"``, ``"check"`` (every `CHECKED`-th, never trained on) or ``"all"``.
    """

    CHECKED: Final = 25

    def __init__(self, pools: Sequence[Path], part: str = "train") -> None:
        found = [
            path for pool in pools for path in sorted(pool.glob("*.json")) if path.stem.isdigit()
        ]
        keep = {
            "train": lambda i: i % self.CHECKED != 0,
            "check": lambda i: i % self.CHECKED == 0,
            "all": lambda i: True,
        }
        self.paths = [path for i, path in enumerate(found) if keep[part](i)]

    def __len__(self) -> int:
        return len(self.paths)

    def load(self, index: int) -> Picture:
        path = self.paths[index]
        tiles: list[dict[str, Any]] = json.loads(path.read_text())["tiles"]
        tiles = [tile for tile in tiles if tile["visible"] >= HINTED_FROM]
        visible = np.array([tile["visible"] for tile in tiles], np.float32)
        return Picture(
            read_image(path.with_suffix(".jpg")),
            np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2),
            np.array([tile["up"] for tile in tiles], bool),
            np.where(visible >= SEEN_FROM, TILE, IGNORED).astype(np.int8),
            visible,
            np.array([not tile["up"] or tile["tile"] == WHITE for tile in tiles], bool),
        )


class TileFree:
    """Photographs that show no tile: whatever is found there is wrong.

    Args:
        paths: image files.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = list(paths)

    @classmethod
    def of(cls, data: Path, part: NoTilesPart) -> TileFree:
        """A part of ``data/no-tiles``, see `vision.training.split.no_tiles_part`."""
        return cls(
            [
                path
                for path in sorted((data / "no-tiles").iterdir())
                if no_tiles_part(path.name) == part
            ]
        )

    def __len__(self) -> int:
        return len(self.paths)

    def load(self, index: int) -> Picture:
        return without_tiles(read_image(self.paths[index]))


class Loaded:
    """Pictures that are kept in memory (photographs are few and small)."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        self.pictures = list(pictures)

    def __len__(self) -> int:
        return len(self.pictures)

    def load(self, index: int) -> Picture:
        return self.pictures[index]


def without_tiles(image_bgr: NDArray[np.uint8]) -> Picture:
    """A picture known to show no tile."""
    return Picture(
        image_bgr,
        np.zeros((0, 4, 2), np.float32),
        np.zeros(0, bool),
        np.zeros(0, np.int8),
        np.zeros(0, np.float32),
        np.zeros(0, bool),
    )


def read_image(path: Path) -> NDArray[np.uint8]:
    """BGR pixels of an image file; OSError names a file that cannot be read."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise OSError(f"cannot read the picture {path}")
    return np.asarray(image, np.uint8)

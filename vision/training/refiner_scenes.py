"""Pictures the refiner learns from, and what the finder mistakes for tiles in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, iou
from vision.training.desk import Numbered
from vision.training.finder_photos import LabelConfig, boxes_of, label_photo
from vision.training.finder_pictures import Picture, read_image
from vision.training.finder_score import Find

_ONCE = 0.2
"""Score of a false find that is listed once; twice the score counts four times."""

NO_QUADS: Floats = np.zeros((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture and what may be learned from it.

    Attributes:
        picture: see `Picture`; nothing is said of crops that show one of its ignored tiles.
        exact: the quads are the tiles' own corners (renders); else a finder's, which teach no corners.
        wrong: (N, 4, 2) float32 finds that are no tiles.
        searched: quads may be taken at random: all that is a tile is in the picture's list.
    """

    picture: Picture
    exact: bool
    wrong: Floats
    searched: bool


class Exact:
    """Pictures of which everything is known: renders, or photographs without tiles.

    Args:
        pictures: the source.
        wrong: what the finder mistakes for tiles, by number of the picture.
    """

    def __init__(self, pictures: Numbered[Picture], wrong: Mapping[int, Floats]) -> None:
        self._pictures, self._wrong = pictures, wrong

    def __len__(self) -> int:
        return len(self._pictures)

    def load(self, index: int) -> Scene:
        return Scene(self._pictures.load(index), True, self._wrong.get(index, NO_QUADS), True)


class Labelled:
    """Photographs with label boxes and the quads a finder gave them: real faces for "there is a tile".

    Without them "a tile" would soon mean "a render", and "none" a photograph. Flanks that pass for backs are "none".

    Args:
        data: folder of ``photos.jsonl``.
        rows: of the photographs.
        find: the present finder at a low threshold.
    """

    def __init__(self, data: Path, rows: Sequence[Mapping[str, Any]], find: Find) -> None:
        self._paths = [data / row["image"] for row in rows]
        config = LabelConfig()
        self._known, self._flanks = [], []
        for path, row in zip(self._paths, rows, strict=True):
            seen, flanks = label_photo(read_image(path), *boxes_of(row), find, config)
            self._known.append((seen.quads_px, seen.up, seen.states, seen.visible, seen.plain))
            self._flanks.append(flanks)

    def __len__(self) -> int:
        return len(self._paths)

    def load(self, index: int) -> Scene:
        picture = Picture(read_image(self._paths[index]), *self._known[index])
        return Scene(picture, False, self._flanks[index], False)


def mistaken(pictures: Numbered[Picture], find: Find, numbers: Sequence[int]) -> dict[int, Floats]:
    """Finds that are no tiles, by number of the picture; the surer the finder is of one, the more often it is listed.

    What the finder is sure of is rare and what a reader suffers from: alike, most of it still passed for tiles.

    Args:
        pictures: pictures of which every tile is known.
        find: the present finder at a low threshold.
        numbers: of the pictures to look at.
    """
    out: dict[int, Floats] = {}
    for number in numbers:
        picture = pictures.load(number)
        finds = find(picture.image_bgr)
        times = np.ceil((finds.scores / _ONCE) ** 2).astype(int)
        wrong = [
            np.repeat(quad[None], count, axis=0)
            for quad, count in zip(finds.quads_px, times, strict=True)
            if all(iou(quad, tile) < 0.1 for tile in picture.quads_px)
        ]
        if wrong:
            out[number] = np.concatenate(wrong)
    return out


def mirrored(kept: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners (N, 4, 2) in units of their quads, as a mirror shows them, in clockwise order again."""
    out = kept[:, [1, 0, 3, 2]].copy()
    out[..., 0] = 1 - out[..., 0]
    return out


def half_turned(kept: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners (N, 4, 2) in units of their quads, as a crop turned by 180 degrees shows them."""
    return 1 - np.roll(kept, 2, axis=1)

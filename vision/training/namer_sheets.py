"""Faces cut from shop pictures that show a whole set in a grid: where each grid lies, and what stands in it.

Only sheets of sets that are not held out: ``2-*``, ``5`` and ``11`` show the shop sets of the test, ``6-*`` the one
kept for validation, and the others here beside their tiles in ``shop-tiles`` would add nothing new.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import NOT
from vision.training.namer_canvas import FACE_SIZE
from vision.training.namer_faces import FaceSet

SKIP: Final = "-"
"""A cell that is not used: another direction, no tile, or a bonus tile whose name is not sure."""


@dataclass(frozen=True)
class Sheet:
    """One picture: ``box`` is left, top, right, bottom of the grid in pixels; ``rows`` name its cells.

    A row lists labels separated by blanks; ``1m..9m`` is a run, ``4*1z`` four of a kind, ``x`` a joker.
    """

    file: str
    box: tuple[int, int, int, int]
    rows: tuple[str, ...]


def _many(*rows: tuple[int, str]) -> tuple[str, ...]:
    return tuple(text for count, text in rows for _ in range(count))


def _dots_first(bamboo_bonus: str, character_bonus: str) -> tuple[str, ...]:
    """The order most shops lay a set out in, twelve by twelve."""
    return (
        *_many((4, "1p..9p 7z 6z 5z")),
        *(f"1s..9s 1z 2z {i}{bamboo_bonus}" for i in range(1, 5)),
        *(f"1m..9m 3z 4z {i}{character_bonus}" for i in range(1, 5)),
    )


SHEETS: Final = (
    Sheet(
        "artrageous-faces.jpg",
        (8, 8, 592, 595),
        (
            "1z 2z 3z 4z 5z 1f..4f x",
            "1z 2z 3z 5z 4z 1g..4g x",
            *_many((2, "1m..9m 7z"), (2, "1s..9s 6z"), (2, "1p..9p x")),
        ),
    ),
    Sheet("bams2.jpg", (11, 15, 789, 485), _many((4, "1s..9s"))),
    Sheet("craks2.jpg", (11, 12, 789, 485), _many((4, "1m..9m"))),
    Sheet("dots2.jpg", (5, 12, 795, 485), _many((4, "1p..9p"))),
    Sheet("winddragflow.jpg", (11, 12, 789, 485), tuple(f"1z..7z {i}f -" for i in range(1, 5))),
    Sheet("standard-chinese-mah.jpg", (62, 12, 412, 470), _dots_first("g", "f")),
    Sheet("ymi-chinese-mahjong-.jpg", (304, 48, 1664, 2024), _dots_first("g", "f")),
    Sheet(
        "tb2g6omnr5ybunjsspox.png",
        (0, 0, 751, 516),
        (
            "4*8m 4*4z 4*8s 4*8p -",
            "4*7m 4*3z 4*7s 4*7p -",
            "4*6m 4*2z 4*6s 4*6p -",
            "4*5m 4*1z 4*5s 4*5p -",
            "4*4m 4*6z 4*4s 4*4p -",
            "4*3m 4*5z 4*3s 4*3p -",
            "4*2m 4*7z 4*2s 4*2p -",
            "4*1m 4*9m 4*1s 4*1p -",
        ),
    ),
    Sheet(
        "tb268v6bkusbunjsszix.png",
        (0, 0, 751, 605),
        (
            *(f"4*{i}m 4*{i}z 4*{i}s 4*{i}p" for i in range(1, 5)),
            "4*5m 4*7z 4*5s 4*5p",
            "4*6m 4*6z 4*6s 4*6p",
            "4*7m 4*5z 4*7s 4*7p",
            "4*8m 1g..4g 4*8s 4*8p",
            "4*9m 1f..4f 4*9s 4*9p",
        ),
    ),
    Sheet(
        "1-tb268v6bkusbunjsszix.png",
        (0, 0, 678, 557),
        (
            *(f"4*{i}m 4*{i}p 4*{i}s 4*{i}z" for i in range(1, 5)),
            "4*5m 4*5p 4*5s 4*7z",
            "4*6m 4*6p 4*6s 4*6z",
            "4*7m 4*7p 4*7s 4*5z",
            "4*8m 4*8p 4*8s 1g..4g",
            "4*9m 4*9p 4*9s 1f..4f",
        ),
    ),
    Sheet(
        "tb2btnbxzia61bjy0fbx.jpg",
        (0, 0, 586, 384),
        (
            "4*1m 5m 4*6m 4*1z 7z 4*5z",
            "4*2m 5m 4*7m 4*2z 7z 4*6z",
            "4*3m 5m 4*8m 4*3z 7z 1g..4g",
            "4*4m 5m 4*9m 4*4z 7z 1f..4f",
            *(f"4*{i}s 5s 4*{i + 5}s 4*{i}p 5p 4*{i + 5}p" for i in range(1, 5)),
        ),
    ),
    Sheet(
        "4.jpg",
        (0, 0, 934, 1339),
        (
            "4*1s 4*5z 4*x",
            "4*4z 4*3s 4*5s",
            "4*3z 4*1z 4*2z",
            "1g..4g 4*4s 4*2s",
            "4*9s 4*7s 4*6s",
            "1g..4g 1f..4f 4*8s",
            "4*9p 4*8p 1g..4g",
            "4*7p 4*6p 4*5p",
            "4*4p 4*3p 4*2p",
            "4*1p 4*7z 4*6z",
            "4*9m 4*8m 4*7m",
            "4*6m 4*5m 4*4m",
            "4*3m 4*2m 4*1m",
        ),
    ),
    Sheet(
        "7.jpg",
        (0, 0, 789, 969),
        (
            *_many((4, "1p..9p 1z 2z 3z 4z")),
            *(f"1s..9s {i}g {i}g {j}g {i}f" for i, j in ((4, 4), (3, 2), (2, 3), (1, 1))),
            *_many((4, "1m..9m 7z 6z 5z x")),
        ),
    ),
)


def sheet_sets(data: Path) -> list[FaceSet]:
    """Every sheet as a set of opaque faces, like the single shop tiles."""
    sets = []
    for sheet in SHEETS:
        image = cv2.imread(str(data / "photos" / "shop-sheets" / sheet.file), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(f"no sheet {sheet.file} in {data / 'photos' / 'shop-sheets'}")
        faces: dict[str, list[NDArray[np.uint8]]] = {}
        for label, cell in cut(image, sheet):
            faces.setdefault(label, []).append(cell)
        sets.append(FaceSet(f"sheet-{sheet.file}", faces, photo=True))
    return sets


def cut(image: NDArray[np.uint8], sheet: Sheet) -> list[tuple[str, NDArray[np.uint8]]]:
    """The named cells of a sheet, each resized to a face."""
    left, top, right, bottom = sheet.box
    cells = []
    for y, row in enumerate(sheet.rows):
        labels = labels_of(row)
        y0, y1 = (round(top + (bottom - top) * (y + k) / len(sheet.rows)) for k in (0, 1))
        for x, label in enumerate(labels):
            if label == SKIP:
                continue
            x0, x1 = (round(left + (right - left) * (x + k) / len(labels)) for k in (0, 1))
            cell = image[y0:y1, x0:x1]
            shrinks = cell.shape[0] > FACE_SIZE[1]
            cell = cv2.resize(
                cell, FACE_SIZE, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
            )
            cells.append((NOT if label == "x" else label, np.asarray(cell, np.uint8)))
    return cells


def labels_of(row: str) -> list[str]:
    """``"4*1z 1m..3m -"`` -> ``["1z", "1z", "1z", "1z", "1m", "2m", "3m", "-"]``."""
    labels: list[str] = []
    for word in row.split():
        if "*" in word:
            count, label = word.split("*")
            labels += [label] * int(count)
        elif ".." in word:
            first, last = word.split("..")
            labels += [f"{rank}{first[1]}" for rank in range(int(first[0]), int(last[0]) + 1)]
        else:
            labels.append(word)
    return labels

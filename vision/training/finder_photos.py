"""What can be learned from labelled photographs: boxes are upright, and much in view has no label at all.

A label box becomes a tile with exact corners where the present finder agrees with it, else a tile of which only the
centre is known. What the finder sees without a label is taken for a tile if it is very sure, and left alone if not;
the flanks of tiles that it takes for backs are told from them, and taught as no tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.flanks import FlankConfig, flanks
from vision.labels import WHITE
from vision.maps import Floats, polygon_areas, shared_area
from vision.seen import Finds
from vision.training.finder_pictures import Picture, read_image
from vision.training.finder_score import Find, box_pairs
from vision.training.finder_targets import CENTRE, IGNORED, TILE


@dataclass(frozen=True, slots=True)
class LabelConfig:
    """When to believe whom."""

    agree: float = 0.45
    """IoU of a find's upright bounds with a label box from which the find's corners are taken, if the centres agree
    too: boxes of tiles that lie askew are often drawn around the print, well inside the corners."""
    off_centre: float = 0.2
    """Distance of the centres up to which they agree, as a share of the box's smaller side."""
    narrow: float = 1.7
    """A box this much longer than wide holds a tile that stands upright in a squeezed picture: the box is its quad."""
    sure: float = 0.75
    """Score from which an unlabelled find is taught as a tile: rivers, walls and backs are real but unlabelled."""
    covered: float = 0.4
    """A find that shares more than this with a labelled tile is the same tile."""
    flanks: FlankConfig = field(default_factory=FlankConfig)
    """What tells flanks from backs."""


def label_photo(
    image_bgr: NDArray[np.uint8],
    boxes: Floats,
    white: NDArray[np.bool_],
    find: Find,
    config: LabelConfig,
) -> tuple[Picture, Floats]:
    """A photograph with everything that is known or believed of its tiles, and the flanks (M, 4, 2) found in it.

    Args:
        image_bgr: (H, W, 3) uint8.
        boxes: (N, 4) x0, y0, x1, y1 of labelled faces; N may be 0.
        white: (N,) which of them are white dragons.
        find: the present finder, at a low threshold.
        config: thresholds.
    """
    finds = find(image_bgr)
    pairs = sorted(box_pairs(boxes, finds.quads_px), key=lambda pair: -pair[2])
    taken: dict[int, int] = {}
    for i, j, share in pairs:
        if share >= config.agree and i not in taken and j not in taken.values():
            apart = np.abs(finds.quads_px[j].mean(axis=0) - (boxes[i, :2] + boxes[i, 2:]) / 2).max()
            if apart <= config.off_centre * (boxes[i, 2:] - boxes[i, :2]).min():
                taken[i] = j
    quads, up, states, plain = [], [], [], white.tolist()
    for i, box in enumerate(boxes):
        quads.append(finds.quads_px[taken[i]] if i in taken else _upright(box))
        up.append(True)
        states.append(TILE if i in taken or _elongation(box) >= config.narrow else CENTRE)
    labelled = np.array(quads, np.float32).reshape(-1, 4, 2)
    others = _unlabelled(finds.quads_px, labelled, config)
    body = _flanks(image_bgr, labelled, finds, others, config)
    for j in np.setdiff1d(others, body):
        quads.append(finds.quads_px[j])
        up.append(bool(finds.up[j] > 0.5))
        plain.append(not up[-1])
        states.append(TILE if finds.scores[j] >= config.sure else IGNORED)
    picture = Picture(
        image_bgr,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(up, bool),
        np.array(states, np.int8),
        np.ones(len(quads), np.float32),
        np.array(plain, bool),
    )
    return picture, finds.quads_px[body]


def _unlabelled(quads: Floats, labelled: Floats, config: LabelConfig) -> NDArray[np.intp]:
    """Indices of the finds that are none of the labelled tiles."""
    areas, find_areas = polygon_areas(labelled), polygon_areas(quads)
    return np.array(
        [
            j
            for j, quad in enumerate(quads)
            if not any(
                shared_area(quad, q) > config.covered * min(find_areas[j], a)
                for q, a in zip(labelled, areas, strict=True)
            )
        ],
        np.intp,
    )


def _flanks(
    image_bgr: NDArray[np.uint8],
    labelled: Floats,
    finds: Finds,
    others: NDArray[np.intp],
    config: LabelConfig,
) -> NDArray[np.intp]:
    """Those of the other finds that are flanks of tiles, labelled or found."""
    up = finds.up[others] > 0.5
    sure = finds.scores[others] >= config.sure
    found = flanks(
        image_bgr,
        np.concatenate([labelled, finds.quads_px[others]]),
        np.concatenate([np.zeros(len(labelled), bool), ~up]),
        np.concatenate([np.ones(len(labelled), bool), up & sure]),
        config.flanks,
    )
    return others[found - len(labelled)]


def boxed_photo(
    image_bgr: NDArray[np.uint8], boxes: Floats, white: NDArray[np.bool_], config: LabelConfig
) -> Picture:
    """A photograph of which only the labels are believed: nothing is learned outside their boxes.

    Args:
        image_bgr: (H, W, 3) uint8.
        boxes: (N, 4) x0, y0, x1, y1 of labelled faces; N may be 0.
        white: (N,) which of them are white dragons.
        config: thresholds.
    """
    height, width = image_bgr.shape[:2]
    everything = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    quads = [everything, *(_upright(box) for box in boxes)]
    known = [TILE if _elongation(box) >= config.narrow else CENTRE for box in boxes]
    return Picture(
        image_bgr,
        np.stack(quads),
        np.ones(len(quads), bool),
        np.array([IGNORED, *known], np.int8),
        np.ones(len(quads), np.float32),
        np.array([False, *white], bool),
    )


def boxed_photos(
    data: Path, rows: Sequence[Mapping[str, Any]], config: LabelConfig
) -> list[Picture]:
    """`boxed_photo` for rows of ``photos.jsonl``."""
    return [boxed_photo(read_image(data / row["image"]), *boxes_of(row), config) for row in rows]


def label_photos(
    data: Path, rows: Sequence[Mapping[str, Any]], find: Find, config: LabelConfig
) -> list[Picture]:
    """`label_photo` for rows of ``photos.jsonl``, without the flanks."""
    return [
        label_photo(read_image(data / row["image"]), *boxes_of(row), find, config)[0]
        for row in rows
    ]


def boxes_of(row: Mapping[str, Any]) -> tuple[Floats, NDArray[np.bool_]]:
    """Label boxes (N, 4) of a row of ``photos.jsonl``, and which of them (N,) are white dragons."""
    boxes = np.array([box["xyxy"] for box in row["boxes"]], np.float32).reshape(-1, 4)
    return boxes, np.array([box["tile"] == WHITE for box in row["boxes"]], bool)


def _elongation(box: Floats) -> float:
    width, height = float(box[2] - box[0]), float(box[3] - box[1])
    return max(width, height) / max(min(width, height), 1e-3)


def _upright(box: Floats) -> Floats:
    x0, y0, x1, y1 = (float(v) for v in box)
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    # The first side of a quad is the short one.
    first = 0 if x1 - x0 <= y1 - y0 else 1
    return np.array(corners[first:] + corners[:first], np.float32)

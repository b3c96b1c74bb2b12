"""How well a finder finds: on renders with exact quads, on labelled photographs, on tile-free ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.maps import Floats, describe, iou
from vision.seen import Finds
from vision.training.desk import Numbered
from vision.training.finder_pictures import Picture, read_image
from vision.training.finder_targets import IGNORED
from vision.training.split import photo_part

Find = Callable[[NDArray[np.uint8]], Finds]


@dataclass
class RenderScore:
    """Counts over renders; ``corner`` holds one error a found tile, as a share of the tile's short side."""

    tiles: int = 0
    finds: int = 0
    found_50: int = 0
    found_75: int = 0
    wrong: int = 0
    turned: int = 0
    misjudged_face: int = 0
    corner: list[float] = field(default_factory=list)

    def line(self) -> str:
        """One line of figures."""
        tiles, matched = max(self.tiles, 1), max(len(self.corner), 1)
        return (
            f"{self.tiles} tiles  recall@50 {self.found_50 / tiles:.4f}  recall@75 {self.found_75 / tiles:.4f}  "
            f"precision@50 {1 - self.wrong / max(self.finds, 1):.4f}  "
            f"corner {np.median(self.corner or [0]):.4f} (90 %: {np.quantile(self.corner or [0], 0.9):.4f})  "
            f"sides swapped {self.turned / matched:.4f}  face/back wrong {self.misjudged_face / matched:.4f}"
        )


def score_renders(
    find: Find,
    renders: Numbered[Picture],
    sizes: Sequence[tuple[float, float]] = ((0, 1e9),),
    limit: int | None = None,
) -> list[RenderScore]:
    """Match finds to true quads by IoU, best pairs first.

    Args:
        find: the finder.
        renders: pictures with exact quads.
        sizes: ranges of the short side in picture pixels; one score each, by the true tile's size. Wrong finds are
            counted in the range of their own size.
        limit: number of pictures at most.

    Returns:
        One score for each range. Finds on tiles that are too covered to count are neither right nor wrong.
    """
    scores = [RenderScore() for _ in sizes]
    for index in range(min(len(renders), limit or len(renders))):
        picture = renders.load(index)
        finds = find(picture.image_bgr)
        pairs = _pairs(picture.quads_px, finds.quads_px)
        of_find, of_tile = _greedy(pairs, 0.5)
        excused = {j for i, j, share in pairs if share > 0.2 and picture.states[i] == IGNORED}
        true_short, found_short = _short(picture.quads_px), _short(finds.quads_px)
        for score, (low, high) in zip(scores, sizes, strict=True):
            for i in np.flatnonzero(
                (picture.states != IGNORED) & (true_short >= low) & (true_short < high)
            ):
                score.tiles += 1
                if int(i) not in of_tile:
                    continue
                j, share = of_tile[int(i)]
                score.found_50 += 1
                score.found_75 += share >= 0.75
                error, swapped = corner_error(picture.quads_px[i], finds.quads_px[j])
                score.corner.append(error)
                score.turned += swapped
                score.misjudged_face += bool(finds.up[j] > 0.5) != bool(picture.up[i])
            for k in np.flatnonzero((found_short >= low) & (found_short < high)):
                score.finds += 1
                score.wrong += int(k) not in of_find and int(k) not in excused
    return scores


def corner_error(true: Floats, found: Floats) -> tuple[float, bool]:
    """Mean distance of the corners over the true short side, and whether the sides' order is off by a quarter turn."""
    found = found if _clockwise(found) == _clockwise(true) else found[::-1]
    errors = [
        float(np.linalg.norm(true - np.roll(found, k, axis=0), axis=1).mean()) for k in range(4)
    ]
    best = int(np.argmin(errors))
    return errors[best] / max(float(_short(true[None])[0]), 1e-3), bool(best % 2)


def photo_rows(data: Path, parts: Iterable[str] = ("train",)) -> list[dict[str, Any]]:
    """Rows of ``photos.jsonl`` of some parts of the split, caption-only boxes left out."""
    wanted = set(parts)
    rows = [json.loads(line) for line in (data / "photos.jsonl").read_text().splitlines() if line]
    rows = [row for row in rows if photo_part(row) in wanted]
    for row in rows:
        row["boxes"] = [box for box in row["boxes"] if not box.get("caption_only")]
    return rows


def boxes_found(boxes: Floats, finds: Finds, least: float = 0.5) -> NDArray[np.bool_]:
    """Which label boxes (N, 4: x0, y0, x1, y1) have a find of their own whose upright bounds overlap by ``least``."""
    pairs = box_pairs(boxes, finds.quads_px)
    _, of_box = _greedy(pairs, least)
    return np.array([i in of_box for i in range(len(boxes))], bool)


def box_pairs(boxes: Floats, quads_px: Floats) -> list[tuple[int, int, float]]:
    """(box, quad, IoU of the upright bounds) of all that overlap."""
    if not len(boxes) or not len(quads_px):
        return []
    low, high = quads_px.min(axis=1), quads_px.max(axis=1)
    shared = np.minimum(boxes[:, None, 2:], high[None]) - np.maximum(boxes[:, None, :2], low[None])
    inter = np.prod(np.maximum(shared, 0), axis=2)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)[:, None] + np.prod(high - low, axis=1)[None]
    share = inter / np.maximum(area - inter, 1e-6)
    return [(int(i), int(j), float(share[i, j])) for i, j in np.argwhere(share > 0)]


def score_photos(
    find: Find, data: Path, rows: Sequence[dict[str, Any]]
) -> dict[str, tuple[int, int]]:
    """(found, labelled) of each dataset and part, by the upright bounds at IoU 0.5."""
    counts: dict[str, tuple[int, int]] = {}
    for row in rows:
        finds = find(read_image(data / row["image"]))
        boxes = np.array([box["xyxy"] for box in row["boxes"]], np.float32).reshape(-1, 4)
        found = int(boxes_found(boxes, finds).sum())
        key = f"{row['dataset']} {photo_part(row)}"
        before = counts.get(key, (0, 0))
        counts[key] = (before[0] + found, before[1] + len(boxes))
    return counts


def score_tile_free(find: Find, pictures: Numbered[Picture]) -> list[int]:
    """Number of false finds on each picture."""
    return [len(find(pictures.load(i).image_bgr)) for i in range(len(pictures))]


def _pairs(true: Floats, found: Floats) -> list[tuple[int, int, float]]:
    boxes = (
        np.concatenate([true.min(axis=1), true.max(axis=1)], axis=1)
        if len(true)
        else np.zeros((0, 4), np.float32)
    )
    return [(i, j, iou(true[i], found[j])) for i, j, _ in box_pairs(boxes, found)]


def _greedy(
    pairs: list[tuple[int, int, float]], least: float
) -> tuple[dict[int, tuple[int, float]], dict[int, tuple[int, float]]]:
    of_second: dict[int, tuple[int, float]] = {}
    of_first: dict[int, tuple[int, float]] = {}
    for i, j, share in sorted(pairs, key=lambda pair: -pair[2]):
        if share < least:
            break
        if i not in of_first and j not in of_second:
            of_first[i], of_second[j] = (j, share), (i, share)
    return of_second, of_first


def _short(quads_px: Floats) -> Floats:
    _, short, long = describe(quads_px)
    return np.minimum(np.hypot(*short.T), np.hypot(*long.T)).astype(np.float32)


def _clockwise(quad: Floats) -> bool:
    a, b = quad[2] - quad[0], quad[3] - quad[1]
    return bool(a[0] * b[1] - a[1] * b[0] > 0)

"""How well rendered photographs of held-out designs are read: the only pictures whose truth is complete and exact."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.labels import BACK, DIRECTIONLESS, RED_FIVES, plain
from vision.maps import Floats
from vision.measure.match import calibration_error, corner_error, match_quads, same_direction
from vision.measure.photos import Read, rate
from vision.rectify import side_lengths
from vision.seen import Reading

COUNTS: Final = 0.6
"""A tile counts when at least this share of its face is visible."""
IGNORED: Final = 0.25
"""A find on a tile that shows at least this much is no false find."""


@dataclass
class RenderScore:
    """Counts over renders; ``images`` are those with tiles that count, ``designs`` has tiles and right ones of each.

    Only tiles whose short side lies within ``short_px`` count; finds on the others are neither right nor false.
    """

    short_px: tuple[float, float] = (0.0, math.inf)
    images: int = 0
    exact: int = 0
    tiles: int = 0
    found_50: int = 0
    found_75: int = 0
    right: int = 0
    listed: int = 0
    false: int = 0
    reds: int = 0
    reds_right: int = 0
    plain_fives: int = 0
    plain_fives_right: int = 0
    backs: int = 0
    backs_right: int = 0
    backs_asked: int = 0
    backs_found: int = 0
    faces: int = 0
    faces_right: int = 0
    directed: int = 0
    directed_right: int = 0
    corners: list[float] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)
    good: list[bool] = field(default_factory=list)
    confusion: dict[tuple[str, str], int] = field(default_factory=dict)
    designs: dict[str, list[int]] = field(default_factory=dict)

    def add(self, reading: Reading, truth: list[dict[str, Any]]) -> None:
        """One picture and the tiles of its JSON."""
        tiles_before, wrong_before = self.tiles, self.tiles - self.right
        quads: Floats = np.array([t.quad_px for t in reading.tiles], np.float32).reshape(-1, 4, 2)
        true_quads: Floats = np.array([t["quad"] for t in truth], np.float32).reshape(-1, 4, 2)
        matches, overlaps = match_quads(quads, true_quads)
        claimed = {int(find) for find in matches if find >= 0}
        near = [j for j, tile in enumerate(truth) if tile["visible"] >= IGNORED]
        for find in range(len(quads)):
            self.listed += 1
            lies_on_one = near and overlaps[find, near].max() >= 0.3
            self.false += find not in claimed and not lies_on_one
        for j, (tile, find) in enumerate(zip(truth, matches, strict=True)):
            if tile["visible"] < COUNTS or tile["tile"] == "?" or not self._sized(true_quads[j]):
                continue
            self.tiles += 1
            self.backs_asked += tile["tile"] == BACK
            self.backs_found += tile["tile"] == BACK and find >= 0
            design = self.designs.setdefault(tile["set"], [0, 0])
            design[0] += 1
            design[1] += find >= 0 and reading.tiles[find].tile == tile["tile"]
            if find < 0:
                self._confuse(tile["tile"], "missed")
                continue
            self.found_50 += 1
            self.found_75 += bool(overlaps[find, j] >= 0.75)
            self.corners.append(corner_error(quads[find], true_quads[j]))
            self._judge(tile["tile"], reading, int(find), true_quads[j], quads[find])
        if self.tiles > tiles_before:
            self.images += 1
            self.exact += self.tiles - self.right == wrong_before

    def _sized(self, quad_px: Floats) -> bool:
        short = float(np.min(side_lengths(quad_px)))
        return self.short_px[0] <= short <= self.short_px[1]

    def _judge(
        self, label: str, reading: Reading, find: int, truth_px: Floats, quad_px: Floats
    ) -> None:
        name, confidence = reading.tiles[find].tile, reading.tiles[find].confidence
        self.right += name == label
        self.confidences.append(confidence)
        self.good.append(name == label)
        if name != label:
            self._confuse(label, name)
        if plain(name) == plain(label) and label in RED_FIVES:
            self.reds += 1
            self.reds_right += name == label
        elif plain(name) == plain(label) and label[0] == "5" and label[1] in "mps":
            self.plain_fives += 1
            self.plain_fives_right += name == label
        if label == BACK:
            self.backs += 1
            self.backs_right += name == BACK
        else:
            self.faces += 1
            self.faces_right += name != BACK
        if label not in DIRECTIONLESS:
            self.directed += 1
            self.directed_right += same_direction(quad_px, truth_px)

    def _confuse(self, label: str, name: str) -> None:
        self.confusion[label, name] = self.confusion.get((label, name), 0) + 1

    def to_json(self) -> dict[str, Any]:
        """Counts and rates; corner errors as shares of the tile's short side."""
        worst = sorted(self.confusion.items(), key=lambda item: -item[1])[:40]
        corners = self.corners or [0.0]
        return {
            "images": self.images,
            "tiles": self.tiles,
            "recall_50": rate(self.found_50, self.tiles),
            "recall_75": rate(self.found_75, self.tiles),
            "faces_found": rate(self.found_50 - self.backs_found, self.tiles - self.backs_asked),
            "backs_found": rate(self.backs_found, self.backs_asked),
            "right_of_tiles": rate(self.right, self.tiles),
            "right_of_found": rate(self.right, self.found_50),
            "false_share": rate(self.false, self.listed),
            "exact_images": rate(self.exact, self.images),
            "corner_error_median": round(float(np.median(corners)), 4),
            "corner_error_p90": round(float(np.quantile(corners, 0.9)), 4),
            "red_five_right": rate(self.reds_right, self.reds),
            "plain_five_right": rate(self.plain_fives_right, self.plain_fives),
            "back_right": rate(self.backs_right, self.backs),
            "face_right": rate(self.faces_right, self.faces),
            "direction_right": rate(self.directed_right, self.directed),
            "ece": round(calibration_error(self.confidences, self.good), 4),
            "by_design": {
                name: [tiles, rate(right, tiles)]
                for name, (tiles, right) in sorted(self.designs.items())
            },
            "confusion": [[a, b, n] for (a, b), n in worst],
        }


def score_renders(
    read: Read,
    folder: Path,
    progress: Callable[[str], None] = lambda _: None,
    short_px: tuple[float, float] | None = None,
) -> RenderScore:
    """Read every render of a pool folder, see `vision.render.pool`; tiles of other short sides do not count."""
    score = RenderScore(short_px or (0.0, math.inf))
    for path in sorted(folder.glob("*.json")):
        progress(path.name)
        image = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(path.with_suffix(".jpg"))
        truth = json.loads(path.read_text(encoding="utf-8"))["tiles"]
        score.add(read(image.astype(np.uint8, copy=False)), truth)
    return score

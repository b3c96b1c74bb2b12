"""Painted tiles for tests without networks: a face is one grey that stands for its label, with a white top edge."""

from __future__ import annotations

import cv2
import numpy as np

from vision.labels import INDEX, LABELS, NOT
from vision.seen import Finds, Names

STEP = 5  # grey levels between two labels
BACKGROUND = 250


def picture(tiles: list[tuple[str, np.ndarray]], size: tuple[int, int] = (900, 700)) -> np.ndarray:
    """Tiles as (label, quad from the face's own top left), painted over a background of no tile."""
    out = np.full((size[1], size[0], 3), BACKGROUND, np.uint8)
    for label, quad in tiles:
        grey = 4 + STEP * INDEX[label]
        cv2.fillConvexPoly(out, np.round(quad).astype(int), (grey, grey, grey))
        top = np.array(
            [quad[0], quad[1], quad[1] * 0.8 + quad[2] * 0.2, quad[0] * 0.8 + quad[3] * 0.2]
        )
        cv2.fillConvexPoly(out, np.round(top).astype(int), (0, 255, 0))
    return out


class PaintedFinder:
    """Finds the quads it is given, in the corner order it is given."""

    def __init__(self, quads: list[np.ndarray], scores: list[float] | None = None) -> None:
        self.quads = np.array(quads, np.float32).reshape(-1, 4, 2)
        self.scores = np.array(scores if scores is not None else [0.97] * len(quads), np.float32)

    def find(self, image_bgr: np.ndarray) -> Finds:
        return Finds(self.quads, self.scores, np.full(len(self.quads), 0.5, np.float32))


class PaintedNamer:
    """Reads the grey of a crop; says "not" where the top edge lies to a side."""

    def __init__(self, sure: float = 0.96) -> None:
        self.sure = sure
        self.seen = 0

    def name(self, crops: np.ndarray) -> Names:
        self.seen += len(crops)
        n = len(crops)
        posteriors = np.full((n, len(LABELS)), (1 - self.sure) / (len(LABELS) - 1), np.float32)
        turned = np.zeros(n, np.float32)
        for i, crop in enumerate(crops):
            h, w = crop.shape[:2]
            grey = float(np.median(crop[h // 2 - 3 : h // 2 + 3, w // 2 - 3 : w // 2 + 3]))
            green = crop[:, :, 1].astype(int) - crop[:, :, 0]
            edges = {
                "top": green[h // 10 + 2, w // 2],
                "bottom": green[-h // 10 - 2, w // 2],
                "left": green[h // 2, w // 10 + 1],
                "right": green[h // 2, -w // 10 - 1],
            }
            side = max(edges, key=lambda name: edges[name])
            label = round((grey - 4) / STEP)
            known = side in ("top", "bottom") and edges[side] > 100 and label < INDEX[NOT]
            posteriors[i, label if known else INDEX[NOT]] = self.sure
            turned[i] = 0.9 if side == "bottom" else 0.1
        return Names(posteriors, turned, np.zeros((n, 4), np.float32))

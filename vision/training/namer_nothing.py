"""Crops that hold no tile: misplaced quads, flanks, tables, photographs, cards, dice, keys and writing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.training.namer_canvas import (
    CANVAS,
    FACE_SIZE,
    FONTS,
    Backdrop,
    Image,
    corner_mask,
    paste,
)
from vision.training.namer_tiles import Style


class NoTiles:
    """Draws what a finder may offer that is no tile.

    Args:
        backdrop: tables and photographs.
        rng: the only source of chance.
    """

    def __init__(self, backdrop: Backdrop, rng: np.random.Generator) -> None:
        self._backdrop = backdrop
        self._rng = rng

    def draw(self, tiles: Sequence[Image], style: Style) -> Image:
        """One canvas; ``tiles`` are faces of ``style`` to misplace."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.30:
            return self._misplaced(tiles, style)
        if kind < 0.40:
            return self._flanks(style)
        if kind < 0.48:
            return self._backdrop.table()
        if kind < 0.53 and self._backdrop.photos:
            return self._backdrop.whole()
        if kind < 0.78 and self._backdrop.photos:
            return self._backdrop.patch()
        return self._thing(style)

    def _misplaced(self, tiles: Sequence[Image], style: Style) -> Image:
        """A patch of a table of tiles cut at the wrong place, size or angle."""
        rng = self._rng
        w, h = FACE_SIZE
        gap = int(rng.integers(0, 8))
        table = cv2.resize(self._backdrop.table(), (4 * w, 4 * h))
        mask = corner_mask(style.radius)
        slip = rng.integers(0, h // 2)
        for row in range(4):
            for column in range(4):
                if rng.random() < 0.85:
                    tile = tiles[int(rng.integers(len(tiles)))]
                    at = (column * (w + gap) - 20, row * (h + gap) - int(slip) * (column % 2))
                    paste(table, tile if rng.random() < 0.6 else tile[::-1, ::-1], at, mask)
        how = rng.random()
        centre_x, centre_y = 1.5 * w + gap - 20, 1.5 * h + gap
        scale, angle = rng.uniform(0.9, 1.1), rng.normal(0, 4)
        if how < 0.45:
            offset = rng.uniform(0.38, 0.62)
            centre_x += offset * w * (rng.random() < 0.6)
            centre_y += offset * h * (rng.random() < 0.6) or offset * h * 0.9
        elif how < 0.75:
            scale = rng.uniform(1.7, 3.0)
        else:
            angle = rng.uniform(35, 60) * rng.choice([-1, 1])
            scale *= 1.3
        matrix = cv2.getRotationMatrix2D((centre_x, centre_y), angle, 1 / scale)
        matrix[:, 2] += np.array([CANVAS[0] / 2 - centre_x, CANVAS[1] / 2 - centre_y])
        return cv2.warpAffine(
            table, matrix, CANVAS, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        )

    def _flanks(self, style: Style) -> Image:
        """The narrow sides of one or several tiles: two layers, no artwork."""
        rng = self._rng
        w, h = CANVAS
        canvas = self._backdrop.table()
        count = int(rng.integers(1, 5))
        width = int(w * 0.85 / count)
        share = rng.uniform(0.3, 0.75)
        shade = rng.uniform(0.6, 1.0)
        for i in range(count):
            left, top, bottom = int(w * 0.075) + i * width, int(h * 0.1), int(h * 0.9)
            middle = int(top + (bottom - top) * share)
            for y0, y1, colour in ((top, middle, style.layer), (middle, bottom, style.back)):
                dim = shade * rng.uniform(0.93, 1.03)
                cv2.rectangle(
                    canvas, (left, y0), (left + width - 2, y1), tuple(c * dim for c in colour), -1
                )
        return np.ascontiguousarray(np.rot90(canvas, 2)) if rng.random() < 0.5 else canvas

    def _thing(self, style: Style) -> Image:
        """Cards, dice, keys, labels: light rectangles with a rim and marks of another kind."""
        rng = self._rng
        w, h = CANVAS
        canvas = self._backdrop.table()
        level = rng.uniform(120, 255)
        colour = tuple(float(level * v) for v in rng.uniform(0.85, 1.0, 3))
        pad_x, pad_y = rng.uniform(0.0, 0.3, 2)
        x0, y0, x1, y1 = (
            int(w * pad_x),
            int(h * pad_y),
            int(w * (1 - pad_x * 0.9)),
            int(h * (1 - pad_y * 0.9)),
        )
        what = rng.random()
        cv2.rectangle(canvas, (x0, y0), (x1, y1), colour, -1)
        dark = tuple(float(v) for v in rng.uniform(0, 120, 3))
        if what < 0.3:  # printed words
            for _ in range(int(rng.integers(1, 7))):
                text = "".join(
                    rng.choice(list("abcdefghijklmnopqrstuvwxyzABCDEFGHKLMNPRST0123456789 .,:"), 8)
                )
                at = (int(rng.uniform(-0.2, 0.5) * w), int(rng.uniform(0.1, 1) * h))
                cv2.putText(
                    canvas,
                    text,
                    at,
                    int(rng.choice(FONTS)),
                    rng.uniform(0.4, 2.5),
                    dark,
                    2,
                    cv2.LINE_AA,
                )
        elif what < 0.5:  # one big letter or digit on a key or a card
            text = str(rng.choice(list("ABCDFGHJKLMQRTUVXYZ024678+-=?!&%@#")))
            at = (int(w * rng.uniform(0.2, 0.45)), int(h * rng.uniform(0.4, 0.75)))
            size, thick = rng.uniform(1, 4), int(rng.integers(2, 7))
            cv2.putText(canvas, text, at, int(rng.choice(FONTS)), size, dark, thick, cv2.LINE_AA)
        elif what < 0.65:  # a die: pips in a square
            size = min(x1 - x0, y1 - y0)
            canvas[y0 + size :] = canvas[0, 0]
            for _ in range(int(rng.integers(1, 7))):
                at = (
                    x0 + int(size * rng.choice([0.25, 0.5, 0.75])),
                    y0 + int(size * rng.choice([0.25, 0.5, 0.75])),
                )
                cv2.circle(canvas, at, max(3, size // 10), dark, -1, cv2.LINE_AA)
        elif what < 0.8:  # lines and grids
            for _ in range(int(rng.integers(2, 12))):
                ends = (rng.uniform(0, 1, 4) * [w, h, w, h]).astype(int)
                if rng.random() < 0.6:
                    ends[2] = ends[0]
                cv2.line(
                    canvas,
                    tuple(ends[:2]),
                    tuple(ends[2:]),
                    dark,
                    int(rng.integers(1, 6)),
                    cv2.LINE_AA,
                )
        else:  # a plain surface without a tile's rim
            canvas[:] = np.clip(np.array(colour) + rng.normal(0, 3, (h, w, 1)), 0, 255).astype(
                np.uint8
            )
            if rng.random() < 0.5:
                angle = rng.uniform(0, np.pi)
                yy, xx = np.mgrid[0:h, 0:w]
                beyond = (xx - w / 2) * np.cos(angle) + (yy - h / 2) * np.sin(angle) > rng.uniform(
                    -30, 30
                )
                canvas[beyond] = (canvas[beyond] * rng.uniform(0.2, 0.85)).astype(np.uint8)
        return canvas

"""Find every visible tile in a picture of any size: onnxruntime, numpy and OpenCV.

One network sees tiles well while their short side measures some 12 to 100 pixels. So the picture is first looked at
as a whole, at a fixed small size, which is enough for a hand or a close-up. Where that look hints at small tiles,
only those parts are looked at again, enlarged until the tiles have the size the network likes. A picture of large tiles
is looked at once more at a smaller size, and so is one whose tiles fill the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.maps import STRIDE, Floats, decode, describe, suppress
from vision.seen import Finds
from vision.session import open_session

_MULTIPLE = 32
"""The network's deepest stride: its input's sides are multiples of it."""

_HALVED_FROM = 4.0
"""What is to be shrunk further than this is halved first: twelve megapixels take 10 instead of 25 ms, and no pixel
differs by more than 8 of 255."""


@dataclass(frozen=True, slots=True)
class FinderConfig:
    """Every threshold of the finder; pixels are those of the network's input unless said otherwise."""

    score: float = 0.25
    """Least score of a find: one true tile in a hundred scores less, and the refiner and the namer judge them all."""
    hint: float = 0.15
    """Least score of a peak that decides where to look closer: tiles too small to be sure of still show."""
    most: int = 600
    """Finds at most, the surest: four sets of tiles side by side. What holds more is no table, and every find is looked
    at by two more networks."""
    overlap: float = 0.4
    """Of two finds that share more than this part of the smaller one, the worse goes; neighbours share under 0.1."""
    first_px: int = 640
    """Long side of the first look: a hand of 14 across the picture still has tiles of 30 pixels and more."""
    small_px: float = 14.0
    """Tiles with a shorter side below this are looked at again, larger: neighbours are three cells apart from here on,
    and the refiner puts the corners right."""
    wanted_px: float = 22.0
    """Short side that the typical tile of a closer look gets: the most frequent one of the training."""
    tiny_px: float = 8.0
    """If the typical small tile is below this, its size is a guess and its neighbours are missed: the whole picture is
    looked at again at twice the size before parts are chosen."""
    large_px: float = 35.0
    """If the typical tile is above this, the picture is looked at again, smaller. The network sees such tiles, but less
    surely than those of the size it likes: of 1,980 labels kept aside six more are read right, of 115 pictures four."""
    liked_px: float = 25.0
    """Short side that the typical tile of such a look gets."""
    big_px: float = 110.0
    """Tiles above this short side are at the edge of what the network learned: look again at a third of the size."""
    enlarge: float = 2.0
    """Never look at more than this many input pixels for each pixel of the picture: beyond, there is nothing to see."""
    looks: int = 3
    """Closer looks at most, one after the other."""
    margin: float = 1.2
    """How far a part reaches beyond the hints in it, in tile lengths: neighbours that were missed lie there."""
    fill: float = 0.6
    """A part is split while the hints fill less than this share of it and splitting saves pixels."""
    look_px: int = 1_600_000
    """Input pixels of one closer look at most; above, the look is made at a smaller scale."""

    def __post_init__(self) -> None:
        if not 0 < self.hint <= self.score < 1:
            raise ValueError(f"0 < hint <= score < 1, got hint {self.hint}, score {self.score}")


@dataclass(frozen=True, slots=True)
class _Look:
    """Finds of one look in picture pixels, and the scale (input pixels a picture pixel) they were seen at."""

    finds: Finds
    scale: float


class Finder:
    """Pictures to quads, on one ONNX session. Not shared between threads at the same time.

    Args:
        path: the ONNX file.
        threads: threads the network may use.
        config: thresholds.
    """

    def __init__(
        self, path: Path | str, threads: int = 1, config: FinderConfig | None = None
    ) -> None:
        self.config = config or FinderConfig()
        self._session = open_session(path, threads)

    def find(self, image_bgr: NDArray[np.uint8]) -> Finds:
        """Every visible face and back.

        Args:
            image_bgr: (H, W, 3) uint8, from 32 pixels a side to tens of megapixels.

        Returns:
            Finds in pixels of the picture, best score first. Sides 0-1 and 2-3 of a quad are those that belong to
            the tile's short side, also where perspective makes them look longer; which of the two ends is the
            face's top is not known here.

        Raises:
            ValueError: if the picture has another shape or type.
        """
        if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8:
            raise ValueError(
                f"image must be (H, W, 3) uint8, got {image_bgr.shape} {image_bgr.dtype}"
            )
        config = self.config
        height, width = image_bgr.shape[:2]
        scale = config.first_px / max(height, width)
        # Smaller looks are made of the first one's pixels: shrinking twelve megapixels takes longer than a look.
        shrunk = _resized(image_bgr, scale)
        first = self._whole(shrunk, (width, height), scale, 1.0)
        looks = [first, *self._smaller(shrunk, (width, height), scale, first.finds)]
        last = first
        for _ in range(config.looks):
            closer = self._closer(image_bgr, last)
            if closer is None:
                break
            looks[looks.index(last)] = _Look(_without_small(last, config.small_px), last.scale)
            looks.append(closer)
            last = closer
        return self._merge(looks)

    def _whole(
        self, shrunk: NDArray[np.uint8], size: tuple[int, int], scale: float, by: float
    ) -> _Look:
        """Look at ``by`` times a whole picture of ``size`` (width, height) that is already shrunk to a scale."""
        height, width = shrunk.shape[:2]
        finds = self._look(shrunk, [(0, 0, width, height)], by).finds
        ratio = np.array((size[0] / width, size[1] / height), np.float32)
        return _Look(Finds(finds.quads_px * ratio, finds.scores, finds.up), scale * by)

    def _smaller(
        self, shrunk: NDArray[np.uint8], size: tuple[int, int], scale: float, seen: Finds
    ) -> list[_Look]:
        """Look again, smaller, at a picture whose tiles fill it or are larger than the network likes them."""
        config = self.config
        short = _short_sides(seen) * scale
        sure = seen.scores >= config.score
        looks = []
        if not sure.any() or short[sure].max() > config.big_px:
            looks.append(self._whole(shrunk, size, scale, 1 / 3))
        distinct = short[sure & (short >= config.small_px)]
        if len(distinct) and (typical := float(np.median(distinct))) > config.large_px:
            look = self._whole(shrunk, size, scale, config.liked_px / typical)
            looks.append(_Look(_without_small(look, config.small_px), look.scale))
        return looks

    def _closer(self, image_bgr: NDArray[np.uint8], last: _Look) -> _Look | None:
        """Look again at what the last look saw too small; None if nothing is small or the picture gives no more."""
        config = self.config
        height, width = image_bgr.shape[:2]
        short = _short_sides(last.finds) * last.scale
        small = short < config.small_px
        limit = config.enlarge
        if not small.any() or last.scale > limit * 0.8:
            return None
        typical = float(np.median(short[small]))
        if typical < config.tiny_px:
            scale = min(last.scale * 2, limit)
            parts = [(0, 0, width, height)]
        else:
            scale = min(last.scale * config.wanted_px / typical, limit)
            parts = self._parts(last.finds[small], width, height, _MULTIPLE / scale)
        if not parts:  # all that is small lies outside the picture
            return None
        pixels = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in parts) * scale * scale
        scale *= min(1.0, (config.look_px / max(pixels, 1)) ** 0.5)
        if scale < last.scale * 1.15:
            return None
        return self._look(image_bgr, parts, scale)

    def _parts(
        self, hints: Finds, width: int, height: int, cell: float
    ) -> list[tuple[int, int, int, int]]:
        """Rectangles (x0, y0, x1, y1) in picture pixels that cover the hints and their surroundings."""
        grid = np.zeros((int(np.ceil(height / cell)), int(np.ceil(width / cell))), bool)
        _, _, long = describe(hints.quads_px)
        reach = np.hypot(*long.T)[:, None] * self.config.margin
        low = np.floor((hints.quads_px.min(axis=1) - reach) / cell).astype(int).clip(0)
        high = np.ceil((hints.quads_px.max(axis=1) + reach) / cell).astype(int).clip(0)
        for (x0, y0), (x1, y1) in zip(low, high, strict=True):
            grid[y0:y1, x0:x1] = True
        return [
            (
                int(x0 * cell),
                int(y0 * cell),
                min(width, int(np.ceil(x1 * cell))),
                min(height, int(np.ceil(y1 * cell))),
            )
            for x0, y0, x1, y1 in cover(grid, self.config.fill)
        ]

    def _look(
        self, image_bgr: NDArray[np.uint8], parts: list[tuple[int, int, int, int]], scale: float
    ) -> _Look:
        """Run the network on parts of the picture at a scale; hints included, finds cut by a part's inner edge not."""
        height, width = image_bgr.shape[:2]
        quads, scores, up = [], [], []
        for x0, y0, x1, y1 in parts:
            pixels = _scaled(image_bgr[y0:y1, x0:x1], scale)
            (maps,) = self._session.run(None, {"pixels": pixels[None]})
            found, score, face = decode(maps[0], self.config.hint)
            # The part was resized to whole pixels: both axes have their own exact factor.
            ratio = np.array(
                [
                    (x1 - x0) / max(1, round((x1 - x0) * scale)),
                    (y1 - y0) / max(1, round((y1 - y0) * scale)),
                ]
            )
            found = (found * ratio + (x0, y0)).astype(np.float32)
            low, high = found.min(axis=1), found.max(axis=1)
            edge = STRIDE / scale
            whole = (
                ((low[:, 0] > x0 - edge) | (x0 == 0))
                & ((low[:, 1] > y0 - edge) | (y0 == 0))
                & ((high[:, 0] < x1 + edge) | (x1 == width))
                & ((high[:, 1] < y1 + edge) | (y1 == height))
            )
            quads.append(found[whole])
            scores.append(score[whole])
            up.append(face[whole])
        finds = Finds(np.concatenate(quads), np.concatenate(scores), np.concatenate(up))
        return _Look(finds[suppress(finds.quads_px, finds.scores, self.config.overlap)], scale)

    def _merge(self, looks: list[_Look]) -> Finds:
        quads = np.concatenate([look.finds.quads_px for look in looks])
        scores = np.concatenate([look.finds.scores for look in looks])
        up = np.concatenate([look.finds.up for look in looks])
        finds = Finds(quads, scores, up)[scores >= self.config.score]
        return finds[
            suppress(finds.quads_px, finds.scores, self.config.overlap)[: self.config.most]
        ]


def _short_sides(finds: Finds) -> Floats:
    """The shorter visible side (N,) of every find, picture pixels."""
    _, short, long = describe(finds.quads_px)
    return np.minimum(np.hypot(*short.T), np.hypot(*long.T)).astype(np.float32)


def _without_small(look: _Look, small_px: float) -> Finds:
    return look.finds[_short_sides(look.finds) * look.scale >= small_px]


def _scaled(part: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """A part of the picture at a scale, padded with grey to the network's multiple on the right and below."""
    pixels = _resized(part, scale)
    height, width = pixels.shape[:2]
    right, below = -width % _MULTIPLE, -height % _MULTIPLE
    return cv2.copyMakeBorder(
        pixels, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114)
    )


def _resized(picture: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    while min(picture.shape[1] / size[0], picture.shape[0] / size[1]) > _HALVED_FROM:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def cover(grid: NDArray[np.bool_], fill: float) -> list[tuple[int, int, int, int]]:
    """Few rectangles that cover all true cells of a grid.

    The bounding box is cut in two where that saves most cells, again and again, until the boxes are full enough.

    Args:
        grid: (rows, columns) bool.
        fill: share of true cells at which a box is left whole.

    Returns:
        (column0, row0, column1, row1) of each rectangle, ends exclusive; empty for an empty grid.
    """
    rows, columns = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    if not len(rows):
        return []
    y0, y1, x0, x1 = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    box = grid[y0:y1, x0:x1]
    if box.mean() >= fill:
        return [(x0, y0, x1, y1)]
    best, cut = box.size, None
    for axis in (0, 1):
        for at in range(1, box.shape[axis]):
            halves = np.split(box, [at], axis=axis)
            cells = sum(_bounding_cells(half) for half in halves)
            if cells < best:
                best, cut = cells, (axis, at)
    # A second box has its own margins to pay for: split only for a clear gain.
    if cut is None or best > 0.85 * box.size:
        return [(x0, y0, x1, y1)]
    first, second = np.split(box, [cut[1]], axis=cut[0])
    dx, dy = (cut[1], 0) if cut[0] == 1 else (0, cut[1])
    return [
        *((a + x0, b + y0, c + x0, d + y0) for a, b, c, d in cover(first, fill)),
        *(
            (a + x0 + dx, b + y0 + dy, c + x0 + dx, d + y0 + dy)
            for a, b, c, d in cover(second, fill)
        ),
    ]


def _bounding_cells(grid: NDArray[np.bool_]) -> int:
    rows, columns = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    return int((rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1)) if len(rows) else 0

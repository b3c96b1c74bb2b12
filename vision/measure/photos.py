"""How well labelled photographs, single shop faces and tile-free photographs are read.

The labels of the photographs are upright boxes and not complete: discards and tiles in the background are mostly not
labelled. So a find without a label says nothing there; false finds are counted on tile-free photographs and on
renders, whose truth is complete. Red fives are labelled as plain fives, so the two count as one here.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import plain
from vision.measure.match import calibration_error, match_boxes
from vision.seen import Reading
from vision.training.split import no_tiles_part, photo_part, photo_set

Read = Callable[[NDArray[np.uint8]], Reading]
"""The reader under test."""

SIZES: Final = ((0, 15), (15, 20), (20, 30), (30, 50), (50, 90), (90, 10_000))
"""Ranges of a label's shorter side in picture pixels."""


@dataclass
class Tally:
    """Counts over pictures; every rate follows from them."""

    images: int = 0
    exact: int = 0
    labels: int = 0
    found: int = 0
    right: int = 0
    confidences: list[float] = field(default_factory=list)
    good: list[bool] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, wanted: Iterable[str], got: Iterable[tuple[str, float] | None]) -> None:
        """One picture: its labels, and for each the name and confidence of its find, or None."""
        self.images += 1
        wrong_before = self.labels - self.right
        for label, find in zip(wanted, got, strict=True):
            self.labels += 1
            if find is None:
                self.confusion[plain(label), "missed"] += 1
                continue
            name, confidence = find
            is_right = plain(name) == plain(label)
            self.found += 1
            self.right += is_right
            self.confidences.append(confidence)
            self.good.append(is_right)
            if not is_right:
                self.confusion[plain(label), plain(name)] += 1
        self.exact += self.labels - self.right == wrong_before

    def to_json(self, worst: int = 25) -> dict[str, Any]:
        """Counts, rates and the most frequent confusions as (label, name or "missed", times)."""
        return {
            "images": self.images,
            "labels": self.labels,
            "found": rate(self.found, self.labels),
            "right_of_labels": rate(self.right, self.labels),
            "right_of_found": rate(self.right, self.found),
            "exact_images": rate(self.exact, self.images),
            "ece": round(calibration_error(self.confidences, self.good), 4),
            "confusion": [[a, b, n] for (a, b), n in self.confusion.most_common(worst)],
        }


def rate(part: int, whole: int) -> float | None:
    """Rounded share, None of nothing."""
    return round(part / whole, 4) if whole else None


@dataclass
class PhotoScore:
    """The labelled photographs, by what one may ask; ``strict`` as in `vision.measure.match.match_boxes`."""

    total: Tally = field(default_factory=Tally)
    strict: Tally = field(default_factory=Tally)
    by_part: dict[str, Tally] = field(default_factory=dict)
    by_set: dict[str, Tally] = field(default_factory=dict)
    by_size: dict[str, Tally] = field(default_factory=dict)
    by_label: dict[str, Tally] = field(default_factory=dict)
    worst: list[tuple[int, int, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """All tallies."""
        return {
            "total": self.total.to_json(60),
            "strict": self.strict.to_json(0),
            "by_part": {k: t.to_json(10) for k, t in sorted(self.by_part.items())},
            "by_set": {k: t.to_json(10) for k, t in sorted(self.by_set.items())},
            "by_size": {k: t.to_json(0) for k, t in self.by_size.items() if t.labels},
            "by_label": {k: t.to_json(4) for k, t in sorted(self.by_label.items())},
            "worst_images": [[n, of, image] for n, of, image in sorted(self.worst)[::-1][:30]],
        }


def photo_rows(data: Path, part: str) -> Iterator[dict[str, Any]]:
    """Rows of ``photos.jsonl`` of a part: ``held-out`` (both test parts), ``train`` or ``all``."""
    for line in (data / "photos.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if wanted(photo_part(row), part):
            yield row


def wanted(own: str, part: str) -> bool:
    """Whether a picture of part ``own`` belongs to the part asked for."""
    return part == "all" or (own == "train") == (part == "train")


def score_photos(
    read: Read,
    data: Path,
    part: str,
    progress: Callable[[str], None] = lambda _: None,
) -> PhotoScore:
    """Read every labelled photograph of a part."""
    score = PhotoScore()
    for row in photo_rows(data, part):
        progress(row["image"])
        boxes = [box for box in row["boxes"] if not box.get("caption_only")]
        if not boxes:
            continue
        labels = [box["tile"] for box in boxes]
        corners = np.array([box["xyxy"] for box in boxes], np.float32)
        reading = read(_load(data / row["image"]))
        got = _answers(reading, corners)
        score.total.add(labels, got)
        score.strict.add(labels, _answers(reading, corners, strict=True))
        own = photo_part(row)
        _of(score.by_part, f"{row['dataset']} {own}").add(labels, got)
        _of(score.by_set, f"{photo_set(row)} ({own})").add(labels, got)
        sides = (corners[:, 2:] - corners[:, :2]).min(axis=1)
        for label, find, side in zip(labels, got, sides, strict=True):
            low, high = next(pair for pair in SIZES if pair[0] <= side < pair[1])
            _of(score.by_size, f"{low}-{high} px").add([label], [find])
            _of(score.by_label, plain(label)).add([label], [find])
        wrong = sum(
            find is None or plain(find[0]) != plain(label)
            for label, find in zip(labels, got, strict=True)
        )
        if wrong:
            score.worst.append((wrong, len(labels), row["image"]))
    score.by_size = dict(sorted(score.by_size.items(), key=lambda item: int(item[0].split("-")[0])))
    return score


def score_shop_tiles(read: Read, data: Path, part: str) -> Tally:
    """Read the single faces: a picture is one tile from edge to edge."""
    tally = Tally()
    with (data / "shop-tiles.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if wanted(photo_part(row), part):
                image = _load(data / row["image"])
                whole = np.array([[0, 0, image.shape[1], image.shape[0]]], np.float32)
                tally.add([row["tile"]], _answers(read(image), whole))
    return tally


def count_false_finds(read: Read, data: Path, part: str) -> dict[str, Any]:
    """Tiles seen on tile-free photographs, by the prefix of the file name."""
    images: Counter[str] = Counter()
    finds: Counter[str] = Counter()
    for path in sorted((data / "no-tiles").glob("*.*")):
        own = "test" if no_tiles_part(path.name) == "test" else "train"
        if wanted(own, part):
            prefix = path.name.split("_")[0]
            images[prefix] += 1
            finds[prefix] += len(read(_load(path)).tiles)
    total, pictures = sum(finds.values()), sum(images.values())
    return {
        "images": pictures,
        "false_finds": total,
        "per_image": round(total / pictures, 4) if pictures else None,
        "by_prefix": {name: [finds[name], images[name]] for name in sorted(images)},
    }


def _answers(
    reading: Reading, boxes: NDArray[np.float32], strict: bool = False
) -> list[tuple[str, float] | None]:
    quads = np.array([tile.quad_px for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    return [
        (reading.tiles[find].tile, reading.tiles[find].confidence) if find >= 0 else None
        for find in match_boxes(quads, boxes, strict)
    ]


def _load(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(path)
    return image.astype(np.uint8, copy=False)


def _of(tallies: dict[str, Tally], key: str) -> Tally:
    return tallies.setdefault(key, Tally())

#!/usr/bin/env python3
"""Fit the weights with which `vision.judge` and `vision.plain` weigh what is known of a find, for a manifest.

    python3 scripts/fit_judge.py --data ../shared --pool build/training/renders --models models --out judge.json

Finds whose truth is known come from training photographs the finder keeps aside (labelled tiles), from renders it keeps
to check on (tiles and others) and from tile-free pictures kept aside (others). Held-out pictures are never read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vision.finder import Finder, FinderConfig
from vision.judge import Evidence, JudgeConfig, belief
from vision.labels import BACK
from vision.measure.match import assign, bounds, box_iou, match_quads
from vision.measure.photos import photo_rows
from vision.models import FINDER, NAMER, REFINER
from vision.namer import Namer
from vision.plain import PlainConfig, odds, surfaces
from vision.reader import Reader, ReaderConfig
from vision.refiner import Refiner
from vision.training.finder_photos import kept_aside
from vision.training.finder_pictures import (
    HINTED_FROM,
    SEEN_FROM,
    WHITE,
    Renders,
    TileFree,
    read_image,
)
from vision.training.judge_fit import FitConfig, fit, regress

LEAST_IOU = 0.35
"""Upright IoU from which a find is the labelled tile: boxes are drawn loosely around tiles that lie askew."""

Finds = tuple[NDArray[np.float32], NDArray[np.float64]]
"""Quads (N, 4, 2) and what the networks say (N, 4): finder, refiner, namer, and 1 where the finder sees a back."""
Known = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""What the networks say (N, 4), and which finds are tiles."""


class Witness:
    """Asks all networks about a picture, the finder at a low threshold."""

    def __init__(self, folder: Path) -> None:
        config = replace(FinderConfig(), score=0.2)
        self._reader = Reader(
            finder=Finder(folder / FINDER, 1, config),
            refiner=Refiner(folder / REFINER),
            namer=Namer(folder / NAMER),
        )

    def evidence(self, image_bgr: NDArray[np.uint8]) -> Evidence:
        """Everything that is said of the finds in a picture."""
        return self._reader.evidence(image_bgr)

    def __call__(self, image_bgr: NDArray[np.uint8]) -> Finds:
        evidence = self.evidence(image_bgr)
        said = np.stack([evidence.scores, evidence.present, evidence.named, evidence.backs], axis=1)
        return evidence.quads_px, said.astype(np.float64)


def main(arguments: list[str] | None = None) -> int:
    """Collect finds, fit, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the shared folder")
    parser.add_argument("--pool", type=Path, required=True, help="folder of renders")
    parser.add_argument("--models", type=Path, required=True, help="folder of the three models")
    parser.add_argument("--limit", type=int, default=280, help="pictures of each kind at most")
    parser.add_argument("--out", type=Path, help="JSON file to write the weights to")
    options = parser.parse_args(arguments)
    ask = Witness(options.models)
    said, is_tile = [], []
    for name, finds in (
        ("photographs", photographs(options.data / "data", ask)),
        ("renders", renders(options.pool, ask)),
        ("tile-free", tile_free(options.data / "data", ask)),
    ):
        tiles = others = 0
        for _, (each, truth) in zip(range(options.limit), finds, strict=False):
            said.append(each)
            is_tile.append(truth)
            tiles, others = tiles + int(truth.sum()), others + int((~truth).sum())
        print(f"{name}: {tiles} tiles, {others} others", flush=True)
    every, truth = np.concatenate(said), np.concatenate(is_tile)
    weights = {
        kind: fit(every[mine, :3], truth[mine], JudgeConfig().surest, FitConfig())
        for kind, mine in (("faces", every[:, 3] == 0), ("backs", every[:, 3] == 1))
    }
    judge = ReaderConfig().fitted(weights).glance.judge
    weights["plain"] = colours(options, ask, judge)
    rounded = {kind: np.round(each, 3).tolist() for kind, each in weights.items()}
    print(json.dumps(rounded))
    if options.out:
        options.out.write_text(json.dumps(rounded) + "\n", encoding="utf-8")
    return 0


def colours(options: argparse.Namespace, ask: Witness, judge: JudgeConfig) -> NDArray[np.float64]:
    """Weights that tell white dragons from backs, from the renders."""
    config, features, is_white = PlainConfig(), [], []
    for path in sorted(options.pool.glob("*.json"))[:: Renders.CHECKED][: options.limit]:
        image = read_image(path.with_suffix(".jpg"))
        tiles = json.loads(path.read_text(encoding="utf-8"))["tiles"]
        seen = ask.evidence(image)
        believed = belief(seen, judge)
        plain = surfaces(image, seen.quads_px, seen.posteriors, believed, config)
        truth = np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2)
        tile_of = {
            int(find): tile["tile"]
            for find, tile in zip(match_quads(seen.quads_px, truth)[0], tiles, strict=True)
        }
        for find, distance in zip(plain.finds, plain.distance, strict=True):
            if believed[find] >= judge.least and tile_of.get(find) in (BACK, WHITE):
                features.append((float(odds(seen.posteriors[find : find + 1])[0]), distance))
                is_white.append(tile_of[find] == WHITE)
    return regress(np.array(features, np.float64), np.array(is_white), FitConfig())


def photographs(data: Path, ask: Witness) -> Iterator[Known]:
    """Finds on labelled tiles; what has no label may be a tile all the same and is left out."""
    rows = [
        row for row in photo_rows(data, "train") if kept_aside(row["original"]) and row["boxes"]
    ]
    for row in rows[::2]:
        quads, said = ask(read_image(data / row["image"]))
        boxes = np.array([box["xyxy"] for box in row["boxes"]], np.float32)
        found = assign(box_iou(bounds(quads), boxes), LEAST_IOU)
        found = found[found >= 0]
        yield said[found], np.ones(len(found), bool)


def renders(pool: Path, ask: Witness) -> Iterator[Known]:
    """Finds on tiles that count, and finds far from every tile that shows at all."""
    for path in sorted(pool.glob("*.json"))[:: Renders.CHECKED]:
        tiles = json.loads(path.read_text(encoding="utf-8"))["tiles"]
        quads, said = ask(read_image(path.with_suffix(".jpg")))
        truth = np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2)
        visible = np.array([tile["visible"] for tile in tiles])
        found, overlaps = match_quads(quads, truth)
        right = found[(found >= 0) & (visible >= SEEN_FROM)]
        near = overlaps[:, visible >= HINTED_FROM].max(axis=1, initial=0.0) >= 0.3
        wrong = np.setdiff1d(np.flatnonzero(~near), found)
        every = np.concatenate([right, wrong])
        yield said[every], np.repeat([True, False], [len(right), len(wrong)])


def tile_free(data: Path, ask: Witness) -> Iterator[Known]:
    """Finds where there is no tile at all."""
    for path in TileFree.of(data, "check").paths:
        _, said = ask(read_image(path))
        yield said, np.zeros(len(said), bool)


if __name__ == "__main__":
    sys.exit(main())

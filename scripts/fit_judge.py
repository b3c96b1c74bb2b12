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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vision.finder import Finder, FinderConfig
from vision.judge import Evidence, JudgeConfig, belief
from vision.labels import BACK, WHITE
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
    Renders,
    TileFree,
    read_image,
)
from vision.training.judge_fit import FitConfig, fit, regress

LEAST_IOU = 0.35
"""Upright IoU from which a find is the labelled tile: boxes are drawn loosely around tiles that lie askew."""

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

    def __call__(self, image_bgr: NDArray[np.uint8]) -> Evidence:
        return self._reader.evidence(image_bgr)


@dataclass(frozen=True, slots=True, eq=False)
class Render:
    """A check render: its picture, the JSON of its tiles, and what is said of the finds in it."""

    picture: Path
    tiles: list[dict[str, Any]]
    seen: Evidence

    def matched(self) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The find of each tile or -1, and overlaps (finds, tiles); see `match_quads`."""
        truth = np.array([tile["quad"] for tile in self.tiles], np.float32).reshape(-1, 4, 2)
        return match_quads(self.seen.quads_px, truth)


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
    looked = list(islice(check_renders(options.pool, ask), options.limit))
    said, is_tile = [], []
    for name, finds in (
        ("photographs", photographs(options.data / "data", ask)),
        ("renders", renders(looked)),
        ("tile-free", tile_free(options.data / "data", ask)),
    ):
        tiles = others = 0
        for each, truth in islice(finds, options.limit):
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
    weights["plain"] = colours(looked, judge)
    rounded = {kind: np.round(each, 3).tolist() for kind, each in weights.items()}
    print(json.dumps(rounded))
    if options.out:
        options.out.write_text(json.dumps(rounded) + "\n", encoding="utf-8")
    return 0


def said_of(seen: Evidence) -> NDArray[np.float64]:
    """(N, 4): what finder, refiner and namer say, and 1 where the finder sees a back."""
    said = np.stack([seen.scores, seen.present, seen.named, seen.backs], axis=1)
    return said.astype(np.float64)


def colours(looked: Sequence[Render], judge: JudgeConfig) -> NDArray[np.float64]:
    """Weights that tell white dragons from backs, from the renders."""
    features, is_white = [], []
    for render in looked:
        seen, image = render.seen, read_image(render.picture)
        believed = belief(seen, judge)
        plain = surfaces(image, seen.quads_px, seen.posteriors, believed, PlainConfig())
        found, _ = render.matched()
        name_of = {int(find): tile["tile"] for find, tile in zip(found, render.tiles, strict=True)}
        named = np.array([name_of.get(find, "") for find in plain.finds])
        known = np.isin(named, (BACK, WHITE)) & (believed[plain.finds] >= judge.least)
        both = np.stack([odds(seen.posteriors[plain.finds]), plain.distance], axis=1)
        features.append(both[known].astype(np.float64))
        is_white.append(named[known] == WHITE)
    return regress(np.concatenate(features), np.concatenate(is_white), FitConfig())


def photographs(data: Path, ask: Witness) -> Iterator[Known]:
    """Finds on labelled tiles; what has no label may be a tile all the same and is left out."""
    rows = [
        row for row in photo_rows(data, "train") if kept_aside(row["original"]) and row["boxes"]
    ]
    for row in rows[::2]:
        seen = ask(read_image(data / row["image"]))
        boxes = np.array([box["xyxy"] for box in row["boxes"]], np.float32)
        found = assign(box_iou(bounds(seen.quads_px), boxes), LEAST_IOU)
        found = found[found >= 0]
        yield said_of(seen)[found], np.ones(len(found), bool)


def check_renders(pool: Path, ask: Witness) -> Iterator[Render]:
    """The renders that the finder keeps to check on."""
    for path in sorted(pool.glob("*.json"))[:: Renders.CHECKED]:
        picture = path.with_suffix(".jpg")
        tiles = json.loads(path.read_text(encoding="utf-8"))["tiles"]
        yield Render(picture, tiles, ask(read_image(picture)))


def renders(looked: Sequence[Render]) -> Iterator[Known]:
    """Finds on tiles that count, and finds far from every tile that shows at all."""
    for render in looked:
        visible = np.array([tile["visible"] for tile in render.tiles])
        found, overlaps = render.matched()
        right = found[(found >= 0) & (visible >= SEEN_FROM)]
        near = overlaps[:, visible >= HINTED_FROM].max(axis=1, initial=0.0) >= 0.3
        wrong = np.setdiff1d(np.flatnonzero(~near), found)
        every = np.concatenate([right, wrong])
        yield said_of(render.seen)[every], np.repeat([True, False], [len(right), len(wrong)])


def tile_free(data: Path, ask: Witness) -> Iterator[Known]:
    """Finds where there is no tile at all."""
    for path in TileFree.of(data, "check").paths:
        said = said_of(ask(read_image(path)))
        yield said, np.zeros(len(said), bool)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fit the weights with which `vision.judge`, `vision.company` and `vision.plain` weigh what is known of a find.

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

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vision.company import CompanyConfig, company
from vision.finder import Finder, FinderConfig
from vision.judge import Evidence, JudgeConfig, belief, certain, logits
from vision.labels import BACK, WHITE
from vision.light import LightConfig, mended
from vision.measure.match import assign, bounds, box_iou, match_quads
from vision.measure.photos import photo_rows
from vision.models import FINDER, NAMER, REFINER
from vision.namer import Namer
from vision.plain import PlainConfig, odds, sure_faces, surfaces
from vision.reader import Reader, ReaderConfig
from vision.refiner import Refiner
from vision.training.finder_pictures import (
    HINTED_FROM,
    SEEN_FROM,
    Renders,
    TileFree,
    read_image,
)
from vision.training.judge_fit import FitConfig, regress
from vision.training.split import kept_aside

LEAST_IOU = 0.35
"""Upright IoU from which a find is the labelled tile: boxes are drawn loosely around tiles that lie askew."""


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
class Heard:
    """What is said of the finds in a picture, and which of them are tiles.

    Attributes:
        picture: its file.
        seen: N finds.
        known: (K,) indices of finds whose truth is known.
        is_tile: (K,) whether they are tiles.
        tile: the code of the tile each of ``known`` is, where renders tell it.
        turns: quarter turns counter-clockwise after which it was looked at.
        counts: how often each of its finds counts.
    """

    picture: Path
    seen: Evidence
    known: NDArray[np.intp]
    is_tile: NDArray[np.bool_]
    tile: tuple[str, ...] = ()
    turns: int = 0
    counts: float = 1.0

    def image(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8, as the reader sees it."""
        return mended(turned(read_image(self.picture), self.turns), LightConfig())


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
    rendered = list(islice(renders(options.pool, ask), options.limit))
    heard: list[Heard] = []
    for name, pictures in (
        ("photographs", photographs(options.data / "data", ask)),
        ("renders", iter(rendered)),
        ("tile-free", tile_free(options.data / "data", ask)),
    ):
        some = list(islice(pictures, options.limit))
        tiles = sum(int(each.is_tile.sum()) for each in some)
        others = sum(int((~each.is_tile).sum()) for each in some)
        print(f"{name}: {tiles} tiles, {others} others", flush=True)
        heard += some
    weights = themselves(heard)
    judge = ReaderConfig().fitted(weights).glance.judge
    weights.update(among_others(heard, judge))
    weights["plain"] = colours(rendered, judge)
    rounded = {kind: [round(weight, 3) for weight in each] for kind, each in weights.items()}
    print(json.dumps(rounded))
    if options.out:
        options.out.write_text(json.dumps(rounded) + "\n", encoding="utf-8")
    return 0


def themselves(heard: Sequence[Heard]) -> dict[str, list[float]]:
    """Weights of what the networks say of a find by itself, for faces and for backs."""
    said = np.concatenate(
        [
            np.stack([each.seen.scores, each.seen.present, each.seen.named], axis=1)[each.known]
            for each in heard
        ]
    )
    return by_kind(logits(said.astype(np.float64), JudgeConfig().surest), heard, "")


def among_others(heard: Sequence[Heard], judge: JudgeConfig) -> dict[str, list[float]]:
    """Weights of what the tiles around a find say of it."""
    said = []
    for each in heard:
        believed = belief(each.seen, judge)
        sure = certain(each.seen, believed, judge)
        said.append(company(each.image(), each.seen, believed, sure, CompanyConfig())[each.known])
    return by_kind(np.concatenate(said).astype(np.float64), heard, "_among")


def by_kind(
    features: NDArray[np.float64], heard: Sequence[Heard], suffix: str
) -> dict[str, list[float]]:
    """One regression for the finds the finder takes for faces, one for those it takes for backs."""
    is_tile = np.concatenate([each.is_tile for each in heard])
    backs = np.concatenate([each.seen.backs[each.known] for each in heard])
    counts = np.concatenate([np.full(len(each.known), each.counts) for each in heard])
    return {
        f"{kind}{suffix}": regress(
            features[mine], is_tile[mine], FitConfig(), counts[mine]
        ).tolist()
        for kind, mine in (("faces", ~backs), ("backs", backs))
    }


def colours(rendered: Sequence[Heard], judge: JudgeConfig) -> list[float]:
    """Weights that tell white dragons from backs, from the renders."""
    features, is_white = [], []
    for each in rendered:
        seen, believed = each.seen, belief(each.seen, judge)
        faces = sure_faces(seen.posteriors, believed, PlainConfig())
        plain = surfaces(each.image(), seen.quads_px, seen.posteriors, faces, PlainConfig())
        name_of = dict(zip(each.known.tolist(), each.tile, strict=True))
        named = np.array([name_of.get(find, "") for find in plain.finds.tolist()])
        known = np.isin(named, (BACK, WHITE)) & (believed[plain.finds] >= judge.least)
        both = np.stack([odds(seen.posteriors[plain.finds]), plain.distance], axis=1)
        features.append(both[known].astype(np.float64))
        is_white.append(named[known] == WHITE)
    weights = regress(np.concatenate(features), np.concatenate(is_white), FitConfig())
    return [float(weight) for weight in weights]


def photographs(data: Path, ask: Witness) -> Iterator[Heard]:
    """Finds on labelled tiles; what has no label may be a tile all the same and is left out."""
    rows = [
        row for row in photo_rows(data, "train") if kept_aside(row["original"]) and row["boxes"]
    ]
    for row in rows[::2]:
        picture = data / row["image"]
        seen = ask(read_image(picture))
        boxes = np.array([box["xyxy"] for box in row["boxes"]], np.float32)
        found = assign(box_iou(bounds(seen.quads_px), boxes), LEAST_IOU)
        found = found[found >= 0]
        yield Heard(picture, seen, found, np.ones(len(found), bool))


def renders(pool: Path, ask: Witness) -> Iterator[Heard]:
    """The renders that the finder keeps to check on: finds on tiles that count, and finds far from every tile."""
    for path in sorted(pool.glob("*.json"))[:: Renders.CHECKED]:
        picture = path.with_suffix(".jpg")
        tiles = json.loads(path.read_text(encoding="utf-8"))["tiles"]
        seen = ask(read_image(picture))
        truth = np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2)
        visible = np.array([tile["visible"] for tile in tiles])
        found, overlaps = match_quads(seen.quads_px, truth)
        counted = (found >= 0) & (visible >= SEEN_FROM)
        right = found[counted]
        near = overlaps[:, visible >= HINTED_FROM].max(axis=1, initial=0.0) >= 0.3
        wrong = np.setdiff1d(np.flatnonzero(~near), found)
        named = [tiles[i]["tile"] for i in np.flatnonzero(counted)]
        yield Heard(
            picture,
            seen,
            np.concatenate([right, wrong]),
            np.repeat([True, False], [len(right), len(wrong)]),
            (*named, *[""] * len(wrong)),
        )


def tile_free(data: Path, ask: Witness) -> Iterator[Heard]:
    """Finds where there is no tile at all.

    The pictures are few: each is looked at from all four sides, or the weights would be right about these very finds.
    Together the four views count like one picture.
    """
    for picture in TileFree.of(data, "check").paths:
        for turns in range(4):
            seen = ask(turned(read_image(picture), turns))
            every = np.arange(len(seen.scores))
            yield Heard(picture, seen, every, np.zeros(len(every), bool), turns=turns, counts=1 / 4)


def turned(image: NDArray[np.uint8], turns: int) -> NDArray[np.uint8]:
    """A picture after quarter turns counter-clockwise."""
    return np.ascontiguousarray(np.rot90(image, turns))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measure the reader on pictures it was not trained on, and print the tables of the model card.

    python3 scripts/evaluate.py --data ../shared/data

Reads the labelled photographs, the single shop faces and the tile-free photographs of the held-out part, and renders
of held-out designs, which are made on the spot (or kept and found again with --renders). What is held out says
vision/training/split.py. A label is found if a find's quad or its upright bounds overlap its box with IoU >= 0.5, each
label and each find once; what the bounds alone give is a line of its own. Figures by set are leave-one-set-out figures
for the sets marked test-set: no picture of them was trained on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companion.text import GorrionError
from vision.measure.photos import count_false_finds, score_photos, score_shop_tiles
from vision.measure.renders import score_renders
from vision.measure.tables import as_text
from vision.reader import Reader

RENDERS = {"general": None, "tiles of 20-40 px": (20.0, 40.0)}
"""Two pools of renders: tiles of all sizes, and small ones as a camera over a whole table sees them. In the second the
middle of the picture has this size; tiles nearer or farther are larger or smaller and do not count."""

KINDS = ("photos", "shop", "no-tiles", "renders")
"""What can be measured, in the order it is."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("GORRION_DATA", Path(__file__).parents[1] / ".." / "shared"))
        / "data",
        help="folder with photos.jsonl, shop-tiles.csv and no-tiles/; the artwork lies in ../art beside it",
    )
    parser.add_argument("--part", choices=("held-out", "train", "all"), default="held-out")
    parser.add_argument("--models", type=Path, help="folder with other models than the project's")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--only",
        help="comma list of what to measure: photos, shop, no-tiles, renders (default: all)",
    )
    parser.add_argument(
        "--renders", type=Path, help="keep the renders here, or use those that lie here"
    )
    parser.add_argument(
        "--render-count",
        type=int,
        default=174,
        help="pictures of each pool of renders; six rounds of all kinds of scenes",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--out", type=Path, help="also write the JSON to this file")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    options = parser.parse_args(arguments)
    unknown = [kind for kind in (options.only or "").split(",") if kind and kind not in KINDS]
    if unknown:
        parser.error(f"--only knows no {unknown[0]!r}: use {', '.join(KINDS)}")
    if not (options.data / "photos.jsonl").is_file() and (options.data / "data").is_dir():
        options.data /= "data"
    if not (options.data / "photos.jsonl").is_file():
        print(f"evaluate.py: there is no photos.jsonl in {options.data}", file=sys.stderr)
        return 2
    try:
        reader = Reader(options.models, options.threads)
    except GorrionError as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        return 1
    report = measure(reader, options)
    if options.out:
        options.out.write_text(
            json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    print(json.dumps(report, ensure_ascii=False) if options.json else as_text(report))
    return 0


def measure(reader: Reader, options: argparse.Namespace) -> dict[str, Any]:
    """All figures asked for, as the JSON that is printed."""
    only = set(options.only.split(",")) if options.only else set(KINDS)
    say = _progress(options.quiet)
    report: dict[str, Any] = {"part": options.part}
    if "photos" in only:
        report["photos"] = score_photos(reader.read, options.data, options.part, say).to_json()
    if "shop" in only:
        say("shop tiles")
        report["shop_tiles"] = score_shop_tiles(reader.read, options.data, options.part).to_json()
    if "no-tiles" in only:
        say("tile-free photographs")
        report["tile_free"] = count_false_finds(reader.read, options.data, options.part)
    if "renders" in only:
        report["renders"] = _renders(reader, options, say)
    say("")
    return report


def _renders(reader: Reader, options: argparse.Namespace, say: Any) -> dict[str, Any]:
    from vision.render.art import FaceLibrary
    from vision.render.pool import PoolPlan, tile_free, write_pool
    from vision.training.split import is_held_out_art, no_tiles_part

    held_out = options.part != "train"
    art = options.data.parent / "art" / "faces"
    families = frozenset(
        name for name in FaceLibrary(art).sets if is_held_out_art(name) == held_out
    )
    photos = tile_free(
        options.data / "no-tiles", lambda name: (no_tiles_part(name) == "test") == held_out
    )
    out = {}
    with tempfile.TemporaryDirectory() as scratch:
        for seed, (name, tile_px) in enumerate(RENDERS.items(), start=901):
            folder = (options.renders or Path(scratch)) / f"{options.part}-{name.replace(' ', '-')}"
            there = sum(1 for _ in folder.glob("*.json"))
            if there not in (0, options.render_count):
                sys.exit(
                    f"evaluate.py: {folder} holds {there} pictures instead of {options.render_count}: "
                    "give --renders an empty folder, or the number with --render-count"
                )
            if not there:
                plan = PoolPlan(art, photos, families, seed, tile_px)
                write_pool(
                    plan,
                    folder,
                    options.render_count,
                    progress=lambda n, name=name: say(f"rendering {name} {n}"),
                )
            out[name] = score_renders(reader.read, folder, say, tile_px).to_json()
    return out


def _progress(quiet: bool) -> Any:
    last = [0.0]

    def say(what: str) -> None:
        if not quiet and (not what or time.monotonic() - last[0] > 1):
            last[0] = time.monotonic()
            print(f"\r{what[-70:]:70}", end="" if what else "\r", file=sys.stderr, flush=True)

    return say


if __name__ == "__main__":
    sys.exit(main())

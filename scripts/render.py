#!/usr/bin/env python3
"""Render pools of photographs of mahjong tiles with their truth, for training and for tests.

    python3 scripts/render.py --data ../shared --out pools/train --count 600 --seed 1 --part train
    python3 scripts/render.py --sample companion/web/static/sample.jpg

The same seed gives the same files, whatever the number of workers; ``--start`` continues a pool.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vision.render.art import OWN_FACES, FaceLibrary
from vision.render.layouts import LAYOUTS
from vision.render.pool import PoolPlan, save_jpeg, tile_free, write_pool
from vision.render.sample import sample
from vision.training.split import is_held_out_art, no_tiles_part

SAMPLE_QUALITY = 88
"""JPEG quality of the sample: it is in the repository and goes over the network with the page."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("GORRION_DATA", Path(__file__).parents[1] / ".." / "shared")),
        help="folder that holds art/faces and data/no-tiles (default: $GORRION_DATA or ../shared)",
    )
    parser.add_argument("--out", type=Path, help="folder for NNNNN.jpg and NNNNN.json")
    parser.add_argument(
        "--sample",
        type=Path,
        metavar="FILE",
        help="write the bundled sample picture, drawn with the project's own faces, and stop",
    )
    parser.add_argument("--count", type=int, default=100, help="pictures to render")
    parser.add_argument("--start", type=int, default=0, help="number of the first picture")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument(
        "--part",
        choices=("train", "held-out", "all"),
        default="train",
        help="artwork families and tile-free photographs that may be used (see vision/training/split.py)",
    )
    parser.add_argument(
        "--designs",
        help="comma list of how the names of the designs to use begin (our own drawings: own)",
    )
    parser.add_argument("--kinds", help=f"comma list of scene kinds: {', '.join(LAYOUTS)}")
    parser.add_argument(
        "--tile-px", metavar="LOW-HIGH", help="bounds of the tiles' short side, pixels"
    )
    options = parser.parse_args(arguments)
    if options.sample is None and options.out is None:
        parser.error("name a folder with --out, or a picture with --sample")
    try:
        if options.sample is not None:
            _write_sample(options.sample)
        else:
            _write_pool(options)
    except ValueError as error:
        print(f"render.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"render.py: can't write or read {error.filename or error}: {error.strerror or ''}",
            file=sys.stderr,
        )
        return 1
    return 0


def _write_sample(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    image, tiles = sample()
    save_jpeg(file, image, SAMPLE_QUALITY)
    print(f"{file}: {len(tiles)} tiles")


def _write_pool(options: argparse.Namespace) -> None:
    plan = _plan(options)
    begun = time.monotonic()

    def progress(done: int) -> None:
        if done % 20 == 0 or done == options.count:
            pace = (time.monotonic() - begun) / done
            print(f"{done}/{options.count} pictures, {pace:.2f} s each", flush=True)

    write_pool(plan, options.out, options.count, options.start, options.workers, progress)


def _plan(options: argparse.Namespace) -> PoolPlan:
    """The plan that the options ask for.

    Raises:
        ValueError: one sentence that names what is wrong with them.
    """
    art, photos = options.data / "art" / "faces", options.data / "data" / "no-tiles"
    if not art.is_dir():
        raise ValueError(
            f"there is no artwork in {art}; name the folder that holds art/faces with --data"
        )
    if options.count < 1 or options.start < 0:
        raise ValueError("--count must be at least 1 and --start at least 0")
    kinds = PoolPlan.kinds
    if options.kinds:
        kinds = tuple(options.kinds.split(","))
        unknown = [kind for kind in kinds if kind not in LAYOUTS]
        if unknown:
            raise ValueError(f"unknown scene kind {unknown[0]!r}; choose from {', '.join(LAYOUTS)}")
    tile_px = None
    if options.tile_px:
        low, _, high = options.tile_px.partition("-")
        if not (low.isdecimal() and high.isdecimal() and 0 < int(low) <= int(high)):
            raise ValueError(f"--tile-px wants two numbers like 20-40, not {options.tile_px!r}")
        tile_px = (float(low), float(high))
    held = {"train": (False,), "held-out": (True,), "all": (False, True)}[options.part]
    part = {"train": ("train",), "held-out": ("test",), "all": ("train", "test")}[options.part]
    library = FaceLibrary(art, more=[OWN_FACES])
    begins = tuple((options.designs or "").split(","))
    families = frozenset(
        name for name in library.sets if is_held_out_art(name) in held and name.startswith(begins)
    )
    if not families:
        raise ValueError(f"no design of this part begins with {options.designs!r}")
    return PoolPlan(
        art=art,
        photos=tile_free(photos, lambda name: no_tiles_part(name) in part),
        families=families,
        seed=options.seed,
        tile_px=tile_px,
        kinds=kinds,
    )


if __name__ == "__main__":
    sys.exit(main())

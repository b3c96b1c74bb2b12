#!/usr/bin/env python3
"""Worsen held-out photographs step by step and plot how many of their tiles are still read right.

python3 scripts/robustness.py --data ../shared/data --out models/robustness.png
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cv2

from companion.text import GorrionError
from vision.measure.plot import panels
from vision.measure.robustness import ORDEALS, curves
from vision.reader import Reader


def main(arguments: list[str] | None = None) -> int:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(os.environ.get("GORRION_DATA", root / ".." / "shared")) / "data",
        help="folder with photos.jsonl",
    )
    parser.add_argument("--models", type=Path, help="folder with other models than the project's")
    parser.add_argument(
        "--every", type=int, default=5, help="use every so many of the held-out photographs"
    )
    parser.add_argument("--out", type=Path, default=root / "models" / "robustness.png")
    parser.add_argument("--json", action="store_true", help="also print the curves as JSON")
    options = parser.parse_args(arguments)
    if not (options.data / "photos.jsonl").is_file():
        print(f"robustness.py: there is no photos.jsonl in {options.data}", file=sys.stderr)
        return 2
    try:
        reader = Reader(options.models)
    except GorrionError as error:
        print(f"robustness.py: {error}", file=sys.stderr)
        return 1
    found = curves(
        reader.read, options.data, options.every, progress=lambda what: print(what, file=sys.stderr)
    )
    picture = panels(found, {ordeal.name: ordeal.unit for ordeal in ORDEALS})
    cv2.imwrite(str(options.out), picture)
    if options.json:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

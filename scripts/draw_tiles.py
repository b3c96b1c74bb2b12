#!/usr/bin/env python3
"""Draw Gorrión's own mahjong tiles: SVG for the page, PNG for the renderer.

The drawings are made by the package `drawings` beside this script. Without options the SVG files
are written (standard library alone). `--png` also makes the renderer's pictures and the icons
(extra `art`: resvg-py). `--font FILE` first takes the outlines of the Chinese characters anew
from a font (extra `art`: fonttools, brotli); it is only needed to change the font.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import drawings  # noqa: E402
from drawings import lettering  # noqa: E402

SVG_DIR = ROOT / "companion" / "web" / "static" / "tiles"
PNG_DIR = ROOT / "vision" / "render" / "own"
STATIC_DIR = SVG_DIR.parent
PNG_SIZE = (240, 320)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--png", action="store_true", help="also make PNG files (needs resvg-py)")
    parser.add_argument("--font", type=Path, help="take the characters' outlines from this font")
    options = parser.parse_args(arguments)
    try:
        if options.font:
            lettering.OUTLINES.write_text(lettering.extract(options.font), "utf-8")
        print(f"{write_svg()} SVG files in {SVG_DIR.relative_to(ROOT)}")
        if options.png:
            print(f"{write_png()} PNG files in {PNG_DIR.relative_to(ROOT)}")
    except ImportError as missing:
        print(f"draw_tiles: {missing.name} is missing; install the extra: pip install '.[art]'", file=sys.stderr)
        return 1
    return 0


def write_svg() -> int:
    SVG_DIR.mkdir(parents=True, exist_ok=True)
    files = drawings.singles() | {"tiles": drawings.sprite()}
    for name, text in files.items():
        (SVG_DIR / f"{name}.svg").write_text(text, "utf-8")
    return len(files)


def write_png() -> int:
    """The artwork alone, and `SOURCES.json`: the sha256 of the SVG each picture was made from."""
    from resvg_py import svg_to_bytes

    PNG_DIR.mkdir(parents=True, exist_ok=True)
    sources: dict[str, str] = {}
    for code in (*drawings.FACES, "back"):
        text = drawings.artwork(code)
        width, height = PNG_SIZE
        (PNG_DIR / f"{code}.png").write_bytes(
            svg_to_bytes(svg_string=text, width=width, height=height)
        )
        sources[code] = hashlib.sha256(text.encode()).hexdigest()
    (PNG_DIR / "SOURCES.json").write_text(json.dumps(sources, indent=1) + "\n", "utf-8")
    return len(sources)


if __name__ == "__main__":
    raise SystemExit(main())

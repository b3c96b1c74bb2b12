#!/usr/bin/env python3
"""Draw Gorrión's own mahjong tiles and icons: SVG for the page, PNG for the renderer."""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import drawings  # noqa: E402
from drawings import lettering  # noqa: E402

STATIC_DIR = ROOT / "companion" / "web" / "static"
SVG_DIR = STATIC_DIR / "tiles"
PNG_DIR = ROOT / "vision" / "render" / "own"
PNG_SIZE = (240, 320)
ICON_SIZES = (192, 512)
TAB_SIZE = 48

EXPLANATION = """\
The drawings are made by the package `drawings` beside this script. Without options the SVG files
are written, with the standard library alone. --png also makes the renderer's pictures and the
icons' PNG; --font takes the outlines of the Chinese characters anew and is only needed to change
the font. Both need the extra: pip install '.[art]'.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXPLANATION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--png", action="store_true", help="also make the PNG files")
    parser.add_argument("--font", type=Path, metavar="FILE", help="take outlines from this font")
    options = parser.parse_args(arguments)
    try:
        if options.font:
            lettering.OUTLINES.write_text(lettering.extract(options.font), "utf-8")
        print(f"{write_svg()} SVG files in {SVG_DIR.relative_to(ROOT)} and beside it")
        if options.png:
            print(f"{write_png()} PNG files in {PNG_DIR.relative_to(ROOT)}, and the icons")
    except ImportError as missing:
        print(f"draw_tiles: {missing.name} is missing: pip install '.[art]'", file=sys.stderr)
        return 1
    except (OSError, ValueError) as problem:
        print(f"draw_tiles: {problem}", file=sys.stderr)
        return 1
    return 0


def write_svg() -> int:
    SVG_DIR.mkdir(parents=True, exist_ok=True)
    files = {SVG_DIR / f"{name}.svg": text for name, text in drawings.singles().items()}
    files[SVG_DIR / "tiles.svg"] = drawings.sprite()
    files |= {STATIC_DIR / f"{name}.svg": text for name, text in drawings.icons().items()}
    for path, text in files.items():
        path.write_text(text, "utf-8", newline="\n")
    return len(files)


def write_png() -> int:
    """The artwork alone, and `SOURCES.json`: the sha256 of the SVG each picture was made from."""
    from resvg_py import svg_to_bytes

    def picture(text: str, width: int, height: int) -> bytes:
        return bytes(svg_to_bytes(svg_string=text, width=width, height=height))

    PNG_DIR.mkdir(parents=True, exist_ok=True)
    sources: dict[str, str] = {}
    for code in (*drawings.FACES, "back"):
        text = drawings.artwork(code)
        (PNG_DIR / f"{code}.png").write_bytes(picture(text, *PNG_SIZE))
        sources[code] = hashlib.sha256(text.encode()).hexdigest()
    (PNG_DIR / "SOURCES.json").write_text(json.dumps(sources, indent=1) + "\n", "utf-8")
    icons = drawings.icons()
    for side in ICON_SIZES:
        (STATIC_DIR / f"icon-{side}.png").write_bytes(picture(icons["icon"], side, side))
    tab = picture(icons["favicon"], TAB_SIZE, TAB_SIZE)
    (STATIC_DIR / "favicon.ico").write_bytes(_ico(tab, TAB_SIZE))
    return len(sources)


def _ico(png: bytes, side: int) -> bytes:
    """An ICO file that holds one square PNG."""
    header = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), len(header) + 16)
    return header + entry + png


if __name__ == "__main__":
    raise SystemExit(main())

"""Writing on the tiles: Chinese characters from a font's outlines, digits and letters of our own.

The outlines of the few characters needed lie in `outlines.json` beside this module, so drawing
needs no font. `extract` makes that file anew from a font (see `scripts/draw_tiles.py --font`).
"""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from drawings.pen import Point, element, fill, num, open_curve

OUTLINES = Path(__file__).with_name("outlines.json")
CHARACTERS = "一二三四五六七八九萬東南西北中發梅蘭菊竹春夏秋冬"
GRID = 2000  # outlines are kept as whole numbers on a square of this side


def extract(font_path: Path) -> str:
    """The text of `outlines.json` for `CHARACTERS` out of a font file.

    Raises:
        ImportError: fontTools is missing (extra `art`).
        OSError: the file can't be read.
        ValueError: it is no font, or lacks some of the characters; the message names them.
    """
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.ttLib import TTFont, TTLibError

    try:
        font = TTFont(font_path)
    except TTLibError as problem:
        raise ValueError(f"{font_path.name} isn't a font file: {problem}") from problem
    names = {record.nameID: record.toUnicode() for record in font["name"].names}
    glyphs = font.getGlyphSet()
    table = font.getBestCmap()
    if missing := [character for character in CHARACTERS if ord(character) not in table]:
        raise ValueError(f"{font_path.name} lacks {' '.join(missing)}; take a font that has them")
    scale = GRID / font["head"].unitsPerEm
    drawn: dict[str, list[list[Any]]] = {}
    for character in CHARACTERS:
        pen = DecomposingRecordingPen(glyphs)
        glyphs[table[ord(character)]].draw(pen)
        drawn[character] = _steps(pen.value, scale)
    head = {
        "font": names.get(4), "version": names.get(5), "copyright": names.get(0),
        "licence": "SIL Open Font License 1.1", "grid": GRID,
    }  # fmt: skip
    rows = ",\n".join(
        f"{json.dumps(key, ensure_ascii=False)}:{json.dumps(value, separators=(',', ':'))}"
        for key, value in drawn.items()
    )
    return f'{{\n"about":{json.dumps(head, ensure_ascii=False)},\n"characters":{{\n{rows}\n}}\n}}\n'


def _steps(recorded: list[tuple[str, Any]], scale: float) -> list[list[Any]]:
    """Pen records as [letter, x, y, ...], y down, whole numbers."""
    steps: list[list[Any]] = []

    def put(letter: str, *points: Point) -> None:
        steps.append([letter, *(round(v) for x, y in points for v in (x * scale, -y * scale))])

    for name, points in recorded:
        if name == "moveTo":
            put("M", points[0])
        elif name == "lineTo":
            put("L", points[0])
        elif name == "curveTo":
            put("C", *points)
        elif name == "qCurveTo":
            controls, end = points[:-1], points[-1]
            for here, after in pairwise(controls):
                put("Q", here, ((here[0] + after[0]) / 2, (here[1] + after[1]) / 2))
            put("Q", controls[-1], end)
        else:
            steps.append(["Z"])
    return steps


@cache
def _outlines() -> dict[str, list[list[Any]]]:
    characters: dict[str, list[list[Any]]] = json.loads(OUTLINES.read_text("utf-8"))["characters"]
    return characters


def character(text: str, centre: Point, size: Point, colour: str, outline: float = 0.0) -> str:
    """A Chinese character stretched to `size` (width, height) around `centre`."""
    steps = _outlines()[text]
    xs = [value for step in steps for value in step[1::2]]
    ys = [value for step in steps for value in step[2::2]]
    scale_x = size[0] / (max(xs) - min(xs))
    scale_y = size[1] / (max(ys) - min(ys))
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    parts: list[str] = []
    at = (0.0, 0.0)
    for step in steps:
        points = [
            (
                round((x - middle_x) * scale_x + centre[0], 1),
                round((y - middle_y) * scale_y + centre[1], 1),
            )
            for x, y in zip(step[1::2], step[2::2], strict=True)
        ]
        if step[0] == "M":
            parts.append(f"M{num(points[0][0])} {num(points[0][1])}")
        else:
            parts.append(step[0].lower() + _relative(points, at))
        if points:
            at = points[-1]
    return fill("".join(parts), colour, outline)


def _relative(points: list[Point], at: Point) -> str:
    text = ""
    for x, y in points:
        for value in (x - at[0], y - at[1]):
            shown = num(value)
            text += shown if not text or shown.startswith("-") else f" {shown}"
    return text


# Digits and letters as pen lines in a box 40 wide and 60 high.
_PEN_LINES: dict[str, str] = {
    "1": "M9 14L22 3V57",
    "2": open_curve((4, 16), (6, -2), (36, -2), (36, 17), (36, 32), (10, 42), (4, 57)) + "H37",
    "3": open_curve((5, 9), (14, 0), (35, 1), (35, 16), (35, 27), (24, 29), (16, 29),
                    (25, 29), (37, 31), (37, 43), (37, 60), (12, 61), (3, 50)),
    "4": "M29 57V3L3 41H38",
    "5": "M34 3H9L7 27" + open_curve((7, 27), (20, 19), (37, 24), (37, 40), (37, 60), (12, 61), (3, 51))[len("M7,27"):],
    "6": open_curve((33, 6), (18, -2), (4, 10), (4, 38), (4, 64), (37, 63), (37, 40), (37, 19), (8, 20), (4, 40)),
    "7": "M3 3H37L15 57",
    "8": open_curve((20, 28), (1, 26), (1, 3), (20, 3), (39, 3), (39, 26), (20, 28),
                    (-3, 30), (-3, 57), (20, 57), (43, 57), (43, 30), (20, 28)),
    "9": open_curve((7, 54), (22, 62), (36, 50), (36, 22), (36, -4), (3, -3), (3, 20), (3, 41), (32, 40), (36, 20)),
    "E": "M36 3H6V57H36M6 29H31",
    "S": open_curve((36, 10), (26, 0), (5, 1), (5, 17), (5, 33), (37, 25), (37, 43), (37, 60), (12, 61), (3, 50)),
    "W": "M1 3L11 57L20 18L29 57L39 3",
    "N": "M5 57V3L35 57V3",
    "O": open_curve((20, 3), (-2, 3), (-2, 57), (20, 57), (42, 57), (42, 3), (20, 3)),
    "C": open_curve((36, 12), (27, -1), (3, 0), (3, 30), (3, 60), (27, 61), (36, 48)),
    "F": "M36 3H6V57M6 29H31",
    "P": "M6 57V3" + open_curve((6, 3), (46, -1), (46, 36), (6, 33))[len("M6,3"):],
}  # fmt: skip


def sign(text: str, corner: Point, height: float, colour: str, weight: float = 10.0) -> str:
    """A digit or letter with its box's top left at `corner`; `weight` is the pen in box units."""
    scale = height / 60
    return element(
        "path",
        d=_PEN_LINES[text],
        transform=f"translate({num(corner[0])} {num(corner[1])}) scale({scale:.3f})",
        fill="none",
        stroke=colour,
        stroke_width=weight,
        stroke_linecap="round",
        stroke_linejoin="round",
    )

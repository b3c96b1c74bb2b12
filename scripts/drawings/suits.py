"""Faces of the three suits and the honours."""

from __future__ import annotations

from drawings.lettering import character
from drawings.palette import BLUE, GREEN, INK, RED
from drawings.pen import Point, box, commands, disc, element, fill, num, petal, polar, ring
from drawings.sparrow import perched_sparrow

NUMERALS = "一二三四五六七八九"

# Width and height of each numeral: one to three are strokes and must not be stretched to squares.
_NUMERAL_SIZES: dict[int, Point] = {
    1: (216, 40), 2: (214, 118), 3: (210, 146), 4: (196, 142), 5: (214, 150),
    6: (206, 158), 7: (206, 152), 8: (222, 146), 9: (214, 158),
}  # fmt: skip


def characters(rank: int, red: bool = False) -> str:
    """A numeral in ink over a red 萬."""
    return character(
        NUMERALS[rank - 1], (150, 108), _NUMERAL_SIZES[rank], RED if red else INK, 5
    ) + character("萬", (150, 286), (206, 182), RED, 2.5)


def wind(rank: int) -> str:
    """East, South, West, North (1..4)."""
    sizes: dict[int, Point] = {1: (226, 292), 2: (214, 292), 3: (226, 268), 4: (230, 276)}
    return character("東南西北"[rank - 1], (150, 200), sizes[rank], INK, 4)


def red_dragon() -> str:
    return character("中", (150, 204), (212, 316), RED, 6)


def green_dragon() -> str:
    return character("發", (150, 200), (240, 304), GREEN, 4)


def white_dragon() -> str:
    """A blue double frame with stepped corners round an empty field."""
    outer = box((38, 38), (224, 324), 20, "none", BLUE, 16)
    inner = box((70, 70), (160, 260), 4, "none", BLUE, 7)
    corners = "".join(
        element(
            "path",
            d=f"M{num(x)} {num(y + dy * 44)}V{num(y + dy * 16)}H{num(x + dx * 16)}V{num(y)}H{num(x + dx * 44)}",
            fill="none",
            stroke=BLUE,
            stroke_width=7,
        )
        for x, dx in ((88, 1), (212, -1))
        for y, dy in ((88, 1), (312, -1))
    )
    return outer + inner + corners


_CIRCLES: dict[int, list[tuple[Point, float, str]]] = {
    2: [((150, 110), 76, GREEN), ((150, 290), 76, BLUE)],
    3: [((80, 84), 56, BLUE), ((150, 200), 56, RED), ((220, 316), 56, GREEN)],
    4: [((84, 102), 60, BLUE), ((216, 102), 60, GREEN),
        ((84, 298), 60, GREEN), ((216, 298), 60, BLUE)],
    5: [((78, 84), 52, BLUE), ((222, 84), 52, GREEN), ((150, 200), 52, RED),
        ((78, 316), 52, GREEN), ((222, 316), 52, BLUE)],
    6: [((90, 78), 52, GREEN), ((210, 78), 52, GREEN), ((90, 210), 52, RED),
        ((210, 210), 52, RED), ((90, 322), 52, RED), ((210, 322), 52, RED)],
    7: [((66, 62), 40, GREEN), ((150, 98), 40, GREEN), ((234, 134), 40, GREEN),
        ((98, 230), 45, RED), ((202, 230), 45, RED), ((98, 330), 45, RED), ((202, 330), 45, RED)],
    8: [((x, y), 44, BLUE) for y in (62, 154, 246, 338) for x in (96, 204)],
    9: [((x, y), 41, colour) for y, colour in ((76, GREEN), (200, RED), (324, BLUE))
        for x in (58, 150, 242)],
}  # fmt: skip


def circles(rank: int, red: bool = False) -> str:
    if rank == 1:
        return _great_circle()
    return "".join(
        _coin(centre, radius, RED if red else colour, RED if red or colour != RED else BLUE)
        for centre, radius, colour in _CIRCLES[rank]
    )


def _coin(centre: Point, radius: float, colour: str, heart: str) -> str:
    """A ring round a rosette; what is not painted stays open to the body."""
    petals = 8
    rosette = "".join(
        petal(polar(centre, radius * 0.2, turn * 360 / petals), turn * 360 / petals,
              radius * 0.46, radius * 0.34)
        for turn in range(petals)
    )  # fmt: skip
    return (
        ring(centre, radius * 0.88, radius * 0.24, colour)
        + fill(rosette, colour)
        + disc(centre, radius * 0.2, heart)
    )


def _great_circle() -> str:
    centre = (150.0, 200.0)
    parts = [ring(centre, 120, 16, GREEN), ring(centre, 102, 5, GREEN)]
    for turn in range(16):
        angle = turn * 22.5
        parts.append(
            fill(petal(polar(centre, 58, angle), angle, 36, 20), BLUE if turn % 2 else GREEN)
        )
    parts.append(ring(centre, 50, 7, RED))
    parts += [fill(petal(polar(centre, 10, a), a, 33, 20), RED) for a in range(0, 360, 45)]
    parts.append(disc(centre, 9, GREEN))
    return "".join(parts)


# Centre, turn in degrees, length and colour of every stick.
_STICKS: dict[int, list[tuple[Point, float, float, str]]] = {
    2: [((150, 110), 0, 158, GREEN), ((150, 290), 0, 158, GREEN)],
    3: [((150, 110), 0, 158, GREEN), ((86, 290), 0, 158, GREEN), ((214, 290), 0, 158, GREEN)],
    4: [((x, y), 0, 158, GREEN) for x in (86, 214) for y in (110, 290)],
    5: [((x, y), 0, 158, GREEN) for x in (66, 234) for y in (110, 290)]
    + [((150, 200), 0, 158, RED)],
    6: [((x, y), 0, 158, GREEN) for x in (66, 150, 234) for y in (110, 290)],
    7: [((150, 78), 0, 108, RED)]
    + [((x, y), 0, 108, GREEN) for x in (66, 150, 234) for y in (204, 328)],
    8: [((x, y), 0, 156, GREEN) for x in (44, 256) for y in (108, 292)]
    + [((150 + side * 39, 200 + half * 92), side * half * 26, 140, GREEN)
       for side in (-1, 1) for half in (-1, 1)],
    9: [((x, y), 0, 108, RED if x == 150 else GREEN) for x in (66, 150, 234)
        for y in (76, 200, 324)],
}  # fmt: skip


def bamboos(rank: int, red: bool = False) -> str:
    if rank == 1:
        return perched_sparrow()
    return "".join(
        _stick(centre, turn, length, RED if red else colour)
        for centre, turn, length, colour in _STICKS[rank]
    )


def _stick(centre: Point, turn: float, length: float, colour: str) -> str:
    """A cane of two joints: three knots, two waisted lengths, each with an unpainted glint."""
    wide, knot = 46.0, 14.0
    half = length / 2
    shapes = []
    for top in (-half, -knot / 2, half - knot):
        shapes.append(_knot(top, wide, knot))
    for top, bottom in ((-half + knot + 3, -knot / 2 - 3), (knot / 2 + 3, half - knot - 3)):
        shapes.append(_joint(top, bottom, wide * 0.84))
    return element(
        "path",
        d="".join(shapes),
        fill=colour,
        fill_rule="evenodd",
        transform=f"translate({num(centre[0])} {num(centre[1])})"
        + (f" rotate({num(turn)})" if turn else ""),
    )


def _knot(top: float, wide: float, high: float) -> str:
    x, r = wide / 2, high / 2
    return (
        f"M{num(-x + r)} {num(top)}H{num(x - r)}A{num(r)} {num(r)} 0 0 1 {num(x - r)} {num(top + high)}"
        f"H{num(-x + r)}A{num(r)} {num(r)} 0 0 1 {num(-x + r)} {num(top)}Z"
    )


def _joint(top: float, bottom: float, wide: float) -> str:
    x, waist = wide / 2, wide * 0.36
    middle, high = (top + bottom) / 2, bottom - top
    body = commands(
        ("M", [(-x, top)]), ("Q", [(-waist, middle), (-x, bottom)]), ("L", [(x, bottom)]),
        ("Q", [(waist, middle), (x, top)]), ("Z", ()),
    )  # fmt: skip
    glint = box_path((-3.8, top + high * 0.18), (7.6, high * 0.64))
    return body + glint


def box_path(corner: Point, size: Point) -> str:
    """A thin upright box with round ends as path data."""
    (x, y), (w, h) = corner, size
    r = w / 2
    return (
        f"M{num(x)} {num(y + r)}A{num(r)} {num(r)} 0 0 1 {num(x + w)} {num(y + r)}V{num(y + h - r)}"
        f"A{num(r)} {num(r)} 0 0 1 {num(x)} {num(y + h - r)}Z"
    )

"""Flowers and seasons: a painted picture, a digit and the name in one character."""

from __future__ import annotations

from drawings.lettering import character, sign
from drawings.palette import (
    AMBER,
    BARK,
    BLUE,
    CREAM,
    GOLD,
    GREEN,
    INK,
    LEAF,
    LILAC,
    PINK,
    RED,
    ROSE,
    VIOLET,
)  # fmt: skip
from drawings.pen import (
    Point,
    box,
    brush,
    commands,
    curve,
    disc,
    fill,
    group,
    leaf,
    line,
    num,
    open_curve,
    outlined,
    petal,
    polar,
    polygon,
    rounded_leaf,
)  # fmt: skip


def flower(rank: int) -> str:
    """Plum, orchid, chrysanthemum, bamboo (1..4): name at the left in green, digit in red."""
    picture = (_plum, _orchid, _chrysanthemum, _bamboo)[rank - 1]
    return picture() + _caption("梅蘭菊竹"[rank - 1], rank, GREEN, RED)


def season(rank: int) -> str:
    """Spring, summer, autumn, winter (1..4): name at the left in red, digit in blue."""
    picture = (_spring, _summer, _autumn, _winter)[rank - 1]
    return picture() + _caption("春夏秋冬"[rank - 1], rank, RED, BLUE)


def _caption(name: str, rank: int, name_colour: str, digit_colour: str) -> str:
    return character(name, (62, 66), (76, 80), name_colour, 2) + sign(
        str(rank), (234, 30), 62, digit_colour, 11
    )


def _blossom(centre: Point, radius: float, turn: float) -> str:
    parts = [fill(petal(centre, turn + k * 72, radius, radius * 0.98, 0.66), RED) for k in range(5)]
    parts.append(disc(centre, radius * 0.3, CREAM))
    for k in range(5):
        tip = polar(centre, radius * 0.56, turn + k * 72)
        parts.append(line(commands(("M", [centre]), ("L", [tip])), CREAM, radius * 0.07))
        parts.append(disc(tip, radius * 0.085, CREAM))
    parts.append(disc(centre, radius * 0.15, AMBER))
    return "".join(parts)


def _plum() -> str:
    branch = fill(brush([(54, 368), (76, 298), (150, 300), (178, 190)], [28, 20, 9]), BARK)
    shoot = fill(brush([(108, 312), (108, 270), (92, 250), (84, 220)], [11, 8, 6]), BARK)
    spur = fill(brush([(126, 300), (170, 304), (214, 292), (252, 250)], [11, 8, 4]), BARK)
    return (
        branch + shoot + spur
        + disc((252, 246), 17, PINK) + disc((148, 352), 12, PINK)
        + line(open_curve((100, 330), (118, 332), (132, 338), (144, 348)), BARK, 6)
        + _blossom((172, 178), 68, -90) + _blossom((80, 222), 47, -60)
        + _blossom((214, 312), 44, -30)
    )  # fmt: skip


def _orchid() -> str:
    leaves = (
        ([(142, 378), (126, 290), (90, 220), (30, 226)], [6, 22, 15, 1]),
        ([(152, 378), (168, 310), (212, 262), (278, 290)], [6, 20, 13, 1]),
        ([(158, 378), (190, 340), (230, 330), (274, 352)], [6, 16, 10, 1]),
        ([(138, 378), (110, 330), (70, 320), (26, 350)], [6, 18, 12, 1]),
    )  # fmt: skip
    stems = fill(brush([(146, 376), (140, 310), (128, 250), (140, 170)], [9, 8, 6]), LEAF) + fill(
        brush([(150, 376), (156, 310), (190, 280), (216, 236)], [9, 7, 5]), LEAF
    )
    return (
        stems
        + "".join(fill(brush(points, widths), GREEN) for points, widths in leaves)
        + _orchid_bloom((220, 216), 46, 14)
        + _orchid_bloom((142, 172), 74, -6)
    )


def _orchid_bloom(centre: Point, size: float, turn: float) -> str:
    outer = [fill(petal(centre, turn + a, size, size * 0.42, 0.62), VIOLET) for a in (-90, 150, 30)]
    inner = [
        fill(petal(centre, turn + a, size * 0.88, size * 0.66, 0.62), LILAC) for a in (-160, -20)
    ]
    lip = fill(petal(centre, turn + 90, size * 0.64, size * 0.5, 0.66), RED)
    return "".join([*outer, *inner, lip, disc(centre, size * 0.13, AMBER)])


def _chrysanthemum() -> str:
    centre = (154.0, 196.0)
    stem = fill(brush([(150, 376), (142, 340), (154, 290), (154, 200)], [13, 10, 10]), GREEN)
    leaves = "".join(
        fill(leaf((149, 352), angle, length, 22, bend), GREEN)
        for angle, length, bend in ((-164, 104, 10), (-18, 104, -10), (-200, 66, 0), (18, 66, 0))
    )
    parts = [stem, leaves]
    for count, inside, length, width, colour, shift in (
        (16, 24, 82, 15, AMBER, 0), (16, 16, 66, 13, GOLD, 11.25), (12, 8, 50, 12, AMBER, 0),
        (8, 2, 32, 10, GOLD, 22.5),
    ):  # fmt: skip
        for k in range(count):
            angle = shift + k * 360 / count
            shape = rounded_leaf(polar(centre, inside, angle), angle, length, width)
            parts.append(outlined(shape, colour, CREAM, 2.5))
    parts.append(disc(centre, 12, RED))
    return "".join(parts)


def _bamboo() -> str:
    parts = []
    for x, top, wide in ((122, 150, 28), (188, 40, 32)):
        foot = 376.0
        while foot - 62 > top:
            edge, waist = wide / 2, wide * 0.36
            cane = commands(
                ("M", [(x - edge, foot)]), ("Q", [(x - waist, foot - 30), (x - edge, foot - 58)]),
                ("L", [(x + edge, foot - 58)]), ("Q", [(x + waist, foot - 30), (x + edge, foot)]),
                ("Z", ()),
            )  # fmt: skip
            parts.append(fill(cane, LEAF))
            parts.append(box((x - wide * 0.58, foot - 61), (wide * 1.16, 6), 3, GREEN))
            foot -= 63
    for base, angles in (
        ((204, 194), (-36, 0, 36)), ((108, 256), (202, 166, 130)), ((204, 320), (-32, 6)),
        ((172, 131), (186, 150)),
    ):  # fmt: skip
        parts += [fill(leaf(base, angle, 84, 22), GREEN) for angle in angles]
    return "".join(parts)


def _spring() -> str:
    """A butterfly over a young shoot."""
    shoot = fill(brush([(150, 376), (150, 346), (142, 318), (152, 276)], [12, 10, 7]), GREEN)
    leaves = fill(leaf((148, 330), -158, 104, 30, 12), LEAF) + fill(
        leaf((148, 330), -20, 110, 30, -12), GREEN
    )
    return shoot + leaves + _butterfly((158, 208))


def _butterfly(centre: Point) -> str:
    x, y = centre
    wings = []
    for side in (-1, 1):
        upper = curve(
            (0, 0), (side * 30, -76), (side * 92, -92), (side * 104, -58),
            (side * 112, -24), (side * 60, 6), (0, 6))  # fmt: skip
        lower = curve(
            (0, 4), (side * 50, 6), (side * 88, 28), (side * 76, 58),
            (side * 62, 88), (side * 18, 62), (0, 20))  # fmt: skip
        wings.append(fill(upper, PINK) + fill(lower, RED))
        wings.append(disc((side * 70, -50), 13, CREAM) + disc((side * 70, -50), 7, BLUE))
        wings.append(disc((side * 52, 44), 9, CREAM))
        wings.append(
            line(
                open_curve((side * 3, -38), (side * 8, -62), (side * 20, -74), (side * 34, -80)),
                INK,
                5,
            )
        )
    body = fill(brush([(0, -42), (0, -10), (0, 20), (0, 62)], [8, 15, 13, 4]), INK)
    return group(*wings, body, transform=f"translate({num(x)} {num(y)}) rotate(8) scale(.92)")


def _summer() -> str:
    """A lotus over its leaf on the water."""
    base = (152.0, 284.0)
    petals = "".join(
        outlined(leaf(base, angle, length, width), colour, RED, 4)
        for angle, length, width, colour in (
            (-170, 112, 34, PINK), (-10, 112, 34, PINK), (-147, 132, 40, ROSE),
            (-33, 132, 40, ROSE), (-119, 150, 42, PINK), (-61, 150, 42, PINK), (-90, 164, 48, ROSE),
        )
    )  # fmt: skip
    pad = fill(
        curve((36, 308), (52, 280), (252, 280), (268, 308), (258, 340), (46, 340), (36, 308)), GREEN
    )
    waves = line(
        "M54 356q16 -13 33 0t33 0t33 0t33 0t33 0t33 0M104 378q16 -11 32 0t32 0t32 0", BLUE, 8
    )
    return pad + petals + waves


def _autumn() -> str:
    """A maple leaf before the harvest moon."""
    foot = (152.0, 316.0)
    half = [
        (0, -184), (18, -146), (40, -156), (24, -86), (56, -112), (64, -132), (82, -110),
        (124, -118), (106, -86), (116, -70), (58, -42), (78, -40), (98, -18), (52, -12), (8, -2),
    ]  # fmt: skip
    outline = [(foot[0] + x, foot[1] + y) for x, y in half]
    outline += [(foot[0] - x, foot[1] + y) for x, y in reversed(half[1:])]
    veins = "".join(
        line(commands(("M", [foot]), ("L", [(foot[0] + x, foot[1] + y)])), GOLD, 4.5)
        for x, y in ((0, -138), (80, -86), (-80, -86), (58, -24), (-58, -24))
    )
    stem = fill(brush([foot, (152, 338), (160, 358), (182, 372)], [7, 8, 10]), RED)
    return disc((152, 222), 106, AMBER) + stem + fill(polygon(outline), RED, 6) + veins


def _winter() -> str:
    """A snow crystal over a white pine."""
    centre = (158.0, 196.0)
    parts = []
    for k in range(6):
        angle = 30 + k * 60
        tip = polar(centre, 96, angle)
        parts.append(line(commands(("M", [centre]), ("L", [tip])), BLUE, 13))
        for out, long in ((44, 30), (70, 26)):
            root = polar(centre, out, angle)
            for turn in (-55, 55):
                parts.append(
                    line(commands(("M", [root]), ("L", [polar(root, long, angle + turn)])), BLUE, 9)
                )
    return "".join(parts) + disc(centre, 15, RED) + _pines()


def _pines() -> str:
    parts = []
    for x, foot, size in ((84, 370, 1.0), (152, 376, 0.8), (224, 370, 1.1)):
        for k in range(2):
            top, wide = foot - size * (74 - k * 26), size * (22 + k * 12)
            parts.append(
                fill(
                    polygon([(x, top), (x + wide, top + size * 42), (x - wide, top + size * 42)]),
                    GREEN,
                )
            )
    return "".join(parts)

"""Flowers and seasons: a painted picture, a digit and the name in one character."""

from __future__ import annotations

from drawings.lettering import character, sign
from drawings.palette import (
    AMBER, BARK, BLUE, CREAM, GREEN, INK, LEAF, PINK, RED, VIOLET,
)  # fmt: skip
from drawings.pen import (
    Point, box, brush, commands, curve, disc, element, fill, group, leaf, line, num, open_curve,
    petal, polar, polygon, ring,
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
    parts = [
        fill(petal(centre, turn + k * 72, radius, radius * 0.98, 0.66), RED) for k in range(5)
    ]
    parts.append(disc(centre, radius * 0.3, CREAM))
    for k in range(5):
        tip = polar(centre, radius * 0.56, turn + k * 72)
        parts.append(line(commands(("M", [centre]), ("L", [tip])), CREAM, radius * 0.07))
        parts.append(disc(tip, radius * 0.085, CREAM))
    parts.append(disc(centre, radius * 0.15, AMBER))
    return "".join(parts)


def _plum() -> str:
    branch = fill(brush([(52, 378), (70, 300), (190, 300), (236, 150)], [26, 17, 7]), BARK)
    shoot = fill(brush([(112, 318), (120, 260), (84, 240), (84, 190)], [12, 8, 5]), BARK)
    spur = fill(brush([(186, 268), (216, 276), (236, 268), (256, 240)], [9, 7, 4]), BARK)
    buds = "".join(disc(at, r, PINK) for at, r in (((256, 236), 15), ((84, 188), 0.1)))
    return (
        branch + shoot + spur + buds
        + _blossom((168, 176), 68, -90) + _blossom((80, 214), 46, -60)
        + _blossom((226, 316), 42, -30)
    )  # fmt: skip


def _orchid() -> str:
    leaves = (
        ([(146, 376), (130, 290), (90, 210), (34, 216)], [6, 20, 15, 1]),
        ([(150, 376), (150, 280), (190, 200), (270, 230)], [6, 22, 15, 1]),
        ([(156, 376), (180, 330), (230, 310), (278, 336)], [6, 18, 11, 1]),
        ([(142, 376), (110, 330), (70, 320), (26, 344)], [6, 17, 11, 1]),
    )
    stem = line(open_curve((150, 370), (146, 310), (160, 250), (150, 196)), LEAF, 8)
    return (
        stem
        + "".join(fill(brush(points, widths), GREEN) for points, widths in leaves)
        + _orchid_bloom((152, 160), 78)
        + _orchid_bloom((210, 270), 0)
    )


def _orchid_bloom(centre: Point, size: float) -> str:
    if not size:
        return ""
    outer = "".join(
        fill(petal(centre, angle, size, size * 0.42, 0.62), VIOLET) for angle in (-90, 150, 30)
    )
    inner = "".join(
        fill(petal(centre, angle, size * 0.86, size * 0.62, 0.62), "#8d6cc0")
        for angle in (-158, -22)
    )
    lip = fill(petal(centre, 90, size * 0.62, size * 0.5, 0.66), RED)
    return outer + inner + lip + disc(centre, size * 0.13, AMBER)


def _chrysanthemum() -> str:
    centre = (156.0, 188.0)
    stem = fill(brush([(150, 390), (140, 340), (156, 280), (156, 200)], [13, 10, 10]), GREEN)
    leaves = "".join(
        fill(leaf((148, 352), angle, length, 22, bend), GREEN)
        for angle, length, bend in ((-160, 98, 8), (-22, 98, -8), (-196, 66, 0), (14, 66, 0))
    )
    parts = [stem, leaves]
    for count, inside, length, width, colour, shift in (
        (18, 44, 52, 25, AMBER, 0), (14, 26, 46, 22, "#e8b13a", 12), (10, 10, 36, 18, AMBER, 0),
    ):  # fmt: skip
        for k in range(count):
            angle = shift + k * 360 / count
            parts.append(fill(petal(polar(centre, inside, angle), angle, length, width, 0.7), colour))
    parts.append(disc(centre, 15, RED))
    return "".join(parts)


def _bamboo() -> str:
    parts = []
    for x, top, wide in ((122, 150, 26), (186, 40, 30)):
        at = 384.0
        while at - 62 > top:
            parts.append(
                element("path", fill=LEAF, d=(
                    f"M{num(x - wide / 2)} {num(at)}Q{num(x - wide * 0.36)} {num(at - 30)} {num(x - wide / 2)} {num(at - 58)}"
                    f"H{num(x + wide / 2)}Q{num(x + wide * 0.36)} {num(at - 30)} {num(x + wide / 2)} {num(at)}Z"
                ))
            )
            parts.append(box((x - wide * 0.58, at - 60.5), (wide * 1.16, 5), 2.5, GREEN))
            at -= 63
    for base, angles in (
        ((202, 194), (-34, 0, 36)), ((108, 256), (200, 166, 130)), ((202, 320), (-30, 6)),
        ((170, 132), (184, 152)),
    ):  # fmt: skip
        parts += [fill(leaf(base, angle, 88, 19), GREEN) for angle in angles]
    return "".join(parts)


def _spring() -> str:
    """A butterfly over a young shoot."""
    shoot = fill(brush([(150, 386), (150, 350), (142, 320), (152, 276)], [12, 10, 7]), GREEN)
    leaves = (
        fill(leaf((148, 330), -158, 104, 30, 12), LEAF)
        + fill(leaf((148, 330), -20, 110, 30, -12), GREEN)
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
        wings.append(line(open_curve((side * 3, -38), (side * 8, -62), (side * 20, -74), (side * 34, -80)), INK, 5))
    body = fill(brush([(0, -42), (0, -10), (0, 20), (0, 62)], [8, 15, 13, 4]), INK)
    return group(*wings, body, transform=f"translate({num(x)} {num(y)}) rotate(8) scale(.92)")


def _summer() -> str:
    """A lotus over its leaf on the water."""
    base = (152.0, 268.0)
    parts = []
    for angle, length, width, colour in (
        (-168, 104, 46, PINK), (-12, 104, 46, PINK), (-146, 122, 54, "#e58ba0"),
        (-34, 122, 54, "#e58ba0"), (-120, 136, 58, PINK), (-60, 136, 58, PINK),
        (-90, 146, 66, "#eba4b4"),
    ):  # fmt: skip
        shape = leaf(base, angle, length, width * 0.72)
        parts.append(fill(shape, colour) + element("path", d=shape, fill="none", stroke=RED, stroke_width=3))
    pad = fill(curve((48, 300), (60, 272), (246, 272), (258, 300), (250, 332), (60, 332), (48, 300)), GREEN)
    waves = "".join(
        line(f"M{x0} {y}q18 -12 36 0t36 0t36 0" + ("t36 0t36 0" if wide else ""), BLUE, 8)
        for x0, y, wide in ((62, 352, True), (98, 376, False))
    )
    return pad + "".join(parts) + waves


def _autumn() -> str:
    """A maple leaf before the harvest moon."""
    moon = disc((158, 222), 104, AMBER)
    centre = (150.0, 268.0)
    parts = []
    for angle, length, width in (
        (-90, 152, 46), (-38, 132, 42), (-142, 132, 42), (10, 96, 32), (170, 96, 32),
    ):  # fmt: skip
        parts.append(fill(_lobe(centre, angle, length, width), RED))
    parts.append(disc(centre, 26, RED))
    veins = "".join(
        line(commands(("M", [centre]), ("L", [polar(centre, length, angle)])), "#f0c37a", 4)
        for angle, length in ((-90, 112), (-38, 92), (-142, 92), (10, 62), (170, 62))
    )
    stem = line(open_curve(centre, (150, 310), (158, 346), (182, 376)), RED, 9)
    return moon + stem + "".join(parts) + veins


def _lobe(base: Point, angle: float, length: float, width: float) -> str:
    """A toothed lobe of a maple leaf."""
    profile = ((0.0, 0.3), (0.36, 0.42), (0.5, 0.86), (0.58, 0.5), (0.74, 0.56), (0.78, 0.3))

    def at(along: float, across: float) -> Point:
        return polar(polar(base, along * length, angle), across * width, angle + 90)

    right = [at(a, b) for a, b in profile]
    left = [at(a, -b) for a, b in reversed(profile)]
    return polygon([*right, at(1, 0), *left])


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
    for x, foot, size in ((84, 378, 1.0), (150, 384, 0.8), (222, 378, 1.1)):
        for k in range(2):
            top, wide = foot - size * (74 - k * 26), size * (22 + k * 12)
            parts.append(fill(polygon([(x, top), (x + wide, top + size * 42), (x - wide, top + size * 42)]), GREEN))
    return "".join(parts)

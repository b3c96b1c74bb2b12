"""SVG elements as text, and the curves the drawings are made of.

Everything is drawn in tile units: a face is 300 wide and 400 high, y down, angles in degrees
clockwise from the right. Only presentation attributes are written (no style, no class, no
gradient, no reference), so a symbol looks the same inline, in an external sprite and under a
strict content security policy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]

WIDTH = 300
HEIGHT = 400


def num(value: float) -> str:
    """A coordinate as text, to a tenth of a unit, without needless zeros."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """One element; `stroke_width` becomes `stroke-width`, attributes that are None are left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else num(value)
            parts.append(f'{key.replace("_", "-")}="{text}"')
    opening = " ".join(parts)
    return f"<{opening}>{''.join(children)}</{name}>" if children else f"<{opening}/>"


def group(*children: str, transform: str | None = None) -> str:
    return element("g", *children, transform=transform)


def disc(centre: Point, radius: float, colour: str) -> str:
    return element("circle", cx=centre[0], cy=centre[1], r=radius, fill=colour)


def ring(centre: Point, radius: float, width: float, colour: str) -> str:
    """A circle line whose middle runs at `radius`."""
    return element(
        "circle",
        cx=centre[0],
        cy=centre[1],
        r=radius,
        fill="none",
        stroke=colour,
        stroke_width=width,
    )


def box(
    corner: Point,
    size: Point,
    round_corner: float,
    colour: str,
    line: str | None = None,
    line_width: float | None = None,
    dashes: str | None = None,
) -> str:
    """A rectangle with rounded corners; `colour` may be "none"."""
    return element(
        "rect",
        x=corner[0],
        y=corner[1],
        width=size[0],
        height=size[1],
        rx=round_corner,
        fill=colour,
        stroke=line,
        stroke_width=line_width,
        stroke_dasharray=dashes,
    )


def fill(data: str, colour: str, outline: float = 0.0) -> str:
    """A filled path; `outline` thickens it all round by half that width."""
    return element(
        "path",
        d=data,
        fill=colour,
        stroke=colour if outline else None,
        stroke_width=outline or None,
        stroke_linejoin="round" if outline else None,
    )


def outlined(data: str, colour: str, edge: str, width: float) -> str:
    """A filled path with an edge of another colour."""
    return element(
        "path", d=data, fill=colour, stroke=edge, stroke_width=width, stroke_linejoin="round"
    )


def line(data: str, colour: str, width: float) -> str:
    """An open path drawn with a round pen."""
    return element(
        "path",
        d=data,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def polar(centre: Point, radius: float, angle: float) -> Point:
    turn = math.radians(angle)
    return centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)


def commands(*steps: tuple[str, Iterable[Point]]) -> str:
    """Path data from (letter, points) steps, absolute."""
    return "".join(
        letter + " ".join(f"{num(x)},{num(y)}" for x, y in points) for letter, points in steps
    )


def curve(*points: Point) -> str:
    """Closed cubic outline: a start, then triples (control, control, end)."""
    return commands(("M", points[:1]), ("C", points[1:]), ("Z", ()))


def open_curve(*points: Point) -> str:
    """Like `curve`, left open."""
    return commands(("M", points[:1]), ("C", points[1:]))


def polygon(points: Sequence[Point]) -> str:
    return commands(("M", points[:1]), ("L", points[1:]), ("Z", ()))


def petal(base: Point, angle: float, length: float, width: float, belly: float = 0.6) -> str:
    """A round-tipped petal that starts at `base`; `belly` is where it is widest, 0..1."""

    def at(along: float, across: float) -> Point:
        x, y = polar(base, along * length, angle)
        return polar((x, y), across * width, angle + 90)

    return curve(
        base,
        at(0.1, -0.25), at(belly - 0.35, -0.5), at(belly, -0.5),
        at(belly + 0.3, -0.5), at(1.0, -0.3), at(1.0, 0.0),
        at(1.0, 0.3), at(belly + 0.3, 0.5), at(belly, 0.5),
        at(belly - 0.35, 0.5), at(0.1, 0.25), base,
    )  # fmt: skip


def leaf(base: Point, angle: float, length: float, width: float, bend: float = 0.0) -> str:
    """A pointed leaf; `bend` pushes its middle sideways (positive: clockwise of its way)."""
    tip = polar(base, length, angle)
    middle = polar(base, length * 0.45, angle)
    left = polar(middle, width + bend, angle + 90)
    right = polar(middle, bend - width, angle + 90)
    return commands(("M", [base]), ("Q", [left, tip]), ("Q", [right, base]), ("Z", ()))


def rounded_leaf(base: Point, angle: float, length: float, width: float) -> str:
    """A slim petal with a soft point, `width` to either side of its middle line."""

    def at(along: float, across: float) -> Point:
        return polar(polar(base, along * length, angle), across * width, angle + 90)

    return curve(
        base,
        at(0.35, -0.7), at(0.62, -1.3), at(0.9, -0.55), at(0.97, -0.35), at(1.0, -0.15), at(1.0, 0),
        at(1.0, 0.15), at(0.97, 0.35), at(0.9, 0.55), at(0.62, 1.3), at(0.35, 0.7), base,
    )  # fmt: skip


def brush(points: Sequence[Point], widths: Sequence[float], steps: int = 14) -> str:
    """A brush stroke: a cubic curve (4 points) whose width follows `widths` from end to end."""
    left: list[Point] = []
    right: list[Point] = []
    for step in range(steps + 1):
        t = step / steps
        (x, y), (dx, dy) = _cubic(points, t)
        length = math.hypot(dx, dy) or 1.0
        half = _between(widths, t) / 2
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    return _smooth(left + right[::-1])


def _cubic(p: Sequence[Point], t: float) -> tuple[Point, Point]:
    """The point at `t` and the direction there."""
    u = 1 - t
    at = tuple(
        u**3 * p[0][k] + 3 * u * u * t * p[1][k] + 3 * u * t * t * p[2][k] + t**3 * p[3][k]
        for k in (0, 1)
    )
    way = tuple(
        3 * u * u * (p[1][k] - p[0][k])
        + 6 * u * t * (p[2][k] - p[1][k])
        + 3 * t * t * (p[3][k] - p[2][k])
        for k in (0, 1)
    )
    return (at[0], at[1]), (way[0], way[1])


def _between(values: Sequence[float], t: float) -> float:
    place = t * (len(values) - 1)
    low = min(int(place), len(values) - 2)
    return values[low] + (values[low + 1] - values[low]) * (place - low)


def _smooth(points: Sequence[Point]) -> str:
    """A closed outline through the middles of the sides, the points as quadratic controls."""

    def middle(a: Point, b: Point) -> Point:
        return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2

    steps: list[tuple[str, Iterable[Point]]] = [("M", [middle(points[-1], points[0])])]
    for here, after in zip(points, [*points[1:], points[0]], strict=True):
        steps.append(("Q", [here, middle(here, after)]))
    return commands(*steps, ("Z", ()))

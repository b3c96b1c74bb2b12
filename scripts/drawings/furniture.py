"""What goes with the faces: the tile's body, its back, the unknown tile and the corner index."""

from __future__ import annotations

from drawings.lettering import sign
from drawings.palette import (
    BACK,
    BACK_EDGE,
    BACK_LIGHT,
    GREY,
    INK,
    IVORY,
    IVORY_EDGE,
    IVORY_LIGHT,
    IVORY_SHADE,
    RED,
)  # fmt: skip
from drawings.pen import box, disc, line, num

LANGUAGES = ("en", "es")
# Dragons carry the initials of their Cantonese names, as export sets do: Pak, Fat, Chung.
LETTERS = {"en": "ESWNPFC", "es": "ESONPFC"}


def body() -> str:
    """An ivory tile seen from above: a soft edge at the bottom, a light one at the top."""
    return (
        box((1, 1), (298, 398), 34, IVORY_EDGE)
        + box((4, 4), (292, 390), 31, IVORY_SHADE)
        + box((6, 5), (288, 382), 29, IVORY_LIGHT)
        + box((9, 10), (282, 374), 27, IVORY)
    )


def back() -> str:
    """A face-down tile: rows of feather scales inside a thin frame."""
    left, right, radius = 30.0, 270.0, 20.0
    arcs = []
    for row in range(16):
        y = 40 + row * radius
        for r in (radius, radius / 2):
            if row % 2:
                for x in (left + radius * k for k in range(2, 11, 2)):
                    arcs.append(f"M{num(x - r)} {num(y)}{_bow(r, x + r, y)}")
                arcs.append(f"M{num(left)} {num(y + r)}{_bow(r, left + r, y)}")
                arcs.append(f"M{num(right - r)} {num(y)}{_bow(r, right, y + r)}")
            else:
                for x in (left + radius * k for k in range(1, 12, 2)):
                    arcs.append(f"M{num(x - r)} {num(y)}{_bow(r, x + r, y)}")
    return (
        box((1, 1), (298, 398), 34, BACK_EDGE)
        + box((5, 4), (290, 388), 31, BACK_LIGHT)
        + box((8, 9), (284, 380), 28, BACK)
        + box((24, 25), (252, 350), 18, "none", BACK_LIGHT, 5)
        + line("".join(arcs), BACK_LIGHT, 4)
    )


def _bow(radius: float, x: float, y: float) -> str:
    return f"A{num(radius)} {num(radius)} 0 0 0 {num(x)} {num(y)}"


def unknown() -> str:
    """A tile nobody has named: a question mark in a dashed outline."""
    question = "M96 142C96 84 206 84 206 146C206 192 150 188 150 242"
    return (
        box((24, 24), (252, 352), 24, "none", GREY, 9, "26 18")
        + line(question, GREY, 30)
        + disc((150, 298), 20, GREY)
    )


def index(code: str, language: str) -> str:
    """The corner index of a face: digit or letter at the top left, on a halo of ivory.

    Bonus tiles have none: their faces carry a digit already.
    """
    rank, suit = int(code[0]), code[1]
    if suit in "fg":
        return ""
    text = LETTERS[language][rank - 1] if suit == "z" else str(rank or 5)
    colour = RED if rank == 0 else INK
    corner = (17.0, 17.0)
    return sign(text, corner, 54, IVORY, 26) + sign(text, corner, 54, colour, 11)

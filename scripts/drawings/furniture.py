"""What goes with the faces: the tile's body, its back, the unknown tile and the corner index."""

from __future__ import annotations

from drawings.lettering import sign
from drawings.palette import (
    BACK, BACK_EDGE, BACK_LIGHT, GREY, INK, IVORY, IVORY_EDGE, IVORY_LIGHT, IVORY_SHADE, RED,
)  # fmt: skip
from drawings.pen import box, fill, group, line, num, ring, disc, element

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
    scales = []
    step_x, step_y, radius = 40.0, 26.0, 20.0
    row, y = 0, 54.0
    while y <= 360:
        count = 6 if row % 2 else 5
        start = 150 - (count - 1) * step_x / 2
        for k in range(count):
            x = start + k * step_x
            for r in (radius, radius * 0.5):
                scales.append(f"M{num(x - r)} {num(y)}A{num(r)} {num(r)} 0 0 0 {num(x + r)} {num(y)}")
        row, y = row + 1, y + step_y
    return (
        box((1, 1), (298, 398), 34, BACK_EDGE)
        + box((5, 4), (290, 388), 31, BACK_LIGHT)
        + box((8, 9), (284, 380), 28, BACK)
        + box((24, 25), (252, 348), 18, "none", BACK_LIGHT, 5)
        + line("".join(scales), BACK_LIGHT, 5)
    )


def unknown() -> str:
    """A tile nobody has named: a question mark in a dashed outline."""
    question = (
        "M94 140C94 84 206 84 206 144C206 190 150 186 150 240"
    )
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

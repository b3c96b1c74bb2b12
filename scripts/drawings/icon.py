"""The application's icons: the sparrow, whole for the app and as a portrait for the tab."""

from __future__ import annotations

from drawings.palette import BACK, GREEN, IVORY
from drawings.pen import box, disc, element, group, ring
from drawings.sparrow import perched_sparrow, sparrow

SIDE = 512


def icon() -> str:
    """The sparrow before an ivory disc, on the green of the tiles' back; safe to be masked."""
    return (
        box((0, 0), (SIDE, SIDE), 104, BACK)
        + disc((256, 256), 212, IVORY)
        + ring((256, 256), 194, 6, GREEN)
        + group(perched_sparrow(), transform="translate(92 38) scale(1.08)")
    )


def favicon() -> str:
    """The head in a green frame, large enough to be known at 16 pixels."""
    edge = 28
    inner = SIDE - 2 * edge
    portrait = element(
        "svg", sparrow(), x=edge, y=edge, width=inner, height=inner, viewBox="10 22 224 224"
    )
    frame = box((edge / 2, edge / 2), (SIDE - edge, SIDE - edge), 70, "none", BACK, edge)
    return box((edge, edge), (inner, inner), 0, IVORY) + portrait + frame

"""The classes the namer tells apart, in the one order every model, posterior and table uses."""

from __future__ import annotations

from typing import Final

SUITED: Final[tuple[str, ...]] = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
HONOURS: Final[tuple[str, ...]] = tuple(f"{rank}z" for rank in range(1, 8))
BONUS: Final[tuple[str, ...]] = tuple(f"{rank}{suit}" for suit in "fg" for rank in range(1, 5))
RED_FIVES: Final[tuple[str, ...]] = ("0m", "0p", "0s")
BACK: Final = "back"
WHITE: Final = "5z"  # the white dragon, blank in most sets
NOT: Final = "not"  # a quad that holds no mahjong tile, or a joker or animal outside the notation

LABELS: Final[tuple[str, ...]] = (*SUITED, *HONOURS, *BONUS, *RED_FIVES, BACK, NOT)
"""47 labels: 34 kinds, 8 bonus tiles, 3 red fives, ``back``, ``not``; MPSZ notation."""

INDEX: Final[dict[str, int]] = {label: index for index, label in enumerate(LABELS)}
"""Label -> column of a posterior."""

FACES: Final[tuple[str, ...]] = LABELS[: INDEX[BACK]]
"""The 45 labels that are a printed face."""

DIRECTIONLESS: Final[frozenset[str]] = frozenset(
    {
        "1p",
        "2p",
        "3p",
        "4p",
        "5p",
        "0p",
        "8p",
        "9p",
        "2s",
        "4s",
        "5s",
        "0s",
        "6s",
        "8s",
        "9s",
        "5z",
    }
    | {BACK, NOT}
)
"""Faces whose usual artwork looks (nearly) the same after a half turn: reading direction is not judged on them.
Of the circles the six and the seven, of the bamboos the bird, the three and the seven have a top on every set."""


def plain(label: str) -> str:
    """The kind of a label: a red five counts as the five of its suit; all others are themselves."""
    return "5" + label[1] if label in RED_FIVES else label

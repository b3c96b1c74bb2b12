"""Things beside the tiles: dice, riichi sticks, a cup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing on the table.

    Attributes:
        kind: what it is.
        x_mm, y_mm: its middle.
        turn_deg: about the vertical.
        pips: what a die shows.
    """

    kind: Literal["die", "stick", "cup"]
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    pips: int = 1

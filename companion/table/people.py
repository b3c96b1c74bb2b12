"""What the people at the table are called in sentences."""

from __future__ import annotations

from companion.table.state import State
from companion.text import Param
from companion.tiles import WIND_NAMES, WINDS


def who(state: State, seat: int, east: int | None = None) -> Param:
    """The player's name, or his wind; with `east` the wind he has when that seat is East."""
    name = state.names[seat] if seat < len(state.names) else ""
    wind = state.wind_of(seat) if east is None else WINDS[(seat - east) % 4]
    return name or WIND_NAMES[wind]

"""The words of a tenhou.net/6 log: tiles as numbers, calls as texts, how a hand ended."""

from __future__ import annotations

import re
from typing import Final

from companion.table.events import EventError
from companion.text import T
from companion.tiles import Tile

_SUITS: Final = {"1": "m", "2": "p", "3": "s", "4": "z"}
_NUMBERS: Final = {suit: number for number, suit in _SUITS.items()}
_CALL: Final = re.compile(r"([cpmka])")
DRAWN: Final = 60
"""In place of a discarded tile: the one just drawn."""
WON: Final = "和了"
ABORTS: Final = {
    "九種九牌": "nine-terminals",
    "四風連打": "four-winds",
    "四家立直": "four-riichi",
    "四槓散了": "four-kongs",
    "三家和了": "triple-win",
}
"""A hand that is broken off, and the reason as our events give it."""
DRAWS: Final = {"流局", "全員聴牌", "全員不聴", "流し満貫"}
"""A hand that nobody has won before the wall was used up."""


def tile_from_tenhou(code: int) -> Tile:
    """The tile of a number: 11..19 characters, 21.. circles, 31.. bamboos, 41..47 honours, 51..53 red.

    Raises:
        companion.table.events.EventError: when it is none.
    """
    text = str(code)
    if 51 <= code <= 53:
        return Tile(f"0{_SUITS[text[1]]}")
    if len(text) == 2 and text[0] in _SUITS and text[1] != "0" and code <= 47:
        return Tile(f"{text[1]}{_SUITS[text[0]]}")
    raise bad_log(T("%(code)s is no tile of a tenhou log", code=text[:20]))


def tile_to_tenhou(tile: Tile) -> int:
    """The number of a tile."""
    return int(f"5{_NUMBERS[tile.suit]}" if tile.is_red else f"{_NUMBERS[tile.suit]}{tile.rank}")


def read_call(text: str) -> tuple[str, int, tuple[Tile, ...]]:
    """A call's letter, the place of the tile behind it, and all its tiles in the order written.

    Raises:
        companion.table.events.EventError: when it is none.
    """
    found = _CALL.search(text)
    if found is None:
        raise bad_log(T('"%(text)s" is no call of a tenhou log', text=text[:20]))
    digits = text.replace(found.group(1), "")
    tiles = tuple(tile_from_tenhou(int(digits[at : at + 2])) for at in range(0, len(digits), 2))
    return found.group(1), found.start() // 2, tiles


def bad_log(text: T) -> EventError:
    """The error of a log that can't be read, to be raised."""
    return EventError(text, code="bad_log", field="log")

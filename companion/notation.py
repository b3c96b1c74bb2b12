"""Tiles in writing: ``123m 5z 0p back ?`` and what to say of writing that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from companion.text import GorrionError, T
from companion.tiles import BACK, SUITS, UNKNOWN, Tile, narrow


class NotationError(GorrionError):
    """A hand text that cannot be read; the sentence quotes the part that is wrong."""


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read loose tiles such as ``123m 5z back ?`` in the order written; no brackets.

    Raises:
        NotationError: quoting the part that is wrong.
    """
    text = narrow(text)
    tiles: list[Tile] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotationError(_why_unreadable(text, at), code="bad_notation", field="hand")
        digits, suit = found.group("digits"), found.group("suit")
        if digits is not None:
            tiles += _run_of_tiles(digits, suit.lower(), found.group(0).strip())
        elif found.group("back"):
            tiles.append(BACK)
        elif found.group("unknown"):
            tiles.append(UNKNOWN)
        at = found.end()
    return tuple(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Write tiles in the order given, neighbours of one suit together: ``123m5z``."""
    parts: list[str] = []
    suit = ""
    for tile in tiles:
        if tile.suit and tile.suit == suit:
            parts[-1] = f"{parts[-1][:-1]}{tile.code}"
        else:
            parts.append(tile.code if tile.suit or not parts else f" {tile.code}")
        suit = tile.suit
    return "".join(parts)


_TOKEN: Final = re.compile(
    rf"(?:[\s,]*)(?:(?P<digits>[0-9](?:\s*[0-9])*)\s*(?P<suit>[{SUITS}{SUITS.upper()}])"
    r"|(?P<back>[Bb][Aa][Cc][Kk])|(?P<unknown>\?)|(?P<space>[\s,]+|$))[\s,]*"
)


def _run_of_tiles(digits: str, suit: str, given: str) -> list[Tile]:
    tiles = []
    for digit in digits:
        if digit.isspace():
            continue
        try:
            tiles.append(Tile.parse(f"{digit}{suit}"))
        except GorrionError as error:
            text = T('%(problem)s (in "%(given)s")', problem=error.text, given=given)
            raise NotationError(text, code="bad_notation", field="hand") from error
    return tiles


def _why_unreadable(text: str, at: int) -> T:
    """Say what is wrong at a place where no tile could be read."""
    rest = text[at:].strip()
    found = re.match(r"([0-9][0-9\s]*)(.?)", rest)
    if found and found.group(2) and found.group(2) not in "[]()?":
        return T(
            'unknown suit "%(suit)s" in "%(given)s": use m (characters), p (circles), s (bamboos), '
            "z (honours), f (flowers) or g (seasons)",
            suit=found.group(2),
            given=found.group(0),
        )
    if found:
        return T(
            'no suit after "%(given)s": write it after the digits, such as 123m',
            given=found.group(1).strip(),
        )
    if rest[0] in "[]()":
        return T(
            'the bracket "%(given)s" has no partner: write exposed sets as [567m] and concealed '
            "kongs as (8888s)",
            given=rest[0],
        )
    return T(
        'can\'t read "%(given)s": write digits and then their suit, such as 123m, back for a '
        "face-down tile, ? for an unknown one",
        given=rest[:12],
    )

"""A hand: its notation, and what is wrong with it as flags.

A hand is one string, ``123p123s23477m [567m] (8888s) 2f2g``: the concealed tiles with the winning
tile, ``[..]`` exposed sets, ``(..)`` concealed kongs, bonus tiles anywhere. `parse_hand` and
`format_hand` are inverses. What can be read is a `Hand`, even a hand that cannot exist: what is wrong
with it is told by `Hand.flags`, so that a half-seen table can be shown, explained and repaired.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from companion.meld import Flag, Meld, format_meld, meld_kind, parse_meld
from companion.notation import NotationError, format_tiles, parse_tiles
from companion.text import T
from companion.tiles import KINDS, Tile, narrow

MAX_NOTATION_CHARS: Final = 400
"""Longest hand text that is read: 144 tiles, each on its own with spaces, fit twice."""

FACE_LIMIT: Final = 4
"""Copies of each of the 34 kinds in a set."""


@dataclass(frozen=True)
class Hand:
    """All tiles in front of one player. Concealed tiles and bonus tiles are kept sorted.

    Attributes:
        concealed: the tiles that are not in melds, with the winning tile.
        melds: sets laid on the table, in the order they were laid.
        bonus: flowers and seasons.
        winning: the tile that completed the hand, one of `concealed`, or None when not known.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    winning: Tile | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "concealed", tuple(sorted(self.concealed)))
        object.__setattr__(self, "bonus", tuple(sorted(self.bonus)))
        object.__setattr__(self, "melds", tuple(self.melds))
        if self.winning is not None and self.winning not in self.concealed:
            same = [tile for tile in self.concealed if tile.kind is self.winning.kind]
            if same:
                object.__setattr__(self, "winning", same[0])

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile but the bonus tiles: concealed first, then the melds."""
        return self.concealed + tuple(tile for meld in self.melds for tile in meld.tiles)

    @property
    def kongs(self) -> int:
        """How many melds are kongs; each makes a complete hand one tile larger."""
        return sum(meld.is_kong for meld in self.melds)

    @property
    def size(self) -> int:
        """The number of tiles with a meld counted as three: 14 for a complete hand, 13 for a waiting one."""
        return len(self.concealed) + 3 * len(self.melds)

    @property
    def is_open(self) -> bool:
        """Whether a discard was claimed: a concealed kong leaves the hand closed."""
        return any(not meld.is_concealed for meld in self.melds)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Copies of each of the 34 kinds among the concealed tiles, by `Tile.index`."""
        return _counts(self.concealed)

    @cached_property
    def all_counts(self) -> tuple[int, ...]:
        """Copies of each of the 34 kinds among concealed tiles and melds, by `Tile.index`."""
        return _counts(self.tiles)

    def flags(self, size: int = 14) -> tuple[Flag, ...]:
        """Everything that is wrong with it as a hand of `size` tiles (a kong counted as three).

        Ask with 13 for a waiting hand. An empty tuple means that such a hand can exist; whether it
        is complete is a question for the rules.
        """
        found = [flag for meld in self.melds if (flag := meld.flag()) is not None]
        found += self._unknown_flags()
        found += self._copy_flags()
        if not any(flag.code == "not_a_meld" for flag in found):
            found += self._size_flags(size)
        if self.winning is not None and self.winning not in self.concealed:
            text = T(
                "the winning tile %(tile)s is not among the concealed tiles: "
                "choose one of them or add it",
                tile=self.winning.code,
            )
            found.append(Flag("winning_tile_missing", text, (self.winning,)))
        return tuple(found)

    def _unknown_flags(self) -> list[Flag]:
        odd = tuple(t for t in self.concealed if t.index is None)
        if not odd:
            return []
        text = T(
            "%(count)s of the tiles are face down or not known: say which tiles they are",
            count=len(odd),
        )
        return [Flag("unknown_tiles", text, odd)]

    def _copy_flags(self) -> list[Flag]:
        found = []
        for tile, count in zip(KINDS, self.all_counts, strict=True):
            if count > FACE_LIMIT:
                found.append(Flag("five_copies", too_many_copies(tile, count), (tile,) * count))
        for tile, count in Counter(self.bonus).items():
            if count > 1:
                text = T(
                    "two copies of %(tile)s: a set has one of each flower and season; "
                    "correct one of them",
                    tile=tile.code,
                )
                found.append(Flag("double_bonus", text, (tile,) * count))
        return found

    def _size_flags(self, size: int) -> list[Flag]:
        if self.size == size:
            return []
        count, wanted = len(self.tiles), size + self.kongs
        code = "too_many_tiles" if count > wanted else "too_few_tiles"
        quads = [
            tile for tile, copies in zip(KINDS, self.counts, strict=True) if copies == FACE_LIMIT
        ]
        if count == wanted + len(quads) and quads:
            kong = Meld("ckong", (quads[0],) * FACE_LIMIT)
            text = T(
                "%(count)s tiles without a kong: four alike count as a set only when the kong is "
                "declared; write it as %(kong)s",
                count=count,
                kong=format_meld(kong),
            )
            return [Flag(code, text, kong.tiles)]
        return [Flag(code, _wrong_count(count, wanted, self.kongs, size))]

    def to_json(self) -> dict[str, Any]:
        """The JSON form; `hand_from_json` reads it back."""
        return {
            "concealed": [tile.code for tile in self.concealed],
            "melds": [{"kind": m.kind, "tiles": [t.code for t in m.tiles]} for m in self.melds],
            "bonus": [tile.code for tile in self.bonus],
            "winning": self.winning.code if self.winning else None,
        }

    def __str__(self) -> str:
        return format_hand(self)


def hand_from_json(value: Mapping[str, Any]) -> Hand:
    """Read the JSON form of `Hand.to_json`; meld kinds may be any of `MELD_WORDS`.

    Raises:
        NotationError: when the value has another shape or names no tile.
    """
    try:
        melds = tuple(
            Meld(meld_kind(str(meld["kind"])), tuple(map(Tile.parse, meld["tiles"])))
            for meld in value.get("melds", ())
        )
        winning = value.get("winning")
        return Hand(
            tuple(map(Tile.parse, value["concealed"])),
            melds,
            tuple(map(Tile.parse, value.get("bonus", ()))),
            Tile.parse(winning) if winning else None,
        )
    except (KeyError, TypeError, AttributeError) as error:
        text = T(
            'a hand needs "concealed", "melds" (each with "kind" and "tiles"), "bonus" and "winning": '
            "%(detail)s is missing or has the wrong form",
            detail=str(error),
        )
        raise NotationError(text, code="bad_hand", field="hand") from error


def parse_hand(text: str, win: str | None = None) -> Hand:
    """Read a hand and, if given, its winning tile.

    Raises:
        NotationError: when the text cannot be read; the sentence quotes the part that is wrong.
        companion.tiles.TileError: when `win` names no tile.
    """
    if len(text) > MAX_NOTATION_CHARS:
        sentence = T(
            "the hand has %(count)s characters, more than the %(limit)s that are read: "
            "write one hand, such as 123p123s23477m [567m] 2f2g",
            count=len(text),
            limit=MAX_NOTATION_CHARS,
        )
        raise NotationError(sentence, code="bad_notation", field="hand")
    text = narrow(text)
    loose: list[Tile] = []
    melds: list[Meld] = []
    at = 0
    for found in _BRACKETED.finditer(text):
        loose += parse_tiles(text[at : found.start()])
        exposed, hidden = found.group(1), found.group(2)
        meld = parse_meld(exposed if hidden is None else hidden, concealed=hidden is not None)
        if all(tile.is_bonus for tile in meld.tiles):
            loose += meld.tiles
        else:
            melds.append(meld)
        at = found.end()
    loose += parse_tiles(text[at:])
    bonus = tuple(tile for tile in loose if tile.is_bonus)
    concealed = tuple(tile for tile in loose if not tile.is_bonus)
    return Hand(concealed, tuple(melds), bonus, Tile.parse(win) if win else None)


def format_hand(hand: Hand) -> str:
    """Write a hand so that `parse_hand` reads it back (the winning tile is told apart)."""
    parts = [format_tiles(hand.concealed), *map(format_meld, hand.melds), format_tiles(hand.bonus)]
    return " ".join(part for part in parts if part)


_BRACKETED: Final = re.compile(r"\[([^\[\]()]*)\]|\(([^\[\]()]*)\)")


def _counts(tiles: Iterable[Tile]) -> tuple[int, ...]:
    counts = [0] * len(KINDS)
    for tile in tiles:
        if tile.index is not None:
            counts[tile.index] += 1
    return tuple(counts)


def too_many_copies(tile: Tile, count: int) -> T:
    if count == FACE_LIMIT + 1:
        return T(
            "five copies of %(tile)s: a set has only four; correct one of them", tile=tile.code
        )
    return T(
        "%(count)s copies of %(tile)s: a set has only four; correct the others",
        count=count,
        tile=tile.code,
    )


def _wrong_count(count: int, wanted: int, kongs: int, size: int) -> T:
    if kongs == 0 and count > wanted:
        return T(
            "%(count)s tiles without a kong: a hand has %(wanted)s; take %(extra)s away",
            count=count,
            wanted=wanted,
            extra=count - wanted,
        )
    if kongs == 0 and size == 13:
        return T(
            "%(count)s tiles: a waiting hand has %(wanted)s; add %(extra)s",
            count=count,
            wanted=wanted,
            extra=wanted - count,
        )
    if kongs == 0:
        return T(
            "%(count)s tiles: a complete hand has %(wanted)s, the winning tile included; add %(extra)s",
            count=count,
            wanted=wanted,
            extra=wanted - count,
        )
    if kongs == 1:
        return T(
            "%(count)s tiles: a hand with a kong has %(wanted)s; correct the tiles",
            count=count,
            wanted=wanted,
        )
    return T(
        "%(count)s tiles: a hand with %(kongs)s kongs has %(wanted)s; correct the tiles",
        count=count,
        kongs=kongs,
        wanted=wanted,
    )

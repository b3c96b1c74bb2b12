"""The tiles of one hand laid out for editing, each with an identity of its own.

A `Hand` sorts its tiles and forgets which is which. While a person corrects a reading, the third 5m of
the strip must stay the one whose outline is lit on the picture: so a layout is made of `Piece`s. Every
edit (`companion.layout_edits`) gives a new layout; `Layout.hand` gives the hand that the rules know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from companion.hand import Hand
from companion.meld import Meld, MeldKind, is_run
from companion.text import GorrionError, T
from companion.tiles import Tile

MAX_PIECES: Final = 40
"""More tiles than any hand of any system has (18 and 8 bonus tiles), with room for mistakes."""


class LayoutError(GorrionError):
    """An edit that cannot be made; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One tile on the layout.

    Attributes:
        id: its name on this layout, never used again.
        tile: what it is taken for.
        seen: index of the tile in the reading it comes from, or None for a tile added by hand.
        doubtful: whether the eyes were not sure and no person has said what it is.
    """

    id: int
    tile: Tile
    seen: int | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class LaidSet:
    """A meld on the sheet; while it is being edited it may hold any number of pieces."""

    id: int
    pieces: tuple[Piece, ...]
    concealed: bool = False

    @property
    def kind(self) -> MeldKind:
        """What its tiles come closest to; whether they make one is told by the hand's flags."""
        if len(self.pieces) >= 4:
            return "ckong" if self.concealed else "kong"
        return "chow" if len({piece.tile.kind for piece in self.pieces}) > 1 else "pung"


@dataclass(frozen=True, slots=True)
class MeldChoice:
    """A meld that concealed pieces could make."""

    kind: MeldKind
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The tiles of one hand as they are laid out on the page.

    Attributes:
        concealed: tiles not in melds, in the order shown, with the winning one.
        melds: sets laid on the table.
        bonus: flowers and seasons.
        winning: id of the piece, one of `concealed`, that completed the hand; None when not said.
        next_id: the first id that was never used.
    """

    concealed: tuple[Piece, ...] = ()
    melds: tuple[LaidSet, ...] = ()
    bonus: tuple[Piece, ...] = ()
    winning: int | None = None
    next_id: int = 1

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece, in the order shown."""
        return self.concealed + tuple(p for meld in self.melds for p in meld.pieces) + self.bonus

    def piece(self, piece_id: int) -> Piece:
        """The piece of that id. Raises LayoutError."""
        for piece in self.pieces:
            if piece.id == piece_id:
                return piece
        raise LayoutError(
            T("this tile is no longer on the sheet"), code="no_such_tile", field="piece"
        )

    def meld(self, meld_id: int) -> LaidSet:
        """The meld of that id. Raises LayoutError."""
        for meld in self.melds:
            if meld.id == meld_id:
                return meld
        raise LayoutError(
            T("this meld is no longer on the sheet"), code="no_such_meld", field="meld"
        )

    def hand(self) -> Hand:
        """The hand these tiles are, right or wrong: `Hand.flags` tells."""
        winning = next((p.tile for p in self.concealed if p.id == self.winning), None)
        melds = tuple(
            Meld(meld.kind, tuple(piece.tile for piece in meld.pieces)) for meld in self.melds
        )
        concealed = tuple(piece.tile for piece in self.concealed)
        return Hand(concealed, melds, tuple(piece.tile for piece in self.bonus), winning)

    def meld_choices(self, piece_id: int) -> tuple[MeldChoice, ...]:
        """The melds this concealed piece could make with the other concealed ones; runs first."""
        piece = self.piece(piece_id)
        if piece not in self.concealed or piece.tile.index is None:
            return ()
        # The winning tile stays in hand unless it is asked for: it is what a player lays apart.
        others = [p for p in self.concealed if p.id not in {piece_id, self.winning}]
        choices = []
        for low in (-2, -1, 0):
            run = [piece]
            for step in range(low, low + 3):
                if step:
                    run += [p for p in others if _is_step(piece.tile, p.tile, step)][:1]
            if len(run) == 3 and is_run(p.tile for p in run):
                run.sort(key=lambda p: p.tile)
                choices.append(MeldChoice("chow", tuple(p.id for p in run)))
        alike = [piece, *(p for p in others if p.tile.kind is piece.tile.kind)]
        if len(alike) >= 3:
            choices.append(MeldChoice("pung", tuple(p.id for p in alike[:3])))
        if len(alike) >= 4:
            four = tuple(p.id for p in alike[:4])
            choices += [MeldChoice("kong", four), MeldChoice("ckong", four)]
        return tuple(choices)

    def won_with(self, piece_id: int) -> Layout:
        """With this concealed piece as the winning one, at the end as a player lays it. Raises LayoutError."""
        piece = self.piece(piece_id)
        rest = tuple(p for p in self.concealed if p.id != piece_id)
        return replace(self, concealed=(*rest, piece), winning=piece_id)

    def checked(self) -> Layout:
        """With empty melds gone and the winning tile still in hand. Raises LayoutError if too large."""
        if len(self.pieces) > MAX_PIECES:
            raise LayoutError(
                T(
                    "that would be %(count)s tiles, more than any hand has: take some away first",
                    count=len(self.pieces),
                ),
                code="too_many_tiles",
                field="tile",
            )
        winning = self.winning if any(p.id == self.winning for p in self.concealed) else None
        return replace(self, melds=tuple(m for m in self.melds if m.pieces), winning=winning)

    def to_json(self) -> dict[str, Any]:
        """The JSON form; `layout_from_json` reads it back."""
        return {
            "concealed": [_piece_json(p) for p in self.concealed],
            "melds": [
                {
                    "id": meld.id,
                    "concealed": meld.concealed,
                    "pieces": [_piece_json(p) for p in meld.pieces],
                }
                for meld in self.melds
            ],
            "bonus": [_piece_json(p) for p in self.bonus],
            "winning": self.winning,
            "next_id": self.next_id,
        }


def layout_from_json(value: Mapping[str, Any]) -> Layout:
    """Read the JSON form of `Layout.to_json`, which only the store hands in."""
    return Layout(
        concealed=tuple(map(_piece_from_json, value["concealed"])),
        melds=tuple(
            LaidSet(meld["id"], tuple(map(_piece_from_json, meld["pieces"])), meld["concealed"])
            for meld in value["melds"]
        ),
        bonus=tuple(map(_piece_from_json, value["bonus"])),
        winning=value["winning"],
        next_id=value["next_id"],
    )


def layout_from_hand(hand: Hand) -> Layout:
    """A layout of the tiles of a hand."""
    ids = count(1)
    concealed = tuple(Piece(next(ids), tile) for tile in hand.concealed)
    melds = tuple(
        LaidSet(next(ids), tuple(Piece(next(ids), tile) for tile in meld.tiles), meld.is_concealed)
        for meld in hand.melds
    )
    bonus = tuple(Piece(next(ids), tile) for tile in hand.bonus)
    winning = next((p.id for p in concealed if p.tile is hand.winning), None)
    layout = Layout(concealed, melds, bonus, next_id=next(ids))
    if winning is not None:
        layout = layout.won_with(winning)
    return layout.checked()


def _is_step(tile: Tile, other: Tile, step: int) -> bool:
    return tile.is_suited and other.suit == tile.suit and other.rank == tile.rank + step


def _piece_json(piece: Piece) -> dict[str, Any]:
    out: dict[str, Any] = {"id": piece.id, "tile": piece.tile.code}
    if piece.seen is not None:
        out["seen"] = piece.seen
    if piece.doubtful:
        out["doubtful"] = True
    return out


def _piece_from_json(value: Mapping[str, Any]) -> Piece:
    return Piece(value["id"], Tile(value["tile"]), value.get("seen"), value.get("doubtful", False))

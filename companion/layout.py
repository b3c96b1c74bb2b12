"""The tiles of one hand laid out for editing, each with an identity of its own.

A `Hand` sorts its tiles and forgets which is which. While a person corrects a reading, the third 5m of
the strip must stay the one whose outline is lit on the picture: so a layout is made of `Piece`s. Every
edit gives a new layout; `Layout.hand` gives the hand that the rules know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from companion.hand import Hand, parse_hand
from companion.meld import Meld, MeldKind, is_run, meld_kind
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
    ids = iter(range(1, MAX_PIECES * 2))
    concealed = tuple(Piece(next(ids), tile) for tile in hand.concealed)
    melds = tuple(
        LaidSet(next(ids), tuple(Piece(next(ids), tile) for tile in meld.tiles), meld.is_concealed)
        for meld in hand.melds
    )
    bonus = tuple(Piece(next(ids), tile) for tile in hand.bonus)
    winning = next((p.id for p in concealed if p.tile is hand.winning), None)
    layout = Layout(concealed, melds, bonus, next_id=next(ids))
    if winning is not None:
        layout = _set_apart(layout, winning)
    return _checked(layout)


def edit(layout: Layout, change: Mapping[str, Any]) -> Layout:
    """The layout after one edit.

    `change["do"]` names it, the other keys are its arguments:

    * `name` piece, tile: a person says what the piece is ("not": it is no tile, so it leaves the layout).
    * `add` tile, to, seen: a new piece at the end of `to`; `seen` if it is one of the reading.
    * `lay` tile, kind: a new meld of that kind, the tile its first.
    * `remove` piece: take it off the layout.
    * `move` piece, to, before: to another place (`before` a piece there, or at the end).
    * `meld` pieces, concealed: lay concealed pieces down as a meld.
    * `break` meld: take its pieces back into the hand.
    * `turn` meld, concealed: a kong becomes concealed, or exposed.
    * `win` piece: this one completed the hand (None: not known).
    * `sort`: order the concealed tiles.
    * `hand` text, win: replace everything by a hand in notation.
    * `clear`: empty the layout.

    A place `to` is "concealed", "bonus", "new" (a new meld), or the number of a meld.

    Raises LayoutError when the edit cannot be made, and what the notation parser raises.
    """
    apply = _EDITS.get(str(change.get("do")))
    if apply is None:
        raise LayoutError(
            T(
                'there is no edit "%(given)s": use %(known)s',
                given=str(change.get("do")),
                known=tuple(sorted(_EDITS)),
            ),
            code="unknown_edit",
            field="do",
        )
    return _checked(apply(layout, change))


def _name(layout: Layout, change: Mapping[str, Any]) -> Layout:
    piece = layout.piece(_number(change, "piece"))
    if change.get("tile") == "not":
        return _take(layout, piece.id)
    named = replace(piece, tile=Tile.parse(_word(change, "tile")), doubtful=False)
    place = _place_of(layout, piece.id)
    if place in ("concealed", "bonus") and named.tile.is_bonus != (place == "bonus"):
        return _put(_take(layout, piece.id), named, _home(named.tile))
    return _map_pieces(layout, lambda p: named if p.id == piece.id else p)


def _add(layout: Layout, change: Mapping[str, Any]) -> Layout:
    tile = Tile.parse(_word(change, "tile"))
    to = change.get("to")
    seen = None if change.get("seen") is None else _number(change, "seen")
    if seen is not None and any(piece.seen == seen for piece in layout.pieces):
        raise LayoutError(
            T("this tile of the picture is on the sheet already"), code="bad_edit", field="seen"
        )
    piece = Piece(layout.next_id, tile, seen)
    layout = replace(layout, next_id=layout.next_id + 1)
    return _put(layout, piece, _home(tile) if to is None or to == "concealed" else to)


def _lay(layout: Layout, change: Mapping[str, Any]) -> Layout:
    tile, kind = Tile.parse(_word(change, "tile")), meld_kind(_word(change, "kind"))
    if tile.index is None or (kind == "chow" and not tile.is_suited):
        raise LayoutError(
            T("%(tile)s makes no such meld: choose another tile or another kind", tile=tile),
            code="no_such_meld",
            field="tile",
        )
    if kind == "chow":
        low = min(tile.rank, 7)  # from an 8 or a 9 the run that holds it
        tiles = [Tile(f"{low + step}{tile.suit}") for step in range(3)]
    else:
        tiles = [tile] * (3 if kind == "pung" else 4)
    first = layout.next_id
    pieces = tuple(Piece(first + 1 + at, each) for at, each in enumerate(tiles))
    laid = LaidSet(first, pieces, concealed=kind == "ckong")
    return replace(layout, melds=(*layout.melds, laid), next_id=first + 1 + len(tiles))


def _remove(layout: Layout, change: Mapping[str, Any]) -> Layout:
    return _take(layout, layout.piece(_number(change, "piece")).id)


def _move(layout: Layout, change: Mapping[str, Any]) -> Layout:
    piece = layout.piece(_number(change, "piece"))
    to, before = change.get("to"), change.get("before")
    return _put(_take(layout, piece.id), piece, to, before)


def _meld(layout: Layout, change: Mapping[str, Any]) -> Layout:
    wanted = change.get("pieces")
    if not isinstance(wanted, list) or not 2 <= len(wanted) <= 4:
        raise LayoutError(
            T("a meld is made of three or four tiles: choose them"), code="bad_edit", field="pieces"
        )
    pieces = tuple(layout.piece(piece_id) for piece_id in dict.fromkeys(wanted))
    for piece in pieces:
        layout = _take(layout, piece.id)
    laid = LaidSet(layout.next_id, pieces, bool(change.get("concealed")))
    return replace(layout, melds=(*layout.melds, laid), next_id=layout.next_id + 1)


def _break(layout: Layout, change: Mapping[str, Any]) -> Layout:
    meld = _meld_of(layout, _number(change, "meld"))
    return replace(
        layout,
        melds=tuple(other for other in layout.melds if other.id != meld.id),
        concealed=layout.concealed + meld.pieces,
    )


def _turn(layout: Layout, change: Mapping[str, Any]) -> Layout:
    meld = _meld_of(layout, _number(change, "meld"))
    turned = replace(meld, concealed=bool(change.get("concealed")))
    return replace(layout, melds=tuple(turned if m.id == meld.id else m for m in layout.melds))


def _win(layout: Layout, change: Mapping[str, Any]) -> Layout:
    if change.get("piece") is None:
        return replace(layout, winning=None)
    piece = layout.piece(_number(change, "piece"))
    if piece not in layout.concealed:
        raise LayoutError(
            T("the winning tile lies in the hand, not in a meld: move it to the hand first"),
            code="not_in_hand",
            field="piece",
        )
    return _set_apart(layout, piece.id)


def _set_apart(layout: Layout, piece_id: int) -> Layout:
    """The layout with this concealed piece as the winning one, at the end as a player lays it."""
    piece = layout.piece(piece_id)
    rest = tuple(p for p in layout.concealed if p.id != piece_id)
    return replace(layout, concealed=(*rest, piece), winning=piece_id)


def _sort(layout: Layout, change: Mapping[str, Any]) -> Layout:
    del change
    in_order = replace(layout, concealed=tuple(sorted(layout.concealed, key=lambda p: p.tile)))
    return in_order if layout.winning is None else _set_apart(in_order, layout.winning)


def _hand(layout: Layout, change: Mapping[str, Any]) -> Layout:
    del layout
    win = change.get("win")
    return layout_from_hand(parse_hand(_word(change, "text"), str(win) if win else None))


def _clear(layout: Layout, change: Mapping[str, Any]) -> Layout:
    del change
    return Layout(next_id=layout.next_id)


_EDITS: Final[Mapping[str, Callable[[Layout, Mapping[str, Any]], Layout]]] = {
    "name": _name,
    "add": _add,
    "lay": _lay,
    "remove": _remove,
    "move": _move,
    "meld": _meld,
    "break": _break,
    "turn": _turn,
    "win": _win,
    "sort": _sort,
    "hand": _hand,
    "clear": _clear,
}


def _checked(layout: Layout) -> Layout:
    """The layout with empty melds gone and the winning tile still in hand. Raises LayoutError if too large."""
    if len(layout.pieces) > MAX_PIECES:
        raise LayoutError(
            T(
                "that would be %(count)s tiles, more than any hand has: take some away first",
                count=len(layout.pieces),
            ),
            code="too_many_tiles",
            field="tile",
        )
    winning = layout.winning if any(p.id == layout.winning for p in layout.concealed) else None
    return replace(layout, melds=tuple(m for m in layout.melds if m.pieces), winning=winning)


Place = Literal["concealed", "bonus"] | int


def _place_of(layout: Layout, piece_id: int) -> Place:
    if any(p.id == piece_id for p in layout.concealed):
        return "concealed"
    for meld in layout.melds:
        if any(p.id == piece_id for p in meld.pieces):
            return meld.id
    return "bonus"


def _home(tile: Tile) -> Place:
    return "bonus" if tile.is_bonus else "concealed"


def _take(layout: Layout, piece_id: int) -> Layout:
    """The layout without a piece; a meld that this empties stays until `_checked`, to be filled again."""

    def rest(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        return tuple(p for p in pieces if p.id != piece_id)

    melds = tuple(replace(meld, pieces=rest(meld.pieces)) for meld in layout.melds)
    return replace(
        layout,
        concealed=rest(layout.concealed),
        melds=melds,
        bonus=rest(layout.bonus),
    )


def _put(layout: Layout, piece: Piece, to: Any, before: Any = None) -> Layout:
    """The layout with a piece (taken before) put at a place."""
    if to == "new":
        laid = LaidSet(layout.next_id, (piece,))
        return replace(layout, melds=(*layout.melds, laid), next_id=layout.next_id + 1)
    if to == "concealed":
        return replace(layout, concealed=_insert(layout.concealed, piece, before))
    if to == "bonus":
        return replace(layout, bonus=_insert(layout.bonus, piece, before))
    if isinstance(to, int) and not isinstance(to, bool):
        meld = _meld_of(layout, to)
        grown = replace(meld, pieces=_insert(meld.pieces, piece, before))
        return replace(layout, melds=tuple(grown if m.id == meld.id else m for m in layout.melds))
    raise LayoutError(T("say where to put the tile"), code="bad_edit", field="to")


def _insert(pieces: tuple[Piece, ...], piece: Piece, before: Any) -> tuple[Piece, ...]:
    at = next((i for i, p in enumerate(pieces) if p.id == before), len(pieces))
    return (*pieces[:at], piece, *pieces[at:])


def _map_pieces(layout: Layout, change: Callable[[Piece], Piece]) -> Layout:
    return replace(
        layout,
        concealed=tuple(map(change, layout.concealed)),
        melds=tuple(replace(meld, pieces=tuple(map(change, meld.pieces))) for meld in layout.melds),
        bonus=tuple(map(change, layout.bonus)),
    )


def _meld_of(layout: Layout, meld_id: int) -> LaidSet:
    for meld in layout.melds:
        if meld.id == meld_id:
            return meld
    raise LayoutError(T("this meld is no longer on the sheet"), code="no_such_meld", field="meld")


def _is_step(tile: Tile, other: Tile, step: int) -> bool:
    return tile.is_suited and other.suit == tile.suit and other.rank == tile.rank + step


def _number(change: Mapping[str, Any], key: str) -> int:
    value = change.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise LayoutError(
            T('the edit needs a number as "%(key)s"', key=key), code="bad_edit", field=key
        )
    return value


def _word(change: Mapping[str, Any], key: str) -> str:
    value = change.get(key)
    if not isinstance(value, str):
        raise LayoutError(
            T('the edit needs a text as "%(key)s"', key=key), code="bad_edit", field=key
        )
    return value


def _piece_json(piece: Piece) -> dict[str, Any]:
    out: dict[str, Any] = {"id": piece.id, "tile": piece.tile.code}
    if piece.seen is not None:
        out["seen"] = piece.seen
    if piece.doubtful:
        out["doubtful"] = True
    return out


def _piece_from_json(value: Mapping[str, Any]) -> Piece:
    return Piece(value["id"], Tile(value["tile"]), value.get("seen"), value.get("doubtful", False))

"""What a person can do to a layout: name a tile, add or move one, make a meld, say what won.

An edit is a JSON object whose ``do`` names it; `edit` tells them all. It gives a new layout, or says in a
sentence why it cannot be made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from companion.hand import parse_hand
from companion.layout import LaidSet, Layout, LayoutError, Piece, layout_from_hand
from companion.meld import meld_kind
from companion.text import T
from companion.tiles import Tile


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
    return apply(layout, change).checked()


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
    listed: list[Any] = wanted if isinstance(wanted, list) else []
    if not 2 <= len(listed) <= 4 or not all(type(each) is int for each in listed):
        raise LayoutError(
            T("a meld is made of three or four tiles: choose them"), code="bad_edit", field="pieces"
        )
    pieces = tuple(layout.piece(piece_id) for piece_id in dict.fromkeys(listed))
    for piece in pieces:
        layout = _take(layout, piece.id)
    laid = LaidSet(layout.next_id, pieces, bool(change.get("concealed")))
    return replace(layout, melds=(*layout.melds, laid), next_id=layout.next_id + 1)


def _break(layout: Layout, change: Mapping[str, Any]) -> Layout:
    meld = layout.meld(_number(change, "meld"))
    return replace(
        layout,
        melds=tuple(other for other in layout.melds if other.id != meld.id),
        concealed=layout.concealed + meld.pieces,
    )


def _turn(layout: Layout, change: Mapping[str, Any]) -> Layout:
    meld = layout.meld(_number(change, "meld"))
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
    return layout.won_with(piece.id)


def _sort(layout: Layout, change: Mapping[str, Any]) -> Layout:
    del change
    in_order = replace(layout, concealed=tuple(sorted(layout.concealed, key=lambda p: p.tile)))
    return in_order if layout.winning is None else in_order.won_with(layout.winning)


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
    """The layout without a piece; an emptied meld stays until `Layout.checked`, to be filled again."""

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
        meld = layout.meld(to)
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

"""What several kinds of move can get wrong: the turn, the tiles that a hand must hold, the copies of a set.

`companion.table.referee` asks these questions of each event; the answers are flags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from companion.meld import is_run
from companion.rules.flow import barred_after, kong_allowed
from companion.table.people import who
from companion.table.state import Chair, Flag, State
from companion.text import T
from companion.tiles import Tile

_COPIES: Final = 4


def own_turn(state: State, actor: int) -> Iterator[Flag]:
    if state.phase != "discard" or actor != state.turn:
        yield not_his_turn(state, actor)


def has_drawn(state: State, actor: int) -> Iterator[Flag]:
    claimed = state.phase == "discard" and state.turn == actor and state.chairs[actor].drawn is None
    if claimed and not state.flow.kong.after_claim:
        text = T(
            "%(who)s declares a kong right after a claim: he has to discard first",
            who=who(state, actor),
        )
        yield flag("kong_after_claim", text)


def kong_possible(state: State) -> Iterator[Flag]:
    if kong_allowed(state.flow, state.wall, state.kongs):
        return
    limit = state.flow.kong.limit
    if limit and state.kongs >= limit:
        yield flag("too_many_kongs", T("a hand has at most %(limit)s kongs here", limit=limit))
    else:
        yield flag("no_replacement_left", T("no replacement is left for a kong"))


def held(state: State, actor: int, tiles: tuple[Tile, ...]) -> Iterator[Flag]:
    chair = state.chairs[actor]
    for tile in tiles:
        after = chair.give(tile)
        if after is None:
            name = who(state, actor)
            text = T("%(who)s does not hold %(tile)s", who=name, tile=tile)
            yield flag("tile_not_held", text)
        else:
            chair = after
            if not _is_counted(state, actor, tile):
                yield from too_many(state, tile)


def _is_counted(state: State, actor: int, tile: Tile) -> bool:
    """Whether a tile of the hand was known, so that it is among the visible copies already."""
    return tile in state.chairs[actor].concealed


def shape(state: State, kind: str, tiles: tuple[Tile, ...]) -> Iterator[Flag]:
    kinds = {tile.kind for tile in tiles}
    if kind == "chow":
        dragons = all(tile.is_dragon for tile in tiles)
        good = (
            len(tiles) == 3
            and all(tile.index is not None for tile in tiles)
            and is_run(tiles)
            and (not dragons or state.flow.claims.dragon_chow)
        )
    else:
        good = len(kinds) == 1 and len(tiles) == (4 if kind == "kong" else 3)
    if not good:
        text = {
            "chow": T("%(tiles)s is no chow", tiles=tiles),
            "pung": T("%(tiles)s is no pung", tiles=tiles),
            "kong": T("%(tiles)s is no kong", tiles=tiles),
        }[kind]
        yield flag("not_a_meld", text)


def too_many(state: State, tile: Tile) -> Iterator[Flag]:
    """One copy more than a set has."""
    if not tile.suit:
        return
    seen = known_tiles(state)
    limit = 1 if tile.is_bonus else _COPIES
    if seen[tile.kind] >= limit:
        text = T(
            "%(count)s copies of %(tile)s: a set has only %(limit)s",
            count=seen[tile.kind] + 1,
            tile=tile,
            limit=limit,
        )
        yield flag("too_many_copies", text)


def barred_discards(state: State, seat: int) -> frozenset[Tile]:
    """The kinds that a player who has just claimed may not discard."""
    chair = state.chairs[seat]
    if state.phase != "discard" or state.turn != seat or chair.drawn is not None:
        return frozenset()
    laid = chair.melds[-1] if chair.melds else None
    if laid is None or laid.claimed is None:
        return frozenset()
    consumed = list(laid.tiles)
    consumed.remove(laid.claimed)
    return barred_after(state.flow, laid.claimed, consumed)


def known_tiles(state: State) -> Counter[Tile]:
    """How many of each kind are known to lie in hands, melds, rivers and before the players."""
    seen: Counter[Tile] = Counter()
    for chair in state.chairs:
        seen.update(tile.kind for tile in chair.concealed if tile.suit)
        seen.update(tile.kind for laid in chair.melds for tile in laid.tiles if tile.suit)
        seen.update(chair.bonus)
        seen.update(d.pai.kind for d in chair.discards if d.claimed_by is None and d.pai.suit)
    return seen


def wrong_count(state: State, seat: int, chair: Chair, wanted: int) -> Flag:
    text = T(
        "%(who)s has %(held)s tiles instead of %(wanted)s",
        who=who(state, seat),
        held=chair.count,
        wanted=wanted,
    )
    return flag("wrong_count", text)


def not_his_turn(state: State, actor: int) -> Flag:
    text = T(
        "it is not %(who)s's turn but %(turn)s's",
        who=who(state, actor),
        turn=who(state, state.turn),
    )
    return flag("not_his_turn", text)


def flag(code: str, text: T) -> Flag:
    return Flag(code, text)

"""How a meld lies in front of its player, from his left to his right.

Sources: "boca arriba las dos tejas de los extremos" (document 000), "dos fichas boca arriba delante de las
otras dos" (001), "la 4ª ficha irá boca abajo" (003), "la ficha llamada va girada" (004).
"""

from __future__ import annotations

from typing import Final, Literal

from companion.meld import Meld
from companion.rules.flow import Flow
from companion.table.state import LaidMeld, Lie
from companion.tiles import Tile

_LETTERS: Final[dict[str, Lie]] = {"u": "up", "d": "down"}


def lay_claimed(
    flow: Flow,
    kind: Literal["chow", "pung", "kong"],
    consumed: tuple[Tile, ...],
    pai: Tile,
    actor: int,
    source: int,
) -> LaidMeld:
    """A set made with a discard; where the system turns the claimed tile, it shows whose it was."""
    meld = Meld(kind, (*consumed, pai))
    if not flow.claims.sideways:
        lies = flow.kong.claimed_lies[0] if kind == "kong" else "u" * len(meld.tiles)
        return LaidMeld(meld, meld.tiles, _lies(lies), source, pai)
    at = _turned_at(actor, source, len(consumed))
    tiles = (*consumed[:at], pai, *consumed[at:])
    turned: tuple[Lie, ...] = tuple(
        "sideways" if place == at else "up" for place in range(len(tiles))
    )
    return LaidMeld(meld, tiles, turned, source, pai)


def lay_concealed(flow: Flow, consumed: tuple[Tile, ...]) -> LaidMeld:
    """A concealed kong, some of its tiles face down."""
    meld = Meld("ckong", consumed)
    return LaidMeld(meld, meld.tiles, _lies(flow.kong.concealed_lies[0]))


def lay_added(flow: Flow, pung: LaidMeld, pai: Tile) -> LaidMeld:
    """A pung with its fourth tile: on the turned tile, or at its end."""
    meld = Meld("kong", (*pung.tiles, pai))
    if "sideways" in pung.lies:
        at = pung.lies.index("sideways") + 1
        tiles = (*pung.tiles[:at], pai, *pung.tiles[at:])
        lies: tuple[Lie, ...] = (*pung.lies[:at], "sideways", *pung.lies[at:])
    else:
        tiles, lies = (*pung.tiles, pai), _lies(flow.kong.added_lies[0])
    return LaidMeld(meld, tiles, lies, pung.source, pung.claimed, added=pai)


def without_robbed(kong: LaidMeld, pai: Tile) -> LaidMeld:
    """What is left of a kong whose tile was robbed."""
    at = kong.tiles.index(pai)
    tiles, lies = kong.tiles[:at] + kong.tiles[at + 1 :], kong.lies[:at] + kong.lies[at + 1 :]
    return LaidMeld(Meld("pung", tiles), tiles, lies, kong.source, kong.claimed)


def _lies(letters: str) -> tuple[Lie, ...]:
    return tuple(_LETTERS[letter] for letter in letters)


def _turned_at(actor: int, source: int, last: int) -> int:
    """The place of the turned tile: on the side of the player who discarded it."""
    return {3: 0, 2: 1}.get((source - actor) % 4, last)

"""What a player may not win on: furiten, and the abortive draw of nine terminals.

Sources: "No ganar a propósito", "Robar un kan: chankan" and "El río" (document 004).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from companion.rules.flow.data import Flow
from companion.tiles import Tile


@dataclass(frozen=True, slots=True)
class Furiten:
    """What a player has let pass: `temporary` until his next turn, `lasting` to the end of the hand."""

    temporary: bool = False
    lasting: bool = False

    def passed(self, *, in_riichi: bool) -> Furiten:
        """He let a tile go that he could have won on: a discard, or the tile of an added kong."""
        return replace(self, temporary=True, lasting=self.lasting or in_riichi)

    def turn_taken(self) -> Furiten:
        """He has drawn, or has discarded after a claim: what he passed before counts no more.

        A claim alone does not clear it: until he discards he has not had his turn.
        """
        return replace(self, temporary=False)


def may_win_by_discard(
    flow: Flow, waits: Iterable[Tile], own_discards: Collection[Tile], furiten: Furiten
) -> bool:
    """Whether furiten leaves a player the right to win on another's tile.

    Args:
        flow: the flow of the profile.
        waits: every tile that would complete his hand.
        own_discards: all that he has discarded in this hand, claimed ones too.
        furiten: what he has let pass.
    """
    if not flow.discards.furiten:
        return True
    if furiten.temporary or furiten.lasting:
        return False
    discarded = {tile.kind for tile in own_discards}
    return not any(tile.kind in discarded for tile in waits)


def nine_terminals(flow: Flow, tiles: Iterable[Tile], *, own_draws: int, claims: int) -> bool:
    """Whether a player may abort the hand with nine kinds of terminals and honours.

    Only on his very first draw, and only if nobody has claimed or declared a kong before it.

    Args:
        flow: the flow of the profile.
        tiles: his 14 tiles.
        own_draws: draws he has made, this one included; the dealer's 14th tile counts as one.
        claims: claims and kongs of all players so far.
    """
    if "nine-terminals" not in flow.end.aborts or own_draws != 1 or claims:
        return False
    return len({tile.kind for tile in tiles if tile.is_terminal or tile.is_honour}) >= 9

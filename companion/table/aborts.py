"""Drawn hands that the table itself calls for, where a system knows them: everybody sees that it is over."""

from __future__ import annotations

from typing import Final

from companion.rules.flow import nine_terminals
from companion.rules.flow.data import Abort
from companion.table.state import SEATS, State
from companion.text import T

_MOST_KONGS: Final = 4
ABORT_WORDS: Final = {
    "four-winds": T("four equal winds were discarded first"),
    "four-kongs": T("four kongs by several players"),
    "four-riichi": T("four players in riichi"),
}


def abort_due(state: State) -> Abort | None:
    """The abortive draw that the discard on offer brings about, unless somebody wins on it."""
    if state.phase != "claim":
        return None
    return next((abort for abort in state.flow.end.aborts if _is_due(state, abort)), None)


def is_justified(state: State, reason: str) -> bool:
    """Whether a broken-off hand is so by what lies on the table, as far as it was seen."""
    if reason == "nine-terminals":
        return _may_show_nine(state)
    return not reason.startswith("four-") or abort_due(state) == reason


def _may_show_nine(state: State) -> bool:
    """Nine terminals and honours are shown at a player's first draw, before any claim."""
    chair = state.chairs[state.turn]
    if state.phase != "discard" or chair.discards or state.claims:
        return False
    unseen = any(tile.index is None for tile in chair.concealed)
    return unseen or nine_terminals(
        state.flow, chair.concealed, own_draws=chair.draws, claims=state.claims
    )


def _is_due(state: State, abort: str) -> bool:
    if abort == "four-riichi":
        return all(chair.riichi for chair in state.chairs)
    if abort == "four-kongs":
        kongs = [sum(laid.meld.is_kong for laid in chair.melds) for chair in state.chairs]
        return sum(kongs) == _MOST_KONGS and max(kongs) < _MOST_KONGS
    if abort == "four-winds":
        first = {discard.pai.kind for discard in state.pool}
        return (
            not state.claims
            and len(state.pool) == len(SEATS)
            and len(first) == 1
            and next(iter(first)).is_wind
        )
    return False

"""The one sentence that says how the table stands and what comes next."""

from __future__ import annotations

from companion.table.people import who
from companion.table.state import State
from companion.text import T
from companion.tiles import WIND_NAMES


def status_of(state: State) -> T:
    """What to do next, or what has just been decided."""
    if state.phase == "before":
        if not state.history:
            return T("Build the wall, throw the dice and deal.")
        return T("Wash the tiles and build the wall: %(who)s is East.", who=_east(state))
    if state.phase == "over":
        return T("The match is over.")
    if state.phase == "won":
        return T("%(who)s has won: look at the score and pay.", who=who(state, state.winners[0]))
    if state.phase == "drawn":
        return T("Nobody has won this hand.")
    if state.phase == "settled":
        return T("It is paid: pass the winds on and build the wall.")
    if state.phase == "replace":
        return T("%(who)s draws a replacement.", who=_turn(state))
    if state.phase == "claim" and state.offer is not None:
        if state.wall.live == 0:
            return T("The last discard, %(tile)s: who wins on it?", tile=state.offer.pai)
        return T(
            "%(tile)s lies there: claim it, or %(who)s draws.",
            tile=state.offer.pai,
            who=_turn(state),
        )
    return T("%(who)s discards.", who=_turn(state))


def _turn(state: State) -> T:
    wind = WIND_NAMES[state.wind_of(state.turn)]
    return T("%(who)s (%(wind)s)", who=who(state, state.turn), wind=wind)


def _east(state: State) -> T:
    seat = state.standing.east
    return T("%(who)s", who=state.names[seat] or T("seat %(seat)s", seat=seat))

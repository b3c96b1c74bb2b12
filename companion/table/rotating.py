"""The passing on of the winds, worked out from a table whose hand is over."""

from __future__ import annotations

from companion.rules.flow import HandResult, after
from companion.table.events import Rotate
from companion.table.state import SEATS, State


def rotation(state: State, rounds: int | None = None) -> Rotate:
    """The standing for the next hand, as an event.

    Args:
        state: the table after the hand.
        rounds: rounds that the table agreed on, if not the profile's own.
    """
    result = result_of(state)
    standing = after(state.flow, state.standing, result, rounds=rounds)
    stays = standing.east == state.standing.east
    honba = _honba(state, goes_on=stays or result.outcome != "win")
    return Rotate(standing.east, standing.round, standing.streak, honba=honba, over=standing.over)


def result_of(state: State) -> HandResult:
    """How the hand ended, as far as rotation cares.

    Wins that break the hand off are no win: it is played again, as after every abortive draw. A hand of
    which no end was seen counts as drawn.
    """
    if state.wins and not state.wins_draw_hand:
        return HandResult("win", state.winners)
    if _reason(state) not in {None, "exhausted"}:
        return HandResult("replay")
    return HandResult("draw", (), tuple(seat for seat in SEATS if state.chairs[seat].shown))


def _reason(state: State) -> str | None:
    """Why the hand ended without a win that is paid, None when no end of it was seen."""
    return None if state.in_hand or not state.history else state.history[-1].reason


def _honba(state: State, *, goes_on: bool) -> int:
    """Repeat counters go on while East stays or nobody won, where a system counts them.

    A hand that is played again after a false win counts as not played.
    """
    if not state.flow.discards.furiten:
        return 0
    if _reason(state) == "replay":
        return state.honba
    return state.honba + 1 if goes_on else 0

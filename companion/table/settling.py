"""What changes hands when a hand is over, as events, under the profile's own payment rule."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules import Profile, score
from companion.rules.circumstances import Wind
from companion.rules.payment import base_units
from companion.table.events import Penalty, Settle
from companion.table.state import SEATS, State

_FALSE_WIN_FAAN = 2


def win_settlement(state: State, profile: Profile) -> Settle:
    """The payment for the wins of a hand.

    Raises:
        companion.rules.HandError: when a winning hand can be none.
    """
    deltas = [0] * len(SEATS)
    for won in state.wins:
        sheet = score(won.hand, won.circumstances, profile)
        if sheet.payments is not None and sheet.payments.net is not None:
            _add(deltas, state, sheet.payments.net)
    return Settle(tuple(deltas), state.sticks)


def _add(deltas: list[int], state: State, net: Mapping[Wind, int]) -> None:
    for wind, gain in net.items():
        deltas[state.standing.seat_of(wind)] += gain


def draw_settlement(state: State, profile: Profile) -> Settle:
    """The payment after a hand without a winner."""
    return Settle((0,) * len(SEATS), state.sticks)


def false_win_penalty(state: State, seat: int, profile: Profile) -> Penalty:
    """What a false win costs."""
    each = base_units(profile, _FALSE_WIN_FAAN) if profile.get("payment.table") else 0
    deltas = tuple(-3 * each if other == seat else each for other in SEATS)
    return Penalty(seat, "false-win", deltas, dead=state.flow.end.false_win == "dead-hand")

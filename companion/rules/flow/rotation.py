"""After the hand: who is East next, when the round wind changes, and when the match is over.

Sources: "los vientos se rotan en sentido antihorario" (document 000), "los vientos rotan con el dealer"
and "la ronda" (002), "tiempos" and "frames" (003), "honba" (004).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from companion.rules.flow.data import Flow
from companion.tiles import WINDS

SEATS: Final = 4

Outcome = Literal["win", "draw", "replay"]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match is between two hands.

    Attributes:
        round: rounds begun before this one; its wind is `round_wind`.
        east: the seat that is East.
        first_east: the seat that was East first; the round ends when East comes back to it.
        hands: hands played in all.
        streak: hands in a row that this East has held before this one; riichi counts it as honba.
        over: the match has ended.
    """

    round: int = 0
    east: int = 0
    first_east: int = 0
    hands: int = 0
    streak: int = 0
    over: bool = False

    @property
    def round_wind(self) -> str:
        """``E S W N``; a match of more than four rounds begins again."""
        return WINDS[self.round % SEATS]

    def wind_of(self, seat: int) -> str:
        """The wind of a seat."""
        return WINDS[(seat - self.east) % SEATS]

    def seat_of(self, wind: str) -> int:
        """The seat that has a wind."""
        return (self.east + WINDS.index(wind)) % SEATS


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as far as rotation cares.

    Attributes:
        outcome: a win, an exhausted wall (or another draw), or a hand that is played again.
        winners: the seats that won.
        tenpai: the seats that were one tile short at a draw, for systems that ask.
    """

    outcome: Outcome
    winners: tuple[int, ...] = ()
    tenpai: tuple[int, ...] = ()


def after(
    flow: Flow,
    standing: Standing,
    result: HandResult,
    *,
    rounds: int | None = None,
    time_is_up: bool = False,
) -> Standing:
    """The standing after a hand.

    Args:
        flow: the flow of the profile.
        standing: where the match stood in the hand that ended.
        result: how it ended.
        rounds: rounds that the table agreed on, if not the profile's own.
        time_is_up: the time that the table agreed on is over; the hand that ended was the last.
    """
    if result.outcome == "replay":
        return replace(standing, hands=standing.hands + 1, over=time_is_up)
    stays = east_stays(flow, standing, result)
    if stays:
        return replace(
            standing, hands=standing.hands + 1, streak=standing.streak + 1, over=time_is_up
        )
    east = (standing.east + 1) % SEATS
    round_over = east == standing.first_east
    played = standing.round + round_over
    return Standing(
        round=played,
        east=east,
        first_east=standing.first_east,
        hands=standing.hands + 1,
        streak=0,
        over=time_is_up or played >= (rounds or flow.match.rounds),
    )


def east_stays(flow: Flow, standing: Standing, result: HandResult) -> bool:
    """Whether East keeps the wind for the next hand."""
    rotation = flow.rotation
    if rotation.dealer_streak and standing.streak + 1 >= rotation.dealer_streak:
        return False
    if result.outcome == "win":
        rule = rotation.east_wins if standing.east in result.winners else rotation.other_wins
        return rule == "stay"
    if rotation.draw == "tenpai":
        return standing.east in result.tenpai
    return rotation.draw == "stay"


def east_from_dice(totals: tuple[int, int, int, int]) -> int | None:
    """The seat with the highest throw, or None when the highest is tied and those throw again."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None

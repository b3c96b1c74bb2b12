"""Settling by the points of all four hands (documents 001 and 003, and classical play)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.points import count_loser, unseen_tiles
from companion.rules.profile import Profile
from companion.rules.scoring import score
from companion.rules.settlement.ledger import (
    SEATS,
    Paid,
    Settlement,
    SettlementError,
    Transfer,
    check_seat,
    others,
    transfer,
)
from companion.rules.sheet import ScoreSheet
from companion.text import T


@dataclass(frozen=True, slots=True)
class AllHands:
    """Four hands counted and settled.

    Attributes:
        sheets: the score sheet of each seat.
        settlement: who pays whom; None where the profile does not say.
    """

    sheets: tuple[ScoreSheet, ...]
    settlement: Settlement | None

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(sheet.value for sheet in self.sheets)

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        return {
            "points": list(self.points),
            "sheets": [sheet.to_json(lang) for sheet in self.sheets],
            "settlement": self.settlement.to_json(lang) if self.settlement is not None else None,
        }


def settle_all_hands(
    profile: Profile, hands: Sequence[Hand], winner: int, now: Circumstances, dealer: int
) -> AllHands:
    """Count the winner's hand and the three others, and settle them.

    Args:
        profile: rules in which all hands count.
        hands: the hands by seat, the losers' with the tiles they were left with.
        winner: seat of the winner.
        now: how he won.
        dealer: seat of East.

    Tiles of the losers that nobody saw count nothing; the sheets and the settlement's note say so.

    Raises:
        SettlementError: when these rules don't count the losers' hands, or there are not four.
        companion.rules.HandError: when the winning hand can be none, naming what is wrong.
    """
    check_seat(winner, "winner")
    if not profile.get("rules.all_hands_count", False):
        text = T("under these rules only the winner's hand counts")
        raise SettlementError(text, code="one_hand", field="rules")
    if len(hands) != SEATS:
        text = T("%(count)s hands were given: all four are needed", count=len(hands))
        raise SettlementError(text, code="not_four", field="hands")
    sheets = tuple(
        score(hand, now, profile) if seat == winner else count_loser(hand, profile)
        for seat, hand in enumerate(hands)
    )
    if not sheets[winner].can_win:
        text = T("the winner's hand is not finished: correct its tiles or settle a false win")
        raise SettlementError(text, code="no_win", field="hands")
    settled = None
    if profile["payment.kind"] == "differences":
        settled = settle_points(profile, [sheet.value for sheet in sheets], winner, dealer)
        settled = replace(settled, note=_unseen_note(hands, winner))
    return AllHands(sheets, settled)


def _unseen_note(hands: Sequence[Hand], winner: int) -> T | None:
    unseen = sum(unseen_tiles(hands[seat]) for seat in others(winner))
    if not unseen:
        return None
    return T(
        "unseen tiles of the losers (%(count)s) count nothing: lay the hands open and settle again",
        count=unseen,
    )


def settle_points(profile: Profile, points: Sequence[int], winner: int, dealer: int) -> Settlement:
    """Each loser pays the winner, then the losers settle their differences in pairs.

    Under document 003 a loser pays the difference with the winner whichever of the two has more, "el
    ganador siempre cobra y nunca paga"; in classical play he pays the winner's points in full. Who
    deals with East pays or receives a multiple, if the profile says so.

    Raises:
        SettlementError: when these rules pay otherwise, there are not four counts, or one is negative.
    """
    if profile["payment.kind"] != "differences":
        text = T("under these rules the differences between the hands are not paid")
        raise SettlementError(text, code="no_payment", field="points")
    check_seat(winner, "winner")
    check_seat(dealer, "dealer")
    if len(points) != SEATS or any(each < 0 for each in points):
        text = T("give the points of all four hands, none below zero: 60, 40, 80, 10")
        raise SettlementError(text, code="not_four", field="points")
    east: int = profile.get("payment.east_multiplier", 1)
    full = profile.get("payment.winner_takes", "difference") == "full"
    own = points[winner]

    def times(one: int, other: int) -> int:
        return east if dealer in (one, other) else 1

    transfers: list[Transfer] = []
    for loser in others(winner):
        due = own if full else abs(own - points[loser])
        why = T("the winner's points") if full else T("difference with the winner")
        transfers += transfer(loser, winner, due * times(loser, winner), why)
    if profile.get("payment.losers_settle", True):
        for one, other in combinations(others(winner), 2):
            due = (points[other] - points[one]) * times(one, other)
            transfers += transfer(one, other, due, T("difference between losers"))
    return Settlement(tuple(transfers), (Paid(winner, own, None, own),))

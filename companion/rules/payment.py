"""Who pays whom for one hand that was won by faan, and the settling of differences.

What differs between systems is data in the profile's ``payment`` table; see `companion.rules.schema`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from companion.catalogue import translate
from companion.rules.circumstances import Circumstances, Wind
from companion.rules.profile import Profile
from companion.text import T


@dataclass(frozen=True, slots=True)
class Payments:
    """What one won hand moves. Amounts that somebody pays are negative.

    Attributes:
        base: units that the faan stand for, before anybody's multiple.
        winner: the winner's wind.
        discarder: what the discarder pays, None on a self-draw.
        others: what each of the other two pays on a discard, None on a self-draw.
        each: what each of the three pays on a self-draw, None on a discard.
        total: what the winner receives.
        net: gain of each wind, or None while the discarder's wind is not known.
        chip: units of a chip, or None where the profile has no chips.
        note: what else must be known, or None.
    """

    base: int
    winner: Wind
    discarder: int | None
    others: int | None
    each: int | None
    total: int | None
    net: Mapping[Wind, int] | None
    chip: int | None = None
    note: T | None = None

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        transfers: list[dict[str, Any]] = []
        if self.net is not None:
            transfers = [
                {"from": wind, "to": self.winner, "amount": -gain}
                for wind, gain in self.net.items()
                if gain < 0
            ]
        elif self.discarder is not None and self.others is not None:
            roles = [("discarder", self.discarder)] + [("other", self.others)] * 2
            transfers = [
                {"from": role, "to": self.winner, "amount": -paid} for role, paid in roles if paid
            ]
        chips = None
        if self.chip is not None and self.total is not None and self.total % self.chip == 0:
            chips = self.total // self.chip
        return {
            "base": self.base,
            "winner": self.winner,
            "discarder": self.discarder,
            "others": self.others,
            "each": self.each,
            "total": self.total,
            "net": dict(self.net) if self.net is not None else None,
            "transfers": transfers,
            "chips": chips,
            "note": translate(self.note, lang) if self.note is not None else None,
        }


def base_units(profile: Profile, faan: int) -> int:
    """Units that `faan` stand for; past the end of the table its last entry holds."""
    table: list[int] = profile["payment.table"]
    limit: int = min(faan, profile["rules.limit"], len(table) - 1)
    return table[max(limit, 0)]


def pay_faan(profile: Profile, faan: int, now: Circumstances) -> Payments:
    """The payments for a hand of `faan` that was won as `now` tells."""
    base = base_units(profile, faan)
    east = profile.get("payment.east_multiplier", 1)
    winner_times = east if now.is_dealer else 1
    payers = [wind for wind in get_args(Wind) if wind != now.seat]
    east_times = {wind: east if wind == "E" else 1 for wind in payers}
    chip = profile.get("payment.chip")
    if now.is_self_draw:
        one = base * profile["payment.self_draw_share"] * winner_times
        net = {wind: -one * east_times[wind] for wind in payers}
        net[now.seat] = -sum(net.values())
        return Payments(base, now.seat, None, None, -one, net[now.seat], _in_order(net), chip)
    by_discarder = base * profile["payment.discarder_share"] * winner_times
    by_other = base * profile["payment.others_share"] * winner_times
    if now.discarder is None:
        doubtful = east != 1 and not now.is_dealer
        total = None if doubtful else by_discarder + 2 * by_other
        note = T("East pays %(times)s times as much: say who discarded", times=east)
        return Payments(
            base,
            now.seat,
            -by_discarder,
            -by_other,
            None,
            total,
            None,
            chip,
            note if doubtful else None,
        )
    net = {
        wind: -(by_discarder if wind == now.discarder else by_other) * east_times[wind]
        for wind in payers
    }
    net[now.seat] = -sum(net.values())
    return Payments(
        base,
        now.seat,
        net[now.discarder],
        -by_other,
        None,
        net[now.seat],
        _in_order(net),
        chip,
    )


def settle_differences(points: Sequence[int], winner: int) -> tuple[int, ...]:
    """Net gains of four players when differences are paid.

    Each loser pays the winner the difference between their points, whichever has more (003 item 17:
    "el ganador siempre cobra y nunca paga"); then the losers settle their differences in pairs.

    Args:
        points: the four hands' points, by player.
        winner: the position of the winner in `points`.
    """
    gains = [0] * len(points)
    for player, own in enumerate(points):
        if player == winner:
            continue
        due = abs(points[winner] - own)
        gains[player] -= due
        gains[winner] += due
        gains[player] += sum(own - other for at, other in enumerate(points) if at != winner)
    return tuple(gains)


def _in_order(net: Mapping[Wind, int]) -> dict[Wind, int]:
    return {wind: net[wind] for wind in get_args(Wind)}

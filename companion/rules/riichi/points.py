"""From han and fu to points: basic points, their limits, and what each player pays."""

from __future__ import annotations

from typing import Final

from companion.rules.profile import Profile
from companion.rules.riichi.yaku import YAKUMAN_HAN

MANGAN: Final = 2000
"""Basic points of a mangan; hands of fewer than five han never count more."""
YAKUMAN_BASE: Final = 8000
LEVELS: Final = (
    (11, 6000, "sanbaiman"),
    (8, 4000, "baiman"),
    (6, 3000, "haneman"),
    (5, MANGAN, "mangan"),
)
"""Least han, basic points and name of the limits below a yakuman."""
MOST_YAKUMAN: Final = 6
"""Yakuman that count together, as in the `mahjong` package."""
_ROUND_UP_FROM: Final = 1920
"""Basic points of 4 han 30 fu and of 3 han 60 fu, the ones that kiriage lifts to a mangan."""


def basic_points(han: int, fu: int, is_yakuman: bool, profile: Profile) -> tuple[int, str]:
    """Basic points of a hand and the limit it reaches ("" for none).

    A player who is not the dealer wins four times the basic points by ron.
    """
    if is_yakuman:
        return YAKUMAN_BASE * min(han // YAKUMAN_HAN, MOST_YAKUMAN), "yakuman"
    if han >= YAKUMAN_HAN:
        counted: str = profile["riichi.counted_yakuman"]
        if counted == "sanbaiman":
            return LEVELS[0][1], "sanbaiman"
        times = min(han // YAKUMAN_HAN, MOST_YAKUMAN) if counted == "no_limit" else 1
        return YAKUMAN_BASE * times, "counted_yakuman"
    for least, base, name in LEVELS:
        if han >= least:
            return base, name
    base = fu * 2 ** (2 + han)
    if base > MANGAN or (profile["riichi.round_up_mangan"] and base >= _ROUND_UP_FROM):
        return MANGAN, "mangan"
    return base, ""


def ron_points(base: int, *, dealer: bool) -> int:
    """What the discarder pays a winner, without honba."""
    return _hundreds(base * (6 if dealer else 4))


def tsumo_points(base: int, *, dealer: bool) -> tuple[int, int]:
    """What a self-draw costs, without honba: the dealer's share and that of each other player.

    For the dealer's own win both are what each of the three pays.
    """
    double = _hundreds(base * 2)
    return (double, double) if dealer else (double, _hundreds(base))


def _hundreds(points: int) -> int:
    return -(-points // 100) * 100

"""Liability (pao): who fed the set that made a great hand lie on the table, and answers for it.

Document 002 asks "Pao / responsabilidad (包). Si un jugador alimenta una mano límite, ¿paga por los
tres?" and leaves the answer to the table; 004 is silent. Which hands there is liability for stands in the
profile: `riichi.pao`, or `payment.liable_hands` under the switch `payment.liability`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.meld import MeldKind
from companion.rules.profile import Profile
from companion.rules.sheet import ScoreSheet
from companion.tiles import Tile


@dataclass(frozen=True, slots=True)
class Fed:
    """A set on the table and where its tile came from.

    Attributes:
        kind: what it is now; a pung that grew to a kong keeps its place and its feeder.
        tile: its (lowest) tile.
        feeder: seat whose discard was claimed; None for a concealed kong.
        added: it was a pung first and the fourth tile was the player's own.
        made: when it became what it is, in whatever counts upwards; sets of one time count as laid.
    """

    kind: MeldKind
    tile: Tile
    feeder: int | None
    added: bool = False
    made: int = 0


def _is_dragons(laid: Fed) -> bool:
    return laid.tile.is_dragon and laid.kind != "chow"


def _is_winds(laid: Fed) -> bool:
    return laid.tile.is_wind


def _is_honours(laid: Fed) -> bool:
    return laid.tile.is_honour and laid.kind != "chow"


def _is_terminals(laid: Fed) -> bool:
    return laid.tile.is_terminal and laid.kind != "chow"


def _is_kong(laid: Fed) -> bool:
    return laid.kind in {"kong", "ckong"}


_Belongs = Callable[[Fed], bool]
_FAMILIES: Final[Mapping[str, tuple[_Belongs, int]]] = {
    "daisangen": (_is_dragons, 3),
    "daisuushii": (_is_winds, 4),
    "suukantsu": (_is_kong, 4),
    "big_dragons": (_is_dragons, 3),
    "big_winds": (_is_winds, 4),
    "four_kongs": (_is_kong, 4),
    "all_honours": (_is_honours, 4),
    "all_terminals": (_is_terminals, 4),
}
"""The sets that make a hand, and how many of them must lie on the table."""

SURE_HANDS: Final = ("big_dragons", "big_winds", "four_kongs")
"""What sets on the table make by themselves, whatever the rest of the hand is: where only the switch is
said (`payment.liability`), there is liability for these."""


def liable_seat(sheet: ScoreSheet, winner: int, laid: Sequence[Fed]) -> int | None:
    """The seat that answers for a won hand by its profile, or None.

    Only a hand that reaches the limit is answered for. One beside which another counts was fed all the
    same: what the sheet excludes is looked at too.

    Args:
        sheet: what the hand is worth.
        winner: his seat.
        laid: his sets in the order they were laid; an added kong at its pung's place.
    """
    if not sheet.limit:
        return None
    found = [line.pattern for line in sheet.lines]
    found += [each.pattern for each in sheet.excluded]
    seats = (liable_for(sheet.profile, pattern, laid) for pattern in found)
    return next((seat for seat in seats if seat is not None and seat != winner), None)


def liable_for(profile: Profile, pattern: str, laid: Sequence[Fed]) -> int | None:
    """The seat that answers for a hand, or None.

    He fed the set that completed the open part: the third of dragons, the fourth of winds, the fourth
    kan. A concealed kong creates no liability, and an added kong does not end it.

    Args:
        profile: says for which hands there is liability.
        pattern: id of the yakuman or pattern.
        laid: the winner's sets in the order they were laid; an added kong at its pung's place.
    """
    if pattern not in _liable_hands(profile):
        return None
    belongs, wanted = _FAMILIES[pattern]
    sets = [each for each in laid if belongs(each)]
    if len(sets) != wanted:
        return None
    if belongs is not _is_kong:
        return sets[-1].feeder
    # A pung that grows keeps its place, so the last kong need not be the last that was laid.
    last = max(reversed(sets), key=lambda each: each.made)
    return None if last.added else last.feeder


def _liable_hands(profile: Profile) -> Collection[str]:
    hands: Collection[str] = ()
    if profile["payment.kind"] == "riichi":
        hands = profile["riichi.pao"]
    elif profile.get("payment.liability", False):
        hands = profile.get("payment.liable_hands", SURE_HANDS)
    return hands

"""Liability (pao): who fed the last open set of a yakuman of honours or kan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.meld import MeldKind
from companion.rules.profile import Profile
from companion.tiles import Tile


@dataclass(frozen=True, slots=True)
class Fed:
    """A set on the table and where its tile came from.

    Attributes:
        kind: what it is now; a pung that grew to a kong keeps its place and its feeder.
        tile: its (lowest) tile.
        feeder: seat whose discard was claimed; None for a concealed kong.
        added: it was a pung first and the fourth tile was the player's own.
    """

    kind: MeldKind
    tile: Tile
    feeder: int | None
    added: bool = False


_FAMILIES: Final[Mapping[str, int]] = {"daisangen": 3, "daisuushii": 4}


def liable_for(profile: Profile, yaku: str, laid: Sequence[Fed]) -> int | None:
    """The seat that answers for a yakuman, or None.

    He fed the set that completed the open part: the third of dragons, the fourth of winds, the fourth
    kan. A concealed kong creates no liability, and an added kong does not end it.

    Args:
        profile: says for which yakuman there is liability.
        yaku: id of the yakuman.
        laid: the winner's sets in the order they were laid; an added kong at its pung's place.
    """
    if yaku not in profile["riichi.pao"]:
        return None
    if yaku == "suukantsu":
        kongs = [each for each in laid if each.kind in {"kong", "ckong"}]
        last = kongs[-1] if len(kongs) == 4 else None
        return None if last is None or last.added else last.feeder
    wanted = [each for each in laid if _belongs(yaku, each.tile) and each.kind != "chow"]
    return wanted[-1].feeder if len(wanted) == _FAMILIES[yaku] else None


def _belongs(yaku: str, tile: Tile) -> bool:
    return tile.is_dragon if yaku == "daisangen" else tile.is_wind

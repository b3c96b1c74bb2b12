"""What a hand of thirteen tiles waits for, and what each winning tile is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.profile import Profile
from companion.rules.scoring import HandError, evaluator_of, score
from companion.rules.shanten import OUT_OF_REACH, Shanten, Useful, live_copies, useful_tiles
from companion.rules.sheet import ScoreSheet
from companion.text import GorrionError, T
from companion.tiles import KINDS, Tile

_WAITING = 13
_COPIES = 4


@dataclass(frozen=True, slots=True)
class Wait:
    """One tile that finishes the hand.

    Attributes:
        tile: the winning tile.
        live: copies of it that are neither in the hand nor seen elsewhere.
        by_discard, by_self_draw: what the hand is worth with it; `can_win` tells whether it may be
            called like this.
    """

    tile: Tile
    live: int
    by_discard: ScoreSheet
    by_self_draw: ScoreSheet

    def to_json(self) -> dict[str, Any]:
        return {
            "tile": self.tile.code,
            "live": self.live,
            "discard": _worth(self.by_discard),
            "self_draw": _worth(self.by_self_draw),
        }


@dataclass(frozen=True, slots=True)
class Outlook:
    """How a hand of thirteen stands: its distance, what brings it nearer, and what it waits for."""

    shanten: Shanten
    useful: tuple[Useful, ...]
    waits: tuple[Wait, ...]

    @property
    def is_lost(self) -> bool:
        """Whether the melds rule every finished hand out."""
        return self.shanten.best == OUT_OF_REACH

    def to_json(self) -> dict[str, Any]:
        return {
            "shanten": None if self.is_lost else self.shanten.best,
            "by_form": {
                "standard": self.shanten.standard,
                "seven_pairs": self.shanten.seven_pairs,
                "thirteen_orphans": self.shanten.thirteen_orphans,
                "knitted": self.shanten.knitted,
            },
            "useful": [{"tile": each.tile.code, "live": each.live} for each in self.useful],
            "waits": [wait.to_json() for wait in self.waits],
        }


def outlook(
    hand: Hand, now: Circumstances, profile: Profile, visible: Iterable[Tile] = ()
) -> Outlook:
    """Everything about a hand of thirteen tiles; see `waits` for the arguments.

    Raises:
        HandError: also when the hand and `visible` together hold more of a tile than a set has.
    """
    seen = tuple(visible)
    _check_visible(hand, seen)
    found = waits(hand, now, profile, seen)
    distance, useful = useful_tiles(hand, profile.shapes, seen)
    return Outlook(distance, useful, found)


def _check_visible(hand: Hand, seen: tuple[Tile, ...]) -> None:
    elsewhere = Counter(tile.index for tile in seen if tile.index is not None)
    for index, count in elsewhere.items():
        own = hand.all_counts[index]
        if own <= _COPIES < own + count:
            text = T(
                "%(count)s copies of %(tile)s in the hand and the visible tiles together: a set has "
                "only four; correct one of them",
                count=own + count,
                tile=KINDS[index].code,
            )
            raise HandError(text, code="five_copies", field="visible")


def waits(
    hand: Hand, now: Circumstances, profile: Profile, visible: Iterable[Tile] = ()
) -> tuple[Wait, ...]:
    """Every tile that finishes a hand of thirteen, with its worth by discard and by self-draw.

    A tile of which the hand itself holds all four copies is no wait.

    Args:
        hand: the hand without the winning tile (kongs counted as three).
        now: seat, round and circumstances; how the tile comes is worked out both ways.
        profile: the rules.
        visible: tiles seen elsewhere (discards, others' melds), not those of the hand itself.

    Raises:
        HandError: when the tiles can be no hand of thirteen.
        companion.rules.scoring.UnsupportedError: when the profile's way of counting is not there.
    """
    evaluator_of(profile)
    flags = hand.flags(size=_WAITING)
    if flags:
        raise HandError(flags[0].text, code=flags[0].code, field="hand")
    discarded, drawn = now.discarded(), now.drawn()
    found = []
    for tile, live, own in zip(KINDS, live_copies(hand, visible), hand.all_counts, strict=True):
        if own == _COPIES:
            continue
        whole = Hand((*hand.concealed, tile), hand.melds, hand.bonus, tile)
        try:
            by_self_draw = score(whole, drawn, profile)
        except GorrionError as error:
            if error.code != "five_copies":
                raise
            continue  # what is known of the table, such as dora indicators, shows the fourth
        if by_self_draw.complete:
            found.append(Wait(tile, live, score(whole, discarded, profile), by_self_draw))
    return tuple(found)


def _worth(sheet: ScoreSheet) -> dict[str, Any]:
    """What a winning tile is worth, briefly."""
    return {
        **sheet.values,
        "can_win": sheet.can_win,
        "limit": sheet.limit,
        "patterns": [line.pattern for line in sheet.lines],
        "total": sheet.payments.total if sheet.payments else None,
    }

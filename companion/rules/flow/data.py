"""How a game flows under a profile, as data: the wall, its opening, the deal, claims and rotation.

Every difference between the systems is a value here, read from the ``[flow.*]`` tables of a profile;
the functions of this package look at values only, never at a profile's name.

Words: a *seat* is a chair, 0..3 counter-clockwise, and each has the *side* of the wall in front of it.
A *column* is a stack of two tiles; columns are counted 1, 2, 3 ... from the right-hand end of a side as
its own player sees it, so counting up goes leftwards, which is clockwise seen from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Words = Mapping[str, str]
"""One term by language (``es``, ``en``)."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles that are played with.

    Attributes:
        bonus: the four flowers and four seasons are in the wall (144 tiles, else 136).
        reds: how many of the fives of each suit are red.
    """

    bonus: bool
    reds: int = 0

    @property
    def total(self) -> int:
        return 144 if self.bonus else 136

    @property
    def columns(self) -> int:
        """Columns of a side: 18, or 17 without the bonus tiles."""
        return self.total // 8


@dataclass(frozen=True, slots=True)
class SeatingFlow:
    """How East is found before the first hand: by the highest throw, or by four winds face down."""

    east_by: Literal["highest-dice", "drawn-winds"]


@dataclass(frozen=True, slots=True)
class OpeningFlow:
    """Which side and which column are opened for the dice that were thrown.

    Attributes:
        side_dice: dice of the first throw.
        side_thrower: who throws them.
        sides: ``count`` counts the total counter-clockwise with East's own side as 1; ``facing`` the
            same with the side opposite East as 1; ``named`` looks the total up in `side_of`.
        side_of: for ``named``: places counter-clockwise from East by total, 1 first.
        column_dice: dice of the second throw; 0 when the first total is used again.
        column_thrower: who throws the second time: East, or the owner of the opened side.
        column_adds_first: the first total is added to the second.
        column_from: the end of the opened side that columns are counted from.
        gap: ``after`` takes the first tile behind the counted columns; ``at`` takes the counted column
            first; ``lifted`` lifts the counted column out and lays its two tiles on the dead wall.
    """

    side_dice: int
    side_thrower: Literal["east", "opposite"]
    sides: Literal["count", "facing", "named"]
    column_dice: int
    column_thrower: Literal["east", "owner"]
    column_adds_first: bool
    column_from: Literal["right", "left"]
    gap: Literal["after", "at", "lifted"]
    side_of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WallFlow:
    """What of the wall is played and what is kept apart.

    Attributes:
        dead_columns: columns kept apart, with the bonus tiles in the wall.
        dead_columns_plain: the same without them.
        loose_at: for a lifted column, how many columns right of the gap its two tiles are laid, with
            the bonus tiles in the wall.
        loose_at_plain: the same without them.
        replenished: the last live tile joins the dead wall whenever one leaves it.
        replacements: where the tile for a kong or a bonus tile comes from: ``dead-gap`` the dead wall's
            end at the gap; ``dead-far`` its other end; ``tail`` the end of the live wall.
        live, dead, head, tail: what the system calls these parts.
    """

    dead_columns: int
    dead_columns_plain: int
    replenished: bool
    replacements: Literal["dead-gap", "dead-far", "tail"]
    live: Words
    dead: Words
    head: Words
    tail: Words
    loose_at: tuple[int, ...] = ()
    loose_at_plain: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DealFlow:
    """How hands are dealt: blocks of four in turn, then single tiles.

    Attributes:
        blocks: rounds of four tiles each.
        last: for each place from East on, which of the next live tiles he takes (0 is the next);
            East's two are (0, 4) where he takes the first and the third top tile.
    """

    blocks: int
    last: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ClaimFlow:
    """Who may take a discard, for what, until when, and who goes first.

    Attributes:
        priority: ranks of claims from the strongest; claims of one rank go in turn order.
        pung_until, chow_until: until the next player has drawn, or (returning the tile) discarded.
        win_takes_any: a chow that completes the hand may be claimed from anybody.
        winners: how many may win on one discard: the nearest in turn order, or all.
        wins_that_draw: so many wins on one tile break the hand off and nobody is paid; 0 where every win
            that is granted is paid. `riichi.several_rons` says it.
        last_discard: what the last discard of the hand may be claimed for.
        rob: which kongs may be robbed for the win: ``added`` ones, or any that is ``declared``
            (exposed); with `rob_concealed_orphans` also a concealed kong, by thirteen orphans.
        sideways: a claimed tile lies sideways and shows whose discard it was.
        max_chows: chows that a hand may hold.
        dragon_chow: the three dragons make a chow.
        swap: what may be discarded right after a pung or chow: ``anything``; ``not-same``, all but the
            tile that was claimed; ``not-either-end``, nor the tile that would have made the same run at
            its other end (kuikae).
    """

    priority: tuple[tuple[str, ...], ...]
    pung_until: Literal["draw", "discard"]
    chow_until: Literal["draw"]
    win_takes_any: bool
    winners: Literal["nearest", "all"]
    last_discard: Literal["win", "any", "none"]
    rob: Literal["added", "declared", "none"]
    rob_concealed_orphans: bool = False
    sideways: bool = False
    max_chows: int = 4
    dragon_chow: bool = False
    wins_that_draw: int = 0
    swap: Literal["anything", "not-same", "not-either-end"] = "anything"

    def draws_hand(self, wins: int) -> bool:
        """Whether so many wins on one tile break the hand off, and nobody is paid."""
        return 0 < self.wins_that_draw <= wins


@dataclass(frozen=True, slots=True)
class KongFlow:
    """Kongs: which may be declared and how they lie.

    Attributes:
        added: which tile may be added to an exposed pung: ``any`` of the hand, only the one just
            ``drawn``, or ``no``.
        concealed_lies, claimed_lies, added_lies: face up (``u``) or down (``d``) of the four tiles
            from the left, all layouts that are in use; the first is the system's own.
        on_last_tile: a kong may be declared when no replacement is left.
        after_claim: a concealed or added kong may be declared in a turn that began with a claim, so
            without having drawn.
        limit: kongs in one hand, or 0 for no limit.
    """

    added: Literal["any", "drawn", "no"]
    concealed_lies: tuple[str, ...]
    claimed_lies: tuple[str, ...]
    added_lies: tuple[str, ...]
    on_last_tile: bool
    after_claim: bool = False
    limit: int = 0


@dataclass(frozen=True, slots=True)
class DiscardFlow:
    """Where discards lie, and whether they bind.

    Attributes:
        lie: in one ``pool`` in the middle, or in a ``river`` in front of each player.
        row: discards in a row of a river, 0 in a pool.
        furiten: a player may not win by discard on what he discarded or passed.
    """

    lie: Literal["pool", "river"]
    row: int = 0
    furiten: bool = False


Moment = Literal["at-once", "after-discard"]


@dataclass(frozen=True, slots=True)
class DoraFlow:
    """Bonus indicators on the dead wall.

    Attributes:
        shown: indicators turned over when the hand begins; 0 where a system has none.
        concealed, claimed, added: when such a kong turns over the next one.
    """

    shown: int = 0
    concealed: Moment = "at-once"
    claimed: Moment = "after-discard"
    added: Moment = "after-discard"


Abort = Literal["nine-terminals", "four-winds", "four-kongs", "four-riichi", "triple-win"]


@dataclass(frozen=True, slots=True)
class EndFlow:
    """How a hand may end without a payment for a win.

    Attributes:
        false_win: what a false win does to the hand: ``replay`` it with the winds as they are, or
            ``dead-hand``: the player goes on without the right to win.
        aborts: the abortive draws that the system knows.
    """

    false_win: Literal["replay", "dead-hand"]
    aborts: tuple[Abort, ...] = ()


@dataclass(frozen=True, slots=True)
class RotationFlow:
    """Who is East in the next hand, and when the round wind changes.

    Attributes:
        east_wins, other_wins, draw: what the winds do after such a hand; ``tenpai`` keeps East when
            East was ready.
        dealer_streak: hands East may hold in a row, or 0 for no limit.
    """

    east_wins: Literal["stay", "rotate"]
    other_wins: Literal["stay", "rotate"]
    draw: Literal["stay", "rotate", "tenpai"]
    dealer_streak: int = 0


@dataclass(frozen=True, slots=True)
class MatchFlow:
    """When the match is over: after so many rounds, or after so many minutes.

    Attributes:
        rounds: rounds of a full match.
        rounds_options: what tables agree on.
        minutes_options: lengths by time that tables agree on; the hand in play is finished.
        start: points, or units of chips, that each player begins with.
    """

    rounds: int
    rounds_options: tuple[int, ...]
    minutes_options: tuple[int, ...] = ()
    start: int = 0


@dataclass(frozen=True, slots=True)
class RiichiFlow:
    """What a player lays who says riichi.

    Attributes:
        stick: points of the stick; 0 in systems without riichi.
    """

    stick: int = 0


@dataclass(frozen=True, slots=True)
class Flow:
    """The whole flow of a profile."""

    tiles: TileSet
    seating: SeatingFlow
    opening: OpeningFlow
    wall: WallFlow
    deal: DealFlow
    claims: ClaimFlow
    kong: KongFlow
    discards: DiscardFlow
    dora: DoraFlow
    end: EndFlow
    rotation: RotationFlow
    match: MatchFlow
    riichi: RiichiFlow

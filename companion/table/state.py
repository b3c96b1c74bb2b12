"""What a table looks like at one moment: the immutable result of folding its events.

Everything is kept as it was seen, even what cannot be: what is wrong is told by `State.flags`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from companion.hand import Hand
from companion.meld import Meld
from companion.rules.circumstances import Circumstances
from companion.rules.decomposition import Shapes
from companion.rules.flow import Flow, Furiten, Standing, WallCount, wall_count
from companion.text import T
from companion.tiles import UNKNOWN, Tile

SEATS: Final = (0, 1, 2, 3)
_NOTHING_PASSED: Final = Furiten()
_FIRST_HAND: Final = Standing()

Phase = Literal["before", "discard", "claim", "replace", "won", "drawn", "settled", "over"]
"""Between hands; a player has to discard; a discard can be claimed or the next player draws; a
replacement has to be drawn; the hand is won or drawn; it is settled; the match is over."""

Lie = Literal["up", "down", "sideways"]


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that does not fit the rules.

    Attributes:
        code: a stable word, such as ``not_his_turn``.
        text: the sentence that says what is wrong.
        ref: the event it came with (`companion.table.events.Entry.ref`).
    """

    code: str
    text: T
    ref: str = ""


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld as it lies in front of its player.

    Attributes:
        meld: the set.
        tiles: its tiles from the player's left to his right; of a robbed kong three are left.
        lies: how each of them lies.
        source: the seat whose discard was claimed, None for a concealed kong.
        claimed: the claimed tile.
        added: the tile that made a pung a kong.
        made: claims and kongs in the hand before it became what it is.
    """

    meld: Meld
    tiles: tuple[Tile, ...]
    lies: tuple[Lie, ...]
    source: int | None = None
    claimed: Tile | None = None
    added: Tile | None = None
    made: int = 0


def is_pung_of(laid: LaidMeld, tile: Tile) -> bool:
    """Whether a laid meld is a pung that this tile makes a kong."""
    return laid.meld.kind == "pung" and laid.tiles[0].kind is tile.kind


@dataclass(frozen=True, slots=True)
class Discarded:
    """A discard where it lies.

    Attributes:
        pai: the tile.
        actor: who discarded it.
        number: its place among all discards of the hand, from 0.
        tsumogiri: it was the tile just drawn; None when nobody saw.
        riichi: it declared riichi and lies sideways in a river.
        claimed_by: the seat that took it, or None while it lies.
    """

    pai: Tile
    actor: int
    number: int
    tsumogiri: bool | None = None
    riichi: bool = False
    claimed_by: int | None = None


@dataclass(frozen=True, slots=True)
class Chair:
    """What one player has in front of him.

    Attributes:
        concealed: tiles that nobody else sees, sorted; ``?`` where they are not known.
        melds: in the order they were laid.
        bonus: flowers and seasons laid open.
        discards: all he discarded, claimed ones too.
        drawn: the tile he has just drawn, or None.
        draws: draws made in this hand; East's 14th tile counts as one.
        riichi: 0 no, 1 said, 2 accepted.
        double_riichi: it was said in the first uninterrupted go-around.
        ippatsu: riichi was accepted, and since then neither a claim nor his own next discard was made.
        furiten: what he let pass.
        dead: his hand can't win.
        shown: his hand lies open.
    """

    concealed: tuple[Tile, ...] = ()
    melds: tuple[LaidMeld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    discards: tuple[Discarded, ...] = ()
    drawn: Tile | None = None
    draws: int = 0
    riichi: int = 0
    double_riichi: bool = False
    ippatsu: bool = False
    furiten: Furiten = _NOTHING_PASSED
    dead: bool = False
    shown: bool = False

    @property
    def count(self) -> int:
        """Tiles that make the hand, a kong counted as three: 13 between turns, 14 in the turn."""
        return len(self.concealed) + 3 * len(self.melds)

    def take(self, tile: Tile) -> Chair:
        """With one more concealed tile."""
        return replace(self, concealed=tuple(sorted((*self.concealed, tile))))

    def give(self, tile: Tile) -> Chair | None:
        """Without a concealed tile: the very one, else an unseen one; None when he can't have it."""
        for held in (tile, UNKNOWN):
            if held in self.concealed:
                at = self.concealed.index(held)
                return replace(self, concealed=self.concealed[:at] + self.concealed[at + 1 :])
        return None


@dataclass(frozen=True, slots=True)
class Offer:
    """The tile that others may take now.

    Attributes:
        actor: whose tile it is.
        pai: the tile.
        kong: None for a discard, else the kind of kong that can be robbed.
    """

    actor: int
    pai: Tile
    kong: Literal["concealed", "claimed", "added"] | None = None


@dataclass(frozen=True, slots=True)
class Won:
    """A win as it stood when it was said, ready to be scored.

    Attributes:
        seat: who won.
        loser: whose tile it was, None on a self-draw.
        hand: the whole hand.
        circumstances: how it was won.
        claimed: worth as the winner declared it, or None.
    """

    seat: int
    loser: int | None
    hand: Hand
    circumstances: Circumstances
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class HandRecord:
    """How a hand of the match ended.

    Attributes:
        number: from 1.
        round: wind of the round.
        east: the seat that was East.
        winners: seats that won; empty after a drawn hand.
        loser: the seat whose tile it was, None on a self-draw or a drawn hand.
        worth: as computed by the rules, by winner.
        reason: for a hand without a winner.
        deltas: what changed hands.
    """

    number: int
    round: str
    east: int
    winners: tuple[int, ...] = ()
    loser: int | None = None
    worth: tuple[int | None, ...] = ()
    reason: str = ""
    deltas: tuple[int, ...] = (0, 0, 0, 0)

    def moved(self, deltas: tuple[int, ...]) -> HandRecord:
        """With more that changed hands, by seat."""
        return replace(self, deltas=_added(self.deltas, deltas))


@dataclass(frozen=True, slots=True)
class State:
    """A table at one moment.

    Attributes:
        flow: how the game flows under the profile in force.
        shapes: which hands are finished under it.
        profile, profile_hash: the profile's id and content hash.
        names: by seat.
        scores: by seat.
        standing: round, East, hands played.
        honba, sticks: riichi counters.
        rounds: rounds agreed on, or 0 for the profile's own.
        phase: what is waited for.
        turn: the seat whose move it is; in ``claim`` the seat that draws if nobody claims.
        chairs: by seat.
        drawn, replaced: tiles taken from the head of the wall (the deal included), and replacements.
        dora: indicators shown.
        dora_due: indicators that the next discard turns over.
        offer: the tile that others may take: a discard, or the tile of a kong.
        window: seats that are still asked whether they claim, while a claim window is open.
        claims: claims and kongs so far in the hand.
        kongs: kongs so far.
        pool: all discards of the hand in order.
        dice: the throws that opened the wall.
        due: replacements that the seat in turn still has to draw.
        replacing: what the tile just drawn replaced: after a kong also through flowers a ``kong``.
        wins: the wins of this hand, in the order they were said.
        history: hands that ended.
        flags: what did not fit the rules in this hand.
    """

    flow: Flow
    shapes: Shapes
    profile: str
    profile_hash: str = ""
    names: tuple[str, ...] = ("", "", "", "")
    scores: tuple[int, ...] = (0, 0, 0, 0)
    standing: Standing = _FIRST_HAND
    honba: int = 0
    sticks: int = 0
    rounds: int = 0
    phase: Phase = "before"
    turn: int = 0
    chairs: tuple[Chair, ...] = (Chair(), Chair(), Chair(), Chair())
    drawn: int = 0
    replaced: int = 0
    dora: tuple[Tile, ...] = ()
    dora_due: int = 0
    offer: Offer | None = None
    window: tuple[int, ...] = ()
    claims: int = 0
    kongs: int = 0
    pool: tuple[Discarded, ...] = ()
    dice: tuple[tuple[int, ...], ...] = ()
    due: int = 0
    replacing: Literal["kong", "flower", ""] = ""
    wins: tuple[Won, ...] = ()
    history: tuple[HandRecord, ...] = ()
    flags: tuple[Flag, ...] = ()

    @property
    def wall(self) -> WallCount:
        """Tiles that are left to draw, and those kept apart."""
        return wall_count(self.flow, self.drawn, self.replaced)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that have won this hand, in the order they said so."""
        return tuple(won.seat for won in self.wins)

    @property
    def wins_draw_hand(self) -> bool:
        """Whether so many have won on one tile that the hand is broken off and nobody is paid."""
        return self.flow.claims.draws_hand(len(self.wins))

    @property
    def in_hand(self) -> bool:
        """Whether a hand is being played."""
        return self.phase in {"discard", "claim", "replace"}

    @property
    def last_discard(self) -> bool:
        """Whether no live tile is left, so that the discard on offer is the last one."""
        return self.wall.live == 0

    @property
    def tiles_on_table(self) -> int:
        """Every tile that exists by this state: conserved from the deal to the end of a hand."""
        wall = self.wall
        held = sum(
            len(chair.concealed)
            + len(chair.bonus)
            + sum(len(laid.tiles) for laid in chair.melds)
            + sum(discard.claimed_by is None for discard in chair.discards)
            for chair in self.chairs
        )
        return wall.live + wall.dead + held

    def wind_of(self, seat: int) -> str:
        """The wind of a seat in this hand."""
        return self.standing.wind_of(seat)

    def with_chair(self, seat: int, chair: Chair) -> State:
        """With another chair at a seat."""
        chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])
        return replace(self, chairs=chairs)

    def moved(self, deltas: tuple[int, ...]) -> State:
        """With these points, by seat, added to the scores."""
        return replace(self, scores=_added(self.scores, deltas))

    def discard_taken(self, actor: int, pai: Tile, target: int) -> State:
        """With the last discard marked as taken by `actor`, if it was this tile of `target`'s."""
        if not self.pool or self.pool[-1].actor != target or self.pool[-1].pai is not pai:
            return self
        taken = replace(self.pool[-1], claimed_by=actor)
        chair = self.chairs[target]
        chair = replace(chair, discards=(*chair.discards[:-1], taken))
        return replace(self.with_chair(target, chair), pool=(*self.pool[:-1], taken))

    def flagged(self, flags: tuple[Flag, ...]) -> State:
        """With more flags."""
        return replace(self, flags=self.flags + flags) if flags else self


def _added(scores: tuple[int, ...], deltas: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + delta for score, delta in zip(scores, deltas, strict=True))

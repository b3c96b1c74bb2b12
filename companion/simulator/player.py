"""A player: what he discards, claims and declares, seeing only what his seat sees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.rules.flow import (
    Claim,
    KongKind,
    barred_after,
    claims_for,
    kong_allowed,
    kongs_in_turn,
)
from companion.simulator.luck import unseen
from companion.simulator.plans import Plan, Style, plan_for
from companion.table.faults import barred_discards, known_tiles
from companion.table.state import Chair, State
from companion.tiles import Tile

_OPEN_STYLES: Final[tuple[Style, ...]] = ("any", "pungs", "half-flush", "flush", "chows", "pairs")
_FAR: Final = 5
"""With so many tiles missing a plan is dropped for a nearer one."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How a player plays, as chances between 0 and 1.

    Attributes:
        kong: declaring a kong he could keep.
        riichi: saying riichi when he can.
        claim: claiming what his plan asks for.
        false_win: saying that he wins with a finished hand that is worth too little.
        abort: asking for a new hand with nine terminals.
    """

    kong: float = 0.8
    riichi: float = 0.8
    claim: float = 0.9
    false_win: float = 0.0
    abort: float = 0.5


class Player:
    """One player through one hand.

    Args:
        seat: his chair.
        rng: his own source of chance.
        temper: how he plays.
        plan: what he was promised by a loaded wall, or None to plan by what he is dealt.
        taste: the styles he considers, by weight; a system with a high minimum needs big hands.
    """

    def __init__(
        self,
        seat: int,
        rng: Random,
        temper: Temper,
        plan: Plan | None = None,
        taste: tuple[Style, ...] = _OPEN_STYLES,
    ) -> None:
        self.seat = seat
        self.temper = temper
        self._rng = rng
        self._plan = plan
        self._taste = taste

    def discard(self, state: State) -> Tile:
        """The tile he parts with: what his plan needs least."""
        chair = state.chairs[self.seat]
        if chair.riichi == 2 and chair.drawn is not None:
            return chair.drawn
        plan = self._current_plan(state, chair)
        barred = barred_discards(state, self.seat)
        free = [tile for tile in chair.concealed if tile.kind not in barred]
        spare = [tile for tile in self._spare(chair, plan) if tile.kind not in barred]
        if not spare:
            spare = free or list(chair.concealed)
        return max(spare, key=lambda tile: (_loneliness(tile, chair), self._rng.random()))

    def claim(self, state: State) -> Claim | None:
        """What he claims the discard on offer for, wins apart."""
        offer, chair = state.offer, state.chairs[self.seat]
        if offer is None or chair.riichi or chair.dead:
            return None
        options = claims_for(
            state.flow,
            chair.concealed,
            offer.pai,
            self.seat,
            offer.actor,
            melds=[laid.meld for laid in chair.melds],
            last_discard=state.last_discard,
            wall=state.wall,
            kongs=state.kongs,
        )
        if not options or self._rng.random() > self.temper.claim:
            return None
        plan = self._current_plan(state, chair)
        if plan is None:
            return None
        wanted_sets = {tuple(sorted(tiles)) for tiles in plan.sets}
        for option in options:
            made = tuple(sorted(tile.kind for tile in (*option.consumed, offer.pai)))
            if option.kind == "kong" and self._rng.random() > self.temper.kong:
                continue
            if option.kind != "kong" and not _leaves_a_discard(state, chair, option):
                continue
            if made[:3] in wanted_sets and (option.kind != "kong" or len(set(made)) == 1):
                return option
        return None

    def kong(self, state: State) -> tuple[KongKind, Tile] | None:
        """The kong he declares in his own turn."""
        chair = state.chairs[self.seat]
        if not kong_allowed(state.flow, state.wall, state.kongs) or chair.riichi:
            return None
        plan = self._current_plan(state, chair)
        melds = [laid.meld for laid in chair.melds]
        for kind, tile in kongs_in_turn(state.flow, chair.concealed, melds, chair.drawn):
            needed = plan.wanted.get(tile, 0) if plan is not None else 0
            free = needed == 0 if kind == "added" else needed in {0, 3}
            if free and self._rng.random() < self.temper.kong:
                return kind, tile
        return None

    def says(self, chance: float) -> bool:
        """Whether he does what he does with this chance."""
        return self._rng.random() < chance

    def forget(self) -> None:
        """Drop the plan: the hand has changed."""
        self._plan = None

    def _current_plan(self, state: State, chair: Chair) -> Plan | None:
        held = [tile for tile in chair.concealed if not tile.is_bonus]
        counts = Counter(tile.kind for tile in held)
        left = unseen(held, _seen_from(state, self.seat))
        plan = self._plan
        if plan is not None and self._fits(plan, chair) and _possible(plan, left):
            near = plan.distance(counts) <= _FAR
            if near or plan.style not in self._taste:
                return plan
        melds = [laid.meld for laid in chair.melds]
        plans = [
            found
            for style in self._taste
            if (found := plan_for(held, melds, left, style, state.shapes, self._rng)) is not None
        ]
        weight = {style: at for at, style in enumerate(self._taste)}
        self._plan = min(
            plans, key=lambda p: p.distance(counts) + 0.4 * weight[p.style], default=None
        )
        return self._plan

    def _fits(self, plan: Plan, chair: Chair) -> bool:
        """Whether the plan still has as many sets to make as the hand has room for."""
        wanted = sum(plan.wanted.values())
        return wanted == 14 - 3 * len(chair.melds)

    def _spare(self, chair: Chair, plan: Plan | None) -> list[Tile]:
        rest = Counter(plan.wanted) if plan is not None else Counter[Tile]()
        spare = []
        for tile in chair.concealed:
            if rest[tile.kind] > 0:
                rest[tile.kind] -= 1
            else:
                spare.append(tile)
        return spare


def _loneliness(tile: Tile, chair: Chair) -> float:
    """How little a tile goes with the others: lone honours first, then lone terminals."""
    near = 0.0
    for other in chair.concealed:
        if other.kind is tile.kind:
            near += 2.0
        elif other.suit == tile.suit and tile.is_suited:
            near += max(0.0, 1.5 - 0.5 * abs(other.rank - tile.rank))
    edge = 1.5 if tile.is_honour else 0.5 if tile.is_terminal else 0.0
    return edge - near + 2.0  # a tile always counts itself


def _leaves_a_discard(state: State, chair: Chair, claim: Claim) -> bool:
    """Whether a hand has a tile that it may discard after this claim of the tile on offer."""
    if state.offer is None:
        return False
    barred = barred_after(state.flow, state.offer.pai, claim.consumed)
    left = Counter(chair.concealed) - Counter(claim.consumed)
    return any(tile.kind not in barred for tile in left)


def _possible(plan: Plan, left: dict[Tile, int]) -> bool:
    return all(left[kind] >= count for kind, count in plan.wanted.items())


def _seen_from(state: State, seat: int) -> Counter[Tile]:
    """What a seat sees: melds, discards and its own hand, not the others' concealed tiles."""
    seen = known_tiles(state)
    for other, chair in enumerate(state.chairs):
        if other != seat:
            seen.subtract(tile.kind for tile in chair.concealed if tile.suit)
    return seen

"""The shuffled wall, and how it favours a player so that every kind of win is seen.

A wall is secret until it is drawn: one that was arranged beforehand plays as legally as any other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.rules.flow import Flow, OpenedWall, Place, deal, open_wall
from companion.simulator.plans import Plan
from companion.tiles import BONUS, KINDS, Tile

_DEALT_OF_PLAN: Final = 10
"""Tiles of his plan that a favoured player is dealt: he has something left to do for most of a hand."""
_SOON: Final = 40
"""Draws within which the rest of his plan comes, so that he often wins before the wall ends."""


def tile_set(flow: Flow) -> list[Tile]:
    """All tiles of the set, red fives among them."""
    tiles = []
    for kind in KINDS:
        reds = flow.tiles.reds if kind.is_suited and kind.rank == 5 else 0
        red = [Tile(f"0{kind.suit}")] * reds if reds else []
        tiles += red + [kind] * (4 - reds)
    return tiles + (list(BONUS) if flow.tiles.bonus else [])


def throw(rng: Random, dice: int) -> tuple[int, ...]:
    """What so many dice show."""
    return tuple(rng.randint(1, 6) for _ in range(dice))


@dataclass
class LoadedWall:
    """The wall with its secret: which tile lies where, and what has been taken.

    Attributes:
        opened: the wall as the dice opened it.
        tiles: the tile at each place.
        dice: the throws.
    """

    opened: OpenedWall
    tiles: dict[Place, Tile]
    dice: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        self._taken: set[Place] = set()

    def dealt(self, flow: Flow, east: int) -> tuple[tuple[Tile, ...], ...]:
        """The dealt hands by seat; East's last tile is his fourteenth."""
        hands: list[tuple[Tile, ...]] = [()] * 4
        for place, indexes in enumerate(deal(flow)):
            spots = [self.opened.live[index] for index in indexes]
            self._taken.update(spots)
            hands[(east + place) % 4] = tuple(self.tiles[spot] for spot in spots)
        return tuple(hands)

    def draw(self) -> Tile:
        """The next tile from the head."""
        return self._take(self.opened.live)

    def replacement(self) -> Tile:
        """The next replacement."""
        return self._take(self.opened.replacement_order)

    def indicators(self, count: int) -> tuple[Tile, ...]:
        """The first indicators on the dead wall: top tiles of its columns from the third at the gap."""
        columns = self.opened.dead_columns[::-1][2 : 2 + count]
        return tuple(self.tiles[column.places[0]] for column in columns)

    def _take(self, order: tuple[Place, ...]) -> Tile:
        spot = next(place for place in order if place not in self._taken)
        self._taken.add(spot)
        return self.tiles[spot]


def build(flow: Flow, east: int, favour: dict[int, Plan], rng: Random) -> LoadedWall:
    """Shuffle and open a wall that deals favoured players most of their plans.

    Args:
        flow: the flow of the profile.
        east: the seat that is East.
        favour: plans by seat; may be empty.
        rng: the source of chance.
    """
    dice = tuple(
        throw(rng, count) for count in (flow.opening.side_dice, flow.opening.column_dice) if count
    )
    opened = open_wall(flow, east, *dice)
    pile = tile_set(flow)
    rng.shuffle(pile)
    placed: dict[Place, Tile] = {}
    deals = deal(flow)
    dealt = {spot for hand in deals for spot in hand}
    soon = [at for at in range(len(opened.live)) if at not in dealt][:_SOON]
    for seat, plan in favour.items():
        wished = [kind for kind, count in plan.wanted.items() for _ in range(count)]
        rng.shuffle(wished)
        hand = [opened.live[at] for at in deals[(seat - east) % 4]]
        _place(placed, pile, hand, wished[:_DEALT_OF_PLAN], rng)
        _place(placed, pile, [opened.live[at] for at in soon], wished[_DEALT_OF_PLAN:], rng)
    free = [place for place in (*opened.live, *opened.dead) if place not in placed]
    placed.update(zip(free, pile, strict=True))
    return LoadedWall(opened, placed, dice)


def _place(
    placed: dict[Place, Tile],
    pile: list[Tile],
    places: list[Place],
    wished: list[Tile],
    rng: Random,
) -> None:
    """Lay wished tiles on free places, as long as the pile has them."""
    free = [place for place in places if place not in placed]
    rng.shuffle(free)
    for place, kind in zip(free, wished, strict=False):
        at = next((at for at, tile in enumerate(pile) if tile.kind is kind), None)
        if at is not None:
            placed[place] = pile.pop(at)


def unseen(own: list[Tile], seen: Counter[Tile]) -> dict[Tile, int]:
    """Copies of each kind that a player has not seen elsewhere, his own concealed ones included."""
    mine = Counter(tile.kind for tile in own)
    return {kind: 4 - seen[kind] + mine[kind] for kind in KINDS}

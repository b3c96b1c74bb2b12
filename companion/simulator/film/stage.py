"""Where the tiles of a hand lie on the table, in millimetres: a pure function of state and cast.

World frame: the origin in the middle of the table, x to the right of the player of seat 0, y away from
him, z up. A seat's own frame has him at the bottom edge, so seat s is turned by 90 degrees times s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from random import Random
from typing import Final

from companion.rules.flow import Flow, OpenedWall, Place
from companion.simulator.film.cast import Cast
from companion.simulator.film.deck import Deck
from companion.table.state import SEATS, State

UP: Final = 0.0
STANDING: Final = 90.0
DOWN: Final = 180.0

_COS: Final = (1.0, 0.0, -1.0, 0.0)
_SIN: Final = (0.0, 1.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True)
class Lie:
    """How a tile lies.

    Attributes:
        x_mm, y_mm: its middle.
        base_mm: height of its lowest point over the table.
        turn_deg: about the vertical, counter-clockwise from above; at 0 it is read from the bottom.
        pitch_deg: 0 face up, 90 standing with its face to the bottom edge, 180 face down.
    """

    x_mm: float
    y_mm: float
    base_mm: float = 0.0
    turn_deg: float = 0.0
    pitch_deg: float = UP


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Where things lie. Distances are measured from the middle of the table towards a player.

    Attributes:
        tile_mm: width, height, depth of a tile: a usual Chinese set.
        half_mm: half side of the table: what the rows below need.
        wall_mm: middle line of a wall; 18 columns then just meet at the corners.
        hand_mm: middle line of a standing hand, and near edge of all that lies in that row.
        hand_left_mm: where a hand begins, so that four kongs find room on its right.
        row_edge_mm: near edge of the melds and of a hand laid open.
        row_end_mm: right-hand end of the melds: the neighbour's hand begins beyond.
        bonus_mm: near edge of the bonus tiles, a row before the hand.
        river_mm: far edge of a river's first row.
        cell_mm: side of a cell of the pool: a tile's diagonal, so that no turn makes tiles touch.
        cells: cells along a side of the pool: a hundred, more than a hand has discards.
        gap_mm: between tiles of a row.
        apart_mm: between a hand and its winning or just drawn tile, and between melds.
    """

    tile_mm: tuple[float, float, float] = (26.0, 35.0, 20.0)
    half_mm: float = 382.0
    wall_mm: float = 256.0
    hand_mm: float = 338.0
    hand_left_mm: float = -222.0
    row_edge_mm: float = 358.0
    row_end_mm: float = 358.0
    bonus_mm: float = 318.0
    river_mm: float = 84.0
    cell_mm: float = 44.0
    cells: int = 10
    gap_mm: float = 0.2
    apart_mm: float = 10.0

    @property
    def pitch_mm(self) -> float:
        """From a tile of a row to the next."""
        return self.tile_mm[0] + self.gap_mm


def at_seat(seat: int, lie: Lie) -> Lie:
    """From a seat's own frame to the table's."""
    c, s = _COS[seat], _SIN[seat]
    return Lie(
        lie.x_mm * c - lie.y_mm * s,
        lie.x_mm * s + lie.y_mm * c,
        lie.base_mm,
        lie.turn_deg + 90.0 * seat,
        lie.pitch_deg,
    )


def wall_lie(plan: TablePlan, flow: Flow, place: Place) -> Lie:
    """A tile of the wall, face down."""
    width, _, depth = plan.tile_mm
    x = ((flow.tiles.columns + 1) / 2 - place.column) * (width + plan.gap_mm / 2)
    level = {"bottom": 0, "top": 1, "loose": 2}[place.level]
    return at_seat(place.side, Lie(x, -plan.wall_mm, level * depth, 0.0, DOWN))


def built_lies(plan: TablePlan, flow: Flow, opened: OpenedWall) -> list[Lie]:
    """The wall before the dice opened it, in the order of a deck's numbers: nothing lies loose."""
    counted = opened.counted
    lifted = dict(zip(opened.loose, counted.places, strict=False))
    places = (lifted.get(place, place) for place in (*opened.live, *opened.dead))
    return [wall_lie(plan, flow, place) for place in places]


def arrange(plan: TablePlan, deck: Deck, cast: Cast, state: State, seed: int) -> dict[int, Lie]:
    """How every tile of a hand lies, by its number.

    Args:
        seed: of the small slips with which people lay tiles; the same tile in the same place slips
            the same way.
    """
    found: dict[int, Lie] = {}
    shown = set(deck.indicators(len(state.dora)))
    for number in cast.wall:
        lie = wall_lie(plan, state.flow, deck.places[number])
        if number in shown:
            lie = Lie(lie.x_mm, lie.y_mm, lie.base_mm, lie.turn_deg, UP)
        found[number] = _slipped(lie, 0.35, 0.5, (seed, number, "wall"))
    for seat in SEATS:
        for number, lie in _hand(plan, cast, state, seat):
            found[number] = _slipped(at_seat(seat, lie), 0.2, 0.3, (seed, number, "hand"))
        for number, lie in _melds(plan, cast, state, seat):
            found[number] = _slipped(at_seat(seat, lie), 0.35, 0.7, (seed, number, "meld"))
        for at, number in enumerate(cast.bonus[seat]):
            x = plan.hand_left_mm + (at + 0.5) * plan.pitch_mm
            lie = Lie(x, -plan.bonus_mm + plan.tile_mm[1] / 2)
            found[number] = _slipped(at_seat(seat, lie), 0.35, 0.8, (seed, number, "bonus"))
    discards = _rivers if state.flow.discards.lie == "river" else _pool
    found.update(discards(plan, cast, state, seed))
    return found


def _hand(plan: TablePlan, cast: Cast, state: State, seat: int) -> Iterator[tuple[int, Lie]]:
    chair, hand = state.chairs[seat], cast.hands[seat]
    won = seat in state.winners
    alone = won if chair.shown else chair.drawn is not None
    for at, number in enumerate(hand):
        x = plan.hand_left_mm + (at + 0.5) * plan.pitch_mm
        if alone and at == len(hand) - 1:
            x += plan.apart_mm
        if chair.shown:
            yield number, Lie(x, -plan.row_edge_mm + plan.tile_mm[1] / 2)
        else:
            yield number, Lie(x, -plan.hand_mm, 0.0, 0.0, STANDING)


def _melds(plan: TablePlan, cast: Cast, state: State, seat: int) -> Iterator[tuple[int, Lie]]:
    """Melds from the right-hand end leftwards, each from the player's left to his right."""
    width, height, _ = plan.tile_mm
    end = plan.row_end_mm
    for laid, numbers in zip(state.chairs[seat].melds, cast.melds[seat], strict=True):
        x = end
        before = ""
        placed: list[tuple[int, Lie]] = []
        # The second of two turned tiles lies beyond the first; from the right it comes first.
        turned = [at for at, lies in enumerate(laid.lies) if lies == "sideways"]
        for at in range(len(numbers) - 1, -1, -1):
            lies = laid.lies[at]
            if lies == "sideways":
                beyond = len(turned) == 2 and at == turned[1]
                x -= 0 if before == "sideways" else height + plan.gap_mm
                y = -plan.row_edge_mm + width * (1.52 if beyond else 0.5)
                placed.append((numbers[at], Lie(x + height / 2, y, 0.0, 90.0)))
            else:
                x -= width + plan.gap_mm
                y = -plan.row_edge_mm + height / 2
                pitch = DOWN if lies == "down" else UP
                placed.append((numbers[at], Lie(x + width / 2, y, 0.0, 0.0, pitch)))
            before = lies
        yield from placed
        end = x - plan.apart_mm


def _rivers(plan: TablePlan, cast: Cast, state: State, seed: int) -> Iterator[tuple[int, Lie]]:
    """Rows of six before each player; the third row takes what is left."""
    width, height, _ = plan.tile_mm
    row = state.flow.discards.row
    lying = [discard for discard in state.pool if discard.claimed_by is None]
    columns = [0, 0, 0, 0]
    ends = [0.0, 0.0, 0.0, 0.0]
    for number, discard in zip(cast.pool, lying, strict=True):
        seat = discard.actor
        line = min(columns[seat] // row, 2)
        if columns[seat] % row == 0 and columns[seat] <= 2 * row:
            ends[seat] = -row / 2 * width
        breadth = height if discard.riichi else width
        x = ends[seat] + breadth / 2
        ends[seat] += breadth + 0.6
        columns[seat] += 1
        y = -plan.river_mm - (line + 0.5) * (height + 1.2)
        lie = at_seat(seat, Lie(x, y, 0.0, 90.0 if discard.riichi else 0.0))
        yield number, _slipped(lie, 0.2, 0.8, (seed, number, "river"))


def _pool(plan: TablePlan, cast: Cast, state: State, seed: int) -> Iterator[tuple[int, Lie]]:
    """Discards anyhow in the middle: each in a free cell near where its player puts his tiles."""
    lying = [discard for discard in state.pool if discard.claimed_by is None]
    seats = tuple(discard.actor for discard in lying)
    for number, seat, cell in zip(cast.pool, seats, _cells(plan, seats, seed), strict=True):
        rng = Random(f"pool {seed} {number}")
        turn = 90.0 * seat + max(-22.0, min(22.0, rng.gauss(0, 9)))
        x, y = ((at - (plan.cells - 1) / 2) * plan.cell_mm for at in cell)
        yield number, Lie(x + rng.uniform(-2, 2), y + rng.uniform(-2, 2), 0.0, turn)


@lru_cache(maxsize=512)
def _cells(plan: TablePlan, seats: tuple[int, ...], seed: int) -> tuple[tuple[int, int], ...]:
    """The cells that discards of these seats come to lie in."""
    if not seats:
        return ()
    before = _cells(plan, seats[:-1], seed)
    taken = set(before)
    rng = Random(f"cell {seed} {len(before)}")
    aim = at_seat(seats[-1], Lie(rng.gauss(0, 55), -70 + rng.gauss(0, 28)))
    middle = (plan.cells - 1) / 2
    free = [
        (column, row)
        for column in range(plan.cells)
        for row in range(plan.cells)
        if (column, row) not in taken
    ]
    nearest = min(
        free,
        key=lambda cell: hypot(
            (cell[0] - middle) * plan.cell_mm - aim.x_mm,
            (cell[1] - middle) * plan.cell_mm - aim.y_mm,
        ),
    )
    return (*before, nearest)


@lru_cache(maxsize=4096)
def _slip(key: tuple[int, int, str]) -> tuple[float, float, float]:
    rng = Random(f"slip {key}")
    return (
        max(-2.0, min(2.0, rng.gauss(0, 1))),
        max(-2.0, min(2.0, rng.gauss(0, 1))),
        max(-2.0, min(2.0, rng.gauss(0, 1))),
    )


def _slipped(lie: Lie, slip_mm: float, turn_deg: float, key: tuple[int, int, str]) -> Lie:
    """Laid by a hand, not by a machine."""
    x, y, turn = _slip(key)
    return Lie(
        lie.x_mm + x * slip_mm,
        lie.y_mm + y * slip_mm,
        lie.base_mm,
        lie.turn_deg + turn * turn_deg,
        lie.pitch_deg,
    )

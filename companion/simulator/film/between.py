"""Between two hands: tiles are gathered, washed face down, built into walls and dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin
from random import Random
from typing import Final

from companion.rules.flow import Flow
from companion.simulator.film.acts import Act, Move, Reach, Waypoint, home
from companion.simulator.film.deck import Deck
from companion.simulator.film.props import Prop
from companion.simulator.film.stage import DOWN, Lie, TablePlan, at_seat, built_lies
from companion.table.state import SEATS

_RING_MM: Final = 44.0
"""Between the rings of the heap, and between tiles of a ring: a tile's diagonal, so none overlap."""

_RINGS: Final = 7
"""Enough for 144 tiles: 1 + 6 + 12 + ... in rings, inside the table's edge."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Shares of the time between two hands.

    Attributes:
        gather: until everything lies face down in the middle.
        wash: until the last stroke.
        build: until the walls stand; dealing takes the rest.
        strokes: of washing.
        swing_deg: how far a stroke turns a ring at most.
    """

    gather: float = 0.12
    wash: float = 0.45
    build: float = 0.75
    strokes: int = 7
    swing_deg: float = 34.0


def between(
    plan: TablePlan,
    flow: Flow,
    deck: Deck,
    dealt: Mapping[int, Lie],
    before: Mapping[int, Lie],
    start_ms: float,
    stop_ms: float,
    rng: Random,
    props: Sequence[tuple[str, Prop | None]],
    interval: Interval | None = None,
) -> list[Act]:
    """The acts from the end of a hand to the deal of the next.

    Args:
        deck: the next hand's.
        dealt: how its tiles lie after the deal.
        before: how the last hand's tiles lie; empty before the first hand.
        start_ms, stop_ms: the time there is.
        props: what is put down or cleared away as the washing begins.
    """
    interval = interval or Interval()
    span = stop_ms - start_ms
    gathered, washed, built = (
        start_ms + span * share for share in (interval.gather, interval.wash, interval.build)
    )
    heap = _heap(len(deck.tiles), rng)
    acts: list[Act] = []
    if before:
        slots = dict(zip(rng.sample(sorted(before), len(before)), _lies(heap), strict=True))
        moves = tuple(
            Move(number, lie, slots[number], (late := rng.uniform(0, 0.35)), late + 0.6)
            for number, lie in sorted(before.items())
        )
        acts.append(Act(start_ms, gathered, moves, _strokes(rng), props=tuple(props)))
    else:
        gathered = start_ms
        acts.append(Act(start_ms, start_ms, props=tuple(props)))
    numbers = rng.sample(range(len(deck.tiles)), len(deck.tiles))
    step = (washed - gathered) / interval.strokes
    for stroke in range(interval.strokes):
        turned = _turned(heap, rng, interval.swing_deg)
        begins, ends = _lies(heap), _lies(turned)
        moves = tuple(
            Move(number, begin, end)
            for number, begin, end in zip(numbers, begins, ends, strict=True)
        )
        begin_ms = gathered + stroke * step
        places = dict(zip(numbers, begins, strict=True)) if stroke == 0 else {}
        reaches = _strokes(rng)
        tiles = deck.tiles if stroke == 0 else ()
        acts.append(Act(begin_ms, begin_ms + step, moves, reaches, places, (), tiles))
        heap = turned
    where = dict(zip(numbers, _lies(heap), strict=True))
    walls = dict(enumerate(built_lies(plan, flow, deck.opened)))
    acts.append(_building(plan, where, walls, washed, built, rng))
    acts.append(_dealing(deck, walls, dealt, built, stop_ms))
    return acts


@dataclass(frozen=True, slots=True)
class _Washed:
    """A tile of the heap, by ring and angle."""

    ring: int
    angle_deg: float
    turn_deg: float


def _heap(count: int, rng: Random) -> list[_Washed]:
    found: list[_Washed] = []
    for ring in range(_RINGS + 1):
        room = max(1, int(2 * pi * ring))
        first = rng.uniform(0, 360)
        for at in range(room):
            if len(found) < count:
                found.append(_Washed(ring, first + 360 * at / room, rng.uniform(0, 360)))
    return found


def _turned(heap: Sequence[_Washed], rng: Random, swing_deg: float) -> list[_Washed]:
    swings = [rng.uniform(-swing_deg, swing_deg) for _ in range(_RINGS + 1)]
    return [
        _Washed(
            tile.ring,
            tile.angle_deg + swings[tile.ring],
            tile.turn_deg + swings[tile.ring] + rng.gauss(0, 25),
        )
        for tile in heap
    ]


def _lies(heap: Sequence[_Washed]) -> list[Lie]:
    return [
        Lie(
            tile.ring * _RING_MM * cos(radians(tile.angle_deg)),
            tile.ring * _RING_MM * sin(radians(tile.angle_deg)),
            0.0,
            tile.turn_deg,
            DOWN,
        )
        for tile in heap
    ]


def _strokes(rng: Random) -> tuple[Reach, ...]:
    """Flat hands that go round among the tiles: two or three of the four players at a time."""
    found = []
    for seat in sorted(rng.sample(SEATS, rng.choice((2, 3, 3)))):
        for left in (False, True):
            side = -1.0 if left else 1.0
            points = [
                at_seat(seat, Lie(side * rng.uniform(40, 190), -rng.uniform(60, 230)))
                for _ in range(2)
            ]
            way: tuple[Waypoint, ...] = tuple(
                (share, point.x_mm, point.y_mm)
                for share, point in zip((0.0, 1.0), points, strict=True)
            )
            found.append(Reach(seat, left, way))
    return tuple(found)


def _building(
    plan: TablePlan,
    heap: Mapping[int, Lie],
    walls: Mapping[int, Lie],
    start_ms: float,
    stop_ms: float,
    rng: Random,
) -> Act:
    """Everybody builds his side at once, the lower row first, from his left to his right."""
    sides: list[list[int]] = [[], [], [], []]
    for number, lie in walls.items():
        at_front = max(SEATS, key=lambda seat: _out(lie, seat))
        sides[at_front].append(number)
    moves: list[Move] = []
    reaches: list[Reach] = []
    for seat, numbers in enumerate(sides):
        numbers.sort(key=lambda n: (walls[n].base_mm, _along(walls[n], seat)))
        for at, number in enumerate(numbers):
            since = 0.06 + 0.78 * at / len(numbers)
            move = Move(number, heap[number], walls[number], since, since + 0.14, 12.0)
            moves.append(move)
        for left in (False, True):
            points = [home(seat, left)]
            for _ in range(3):
                along = (-1.0 if left else 1.0) * rng.uniform(30, 200)
                spot = at_seat(seat, Lie(along, -plan.wall_mm + rng.uniform(10, 60)))
                points.append((spot.x_mm, spot.y_mm))
            points.append(home(seat, left))
            times = (0.0, 0.18, 0.5, 0.85, 1.0)
            way = tuple((t, x, y) for t, (x, y) in zip(times, points, strict=True))
            reaches.append(Reach(seat, left, way))
    return Act(start_ms, stop_ms, tuple(moves), tuple(reaches))


def _dealing(
    deck: Deck,
    walls: Mapping[int, Lie],
    dealt: Mapping[int, Lie],
    start_ms: float,
    stop_ms: float,
) -> Act:
    """The wall is opened and the hands are taken from it, block by block in turn."""
    in_hand = {n: (seat, at) for seat, hand in enumerate(deck.dealt) for at, n in enumerate(hand)}
    order = sorted(in_hand)
    moves = []
    for number, lie in walls.items():
        if number not in in_hand:
            moves.append(Move(number, lie, dealt[number], 0.0, 0.12, 10.0))
            continue
        since = 0.12 + 0.72 * (order.index(number) // 4) / (len(order) // 4)
        moves.append(Move(number, lie, dealt[number], since, since + 0.11, 25.0))
    reaches = []
    for seat, hand in enumerate(deck.dealt):
        x0, y0 = home(seat)
        for block in range(0, len(hand), 4):
            number = hand[block]
            since = 0.12 + 0.72 * (order.index(number) // 4) / (len(order) // 4)
            begin, end = walls[number], dealt[number]
            way = (
                (since - 0.06, x0, y0),
                (since, begin.x_mm, begin.y_mm),
                (since + 0.11, end.x_mm, end.y_mm),
                (since + 0.16, x0, y0),
            )
            reaches.append(Reach(seat, False, way))
    return Act(start_ms, stop_ms, tuple(moves), tuple(reaches))


def _out(lie: Lie, seat: int) -> float:
    """How far a tile lies towards a seat."""
    return (-lie.y_mm, lie.x_mm, lie.y_mm, -lie.x_mm)[seat]


def _along(lie: Lie, seat: int) -> float:
    """How far a tile lies to the right of a seat's player."""
    return (lie.x_mm, lie.y_mm, -lie.x_mm, -lie.y_mm)[seat]

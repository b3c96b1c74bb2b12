"""What moves between two moments of a game, and how: tiles, and the arms that bring them.

An act is a piece of the film. Its tiles go from where they lay to where the next state has them, so that
an event's tiles have come to rest at the very moment that the log gives for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import pi, sin
from typing import Final

from companion.simulator.film.cast import Cast
from companion.simulator.film.props import Prop
from companion.simulator.film.stage import Lie, at_seat
from companion.table import events as ev
from companion.tiles import Tile

_GRASP: Final = 0.38
"""Share of an act at which the hand has reached the tile."""

_RELEASE: Final = 0.9
"""Share at which it lets go."""

_CARRIED: Final = 0.72
"""Share of a discard's way in time that it is carried; then it slides."""

Waypoint = tuple[float, float, float]
"""Share of the act's time, and where the fingertips are then: x, y in mm."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast people's hands are, in milliseconds.

    Attributes:
        draw, discard, lay: from the moment a hand sets out to the moment the tiles rest; shorter than
            the shortest time between two such events.
        win: laying a whole hand open.
        away: drawing the hand back afterwards.
        lift_mm: how high a carried tile is.
        slide_mm: how far a discard slides when it is let go.
    """

    draw: float = 650.0
    discard: float = 900.0
    lay: float = 900.0
    win: float = 1300.0
    away: float = 350.0
    lift_mm: float = 30.0
    slide_mm: float = 9.0


@dataclass(frozen=True, slots=True)
class Move:
    """A tile's way.

    Attributes:
        number: of the tile.
        begin, end: how it lies before and after.
        since, until: the shares of the act's time in which it moves.
        lift_mm: height of the way's middle.
        slide_mm: the last millimetres are slid after the tile was let go.
    """

    number: int
    begin: Lie
    end: Lie
    since: float = 0.0
    until: float = 1.0
    lift_mm: float = 0.0
    slide_mm: float = 0.0

    def at(self, share: float) -> Lie:
        """How it lies at a share of the act's time."""
        gone = (share - self.since) / (self.until - self.since)
        if gone <= 0:
            return self.begin
        if gone >= 1:
            return self.end
        way = gone * gone * (3 - 2 * gone)
        lift = self.lift_mm * sin(pi * way)
        a, b = self.begin, self.end
        length = max(((b.x_mm - a.x_mm) ** 2 + (b.y_mm - a.y_mm) ** 2) ** 0.5, 1e-6)
        if self.slide_mm and length > 3 * self.slide_mm:
            # Most of the way in the hand, then slowly to where it stops.
            carried, let_go = 1 - self.slide_mm / length, _CARRIED
            if gone < let_go:
                part = gone / let_go
                way = carried * part * part * (3 - 2 * part)
                lift = self.lift_mm * sin(pi * way / carried)
            else:
                left = (1 - gone) / (1 - let_go)
                way, lift = 1 - (1 - carried) * left * left, 0.0
        turn = (b.turn_deg - a.turn_deg + 180) % 360 - 180
        return Lie(
            a.x_mm + (b.x_mm - a.x_mm) * way,
            a.y_mm + (b.y_mm - a.y_mm) * way,
            a.base_mm + (b.base_mm - a.base_mm) * way + lift,
            a.turn_deg + turn * way,
            a.pitch_deg + (b.pitch_deg - a.pitch_deg) * way,
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """An arm over the table.

    Attributes:
        seat: whose arm.
        left: his left one.
        way: where the fingertips are, in the order of time; before the first and after the last
            waypoint the arm is away.
    """

    seat: int
    left: bool
    way: tuple[Waypoint, ...]

    def at(self, share: float) -> tuple[float, float] | None:
        """The fingertips at a share of the act's time, in mm, or None while the arm is away."""
        for (t0, x0, y0), (t1, x1, y1) in zip(self.way, self.way[1:], strict=False):
            if t0 <= share < t1:
                gone = (share - t0) / (t1 - t0)
                way = gone * gone * (3 - 2 * gone)
                return x0 + (x1 - x0) * way, y0 + (y1 - y0) * way
        return None


@dataclass(frozen=True)
class Act:
    """A piece of the film.

    Attributes:
        start_ms, stop_ms: its time; arms may be drawn back a little later.
        moves: tiles that move.
        reaches: arms.
        places: tiles that are elsewhere all at once when it begins: a new deck.
        props: things put on the table (None: taken away) when it begins.
        tiles: which tile every number is from here on, when there is a new deck.
    """

    start_ms: float
    stop_ms: float
    moves: tuple[Move, ...] = ()
    reaches: tuple[Reach, ...] = ()
    places: Mapping[int, Lie] = field(default_factory=dict)
    props: tuple[tuple[str, Prop | None], ...] = ()
    tiles: tuple[Tile, ...] = ()

    def share(self, at_ms: float) -> float:
        return (at_ms - self.start_ms) / max(self.stop_ms - self.start_ms, 1e-6)

    @property
    def over_ms(self) -> float:
        """When its last arm is away."""
        last = max((reach.way[-1][0] for reach in self.reaches), default=1.0)
        return self.start_ms + max(last, 1.0) * (self.stop_ms - self.start_ms)


_REST_MM: Final = 760.0
"""Where hands are when they are away: out of the picture for every seat."""


def home(seat: int, left: bool = False) -> tuple[float, float]:
    """Where a seat's hand comes from and goes to."""
    lie = at_seat(seat, Lie(-70.0 if left else 70.0, -_REST_MM))
    return lie.x_mm, lie.y_mm


def moved(before: Mapping[int, Lie], after: Mapping[int, Lie]) -> list[int]:
    """Tiles that lie differently, in the order of their numbers."""
    return [number for number in sorted(after) if before.get(number) != after[number]]


def act_of(
    event: ev.Event,
    actor: int | None,
    start_ms: float,
    at_ms: float,
    before: Mapping[int, Lie],
    after: Mapping[int, Lie],
    cast: Cast,
    tempo: Tempo,
) -> Act | None:
    """How the tiles of an event come to where they rest, or None when none moves.

    Args:
        actor: who does it, None for nobody.
        start_ms: no earlier than this.
        at_ms: when everything rests.
        before, after: how all tiles lie.
        cast: the whereabouts after the event.
    """
    numbers = moved(before, after)
    if not numbers:
        return None
    wanted = _duration(event, tempo)
    start_ms = max(start_ms, at_ms - wanted)
    seat = 0 if actor is None else actor
    led = _led(event, numbers, cast, seat, before, after)
    away = 1 + tempo.away / max(at_ms - start_ms, 1.0)
    moves = []
    for number in numbers:
        if number in led:
            slide = tempo.slide_mm if isinstance(event, ev.Discard) else 0.0
            far = abs(before[number].x_mm - after[number].x_mm) + abs(
                before[number].y_mm - after[number].y_mm
            )
            lift = tempo.lift_mm if far > 60 else 8.0
            until = 1.0 if slide else _RELEASE
            moves.append(Move(number, before[number], after[number], _GRASP, until, lift, slide))
        else:  # tiles that are pushed along or turned over where they stand
            moves.append(Move(number, before[number], after[number], 0.55, 1.0))
    slides = isinstance(event, ev.Discard)
    release = _GRASP + (1 - _GRASP) * _CARRIED if slides else _RELEASE
    reaches = _reaches(seat, led or numbers, before, after, release, away)
    return Act(start_ms, at_ms, tuple(moves), reaches)


def _duration(event: ev.Event, tempo: Tempo) -> float:
    if isinstance(event, (ev.Draw, ev.ReplacementDraw)):
        return tempo.draw
    if isinstance(event, ev.Discard):
        return tempo.discard
    if isinstance(event, (ev.Win, ev.DrawnHand)):
        return tempo.win
    return tempo.lay


def _led(
    event: ev.Event,
    numbers: Sequence[int],
    cast: Cast,
    seat: int,
    before: Mapping[int, Lie],
    after: Mapping[int, Lie],
) -> list[int]:
    """The tiles that the hand carries: those that change their row, the farthest first."""

    def way(number: int) -> float:
        a, b = before[number], after[number]
        return abs(a.x_mm - b.x_mm) + abs(a.y_mm - b.y_mm)

    if isinstance(event, (ev.Win, ev.DrawnHand)):
        carried = [number for number in numbers if way(number) > 120]
    elif isinstance(event, ev.Draw | ev.ReplacementDraw):
        carried = [number for number in cast.hands[seat] if number in numbers and way(number) > 60]
    elif isinstance(event, ev.Discard):
        carried = [number for number in cast.pool[-1:] if number in numbers]
    else:
        held = set(cast.hands[seat])
        carried = [number for number in numbers if number not in held]
    return sorted(carried, key=lambda number: (-way(number), number))


def _reaches(
    seat: int,
    led: Sequence[int],
    before: Mapping[int, Lie],
    after: Mapping[int, Lie],
    release: float,
    away: float,
) -> tuple[Reach, ...]:
    """The right hand goes to the first tile and brings it; the left helps with a whole row."""
    x0, y0 = home(seat)
    a, b = before[led[0]], after[led[0]]
    right = Reach(
        seat,
        False,
        (
            (0.0, x0, y0),
            (_GRASP, a.x_mm, a.y_mm),
            (release, b.x_mm, b.y_mm),
            (1.0, b.x_mm, b.y_mm),
            (away, x0, y0),
        ),
    )
    if len(led) < 4:
        return (right,)
    x1, y1 = home(seat, left=True)
    c, d = before[led[-1]], after[led[-1]]
    left = Reach(
        seat,
        True,
        ((0.05, x1, y1), (0.5, c.x_mm, c.y_mm), (1.0, d.x_mm, d.y_mm), (away, x1, y1)),
    )
    return (right, left)

"""The wall: which side and column the dice open, where every tile lies, and what is left of it.

Sources, by their Spanish terms: "brecha" and "Muro muerto" (document 000), "colina" (001), "corte",
"cabeza" and "cola" (002), "pared muerta" (003), "muro vivo" and "muro muerto" (004). The functions work
on values of a `Flow` alone, so a table's own rules open its wall as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from companion.rules.flow.data import Flow
from companion.text import GorrionError, T

SEATS: Final = 4

Level = Literal["loose", "top", "bottom"]


class DiceError(GorrionError):
    """Dice that the system does not throw, or a die that shows no 1 to 6."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where one tile of the wall lies.

    Attributes:
        side: the seat whose side it is in, 0..3.
        column: 1.. from the right-hand end of the side as its own player sees it.
        level: ``top`` or ``bottom`` of the column, or ``loose`` on top of both.
    """

    side: int
    column: int
    level: Level

    def to_json(self) -> dict[str, Any]:
        return {"side": self.side, "column": self.column, "level": self.level}


@dataclass(frozen=True, slots=True)
class Column:
    """A stack of the wall."""

    side: int
    column: int

    @property
    def places(self) -> tuple[Place, Place]:
        """Its two tiles in the order they are taken: top, bottom."""
        return Place(self.side, self.column, "top"), Place(self.side, self.column, "bottom")


@dataclass(frozen=True)
class OpenedWall:
    """A built wall that the dice have opened.

    Attributes:
        side: the seat whose side was opened.
        counted: the column that the dice counted to.
        live_columns: the columns that are drawn from, in the order of drawing.
        dead_columns: the columns kept apart, from the one behind the last live column to the gap.
        loose: the tiles of a lifted column, where they were laid on the dead wall.
        gap: as in `companion.rules.flow.data.OpeningFlow`.
        replacements: as in `companion.rules.flow.data.WallFlow`.
    """

    side: int
    counted: Column
    live_columns: tuple[Column, ...]
    dead_columns: tuple[Column, ...]
    loose: tuple[Place, ...]
    gap: Literal["after", "at", "lifted"]
    replacements: Literal["dead-gap", "dead-far", "tail"]

    @cached_property
    def live(self) -> tuple[Place, ...]:
        """Every live tile in the order of drawing, the deal included."""
        return tuple(place for column in self.live_columns for place in column.places)

    @cached_property
    def dead(self) -> tuple[Place, ...]:
        """Every tile of the dead wall, from the live wall's end to the gap."""
        return tuple(place for column in self.dead_columns for place in self._stack(column))

    @cached_property
    def replacement_order(self) -> tuple[Place, ...]:
        """The places that replacements come from, first to last, if nothing else is drawn."""
        if self.replacements == "tail":
            columns: Sequence[Column] = self.live_columns[::-1]
        elif self.replacements == "dead-gap":
            columns = self.dead_columns[::-1]
        else:
            columns = self.dead_columns
        return tuple(place for column in columns for place in self._stack(column))

    @property
    def first(self) -> Place:
        """The tile that East takes first."""
        return self.live[0]

    @property
    def last(self) -> Place:
        """The last live tile, as long as nothing is replaced."""
        return self.live[-1]

    def _stack(self, column: Column) -> Iterator[Place]:
        loose = Place(column.side, column.column, "loose")
        if loose in self.loose:
            yield loose
        yield from column.places

    def to_json(self) -> dict[str, Any]:
        """What a picture of the opened wall needs."""
        return {
            "side": self.side,
            "column": self.counted.column,
            "counted_side": self.counted.side,
            "gap": self.gap,
            "first": self.first.to_json(),
            "last": self.last.to_json(),
            "dead": [place.to_json() for place in self.dead],
            "next_replacement": self.replacement_order[0].to_json(),
        }


def open_wall(
    flow: Flow, east: int, first: Sequence[int], second: Sequence[int] = ()
) -> OpenedWall:
    """Open the wall for the dice thrown.

    Args:
        flow: the flow of the profile.
        east: the seat that is East, 0..3.
        first: what the dice of the first throw show.
        second: what those of the second throw show; empty where the system throws once.

    Raises:
        DiceError: when the number of dice is not the system's, or a die shows no 1..6.
    """
    opening, columns = flow.opening, flow.tiles.columns
    _check_dice(first, opening.side_dice, "first")
    _check_dice(second, opening.column_dice, "second")
    side = (east + _place_of_side(flow, sum(first))) % SEATS
    count = sum(second) if opening.column_dice else sum(first)
    if opening.column_adds_first:
        count += sum(first)
    ring = _Ring(side, columns)
    at = count - 1 if opening.column_from == "right" else columns - count
    lifted = opening.gap == "lifted"
    start = at if opening.gap == "at" else at + 1
    kept = [ring[start + step] for step in range(SEATS * columns - lifted)]
    dead = flow.wall.dead_columns if flow.tiles.bonus else flow.wall.dead_columns_plain
    loose_at = flow.wall.loose_at if flow.tiles.bonus else flow.wall.loose_at_plain
    under = [ring[at - step] for step in loose_at] if lifted else []
    return OpenedWall(
        side=side,
        counted=ring[at],
        live_columns=tuple(kept[: len(kept) - dead]),
        dead_columns=tuple(kept[len(kept) - dead :]),
        loose=tuple(Place(column.side, column.column, "loose") for column in under),
        gap=opening.gap,
        replacements=flow.wall.replacements,
    )


def deal(flow: Flow) -> tuple[tuple[int, ...], ...]:
    """Which live tiles each place takes in the deal: indexes into `OpenedWall.live`, East first.

    East has 14 tiles, the others 13.
    """
    hands: list[list[int]] = [[] for _ in range(SEATS)]
    taken = 0
    for _ in range(flow.deal.blocks):
        for hand in hands:
            hand += range(taken, taken + 4)
            taken += 4
    for hand, last in zip(hands, flow.deal.last, strict=True):
        hand += [taken + each for each in last]
    return tuple(map(tuple, hands))


@dataclass(frozen=True, slots=True)
class WallCount:
    """Tiles left: `live` can still be drawn, `dead` are kept apart."""

    live: int
    dead: int


def wall_count(flow: Flow, drawn: int, replaced: int) -> WallCount:
    """What is left after so many draws from the head (the deal included) and replacements.

    Never negative: an observed table may have drawn more than the wall held.
    """
    lifted = flow.opening.gap == "lifted"
    dead_columns = flow.wall.dead_columns if flow.tiles.bonus else flow.wall.dead_columns_plain
    dead = 2 * (dead_columns + lifted)
    live = flow.tiles.total - dead - drawn
    if flow.wall.replacements == "tail":
        return WallCount(max(0, live - replaced), dead)
    if flow.wall.replenished:
        missing = max(0, replaced - max(0, live))
        return WallCount(max(0, live - replaced), max(0, dead - missing))
    return WallCount(max(0, live), max(0, dead - replaced))


def replacement_left(flow: Flow, count: WallCount) -> bool:
    """Whether a kong or a bonus tile can still be replaced."""
    if flow.wall.replacements == "tail" or flow.wall.replenished:
        return count.live > 0
    return count.dead > 0


def _check_dice(dice: Sequence[int], wanted: int, which: Literal["first", "second"]) -> None:
    if len(dice) != wanted:
        text = (
            T(
                "the first throw has %(given)s dice here, this system throws %(wanted)s",
                given=len(dice),
                wanted=wanted,
            )
            if which == "first"
            else T(
                "the second throw has %(given)s dice here, this system throws %(wanted)s",
                given=len(dice),
                wanted=wanted,
            )
        )
        raise DiceError(text, code="wrong_dice", field="dice")
    for die in dice:
        if not 1 <= die <= 6:
            raise DiceError(
                T("a die shows 1 to 6, not %(given)s: read it again", given=die),
                code="wrong_dice",
                field="dice",
            )


def _place_of_side(flow: Flow, total: int) -> int:
    """Place counter-clockwise from East (0) of the side that the first total opens."""
    if flow.opening.sides == "named":
        return flow.opening.side_of[total - 1]
    start = 2 if flow.opening.sides == "facing" else 0
    return (start + total - 1) % SEATS


@dataclass(frozen=True, slots=True)
class _Ring:
    """All columns clockwise, 0 being the right-hand end of the opened side; any whole number fits."""

    side: int
    columns: int

    def __getitem__(self, at: int) -> Column:
        turn, column = divmod(at, self.columns)
        return Column((self.side - turn) % SEATS, column + 1)

"""What goes wrong at real tables: a bumped camera, a cup, somebody leaning in, a dropped tile, the light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.simulator.film.acts import Act, Move, Reach, home
from companion.simulator.film.props import Prop
from companion.simulator.film.script import Script
from companion.simulator.film.stage import DOWN, UP, Lie, at_seat
from companion.table import events as ev
from companion.table.state import SEATS
from companion.tiles import Tile
from vision.render.camera import Camera

if TYPE_CHECKING:
    from companion.simulator.film.shooting import Sensor

LASTS_MS: Final = {
    "camera-bumped": float("inf"),
    "cup-placed": 24_000.0,
    "leaning-in": 5_000.0,
    "tile-dropped": 6_000.0,
    "light-off": 4_000.0,
    "frozen": 2_500.0,
}
"""How long each of them lasts: a bumped camera stays where it is."""

ENDS: Final = {
    "cup-placed": "cup-removed",
    "leaning-in": "leaning-out",
    "tile-dropped": "tile-returned",
    "light-off": "light-on",
    "frozen": "unfrozen",
}
"""What the log says when it is over."""

_AFTER_DEAL_MS: Final = 4_000.0
_BUMP_DEG: Final = 0.7


@dataclass(frozen=True)
class Disturbance:
    """Something that happens and is no move.

    Attributes:
        what: a key of `LASTS_MS`.
        start_ms, stop_ms: its time.
        seat: where.
        tile: the one that falls.
        camera: how the camera stands from then on.
    """

    what: str
    start_ms: float
    stop_ms: float
    seat: int = 0
    tile: Tile | None = None
    camera: Camera | None = None

    def nearness(self, at_ms: float) -> float:
        """0..1: how far somebody leans in."""
        span = self.stop_ms - self.start_ms
        share = (at_ms - self.start_ms) / span
        return float(np.clip(min(share, 1 - share) * 5, 0, 1))

    def lamp(self, at_ms: float, sensor: Sensor) -> float:
        """What is left of the light."""
        if self.what != "light-off":
            return 1.0
        edge = min(at_ms - self.start_ms, self.stop_ms - at_ms) / sensor.switch_ms
        return 1 - (1 - sensor.dark) * float(np.clip(edge, 0, 1))


def disturbed(script: Script, camera: Camera, seed: int) -> tuple[Script, tuple[Disturbance, ...]]:
    """The script with one disturbance of every kind in each hand that is long enough.

    The log of the new script has an `Observation` where each begins and ends.
    """
    rng = Random(f"disturb {seed}")
    found: list[Disturbance] = []
    acts: list[Act] = []
    for start_ms, stop_ms in _hands(script.entries):
        kinds = sorted(LASTS_MS)
        rng.shuffle(kinds)
        slot = (stop_ms - start_ms - _AFTER_DEAL_MS) / len(kinds)
        for at, what in enumerate(kinds):
            begins = start_ms + _AFTER_DEAL_MS + slot * (at + rng.uniform(0.0, 0.5))
            stops = begins + LASTS_MS[what]
            if what != "camera-bumped":
                stops = min(stops, stop_ms)
            if stops - begins < 1000:
                continue
            seat = rng.choice(SEATS)
            one = Disturbance(what, begins, stops, seat)
            if what == "camera-bumped":
                camera = _bumped(camera, rng)
                found = [_ended(each, begins) for each in found]
                one = replace(one, camera=camera)
            elif what == "cup-placed":
                acts += _cup(one)
            elif what == "tile-dropped":
                dropped = _dropped(script, one, rng)
                if dropped is None:
                    continue
                one, more = dropped
                acts += more
            found.append(one)
    acts = sorted([*script.acts, *acts], key=lambda act: act.start_ms)
    return _with_observations(replace(script, acts=tuple(acts)), found), tuple(found)


def _ended(earlier: Disturbance, at_ms: float) -> Disturbance:
    """A camera that is bumped again no longer stands where the last bump put it."""
    return earlier if earlier.camera is None else replace(earlier, stop_ms=at_ms)


def _hands(entries: Sequence[ev.Entry]) -> list[tuple[float, float]]:
    """From the deal to the end of play of every hand, in milliseconds."""
    found: list[tuple[float, float]] = []
    start = 0.0
    for entry in entries:
        if isinstance(entry.event, ev.StartHand):
            start = float(entry.at_ms or 0)
        elif isinstance(entry.event, ev.Settle):
            found.append((start, float(entry.at_ms or 0)))
    return found


def _with_observations(script: Script, found: Sequence[Disturbance]) -> Script:
    seen: list[tuple[float, ev.Event]] = []
    for each in found:
        told = ev.Observation(each.what, each.tile, each.seat if _has_seat(each.what) else None)
        seen.append((each.start_ms, told))
        if each.what in ENDS:
            seen.append((each.stop_ms, replace(told, what=ENDS[each.what])))
    line = [(float(entry.at_ms or 0), entry.seq, entry.event) for entry in script.entries]
    line += [(at_ms, 0, event) for at_ms, event in seen]
    # An observation at the very moment of an event stands before it.
    line.sort(key=lambda item: (item[0], item[1]))
    entries, scenes = [], {}
    for seq, (at_ms, old, event) in enumerate(line, 1):
        entries.append(ev.Entry(seq, event, at_ms=round(at_ms)))
        if old in script.scenes:
            scenes[seq] = script.scenes[old]
    return replace(script, entries=tuple(entries), scenes=scenes)


def _has_seat(what: str) -> bool:
    return what in {"cup-placed", "leaning-in", "tile-dropped"}


def _bumped(camera: Camera, rng: Random) -> Camera:
    """Turned a little about each axis, as by an elbow against its stand."""
    turns = np.radians([rng.uniform(0.4, 1) * rng.choice((-1, 1)) * _BUMP_DEG for _ in range(3)])
    x, y, z = turns
    small = np.array([[1, -z, y], [z, 1, -x], [-y, x, 1]])
    q, r = np.linalg.qr(small)
    rotation = (q * np.sign(np.diag(r))) @ camera.rotation
    return replace(camera, rotation=rotation)


def _cup(one: Disturbance) -> list[Act]:
    """Put into the corner at the player's left, and taken away again."""
    lie = at_seat(one.seat, Lie(-284.0, -296.0))
    cup = Prop("cup", lie.x_mm, lie.y_mm)
    x, y = home(one.seat, left=True)
    there = (lie.x_mm, lie.y_mm)

    def reach(at_ms: float) -> Act:
        way = ((0.0, x, y), (0.45, *there), (0.55, *there), (1.0, x, y))
        return Act(at_ms - 500, at_ms + 500, reaches=(Reach(one.seat, True, way),))

    return [
        reach(one.start_ms),
        Act(one.start_ms, one.start_ms, props=(("cup", cup),)),
        reach(one.stop_ms),
        Act(one.stop_ms, one.stop_ms, props=(("cup", None),)),
    ]


def _dropped(script: Script, one: Disturbance, rng: Random) -> tuple[Disturbance, list[Act]] | None:
    """A tile of the wall that nobody draws in this hand falls off it, face up, and is put back."""
    scenes = list(script.scenes.values())
    before = [scene for scene in scenes if scene.at_ms <= one.start_ms]
    if not before:
        return None
    scene = before[-1]
    last = [each for each in scenes if each.deck is scene.deck][-1]
    free = [
        number
        for number in sorted(scene.cast.wall & last.cast.wall)
        if scene.deck.places[number].level != "bottom" and last.lies[number].pitch_deg == DOWN
    ]
    if not free:
        return None
    number = rng.choice(free)
    place = scene.deck.places[number]
    spot = Lie(rng.uniform(190, 300), -297.0, 0.0, rng.uniform(0, 360), UP)
    seat = place.side
    begin, end = scene.lies[number], at_seat(seat, spot)
    x, y = home(seat)
    falls_ms = 450.0
    back_ms = 900.0
    falling = Act(
        one.start_ms - falls_ms, one.start_ms, (Move(number, begin, end, 0.0, 1.0, 18.0),)
    )
    way = ((0.0, x, y), (0.4, end.x_mm, end.y_mm), (1.0, begin.x_mm, begin.y_mm), (1.4, x, y))
    returning = Act(
        one.stop_ms - back_ms,
        one.stop_ms,
        (Move(number, end, begin, 0.4, 1.0, 25.0),),
        (Reach(seat, False, way),),
    )
    return replace(one, seat=seat, tile=scene.deck.tiles[number]), [falling, returning]

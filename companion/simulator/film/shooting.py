"""The camera runs: frame after frame of a script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, pi, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.film.acts import Act
from companion.simulator.film.disturb import Disturbance
from companion.simulator.film.look import Look, prop_solid, tile_box
from companion.simulator.film.painter import Painter
from companion.simulator.film.people import People
from companion.simulator.film.props import Prop
from companion.simulator.film.script import Script
from companion.simulator.film.stage import Lie
from companion.tiles import Tile
from vision.render.camera import Camera
from vision.render.solids import Solid

Image = NDArray[np.uint8]

_SPARE_PX: Final = 96
"""The noise is this much larger than the picture: every frame shows another part of it."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """What camera and lamps do to every frame.

    Attributes:
        grain: deviation of the noise in grey levels: a webcam in a lit room.
        blur_px: of the lens.
        drift: how much the light changes in the course of minutes, and `flicker` of half a minute.
        warmth: how much its colour changes.
        dark: what is left of the light when the lamp is off.
        switch_ms: how long the lamp takes.
    """

    grain: float = 2.6
    blur_px: float = 0.55
    drift: float = 0.035
    flicker: float = 0.012
    warmth: float = 0.012
    dark: float = 0.2
    switch_ms: float = 250.0


@dataclass(frozen=True)
class Frame:
    """A picture of the film.

    Attributes:
        number: from 0.
        at_ms: when.
        image: (H, W, 3) uint8; the next frame's is another array.
    """

    number: int
    at_ms: float
    image: Image


def frame_at(at_ms: float, fps: float) -> int:
    """The first frame that is no earlier than a moment."""
    return ceil(at_ms * fps / 1000 - 1e-6)


def frame_count(script: Script, fps: float) -> int:
    """How many frames a film has."""
    return frame_at(script.stop_ms, fps) + 1


def shoot(
    script: Script,
    look: Look,
    camera: Camera,
    fps: float,
    seed: int,
    disturbances: Sequence[Disturbance] = (),
    sensor: Sensor | None = None,
) -> Iterator[Frame]:
    """Every frame of a film; the same arguments give the same pixels."""
    sensor = sensor or Sensor()
    table = _Table(script, look, camera, seed)
    noise = _Noise((camera.width, camera.height), sensor.grain, seed)
    phases = np.random.default_rng([seed, 5]).uniform(0, 2 * pi, 3)
    last: Image | None = None
    for number in range(frame_count(script, fps)):
        at_ms = number * 1000 / fps
        now = [each for each in disturbances if each.start_ms <= at_ms < each.stop_ms]
        table.advance(at_ms, next((e.camera for e in now if e.camera is not None), camera))
        if last is None or not any(each.what == "frozen" for each in now):
            frame = table.frame(at_ms)
            for each in now:
                if each.what == "leaning-in":
                    table.people.lean(frame, each.seat, each.nearness(at_ms))
            lamp = min((each.lamp(at_ms, sensor) for each in now), default=1.0)
            last = _exposed(frame, at_ms, lamp, phases.tolist(), sensor)
            last = noise.over(last, number)
        yield Frame(number, at_ms, last)


class _Table:
    """What is on the table and over it at a moment that only goes forward."""

    def __init__(self, script: Script, look: Look, camera: Camera, seed: int) -> None:
        self._look, self._seed = look, seed
        self._camera = camera
        self._coming = list(script.acts)[::-1]
        self._playing: list[Act] = []
        self._tiles: tuple[Tile, ...] = ()
        self._lies: dict[int, Lie] = {}
        self._props: dict[str, Prop] = {}
        self._painter = Painter(look, camera, seed)
        self.people = People(look, camera, seed)

    def advance(self, at_ms: float, camera: Camera) -> None:
        """Bring everything to where it is now, seen by this camera."""
        changed: dict[object, Solid | None] = {}
        while self._coming and self._coming[-1].start_ms <= at_ms:
            act = self._coming.pop()
            self._playing.append(act)
            self._tiles = act.tiles or self._tiles
            for number, lie in act.places.items():
                self._lies[number] = lie
                changed[number] = None
            for name, prop in act.props:
                self._props.pop(name, None)
                changed[name] = None
                if prop is not None:
                    self._props[name] = prop
                    changed[name] = prop_solid(prop)
        for act in self._playing:
            share = min(act.share(at_ms), 1.0)
            for move in act.moves:
                lie = move.at(share)
                if self._lies.get(move.number) != lie:
                    self._lies[move.number] = lie
                    changed[move.number] = None
        self._playing = [act for act in self._playing if act.over_ms > at_ms]
        if camera is not self._camera:
            self._camera = camera
            self._painter = Painter(self._look, camera, self._seed)
            self.people = People(self._look, camera, self._seed)
            changed = {name: prop_solid(prop) for name, prop in self._props.items()}
            changed |= dict.fromkeys(self._lies)
        for key in changed:
            if isinstance(key, int):
                changed[key] = tile_box(self._look, self._tiles[key], self._lies[key])
        if changed:
            self._painter.show(changed)

    def frame(self, at_ms: float) -> Image:
        """The table with the arms over it, in an array of its own."""
        frame = self._painter.image.copy()
        for act in self._playing:
            for reach in act.reaches:
                tip = reach.at(act.share(at_ms))
                if tip is not None:
                    self.people.reach(frame, reach, tip)
        return frame


def _exposed(frame: Image, at_ms: float, lamp: float, phases: list[float], sensor: Sensor) -> Image:
    """Lens and light."""
    soft = cv2.GaussianBlur(frame, (3, 3), sensor.blur_px)
    seconds = at_ms / 1000
    slow, fast, hue = (
        sin(2 * pi * seconds / period + phase)
        for period, phase in zip((97.0, 29.0, 151.0), phases, strict=True)
    )
    gain = lamp * (1 + sensor.drift * slow + sensor.flicker * fast)
    tint = np.array([1 - sensor.warmth * hue, 1.0, 1 + sensor.warmth * hue]) * gain
    curve = np.clip(np.arange(256)[:, None] * tint, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(soft, np.ascontiguousarray(curve)[None]), np.uint8)


class _Noise:
    """Grain, drawn once and laid over every frame at another place."""

    def __init__(self, size_px: tuple[int, int], grain: float, seed: int) -> None:
        self._seed = seed
        self._size = size_px
        rng = np.random.default_rng([seed, 4])
        shape = (size_px[1] + _SPARE_PX, size_px[0] + _SPARE_PX, 3)
        self._grain = np.round(rng.standard_normal(shape, np.float32) * grain).astype(np.int16)

    def over(self, image: Image, number: int) -> Image:
        x, y = np.random.default_rng([self._seed, 6, number]).integers(0, _SPARE_PX, 2)
        part = self._grain[y : y + self._size[1], x : x + self._size[0]]
        return np.asarray(cv2.add(image, part, dtype=cv2.CV_8U), np.uint8)

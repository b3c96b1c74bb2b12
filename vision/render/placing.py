"""Putting tiles down: rows, melds, walls, rivers and tiles scattered without cutting into each other.

Everything is in table millimetres. Rows run along x and are read from the bottom edge (negative y).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.labels import BONUS, HONOURS, SUITED
from vision.render.body import FACE_DOWN, FACE_UP, Pose, resting, turn_z

FloatArray = NDArray[np.float64]
Size = tuple[float, float, float]
"""Width, height and depth of a tile, millimetres."""


@dataclass(frozen=True)
class Bar:
    """A rack or a raised strip: a long box. ``size_mm`` along x, y, z before turning."""

    centre_mm: tuple[float, float]
    size_mm: Size
    turn_deg: float


@dataclass
class Arrangement:
    """Where tiles lie and from where one would photograph them.

    Attributes:
        tiles: code and pose.
        bars: racks.
        row_ends_mm: ends of the row that the player in front holds, (3,) each, or None.
        console_mm: (x, y, side) of an automatic table's centre, or None.
        elevation_deg, azimuth_deg: ranges for the camera.
        fill: range of the share of the picture that the tiles span.
        table_mm: half side of the table top, or None for a table that fills the picture.
        held: the tile is in a hand, before the camera.
        drawing: no photograph but a drawn sheet: seen from straight above in even light.
    """

    tiles: list[tuple[str, Pose]] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    row_ends_mm: tuple[FloatArray, FloatArray] | None = None
    console_mm: tuple[float, float, float] | None = None
    elevation_deg: tuple[float, float] = (35.0, 90.0)
    azimuth_deg: tuple[float, float] = (-180.0, 180.0)
    fill: tuple[float, float] = (0.6, 1.05)
    table_mm: float | None = None
    drawing: bool = False
    held: bool = False

    def turned(self, degrees: float, about_mm: tuple[float, float] = (0.0, 0.0)) -> Arrangement:
        """The same with tiles and bars turned about a vertical axis."""
        rotation, centre = turn_z(degrees), np.array([*about_mm, 0.0])

        def moved(pose: Pose) -> Pose:
            return Pose(rotation @ (pose.centre_mm - centre) + centre, rotation @ pose.rotation)

        tiles = [(code, moved(pose)) for code, pose in self.tiles]
        bars = []
        for bar in self.bars:
            at = rotation @ (np.array([*bar.centre_mm, 0.0]) - centre) + centre
            bars.append(Bar((float(at[0]), float(at[1])), bar.size_mm, bar.turn_deg + degrees))
        return replace(self, tiles=tiles, bars=bars)

    def add(self, other: Arrangement) -> None:
        self.tiles.extend(other.tiles)
        self.bars.extend(other.bars)


class Stock:
    """The tiles of a set in random order; a second set is opened when the first is used up."""

    def __init__(
        self, rng: np.random.Generator, bonus: bool, reds: int, jokers: int, whites: int = 4
    ) -> None:
        self._rng = rng
        self._set = [code for code in (*SUITED, *HONOURS) for _ in range(4)]
        self._set += ["5z"] * (whites - 4)
        for red in ("0m", "0p", "0s", "0p")[:reds]:
            self._set[self._set.index("5" + red[1])] = red
        self._set += list(BONUS) if bonus else []
        self._set += ["?"] * jokers
        self._left: list[str] = []

    def deal(self, count: int) -> list[str]:
        while len(self._left) < count:
            self._left.extend(self._set[i] for i in self._rng.permutation(len(self._set)))
        dealt, self._left = self._left[:count], self._left[count:]
        return dealt

    def whole(self, shuffled: bool) -> list[str]:
        order = self._rng.permutation(len(self._set)) if shuffled else range(len(self._set))
        return [self._set[i] for i in order]


def random_stock(rng: np.random.Generator) -> Stock:
    """A set with or without bonus tiles, red fives and jokers.

    White dragons are more frequent than they are: blank ones show so little that they must be met often.
    """
    bonus = bool(rng.random() < 0.6)
    reds, jokers = int(rng.choice([0, 0, 3, 4])), 2 if rng.random() < 0.12 else 0
    return Stock(rng, bonus, reds, jokers, whites=int(rng.choice([4, 4, 12])))


@dataclass(frozen=True)
class Slot:
    """A place in a row: the tile, lying how, in quarter turns counter-clockwise."""

    code: str
    attitude: FloatArray = field(default_factory=lambda: FACE_UP)
    quarters: int = 0


@dataclass(frozen=True)
class Care:
    """Care with which tiles are laid: deviations of position (mm) and turn (degrees)."""

    slip_mm: float = 0.3
    turn_deg: float = 0.6
    gap_mm: float = 0.15


def row(
    rng: np.random.Generator,
    size: Size,
    slots: Sequence[Slot],
    start_mm: tuple[float, float],
    care: Care,
    align: str = "bottom",
    base_mm: float = 0.0,
) -> tuple[list[tuple[str, Pose]], float]:
    """Tiles side by side from ``start_mm``, the near edges in line.

    Args:
        align: ``bottom`` puts near edges at start's y, ``middle`` the centres.
    Returns:
        the tiles and the x where the row ends.
    """
    x, y = start_mm
    tiles = []
    for slot in slots:
        rotation = turn_z(90.0 * slot.quarters) @ slot.attitude
        extent = np.abs(rotation) @ np.array(size)
        lean = float(rng.normal(0, care.turn_deg))
        at_y = (
            y + (extent[1] / 2 if align == "bottom" else 0.0) + float(rng.normal(0, care.slip_mm))
        )
        pose = resting(
            size,
            x + float(extent[0]) / 2,
            at_y,
            slot.attitude,
            90.0 * slot.quarters + lean,
            base_mm,
        )
        tiles.append((slot.code, pose))
        swing = abs(np.sin(np.radians(lean))) * float(extent[1]) * 0.5
        x += float(extent[0]) + swing + care.gap_mm + abs(float(rng.normal(0, care.gap_mm)))
    return tiles, x


def centred(arrangement: Arrangement) -> Arrangement:
    """Move everything so that the tiles' middle is the origin."""
    if not arrangement.tiles:
        return arrangement
    points = np.array([pose.centre_mm[:2] for _, pose in arrangement.tiles])
    shift = np.array([*((points.min(0) + points.max(0)) / 2), 0.0])
    arrangement.tiles = [(c, Pose(p.centre_mm - shift, p.rotation)) for c, p in arrangement.tiles]
    arrangement.bars = [
        Bar(
            (b.centre_mm[0] - float(shift[0]), b.centre_mm[1] - float(shift[1])),
            b.size_mm,
            b.turn_deg,
        )
        for b in arrangement.bars
    ]
    return arrangement


def random_care(rng: np.random.Generator) -> Care:
    """From a machine's neatness to a child's."""
    mess = float(rng.choice([0.3, 1.0, 2.5], p=[0.4, 0.4, 0.2]))
    return Care(0.5 * mess, 0.8 * mess, 0.12 * mess)


def slots_of(codes: Sequence[str], attitude: FloatArray = FACE_UP, quarters: int = 0) -> list[Slot]:
    return [Slot(code, attitude, quarters) for code in codes]


def meld_slots(rng: np.random.Generator, stock: Stock) -> list[Slot]:
    """A chow, pung or kong, perhaps with a sideways member or face-down ends."""
    kind = rng.random()
    if kind < 0.4:
        rank, suit = int(rng.integers(1, 8)), "mps"[int(rng.integers(3))]
        codes = [f"{rank + i}{suit}" for i in range(3)]
    else:
        codes = [stock.deal(1)[0]] * (3 if kind < 0.7 else 4)
    slots = slots_of(codes)
    if len(codes) == 4 and rng.random() < 0.6:  # concealed kong
        hidden = (0, 3) if rng.random() < 0.7 else (1, 2)
        return [Slot(s.code, FACE_DOWN if i in hidden else FACE_UP) for i, s in enumerate(slots)]
    if rng.random() < 0.6:
        at = int(rng.integers(len(slots)))
        slots[at] = Slot(slots[at].code, FACE_UP, int(rng.choice([1, 3])))
    return slots


def two_high(
    rng: np.random.Generator,
    size: Size,
    stock: Stock,
    length: int,
    care: Care,
) -> Arrangement:
    """A wall: two layers face down, now and then a turned indicator, a gap, a missing top."""
    result = Arrangement()
    lower, _ = row(rng, size, slots_of(stock.deal(length), FACE_DOWN), (0, 0), care)
    upper, _ = row(
        rng,
        size,
        slots_of(stock.deal(length), FACE_DOWN),
        (0, float(rng.normal(0, 1))),
        care,
        base_mm=size[2],
    )
    removed = int(rng.integers(0, max(length // 2, 1))) if rng.random() < 0.4 else 0
    shown = int(rng.integers(length)) if rng.random() < 0.25 else -1
    result.tiles = list(lower)
    for i, (code, pose) in enumerate(upper):
        if i < removed:
            continue
        if i == shown:
            pose = Pose(pose.centre_mm, FACE_UP)
        result.tiles.append((code, pose))
    return result


def river(
    rng: np.random.Generator, size: Size, codes: Sequence[str], care: Care
) -> list[tuple[str, Pose]]:
    """One player's discards, six a row, one turned sideways when riichi was called."""
    w, h, _ = size
    sideways = int(rng.integers(len(codes))) if codes and rng.random() < 0.5 else -1
    tiles: list[tuple[str, Pose]] = []
    for line in range(-(-len(codes) // 6)):
        slots = [
            Slot(code, FACE_UP, 1 if line * 6 + i == sideways else 0)
            for i, code in enumerate(codes[line * 6 : line * 6 + 6])
        ]
        if line == 2:
            slots += slots_of(codes[18:])
        part, _ = row(rng, size, slots, (-3 * w, -2.7 * w - (line + 1) * h * 1.01), care)
        tiles += part
        if line == 2:
            break
    return tiles


def scattered(
    rng: np.random.Generator,
    size: Size,
    stock: Stock,
    count: int,
    centre_mm: tuple[float, float],
    spread_mm: tuple[float, float],
    down: float,
) -> list[tuple[str, Pose]]:
    """Tiles lying flat any way round without cutting into each other.

    Args:
        down: share that lies face down.
    """
    tiles: list[tuple[str, Pose]] = []
    placed: list[FloatArray] = []
    aligned = rng.random() < 0.3
    for code in stock.deal(count):
        for _ in range(12):
            x, y = np.array(centre_mm) + rng.uniform(-1, 1, 2) * spread_mm
            turn = float(rng.normal(0, 8)) if aligned else float(rng.uniform(0, 360))
            axes = turn_z(turn)[:2, :2]
            box = np.array([[x, y], axes[:, 0] * size[0] / 2, axes[:, 1] * size[1] / 2])
            if not any(_touch(box, other) for other in placed):
                placed.append(box)
                attitude = FACE_DOWN if rng.random() < down else FACE_UP
                tiles.append((code, resting(size, float(x), float(y), attitude, turn)))
                break
    return tiles


def _touch(a: FloatArray, b: FloatArray) -> bool:
    """Whether two rectangles (centre, half axis, half axis) overlap: separating axes."""
    between = b[0] - a[0]
    if float(np.hypot(*between)) > float(np.linalg.norm(a[1:]) + np.linalg.norm(b[1:])):
        return False
    for axis in (*a[1:], *b[1:]):
        reach = np.abs(a[1:] @ axis).sum() + np.abs(b[1:] @ axis).sum()
        if abs(float(between @ axis)) > float(reach):
            return False
    return True


def shifted(tiles: list[tuple[str, Pose]], dx: float, dy: float) -> list[tuple[str, Pose]]:
    return [(code, Pose(pose.centre_mm + [dx, dy, 0], pose.rotation)) for code, pose in tiles]

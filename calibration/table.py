"""The table as a camera sees it: `calibration.toml`, with the camera, the table and its zones.

World frame: millimetres, the origin in the middle of the table, x to the right of the player of seat 0,
y away from him, z up; the table top is z = 0. Image frame: pixels, x right, y down.

    version = 1
    [image]      width, height
    [table]      size_mm = [x, y], tile_mm = [width, height, depth],
                 homography = 3 rows: (x, y) of the table top in mm -> pixels
    [camera]     matrix = 3 rows, rotation = 3 rows (world -> camera: x right, y down, z forward),
                 position_mm = [x, y, z]; optional: heights over the table need it
    [[zones]]    kind, seat (none for what belongs to nobody), polygon_mm = [[x, y], ...]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from companion.reasons import toml_says
from companion.text import GorrionError, T

FloatArray = NDArray[np.float64]
Point = tuple[float, float]
Matrix = tuple[tuple[float, float, float], ...]
"""Three rows of three numbers."""

VERSION: Final = 1
ZoneKind = Literal["pool", "river", "wall", "hand", "meld", "bonus"]


class CalibrationError(GorrionError):
    """A calibration file that can't be used: the sentence names the file and the key."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """A pinhole camera.

    Attributes:
        matrix: (3, 3) intrinsics, pixels.
        rotation: (3, 3) world -> camera (x right, y down, z forward).
        position_mm: camera centre in the world.
    """

    matrix: Matrix
    rotation: Matrix
    position_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the table.

    Attributes:
        kind: what lies there.
        seat: whose it is, 0..3, or None.
        polygon_mm: its corners on the table top, convex.
    """

    kind: ZoneKind
    seat: int | None
    polygon_mm: tuple[Point, ...]

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether a point of the table lies in the zone, its border included."""
        corners = np.array(self.polygon_mm)
        along = np.roll(corners, -1, 0) - corners
        to = np.array([x_mm, y_mm]) - corners
        sides = along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0]
        return bool((sides >= 0).all() or (sides <= 0).all())


@dataclass(frozen=True, slots=True)
class TableCalibration:
    """What is known of a table and its picture.

    Attributes:
        width, height: of the picture, pixels.
        size_mm: of the table along x and y.
        tile_mm: width, height and depth of a tile.
        homography: (3, 3) table top mm -> pixels.
        camera: where it is, or None when only the homography is known.
        zones: parts of the table.
    """

    width: int
    height: int
    size_mm: tuple[float, float]
    tile_mm: tuple[float, float, float]
    homography: Matrix
    camera: CameraPose | None = None
    zones: tuple[Zone, ...] = ()

    def homography_at(self, z_mm: float = 0.0) -> FloatArray:
        """(3, 3) homography from (x, y) at a height over the table to pixels.

        Without a camera the table top's own is given for every height.
        """
        if self.camera is None or z_mm == 0:
            return np.array(self.homography)
        rotation = np.array(self.camera.rotation)
        lifted = rotation @ (np.array([0.0, 0.0, z_mm]) - np.array(self.camera.position_mm))
        columns = np.stack([rotation[:, 0], rotation[:, 1], lifted], axis=1)
        product: FloatArray = np.array(self.camera.matrix) @ columns
        return product

    def to_px(self, points_mm: FloatArray, z_mm: float = 0.0) -> FloatArray:
        """(..., 2) points at a height over the table -> (..., 2) pixels."""
        return _through(self.homography_at(z_mm), points_mm)

    def to_mm(self, points_px: FloatArray, z_mm: float = 0.0) -> FloatArray:
        """(..., 2) pixels -> (..., 2) points of the plane at a height over the table."""
        back: FloatArray = np.linalg.inv(self.homography_at(z_mm)).astype(np.float64)
        return _through(back, points_px)

    def zones_at(self, x_mm: float, y_mm: float) -> tuple[Zone, ...]:
        """The zones that hold a point of the table."""
        return tuple(zone for zone in self.zones if zone.holds(x_mm, y_mm))


def write_calibration(calibration: TableCalibration) -> str:
    """The text of the file; `read_calibration` gives an equal calibration back."""
    lines = [
        f"version = {VERSION}",
        "",
        "[image]",
        f"width = {calibration.width}",
        f"height = {calibration.height}",
        "",
        "[table]",
        f"size_mm = {_list(calibration.size_mm)}",
        f"tile_mm = {_list(calibration.tile_mm)}",
        f"homography = {_list(calibration.homography)}",
    ]
    if calibration.camera is not None:
        lines += [
            "",
            "[camera]",
            f"matrix = {_list(calibration.camera.matrix)}",
            f"rotation = {_list(calibration.camera.rotation)}",
            f"position_mm = {_list(calibration.camera.position_mm)}",
        ]
    for zone in calibration.zones:
        lines += ["", "[[zones]]", f'kind = "{zone.kind}"']
        lines += [] if zone.seat is None else [f"seat = {zone.seat}"]
        lines.append(f"polygon_mm = {_list(zone.polygon_mm)}")
    return "\n".join(lines) + "\n"


def read_calibration(path: Path) -> TableCalibration:
    """Read a calibration file.

    Raises:
        CalibrationError: when there is none, or a key is missing or wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        sentence = T(
            "the calibration %(path)s can't be read (%(reason)s): calibrate the table again",
            path=str(path),
            reason=reason or "?",
        )
        raise CalibrationError(sentence, code="no_calibration", field="calibration") from error
    return parse_calibration(text, str(path))


def parse_calibration(text: str, name: str) -> TableCalibration:
    """Read the text of a calibration file; `name` is what errors call it.

    Raises:
        CalibrationError: when a key is missing or wrong.
    """
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        sentence = T("%(path)s is not TOML: %(detail)s", path=name, detail=toml_says(error))
        raise CalibrationError(sentence, code="bad_calibration", field="calibration") from error
    read = _Reader(name)
    if value.get("version") != VERSION:
        raise read.wrong("version", str(VERSION))
    image, table = read.table(value, "image"), read.table(value, "table")
    camera = None
    if "camera" in value:
        held = read.table(value, "camera")
        x, y, z = read.numbers(held, "camera.position_mm", 3)
        camera = CameraPose(
            read.matrix(held, "camera.matrix"), read.matrix(held, "camera.rotation"), (x, y, z)
        )
    size, tile = read.numbers(table, "table.size_mm", 2), read.numbers(table, "table.tile_mm", 3)
    if min(*size, *tile) <= 0:
        raise read.wrong("table.size_mm, table.tile_mm", "lengths above 0")
    zones = value.get("zones", [])
    if not isinstance(zones, list):
        raise read.wrong("zones", "a list of tables")
    return TableCalibration(
        read.size(image, "image.width"),
        read.size(image, "image.height"),
        (size[0], size[1]),
        (tile[0], tile[1], tile[2]),
        read.matrix(table, "table.homography"),
        camera,
        tuple(read.zone(zone, at) for at, zone in enumerate(zones)),
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes values out of tables and says of which file and key they are wrong."""

    name: str

    def wrong(self, key: str, wanted: str) -> CalibrationError:
        sentence = T("%(path)s: %(key)s must be %(wanted)s", path=self.name, key=key, wanted=wanted)
        return CalibrationError(sentence, code="bad_calibration", field=key)

    def table(self, value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        held = value.get(key)
        if not isinstance(held, dict):
            raise self.wrong(key, "a table")
        return held

    def size(self, table: Mapping[str, Any], key: str) -> int:
        held = table.get(key.rpartition(".")[2])
        if not isinstance(held, int) or isinstance(held, bool) or held < 1:
            raise self.wrong(key, "a whole number above 0")
        return held

    def numbers(self, table: Mapping[str, Any], key: str, count: int) -> tuple[float, ...]:
        return self._row(table.get(key.rpartition(".")[2]), key, count)

    def matrix(self, table: Mapping[str, Any], key: str) -> Matrix:
        rows = table.get(key.rpartition(".")[2])
        if not isinstance(rows, list) or len(rows) != 3:
            raise self.wrong(key, "three rows of three numbers")
        a, b, c = (self._row(row, key, 3) for row in rows)
        return ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))

    def zone(self, value: object, at: int) -> Zone:
        key = f"zones[{at}]"
        if not isinstance(value, dict):
            raise self.wrong(key, "a table")
        seat = value.get("seat")
        kind: ZoneKind | None = next(
            (each for each in get_args(ZoneKind) if each == value.get("kind")), None
        )
        if kind is None:
            raise self.wrong(f"{key}.kind", ", ".join(get_args(ZoneKind)))
        if seat is not None and seat not in (0, 1, 2, 3):
            raise self.wrong(f"{key}.seat", "0, 1, 2 or 3")
        corners = value.get("polygon_mm")
        if not isinstance(corners, list) or len(corners) < 3:
            raise self.wrong(f"{key}.polygon_mm", "three corners or more")
        points = [self._row(corner, f"{key}.polygon_mm", 2) for corner in corners]
        return Zone(kind, seat, tuple((x, y) for x, y in points))

    def _row(self, row: object, key: str, count: int) -> tuple[float, ...]:
        fits = (
            isinstance(row, list)
            and len(row) == count
            and all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in row)
        )
        if not fits or not isinstance(row, list) or not np.isfinite(row).all():
            raise self.wrong(key, f"a list of {count} numbers")
        return tuple(float(number) for number in row)


def _list(values: Sequence[Any]) -> str:
    parts = (
        _list(each) if isinstance(each, (tuple, list)) else repr(float(each)) for each in values
    )
    return f"[{', '.join(parts)}]"


def _through(homography: FloatArray, points: FloatArray) -> FloatArray:
    lifted = np.concatenate([points, np.ones((*points.shape[:-1], 1))], -1) @ homography.T
    flat: FloatArray = lifted[..., :2] / lifted[..., 2:]
    return flat

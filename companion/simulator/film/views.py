"""Where the film's camera stands, and the calibration that says so."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration.table import CameraPose, Matrix, Point, TableCalibration, Zone, ZoneKind
from companion.reasons import toml_says
from companion.rules.flow import Flow
from companion.simulator.film.stage import Lie, TablePlan, at_seat
from companion.table.state import SEATS
from companion.text import GorrionError, T
from vision.render.camera import Camera, FloatArray


class ViewError(GorrionError):
    """A camera that can't be used: the sentence names the file and the key."""


@dataclass(frozen=True, slots=True)
class View:
    """A camera over the table.

    Attributes:
        elevation_deg: 90 looks straight down.
        azimuth_deg: 0 stands behind seat 0, 90 behind seat 1.
        roll_deg: turned about its own axis.
        fov_deg: angle of view along the longer side of the picture.
        distance_mm: from the middle of the table, or 0: as near as the whole table allows.
    """

    elevation_deg: float = 90.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    fov_deg: float = 62.0
    distance_mm: float = 0.0


VIEWS: Final[Mapping[str, View]] = {
    "overhead": View(),
    "slanted": View(elevation_deg=56.0, azimuth_deg=9.0, roll_deg=-1.0, fov_deg=52.0),
}
"""A camera on an arm over the table, and one on a stand behind seat 0's shoulder."""

_BOUNDS: Final = {
    "elevation_deg": (20.0, 90.0),
    "azimuth_deg": (-360.0, 360.0),
    "roll_deg": (-180.0, 180.0),
    "fov_deg": (15.0, 110.0),
    "distance_mm": (0.0, 5000.0),
}


def view_of(name: str) -> View:
    """A view by its name, or from a TOML file with a ``[camera]`` table of `View`'s keys.

    Raises:
        ViewError: when there is no such view or file, or a key is wrong.
    """
    if name in VIEWS:
        return VIEWS[name]
    path = Path(name)
    if not path.is_file():
        text = T(
            'there is no camera "%(name)s": use %(known)s or a TOML file with a [camera] table',
            name=name,
            known=tuple(VIEWS),
        )
        raise ViewError(text, code="bad_camera", field="camera")
    try:
        value = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        text = T("%(path)s is not TOML: %(detail)s", path=name, detail=toml_says(error))
        raise ViewError(text, code="bad_camera", field="camera") from error
    return _read(name, value)


def _read(name: str, value: Mapping[str, Any]) -> View:
    camera = value.get("camera")
    if not isinstance(camera, dict):
        raise _wrong(name, "camera", T("a table"))
    known = [each.name for each in fields(View)]
    view = View()
    for key, held in camera.items():
        if key not in known:
            text = T(
                "%(path)s: there is no key camera.%(key)s; there are %(known)s",
                path=name,
                key=key,
                known=tuple(known),
            )
            raise ViewError(text, code="bad_camera", field=key)
        low, high = _BOUNDS[key]
        number = isinstance(held, (int, float)) and not isinstance(held, bool)
        if not number or not low <= held <= high:
            raise _wrong(name, f"camera.{key}", T("%(low)g to %(high)g", low=low, high=high))
        view = replace(view, **{key: float(held)})
    return view


def _wrong(name: str, key: str, wanted: T) -> ViewError:
    text = T("%(path)s: %(key)s must be %(wanted)s", path=name, key=key, wanted=wanted)
    return ViewError(text, code="bad_camera", field=key)


def camera_of(view: View, plan: TablePlan, size_px: tuple[int, int]) -> Camera:
    """The camera of a view; without a distance every tile is just inside the picture."""
    edge = plan.row_edge_mm + 8
    top = plan.tile_mm[1]
    corners = [[x, y, z] for x in (-edge, edge) for y in (-edge, edge) for z in (0.0, top)]
    points = np.array(corners)

    def at(distance_mm: float, target: tuple[float, float]) -> Camera:
        return Camera.look_at(
            (*target, 0.0),
            distance_mm,
            view.elevation_deg,
            view.azimuth_deg,
            view.roll_deg,
            view.fov_deg,
            size_px,
        )

    if view.distance_mm:
        return at(view.distance_mm, (0.0, 0.0))
    distance, target = 1200.0, (0.0, 0.0)
    size = np.array(size_px, float)
    for _ in range(40):
        camera = at(distance, target)
        pixels = camera.project(points)
        low, high = pixels.min(0), pixels.max(0)
        distance *= float(np.clip(((high - low) / size).max(), 0.6, 1.6))
        middle = camera.on_table((low + high) / 2)
        if middle is not None:  # the far side of a slanted table is smaller: look past the middle
            target = (
                target[0] + 0.7 * float(middle[0] - target[0]),
                target[1] + 0.7 * float(middle[1] - target[1]),
            )
    return at(distance, target)


def calibration_of(camera: Camera, plan: TablePlan, flow: Flow) -> TableCalibration:
    """What a perfect calibration of the film's table would say."""
    position = camera.position_mm
    side = 2 * plan.half_mm
    return TableCalibration(
        camera.width,
        camera.height,
        (side, side),
        plan.tile_mm,
        _rows(camera.plane_homography()),
        CameraPose(
            _rows(camera.matrix),
            _rows(camera.rotation),
            (float(position[0]), float(position[1]), float(position[2])),
        ),
        _zones(plan, flow),
    )


def _rows(matrix: FloatArray) -> Matrix:
    a, b, c = (tuple(float(number) for number in row) for row in matrix)
    return ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))


def _zones(plan: TablePlan, flow: Flow) -> tuple[Zone, ...]:
    width, height, depth = plan.tile_mm
    wall = plan.wall_mm
    inner = wall - height / 2 - 3
    outer = wall + height / 2 + 3
    long = flow.tiles.columns / 2 * (width + plan.gap_mm) + 4
    left, right = plan.hand_left_mm - 4, plan.row_end_mm + 4
    near, far = plan.row_edge_mm + 4, plan.row_edge_mm - height - 3
    zones: list[Zone] = []
    if flow.discards.lie == "pool":
        corners = ((-inner, -inner), (inner, -inner), (inner, inner), (-inner, inner))
        zones.append(Zone("pool", None, corners))
    for seat in SEATS:

        def zone(
            kind: ZoneKind, x0: float, y0: float, x1: float, y1: float, seat: int = seat
        ) -> Zone:
            points = (Lie(x, y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
            turned = (at_seat(seat, point) for point in points)
            polygon: tuple[Point, ...] = tuple((lie.x_mm, lie.y_mm) for lie in turned)
            return Zone(kind, seat, polygon)

        if flow.discards.lie == "river":
            row = flow.discards.row / 2 * width + 14
            zones.append(zone("river", -row, -inner, inner, -plan.river_mm + 4))
        zones.append(zone("wall", -long, -outer, long, -inner))
        # A hand and its melds share the row: the more melds, the shorter the hand.
        zones.append(zone("hand", left, -near, right, -far))
        zones.append(zone("meld", left + 3 * width, -near, right, -far + depth))
        if flow.tiles.bonus:
            edge = plan.bonus_mm
            zones.append(zone("bonus", left, -edge - 2, left + 9 * width, -edge + height + 2))
    return tuple(zones)

"""Calibration files: what is written is read back, and errors name the file and the key."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.table import (
    CalibrationError,
    CameraPose,
    TableCalibration,
    Zone,
    parse_calibration,
    read_calibration,
    write_calibration,
)

EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
FLAT = TableCalibration(
    640, 360, (800.0, 780.5), (26.0, 35.0, 20.0), ((0.5, 0.0, 320.0), (0.0, -0.5, 180.0), EYE[2])
)
FULL = TableCalibration(
    640,
    360,
    (800.0, 800.0),
    (26.0, 35.0, 20.0),
    ((500.0, 0.0, 320000.0), (0.0, -500.0, 180000.0), (0.0, 0.0, 1000.0)),
    CameraPose(
        ((500.0, 0.0, 320.0), (0.0, 500.0, 180.0), EYE[2]),
        ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
        (0.0, 0.0, 1000.0),
    ),
    (
        Zone("pool", None, ((-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0))),
        Zone("hand", 2, ((0.0, 300.0), (100.0, 300.0), (100.0, 350.0))),
    ),
)


@pytest.mark.parametrize("calibration", [FLAT, FULL], ids=["homography", "camera"])
def test_what_is_written_is_read_back(calibration: TableCalibration, tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text(write_calibration(calibration), encoding="utf-8")
    assert read_calibration(path) == calibration


def test_points_go_to_the_picture_and_back() -> None:
    points = np.array([[0.0, 0.0], [100.0, 50.0]])
    assert FULL.to_px(points) == pytest.approx(np.array([[320, 180], [370, 155]]))
    assert FULL.to_mm(FULL.to_px(points, 20.0), 20.0) == pytest.approx(points)


def test_what_is_higher_is_nearer_to_the_camera() -> None:
    at = np.array([100.0, 0.0])
    assert FULL.to_px(at, 200.0)[0] == pytest.approx(320 + 50 / 0.8)
    assert FLAT.to_px(at, 200.0) == pytest.approx(FLAT.to_px(at))


def test_a_zone_knows_its_points() -> None:
    assert [zone.kind for zone in FULL.zones_at(100, 0)] == ["pool"]
    assert [zone.seat for zone in FULL.zones_at(90, 310)] == [2]
    assert FULL.zones_at(0, 200) == ()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("version = 1", "version = 2", "version"),
        ("width = 640", "width = 0", "image.width"),
        ("tile_mm = [26.0, 35.0, 20.0]", "tile_mm = [26.0, 35.0]", "table.tile_mm"),
        ("tile_mm = [26.0", "tile_mm = [nan", "table.tile_mm"),
        ("[table]", "[tables]", "table"),
        ('kind = "pool"', 'kind = "pond"', "zones[0].kind"),
        ("seat = 2", "seat = 4", "zones[1].seat"),
        ("position_mm = [0.0", 'position_mm = ["a"', "camera.position_mm"),
    ],
)
def test_errors_name_the_file_and_the_key(old: str, new: str, key: str) -> None:
    text = write_calibration(FULL)
    assert old in text
    with pytest.raises(CalibrationError) as refused:
        parse_calibration(text.replace(old, new), "here.toml")
    assert "here.toml" in str(refused.value) and key in str(refused.value)


def test_a_missing_file_and_no_toml_are_told(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="can't be read"):
        read_calibration(tmp_path / "none.toml")
    with pytest.raises(CalibrationError, match="not TOML"):
        parse_calibration("version = = 1", "here.toml")

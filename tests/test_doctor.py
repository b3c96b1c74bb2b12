"""`gorrion doctor`: each finding on a machine made to order, and the whole on this one."""

from __future__ import annotations

import argparse
import json
import socket
import sys
import types
from pathlib import Path

import pytest

from companion.commands import doctor
from companion.commands.doctor import DoctorConfig, Finding
from companion.settings import Settings
from companion.text import T


def test_a_sound_machine_has_the_locked_packages() -> None:
    finding = doctor._packages()
    assert finding.state == "ok"
    assert set(finding.facts["packages"]) >= {"numpy", "onnxruntime", "flask", "waitress"}
    assert doctor._opencv().state == doctor._onnxruntime().state == "ok"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["numpy>=2.0", "no-such-package>=1", 'torch>=2.6; extra == "train"', "opencv-python"]
    monkeypatch.setattr(doctor.metadata, "requires", lambda name: wanted)
    finding = doctor._packages()
    assert finding.state == "broken"
    assert finding.facts["missing"] == ["no-such-package"]
    assert str(finding.text).startswith("missing packages: no-such-package;")


def test_opencv_that_lacks_a_system_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_cv2(name: str) -> types.ModuleType:
        raise ImportError("libGL.so.1: cannot open shared object file")

    monkeypatch.setattr(doctor.importlib, "import_module", no_cv2)
    finding = doctor._opencv()
    assert finding.state == "broken"
    assert "libGL.so.1" in str(finding.text)


def test_models_that_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GORRION_MODELS", str(tmp_path))
    finding = doctor._models()
    assert finding.state == "broken"
    assert str(tmp_path) in str(finding.text)


def video_node(root: Path, number: int, index: int, title: str) -> None:
    """A device as the kernel shows it: /dev/videoN and its folder under /sys."""
    (root / "dev").mkdir(exist_ok=True)
    (root / "dev" / f"video{number}").touch()
    about = root / "sys" / f"video{number}"
    about.mkdir(parents=True)
    (about / "index").write_text(f"{index}\n")
    (about / "name").write_text(f"{title}\n")


def test_linux_cameras_are_listed_once_each_in_order(tmp_path: Path) -> None:
    video_node(tmp_path, 10, 0, "Second")
    video_node(tmp_path, 2, 0, "First")
    video_node(tmp_path, 3, 1, "First")
    cameras = doctor._linux_cameras(tmp_path / "sys", tmp_path / "dev")
    dev = tmp_path / "dev"
    assert cameras == [
        {"name": f"{dev / 'video2'} (First)", "usable": True},
        {"name": f"{dev / 'video10'} (Second)", "usable": True},
    ]


@pytest.mark.parametrize(
    ("cameras", "state", "words"),
    [
        ([], "note", "no camera seen"),
        ([{"name": "cam", "usable": True}], "ok", "camera seen: cam"),
        ([{"name": "cam", "usable": False}], "note", "not allowed: cam"),
    ],
)
def test_what_is_said_of_cameras(
    monkeypatch: pytest.MonkeyPatch, cameras: list[dict[str, object]], state: str, words: str
) -> None:
    monkeypatch.setattr(doctor, "_linux_cameras", lambda: cameras)
    monkeypatch.setattr(doctor, "_opened_camera", lambda wait_s: cameras)
    finding = doctor._cameras(DoctorConfig())
    assert finding.state == state
    assert words in str(finding.text)


def test_a_camera_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sleeper = tmp_path / "sleeper"
    sleeper.write_text("#!/bin/sh\nexec sleep 30\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeper))
    assert doctor._opened_camera(wait_s=0.1) == []


def test_a_data_folder_is_looked_at_but_not_made(tmp_path: Path) -> None:
    assert doctor._data_folder(tmp_path / "new" / "folder").state == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    finding = doctor._data_folder(tmp_path / "file" / "folder")
    assert finding.state == "broken"
    assert str(tmp_path / "file" / "folder") in str(finding.text)


@pytest.mark.parametrize(("free_mb", "state"), [(10, "broken"), (500, "note"), (5000, "ok")])
def test_room_on_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free_mb: int, state: str
) -> None:
    usage = types.SimpleNamespace(free=free_mb * 2**20)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage)
    assert doctor._disk(tmp_path, DoctorConfig()).state == state


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        taken = doctor._port("127.0.0.1", port)
    assert taken.state == "note"
    assert str(port) in str(taken.text)
    assert doctor._port("127.0.0.1", port).state == "ok"


@pytest.mark.parametrize(("state", "code"), [("ok", 0), ("note", 0), ("broken", 1)])
def test_only_what_is_broken_makes_the_exit_code_1(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    state: doctor.State,
    code: int,
) -> None:
    found = Finding(
        "disk", state, T("the disk is nearly full: %(free)s MB free", free=7), {"free_mb": 7}
    )
    monkeypatch.setattr(doctor, "examine", lambda settings, config: iter([found]))
    assert doctor.run(argparse.Namespace(json=True, lang="es")) == code
    printed = json.loads(capsys.readouterr().out)
    assert printed["ok"] is (code == 0)
    assert printed["checks"][0]["message"] == "el disco está casi lleno: 7 MB libres"
    doctor.run(argparse.Namespace(json=False, lang="en"))
    assert "the disk is nearly full: 7 MB free" in capsys.readouterr().out


def test_everything_is_looked_at_on_this_machine() -> None:
    findings = list(doctor.examine(Settings(), DoctorConfig()))
    names = [finding.name for finding in findings]
    assert names == ["python", "packages", "opencv", "onnxruntime", "models", "cameras"] + [
        "data-folder",
        "disk",
        "port",
    ]

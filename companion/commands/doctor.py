"""`gorrion doctor`: what is installed and seen on this machine, and what to do about what is not."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from gettext import gettext as _
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

from companion.catalogue import translate
from companion.reasons import system_says
from companion.settings import Settings
from companion.text import GorrionError, T, Text

State = Literal["ok", "note", "broken"]
"""`note` is worth knowing and keeps nothing from working; `broken` keeps Gorrión from working."""

OPENCV_KINDS: Final = ("opencv-python", "opencv-python-headless")


@dataclass(frozen=True, slots=True)
class DoctorConfig:
    """When the doctor frowns."""

    free_disk_note_mb: int = 1000  # a season of pictures and thumbnails takes less
    free_disk_broken_mb: int = 50  # SQLite needs room for its journal before it can write anything
    camera_wait_s: float = 8.0  # a USB camera that sleeps answers within five


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: a stable name, its state, a sentence for people, facts for programs."""

    name: str
    state: State
    text: Text
    facts: dict[str, Any] = field(default_factory=dict)


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `doctor` to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "doctor",
        help=_("say what is installed, whether the models are intact and a camera is seen"),
        description=_(
            "Says what is installed, whether the models are intact, and whether a camera, the data "
            "folder and the port can be used. Exit code 1 if something essential is broken."
        ),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object instead"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 if something is broken, else 0."""
    findings = list(examine(Settings(), DoctorConfig()))
    broken = [finding for finding in findings if finding.state == "broken"]
    if args.json:
        print(json.dumps(_as_json(findings, args.lang), ensure_ascii=False))
    else:
        for line in _as_lines(findings, args.lang):
            print(line)
    return 1 if broken else 0


def examine(settings: Settings, config: DoctorConfig) -> Iterator[Finding]:
    """Look at everything, one finding after the other; raises nothing."""
    looks: tuple[Callable[[], Finding], ...] = (
        _python,
        _packages,
        _opencv,
        _onnxruntime,
        _models,
        lambda: _cameras(config),
        lambda: _data_folder(settings.folder),
        lambda: _disk(settings.folder, config),
        lambda: _port(settings.host, settings.port),
    )
    return (look() for look in looks)


def _as_json(findings: list[Finding], lang: str) -> dict[str, Any]:
    return {
        "ok": all(finding.state != "broken" for finding in findings),
        "checks": [
            {
                "name": finding.name,
                "state": finding.state,
                "message": translate(finding.text, lang),
                **finding.facts,
            }
            for finding in findings
        ],
    }


def _as_lines(findings: list[Finding], lang: str) -> Iterator[str]:
    signs = {"ok": T("ok"), "note": T("note"), "broken": T("BROKEN")}
    words = {state: translate(text, lang) for state, text in signs.items()}
    width = max(map(len, words.values()))
    for finding in findings:
        yield f"{words[finding.state]:<{width}}  {translate(finding.text, lang)}"


def _python() -> Finding:
    facts = {"python": platform.python_version(), "system": platform.platform()}
    return Finding("python", "ok", T("Python %(python)s on %(system)s", **facts), facts)


def _packages() -> Finding:
    """Every distribution that `gorrion` asks for at run time, OpenCV aside."""
    found: dict[str, str] = {}
    missing: list[str] = []
    for requirement in metadata.requires("gorrion") or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if "extra ==" in requirement or name in OPENCV_KINDS:
            continue
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
    facts = {"version": metadata.version("gorrion"), "packages": found, "missing": missing}
    if missing:
        text = T(
            "missing packages: %(missing)s; start scripts/run.py, which installs them, or install "
            "Gorrión again",
            missing=tuple(missing),
        )
        return Finding("packages", "broken", text, facts)
    text = T(
        "Gorrión %(version)s with %(packages)s",
        version=str(facts["version"]),
        packages=tuple(f"{name} {version}" for name, version in sorted(found.items())),
    )
    return Finding("packages", "ok", text, facts)


def _opencv() -> Finding:
    kinds = [name for name in OPENCV_KINDS if _version(name)]
    facts: dict[str, Any] = {"kind": kinds}
    try:
        cv2 = importlib.import_module("cv2")
    except ImportError as error:
        text = T(
            "OpenCV can't be loaded (%(reason)s): start scripts/run.py, which replaces it, or install "
            "opencv-python-headless",
            reason=" ".join(str(error).split()),
        )
        return Finding("opencv", "broken", text, facts)
    facts["version"] = cv2.__version__
    text = T("OpenCV %(version)s (%(kind)s)", version=cv2.__version__, kind=tuple(kinds) or "?")
    return Finding("opencv", "ok", text, facts)


def _onnxruntime() -> Finding:
    try:
        onnxruntime = importlib.import_module("onnxruntime")
    except ImportError as error:
        text = T(
            "onnxruntime can't be loaded (%(reason)s): without it no picture is read; install Gorrión "
            "again",
            reason=" ".join(str(error).split()),
        )
        return Finding("onnxruntime", "broken", text)
    facts = {"version": onnxruntime.__version__, "threads": os.cpu_count()}
    text = T(
        "onnxruntime %(version)s, %(threads)s processor threads on this machine",
        version=onnxruntime.__version__,
        threads=facts["threads"],
    )
    return Finding("onnxruntime", "ok", text, facts)


def _models() -> Finding:
    models = importlib.import_module("vision.models")
    try:
        states = models.check()
    except GorrionError as error:
        return Finding("models", "broken", error.text)
    facts = {
        "models": [
            {
                "name": each.name,
                "path": str(each.path),
                "sha256": each.sha256,
                "intact": not each.problem,
            }
            for each in states
        ]
    }
    for each in states:
        if each.problem is not None:
            return Finding("models", "broken", each.problem, facts)
    text = T(
        "models intact: %(models)s",
        models=tuple(f"{each.name} (sha256 {each.sha256[:12]}…)" for each in states),
    )
    return Finding("models", "ok", text, facts)


def _cameras(config: DoctorConfig) -> Finding:
    cameras = _linux_cameras() if sys.platform == "linux" else _opened_camera(config.camera_wait_s)
    facts = {"cameras": cameras}
    closed = [each["name"] for each in cameras if not each["usable"]]
    if not cameras:
        text = T("no camera seen: plug one in to follow a table; pictures can be scored without")
        return Finding("cameras", "note", text, facts)
    if len(closed) == len(cameras):
        text = T(
            "camera seen but not allowed: %(cameras)s; add yourself to the group that owns it "
            "(sudo usermod -aG video $USER) and log in again",
            cameras=tuple(closed),
        )
        return Finding("cameras", "note", text, facts)
    seen = tuple(each["name"] for each in cameras if each["usable"])
    return Finding("cameras", "ok", T("camera seen: %(cameras)s", cameras=seen), facts)


def _linux_cameras(
    system: Path = Path("/sys/class/video4linux"), dev: Path = Path("/dev")
) -> list[dict[str, Any]]:
    """The video devices by what the kernel says of them, without opening any.

    A camera has several nodes, of which only the first (index 0) gives pictures.
    """
    cameras = []
    for node in sorted(dev.glob("video[0-9]*"), key=lambda path: int(path.name[5:])):
        about = system / node.name
        if _read(about / "index") not in ("", "0"):
            continue
        title = _read(about / "name")
        name = f"{node} ({title})" if title else str(node)
        cameras.append({"name": name, "usable": os.access(node, os.R_OK | os.W_OK)})
    return cameras


def _opened_camera(wait_s: float) -> list[dict[str, Any]]:
    """Whether the first camera opens, tried in a process of its own: a driver may hang or chatter."""
    code = "import cv2, sys; sys.exit(0 if cv2.VideoCapture(0).isOpened() else 1)"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=wait_s)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [{"name": "0", "usable": True}] if done.returncode == 0 else []


def _data_folder(folder: Path) -> Finding:
    facts = {"folder": str(folder)}
    try:
        # Where it doesn't exist yet, whether it could be made: in the nearest folder that does.
        with tempfile.TemporaryFile(dir=_existing(folder)):
            pass
    except OSError as error:
        text = T(
            "the data folder %(folder)s can't be written (%(reason)s): choose another one with "
            "gorrion serve --data-dir FOLDER",
            folder=str(folder),
            reason=system_says(error),
        )
        return Finding("data-folder", "broken", text, facts)
    return Finding("data-folder", "ok", T("data folder: %(folder)s", folder=str(folder)), facts)


def _disk(folder: Path, config: DoctorConfig) -> Finding:
    free_mb = shutil.disk_usage(_existing(folder)).free // 2**20
    facts = {"free_mb": free_mb}
    if free_mb < config.free_disk_broken_mb:
        text = T(
            "the disk is full (%(free)s MB free): make room, or nothing can be kept", free=free_mb
        )
        return Finding("disk", "broken", text, facts)
    if free_mb < config.free_disk_note_mb:
        return Finding(
            "disk", "note", T("the disk is nearly full: %(free)s MB free", free=free_mb), facts
        )
    return Finding("disk", "ok", T("%(free)s MB free on disk", free=free_mb), facts)


def _port(host: str, port: int) -> Finding:
    facts: dict[str, str | int] = {"host": host, "port": port}
    with socket.socket() as probe:
        if os.name == "posix":  # a port that was in use a moment ago is free for a server, too
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            text = T(
                "port %(port)s of %(host)s is taken: Gorrión may be running already, or choose another "
                "with gorrion serve --port PORT",
                **facts,
            )
            return Finding("port", "note", text, facts)
    return Finding("port", "ok", T("port %(port)s of %(host)s is free", **facts), facts)


def _existing(folder: Path) -> Path:
    """`folder`, or the nearest thing above it that exists (a file there is why it can't be made)."""
    return next((each for each in (folder, *folder.parents) if each.exists()), Path(folder.anchor))


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""

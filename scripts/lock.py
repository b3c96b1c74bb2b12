"""Write requirements/*.txt: exact versions with hashes for every Python and platform we run on.

    python3 scripts/lock.py            keep the versions that still fit pyproject.toml
    python3 scripts/lock.py --upgrade  take the newest versions that fit

Needs `uv` on the PATH. Afterwards each supported machine is checked to find a wheel for everything.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = (
    "x86_64-manylinux_2_28",
    "aarch64-manylinux_2_28",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
)

HEADER = "# Written by scripts/lock.py; change pyproject.toml and run it again.\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    args = parser.parse_args()
    upgrade = ["--upgrade"] if args.upgrade else []

    sources = ["pyproject.toml", "--group", "build"]
    _lock("run.txt", [*sources, *upgrade])
    _lock(
        "test.txt", [*sources, "--extra", "test", "--constraint", "requirements/run.txt", *upgrade]
    )
    _lock("headless.txt", ["-", "--no-deps"], given=_headless_requirement())
    for name in ("run.txt", "test.txt", "headless.txt"):
        _check(name)
    return 0


def _lock(name: str, options: list[str], given: str | None = None) -> None:
    """Compile requirements/NAME, universal: one file whose markers cover all Pythons and systems."""
    path = REQUIREMENTS / name
    _uv(
        ["pip", "compile", *options, "--output-file", str(path), "--universal"]
        + ["--python-version", PYTHONS[0], "--generate-hashes", "--only-binary", ":all:"]
        # Where the packages are fetched from is the reader's own setting and no part of the lock.
        + [
            "--no-emit-index-url",
            "--no-emit-find-links",
            "--no-header",
            "--no-annotate",
            "--quiet",
        ],
        given,
    )
    path.write_text(HEADER + path.read_text(encoding="utf-8"), encoding="utf-8")
    print(f"wrote requirements/{name}")


def _headless_requirement() -> str:
    """The same version of OpenCV without windows, for machines that lack the libraries of one."""
    run = (REQUIREMENTS / "run.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^opencv-python(==\S+)", run, flags=re.MULTILINE)
    return "".join(f"opencv-python-headless{pin}\n" for pin in pins)


def _check(name: str) -> None:
    """Fail where a supported machine would find no wheel for something that is locked."""
    for platform in PLATFORMS:
        for python in PYTHONS:
            _uv(
                ["pip", "compile", str(REQUIREMENTS / name), "--no-deps", "--quiet", "--no-header"]
                + ["--python-version", python, "--python-platform", platform]
                + ["--only-binary", ":all:"],
            )
    print(f"checked requirements/{name}: wheels for {', '.join(PYTHONS)} on {', '.join(PLATFORMS)}")


def _uv(arguments: list[str], given: str | None = None) -> None:
    # onnxruntime's wheels for macOS ask for 14 at least; uv assumes an older one unless told.
    environ = os.environ | {"MACOSX_DEPLOYMENT_TARGET": "14.0"}
    try:
        done = subprocess.run(
            ["uv", *arguments],
            input=given,
            cwd=ROOT,
            env=environ,
            text=True,
            stdout=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        sys.exit("lock.py needs uv: install it with  python3 -m pip install uv")
    if done.returncode:
        sys.exit(f"lock.py: uv {' '.join(arguments)} failed; its words are above")


if __name__ == "__main__":
    sys.exit(main())

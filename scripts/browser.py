"""Find a Chromium for the browser tests, or bring Debian's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from environment import say, words

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def chromium() -> str | None:
    """Path of a Chromium, installed on the way where apt-get may be used; None, with advice, else."""
    if given := os.environ.get("GORRION_CHROMIUM"):
        return given
    return _installed() or (_from_debian() if _may_install() else None) or _advise()


def _installed() -> str | None:
    found = [path for name in NAMES if (path := shutil.which(name))]
    found += [path for path in ELSEWHERE if Path(path).is_file()]
    return found[0] if found else None


def _may_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _from_debian() -> str | None:
    say(
        "Installing Debian's chromium for the browser tests ...",
        "Instalando el chromium de Debian para las pruebas con navegador ...",
    )
    environ = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    # A new machine has no package lists yet; an update that fails in part may still be enough.
    _apt(["update"], environ)
    error = _apt(["install", "--yes", "--no-install-recommends", "chromium"], environ)
    if error:
        print(error, file=sys.stderr)
    return _installed()


def _apt(arguments: list[str], environ: dict[str, str]) -> str:
    """Run apt-get quietly; the last lines of what it said, if it failed."""
    done = subprocess.run(
        ["apt-get", "-qq", *arguments],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return "\n".join(done.stdout.splitlines()[-5:]) if done.returncode else ""


def _advise() -> None:
    print(
        words(
            "No Chromium found: the browser tests will be skipped. To have them run, install one "
            "(Debian: sudo apt install chromium; macOS and Windows: Google Chrome) or set "
            "GORRION_CHROMIUM to its path.",
            "No se encontró Chromium: se omitirán las pruebas con navegador. Para hacerlas, instala "
            "uno (Debian: sudo apt install chromium; macOS y Windows: Google Chrome) o pon su ruta "
            "en GORRION_CHROMIUM.",
        ),
        file=sys.stderr,
    )

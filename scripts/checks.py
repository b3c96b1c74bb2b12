"""What scripts/test.py runs once the environment stands: the checks, then pytest."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from browser import chromium
from environment import ROOT, say

LINT_IMPORTS = "from importlinter.cli import lint_imports_command as main; main()"

CHECKS = (
    ("ruff check", ("-m", "ruff", "check", "--quiet", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", "--quiet", ".")),
    ("mypy", ("-m", "mypy")),
    ("import-linter", ("-c", LINT_IMPORTS)),
    ("translations", ("scripts/translate.py", "--check")),
)
"""A name for people, and the arguments of the environment's Python."""


def run_all(python: Path, pytest_options: Sequence[str], lint: bool) -> int:
    """Every check, then pytest, whose summary comes last; 0 only if all of them passed.

    A failed check doesn't keep the tests from running: one run tells everything that is wrong.
    """
    environ = os.environ.copy()
    if path := chromium():
        environ["GORRION_CHROMIUM"] = path
    bring_competition_rules(python)
    failed = _failed_checks(python, environ) if lint else []
    print("== pytest", flush=True)
    tests = subprocess.run([str(python), "-m", "pytest", *pytest_options], cwd=ROOT, env=environ)
    if failed and tests.returncode == 0:
        names = ", ".join(failed)
        say(
            f"The tests passed, these checks did not: {names}",
            f"Pasaron las pruebas, pero no: {names}",
        )
    return tests.returncode or (1 if failed else 0)


def bring_competition_rules(python: Path) -> None:
    """Compile the package of the extra `mcr`, if it is not there; without it its tests are skipped.

    It is no part of the lock that must install everywhere: it comes as source and needs g++.
    """
    if subprocess.run(
        [str(python), "-c", "import MahjongGB"], stderr=subprocess.DEVNULL
    ).returncode:
        say("Compiling PyMahjongGB ...", "Compilando PyMahjongGB ...")
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
        done = subprocess.run(
            [str(python), "-m", "pip", "install", *options, "-r", "requirements/mcr.txt"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if done.returncode:
            say(
                "PyMahjongGB can't be compiled here (it needs g++): its tests are skipped.",
                "PyMahjongGB no se puede compilar aquí (necesita g++): se saltan sus pruebas.",
            )


def _failed_checks(python: Path, environ: dict[str, str]) -> list[str]:
    """The names of the checks that failed; only those print more than their name."""
    failed = []
    for name, arguments in CHECKS:
        done = subprocess.run(
            [str(python), *arguments],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        print(f"== {name}: {'failed' if done.returncode else 'ok'}", flush=True)
        if done.returncode:
            print(done.stdout, flush=True)
            failed.append(name)
    return failed

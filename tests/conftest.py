"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine's other work than about the code; and a run
# in CI should be the same run twice.
settings.register_profile("gorrion", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("gorrion")

CHECKOUT = Path(__file__).resolve().parent.parent


def _absent(what: str) -> None:
    """Skip on a machine that can't have it; fail where CI promises to have everything."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder with `data/`, `art/`, `rules/` and `seeds/`, which is no part of the checkout."""
    folder = Path(os.environ.get("GORRION_DATA") or CHECKOUT.parent / "shared")
    if not (folder / "rules").is_dir():
        _absent(
            f"the shared data are not in {folder}; set GORRION_DATA to the folder that has them"
        )
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser that scripts/test.py found or installed."""
    path = os.environ.get("GORRION_CHROMIUM", "")
    if not path:
        _absent("no Chromium: start the tests with scripts/test.py, or set GORRION_CHROMIUM")
    return path

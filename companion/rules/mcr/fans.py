"""The fan of the Mahjong Competition Rules: their names (``names.toml``) and the profile's table ``fan``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

from companion.rules.schema import declare, whole
from companion.rules.vocabulary import Names
from companion.text import T

MOST_FAN: Final = 88
"""The largest value of one fan."""


def _read() -> dict[str, Names]:
    file = resources.files("companion.rules.mcr") / "names.toml"
    rows = tomllib.loads(file.read_text("utf-8"))
    return {name: Names(row["es"], row["en"], row["zh"]) for name, row in rows.items()}


FANS: Final[Mapping[str, Names]] = _read()
"""Names of every fan by id, in the order lines are listed: the 81 fan, and one of a later revision."""

declare(
    "fan", {name: whole(T("%(name)s", name=names), 0, MOST_FAN) for name, names in FANS.items()}
)

"""Everything that can be set about `gorrion serve`, in one table.

The command line, the settings page and the README's list are all made from `SETTINGS`; a test fails
when an entry has no sentence in every language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import platformdirs

from companion.rules import DEFAULT_RULES
from companion.text import T

DEFAULT_PORT: Final = 8136
"""136 tiles in a set without flowers; not a port that another program is known for."""

MEGABYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set.

    Attributes:
        name: field of `Settings`; its flag is `--name`, or `--no-name` for a switch that is on.
        kind: type of the value; bool makes a switch without argument.
        default: value when nothing is said.
        about: one sentence for the help and the settings page.
        metavar: what stands for the value in the help; nothing for a switch.
    """

    name: str
    kind: type
    default: Any
    about: T
    metavar: T | None = None

    @property
    def flag(self) -> str:
        """How it is written on the command line."""
        word = self.name.replace("_", "-")
        return f"--no-{word}" if self.default is True else f"--{word}"


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting(
        "host",
        str,
        "127.0.0.1",
        T("address to listen on; the default is this machine alone"),
        T("ADDRESS"),
    ),
    Setting("port", int, DEFAULT_PORT, T("port to listen on; 0 takes any that is free"), T("PORT")),
    Setting(
        "source",
        str,
        None,
        T(
            "what to look at: a picture file to start a score sheet from, or demo: a game that is played"
        ),
        T("SOURCE"),
    ),
    Setting("rules", str, DEFAULT_RULES, T("rules that the demo is played by"), T("ID")),
    Setting(
        "speed",
        float,
        1.0,
        T("how many times as fast as people play the demo is played"),
        T("TIMES"),
    ),
    Setting(
        "lan",
        bool,
        False,
        T("let phones and tablets of the local network in; prints address, PIN and QR code"),
    ),
    Setting(
        "browser",
        bool,
        True,
        T("do not open the page in the browser of this machine"),
    ),
    Setting("data_dir", Path, None, T("folder for score sheets and their pictures"), T("FOLDER")),
    Setting("max_upload_mb", int, 32, T("largest picture file taken, in megabytes"), T("MB")),
    Setting(
        "keep_pictures",
        int,
        200,
        T("how many pictures are kept; older ones are deleted"),
        T("COUNT"),
    ),
    Setting("keep_mb", int, 256, T("room for kept pictures, in megabytes"), T("MB")),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values in force; one field for each entry of `SETTINGS`."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    source: str | None = None
    rules: str = DEFAULT_RULES
    speed: float = 1.0
    lan: bool = False
    browser: bool = True
    data_dir: Path | None = None
    max_upload_mb: int = 32
    keep_pictures: int = 200
    keep_mb: int = 256

    @property
    def folder(self) -> Path:
        """Where score sheets and pictures lie: `data_dir`, or the place the system has for such data."""
        return self.data_dir or Path(platformdirs.user_data_dir("gorrion", appauthor=False))

    @staticmethod
    def of(values: Mapping[str, Any]) -> Settings:
        """Settings from what has names in `values`; the rest keeps its default."""
        names = {field.name for field in fields(Settings)}
        return Settings(**{key: value for key, value in values.items() if key in names})

"""What the yaku, the items of fu and the limits of the Japanese game are called, in each language.

The names are data (``names.toml``); the han of each yaku are the profile's (its table ``yaku``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from companion.rules.vocabulary import Names

YAKUMAN_HAN: Final = 13
"""Han of a yakuman; a double one has twice as many."""
YAKUMAN: Final = frozenset(
    (
        "kokushi",
        "kokushi_13_wait",
        "suuankou",
        "suuankou_tanki",
        "daisangen",
        "shousuushii",
        "daisuushii",
        "tsuuiisou",
        "chinroutou",
        "ryuuiisou",
        "chuuren",
        "chuuren_9_wait",
        "suukantsu",
        "tenhou",
        "chiihou",
    )
)
CLOSED_ONLY: Final = frozenset(
    (
        "riichi",
        "double_riichi",
        "ippatsu",
        "tsumo",
        "pinfu",
        "iipeikou",
        "ryanpeikou",
        "chiitoitsu",
        "renhou",
        "kokushi",
        "kokushi_13_wait",
        "suuankou",
        "suuankou_tanki",
        "chuuren",
        "chuuren_9_wait",
        "tenhou",
        "chiihou",
    )
)
"""Yaku that are none in an open hand."""
DORA: Final = ("dora", "red_dora", "ura_dora")
"""They add han but are no yaku: a hand can't be won with them alone."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku, or a kind of dora.

    Attributes:
        id: its name in romaji, with underscores.
        names: what it is called; the romaji stands in brackets, ``zh`` is the Japanese writing.
        what: one sentence that says what it is.
    """

    id: str
    names: Names
    what: Names


def _names(row: Mapping[str, Any]) -> Names:
    return Names(row["es"], row["en"], row.get("ja", ""))


def _read() -> dict[str, Any]:
    file = resources.files("companion.rules.riichi") / "names.toml"
    return tomllib.loads(file.read_text("utf-8"))


_TABLES: Final = _read()

YAKU: Final[Mapping[str, Yaku]] = {
    name: Yaku(name, _names(row), _names(row["what"])) for name, row in _TABLES["yaku"].items()
}
"""Every yaku and the three kinds of dora by id, in the order lines are listed."""
FU_NAMES: Final[Mapping[str, Names]] = {name: _names(row) for name, row in _TABLES["fu"].items()}
"""Items of fu by the names that the `mahjong` package gives them."""
LEVEL_NAMES: Final[Mapping[str, Names]] = {
    name: _names(row) for name, row in _TABLES["level"].items()
}
"""What a hand that reaches a limit is called."""

"""Options that mean the same in more than one command, spelled once."""

from __future__ import annotations

import argparse
from gettext import gettext as _

from companion.rules import DEFAULT_RULES


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules`, for every command that counts."""
    parser.add_argument(
        "--rules",
        metavar=_("ID"),
        default=DEFAULT_RULES,
        help=_("rules to count by: a known id or a TOML file (default: hk-old-style)"),
    )


def add_round(parser: argparse.ArgumentParser) -> None:
    """Add `--round`, for every command that counts one hand."""
    parser.add_argument("--round", metavar=_("WIND"), default="E", help=_("the wind of the round"))


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`, for every command that otherwise speaks in sentences."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add `--threads`, for every command that reads pictures."""
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar=_("N"),
        help=_("processor threads to use (default: 1)"),
    )

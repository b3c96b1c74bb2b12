"""Game logs in files: told apart by what is in them, read under the rules they name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.rules import Profile, load_profile
from companion.simulator.play import start_state
from companion.table.events import Entry, EventError, StartGame, StartHand
from companion.table.log import TableLog, entries_of
from companion.table.mjai import from_mjai
from companion.table.tenhou.reading import from_tenhou
from companion.table.wire import read_entries
from companion.text import T

MAX_LOG_BYTES = 64 * 2**20
"""A day of play at one table is about 2 MB."""

Form = Literal["gorrion", "mjai", "tenhou"]


@dataclass(frozen=True, slots=True)
class GameFile:
    """A log that was read.

    Attributes:
        form: whose form it is written in.
        profile: the rules it was folded under.
        log: its entries and states.
        named_hash: the content hash of the rules that the log itself names, "" when it names none.
    """

    form: Form
    profile: Profile
    log: TableLog
    named_hash: str

    @property
    def same_rules(self) -> bool:
        """Whether the rules are to the letter those that the log was played by."""
        return self.named_hash in {"", self.profile.hash}


def read_game(path: Path, rules: str | None = None) -> GameFile:
    """Read a log of our own form, of mjai or of tenhou.net/6.

    Args:
        path: the file.
        rules: id or file of the rules to fold it under, if not those it names.

    Raises:
        EventError: when it is no log, or a line of it is wrong.
        companion.rules.ProfileError: when there are no such rules.
    """
    text = _text_of(path)
    form = _form_of(text)
    if form == "gorrion":
        entries = list(read_entries(text.splitlines()))
        named, named_hash = _rules_of(entries)
        profile = load_profile(rules or named)
        log = TableLog(start_state(profile), entries)
        return GameFile(form, profile, log, named_hash)
    profile = load_profile(rules or "riichi")
    start = start_state(profile)
    events = from_tenhou(text, start) if form == "tenhou" else from_mjai(text.splitlines(), start)
    return GameFile(form, profile, TableLog(start, entries_of(events)), "")


def _text_of(path: Path) -> str:
    if path.is_file() and path.stat().st_size > MAX_LOG_BYTES:
        raise EventError(
            T("%(file)s is too large for a game log", file=str(path)),
            code="too_large",
            field="file",
        )
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EventError(
            T("%(file)s is no game log: it is not UTF-8 text", file=str(path)),
            code="bad_log",
            field="file",
        ) from error
    if not text.strip():
        raise EventError(
            T("%(file)s is empty: give a game log", file=str(path)), code="empty_log", field="file"
        )
    return text


def _form_of(text: str) -> Form:
    first = text.lstrip().splitlines()[0]
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        # A tenhou log may be spread over lines; the reader says what is wrong if it is none.
        return "tenhou" if '"log"' in text else "gorrion"
    if isinstance(value, dict) and "log" in value:
        return "tenhou"
    if isinstance(value, dict) and "seq" not in value and "type" in value:
        return "mjai"
    return "gorrion"


def _rules_of(entries: list[Entry]) -> tuple[str, str]:
    for entry in entries:
        if isinstance(entry.event, (StartGame, StartHand)):
            return entry.event.profile, entry.event.profile_hash
    raise EventError(
        T("this log does not say by which rules it was played: name them with --rules"),
        code="no_rules",
        field="rules",
    )

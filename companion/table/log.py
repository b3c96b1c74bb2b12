"""The log of a table: an append-only list of entries, and the state it folds to after corrections.

A `Correction` never edits what it refers to. It says what stands in its place; everything after it is
computed again, and what no longer fits is flagged there. A correction can be taken back like any other
event, so that everything can be undone in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.table.events import Correction, Entry, Event, EventError
from companion.table.fold import apply
from companion.table.state import State
from companion.text import T


def effective(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that count, in order, once all corrections are carried out.

    Corrections themselves are left out; an event that a correction brings has the correction's number
    and its own part (`Entry.ref`). A correction that was taken back does nothing.
    """
    entries = list(entries)
    standing = _standing_corrections(entries)
    line = [entry for entry in entries if not isinstance(entry.event, Correction)]
    for entry in entries:
        if isinstance(entry.event, Correction) and entry.seq in standing:
            _carry_out(line, entry, entry.event)
    return line


def _standing_corrections(entries: Sequence[Entry]) -> set[int]:
    """Numbers of the corrections that no later standing correction takes back."""
    standing: set[int] = set()
    taken_back: set[str] = set()
    for entry in reversed(entries):
        if isinstance(entry.event, Correction) and entry.ref not in taken_back:
            standing.add(entry.seq)
            if entry.event.how == "replace":
                taken_back.add(entry.event.refers)
    return standing


def _carry_out(line: list[Entry], entry: Entry, correction: Correction) -> None:
    at = next((at for at, each in enumerate(line) if each.ref == correction.refers), None)
    if at is None:  # It takes back another correction, or what it refers to is gone by now.
        return
    brought = [
        replace(entry, event=event, part=part) for part, event in enumerate(correction.events)
    ]
    first, last = {"replace": (at, at + 1), "before": (at, at), "after": (at + 1, at + 1)}[
        correction.how
    ]
    line[first:last] = brought


class TableLog:
    """A table's entries with the state after each, kept up to date as entries come.

    A plain event costs one step; a correction costs the steps after the place it changes.

    Args:
        start: the state before the first entry; it carries the rules.
        entries: what has happened so far.
    """

    def __init__(self, start: State, entries: Iterable[Entry] = ()) -> None:
        self._start = start
        self._entries: list[Entry] = []
        self._line: list[Entry] = []
        self._states: list[State] = []
        self.extend(entries)

    def copy(self) -> TableLog:
        """The same log, to be tried out: what is appended to one is not in the other."""
        other = TableLog(self._start)
        other._entries = list(self._entries)
        other._line = list(self._line)
        other._states = list(self._states)
        return other

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry that was appended, corrections too."""
        return tuple(self._entries)

    @property
    def line(self) -> tuple[Entry, ...]:
        """The entries that count (`effective`)."""
        return tuple(self._line)

    @property
    def start(self) -> State:
        """The state before the first entry."""
        return self._start

    @property
    def states(self) -> tuple[State, ...]:
        """The state after each entry of `line`."""
        return tuple(self._states)

    @property
    def state(self) -> State:
        """The state after everything."""
        return self._states[-1] if self._states else self._start

    @property
    def next_seq(self) -> int:
        """The number of the next entry."""
        return self._entries[-1].seq + 1 if self._entries else 1

    def state_after(self, ref: str) -> State:
        """The state after the entry with this reference.

        Raises:
            EventError: when no entry that counts has it.
        """
        return self._states[self._find(ref)]

    def append(self, entry: Entry) -> State:
        """Add an entry and give the new state.

        Raises:
            EventError: when its number does not follow, or it corrects an entry that is not there.
        """
        if self._entries and entry.seq <= self._entries[-1].seq:
            text = T(
                "event %(seq)s comes after event %(last)s: numbers in a log only rise",
                seq=entry.seq,
                last=self._entries[-1].seq,
            )
            raise EventError(text, code="bad_order", field="seq")
        if isinstance(entry.event, Correction):
            self._check_target(entry.event)
            self._entries.append(entry)
            self._recount()
        else:
            self._entries.append(entry)
            self._line.append(entry)
            self._states.append(apply(self.state, entry.event, entry.ref))
        return self.state

    def extend(self, entries: Iterable[Entry]) -> State:
        """Append several entries."""
        for entry in entries:
            self.append(entry)
        return self.state

    def undo(self, ref: str | None = None, why: str = "") -> Correction:
        """The correction that takes an event back: the last one that counts, or the one named.

        The caller appends it, as he does with every event.

        Raises:
            EventError: when there is nothing to take back.
        """
        if ref is None:
            if not self._line:
                text = T("nothing has happened yet: there is nothing to take back")
                raise EventError(text, code="nothing_to_undo", field="refers")
            ref = self._line[-1].ref
        correction = Correction(ref, why=why)
        self._check_target(correction)
        return correction

    def _check_target(self, correction: Correction) -> None:
        known = {entry.ref for entry in self._line}
        known |= {str(e.seq) for e in self._entries if isinstance(e.event, Correction)}
        if correction.refers not in known:
            text = T(
                'there is no event "%(refers)s" to correct: it was never there or is taken back',
                refers=correction.refers,
            )
            raise EventError(text, code="no_such_event", field="refers")

    def _recount(self) -> None:
        line = effective(self._entries)
        same = 0
        while same < min(len(line), len(self._line)) and line[same] == self._line[same]:
            same += 1
        self._line = line
        del self._states[same:]
        for entry in line[same:]:
            self._states.append(apply(self.state, entry.event, entry.ref))

    def _find(self, ref: str) -> int:
        for at, entry in enumerate(self._line):
            if entry.ref == ref:
                return at
        text = T('there is no event "%(refers)s" here', refers=ref)
        raise EventError(text, code="no_such_event", field="refers")


def entries_of(events: Iterable[Event], first: int = 1) -> list[Entry]:
    """Number plain events from `first` on."""
    return [Entry(seq, event) for seq, event in enumerate(events, first)]

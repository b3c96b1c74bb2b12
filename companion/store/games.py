"""Games on disk: an append-only log of events for each, and what follows from it.

An event is committed with `PRAGMA synchronous = FULL` before `append` returns: after a power cut or a
kill the table resumes with every event that was acknowledged, and never with half of one.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.rules.flow import Standing
from companion.store.database import Database
from companion.store.refusals import NoSuchGame, StaleLog
from companion.table.events import EndGame, Entry, EventError, StartGame
from companion.table.state import State
from companion.table.wire import read_entries, read_entry, write_entry
from companion.text import T


@dataclass(frozen=True, slots=True)
class Game:
    """A game as stored.

    Attributes:
        id: unguessable name.
        created, changed: ISO 8601 times in UTC.
        profile, profile_hash: the rules it is played by.
        over: the match has ended.
        events: how many events it has.
    """

    id: str
    created: str
    changed: str
    profile: str
    profile_hash: str
    over: bool
    events: int


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What one hand moved for one seat."""

    hand: int
    seat: int
    player: str
    wind: str
    delta: int
    won: bool


def ledger_of(state: State) -> tuple[LedgerRow, ...]:
    """The ledger of a game from its state: four rows a hand."""
    return tuple(
        LedgerRow(
            record.number,
            seat,
            state.names[seat],
            Standing(east=record.east).wind_of(seat),
            delta,
            seat in record.winners,
        )
        for record in state.history
        for seat, delta in enumerate(record.deltas)
    )


class GameStore:
    """The games in a data folder. Safe to use from several threads and processes.

    Raises companion.store.StoreError when the folder cannot be used.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._database = Database(folder / "gorrion.sqlite3")
        self._clock = clock

    def create(self, profile: str, profile_hash: str) -> Game:
        """A new game without events."""
        game, now = secrets.token_urlsafe(9), self._now()
        with self._database.connect() as db:
            db.execute(
                "INSERT INTO games (id, created, changed, profile, profile_hash) VALUES (?, ?, ?, ?, ?)",
                (game, now, now, profile, profile_hash),
            )
            return _game(_row(db, game))

    def get(self, game: str) -> Game:
        """The game of that name. Raises NoSuchGame."""
        with self._database.connect() as db:
            return _game(_row(db, game))

    def recent(self, limit: int) -> list[Game]:
        """The games changed last, newest first."""
        with self._database.connect() as db:
            rows = db.execute(
                f"{_SELECT} ORDER BY g.changed DESC, g.rowid DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_game(row) for row in rows]

    def append(self, game: str, entries: Sequence[Entry], ledger: Sequence[LedgerRow] = ()) -> None:
        """Commit entries that follow each other, all or none, with the ledger as it is after them.

        Raises:
            StaleLog: when the first of them does not follow the last one stored.
            NoSuchGame: when there is no such game.
        """
        if not entries:
            return
        with self._database.connect() as db:
            _row(db, game)
            (last,) = db.execute(
                "SELECT COALESCE(MAX(seq), 0) FROM events WHERE game = ?", (game,)
            ).fetchone()
            for step, entry in enumerate(entries, 1):
                if entry.seq != last + step:
                    raise StaleLog(entries[0].seq - 1, last)
            db.executemany(
                "INSERT INTO events (game, seq, line) VALUES (?, ?, ?)",
                [(game, entry.seq, write_entry(entry)) for entry in entries],
            )
            over = isinstance(entries[-1].event, EndGame)
            db.execute(
                "UPDATE games SET changed = ?, over = ? WHERE id = ?", (self._now(), over, game)
            )
            self._remember_players(db, entries)
            _write_ledger(db, game, ledger)

    def entries(self, game: str, after: int = 0) -> list[Entry]:
        """The entries of a game with a number above `after`. Raises NoSuchGame."""
        with self._database.connect() as db:
            _row(db, game)
            rows = db.execute(
                "SELECT line FROM events WHERE game = ? AND seq > ? ORDER BY seq", (game, after)
            ).fetchall()
        return [read_entry(row["line"]) for row in rows]

    def export(self, game: str) -> Iterator[str]:
        """The game as JSON Lines, each with its line end. Raises NoSuchGame."""
        for entry in self.entries(game):
            yield f"{write_entry(entry)}\n"

    def import_lines(self, lines: Iterable[str], profile: str, profile_hash: str) -> Game:
        """A new game from JSON Lines, all or nothing; its events are numbered from 1.

        Raises:
            companion.table.events.EventError: naming the line that is wrong, or when there is none.
        """
        entries = list(read_entries(lines))
        if not entries:
            raise EventError(
                T("this log holds no event: give a file of JSON Lines"), code="empty_log"
            )
        for wanted, entry in enumerate(entries, 1):
            if entry.seq != wanted:
                text = T(
                    "event %(wanted)s is missing: after it comes %(seq)s",
                    wanted=wanted,
                    seq=entry.seq,
                )
                raise EventError(text, code="bad_order", field="seq")
        game = self.create(profile, profile_hash)
        self.append(game.id, entries)
        return self.get(game.id)

    def ledger(self, game: str) -> list[LedgerRow]:
        """What each hand of a game moved. Raises NoSuchGame."""
        with self._database.connect() as db:
            _row(db, game)
            rows = db.execute(
                "SELECT hand, seat, player, wind, delta, won FROM ledger WHERE game = ? "
                "ORDER BY hand, seat",
                (game,),
            ).fetchall()
        return [LedgerRow(**{**dict(row), "won": bool(row["won"])}) for row in rows]

    def players(self, limit: int) -> list[str]:
        """Names of those who played last."""
        with self._database.connect() as db:
            rows = db.execute(
                "SELECT name FROM players ORDER BY last DESC, name LIMIT ?", (limit,)
            ).fetchall()
        return [row["name"] for row in rows]

    def delete(self, game: str) -> None:
        """Forget a game for good. Raises NoSuchGame."""
        with self._database.connect() as db:
            _row(db, game)
            db.execute("DELETE FROM games WHERE id = ?", (game,))

    def _now(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")

    def _remember_players(self, db: sqlite3.Connection, entries: Sequence[Entry]) -> None:
        names = {
            name
            for entry in entries
            if isinstance(entry.event, StartGame)
            for name in entry.event.names
            if name
        }
        db.executemany(
            "INSERT INTO players (name, last) VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET last = excluded.last",
            [(name, self._now()) for name in sorted(names)],
        )


_SELECT = """
SELECT g.*, (SELECT COUNT(*) FROM events e WHERE e.game = g.id) AS events FROM games g
"""


def _row(db: sqlite3.Connection, game: str) -> sqlite3.Row:
    row: sqlite3.Row | None = db.execute(f"{_SELECT} WHERE g.id = ?", (game,)).fetchone()
    if row is None:
        raise NoSuchGame(game)
    return row


def _game(row: sqlite3.Row) -> Game:
    return Game(
        row["id"],
        row["created"],
        row["changed"],
        row["profile"],
        row["profile_hash"],
        bool(row["over"]),
        row["events"],
    )


def _write_ledger(db: sqlite3.Connection, game: str, ledger: Sequence[LedgerRow]) -> None:
    """Corrections can change any hand, so the ledger of the game is written anew."""
    if not ledger:
        return
    db.execute("DELETE FROM ledger WHERE game = ?", (game,))
    db.executemany(
        "INSERT INTO ledger (game, hand, seat, player, wind, delta, won) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(game, r.hand, r.seat, r.player, r.wind, r.delta, r.won) for r in ledger],
    )

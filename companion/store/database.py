"""The one SQLite file of the companion: how it is opened, and how its schema grows.

Every step of the schema is a numbered file in `migrations/`; `PRAGMA user_version` says how many have
been applied. A step runs in one transaction with its number, so a power cut leaves either the old or
the new schema.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from companion.reasons import database_says, system_says
from companion.text import GorrionError, T

BUSY_TIMEOUT_S = 10.0
"""How long a writer waits for another one: far longer than any of our transactions takes."""


class StoreError(GorrionError):
    """The data folder cannot be used: unreadable, full, or written by a newer Gorrión."""


def migration_steps() -> list[tuple[int, str]]:
    """The steps as (number, SQL), in order.

    Raises ValueError when the numbers are not 1, 2, 3 ...: a mistake in the package.
    """
    folder = resources.files("companion.store.migrations")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    steps = [(int(name.split("_", 1)[0]), (folder / name).read_text("utf-8")) for name in names]
    if [number for number, _ in steps] != list(range(1, len(steps) + 1)):
        raise ValueError(f"migrations must be numbered 1, 2, 3 ...: {names}")
    return steps


class Database:
    """A SQLite file in WAL mode, migrated to the present schema when it is opened.

    A connection is made for each use: it costs some 0.1 ms, and a connection then never crosses a
    thread of the web server.

    Raises StoreError when the file cannot be opened or comes from a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                T(
                    "the data folder %(folder)s cannot be made (%(why)s): choose another one with --data-dir",
                    folder=str(path.parent),
                    why=system_says(error),
                ),
                code="no_data_folder",
                field="data_dir",
                status=500,
            ) from error
        with self.connect() as connection:
            self._migrate(connection)

    @contextmanager
    def connect(self) -> Iterator[sqlite3.Connection]:
        """A connection whose statements form one transaction: committed at the end, or rolled back.

        Raises StoreError for what SQLite cannot do (disk full, file damaged, folder read-only).
        """
        connection = None
        try:
            # isolation_level None: transactions are begun here in plain sight, not by the module.
            connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL: a committed correction survives a power cut; at our few writes a minute it is free.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(
                T(
                    "the data file %(file)s cannot be used (%(why)s): check the free space and the rights of "
                    "the folder, or choose another one with --data-dir",
                    file=str(self.path),
                    why=database_says(error),
                ),
                code="store_failed",
                status=507 if "full" in str(error) else 500,
            ) from error
        finally:
            if connection is not None:
                connection.close()  # an unfinished transaction is rolled back by closing

    def _migrate(self, connection: sqlite3.Connection) -> None:
        steps = migration_steps()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(steps):
            raise StoreError(
                T(
                    "the data folder %(folder)s was written by a newer Gorrión (its data is version %(theirs)s, "
                    "this one knows %(ours)s): update Gorrión, or choose another folder with --data-dir",
                    folder=str(self.path.parent),
                    theirs=version,
                    ours=len(steps),
                ),
                code="data_too_new",
                field="data_dir",
                status=500,
            )
        for number, script in steps[version:]:
            for statement in _statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would commit our transaction first."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        raise ValueError(f"a migration ends inside a statement: {pending!r}")

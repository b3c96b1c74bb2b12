"""Score sheets being worked on, and the pictures they were read from."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.store.database import Database
from companion.store.refusals import NoSuchDraft, NothingToUndo, StaleEdit


@dataclass(frozen=True, slots=True)
class KeepConfig:
    """How much of the past is kept."""

    pictures: int = 200  # some months of evenings; the sheets outlive their pictures
    picture_bytes: int = 256 * 2**20  # an SD card must never fill up because of us
    undo_steps: int = 100  # more than anyone corrects in one hand
    drafts: int = 2000  # a sheet takes about 10 kB with its undo steps: 20 MB at the most


@dataclass(frozen=True, slots=True)
class Draft:
    """One score sheet as stored.

    Attributes:
        id: unguessable name, part of its address.
        version: grows by one with each change; an edit says which one it saw.
        created, changed: ISO 8601 times in UTC.
        body: JSON of the edited sheet.
        reading: JSON of what the eyes saw, or None for a sheet made by hand.
        has_picture: whether its picture is still kept.
        can_undo: whether an earlier body is kept.
    """

    id: str
    version: int
    created: str
    changed: str
    body: dict[str, Any]
    reading: dict[str, Any] | None
    has_picture: bool
    can_undo: bool


class DraftStore:
    """The drafts in a data folder: `gorrion.sqlite3` and `pictures/`.

    Safe to use from several threads. Raises StoreError when the folder cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        keep: KeepConfig | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database = Database(folder / "gorrion.sqlite3")
        self._pictures = folder / "pictures"
        self._keep = keep or KeepConfig()
        self._clock = clock

    def create(
        self,
        body: Mapping[str, Any],
        reading: Mapping[str, Any] | None = None,
        picture_jpeg: bytes | None = None,
    ) -> Draft:
        """Store a new sheet at version 1, with its reading and its picture (JPEG) if there are any."""
        draft_id = secrets.token_urlsafe(9)
        now = self._now()
        if picture_jpeg is not None:
            self._write_picture(draft_id, picture_jpeg)
        with self._database.connect() as db:
            db.execute(
                "INSERT INTO drafts (id, version, created, changed, body, reading) VALUES (?, 1, ?, ?, ?, ?)",
                (draft_id, now, now, _dump(body), None if reading is None else _dump(reading)),
            )
            if picture_jpeg is not None:
                db.execute(
                    "INSERT INTO pictures (draft, added, size) VALUES (?, ?, ?)",
                    (draft_id, now, len(picture_jpeg)),
                )
            gone = self._prune(db)
        self._delete_pictures(gone)
        return self.get(draft_id)

    def get(self, draft_id: str) -> Draft:
        """The sheet of that name. Raises NoSuchDraft."""
        with self._database.connect() as db:
            return _draft(self._row(db, draft_id))

    def recent(self, limit: int) -> list[Draft]:
        """The sheets changed last, newest first."""
        with self._database.connect() as db:
            rows = db.execute(
                _SELECT + " ORDER BY d.changed DESC, d.rowid DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_draft(row) for row in rows]

    def update(self, draft_id: str, seen_version: int, body: Mapping[str, Any]) -> Draft:
        """Replace the body; the old one can be brought back by `undo`.

        Raises StaleEdit when `seen_version` is not the present one, and NoSuchDraft.
        """
        with self._database.connect() as db:
            row = self._row_at(db, draft_id, seen_version)
            db.execute(
                "INSERT INTO revisions (draft, version, body) VALUES (?, ?, ?)",
                (draft_id, row["version"], row["body"]),
            )
            db.execute(
                "DELETE FROM revisions WHERE draft = ?1 AND version NOT IN "
                "(SELECT version FROM revisions WHERE draft = ?1 ORDER BY version DESC LIMIT ?2)",
                (draft_id, self._keep.undo_steps),
            )
            self._put(db, draft_id, _dump(body))
            return _draft(self._row(db, draft_id))

    def undo(self, draft_id: str, seen_version: int) -> Draft:
        """Bring the body before the last change back, as a new version.

        Raises NothingToUndo, StaleEdit and NoSuchDraft.
        """
        with self._database.connect() as db:
            self._row_at(db, draft_id, seen_version)
            last = db.execute(
                "SELECT version, body FROM revisions WHERE draft = ? ORDER BY version DESC LIMIT 1",
                (draft_id,),
            ).fetchone()
            if last is None:
                raise NothingToUndo
            db.execute(
                "DELETE FROM revisions WHERE draft = ? AND version = ?", (draft_id, last["version"])
            )
            self._put(db, draft_id, last["body"])
            return _draft(self._row(db, draft_id))

    def delete(self, draft_id: str) -> None:
        """Forget a sheet and its picture for good. Raises NoSuchDraft."""
        with self._database.connect() as db:
            self._row(db, draft_id)
            db.execute("DELETE FROM drafts WHERE id = ?", (draft_id,))
        self._delete_pictures([draft_id])

    def picture(self, draft_id: str) -> bytes | None:
        """The picture of a sheet as JPEG, or None when it has none or it is no longer kept.

        Raises NoSuchDraft.
        """
        if not self.get(draft_id).has_picture:  # also keeps made-up names away from the file system
            return None
        try:
            return self._picture_path(draft_id).read_bytes()
        except FileNotFoundError:
            return None

    def keepsake(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value kept under `name`, made by `make` the first time."""
        with self._database.connect() as db:
            row = db.execute("SELECT value FROM keepsakes WHERE name = ?", (name,)).fetchone()
            if row is not None:
                return bytes(row["value"])
            value = make()
            db.execute("INSERT INTO keepsakes (name, value) VALUES (?, ?)", (name, value))
            return value

    def _now(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")

    def _row(self, db: sqlite3.Connection, draft_id: str) -> sqlite3.Row:
        row: sqlite3.Row | None = db.execute(_SELECT + " WHERE d.id = ?", (draft_id,)).fetchone()
        if row is None:
            raise NoSuchDraft
        return row

    def _row_at(self, db: sqlite3.Connection, draft_id: str, seen_version: int) -> sqlite3.Row:
        row = self._row(db, draft_id)
        StaleEdit.check(seen_version, row["version"])
        return row

    def _put(self, db: sqlite3.Connection, draft_id: str, body: str) -> None:
        db.execute(
            "UPDATE drafts SET body = ?, version = version + 1, changed = ? WHERE id = ?",
            (body, self._now(), draft_id),
        )

    def _picture_path(self, draft_id: str) -> Path:
        return self._pictures / f"{draft_id}.jpg"

    def _write_picture(self, draft_id: str, jpeg: bytes) -> None:
        self._pictures.mkdir(exist_ok=True)
        path = self._picture_path(draft_id)
        unfinished = path.with_suffix(".part")
        unfinished.write_bytes(jpeg)
        os.replace(unfinished, path)

    def _prune(self, db: sqlite3.Connection) -> list[str]:
        """Drop the oldest drafts and pictures beyond the limits; give the names of pictures to delete."""
        surplus = db.execute(
            "DELETE FROM drafts WHERE id NOT IN (SELECT id FROM drafts ORDER BY changed DESC, rowid DESC LIMIT ?) "
            "RETURNING id",
            (self._keep.drafts,),
        ).fetchall()
        gone = [row["id"] for row in surplus]
        total = 0
        rows = db.execute("SELECT draft, size FROM pictures ORDER BY added DESC, draft").fetchall()
        for count, row in enumerate(rows, start=1):
            total += row["size"]
            # The newest stays whatever its size: it is the one being looked at.
            if count > 1 and (count > self._keep.pictures or total > self._keep.picture_bytes):
                db.execute("DELETE FROM pictures WHERE draft = ?", (row["draft"],))
                gone.append(row["draft"])
        return gone

    def _delete_pictures(self, draft_ids: list[str]) -> None:
        for draft_id in draft_ids:
            self._picture_path(draft_id).unlink(missing_ok=True)


_SELECT = """
SELECT d.*,
       EXISTS (SELECT 1 FROM pictures p WHERE p.draft = d.id) AS has_picture,
       EXISTS (SELECT 1 FROM revisions r WHERE r.draft = d.id) AS can_undo
FROM drafts d
"""


def _draft(row: sqlite3.Row) -> Draft:
    return Draft(
        id=row["id"],
        version=row["version"],
        created=row["created"],
        changed=row["changed"],
        body=json.loads(row["body"]),
        reading=None if row["reading"] is None else json.loads(row["reading"]),
        has_picture=bool(row["has_picture"]),
        can_undo=bool(row["can_undo"]),
    )


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

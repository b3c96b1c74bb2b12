"""Score sheets in SQLite: versions, undo, limits, and a schema that grows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.store import (
    Database,
    DraftStore,
    KeepConfig,
    NoSuchDraft,
    NothingToUndo,
    StaleEdit,
    StoreError,
)
from companion.store.database import migration_steps


class Clock:
    """A clock that goes on a second with each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> DraftStore:
    return DraftStore(tmp_path, KeepConfig(pictures=3, picture_bytes=1000, undo_steps=2), Clock())


def test_a_draft_is_found_again(store: DraftStore, tmp_path: Path) -> None:
    made = store.create({"a": 1}, {"width": 5}, b"jpeg")
    again = DraftStore(tmp_path).get(made.id)
    assert again == made
    assert (again.version, again.body, again.reading) == (1, {"a": 1}, {"width": 5})
    assert store.picture(made.id) == b"jpeg"


def test_an_update_needs_the_version_it_saw(store: DraftStore) -> None:
    draft = store.create({"a": 1})
    assert store.update(draft.id, 1, {"a": 2}).version == 2
    with pytest.raises(StaleEdit) as stale:
        store.update(draft.id, 1, {"a": 3})
    assert stale.value.status == 409
    assert store.get(draft.id).body == {"a": 2}


def test_undo_takes_back_as_many_steps_as_are_kept(store: DraftStore) -> None:
    draft = store.create({"a": 0})
    for step in (1, 2, 3):
        draft = store.update(draft.id, draft.version, {"a": step})
    bodies = []
    while draft.can_undo:
        draft = store.undo(draft.id, draft.version)
        bodies.append(draft.body["a"])
    assert bodies == [2, 1]
    assert draft.version == 6, "undo is a change too"
    with pytest.raises(NothingToUndo):
        store.undo(draft.id, draft.version)
    with pytest.raises(StaleEdit):
        store.undo(draft.id, 1)


def test_the_newest_pictures_are_kept_within_count_and_room(
    store: DraftStore, tmp_path: Path
) -> None:
    drafts = [store.create({}, None, b"x" * 100) for _ in range(4)]
    kept = [store.get(draft.id).has_picture for draft in drafts]
    assert kept == [False, True, True, True]
    assert store.get(drafts[0].id).body == {}, "the sheet outlives its picture"
    large = store.create({}, None, b"x" * 5000)
    assert store.picture(large.id) == b"x" * 5000, "the one being looked at stays"
    assert [path.stem for path in (tmp_path / "pictures").iterdir()] == [large.id]


def test_the_oldest_drafts_make_room(tmp_path: Path) -> None:
    store = DraftStore(tmp_path, KeepConfig(drafts=2), Clock())
    first, second = store.create({}, None, b"1"), store.create({})
    store.update(first.id, 1, {"touched": True})
    third = store.create({})
    assert [draft.id for draft in store.recent(9)] == [third.id, first.id]
    with pytest.raises(NoSuchDraft):
        store.get(second.id)


def test_a_deleted_draft_takes_its_picture_and_steps_along(
    store: DraftStore, tmp_path: Path
) -> None:
    draft = store.create({}, None, b"1")
    store.update(draft.id, 1, {"a": 1})
    store.delete(draft.id)
    with pytest.raises(NoSuchDraft):
        store.picture(draft.id)
    assert not list((tmp_path / "pictures").iterdir())
    with closing(sqlite3.connect(tmp_path / "gorrion.sqlite3")) as db:
        assert db.execute("SELECT count(*) FROM revisions").fetchone() == (0,)


@pytest.mark.parametrize("name", ["../gorrion", "..%2f", "", "x" * 300])
def test_a_made_up_name_touches_no_file(store: DraftStore, name: str) -> None:
    with pytest.raises(NoSuchDraft):
        store.picture(name)


def test_keepsakes_are_made_once(store: DraftStore) -> None:
    assert store.keepsake("key", lambda: b"one") == b"one"
    assert store.keepsake("key", lambda: b"two") == b"one"


def test_migrations_are_applied_once_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    Database(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(migration_steps()),)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    Database(path)


def test_a_broken_migration_leaves_the_old_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sqlite3"
    Database(path)
    steps = migration_steps()
    broken = (len(steps) + 1, "CREATE TABLE later (a INT);\nCREATE TABLE later (a INT);")
    monkeypatch.setattr("companion.store.database.migration_steps", lambda: [*steps, broken])
    with pytest.raises(StoreError):
        Database(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(steps),)
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'later'").fetchall()


def test_data_of_a_newer_version_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    Database(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError) as refused:
        Database(path)
    assert refused.value.code == "data_too_new"
    assert "99" in str(refused.value)


def test_a_damaged_file_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "gorrion.sqlite3"
    path.write_bytes(b"this is no database, and long enough to be sure of it" * 40)
    with pytest.raises(StoreError) as refused:
        DraftStore(tmp_path)
    assert str(path) in str(refused.value)


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError) as refused:
        DraftStore(tmp_path / "file" / "data")
    assert "--data-dir" in str(refused.value)

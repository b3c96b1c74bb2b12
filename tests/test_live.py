"""The table in play: what is committed stays, everybody is told, and the demo goes on where it was."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from companion import live
from companion.live import Demo, LiveTable, TableHost, demo_table
from companion.rules import load_profile
from companion.simulator.play import play_match
from companion.store.database import StoreError
from companion.store.refusals import StaleLog
from companion.table import events as ev
from companion.text import T

PROFILE = load_profile("hk-old-style")
FAST = 100_000.0
PATIENCE_S = 20.0


def play(table: LiveTable, version: int) -> None:
    """Let the demo play until the table has this version, then stop it."""
    demo = Demo(table, PROFILE, 7, FAST, hands=1)
    demo.start()
    deadline = time.monotonic() + PATIENCE_S
    while table.snapshot().version < version and time.monotonic() < deadline:
        table.wait(table.snapshot().version, 0.5)
    demo.stop()
    assert table.snapshot().version >= version


def script() -> list[ev.Event]:
    return list(play_match(PROFILE, 7, 1))


def timed_script() -> list[ev.Event]:
    """The script as the demo lays it: the first event marked as the demo's own."""
    return [entry.event for entry in live._script(PROFILE, 7, 1)]


def test_the_demo_plays_the_simulated_game_to_its_end(tmp_path: Path) -> None:
    table = demo_table(tmp_path, PROFILE, 7)
    demo = Demo(table, PROFILE, 7, FAST, hands=1)
    demo.start()
    while table.snapshot().state.phase != "over":
        assert table.wait(table.snapshot().version, PATIENCE_S)
    demo.stop()
    assert [entry.event for entry in table.line()][1:] == script()[1:]
    assert table.store.recent(1)[0].over


def test_it_goes_on_at_the_same_event_after_a_restart(tmp_path: Path) -> None:
    table = demo_table(tmp_path, PROFILE, 7)
    play(table, 30)
    before = table.snapshot()
    again = demo_table(tmp_path, PROFILE, 7)
    assert again.snapshot().game == before.game
    assert again.snapshot().state == before.state
    play(again, before.version + 10)
    assert [entry.event for entry in again.line()][1:] == script()[1 : len(again.line())]


def test_what_is_taken_back_is_played_again(tmp_path: Path) -> None:
    table = demo_table(tmp_path, PROFILE, 7)
    play(table, 30)
    before = table.snapshot()
    length = len(table.line())
    after = table.undo(before.version)
    assert len(table.line()) == length - 1
    assert after.version == before.version + 1
    play(table, after.version + 5)
    assert [entry.event for entry in table.line()][1:] == script()[1 : len(table.line())]


def test_a_stale_edit_changes_nothing(tmp_path: Path) -> None:
    table = demo_table(tmp_path, PROFILE, 7)
    play(table, 10)
    version = table.snapshot().version
    with pytest.raises(StaleLog):
        table.undo(version - 1)
    with pytest.raises(StaleLog):
        table.add([ev.Observation("cup")], seen=version - 1)
    assert table.snapshot().version == version


def test_whoever_waits_is_woken(tmp_path: Path) -> None:
    table = LiveTable(tmp_path, PROFILE)
    seen: list[int] = []

    def look() -> None:
        snapshot = table.wait(0, PATIENCE_S)
        seen.append(snapshot.version if snapshot else -1)

    watchers = [threading.Thread(target=look) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    table.add(script()[:1])
    for watcher in watchers:
        watcher.join()
    assert seen == [1, 1, 1]
    assert table.wait(1, 0.01) is None


def test_a_refused_correction_is_not_committed(tmp_path: Path) -> None:
    table = LiveTable(tmp_path, PROFILE)
    table.add(script()[:2])
    with pytest.raises(ev.EventError, match='no event "99"'):
        table.add([ev.Correction("99")])
    assert table.snapshot().version == 2
    assert len(table.store.entries(table.snapshot().game)) == 2


def test_a_win_comes_with_its_score_sheet(tmp_path: Path) -> None:
    table = LiveTable(tmp_path, PROFILE)
    events = script()
    at = next(at for at, event in enumerate(events) if isinstance(event, ev.Win))
    snapshot = table.add(events[: at + 1])
    win = events[at]
    assert isinstance(win, ev.Win)
    assert [sheet.value for sheet in snapshot.sheets] == [win.computed]


def test_the_host_plays_one_demo_at_a_time(tmp_path: Path) -> None:
    host = TableHost(tmp_path)
    first = host.play_demo("hk-old-style", FAST)
    second = host.play_demo("hk-wiki", FAST)
    assert host.table is second is not first
    host.stop()
    version = second.snapshot().version
    assert second.wait(version, 0.1) is None


def test_two_programs_play_one_game_on_without_losing_an_event(tmp_path: Path) -> None:
    one = demo_table(tmp_path, PROFILE, 7)
    one.add(timed_script()[:5])
    other = demo_table(tmp_path, PROFILE, 7)
    assert other.snapshot().game == one.snapshot().game
    demos = [Demo(table, PROFILE, 7, FAST, hands=1) for table in (one, other)]
    for demo in demos:
        demo.start()
    for table in (one, other):
        while table.snapshot().state.phase != "over":
            assert table.wait(table.snapshot().version, PATIENCE_S)
    for demo in demos:
        demo.stop()
    played = [entry.event for entry in one.line()]
    assert played == [entry.event for entry in other.line()]
    assert played[1:] == script()[1:]


def test_an_edit_of_a_game_that_another_program_has_played_on_shows_what_was_played(
    tmp_path: Path,
) -> None:
    table = LiveTable(tmp_path, PROFILE)
    table.add(script()[:3])
    other = LiveTable(tmp_path, PROFILE, table.store.get(table.snapshot().game))
    other.add(script()[3:5])
    with pytest.raises(StaleLog, match="you saw event 3, it is now at 5"):
        table.undo(3)
    assert table.snapshot().state == other.snapshot().state
    assert table.undo(5).version == 6


def test_a_demo_waits_while_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_STORE_PAUSE_S", 0.01)
    table = demo_table(tmp_path, PROFILE, 7)
    refusals = iter(range(3))
    append = table.store.append

    def full(*args: object) -> None:
        if next(refusals, None) is not None:
            raise StoreError(T("the disk is full"), code="store_failed", status=507)
        append(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(table.store, "append", full)
    play(table, 10)
    assert next(refusals, None) is None


def test_whoever_waits_is_sent_away_when_the_table_is_left(tmp_path: Path) -> None:
    table = LiveTable(tmp_path, PROFILE)
    answers: list[object] = []
    watcher = threading.Thread(target=lambda: answers.append(table.wait(0, PATIENCE_S)))
    begun = time.monotonic()
    watcher.start()
    table.leave()
    watcher.join()
    assert answers == [None] and table.is_left
    assert time.monotonic() - begun < PATIENCE_S / 2


def test_a_table_whose_winner_loses_a_meld_is_still_shown(tmp_path: Path) -> None:
    profile = load_profile("spanish-tournament")
    events = list(play_match(profile, 7, 3))
    events = events[: next(i for i, e in enumerate(events) if isinstance(e, ev.Win)) + 1]
    broken = 0
    for at in (i for i, event in enumerate(events, 1) if isinstance(event, ev.Claim)):
        folder = tmp_path / str(at)
        table = LiveTable(folder, profile)
        shown = table.undo(table.add(events).version, str(at))
        broken += sum(not sheet.complete for sheet in shown.sheets)
        assert all(sheet.complete or sheet.why for sheet in shown.sheets)
        again = LiveTable(folder, profile, table.store.recent(1)[0])
        assert again.snapshot().state == shown.state
    assert broken

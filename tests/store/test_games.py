"""Games on disk: nothing that was committed is lost, and nothing half is read."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.rules import load_profile
from companion.simulator.play import play_match, start_state
from companion.store.games import GameStore, ledger_of
from companion.store.refusals import NoSuchGame, StaleLog
from companion.table import events as ev
from companion.table.events import Entry, EventError
from companion.table.fold import fold
from companion.table.log import TableLog, entries_of
from companion.tiles import Tile

KILLS = 50

WRITER = """
import sys
from pathlib import Path
from companion.store.games import GameStore
from companion.table.events import Entry, Observation

store = GameStore(Path(sys.argv[1]))
game = sys.argv[2]
seq = store.get(game).events
while True:
    batch = [Entry(seq + 1, Observation("x" * 2000)), Entry(seq + 2, Observation("y" * 2000))]
    store.append(game, batch)
    seq += 2
    print(seq, flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


@pytest.fixture(scope="module")
def played() -> list[Entry]:
    return entries_of(play_match(load_profile("hk-old-style"), 4, 2))


def new_game(store: GameStore) -> str:
    profile = load_profile("hk-old-style")
    return store.create(profile.id, profile.hash).id


def test_a_game_comes_back_as_it_was(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    for entry in played:
        store.append(game, [entry])
    assert store.entries(game) == played
    assert store.entries(game, after=played[9].seq) == played[10:]
    assert store.get(game).over
    assert store.players(9) == ["Ana", "Beto", "Carla", "Dani"]


def test_fifty_kills_lose_no_committed_event(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    game = new_game(store)
    rng, acknowledged = Random(7), 0
    for _ in range(KILLS):
        command = [sys.executable, "-c", WRITER, str(tmp_path), game]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(rng.randint(1, 12)):
                acknowledged = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            # What it managed to print before it died was committed as well; the last line may be torn.
            rest = writer.stdout.read().split("\n")[:-1]
        acknowledged = max([acknowledged, *map(int, rest)])
        entries = store.entries(game)
        assert len(entries) >= acknowledged
        assert len(entries) % 2 == 0  # a batch is committed whole
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        acknowledged = len(entries)


def test_two_writers_do_not_overwrite_each_other(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    store.append(game, played[:5])
    with pytest.raises(StaleLog, match="you saw event 4, it is now at 5"):
        store.append(game, [Entry(5, ev.Discard(0, Tile("1m")))])
    assert len(store.entries(game)) == 5


def test_a_batch_is_committed_whole_or_not_at_all(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    with pytest.raises(StaleLog):
        store.append(game, [played[0], played[2]])
    assert store.entries(game) == []


def test_the_ledger_follows_the_events(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    state = fold(start_state(load_profile("hk-old-style")), played)
    store.append(game, played, ledger_of(state))
    rows = store.ledger(game)
    assert len(rows) == 4 * len(state.history)
    assert [sum(r.delta for r in rows if r.seat == seat) for seat in range(4)] == [
        sum(record.deltas[seat] for record in state.history) for seat in range(4)
    ]
    assert {r.player for r in rows if r.seat == 2} == {"Carla"}


def test_export_and_import_are_inverses(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    store.append(game, played)
    profile = load_profile("hk-old-style")
    copy = store.import_lines(store.export(game), profile.id, profile.hash)
    assert store.entries(copy.id) == played
    assert list(store.export(copy.id)) == list(store.export(game))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "holds no event"),
        (["{]"], "line 1: this is not JSON"),
        (['{"seq":2,"type":"reach","actor":1}'], "event 1 is missing"),
    ],
)
def test_a_bad_import_leaves_nothing_behind(store: GameStore, lines: list[str], words: str) -> None:
    with pytest.raises(EventError, match=words):
        store.import_lines(lines, "hk-old-style", "")
    assert store.recent(9) == []


def test_a_table_resumes_with_its_corrections(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    start = start_state(load_profile("hk-old-style"))
    log = TableLog(start, played[:40])
    log.append(Entry(41, log.undo(played[30].ref, why="misread")))
    store.append(game, log.entries)
    assert TableLog(start, store.entries(game)).state == log.state


def test_an_unknown_game_is_named(store: GameStore) -> None:
    with pytest.raises(NoSuchGame, match='"nothing"'):
        store.entries("nothing")
    with pytest.raises(NoSuchGame):
        store.append("nothing", [Entry(1, ev.EndGame())])


def test_a_deleted_game_is_gone(store: GameStore, played: list[Entry]) -> None:
    game = new_game(store)
    store.append(game, played)
    store.delete(game)
    assert store.recent(9) == []

"""A table that is being played: its log on disk, its state in memory, and everybody who looks on.

One `LiveTable` is shared by all browsers. Every event goes to disk first and counts only then; whoever
waits for a newer version is woken. The demo plays a simulated game in real time and goes on after a
restart, or a kill, where it was.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.rules import Profile, ScoreSheet, load_profile
from companion.rules.scoring import evaluator_of, score_or_why
from companion.simulator.pace import timed
from companion.simulator.play import play_match, start_state
from companion.store.database import StoreError
from companion.store.games import Game, GameStore, ledger_of
from companion.store.refusals import StaleLog
from companion.table.events import Entry, Event, StartGame
from companion.table.log import TableLog
from companion.table.state import State
from companion.text import GorrionError, T

DEMO_SEED = 7
"""The game that the demo plays."""
RECENT = 40
"""Entries that a snapshot tells of: more than a hand's worth of what anybody wants to take back."""
SPEEDS = (0.25, 100.0)
"""Slower than a quarter nobody waits for; faster than a hundred nobody sees."""
_DEMO = "demo"
_STORE_PAUSE_S = 5.0
"""A full disk is tried again this often: somebody may be making room."""
_logger = logging.getLogger(__name__)


def speed_of(given: str) -> float:
    """A speed of the demo.

    Raises:
        GorrionError: when it is no number, or out of bounds.
    """
    try:
        speed = float(given)
    except ValueError:
        speed = 0.0
    if not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise GorrionError(
            T(
                "the speed is a number from %(least)s to %(most)s, not %(given)s",
                least=SPEEDS[0],
                most=int(SPEEDS[1]),
                given=given[:20],
            ),
            code="bad_speed",
            field="speed",
        )
    return speed


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at one version.

    Attributes:
        game: the game's name.
        version: number of the last entry; an edit says which one it saw.
        state: the table.
        last: the last entry that counts, None at the start.
        profile: the rules.
        sheets: the score sheets of the wins of this hand.
        recent: the last entries that count, oldest first, each with the table before it.
    """

    game: str
    version: int
    state: State
    last: Entry | None
    profile: Profile
    sheets: tuple[ScoreSheet, ...]
    recent: tuple[tuple[Entry, State], ...]


class LiveTable:
    """The table in play. Safe to use from several threads.

    Args:
        folder: the data folder.
        profile: the rules of a new game; a game that goes on keeps its own.
        game: the game to go on with, or None to begin one.

    Raises:
        companion.store.StoreError: when the folder cannot be used.
        companion.store.refusals.NoSuchGame: when there is no such game.
    """

    def __init__(self, folder: Path, profile: Profile, game: Game | None = None) -> None:
        self._store = GameStore(folder)
        self._changed = threading.Condition()
        self._profile = profile
        self._game = game or self._store.create(profile.id, profile.hash)
        self._log = TableLog(start_state(profile), self._store.entries(self._game.id))
        self._left = False

    @property
    def store(self) -> GameStore:
        """The games on disk."""
        return self._store

    @property
    def game(self) -> str:
        """The game's name."""
        return self._game.id

    def snapshot(self) -> Snapshot:
        """The table as it is now."""
        with self._changed:
            return self._snapshot()

    def line(self) -> tuple[Entry, ...]:
        """The entries that count."""
        with self._changed:
            return self._log.line

    def start(self) -> State:
        """The table before the first entry."""
        return self._log.start

    def wait(self, version: int, timeout_s: float) -> Snapshot | None:
        """The first snapshot newer than `version`, or None when none came in time or the table is left."""
        with self._changed:
            self._changed.wait_for(lambda: self._left or self._version() > version, timeout_s)
            return self._snapshot() if self._version() > version else None

    @property
    def is_left(self) -> bool:
        """Whether nobody plays or looks on here any more."""
        return self._left

    def leave(self) -> None:
        """Send everybody away who looks on: another table is shown, or the server stops."""
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def add(self, events: Sequence[Event], seen: int | None = None) -> Snapshot:
        """Commit events and tell everybody.

        Raises:
            StaleLog: when `seen` is not the present version, or another program has added to the game; the table has
                what was added, then.
            companion.table.events.EventError: when a correction refers to nothing.
        """
        with self._changed:
            return self._add(events, seen)

    def undo(self, seen: int, ref: str | None = None) -> Snapshot:
        """Take an event back: the last one, or the one named.

        Raises:
            StaleLog: when `seen` is not the present version.
            companion.table.events.EventError: when there is nothing to take back.
        """
        with self._changed:
            StaleLog.check(seen, self._version())
            return self._add([self._log.undo(ref)], seen)

    def _add(self, events: Sequence[Event], seen: int | None) -> Snapshot:
        if seen is not None:
            StaleLog.check(seen, self._version())
        first = self._version() + 1
        entries = [Entry(seq, event) for seq, event in enumerate(events, first)]
        ahead = self._log.copy()
        ahead.extend(entries)
        try:
            self._store.append(self._game.id, entries, ledger_of(ahead.state))
        except StaleLog:
            self._catch_up()
            raise
        self._log = ahead
        self._changed.notify_all()
        return self._snapshot()

    def _catch_up(self) -> None:
        """Take up what another program has added to the game on disk."""
        self._log.extend(self._store.entries(self._game.id, after=self._version()))
        self._changed.notify_all()

    def _version(self) -> int:
        return self._log.next_seq - 1

    def _snapshot(self) -> Snapshot:
        state = self._log.state
        line = self._log.line
        sheets = tuple(
            score_or_why(won.hand, won.circumstances, self._profile) for won in state.wins
        )
        before = (self._log.start, *self._log.states)[-RECENT - 1 : -1]
        return Snapshot(
            self.game,
            self._version(),
            state,
            line[-1] if line else None,
            self._profile,
            sheets,
            tuple(zip(line[-RECENT:], before, strict=True)),
        )


def demo_table(folder: Path, profile: Profile, seed: int) -> LiveTable:
    """The demo's table: the unfinished demo under the same rules, or a new one."""
    store = GameStore(folder)
    for game in store.recent(limit=50):
        if game.over or game.profile_hash != profile.hash or not game.events:
            continue
        first = store.entries(game.id)[0].event
        if isinstance(first, StartGame) and first.extra.get(_DEMO) == seed:
            return LiveTable(folder, profile, game)
    return LiveTable(folder, profile)


class Demo:
    """Plays a simulated match at a live table, in real time.

    What has been played already is told from the table itself, so that it goes on after a restart; an
    event that somebody takes back is played again.

    Args:
        table: see `demo_table`.
        profile: the rules.
        seed: which game is played.
        speed: times as fast as people play.
        hands: hands of the match.
    """

    def __init__(
        self, table: LiveTable, profile: Profile, seed: int, speed: float = 1.0, hands: int = 16
    ) -> None:
        self._table = table
        self._script: list[Entry] = []
        self._coming = _script(profile, seed, hands)
        self._speed = speed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Play no further; returns when nothing is written any more."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            played = len(self._table.line())
            if not self._is_planned(played) or not self._fits(played):
                return
            before = self._script[played - 1].at_ms or 0 if played else 0
            wait_ms = (self._script[played].at_ms or 0) - before
            if self._stop.wait(wait_ms / 1000 / self._speed):
                return
            if len(self._table.line()) == played:
                self._play(self._script[played].event)

    def _play(self, event: Event) -> None:
        try:
            self._table.add([event])
        except StaleLog:
            pass  # another program plays this game too: the table has its events now
        except StoreError as error:
            _logger.warning("the demo waits: %s", error)
            self._stop.wait(_STORE_PAUSE_S)

    def _is_planned(self, at: int) -> bool:
        """Whether the script has an event at this place; it is written only as far as it is needed."""
        while len(self._script) <= at:
            entry = next(self._coming, None)
            if entry is None:
                return False
            self._script.append(entry)
        return True

    def _fits(self, played: int) -> bool:
        """Whether what lies on the table is the beginning of the script still."""
        line = self._table.line()
        return all(
            entry.event == planned.event
            for entry, planned in zip(line, self._script[:played], strict=True)
        )


def _script(profile: Profile, seed: int, hands: int) -> Iterator[Entry]:
    for entry in timed(play_match(profile, seed, hands), seed):
        if isinstance(entry.event, StartGame):
            begun = entry.event
            marked = StartGame(
                begun.names,
                begun.profile,
                begun.profile_hash,
                begun.scores,
                begun.rounds,
                {_DEMO: seed},
            )
            yield Entry(entry.seq, marked, entry.at_ms)
        else:
            yield entry


class TableHost:
    """The one table that a server shows, and the demo that may be playing at it.

    Args:
        folder: the data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._demo: Demo | None = None
        self.table: LiveTable | None = None

    def play_demo(self, rules: str, speed: float = 1.0, seed: int = DEMO_SEED) -> LiveTable:
        """Play a simulated match: the unfinished one under these rules, or a new one.

        Raises:
            companion.rules.ProfileError: when there are no such rules.
            companion.rules.UnsupportedError: when hands can't be counted by them here.
            companion.rules.flow.FlowError: when they do not say how a game flows.
        """
        profile = load_profile(rules)
        evaluator_of(profile)
        with self._lock:
            self._stop()
            left, self.table = self.table, demo_table(self._folder, profile, seed)
            if left is not None:
                left.leave()
            self._demo = Demo(self.table, profile, seed, speed)
            self._demo.start()
            return self.table

    def stop(self) -> None:
        """Stop playing; the table stays."""
        with self._lock:
            self._stop()

    def close(self) -> None:
        """Send everybody away who looks on, so that a server that stops need not wait for them."""
        if self.table is not None:
            self.table.leave()

    def _stop(self) -> None:
        if self._demo is not None:
            self._demo.stop()
            self._demo = None

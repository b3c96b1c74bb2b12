"""Commands side by side, each in a lane of its own.

What a step says is kept in its log and passed on with its name in front. When one step fails the others are stopped,
and so are all of them on Ctrl-C: hours of training must not go on for nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

GRACE_S = 10.0
"""What is asked to end and hasn't after this long is killed."""


@dataclass(frozen=True)
class Step:
    """One command: the name in front of its lines, its words, and the file that keeps what it says."""

    name: str
    command: tuple[str, ...]
    log: Path


class StepFailed(Exception):
    """A step ended with an exit status other than 0."""

    def __init__(self, step: Step, status: int) -> None:
        super().__init__(f"the stage {step.name} failed (status {status}): see {step.log}")
        self.step = step
        self.status = status


class Lanes:
    """Runs lanes; an object is good for one `run`.

    Args:
        cwd: folder the commands run in.
        begun: told each step as it starts.
        ended: told each step that ended, well or not, and the seconds it took.
    """

    def __init__(
        self,
        cwd: Path,
        begun: Callable[[Step], None] = lambda _step: None,
        ended: Callable[[Step, float], None] = lambda _step, _seconds: None,
    ) -> None:
        self._cwd = cwd
        self._begun = begun
        self._ended = ended
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._running: list[subprocess.Popen[str]] = []
        self._failure: Exception | None = None

    def run(self, steps: Sequence[Step]) -> None:
        """Run all steps to their ends.

        Raises:
            StepFailed: the first step that failed; nothing runs any more.
            KeyboardInterrupt: on Ctrl-C; nothing runs any more.
        """
        threads = [threading.Thread(target=self._follow, args=(step,)) for step in steps]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads) and not self._stop.is_set():
                threads[0].join(0.1) if threads[0].is_alive() else time.sleep(0.1)
        finally:
            self._end_all(threads)
        if self._failure is not None:
            raise self._failure

    def _follow(self, step: Step) -> None:
        try:
            with self._lock:
                if self._stop.is_set():
                    return
                process = self._start(step)
            started = time.monotonic()
            status = self._listen(step, process)
            with self._lock:
                self._running.remove(process)
                self._ended(step, time.monotonic() - started)
                if status and not self._stop.is_set():
                    raise StepFailed(step, status)
        except Exception as error:  # this is a thread: what goes wrong here is for run() to tell
            self._failure = self._failure or error
            self._stop.set()

    def _start(self, step: Step) -> subprocess.Popen[str]:
        self._begun(step)
        process = subprocess.Popen(
            step.command,
            cwd=self._cwd,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # a group of its own, so that a step's own helpers end with it
        )
        self._running.append(process)
        return process

    def _listen(self, step: Step, process: subprocess.Popen[str]) -> int:
        assert process.stdout is not None
        with step.log.open("a", encoding="utf-8") as log, process.stdout as said:
            for line in said:
                log.write(line)
                log.flush()
                print(f"{step.name:<10} {line}", end="", flush=True)
        return process.wait()

    def _end_all(self, threads: Sequence[threading.Thread]) -> None:
        """Ask what still runs to end, and kill it when it doesn't."""
        self._stop.set()
        asked = time.monotonic()
        with self._lock:
            for process in self._running:
                _signal(process, signal.SIGTERM)
        while any(thread.is_alive() for thread in threads):
            if time.monotonic() - asked > GRACE_S:
                with self._lock:
                    for process in self._running:
                        _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
            time.sleep(0.05)


def _signal(process: subprocess.Popen[str], number: int) -> None:
    if sys.platform == "win32":
        process.terminate()
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)

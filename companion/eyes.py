"""The reader of pictures as the server needs it: loaded in the background, used in turn."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.text import GorrionError, T
from vision.seen import Reading


@dataclass(frozen=True, slots=True)
class EyesConfig:
    """How many pictures may wait, and how long."""

    waiting_reads: int = 4  # more would wait longer than anyone does
    wait_s: float = 60.0  # a 24 MP picture takes some seconds on a small board; then give up


class PictureReader(Protocol):
    """What reads a picture, such as `vision.reader.Reader`."""

    def read(self, image_bgr: NDArray[np.uint8], /) -> Reading: ...


class ReaderBusy(GorrionError):
    """Too many pictures are being read already."""

    def __init__(self) -> None:
        super().__init__(
            T("other pictures are being read: try again in a moment"), code="busy", status=503
        )


class LazyReader:
    """A reader that is made by `make` in the background, used by one thread at a time.

    Loading the models takes seconds on a small board; the page must be there before.
    """

    def __init__(self, make: Callable[[], PictureReader], config: EyesConfig | None = None) -> None:
        self._make = make
        self._config = config or EyesConfig()
        self._lock = threading.Lock()
        self._queue = threading.BoundedSemaphore(self._config.waiting_reads)
        self._reader: PictureReader | None = None
        self._failure: GorrionError | None = None

    def warm(self) -> None:
        """Begin to load, in the background."""
        threading.Thread(target=self._load_quietly, name="reader-loader", daemon=True).start()

    @property
    def state(self) -> str:
        """`ready`, `loading`, or `failed`."""
        if self._reader is not None:
            return "ready"
        return "loading" if self._failure is None else "failed"

    @property
    def failure(self) -> GorrionError | None:
        """Why it could not be loaded; tried again with the next picture."""
        return self._failure

    def read(self, image_bgr: NDArray[np.uint8], /) -> Reading:
        """Read a picture, after those that came before it.

        Raises ReaderBusy, and whatever kept the reader from being made.
        """
        with self._turn():
            return self._loaded().read(image_bgr)

    def _load_quietly(self) -> None:
        # What goes wrong is kept in `failure`, and told to whoever sends a picture.
        with self._lock, contextlib.suppress(GorrionError):
            self._loaded()

    def _loaded(self) -> PictureReader:
        if self._reader is None:
            try:
                self._reader = self._make()
                self._failure = None
            except GorrionError as error:
                self._failure = error
                raise
        return self._reader

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._queue.acquire(blocking=False):
            raise ReaderBusy
        try:
            if not self._lock.acquire(timeout=self._config.wait_s):
                raise ReaderBusy
            try:
                yield
            finally:
                self._lock.release()
        finally:
            self._queue.release()

"""Pictures lying open, since reading one costs as much as several crops of it, and what is made ahead of its use."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

_PATIENCE_S = 0.5
"""How often a thread that is ahead looks whether it is still needed."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Numbered(Protocol[T_co]):
    """Numbered pictures that are read when asked for."""

    def __len__(self) -> int: ...

    def load(self, index: int) -> T_co:
        """The picture of that number."""


@dataclass(frozen=True, slots=True)
class Share(Generic[T]):
    """A source and its part of what is drawn.

    Attributes:
        source: the pictures.
        share: relative number of draws.
        opened: pictures held open at a time.
        uses: draws of a picture before it is put back.
    """

    source: Numbered[T]
    share: float
    opened: int = 40
    uses: int = 5


def drawn(shares: Sequence[Share[T]], rng: np.random.Generator) -> Iterator[T]:
    """Pictures of several sources for ever, each source in random order and each picture several times."""
    weights = np.array([each.share for each in shares])
    odds = weights / weights.sum()
    streams = [_stream(each, rng) for each in shares]
    while True:
        yield next(streams[int(rng.choice(len(streams), p=odds))])


def _stream(share: Share[T], rng: np.random.Generator) -> Iterator[T]:
    load: Callable[[int], T] = share.source.load
    order: list[int] = []
    desk: list[tuple[T, int]] = []
    while True:
        # Filled one by one, so that the first batch does not wait for all of them.
        if len(desk) < min(share.opened, len(share.source)):
            if not order:
                order = rng.permutation(len(share.source)).tolist()
            desk.append((load(order.pop()), share.uses))
        picture, left = desk.pop(int(rng.integers(len(desk))))
        if left > 1:
            desk.append((picture, left - 1))
        yield picture


def ahead(things: Iterator[T], depth: int) -> Generator[T, None, None]:
    """The same things in the same order, made by another thread while these are used; an error there is raised here.

    The thread ends with the things, or soon after this iterator is closed or forgotten.

    Args:
        things: used by the thread alone.
        depth: how many may lie ready.
    """
    waiting: queue.Queue[tuple[T] | BaseException | None] = queue.Queue(depth)
    left = threading.Event()

    def put(item: tuple[T] | BaseException | None) -> None:
        while not left.is_set():
            with contextlib.suppress(queue.Full):
                waiting.put(item, timeout=_PATIENCE_S)
                return

    def fill() -> None:
        try:
            for thing in things:
                put((thing,))
                if left.is_set():
                    return
            put(None)
        except BaseException as error:
            put(error)

    threading.Thread(target=fill, daemon=True).start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item[0]
    finally:
        left.set()

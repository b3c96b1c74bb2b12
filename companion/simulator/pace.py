"""When the events of a simulated game happen: the time people take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from companion.table import events as ev


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds from one event to the next; each varies by up to `jitter` of itself.

    Attributes:
        draw: reaching for the wall.
        discard: thinking and laying a tile down.
        claim: calling out and turning the tiles over.
        kong: declaring a kong.
        replacement: fetching a tile from the other end.
        win: laying the hand down.
        settle: counting and paying.
        dora: turning an indicator over; the demo does it together with what it follows.
        rotate: the winds are passed on; then tiles are washed and the walls built.
        deal: washing, building and dealing before a hand.
        jitter: share of itself that each time varies by.
    """

    draw: float = 1.2
    discard: float = 2.2
    claim: float = 1.6
    kong: float = 2.0
    replacement: float = 1.4
    dora: float = 0.0
    win: float = 2.5
    settle: float = 4.0
    rotate: float = 3.0
    deal: float = 6.0
    jitter: float = 0.4

    def of(self, event: ev.Event) -> float:
        """Seconds that pass before an event."""
        if isinstance(event, (ev.StartHand,)):
            return self.deal
        if isinstance(event, ev.Discard):
            return self.discard
        if isinstance(event, ev.Claim):
            return self.claim
        if isinstance(event, (ev.ConcealedKong, ev.AddedKong)):
            return self.kong
        if isinstance(event, (ev.ReplacementDraw, ev.Flower)):
            return self.replacement
        if isinstance(event, (ev.Win, ev.DrawnHand, ev.Penalty)):
            return self.win
        if isinstance(event, ev.Settle):
            return self.settle
        if isinstance(event, (ev.Rotate, ev.EndGame)):
            return self.rotate
        if isinstance(event, ev.Draw):
            return self.draw
        if isinstance(event, ev.Dora):
            return self.dora
        return 0.0


def timed(events: Iterable[ev.Event], seed: int, pace: Pace | None = None) -> Iterator[ev.Entry]:
    """The events as entries, numbered from 1, each with the millisecond it happens at."""
    pace = pace or Pace()
    rng = Random(f"pace {seed}")
    at_s = 0.0
    for seq, event in enumerate(events, 1):
        at_s += pace.of(event) * (1 + pace.jitter * (2 * rng.random() - 1))
        yield ev.Entry(seq, event, at_ms=round(1000 * at_s))

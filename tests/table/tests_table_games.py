"""Games that the table's tests are played with."""

from __future__ import annotations

from functools import lru_cache

from companion.rules import load_profile
from companion.simulator.play import play_match
from companion.table.events import Entry
from companion.table.log import entries_of


@lru_cache(maxsize=32)
def game(profile: str, seed: int, hands: int = 1) -> tuple[Entry, ...]:
    """A simulated game as numbered entries."""
    return tuple(entries_of(play_match(load_profile(profile), seed, hands)))


PROFILES = ("hk-wiki", "hk-old-style", "spanish-tournament", "beginner-points", "riichi")

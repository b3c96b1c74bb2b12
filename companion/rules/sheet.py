"""The explained result of counting a hand, and its JSON (a contract: tools are built on it)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion.catalogue import translate
from companion.rules.decomposition import Reading
from companion.rules.payment import Payments
from companion.rules.profile import Profile, Source
from companion.rules.vocabulary import Names
from companion.text import T
from companion.tiles import KINDS, Tile


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that counts.

    Attributes:
        pattern: its id.
        names: what the profile calls it.
        value: faan or points.
        tiles: the tiles that make it, empty where none do ("no flowers").
        source: document and term.
    """

    pattern: str
    names: Names
    value: int
    tiles: tuple[Tile, ...]
    source: Source

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "pattern": self.pattern,
            "name": self.names.name(lang),
            "names": self.names.to_json(),
            "value": self.value,
            "tiles": [tile.code for tile in self.tiles],
            "source": self.source.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Excluded:
    """Something that is there and yet does not count, with the reason."""

    pattern: str
    names: Names
    because: T

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "pattern": self.pattern,
            "name": self.names.name(lang),
            "names": self.names.to_json(),
            "because": translate(self.because, lang),
        }


@dataclass(frozen=True, slots=True)
class Near:
    """A pattern that the hand just misses: what it would be worth and what is missing."""

    pattern: str
    names: Names
    value: int
    missing: T

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "pattern": self.pattern,
            "name": self.names.name(lang),
            "names": self.names.to_json(),
            "value": self.value,
            "missing": translate(self.missing, lang),
        }


@dataclass(frozen=True)
class ScoreSheet:
    """What a hand is worth under a profile, and why.

    Attributes:
        profile: the rules it was counted by.
        complete: the tiles form a finished hand.
        can_win: it is complete and reaches the profile's minimum.
        values: the totals by unit: ``{"faan": 3}``, ``{"points": 66}``, ``{"han": 3, "fu": 40, ...}``.
        limit: the hand reaches the most that the profile counts.
        lines, excluded: what counts, and what is there but does not.
        payments: who pays whom, or None when nobody does or it takes the other hands to say.
        reading: how the tiles were read, None when they form no hand or the evaluator does not say.
        why: why it is not complete or cannot be called; empty when it can.
        remarks: further sentences about the count, such as the limit it reaches or how its fu add up.
        details: what only one system has, by key, for the JSON; texts are translated.
        find_near: works out `near` when somebody asks.
    """

    profile: Profile
    complete: bool
    can_win: bool
    values: Mapping[str, int | None]
    limit: bool = False
    lines: tuple[Line, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    payments: Payments | None = None
    reading: Reading | None = None
    why: tuple[T, ...] = ()
    remarks: tuple[T, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    find_near: Callable[[], tuple[Near, ...]] | None = None

    @cached_property
    def near(self) -> tuple[Near, ...]:
        """Patterns that the hand just misses."""
        return self.find_near() if self.find_near is not None else ()

    @property
    def value(self) -> int:
        """The first of the totals: faan, points or han; 0 when there is none."""
        return next(iter(self.values.values()), 0) or 0

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        """The object that ``gorrion score --json`` prints, with its texts in `lang`."""
        return {
            "rules": self.profile.id,
            "complete": self.complete,
            "can_win": self.can_win,
            **self.values,
            "limit": self.limit,
            "lines": [line.to_json(lang) for line in self.lines],
            "excluded": [each.to_json(lang) for each in self.excluded],
            "near": [each.to_json(lang) for each in self.near],
            "why": [translate(text, lang) for text in self.why],
            "remarks": [translate(text, lang) for text in self.remarks],
            "reading": reading_json(self.reading),
            "payments": self.payments.to_json(lang) if self.payments else None,
            **{
                key: translate(value, lang) if isinstance(value, T) else value
                for key, value in self.details.items()
            },
            "profile_hash": self.profile.hash,
        }


def reading_json(reading: Reading | None) -> dict[str, Any] | None:
    """A reading as JSON: its form, its sets with their tiles and whether they are open, its pair."""
    if reading is None:
        return None
    blocks = [
        {
            "kind": block.kind,
            "tiles": [KINDS[index].code for index in block.indices],
            "open": block.is_open,
            "laid": block.is_laid,
        }
        for block in reading.blocks
    ]
    pair = [KINDS[reading.pair].code] * 2 if reading.pair >= 0 else None
    return {"form": reading.form, "sets": blocks, "pair": pair}

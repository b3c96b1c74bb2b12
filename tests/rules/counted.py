"""A short way to write a hand, how it was won, and what must count."""

from __future__ import annotations

from typing import Any

from companion.hand import parse_hand
from companion.rules import Circumstances, Profile, ScoreSheet, load_profile, score
from companion.rules.loader import change_profile

Lines = dict[str, int]


def count(
    rules: str | Profile, text: str, win: str, how: str = "discard", **now: Any
) -> ScoreSheet:
    """Score `text` under `rules`; `how` is discard or self-draw."""
    profile = load_profile(rules) if isinstance(rules, str) else rules
    circumstances = Circumstances(by=how, **now)  # type: ignore[arg-type]
    return score(parse_hand(text, win=win), circumstances, profile)


def house(rules: str, **changes: Any) -> Profile:
    """A house profile; ``rules__minimum=1`` stands for the key ``rules.minimum``."""
    named = {key.replace("__", "."): value for key, value in changes.items()}
    return change_profile(load_profile(rules), named)


def lines(sheet: ScoreSheet) -> Lines:
    """Value by pattern, the finds of one pattern added up."""
    found: Lines = {}
    for line in sheet.lines:
        found[line.pattern] = found.get(line.pattern, 0) + line.value
    return found


def because(sheet: ScoreSheet) -> dict[str, str]:
    """Reason by excluded pattern."""
    return {each.pattern: str(each.because) for each in sheet.excluded}


def missing(sheet: ScoreSheet) -> dict[str, str]:
    """What is missing by pattern that was just missed."""
    return {each.pattern: str(each.missing) for each in sheet.near}

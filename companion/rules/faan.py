"""Counting by faan: every pattern that holds, what contains what, the limit, and the best reading.

Of all readings of a hand the best one counts: most faan; among equals most faan before the limit;
among these the first in the order of `companion.rules.decomposition.readings` (most pungs first).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.decomposition import Reading, readings
from companion.rules.near import near_misses
from companion.rules.patterns import REGISTRY, Facts, Finds, Predicate
from companion.rules.payment import pay_faan
from companion.rules.profile import PatternRule, Profile
from companion.rules.refusals import refused, why_unfinished
from companion.rules.sheet import Excluded, Line, Near, ScoreSheet
from companion.rules.vocabulary import PATTERNS
from companion.text import T


@dataclass(frozen=True, slots=True)
class Count:
    """One reading counted.

    Attributes:
        reading: the reading.
        finds: the finds that count, by pattern.
        contained: finds that another pattern contains: (pattern, the pattern that contains it).
        is_limit: a limit hand, to which nothing is added.
        faan: the total, never above the limit.
        uncapped: the sum before the limit.
    """

    reading: Reading
    finds: dict[str, Finds]
    contained: tuple[tuple[str, str], ...]
    is_limit: bool
    faan: int
    uncapped: int


@lru_cache(maxsize=64)
def active_patterns(profile: Profile) -> tuple[tuple[PatternRule, Predicate], ...]:
    """The patterns that the profile counts, with their predicates, in the order lines are listed."""
    return tuple(
        (rule, REGISTRY[name])
        for name in PATTERNS
        if (rule := profile.patterns.get(name)) is not None and rule.is_on and name in REGISTRY
    )


def count_reading(facts: Facts, reading: Reading) -> Count:
    """Every pattern of one reading, less what others contain."""
    profile = facts.profile
    found: dict[str, Finds] = {}
    for rule, predicate in active_patterns(profile):
        finds = predicate(facts, reading)
        if finds:
            found[rule.id] = finds
    limit = profile["rules.limit"]
    if any(profile.patterns[name].is_limit for name in found):
        kept = {name: finds for name, finds in found.items() if profile.patterns[name].is_limit}
        return Count(reading, kept, (), True, limit, limit)
    kept, contained = _without_contained(found, profile)
    total = sum(profile.patterns[name].leaf.value * len(finds) for name, finds in kept.items())
    return Count(reading, kept, contained, False, min(total, limit), total)


def _without_contained(
    found: dict[str, Finds], profile: Profile
) -> tuple[dict[str, Finds], tuple[tuple[str, str], ...]]:
    """ "La específica reemplaza a la general": a find within the tiles of one that contains it goes."""
    kept = dict(found)
    contained = []
    for name, finds in found.items():
        for other in profile.replaced_by[name]:
            for find in finds:
                inside = [each for each in kept.get(other, ()) if set(each) <= set(find)]
                if inside:
                    contained.append((other, name))
                    left = tuple(each for each in kept[other] if each not in inside)
                    kept[other] = left
                    if not left:
                        del kept[other]
    return kept, tuple(contained)


def best_count(facts: Facts) -> Count | None:
    """The best reading of a hand, counted, or None when there is no reading."""
    best = None
    now = facts.circumstances
    for reading in readings(facts.hand, facts.profile.shapes, by_discard=not now.is_self_draw):
        count = count_reading(facts, reading)
        if best is None or (count.faan, count.uncapped) > (best.faan, best.uncapped):
            best = count
    return best


def score_faan(hand: Hand, now: Circumstances, profile: Profile) -> ScoreSheet:
    """Count a hand whose flags are clear; see `companion.rules.scoring.score`."""
    facts = Facts(hand, now, profile)
    count = best_count(facts)
    if count is None:
        return ScoreSheet(
            profile,
            complete=False,
            can_win=False,
            values={"faan": None},
            why=why_unfinished(hand, profile),
        )
    minimum = profile["rules.minimum"]
    can_win = count.faan >= minimum
    return ScoreSheet(
        profile,
        complete=True,
        can_win=can_win,
        values={"faan": count.faan},
        limit=count.is_limit or count.uncapped >= profile["rules.limit"],
        lines=_lines(count, profile),
        excluded=_excluded(facts, count),
        payments=pay_faan(profile, count.faan, now) if can_win else None,
        reading=count.reading,
        why=() if can_win else (_too_little(count, profile),),
        details={"minimum": minimum, "uncapped": count.uncapped},
        find_near=lambda: (*_by_self_draw(facts, can_win), *_near(facts, count)),
    )


def _near(facts: Facts, count: Count) -> tuple[Near, ...]:
    return near_misses(facts, count.reading, frozenset(count.finds), count.faan)


def _by_self_draw(facts: Facts, can_win: bool) -> tuple[Near, ...]:
    """Whether a hand that is too cheap on a discard could be called on a self-draw."""
    rule = facts.profile.patterns.get("self_draw")
    if can_win or facts.circumstances.is_self_draw or rule is None or not rule.is_on:
        return ()
    drawn = best_count(Facts(facts.hand, facts.circumstances.drawn(), facts.profile))
    if drawn is None or drawn.faan < facts.profile["rules.minimum"]:
        return ()
    text = T("drawn from the wall it counts %(faan)s faan and can be called", faan=drawn.faan)
    return (Near(rule.id, rule.names, rule.leaf.value, text),)


def _lines(count: Count, profile: Profile) -> tuple[Line, ...]:
    lines = []
    for name, finds in count.finds.items():
        rule = profile.patterns[name]
        value = profile["rules.limit"] if rule.is_limit else rule.leaf.value
        lines += [Line(name, rule.names, value, tiles, rule.leaf.source) for tiles in finds]
    return tuple(lines)


def _excluded(facts: Facts, count: Count) -> tuple[Excluded, ...]:
    """What is there and does not count: contained in another, beside a limit hand, or refused."""
    patterns = facts.profile.patterns
    gone = [
        Excluded(
            name,
            patterns[name].names,
            T("%(other)s already includes it", other=patterns[container].names),
        )
        for name, container in count.contained
    ]
    if count.is_limit:
        text = T("a limit hand pays the limit and nothing is added to it")
        gone += [
            Excluded(rule.id, rule.names, text)
            for rule, predicate in active_patterns(facts.profile)
            if rule.id not in count.finds and predicate(facts, count.reading)
        ]
    named = {each.pattern for each in gone} | set(count.finds)
    gone += [
        Excluded(name, patterns[name].names, because)
        for name, because in refused(facts, count.reading)
        if name in patterns and patterns[name].is_on and name not in named
    ]
    return tuple(gone)


def _too_little(count: Count, profile: Profile) -> T:
    minimum = profile["rules.minimum"]
    chicken = profile.patterns.get("chicken")
    if count.faan == 0 and chicken is not None:
        return T(
            "0 of %(minimum)s faan (%(name)s): the hand is complete but can't be called",
            minimum=minimum,
            name=chicken.names,
        )
    return T(
        "%(faan)s of %(minimum)s faan: the hand is complete but can't be called",
        faan=count.faan,
        minimum=minimum,
    )

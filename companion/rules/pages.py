"""A profile as a page: what a reader of the rules sees, as JSON in his language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.catalogue import translate
from companion.rules.loader import load_profile
from companion.rules.profile import Leaf, PatternRule, Profile
from companion.rules.schema import SETTINGS
from companion.rules.vocabulary import PATTERNS
from companion.text import T

_STATUS_WORDS = {
    "stated": T("stated"),
    "ambiguous": T("ambiguous"),
    "contradictory": T("contradictory"),
    "missing": T("missing"),
    "reconstructed": T("reconstructed"),
}


def profile_json(profile: Profile, lang: str) -> dict[str, Any]:
    """Everything a profile says, in the reader's language."""
    return {
        "id": profile.id,
        "name": profile.names.name(lang),
        "names": profile.names.to_json(),
        "about": profile.about.name(lang),
        "evaluator": profile.evaluator,
        "document": profile.document,
        "parents": list(profile.parents),
        "profile_hash": profile.hash,
        "patterns": [pattern_json(rule, lang) for rule in patterns_by_value(profile)],
        "settings": [leaf_json(leaf, lang) for leaf in profile.leaves.values()],
        "before_play": [
            leaf_json(leaf, lang) | {"label": label_of(leaf, profile, lang)}
            for leaf in profile.undecided
        ],
    }


def patterns_by_value(profile: Profile) -> list[PatternRule]:
    """The patterns from the cheapest to the limit hands; those of no value last."""
    order = {name: at for at, name in enumerate(PATTERNS)}

    def key(rule: PatternRule) -> tuple[bool, bool, int, int]:
        value = 0 if rule.is_limit else rule.leaf.value
        return (not rule.is_on, rule.is_limit, value, order[rule.id])

    return sorted(profile.patterns.values(), key=key)


def pattern_json(rule: PatternRule, lang: str) -> dict[str, Any]:
    """One pattern of a profile."""
    return {
        "pattern": rule.id,
        "name": rule.names.name(lang),
        "names": rule.names.to_json(),
        "replaces": [other if not when else {other: when} for other, when in rule.replaces],
        **leaf_json(rule.leaf, lang),
    }


def leaf_json(leaf: Leaf, lang: str) -> dict[str, Any]:
    """One value with its story."""
    setting = SETTINGS.get(leaf.key)
    return {
        "key": leaf.key,
        "label": translate(setting.label, lang) if setting else leaf.key,
        "value": leaf.value,
        "value_text": value_text(leaf.key, leaf.value, lang),
        "status": leaf.status,
        "status_name": translate(_STATUS_WORDS[leaf.status], lang),
        "options": list(leaf.options),
        "option_texts": [value_text(leaf.key, option, lang) for option in leaf.options],
        "why": leaf.why.get(lang, leaf.why.get("en", "")),
        "source": leaf.source.to_json(),
    }


def value_text(key: str, value: Any, lang: str) -> str:
    """A value for a reader: yes and no, words in his language, lists without brackets."""
    setting = SETTINGS.get(key)
    if value is None:
        return "-"
    if isinstance(value, bool):
        return translate(T("yes") if value else T("no"), lang)
    if isinstance(value, list):
        words = [value_text(key, each, lang) for each in value]
        return ", ".join(words) or translate(T("none"), lang)
    if isinstance(value, dict):
        return ", ".join(f"{name}: {value_text('', each, lang)}" for name, each in value.items())
    if key.startswith("patterns.") and value == "limit":
        return translate(T("the limit"), lang)
    word = setting.words.get(value) if setting and isinstance(value, str) else None
    return translate(word, lang) if word else str(value)


def label_of(leaf: Leaf, profile: Profile, lang: str) -> str:
    """What a value decides, in words; a pattern's own name for the value of a pattern."""
    section, _, name = leaf.key.partition(".")
    if section == "patterns":
        return profile.patterns[name].names.name(lang)
    setting = SETTINGS.get(leaf.key)
    return translate(setting.label, lang) if setting else leaf.key


@dataclass(frozen=True, slots=True)
class Difference:
    """A value in which two profiles differ; None where one of them has none."""

    key: str
    label: str
    left: Any
    right: Any

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "label": self.label, "left": self.left, "right": self.right}


def differences(left: Profile, right: Profile, lang: str) -> Iterator[Difference]:
    """Every value in which two profiles differ: settings first, then patterns."""
    for key in dict.fromkeys((*left.leaves, *right.leaves)):
        leaves = [profile.leaves.get(key) for profile in (left, right)]
        values = [leaf.value if leaf else None for leaf in leaves]
        if values[0] != values[1]:
            leaf = leaves[0] or leaves[1]
            label = label_of(leaf, left, lang) if leaf else key
            yield Difference(key, label, *values)
    for name in PATTERNS:
        rules = [profile.patterns.get(name) for profile in (left, right)]
        values = [rule.leaf.value if rule else None for rule in rules]
        rule = rules[0] or rules[1]
        if rule is not None and (values[0] or 0) != (values[1] or 0):
            yield Difference(f"patterns.{name}", rule.names.name(lang), *values)


def changes_of(profile: Profile, lang: str) -> list[Difference]:
    """What a house profile changes in the known profile it comes from; empty for a known one."""
    return (
        list(differences(load_profile(profile.parents[-1]), profile, lang))
        if profile.parents
        else []
    )

"""One key of a profile's file: its value with its story, or the error that names what is allowed.

The form of a story is told in `companion.rules.schema`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NoReturn

from companion.rules.profile import Leaf, PatternRule, Source
from companion.rules.schema import (
    ANY_VALUE,
    LEAF_KEYS,
    PATTERN_KEYS,
    PATTERN_VALUE_WORDS,
    SETTINGS,
    STATUSES,
    STORY_FORMS,
    is_pattern_value,
)
from companion.rules.vocabulary import PATTERNS
from companion.text import GorrionError, T

LANGUAGES: Final = ("es", "en", "zh")
"""Languages that names are given in."""


class ProfileError(GorrionError):
    """A profile that cannot be used: the sentence names the file, the key and what is allowed."""


def read_leaf(key: str, value: Any, document: str, file: str) -> Leaf:
    story = _story(value, LEAF_KEYS, key, file)
    setting = SETTINGS.get(key)
    if setting is not None:
        for each in (story["value"], *story.get("options", ())):
            if not setting.accepts(each):
                refuse(file, key, setting.allowed, each)
    return _with_story(key, story["value"], story, document, file)


def _story(value: Any, keys: tuple[str, ...], key: str, file: str) -> Mapping[str, Any]:
    """A value with what goes with it, each of the right form; a bare value is one without a story."""
    story: Mapping[str, Any] = value if isinstance(value, dict) else {"value": value}
    for name, part in story.items():
        if name not in keys:
            refuse(file, f"{key}.{name}", T("only %(keys)s", keys=keys), None)
        accepts, allowed = STORY_FORMS.get(name, ANY_VALUE)
        if not accepts(part):
            refuse(file, key if name == "value" else f"{key}.{name}", allowed, part)
    return story


def _with_story(key: str, value: Any, story: Mapping[str, Any], document: str, file: str) -> Leaf:
    status, why = story.get("status", "stated"), story.get("why", {})
    options = story.get("options", [])
    if status not in STATUSES:
        refuse(file, f"{key}.status", T("one of %(choices)s", choices=STATUSES), status)
    if status != "stated" and not {"es", "en"} <= set(why):
        refuse(file, f"{key}.why", T("the reason in es and en, since it is not stated"), why)
    if status not in {"stated", "missing"} and not options:
        refuse(file, f"{key}.options", T("the possible values, since it is not stated"), options)
    if options and value not in options:
        refuse(file, f"{key}.options", T("a list that holds the value taken"), options)
    source = Source(story.get("document", document), story.get("term", ""))
    return Leaf(key, value, source, status, tuple(options), why)


def read_pattern(
    name: str, value: Any, before: PatternRule | None, document: str, file: str
) -> PatternRule:
    key = f"patterns.{name}"
    if name not in PATTERNS:
        text = T(
            '%(file)s: %(key)s: unknown pattern "%(name)s"; allowed: %(known)s',
            file=file,
            key=key,
            name=name,
            known=tuple(PATTERNS),
        )
        raise ProfileError(text, code="bad_profile", field=key)
    story = _story(value, PATTERN_KEYS, key, file)
    if "value" not in story:
        if before is None:
            refuse(file, f"{key}.value", PATTERN_VALUE_WORDS, None)
        story = {"value": before.leaf.value, **story}
    for each in (story["value"], *story.get("options", ())):
        if not is_pattern_value(each):
            refuse(file, key, PATTERN_VALUE_WORDS, each)
    names = replace(
        before.names if before else PATTERNS[name],
        **{lang: story[lang] for lang in LANGUAGES if lang in story},
    )
    if before and "term" not in story:
        story = {"term": before.leaf.source.term, **story}
    leaf = _with_story(key, story["value"], story, document, file)
    return PatternRule(name, leaf, names, _replaces(key, story, before, file))


def _replaces(
    key: str, story: Mapping[str, Any], before: PatternRule | None, file: str
) -> tuple[tuple[str, str], ...]:
    if "replaces" not in story and "replaces_when" not in story:
        return before.replaces if before else ()
    found = [(other, "") for other in story.get("replaces", ())]
    for switch, others in story.get("replaces_when", {}).items():
        setting = SETTINGS.get(f"rules.{switch}")
        if setting is None or setting.choices != (True, False):
            refuse(file, f"{key}.replaces_when", T("switches of the table rules"), switch)
        found += [(other, switch) for other in others]
    for other, _ in found:
        if other not in PATTERNS:
            refuse(file, f"{key}.replaces", T("only %(keys)s", keys=tuple(PATTERNS)), other)
    return tuple(found)


def refuse(file: str, key: str, allowed: T, given: Any) -> NoReturn:
    """Raise the error that every wrong key or value gets."""
    if given is None:
        text = T(
            "%(file)s: %(key)s is not known or is missing; allowed: %(allowed)s",
            file=file,
            key=key,
            allowed=allowed,
        )
    else:
        text = T(
            "%(file)s: %(key)s can't be %(given)s; allowed: %(allowed)s",
            file=file,
            key=key,
            given=json.dumps(given, ensure_ascii=False, default=str),
            allowed=allowed,
        )
    raise ProfileError(text, code="bad_profile", field=key)

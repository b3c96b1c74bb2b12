"""`gorrion rules`: read, compare and check the systems of rules."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from gettext import gettext as _
from itertools import groupby
from typing import Any

from companion.catalogue import translate
from companion.commands.options import add_json
from companion.rules.flow import flow_of
from companion.rules.loader import list_profiles, load_profile
from companion.rules.pages import (
    Difference,
    changes_of,
    differences,
    patterns_by_value,
    profile_json,
    value_text,
)
from companion.rules.profile import PatternRule, Profile
from companion.rules.schema import PATTERN_VALUE_WORDS, SETTINGS
from companion.rules.vocabulary import PATTERNS
from companion.text import T

_SECTIONS = {
    "rules": T("How hands are counted"),
    "points": T("Points of a set, visible and hidden"),
    "payment": T("Who pays whom"),
    "penalties": T("What mistakes cost"),
    "riichi": T("What belongs to the Japanese game"),
    "yaku": T("Yaku"),
    "fan": T("Fan"),
    "flow": T("How the game goes"),
}
"""Headings of the tables of settings, in the order of the page."""
_OF_NO_VALUE = T("Not counted")
_LIMIT_HANDS = T("Limit hands")


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `gorrion rules`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "rules",
        help=_("read, compare and check the systems of rules"),
        description=_("Read, compare and check the systems of rules."),
    )
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"), required=True)
    listed = actions.add_parser("list", help=_("the systems there are"))
    shown = actions.add_parser("show", help=_("one system as a page"))
    shown.add_argument("id", metavar=_("ID"), help=_("a known id or a TOML file"))
    compared = actions.add_parser("diff", help=_("in what two systems differ"))
    compared.add_argument("left", metavar=_("A"), help=_("a known id or a TOML file"))
    compared.add_argument("right", metavar=_("B"), help=_("a known id or a TOML file"))
    checked = actions.add_parser("check", help=_("whether a file of house rules is right"))
    checked.add_argument("file", metavar=_("FILE"), help=_("a TOML file"))
    keyed = actions.add_parser("keys", help=_("what a file of house rules may change"))
    for each in (listed, shown, compared, checked, keyed):
        add_json(each)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do the action that was asked for."""
    actions = {"list": _list, "show": _show, "diff": _diff, "check": _check, "keys": _keys}
    actions[args.action](args)
    return 0


def _list(args: argparse.Namespace) -> None:
    profiles = [load_profile(name) for name in list_profiles()]
    if args.json:
        print(
            json.dumps(
                [
                    {
                        "id": profile.id,
                        "name": profile.names.name(args.lang),
                        "about": profile.about.name(args.lang),
                        "document": profile.document,
                        "undecided": len(profile.undecided),
                        "profile_hash": profile.hash,
                    }
                    for profile in profiles
                ],
                ensure_ascii=False,
            )
        )
        return
    for profile in profiles:
        print(f"{profile.id:<20} {profile.hash}  {profile.names.name(args.lang)}")
        print(f"{'':<20} {profile.about.name(args.lang)}")


def _show(args: argparse.Namespace) -> None:
    profile = load_profile(args.id)
    if args.json:
        print(json.dumps(profile_json(profile, args.lang), ensure_ascii=False))
        return
    for line in page(profile, args.lang):
        print(line)


def _diff(args: argparse.Namespace) -> None:
    left, right = load_profile(args.left), load_profile(args.right)
    found = list(differences(left, right, args.lang))
    if args.json:
        print(json.dumps([each.to_json() for each in found], ensure_ascii=False))
        return
    print(f"{left.id} -> {right.id}")
    for line in _differences(found, args.lang):
        print(line)
    if not found:
        print(translate(T("They are the same."), args.lang))


def _check(args: argparse.Namespace) -> None:
    profile = load_profile(args.file)
    if profile.flow_data:
        flow_of(profile)
    changes = changes_of(profile, args.lang)
    if args.json:
        answer = {
            "id": profile.id,
            "parents": list(profile.parents),
            "profile_hash": profile.hash,
            "changes": [each.to_json() for each in changes],
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    text = T(
        "%(file)s is right: %(id)s, hash %(hash)s", file=args.file, id=profile.id, hash=profile.hash
    )
    print(translate(text, args.lang))
    for line in _differences(changes, args.lang):
        print(line)


def _keys(args: argparse.Namespace) -> None:
    known = [
        {
            "key": key,
            "label": translate(setting.label, args.lang),
            "allowed": translate(setting.allowed, args.lang),
        }
        for key, setting in SETTINGS.items()
    ]
    known += [
        {
            "key": f"patterns.{name}",
            "label": names.name(args.lang),
            "allowed": translate(PATTERN_VALUE_WORDS, args.lang),
        }
        for name, names in PATTERNS.items()
    ]
    if args.json:
        print(json.dumps(known, ensure_ascii=False))
        return
    for each in known:
        print(each["key"])
        print(f"    {each['label']}: {each['allowed']}")


def page(profile: Profile, lang: str) -> Iterator[str]:
    """A profile for a reader, line by line."""
    names = profile.names
    yield f"{names.name(lang)} {names.zh}".strip()
    yield profile.about.name(lang)
    text = T(
        "%(id)s, document %(document)s, hash %(hash)s",
        id=profile.id,
        document=profile.document,
        hash=profile.hash,
    )
    yield translate(text, lang)
    if profile.parents:
        yield translate(T("Changes %(parents)s", parents=profile.parents), lang)
    for heading, group in groupby(patterns_by_value(profile), key=_heading):
        yield ""
        yield _heading_text(heading, lang)
        for rule in group:
            yield from _pattern(rule, lang)
    seen = profile_json(profile, lang)
    sections = [leaf["key"].partition(".")[0] for leaf in seen["settings"]]
    for section in dict.fromkeys((*_SECTIONS, *sections)):
        leaves = [leaf for leaf in seen["settings"] if leaf["key"].startswith(f"{section}.")]
        if leaves:
            yield ""
            yield translate(_SECTIONS[section], lang) if section in _SECTIONS else section
        for leaf in leaves:
            yield f"  {leaf['label']}: {leaf['value_text']}"
            if leaf["source"]["term"]:
                yield f"      {leaf['source']['document']}: «{leaf['source']['term']}»"
    if seen["before_play"]:
        yield ""
        yield translate(T("Before you play"), lang)
    for leaf in seen["before_play"]:
        yield f"  {leaf['label']}: {leaf['value_text']} ({leaf['status_name']})"
        if leaf["options"]:
            options = " | ".join(leaf["option_texts"])
            choice = translate(T("choose: %(options)s", options=options), lang)
            yield f"      {choice}"
        yield f"      {leaf['why']}"


def _heading(rule: PatternRule) -> int | str:
    value: int | str = rule.leaf.value
    return value


def _heading_text(value: int | str, lang: str) -> str:
    if value == "limit":
        return translate(_LIMIT_HANDS, lang)
    return translate(_OF_NO_VALUE if value == 0 else T("%(value)s faan", value=value), lang)


def _pattern(rule: PatternRule, lang: str) -> Iterator[str]:
    yield f"  {rule.names.zh} {rule.names.name(lang)}".rstrip()
    if rule.leaf.source.term:
        yield f"      {rule.leaf.source.document}: «{rule.leaf.source.term}»"


def _differences(found: list[Difference], lang: str) -> Iterator[str]:
    for each in found:
        left, right = (value_text(each.key, value, lang) for value in (each.left, each.right))
        yield f"  {each.label}: {left} -> {right}"

"""`/rules`: the rule systems, what counts in them, and what the table must settle before it plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.catalogue import translate
from companion.rules import Profile, list_profiles, load_profile
from companion.rules.profile import Leaf
from companion.rules.schema import SETTINGS
from companion.rules.vocabulary import PATTERNS
from companion.text import GorrionError, T
from companion.web.language import current_lang, say

blueprint = Blueprint("rules", __name__)

DEFAULT = "hk-old-style"

_STATUS_WORDS = {
    "ambiguous": T("the document can be read both ways"),
    "contradictory": T("the document contradicts itself"),
    "missing": T("the document does not say"),
    "reconstructed": T("worked out from the text; the document's own table is lost"),
}
_VALUE_WORDS: Mapping[Any, T] = {
    True: T("yes"),
    False: T("no"),
    "limit": T("limit"),
    "win": T("only to win"),
    "none": T("nobody"),
    "any": T("any"),
    "pure": T("only the ninefold wait"),
    "suit": T("of the suit"),
    "pung": T("pung"),
    "kong": T("kong"),
    "standard": T("four sets and a pair"),
    "seven_pairs": T("seven pairs"),
    "thirteen_orphans": T("thirteen orphans"),
    "faan_table": T("by the table of faan"),
    "differences": T("differences"),
}


@blueprint.get("/rules")
def page() -> str:
    """The page of one system, the others a tap away."""
    return render_template("rules.html", systems=_systems(), rules=_view(_asked()))


@blueprint.get("/rules.json")
def page_json() -> Response:
    """Its twin."""
    return jsonify({"systems": _systems(), "rules": _view(_asked())})


def _asked() -> Profile:
    known = list_profiles()
    name = request.args.get("id") or (DEFAULT if DEFAULT in known else known[0])
    if name not in known:
        text = T('there are no rules "%(given)s": use one of %(known)s', given=name, known=known)
        raise GorrionError(text, code="unknown_rules", field="id", status=404)
    return load_profile(name)


def _systems() -> list[dict[str, str]]:
    profiles = map(load_profile, list_profiles())
    return [{"id": each.id, "name": each.names.name(current_lang())} for each in profiles]


def _view(profile: Profile) -> dict[str, Any]:
    lang = current_lang()
    return {
        "id": profile.id,
        "hash": profile.hash,
        "name": profile.names.name(lang),
        "zh": profile.names.name("zh"),
        "about": profile.about.name(lang),
        "document": profile.document,
        "undecided": [_undecided(profile, leaf) for leaf in profile.undecided],
        "patterns": [
            {
                "id": rule.id,
                "name": rule.names.name(lang),
                "zh": rule.names.name("zh"),
                "value": rule.leaf.value,
                "words": _words(rule.leaf.value),
                "term": rule.leaf.source.term,
            }
            for name in PATTERNS
            if (rule := profile.patterns.get(name)) is not None
            and (rule.is_on or name == "chicken")
        ],
        "settings": [
            {
                "key": leaf.key,
                "label": _label(profile, leaf),
                "value": leaf.value,
                "words": _words(leaf.value),
                "term": leaf.source.term,
            }
            for leaf in profile.leaves.values()
            if leaf.key in SETTINGS
        ],
    }


def _undecided(profile: Profile, leaf: Leaf) -> dict[str, Any]:
    return {
        "key": leaf.key,
        "label": _label(profile, leaf),
        "value": leaf.value,
        "words": _words(leaf.value),
        "others": [_words(option) for option in leaf.options if option != leaf.value],
        "status": leaf.status,
        "status_words": say(_STATUS_WORDS[leaf.status]),
        "why": leaf.why.get(current_lang(), ""),
        "term": leaf.source.term,
    }


def _label(profile: Profile, leaf: Leaf) -> str:
    if leaf.key in SETTINGS:
        return translate(SETTINGS[leaf.key].label, current_lang())
    rule = next((rule for rule in profile.patterns.values() if rule.leaf is leaf), None)
    return leaf.key if rule is None else rule.names.name(current_lang())


def _words(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_words, value))
    if isinstance(value, (bool, str)) and value in _VALUE_WORDS:
        return translate(_VALUE_WORDS[value], current_lang())
    return str(value)

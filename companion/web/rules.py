"""`/rules`: the rule systems, what counts in them, and what the table must settle before it plays."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.rules import Profile, list_profiles, load_profile
from companion.rules.profile import Leaf
from companion.rules.schema import SETTINGS
from companion.rules.vocabulary import PATTERNS
from companion.text import GorrionError, T
from companion.web.language import current_lang, say
from companion.web.rule_words import STATUS_WORDS, label_of, value_words

blueprint = Blueprint("rules", __name__)

DEFAULT = "hk-old-style"


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
                "words": value_words(rule.id, rule.leaf.value, lang),
                "term": rule.leaf.source.term,
            }
            for name in PATTERNS
            if (rule := profile.patterns.get(name)) is not None
            and (rule.is_on or name == "chicken")
        ],
        "settings": [
            {
                "key": leaf.key,
                "label": label_of(profile, leaf, lang),
                "value": leaf.value,
                "words": value_words(leaf.key, leaf.value, lang),
                "term": leaf.source.term,
            }
            for leaf in profile.leaves.values()
            if leaf.key in SETTINGS
        ],
    }


def _undecided(profile: Profile, leaf: Leaf) -> dict[str, Any]:
    lang = current_lang()
    return {
        "key": leaf.key,
        "label": label_of(profile, leaf, lang),
        "value": leaf.value,
        "words": value_words(leaf.key, leaf.value, lang),
        "others": [
            value_words(leaf.key, option, lang) for option in leaf.options if option != leaf.value
        ],
        "status": leaf.status,
        "status_words": say(STATUS_WORDS[leaf.status]),
        "why": leaf.why.get(lang, ""),
        "term": leaf.source.term,
    }

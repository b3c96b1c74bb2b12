"""`/rules`: the rule systems, what counts in them, and what the table must settle before it plays."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.catalogue import translate
from companion.rules import DEFAULT_RULES, Profile, list_profiles, load_profile
from companion.rules.pages import profile_json
from companion.text import GorrionError, T
from companion.web.language import current_lang
from companion.web.rule_words import STATUS_WORDS, flow_words

blueprint = Blueprint("rules", __name__)


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
    name = request.args.get("id") or DEFAULT_RULES
    if name not in known:
        text = T('there are no rules "%(given)s": use one of %(known)s', given=name, known=known)
        raise GorrionError(text, code="unknown_rules", field="id", status=404)
    return load_profile(name)


def _systems() -> list[dict[str, str]]:
    profiles = map(load_profile, list_profiles())
    return [{"id": each.id, "name": each.names.name(current_lang())} for each in profiles]


def _view(profile: Profile) -> dict[str, Any]:
    """The profile as `companion.rules.pages` tells it, with the flow of the game in words too."""
    lang = current_lang()
    view = profile_json(profile, lang)
    leaves = [*view["settings"], *view["before_play"], *view["patterns"]]
    for leaf in leaves:
        if leaf["key"].startswith("flow."):
            leaf.update(flow_words(leaf["key"], leaf["value"], leaf["options"], lang))
        if leaf["status"] in STATUS_WORDS:
            leaf["status_sentence"] = translate(STATUS_WORDS[leaf["status"]], lang)
        leaf["others"] = [
            words
            for option, words in zip(leaf["options"], leaf["option_texts"], strict=True)
            if option != leaf["value"]
        ]
    return view

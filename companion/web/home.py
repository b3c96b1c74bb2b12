"""`/`: what shall we do?"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template, url_for

from companion.text import T
from companion.web.language import say
from companion.web.score import recent_sheets

blueprint = Blueprint("home", __name__)


def _jobs() -> list[dict[str, Any]]:
    """The three jobs; `url` is None for one that is not built yet."""
    return [
        {
            "id": "score",
            "title": say(T("Score a hand")).rstrip("."),
            "about": say(
                T(
                    "lay the winning hand down, take a picture, and read what it is worth line by line"
                )
            ),
            "url": url_for("score.start"),
        },
        {
            "id": "follow",
            "title": say(T("Follow the table")).rstrip("."),
            "about": say(T("a camera over the table keeps the wall, the turns and the discards")),
            "url": url_for("table.page"),
        },
        {
            "id": "teach",
            "title": say(T("Learn")).rstrip("."),
            "about": say(T("what a hand waits for, what to discard, and why")),
            "url": None,
        },
    ]


@blueprint.get("/")
def index() -> str:
    """The page."""
    return render_template("home.html", jobs=_jobs(), recent=recent_sheets())


@blueprint.get("/index.json")
def index_json() -> Response:
    """Its twin."""
    return jsonify({"jobs": _jobs(), "recent": recent_sheets()})

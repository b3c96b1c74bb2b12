"""`/settings`: language, tile digits, and what the server was started with."""

from __future__ import annotations

from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
)

from companion.catalogue import LANGS, translate
from companion.settings import SETTINGS, Settings
from companion.text import T
from companion.web.language import COOKIE, COOKIE_SECONDS, current_lang, say
from companion.web.security import is_player

blueprint = Blueprint("settings", __name__)

DIGITS_COOKIE = "digits"


def shows_digits() -> bool:
    """Whether tiles carry a corner digit or letter for those who do not read the characters yet."""
    return request.cookies.get(DIGITS_COOKIE, "on") != "off"


def _values() -> list[dict[str, Any]]:
    """What the server was started with; folders of this machine are no business of a watcher."""
    if not is_player():
        return []
    settings: Settings = current_app.extensions["gorrion_settings"]
    shown = {entry.name: getattr(settings, entry.name) for entry in SETTINGS}
    shown["data_dir"] = str(settings.folder)
    shown |= {
        # The page shows what the flag says: --no-browser is "yes" where the browser stays shut.
        entry.name: not shown[entry.name]
        for entry in SETTINGS
        if entry.default is True
    }
    return [
        {
            "name": entry.name,
            "flag": entry.flag,
            "value": shown[entry.name],
            "words": _words(shown[entry.name]),
            "about": say(entry.about),
        }
        for entry in SETTINGS
    ]


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return translate(T("yes") if value else T("no"), current_lang())
    return "—" if value is None else str(value)


@blueprint.app_context_processor
def tile_digits() -> dict[str, Any]:
    """Every template may ask `digits`."""
    return {"digits": shows_digits()}


@blueprint.get("/settings")
def page() -> str:
    """The page."""
    return render_template("settings.html", values=_values())


@blueprint.get("/settings.json")
def page_json() -> Response:
    """Its twin."""
    return jsonify({"lang": current_lang(), "digits": shows_digits(), "started_with": _values()})


@blueprint.post("/settings")
def save() -> Response:
    """Remember the reader's choices in cookies of this browser, and go back to where he was."""
    response = make_response(redirect(_back_to(request.form.get("next", "")), code=303))
    lang, digits = request.form.get("lang"), request.form.get("digits")
    if lang in LANGS:
        response.set_cookie(COOKIE, lang, max_age=COOKIE_SECONDS, samesite="Lax", httponly=True)
    if digits in ("on", "off"):
        response.set_cookie(
            DIGITS_COOKIE, digits, max_age=COOKIE_SECONDS, samesite="Lax", httponly=True
        )
    return response


def _back_to(path: str) -> str:
    """`path` if it lies on this site, else the settings page."""
    # Browsers drop tabs and read a backslash as a stroke: "/\t\\elsewhere" would lead away from here.
    odd = any(character < " " or character == "\\" for character in path)
    return path if path.startswith("/") and not path.startswith("//") and not odd else "/settings"

"""Which language this reader gets: the one chosen here before, else the browser's, else Spanish."""

from __future__ import annotations

from flask import Flask, g, request
from flask_babel import Babel

from companion.catalogue import LANGS, TRANSLATIONS, translate
from companion.text import Text

COOKIE = "lang"
COOKIE_SECONDS = 365 * 24 * 3600


def current_lang() -> str:
    """The language of the present request: `?lang=`, then the cookie, then Accept-Language."""
    lang: str | None = g.get("lang")
    if lang is None:
        asked = (request.args.get("lang"), request.cookies.get(COOKIE))
        lang = next((each for each in asked if each in LANGS), None)
        g.lang = lang = lang or request.accept_languages.best_match(LANGS) or LANGS[0]
    return lang


def say(text: Text) -> str:
    """`text` in the reader's language, as a sentence: capital first, a full stop at the end."""
    words = translate(text, current_lang())
    # A Spanish question opens with a sign of its own: the capital comes after it.
    start = len(words) - len(words.lstrip('¿¡«"“'))
    words = words[:start] + words[start : start + 1].upper() + words[start + 1 :]
    return words if words.endswith((".", "!", "?", "…", ":")) else f"{words}."


def use_languages(app: Flask) -> None:
    """Give the templates `_()` over the one catalogue, and answers the header of their language."""
    Babel(
        app,
        locale_selector=current_lang,
        default_translation_directories=str(TRANSLATIONS),
        default_locale="en",  # the sentences in the code are English
    )
    app.jinja_env.globals.update(lang=current_lang, say=say)

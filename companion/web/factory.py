"""The application factory."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

from flask import Flask
from flask.json.provider import DefaultJSONProvider
from markupsafe import Markup

from companion.app import Companion
from companion.eyes import PictureReader
from companion.live import TableHost
from companion.settings import MEGABYTE, Settings
from companion.store import KeepConfig
from companion.web import home, pin, rules, score, settings_page, table
from companion.web.errors import catch_errors
from companion.web.language import use_languages
from companion.web.security import PinGate, allowed_hosts, guard, is_player
from companion.web.words import page_data

FORM_OVERHEAD_BYTES = 64 * 1024
"""What a form adds around the picture it carries."""

TILE_CACHE_S = 24 * 3600
"""Tile drawings change with releases only; scripts and styles are asked for each time (ETag)."""


def create_app(
    settings: Settings,
    make_reader: Callable[[], PictureReader] | None = None,
    pin_code: str | None = None,
) -> Flask:
    """The page for `settings`.

    `make_reader` makes what reads pictures (default: the packaged models) and is called in the
    background, so that the page is there at once. `pin_code` lets browsers of the network in;
    without one they only watch.

    Raises companion.store.StoreError when the data folder cannot be used.
    """
    app = Flask(__name__)
    companion = Companion(
        settings.folder,
        make_reader or _packaged_reader,
        KeepConfig(pictures=settings.keep_pictures, picture_bytes=settings.keep_mb * MEGABYTE),
    )
    app.config.update(
        SECRET_KEY=companion.store.keepsake("cookie_key", lambda: secrets.token_bytes(32)),
        MAX_CONTENT_LENGTH=settings.max_upload_mb * MEGABYTE + FORM_OVERHEAD_BYTES,
        MAX_FORM_MEMORY_SIZE=FORM_OVERHEAD_BYTES,
        SESSION_COOKIE_NAME="gorrion",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
    )
    app.json = _Json(app)
    app.extensions["gorrion"] = companion
    app.extensions["gorrion_settings"] = settings
    app.extensions["gorrion_table"] = TableHost(settings.folder)
    app.jinja_env.globals.update(is_player=is_player, page_data=page_data)
    app.jinja_env.filters["data"] = _as_data
    app.get_send_file_max_age = _cache_seconds  # type: ignore[method-assign]
    use_languages(app)
    catch_errors(app, settings.max_upload_mb)
    guard(app, allowed_hosts(settings.host, settings.lan), PinGate(pin_code))
    for module in (home, score, table, rules, settings_page, pin):
        app.register_blueprint(module.blueprint)
    companion.reader.warm()
    return app


class _Json(DefaultJSONProvider):
    """JSON as people read it; what is nested too deep to be read, or can't be written again, is no JSON."""

    ensure_ascii = False
    sort_keys = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        try:
            value = super().loads(s, **kwargs)
        except RecursionError as error:
            raise ValueError("nested too deep") from error
        # Half a surrogate pair is a text that can't be written anywhere, not even into an answer.
        json.dumps(value, ensure_ascii=False).encode()
        return value


def _packaged_reader() -> PictureReader:
    # onnxruntime takes most of a second to import: only the loading thread pays for it.
    from vision.reader import Reader

    return Reader()


def _cache_seconds(filename: str | None) -> int | None:
    return TILE_CACHE_S if filename and filename.startswith("tiles/") else None


def _as_data(value: Any) -> Markup:
    """JSON that is safe inside a `<script type="application/json">` element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))

"""`/table`: the game as it is played, pushed to every browser that looks on."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    stream_with_context,
    url_for,
)

from companion.app import known_rules
from companion.live import LiveTable, TableHost, speed_of
from companion.rules import DEFAULT_RULES, Profile, list_profiles, load_profile
from companion.rules.scoring import evaluator_of
from companion.text import GorrionError, T
from companion.web.changes import asked_change
from companion.web.errors import wants_json
from companion.web.language import current_lang
from companion.web.table_view import table_view

blueprint = Blueprint("table", __name__)

STREAMS: Final = 12
"""Browsers that are pushed to at once; each holds a thread of the server. The next ones ask by themselves."""
HEARTBEAT_S: Final = 15.0
"""A comment this often tells proxies and phones that the stream lives, and us that a browser is gone."""

_streams = threading.BoundedSemaphore(STREAMS)


def host() -> TableHost:
    """The table behind this application."""
    found: TableHost = current_app.extensions["gorrion_table"]
    return found


class NoTable(GorrionError):
    """Nobody is playing."""

    def __init__(self) -> None:
        super().__init__(
            T("no game is being played: start the demo on this page"),
            code="no_game",
            field="table",
            status=404,
        )


@blueprint.get("/table")
def page() -> str:
    """The page; it draws itself from the same JSON that its twin gives."""
    table = host().table
    if table is None:
        return render_template("table_start.html", systems=_systems())
    return render_template("table.html", view=table_view(table.snapshot()))


@blueprint.get("/table.json")
def twin() -> Response:
    """Its twin."""
    return jsonify(table_view(_table().snapshot()))


@blueprint.get("/table/stream")
def stream() -> Response:
    """Server-Sent Events: the whole table at each version, first the present one.

    A browser that comes back says in `Last-Event-ID` what it has seen. Past `STREAMS` the answer is 503:
    the page then asks for `/table.json` from time to time.
    """
    table = _table()
    version = _seen_version(table.game)
    if not _streams.acquire(blocking=False):
        raise GorrionError(
            T(
                "%(count)s browsers are watching already: this one asks for news by itself",
                count=STREAMS,
            ),
            code="too_many_streams",
            field="table",
            status=503,
        )
    response = Response(stream_with_context(_push(table, version)), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    # Not at the end of `_push`: whoever asks for the headers alone, or is gone at once, never begins it.
    response.call_on_close(_streams.release)
    return response


def _seen_version(game: str) -> int:
    """The version of this game that the browser says it has; -1 where it says none that there can be.

    It says the game and the version, with a dot between them: another game may have been played when it looked last.
    """
    seen = request.headers.get("Last-Event-ID") or request.args.get("seen") or ""
    seen_game, _, version = seen.rpartition(".")
    return int(version) if seen_game == game and re.fullmatch("[0-9]{1,18}", version) else -1


def _push(table: LiveTable, version: int) -> Iterator[str]:
    yield "retry: 1000\n\n"
    # A browser whose stream ends comes back after a second, and is shown the table that is played at then.
    while not table.is_left:
        snapshot = table.wait(version, HEARTBEAT_S)
        if snapshot is None:
            yield ": still here\n\n"
            continue
        version = snapshot.version
        body = json.dumps(table_view(snapshot), ensure_ascii=False, separators=(",", ":"))
        yield f"id: {snapshot.game}.{version}\ndata: {body}\n\n"


@blueprint.post("/table.json")
def change() -> Response:
    """Make the change `edit` on the version `version` that the page saw; 409 if that is not the present one.

    `{"do": "undo"}` takes the last event back, `{"do": "undo", "event": ref}` the one named.
    """
    version, edit = asked_change(
        T('a change needs "version" (the number the page saw) and "edit": {"do": "undo"}'),
        only="undo",
    )
    ref = edit.get("event")
    snapshot = _table().undo(version, None if ref is None else str(ref))
    return jsonify(table_view(snapshot))


@blueprint.post("/table/demo")
def demo() -> Response:
    """Play the demo: `rules` names the system, `speed` how many times as fast as people play."""
    asked: Any = request.get_json() if request.is_json else request.form
    asked = asked if isinstance(asked, Mapping) else {}
    rules, given = asked.get("rules") or DEFAULT_RULES, asked.get("speed") or 1
    host().play_demo(known_rules(rules), speed_of(str(given)))
    if wants_json():
        return jsonify({"url": url_for("table.page")})
    return make_response(redirect(url_for("table.page"), code=303))


def _table() -> LiveTable:
    table = host().table
    if table is None:
        raise NoTable
    return table


def _systems() -> list[dict[str, Any]]:
    """The systems a demo can be played by."""
    profiles = [load_profile(name) for name in list_profiles()]
    return [
        {
            "id": profile.id,
            "name": profile.names.name(current_lang()),
            "chosen": profile.id == DEFAULT_RULES,
        }
        for profile in profiles
        if profile.flow_data and _can_count(profile)
    ]


def _can_count(profile: Profile) -> bool:
    """Whether hands can be counted by these rules on this machine."""
    try:
        evaluator_of(profile)
    except GorrionError:
        return False
    return True

"""`/score`: a new score sheet; `/score/<id>`: one being worked on."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import resources
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
    url_for,
)
from flask_babel import format_timedelta

from companion.app import Companion
from companion.hand import parse_hand
from companion.layout import layout_from_json
from companion.store import Draft
from companion.text import GorrionError, T
from companion.web.changes import asked_change
from companion.web.errors import wants_json
from companion.web.language import say
from companion.web.score_view import sheet_view
from companion.web.security import is_player, need_player

blueprint = Blueprint("score", __name__)

RECENT_SHEETS = 6
"""As many as are told apart at a glance."""


class NoPhoto(GorrionError):
    """The form came without a picture."""

    def __init__(self) -> None:
        super().__init__(
            T("no picture came with the request: choose a photo of the hand"),
            code="no_photo",
            field="photo",
        )


def companion() -> Companion:
    """The companion behind this application."""
    found: Companion = current_app.extensions["gorrion"]
    return found


def recent_sheets() -> list[dict[str, Any]]:
    """The sheets worked on last; a watcher is shown none, their addresses are what protects them."""
    return (
        [_brief(draft) for draft in companion().store.recent(RECENT_SHEETS)] if is_player() else []
    )


@blueprint.get("/score")
def start() -> str:
    """Choose a picture, take one, try the sample, or enter the tiles by hand."""
    return render_template("start.html", recent=recent_sheets(), reader=_reader_state())


@blueprint.get("/score.json")
def start_json() -> Response:
    """Its twin."""
    return jsonify({"recent": recent_sheets(), "reader": _reader_state()})


@blueprint.post("/score")
@blueprint.post("/score.json")
def begin() -> Response:
    """Begin a sheet: from a picture (`photo`), the sample (`sample`), a hand in notation (`hand`), or empty."""
    draft = _begin()
    page = url_for("score.sheet", draft_id=draft.id)
    if not wants_json():
        return make_response(redirect(page, code=303))
    response = jsonify(
        {"id": draft.id, "url": page, "json": url_for("score.sheet_json", draft_id=draft.id)}
    )
    response.status_code = 201
    response.headers["Location"] = page
    return response


@blueprint.get("/score/<draft_id>")
def sheet(draft_id: str) -> str:
    """One sheet; the page draws itself from the same JSON that its twin gives."""
    view = sheet_view(companion(), companion().open(draft_id))
    return render_template("sheet.html", view=view)


@blueprint.get("/score/<draft_id>.json")
def sheet_json(draft_id: str) -> Response:
    """Its twin."""
    return jsonify(sheet_view(companion(), companion().open(draft_id)))


@blueprint.post("/score/<draft_id>")
@blueprint.post("/score/<draft_id>.json")
def change(draft_id: str) -> Response:
    """Make the change `edit` on the version `version` that the page saw; 409 if that is not the present one."""
    version, edit = asked_change(
        T('a change needs "version" (the number the page saw) and "edit" (what to do)')
    )
    return jsonify(sheet_view(companion(), companion().edit(draft_id, version, edit)))


@blueprint.post("/score/<draft_id>/forget")
def forget(draft_id: str) -> Response:
    """Delete a sheet and its picture for good."""
    companion().store.delete(draft_id)
    return make_response(redirect(url_for("score.start"), code=303))


@blueprint.get("/score/<draft_id>/picture.jpg")
def picture(draft_id: str) -> Response:
    """The picture of a sheet; people may be on it, so a watcher does not get it."""
    need_player()
    jpeg = companion().store.picture(draft_id)
    if jpeg is None:
        raise GorrionError(
            T("the picture of this sheet is no longer kept"),
            code="no_picture",
            field="id",
            status=404,
        )
    response = make_response(jpeg)
    response.mimetype = "image/jpeg"
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


def _begin() -> Draft:
    if request.is_json:
        asked = request.get_json()
        asked = asked if isinstance(asked, dict) else {}
    else:
        asked = request.form
    if asked.get("sample"):
        sample = resources.files("companion.web") / "static" / "sample.jpg"
        return companion().start_from_photo(companion().read_photo(sample.read_bytes()))
    if hand := asked.get("hand"):
        return companion().start_from_hand(
            parse_hand(str(hand), str(asked.get("win") or "") or None)
        )
    if asked.get("empty"):
        return companion().start_from_hand()
    # The form has two fields, one for the camera and one for a file; a browser sends both.
    upload = next((each for each in request.files.values() if each.filename), None)
    if upload is None:
        raise NoPhoto
    return companion().start_from_photo(companion().read_photo(upload.read()))


def _brief(draft: Draft) -> dict[str, Any]:
    tiles = [piece.tile for piece in layout_from_json(draft.body["layout"]).pieces]
    return {
        "id": draft.id,
        "url": url_for("score.sheet", draft_id=draft.id),
        "changed": draft.changed,
        "changed_words": _ago(draft.changed),
        "tiles": [tile.code for tile in tiles],
    }


def _ago(moment: str) -> str:
    """How long ago an ISO 8601 time was, in words: "5 minutes ago"."""
    return format_timedelta(datetime.fromisoformat(moment) - datetime.now(UTC), add_direction=True)


def _reader_state() -> dict[str, str | None]:
    """Whether pictures can be read yet, and if not so, why."""
    failure = companion().reader.failure
    return {
        "state": companion().reader.state,
        "problem": None if failure is None else say(failure.text),
    }

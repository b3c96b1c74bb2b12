"""`/pin`: a phone of the network becomes more than a watcher."""

from __future__ import annotations

from flask import (
    Blueprint,
    Response,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from companion.text import GorrionError
from companion.web.errors import wants_json
from companion.web.language import say
from companion.web.security import is_player, let_in

blueprint = Blueprint("pin", __name__)


@blueprint.get("/pin")
def ask() -> Response:
    """The form; the address in the QR code carries the PIN and needs no typing."""
    given = request.args.get("pin")
    return _let_in(given) if given else make_response(render_template("pin.html", problem=None))


@blueprint.get("/pin.json")
def state() -> Response:
    """Whether this browser may change things."""
    return jsonify({"may_edit": is_player()})


@blueprint.post("/pin")
def enter() -> Response:
    """Check the PIN of the form."""
    return _let_in(request.form.get("pin", ""))


def _let_in(given: str) -> Response:
    try:
        let_in(given)
    except GorrionError as error:
        if wants_json():
            raise
        return make_response(render_template("pin.html", problem=say(error.text)), error.status)
    return make_response(redirect(url_for("home.index"), code=303))

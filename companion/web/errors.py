"""One shape for everything that goes wrong: `{"error": {"code", "message", "field"}}`, or a page that says it."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.text import GorrionError, T, Text
from companion.web.language import say

HTTP_SAYS = {
    400: T("the request can't be understood: reload the page and try again"),
    404: T("there is no such page: go back to the start"),
    405: T("this address can't be used that way: go back to the start"),
    413: T("the file is too large: send a picture of at most %(limit)s MB"),
    415: T("the request must be JSON"),
    500: T("something broke in Gorrión; your work is saved: reload the page"),
}


def wants_json() -> bool:
    """Whether the answer should be JSON: by the address, by what was sent, or by what is accepted.

    A browser that opens a page names text/html; a program that names nothing gets JSON.
    """
    if request.path.endswith(".json") or request.is_json:
        return True
    return "text/html" not in request.headers.get("Accept", "")


def error_json(code: str, message: str, field: str | None) -> dict[str, Any]:
    """The one error shape."""
    return {"error": {"code": code, "message": message, "field": field}}


def answer_error(text: Text, code: str, field: str | None, status: int) -> Response:
    """The error as JSON or as a page, in the reader's language."""
    message = say(text)
    if wants_json():
        response = jsonify(error_json(code, message, field))
    else:
        response = make_response(
            render_template("error.html", message=message, code=code, status=status)
        )
    response.status_code = status
    return response


def catch_errors(app: Flask, upload_mb: int) -> None:
    """Answer every failure of `app` in the one shape; no traceback ever reaches a reader."""

    @app.errorhandler(GorrionError)
    def known(error: GorrionError) -> Response:
        return answer_error(error.text, error.code, error.field, error.status)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        if status < 400:  # a redirect is no failure
            return make_response(error.get_response())
        text = HTTP_SAYS.get(status, HTTP_SAYS[400 if status < 500 else 500])
        if status == 413:
            text = T(text.msgid, limit=upload_mb)
        return answer_error(text, f"http_{status}", None, status)

    @app.errorhandler(Exception)
    def unknown(error: Exception) -> Response:
        app.logger.exception("unexpected failure at %s", request.path, exc_info=error)
        return answer_error(HTTP_SAYS[500], "internal", None, 500)

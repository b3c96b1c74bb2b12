"""What a page asks to be changed, and on which version of what it saw."""

from __future__ import annotations

from typing import Any

from flask import request

from companion.text import GorrionError, T


def asked_change(says: T, only: str | None = None) -> tuple[int, dict[str, Any]]:
    """The `version` that the page saw and the `edit` it asks for, from the JSON of the request.

    Args:
        says: the sentence when one of the two is missing or has another form.
        only: the one edit that can be made here, or None when whoever makes it knows them.

    Raises:
        GorrionError: with that sentence, for 400.
    """
    asked = request.get_json()
    asked = asked if isinstance(asked, dict) else {}
    version, edit = asked.get("version"), asked.get("edit")
    if isinstance(version, int) and isinstance(edit, dict) and only in (None, edit.get("do")):
        return version, edit
    raise GorrionError(
        says, code="bad_edit", field="edit" if isinstance(version, int) else "version"
    )

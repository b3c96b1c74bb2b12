"""How the hand was won: the questions that make sense now, in the reader's language."""

from __future__ import annotations

from typing import Any

from companion.catalogue import translate
from companion.rules import Circumstances
from companion.text import T
from companion.tiles import WINDS, wind_tile
from companion.web.language import current_lang

WIND_NAMES = {"E": T("East"), "S": T("South"), "W": T("West"), "N": T("North")}


def questions(now: Circumstances) -> list[dict[str, Any]]:
    """Choices first, then switches; what the present answers rule out is not asked."""
    asked = [
        _choice("seat", T("Winner's seat"), now.seat, _winds(WINDS)),
        _choice("round", T("Wind of the round"), now.round, _winds(WINDS)),
        _choice(
            "by",
            T("The winning tile was"),
            now.by,
            [
                _option("discard", T("discarded by another")),
                _option("self-draw", T("drawn by the winner")),
            ],
        ),
    ]
    if not now.is_self_draw:
        title = T("Whose kong was it?") if now.rob_kong else T("Who discarded it?")
        others = tuple(wind for wind in WINDS if wind != now.seat)
        asked.append(_choice("discarder", title, now.discarder, _winds(others)))
    return asked + _switches(now)


def _switches(now: Circumstances) -> list[dict[str, Any]]:
    if now.is_self_draw:
        first = T("with the dealt tiles") if now.is_dealer else T("on the first draw of the hand")
        return [
            _switch("kong_draw", T("replacement tile of a kong"), now.kong_draw),
            _switch("last_tile", T("last tile of the wall"), now.last_tile),
            _switch("first_turn", first, now.first_turn),
        ]
    found = [
        _switch("rob_kong", T("robbed from a kong"), now.rob_kong),
        _switch("last_discard", T("last discard, the wall is used up"), now.last_discard),
    ]
    if not now.is_dealer:
        found.append(_switch("first_turn", T("first discard of the dealer"), now.first_turn))
    return found


def _choice(
    name: str, title: T, value: str | None, options: list[dict[str, Any]]
) -> dict[str, Any]:
    return {"name": name, "title": _words(title), "value": value, "options": options}


def _switch(name: str, title: T, value: bool) -> dict[str, Any]:
    return {"name": name, "title": _words(title), "value": value}


def _option(value: str, label: T) -> dict[str, Any]:
    return {"value": value, "label": _words(label)}


def _winds(winds: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {"value": wind, "label": _words(WIND_NAMES[wind]), "sign": wind_tile(wind).name("zh")}
        for wind in winds
    ]


def _words(text: T) -> str:
    return translate(text, current_lang())

"""How the hand was won: the questions that make sense now, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.catalogue import translate
from companion.rules import Circumstances, Profile
from companion.text import T
from companion.tiles import WIND_NAMES, WINDS, wind_tile
from companion.web.language import current_lang


def questions(now: Circumstances, profile: Profile) -> list[dict[str, Any]]:
    """Choices first, then switches, then fields; what the present answers rule out is not asked."""
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
    asked += _switches(now)
    return asked + (_riichi(dict(now.extra)) if profile.evaluator == "riichi" else [])


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


def _riichi(extra: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the Japanese game asks besides."""
    declared = bool(extra.get("riichi") or extra.get("double_riichi"))
    asked = [
        _switch("riichi", T("riichi was declared"), bool(extra.get("riichi"))),
        _switch("double_riichi", T("riichi in the first turn"), bool(extra.get("double_riichi"))),
    ]
    if declared:
        title = T("won within a turn of riichi (ippatsu)")
        asked.append(_switch("ippatsu", title, bool(extra.get("ippatsu"))))
    asked.append(_field("dora_indicators", "text", T("Dora indicators, such as 1m5p"), extra))
    if declared:
        asked.append(_field("ura_indicators", "text", T("Ura dora indicators"), extra))
    asked.append(_field("honba", "count", T("Counters (honba)"), extra))
    asked.append(_field("sticks", "count", T("Riichi sticks on the table"), extra))
    return asked


def _field(name: str, kind: str, title: T, extra: Mapping[str, Any]) -> dict[str, Any]:
    empty: str | int = 0 if kind == "count" else ""
    return {"name": name, "kind": kind, "title": _words(title), "value": extra.get(name, empty)}


def _choice(
    name: str, title: T, value: str | None, options: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "choice",
        "title": _words(title),
        "value": value,
        "options": options,
    }


def _switch(name: str, title: T, value: bool) -> dict[str, Any]:
    return {"name": name, "kind": "switch", "title": _words(title), "value": value}


def _option(value: str, label: T) -> dict[str, Any]:
    return {"value": value, "label": _words(label)}


def _winds(winds: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {"value": wind, "label": _words(WIND_NAMES[wind]), "sign": wind_tile(wind).name("zh")}
        for wind in winds
    ]


def _words(text: T) -> str:
    return translate(text, current_lang())

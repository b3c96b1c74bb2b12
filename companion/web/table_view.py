"""The JSON of `/table`, and all that its page shows, in the reader's language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from companion.live import Snapshot
from companion.rules import ScoreSheet
from companion.table.account import sentence_of
from companion.table.events import Draw, Event, ReplacementDraw
from companion.table.people import who
from companion.table.state import SEATS, State
from companion.table.status import status_of
from companion.table.view import state_view
from companion.text import T
from companion.tiles import BACK, UNKNOWN, WIND_NAMES, wind_tile
from companion.web.language import current_lang, say
from companion.web.security import is_player

CLAIM_WORDS: Final = {
    "win": T("win"),
    "daiminkan": T("kong"),
    "pon": T("pung"),
    "chi": T("chow"),
}
_UNITS: Final = {"faan": T("faan"), "points": T("points"), "han": T("han"), "fan": T("fan")}


def table_view(snapshot: Snapshot) -> dict[str, Any]:
    """Everything the page of the table shows."""
    state, lang = snapshot.state, current_lang()
    view = state_view(state)
    wall = view.pop("wall")
    return {
        **view,
        "game": snapshot.game,
        "version": snapshot.version,
        "may_edit": is_player(),
        "status": {"text": say(status_of(state)), "kind": _kind(state)},
        "rules": {"id": snapshot.profile.id, "name": snapshot.profile.names.name(lang)},
        "round_name": _word(WIND_NAMES[state.standing.round_wind]),
        "round_sign": wind_tile(state.standing.round_wind).name("zh"),
        "seats": [_seat(state, seat, each) for seat, each in enumerate(view["seats"])],
        "wall": {
            "live": wall["live"],
            "dead": wall["dead"],
            "total": state.flow.tiles.total,
            "live_word": _capital(wall["names"]["live"][lang]),
            "dead_word": _capital(wall["names"]["dead"][lang]),
            "head_word": wall["names"]["head"][lang],
            "tail_word": wall["names"]["tail"][lang],
        },
        "claims": _claims(state, view["next"]),
        "events": _events(snapshot),
        "wins": [_win(snapshot, at) for at in range(len(state.wins))],
        "settled": _settled(state),
        "flags": [
            {"code": flag.code, "text": say(flag.text), "event": flag.ref} for flag in state.flags
        ],
    }


def _seat(state: State, seat: int, view: dict[str, Any]) -> dict[str, Any]:
    """A seat; its concealed tiles lie face down until they are shown."""
    wind = state.wind_of(seat)
    hidden = not view["shown"]
    return {
        **view,
        "tiles": [BACK.code] * view["count"] if hidden else view["tiles"],
        "drawn": None if hidden else view["drawn"],
        "wind_name": _word(WIND_NAMES[wind]),
        "wind_sign": wind_tile(wind).name("zh"),
        "turn": state.in_hand and state.turn == seat and state.phase != "claim",
        "next": state.phase == "claim" and state.turn == seat,
        "won": seat in state.winners,
    }


def _claims(state: State, moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Who may claim the discard on offer, and for what."""
    if state.offer is None:
        return []
    words: dict[int, list[str]] = {}
    for move in moves:
        if move["type"] in CLAIM_WORDS:
            for seat in move["seats"]:
                words.setdefault(seat, []).append(_word(CLAIM_WORDS[move["type"]]))
    return [
        {"seat": seat, "who": _word(T("%(who)s", who=who(state, seat))), "kinds": words[seat]}
        for seat in SEATS
        if seat in words
    ]


def _events(snapshot: Snapshot) -> list[dict[str, Any]]:
    """What happened last, newest first; each can be taken back by its reference."""
    told = []
    for entry, before in reversed(snapshot.recent):
        sentence = sentence_of(before, _as_others_see(entry.event))
        if sentence is not None:
            told.append({"ref": entry.ref, "type": entry.event.type, "text": say(sentence)})
    return told


def _as_others_see(event: Event) -> Event:
    """A drawn tile is its player's secret, as his hand is."""
    return replace(event, pai=UNKNOWN) if isinstance(event, (Draw, ReplacementDraw)) else event


def _win(snapshot: Snapshot, at: int) -> dict[str, Any]:
    state, won, sheet = snapshot.state, snapshot.state.wins[at], snapshot.sheets[at]
    lang = current_lang()
    return {
        "seat": won.seat,
        "who": _word(T("%(who)s", who=who(state, won.seat))),
        "tiles": [tile.code for tile in won.hand.concealed],
        "melds": [[tile.code for tile in meld.tiles] for meld in won.hand.melds],
        "bonus": [tile.code for tile in won.hand.bonus],
        "winning": won.hand.winning.code if won.hand.winning else None,
        "total": _total(sheet),
        "lines": [
            {
                "name": line.names.name(lang),
                "zh": line.names.name("zh"),
                "value": line.value,
                "tiles": [tile.code for tile in line.tiles],
            }
            for line in sheet.lines
        ],
    }


def _total(sheet: ScoreSheet) -> dict[str, Any]:
    unit, value = next(iter(sheet.values.items()))
    return {"number": value or 0, "unit": _word(_UNITS.get(unit, T("points")))}


def _settled(state: State) -> list[dict[str, Any]] | None:
    """What the hand that has just ended moved; None while one is played."""
    if state.in_hand or not state.history:
        return None
    record = state.history[-1]
    return [
        {"seat": seat, "name": state.names[seat], "delta": record.deltas[seat]} for seat in SEATS
    ]


def _kind(state: State) -> str:
    if state.flags:
        return "wrong"
    return "done" if state.phase in {"won", "settled", "over"} else "next"


def _word(text: T) -> str:
    return say(text).rstrip(".")


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]

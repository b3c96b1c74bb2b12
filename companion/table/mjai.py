"""mjai logs, in and out: the common language of riichi programs.

Tiles are ``1m..9s``, ``5mr`` for a red five, ``E S W N P F C`` for honours. What mjai says in one word and
we in two is split on the way in and joined on the way out: the dealer's fourteenth tile is a draw there,
a win brings its payment along, and ``end_kyoku`` closes the hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import Any, Final

from companion.reasons import json_says
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.rotating import rotation
from companion.table.state import SEATS, State
from companion.table.winning import ready_tiles
from companion.table.wire import WRONG_FORM, check_types, form_says
from companion.text import GorrionError, T
from companion.tiles import Tile

_HONOURS: Final = dict(zip("ESWNPFC", (f"{rank}z" for rank in range(1, 8)), strict=True))
_HONOUR_WORDS: Final = {code: word for word, code in _HONOURS.items()}
_CLAIMS: Final[Mapping[str, type[ev.Claim]]] = {
    "chi": ev.Chow,
    "pon": ev.Pung,
    "daiminkan": ev.ClaimedKong,
}


def tile_from_mjai(word: str) -> Tile:
    """The tile of an mjai word: ``5mr`` is ``0m``, ``P`` is ``5z``.

    Raises:
        companion.tiles.TileError: when it is none.
    """
    if word.endswith("r"):
        return Tile(f"0{word[1:2]}")
    return Tile(_HONOURS.get(word, word))


def tile_to_mjai(tile: Tile) -> str:
    """The mjai word of a tile."""
    if tile.is_red:
        return f"5{tile.suit}r"
    return _HONOUR_WORDS.get(tile.code, tile.code)


def from_mjai(lines: Iterable[str], start: State) -> list[ev.Event]:
    """The events of an mjai log.

    Args:
        lines: JSON Lines.
        start: an empty table under the rules that the log was played by.

    Raises:
        companion.table.events.EventError: naming the line that is wrong.
    """
    reader = _Reader(start)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            text = T(
                "line %(number)s is not JSON: %(detail)s", number=number, detail=json_says(error)
            )
            raise ev.EventError(text, code="bad_event") from error
        try:
            reader.read(value)
        except GorrionError as error:
            raise ev.EventError(
                T("line %(number)s: %(problem)s", number=number, problem=error.text),
                code=error.code,
                field=error.field,
            ) from error
        except WRONG_FORM as error:
            text = T(
                "line %(number)s is no mjai event (%(detail)s): %(line)s",
                number=number,
                detail=form_says(error),
                line=line.strip()[:60],
            )
            raise ev.EventError(text, code="bad_event") from error
    return reader.events


class _Reader:
    """Turns mjai objects into events, following the table to know what mjai leaves unsaid."""

    def __init__(self, start: State) -> None:
        self.state = start
        self.events: list[ev.Event] = []
        self._waiting: ev.StartHand | None = None
        self._deltas: list[tuple[int, ...]] = []

    def read(self, value: Mapping[str, Any]) -> None:
        kind = value["type"]
        if kind in _CLAIMS:
            self._does(_CLAIMS[kind](value["actor"], value["target"], _tile(value), _tiles(value)))
            return
        reads = getattr(self, f"_{kind}", None)
        if reads is None:
            known = ("start_game", "start_kyoku", "tsumo", "dahai", "hora", *_CLAIMS)
            text = T(
                '"%(given)s" is no mjai event: use %(known)s ...', given=str(kind), known=known
            )
            raise ev.EventError(text, code="bad_event", field="type")
        reads(value)

    def _does(self, event: ev.Event) -> None:
        check_types(event)
        self.events.append(event)
        self.state = apply(self.state, event)

    def _start_game(self, value: Mapping[str, Any]) -> None:
        extra = {k: v for k, v in value.items() if k not in {"type", "names"}}
        names = tuple(value.get("names", ("", "", "", "")))
        scores = (self.state.flow.match.start,) * len(SEATS)
        self._does(
            ev.StartGame(names, self.state.profile, self.state.profile_hash, scores, extra=extra)
        )

    def _start_kyoku(self, value: Mapping[str, Any]) -> None:
        if self.events and isinstance(self.events[-1], ev.Rotate):
            # The match went on, whatever number of rounds the rules say.
            self.events[-1] = replace(self.events[-1], over=False)
        hands = tuple(tuple(map(tile_from_mjai, hand)) for hand in value["tehais"])
        self._waiting = ev.StartHand(
            self.state.profile,
            self.state.profile_hash,
            value["bakaze"],
            value["oya"],
            tuple(value["scores"]),
            hands,
            honba=value["honba"],
            sticks=value["kyotaku"],
            dora_marker=tile_from_mjai(value["dora_marker"]),
        )
        self._deltas = []

    def _tsumo(self, value: Mapping[str, Any]) -> None:
        actor, pai = value["actor"], _tile(value)
        if self._waiting is not None:
            hands = list(self._waiting.hands)
            hands[actor] = (*hands[actor], pai)
            begin, self._waiting = self._waiting, None
            self._does(replace(begin, hands=tuple(hands)))
        elif self.state.phase == "replace":
            self._does(ev.ReplacementDraw(actor, pai, "kong"))
        else:
            self._does(ev.Draw(actor, pai))

    def _dahai(self, value: Mapping[str, Any]) -> None:
        self._does(ev.Discard(value["actor"], _tile(value), value.get("tsumogiri")))

    def _ankan(self, value: Mapping[str, Any]) -> None:
        self._does(ev.ConcealedKong(value["actor"], _tiles(value)))

    def _kakan(self, value: Mapping[str, Any]) -> None:
        self._does(ev.AddedKong(value["actor"], _tile(value), _tiles(value)))

    def _reach(self, value: Mapping[str, Any]) -> None:
        self._does(ev.Riichi(value["actor"]))

    def _reach_accepted(self, value: Mapping[str, Any]) -> None:
        self._does(ev.RiichiAccepted(value["actor"]))

    def _dora(self, value: Mapping[str, Any]) -> None:
        self._does(ev.Dora(tile_from_mjai(value["dora_marker"])))

    def _hora(self, value: Mapping[str, Any]) -> None:
        actor, target = value["actor"], value["target"]
        chair, offer = self.state.chairs[actor], self.state.offer
        ura = tuple(map(tile_from_mjai, value.get("ura_markers", ())))
        if actor == target:
            by: Any = "kong-draw" if self.state.replacing == "kong" else "self-draw"
            pai = chair.drawn or chair.concealed[-1]
            hand = chair.concealed
        else:
            by = "rob-kong" if offer is not None and offer.kong else "discard"
            pai = offer.pai if offer is not None else tile_from_mjai(value["pai"])
            hand = tuple(sorted((*chair.concealed, pai)))
        self._does(ev.Win(actor, target, pai, by, hand, ura_markers=ura))
        if "deltas" in value:
            self._deltas.append(tuple(value["deltas"]))

    def _ryukyoku(self, value: Mapping[str, Any]) -> None:
        deltas = tuple(value.get("deltas", (0,) * len(SEATS)))
        reason = value.get("reason")
        exhausted = self.state.wall.live == 0 if reason is None else reason in _EXHAUSTED
        ready = waiting_seats(self.state) if exhausted else ()
        self._does(ev.DrawnHand("exhausted" if exhausted else _abort(self.state), ready))
        self._deltas.append(deltas)

    def _end_kyoku(self, value: Mapping[str, Any]) -> None:
        for deltas in self._deltas:
            self._does(ev.Settle(deltas, sticks_left(self.state, deltas)))
        self._does(rotation(self.state))

    def _end_game(self, value: Mapping[str, Any]) -> None:
        if self.events and isinstance(self.events[-1], ev.Rotate):
            self.events[-1] = replace(self.events[-1], over=True)
        self._does(ev.EndGame(tuple(value.get("scores", ()))))


def sticks_left(state: State, deltas: tuple[int, ...]) -> int:
    """Riichi sticks that stay on the table: what the players gain together was taken from there."""
    stick = state.flow.riichi.stick
    return state.sticks - (sum(deltas) // stick if stick else 0)


def waiting_seats(state: State) -> tuple[int, ...]:
    """The seats whose known hands are one tile short; what a drawn hand pays does not always tell them."""
    return tuple(seat for seat in SEATS if ready_tiles(state, seat))


_EXHAUSTED: Final = {"fanpai", "howanpai", "exhaustive", "exhausted"}


def to_mjai(line: Sequence[ev.Entry]) -> Iterator[dict[str, Any]]:
    """The mjai objects of a riichi game.

    Each win has its own payment there. Of several wins that were settled together the first carries all of it and the
    others move nothing; what was never settled is written without payment.

    Args:
        line: the entries that count (`companion.table.log.effective`).

    Raises:
        companion.table.events.EventError: when an event has no place in mjai.
    """
    ends: list[dict[str, Any]] = []
    settlements: list[ev.Settle] = []
    for entry in line:
        event = entry.event
        if isinstance(event, (ev.StartHand, ev.Rotate)):
            if ends or isinstance(event, ev.Rotate):
                yield from _end_of_hand(ends, settlements)
            ends, settlements = [], []
        if isinstance(event, ev.StartHand):
            yield from _start_of_hand(event)
        elif isinstance(event, (ev.Win, ev.DrawnHand)):
            ends.append(_outcome(event))
        elif isinstance(event, ev.Settle):
            settlements.append(event)
        elif not isinstance(event, (ev.Rotate, ev.ClaimWindow, ev.Observation)):
            yield _plain(event)
    if ends:
        yield from _end_of_hand(ends, settlements)


def _end_of_hand(
    ends: Sequence[dict[str, Any]], settlements: Sequence[ev.Settle]
) -> Iterator[dict[str, Any]]:
    for end, deltas in zip(ends, payments_by_end(len(ends), settlements), strict=True):
        yield _in_order({**end, "deltas": list(deltas)} if settlements else end)
    yield {"type": "end_kyoku"}


def payments_by_end(count: int, settlements: Iterable[ev.Settle]) -> list[ev.Deltas]:
    """What each of the `count` ends of a hand moved: all of what was settled together goes with the first."""
    nothing = repeat((0,) * len(SEATS))
    return list(islice(chain((each.deltas for each in settlements), nothing), count))


def _start_of_hand(event: ev.StartHand) -> Iterator[dict[str, Any]]:
    if event.dora_marker is None:
        text = T(
            "mjai is for riichi: a game by %(rules)s can't be written in it", rules=event.profile
        )
        raise ev.EventError(text, code="not_riichi", field="profile")
    dealt = [list(map(tile_to_mjai, hand)) for hand in event.hands]
    first = dealt[event.east].pop()
    yield {
        "type": "start_kyoku",
        "bakaze": event.round,
        "dora_marker": tile_to_mjai(event.dora_marker),
        "kyoku": event.east + 1,
        "honba": event.honba,
        "kyotaku": event.sticks,
        "oya": event.east,
        "scores": list(event.scores),
        "tehais": dealt,
    }
    yield {"type": "tsumo", "actor": event.east, "pai": first}


def _outcome(event: ev.Win | ev.DrawnHand) -> dict[str, Any]:
    if isinstance(event, ev.Win):
        ura = [tile_to_mjai(tile) for tile in event.ura_markers]
        return {"type": "hora", "actor": event.actor, "target": event.target, "ura_markers": ura}
    return {"type": "ryukyoku"}


def _in_order(value: dict[str, Any]) -> dict[str, Any]:
    """mjai's own order of keys, for people who compare lines."""
    return {
        key: value[key]
        for key in ("type", "actor", "target", "deltas", "ura_markers")
        if key in value
    }


def _plain(event: ev.Event) -> dict[str, Any]:
    if isinstance(event, ev.StartGame):
        return {"type": "start_game", "names": list(event.names), **event.extra}
    if isinstance(event, (ev.Draw, ev.ReplacementDraw)):
        return {"type": "tsumo", "actor": event.actor, "pai": tile_to_mjai(event.pai)}
    if isinstance(event, ev.Discard):
        return {
            "type": "dahai",
            "actor": event.actor,
            "pai": tile_to_mjai(event.pai),
            "tsumogiri": bool(event.tsumogiri),
        }
    if isinstance(event, ev.Claim):
        return {
            "type": event.type,
            "actor": event.actor,
            "target": event.target,
            "pai": tile_to_mjai(event.pai),
            "consumed": [tile_to_mjai(tile) for tile in event.consumed],
        }
    if isinstance(event, ev.ConcealedKong):
        consumed = [tile_to_mjai(tile) for tile in event.consumed]
        return {"type": "ankan", "actor": event.actor, "consumed": consumed}
    if isinstance(event, ev.AddedKong):
        consumed = [tile_to_mjai(tile) for tile in event.consumed]
        pai = tile_to_mjai(event.pai)
        return {"type": "kakan", "actor": event.actor, "pai": pai, "consumed": consumed}
    if isinstance(event, (ev.Riichi, ev.RiichiAccepted)):
        return {"type": event.type, "actor": event.actor}
    if isinstance(event, ev.Dora):
        return {"type": "dora", "dora_marker": tile_to_mjai(event.dora_marker)}
    if isinstance(event, ev.EndGame):
        return {"type": "end_game", **({"scores": list(event.scores)} if event.scores else {})}
    text = T(
        'mjai has no word for a "%(type)s" event: this game can\'t be written in it',
        type=event.type,
    )
    raise ev.EventError(text, code="not_mjai", field="type")


def _tile(value: Mapping[str, Any]) -> Tile:
    return tile_from_mjai(value["pai"])


def _tiles(value: Mapping[str, Any]) -> tuple[Tile, ...]:
    return tuple(map(tile_from_mjai, value["consumed"]))


def _abort(state: State) -> str:
    """Which abortive draw it must have been, from what lies on the table."""
    if state.phase == "discard":
        return "nine-terminals"
    if all(chair.riichi for chair in state.chairs):
        return "four-riichi"
    if state.kongs >= 4:
        return "four-kongs"
    first = {chair.discards[0].pai.kind for chair in state.chairs if chair.discards}
    if len(state.pool) == len(SEATS) and len(first) == 1:
        return "four-winds"
    return "triple-win"

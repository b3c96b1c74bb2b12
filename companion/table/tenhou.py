"""tenhou.net/6 logs, in and out: a hand of riichi as each player's draws and discards.

The form tells, for every seat, what was drawn (or claimed, as a text such as ``"47p4747"``) and what was
discarded (60: the tile just drawn; ``"r.."``: with riichi; a text with ``a`` or ``k``: a kong; 0: the turn
of a claimed kong). In what order the seats took turns has to be found: where two players could have
claimed the same discard, the reading that uses up every list is the right one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.rules.flow import HandResult, after
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.mjai import sticks_left, waiting_seats
from companion.table.state import SEATS, State
from companion.table.wire import check_form
from companion.text import T
from companion.tiles import WINDS, Tile

_SUITS: Final = {"1": "m", "2": "p", "3": "s", "4": "z"}
_NUMBERS: Final = {suit: number for number, suit in _SUITS.items()}
_CALL: Final = re.compile(r"([cpmka])")
_DRAWN: Final = 60
_WON: Final = "和了"
_ABORTS: Final = {
    "九種九牌": "nine-terminals",
    "四風連打": "four-winds",
    "四家立直": "four-riichi",
    "四槓散了": "four-kongs",
    "三家和了": "triple-win",
}
_DRAWS: Final = {"流局", "全員聴牌", "全員不聴", "流し満貫"}


def tile_from_tenhou(code: int) -> Tile:
    """The tile of a number: 11..19 characters, 21.. circles, 31.. bamboos, 41..47 honours, 51..53 red.

    Raises:
        companion.table.events.EventError: when it is none.
    """
    text = str(code)
    if 51 <= code <= 53:
        return Tile(f"0{_SUITS[text[1]]}")
    if len(text) == 2 and text[0] in _SUITS and text[1] != "0" and code <= 47:
        return Tile(f"{text[1]}{_SUITS[text[0]]}")
    raise _bad(T("%(code)s is no tile of a tenhou log", code=code))


def tile_to_tenhou(tile: Tile) -> int:
    """The number of a tile."""
    return int(f"5{_NUMBERS[tile.suit]}" if tile.is_red else f"{_NUMBERS[tile.suit]}{tile.rank}")


def from_tenhou(text: str, start: State) -> list[ev.Event]:
    """The events of a tenhou.net/6 log.

    Args:
        text: the JSON object.
        start: an empty table under the rules that the log was played by.

    Raises:
        companion.table.events.EventError: when it is no such log, or a hand of it can't be followed.
    """
    try:
        value = json.loads(text)
        names, rounds = value.get("name", [""] * 4), value["log"]
        begin = ev.StartGame(tuple(names), start.profile, start.profile_hash, tuple(rounds[0][1]))
        check_form(begin)
        events: list[ev.Event] = [begin]
        state = apply(start, begin)
        for number, hand in enumerate(rounds, 1):
            played = _play(_Record.read(hand), state)
            if played is None:
                text_ = T(
                    "hand %(number)s can't be followed to its end: a list is wrong", number=number
                )
                raise _bad(text_)
            state, new = played
            events += new
        # How many rounds are played, the log says by where it ends.
        for at, event in enumerate(events):
            if isinstance(event, ev.Rotate):
                events[at] = replace(event, over=at == len(events) - 1)
    except json.JSONDecodeError as error:
        raise _bad(T("this is not JSON: %(detail)s", detail=error.msg)) from error
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _bad(
            T("this is no log of the form tenhou.net/6: %(detail)s", detail=str(error))
        ) from error
    return [*events, ev.EndGame(state.scores)]


@dataclass(frozen=True, slots=True)
class _Record:
    """One hand of a log."""

    kyoku: int
    honba: int
    sticks: int
    scores: tuple[int, ...]
    dora: tuple[Tile, ...]
    ura: tuple[Tile, ...]
    dealt: tuple[tuple[Tile, ...], ...]
    draws: tuple[tuple[int | str, ...], ...]
    discards: tuple[tuple[int | str, ...], ...]
    result: Sequence[Any]

    @staticmethod
    def read(hand: Sequence[Any]) -> _Record:
        kyoku, honba, sticks = hand[0]
        return _Record(
            kyoku,
            honba,
            sticks,
            tuple(hand[1]),
            tuple(map(tile_from_tenhou, hand[2])),
            tuple(map(tile_from_tenhou, hand[3])),
            tuple(tuple(map(tile_from_tenhou, hand[4 + 3 * seat])) for seat in SEATS),
            tuple(tuple(hand[5 + 3 * seat]) for seat in SEATS),
            tuple(tuple(hand[6 + 3 * seat]) for seat in SEATS),
            hand[16],
        )


@dataclass(frozen=True, slots=True)
class _Point:
    """Where the reading of a hand stands."""

    state: State
    events: tuple[ev.Event, ...]
    drawn: tuple[int, ...] = (0, 0, 0, 0)
    discarded: tuple[int, ...] = (0, 0, 0, 0)
    shown: int = 1

    def does(self, event: ev.Event) -> _Point:
        return replace(self, state=apply(self.state, event), events=(*self.events, event))

    def drew(self, seat: int) -> _Point:
        return replace(self, drawn=_one_more(self.drawn, seat))

    def has_discarded(self, seat: int) -> _Point:
        return replace(self, discarded=_one_more(self.discarded, seat))


def _play(record: _Record, state: State) -> tuple[State, list[ev.Event]] | None:
    """Follow one hand; None when no order of turns uses up its lists."""
    east = record.kyoku % 4
    first = record.draws[east][0]
    hands = list(record.dealt)
    hands[east] = (*hands[east], tile_from_tenhou(int(first)))
    begin = ev.StartHand(
        state.profile,
        state.profile_hash,
        WINDS[record.kyoku // 4 % 4],
        east,
        record.scores,
        tuple(hands),
        honba=record.honba,
        sticks=record.sticks,
        dora_marker=record.dora[0],
    )
    stack = [_Point(state, ()).does(begin).drew(east)]
    while stack:
        point = stack.pop()
        if _used_up(record, point):
            ended = _end(record, point)
            return ended.state, list(ended.events)
        # The most likely continuation is tried first: it is pushed last.
        stack += reversed(list(_continuations(record, point)))
    return None


def _used_up(record: _Record, point: _Point) -> bool:
    return all(
        point.drawn[seat] == len(record.draws[seat])
        and point.discarded[seat] == len(record.discards[seat])
        for seat in SEATS
    )


def _continuations(record: _Record, point: _Point) -> Iterator[_Point]:
    phase, seat = point.state.phase, point.state.turn
    if phase == "discard":
        yield from _own_turn(record, point, seat)
    elif phase == "replace":
        yield from _replacement(record, point, seat)
    elif phase == "claim":
        yield from _after_discard(record, point)


def _own_turn(record: _Record, point: _Point, seat: int) -> Iterator[_Point]:
    at = point.discarded[seat]
    if at >= len(record.discards[seat]):
        return
    given = record.discards[seat][at]
    point = point.has_discarded(seat)
    if isinstance(given, str) and not given.startswith("r"):
        letter, place, tiles = _call(given)
        if letter == "a":
            yield _turn_dora(record, point.does(ev.ConcealedKong(seat, tiles)))
        elif letter == "k":
            # The tile behind the letter is the added one; the others are the pung.
            pung = tiles[:place] + tiles[place + 1 :]
            yield point.does(ev.AddedKong(seat, tiles[place], pung))
        return
    if isinstance(given, str):
        point = point.does(ev.Riichi(seat))
        given = int(given[1:])
    if given == 0:  # the turn of a claimed kong, which has no discard of its own
        return
    drawn = point.state.chairs[seat].drawn
    tile = drawn if given == _DRAWN and drawn is not None else tile_from_tenhou(given)
    point = point.does(ev.Discard(seat, tile, given == _DRAWN))
    yield _turn_dora(record, point)


def _turn_dora(record: _Record, point: _Point) -> _Point:
    while point.state.dora_due and point.shown < len(record.dora):
        event = ev.Dora(record.dora[point.shown])
        point = replace(point.does(event), shown=point.shown + 1)
    return point


def _replacement(record: _Record, point: _Point, seat: int) -> Iterator[_Point]:
    at = point.drawn[seat]
    if at >= len(record.draws[seat]) or isinstance(record.draws[seat][at], str):
        return
    if point.state.dora_due > 1:
        event = ev.Dora(record.dora[point.shown])
        point = replace(point.does(event), shown=point.shown + 1)
    tile = tile_from_tenhou(int(record.draws[seat][at]))
    yield point.drew(seat).does(ev.ReplacementDraw(seat, tile, "kong"))


def _after_discard(record: _Record, point: _Point) -> Iterator[_Point]:
    offer = point.state.offer
    if offer is None:
        return
    if point.state.chairs[offer.actor].riichi == 1:
        point = point.does(ev.RiichiAccepted(offer.actor))
    chows: list[_Point] = []
    for step in (1, 2, 3):
        seat = (offer.actor + step) % 4
        at = point.drawn[seat]
        given = record.draws[seat][at] if at < len(record.draws[seat]) else None
        if not isinstance(given, str):
            continue
        letter, place, tiles = _call(given)
        pai, consumed = tiles[place], tiles[:place] + tiles[place + 1 :]
        if pai is not offer.pai or _source(seat, letter, place) != offer.actor:
            continue
        claimed = point.drew(seat)
        if letter == "c":
            chows.append(claimed.does(ev.Chow(seat, offer.actor, pai, consumed)))
        elif letter == "p":
            yield claimed.does(ev.Pung(seat, offer.actor, pai, consumed))
        elif letter == "m":
            zero = point.discarded[seat] < len(record.discards[seat])
            if zero and record.discards[seat][point.discarded[seat]] == 0:
                claimed = claimed.has_discarded(seat)
            yield claimed.does(ev.ClaimedKong(seat, offer.actor, pai, consumed))
    yield from chows
    seat, at = point.state.turn, point.drawn[point.state.turn]
    if at < len(record.draws[seat]) and not isinstance(record.draws[seat][at], str):
        tile = tile_from_tenhou(int(record.draws[seat][at]))
        yield point.drew(seat).does(ev.Draw(seat, tile))


def _call(text: str) -> tuple[str, int, tuple[Tile, ...]]:
    """A call's letter, the place of the tile behind it, and all its tiles in the order written."""
    found = _CALL.search(text)
    if found is None:
        raise _bad(T('"%(text)s" is no call of a tenhou log', text=text))
    digits = text.replace(found.group(1), "")
    tiles = tuple(tile_from_tenhou(int(digits[at : at + 2])) for at in range(0, len(digits), 2))
    return found.group(1), found.start() // 2, tiles


def _source(seat: int, letter: str, place: int) -> int:
    """The seat that the called tile came from: its place among the tiles says so."""
    if letter == "c":
        return (seat + 3) % 4
    step = {0: 3, 1: 2}.get(place, 1)
    return (seat + step) % 4


def _end(record: _Record, point: _Point) -> _Point:
    """The outcome, its payments and the rotation."""
    what = record.result[0]
    if what == _WON:
        return _end_won(record, point)
    deltas = tuple(record.result[1]) if len(record.result) > 1 else (0,) * len(SEATS)
    state = point.state
    if state.phase == "claim" and state.offer and state.chairs[state.offer.actor].riichi == 1:
        point = point.does(ev.RiichiAccepted(state.offer.actor))
    exhausted = what in _DRAWS
    ready = waiting_seats(state) if exhausted else ()
    if not exhausted and what not in _ABORTS:
        raise _bad(T('"%(what)s" is no end of a hand', what=str(what)))
    point = point.does(ev.DrawnHand("exhausted" if exhausted else _ABORTS[what], ready))
    point = point.does(ev.Settle(deltas, point.state.sticks))
    return _rotate(point, HandResult("draw" if exhausted else "replay", (), ready))


def _end_won(record: _Record, point: _Point) -> _Point:
    results = [
        (tuple(record.result[at]), record.result[at + 1]) for at in range(1, len(record.result), 2)
    ]
    for _, (winner, loser, *_rest) in results:
        state = point.state
        chair, offer = state.chairs[winner], state.offer
        if winner == loser:
            by: Any = "kong-draw" if state.replacing == "kong" else "self-draw"
            pai = chair.drawn or chair.concealed[-1]
            hand = chair.concealed
        else:
            if offer is None:
                raise _bad(T("a hand is won on a tile that is not there"))
            by = "rob-kong" if offer.kong else "discard"
            pai, hand = offer.pai, tuple(sorted((*chair.concealed, offer.pai)))
        point = point.does(ev.Win(winner, loser, pai, by, hand, ura_markers=record.ura))
    for deltas, _ in results:
        point = point.does(ev.Settle(deltas, sticks_left(point.state, deltas)))
    return _rotate(point, HandResult("win", point.state.winners))


def _rotate(point: _Point, result: HandResult) -> _Point:
    state = point.state
    standing = after(state.flow, state.standing, result)
    stays = standing.east == state.standing.east
    honba = state.honba + 1 if stays or not state.winners else 0
    return point.does(
        ev.Rotate(standing.east, standing.round, standing.streak, honba, standing.over)
    )


def to_tenhou(line: Sequence[ev.Entry], rules: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A riichi game as a tenhou.net/6 object.

    Args:
        line: the entries that count.
        rules: the object's ``rule``, if not the usual one.

    Raises:
        companion.table.events.EventError: when a tile was not seen, or the game is no riichi.
    """
    names: list[str] = ["", "", "", ""]
    hands: list[_Writer] = []
    for entry in line:
        event = entry.event
        if isinstance(event, ev.StartGame):
            names = list(event.names)
        elif isinstance(event, ev.StartHand):
            hands.append(_Writer(event))
        elif hands:
            hands[-1].write(event)
    return {
        "title": ["", ""],
        "name": names,
        "rule": dict(rules or {"disp": "Gorrión", "aka": 1}),
        "log": [hand.result() for hand in hands],
    }


class _Writer:
    """One hand on its way out."""

    def __init__(self, begin: ev.StartHand) -> None:
        if begin.dora_marker is None:
            text = T(
                "this form is for riichi: a game by %(rules)s can't be written in it",
                rules=begin.profile,
            )
            raise ev.EventError(text, code="not_riichi", field="profile")
        self._begin = begin
        dealt = [list(hand) for hand in begin.hands]
        first = dealt[begin.east].pop()
        self._dealt = [[_number(tile) for tile in hand] for hand in dealt]
        self._draws: list[list[int | str]] = [[], [], [], []]
        self._discards: list[list[int | str]] = [[], [], [], []]
        self._draws[begin.east].append(_number(first))
        self._dora = [_number(begin.dora_marker)]
        self._ura: list[int] = []
        self._riichi: int | None = None
        self._wins: list[ev.Win] = []
        self._deltas: list[tuple[int, ...]] = []
        self._reason = ""
        self._sources: dict[tuple[int, Tile], tuple[int, int]] = {}

    def write(self, event: ev.Event) -> None:
        if isinstance(event, (ev.Draw, ev.ReplacementDraw)):
            self._draws[event.actor].append(_number(event.pai))
        elif isinstance(event, ev.Discard):
            number: int | str = _DRAWN if event.tsumogiri else _number(event.pai)
            if self._riichi == event.actor:
                number, self._riichi = f"r{number}", None
            self._discards[event.actor].append(number)
        elif isinstance(event, ev.Claim):
            self._claim(event)
        elif isinstance(event, ev.ConcealedKong):
            numbers = [_number(tile) for tile in event.consumed]
            self._discards[event.actor].append(_with_letter(numbers, 3, "a"))
        elif isinstance(event, ev.AddedKong):
            place = self._sources.get((event.actor, event.pai.kind), (0, 0))[0]
            numbers = [_number(tile) for tile in event.consumed]
            numbers.insert(place, _number(event.pai))
            self._discards[event.actor].append(_with_letter(numbers, place, "k"))
        elif isinstance(event, ev.Riichi):
            self._riichi = event.actor
        elif isinstance(event, ev.Dora):
            self._dora.append(_number(event.dora_marker))
        elif isinstance(event, ev.Win):
            self._wins.append(event)
            self._ura = [_number(tile) for tile in event.ura_markers] or self._ura
        elif isinstance(event, ev.DrawnHand):
            self._reason = event.reason
        elif isinstance(event, ev.Settle):
            self._deltas.append(event.deltas)

    def result(self) -> list[Any]:
        begin = self._begin
        kyoku = 4 * WINDS.index(begin.round) + begin.east
        rows: list[Any] = [[kyoku, begin.honba, begin.sticks], list(begin.scores)]
        rows += [self._dora, self._ura]
        for seat in SEATS:
            rows += [self._dealt[seat], self._draws[seat], self._discards[seat]]
        return [*rows, self._outcome()]

    def _outcome(self) -> list[Any]:
        if self._wins:
            outcome: list[Any] = [_WON]
            for win, deltas in zip(self._wins, self._deltas, strict=False):
                outcome += [list(deltas), [win.actor, win.target, win.actor]]
            return outcome
        names = {reason: word for word, reason in _ABORTS.items()}
        word = names.get(self._reason, "流局")
        return [word, list(self._deltas[0])] if self._deltas else [word]

    def _claim(self, event: ev.Claim) -> None:
        step = (event.target - event.actor) % 4
        letter = {"chi": "c", "pon": "p", "daiminkan": "m"}[event.type]
        place = 0 if letter == "c" else {3: 0, 2: 1}.get(step, len(event.consumed))
        numbers = [_number(tile) for tile in event.consumed]
        numbers.insert(place, _number(event.pai))
        self._draws[event.actor].append(_with_letter(numbers, place, letter))
        self._sources[(event.actor, event.pai.kind)] = (place, event.target)
        if letter == "m":
            self._discards[event.actor].append(0)


def _with_letter(numbers: Sequence[int], place: int, letter: str) -> str:
    words = [str(number) for number in numbers]
    words.insert(place, letter)
    return "".join(words)


def _number(tile: Tile) -> int:
    if not tile.suit:
        text = T(
            "a tile of this game was not seen: a tenhou log needs every hand and every draw; "
            "export it as mjai or as Gorrión's own log instead"
        )
        raise ev.EventError(text, code="unseen_tile", field="pai")
    return tile_to_tenhou(tile)


def _one_more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])


def _bad(text: T) -> ev.EventError:
    return ev.EventError(text, code="bad_log", field="log")

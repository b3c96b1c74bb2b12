"""tenhou.net/6 logs on their way in: the order of the turns is found, and with it the events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.reasons import json_says
from companion.table import events as ev
from companion.table.fold import apply
from companion.table.mjai import sticks_left, waiting_seats
from companion.table.rotating import rotation
from companion.table.state import SEATS, State
from companion.table.tenhou.words import (
    ABORTS,
    DRAWN,
    DRAWS,
    WON,
    bad_log,
    read_call,
    tile_from_tenhou,
)
from companion.table.wire import WRONG_FORM, check_types, form_says
from companion.text import T
from companion.tiles import WINDS, Tile


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
    except (ValueError, RecursionError) as error:
        raise bad_log(T("this is not JSON: %(detail)s", detail=json_says(error))) from error
    try:
        names, rounds = value.get("name", [""] * 4), value["log"]
        begin = ev.StartGame(tuple(names), start.profile, start.profile_hash, tuple(rounds[0][1]))
        check_types(begin)
        events: list[ev.Event] = [begin]
        state = apply(start, begin)
        for number, hand in enumerate(rounds, 1):
            played = _play(_Record.read(hand), state)
            if played is None:
                text_ = T(
                    "hand %(number)s can't be followed to its end: a list is wrong", number=number
                )
                raise bad_log(text_)
            state, new = played
            events += new
        # How many rounds are played, the log says by where it ends.
        for at, event in enumerate(events):
            if isinstance(event, ev.Rotate):
                events[at] = replace(event, over=at == len(events) - 1)
    except WRONG_FORM as error:
        raise bad_log(
            T("this is no log of the form tenhou.net/6: %(detail)s", detail=form_says(error))
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
        check_types(event)
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
        letter, place, tiles = read_call(given)
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
    tile = drawn if given == DRAWN and drawn is not None else tile_from_tenhou(given)
    point = point.does(ev.Discard(seat, tile, given == DRAWN))
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
        letter, place, tiles = read_call(given)
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


def _source(seat: int, letter: str, place: int) -> int:
    """The seat that the called tile came from: its place among the tiles says so."""
    if letter == "c":
        return (seat + 3) % 4
    step = {0: 3, 1: 2}.get(place, 1)
    return (seat + step) % 4


def _end(record: _Record, point: _Point) -> _Point:
    """The outcome, its payments and the rotation."""
    what = record.result[0]
    if what == WON:
        return _end_won(record, point)
    deltas = tuple(record.result[1]) if len(record.result) > 1 else (0,) * len(SEATS)
    point = _accept_riichi(point)
    exhausted = what in DRAWS
    ready = waiting_seats(point.state) if exhausted else ()
    if not exhausted and what not in ABORTS:
        raise bad_log(T('"%(what)s" is no end of a hand', what=str(what)))
    point = point.does(ev.DrawnHand("exhausted" if exhausted else ABORTS[what], ready))
    point = point.does(ev.Settle(deltas, point.state.sticks))
    return point.does(rotation(point.state))


def _accept_riichi(point: _Point) -> _Point:
    """The stick of a riichi said with the last discard is on the table: nobody is paid for it."""
    state = point.state
    if state.phase == "claim" and state.offer and state.chairs[state.offer.actor].riichi == 1:
        return point.does(ev.RiichiAccepted(state.offer.actor))
    return point


def _end_won(record: _Record, point: _Point) -> _Point:
    results = [
        (tuple(record.result[at]), record.result[at + 1]) for at in range(1, len(record.result), 2)
    ]
    if point.state.flow.claims.draws_hand(len(results)):
        point = _accept_riichi(point)
    for _, (winner, loser, *_rest) in results:
        state = point.state
        chair, offer = state.chairs[winner], state.offer
        if winner == loser:
            by: Any = "kong-draw" if state.replacing == "kong" else "self-draw"
            pai = chair.drawn or chair.concealed[-1]
            hand = chair.concealed
        else:
            if offer is None:
                raise bad_log(T("a hand is won on a tile that is not there"))
            by = "rob-kong" if offer.kong else "discard"
            pai, hand = offer.pai, tuple(sorted((*chair.concealed, offer.pai)))
        point = point.does(ev.Win(winner, loser, pai, by, hand, ura_markers=record.ura))
    for deltas, _ in results:
        point = point.does(ev.Settle(deltas, sticks_left(point.state, deltas)))
    return point.does(rotation(point.state))


def _one_more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])

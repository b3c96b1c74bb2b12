"""tenhou.net/6 logs on their way out: what each seat drew and discarded, hand by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.table import events as ev
from companion.table.mjai import payments_by_end
from companion.table.state import SEATS
from companion.table.tenhou.words import ABORTS, DRAWN, WON, tile_to_tenhou
from companion.text import T
from companion.tiles import WINDS, Tile


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
        self._settlements: list[ev.Settle] = []
        self._reason = ""
        self._sources: dict[tuple[int, Tile], tuple[int, int]] = {}

    def write(self, event: ev.Event) -> None:
        if isinstance(event, (ev.Draw, ev.ReplacementDraw)):
            self._draws[event.actor].append(_number(event.pai))
        elif isinstance(event, ev.Discard):
            number: int | str = DRAWN if event.tsumogiri else _number(event.pai)
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
            self._settlements.append(event)

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
            outcome: list[Any] = [WON]
            paid = payments_by_end(len(self._wins), self._settlements)
            for win, deltas in zip(self._wins, paid, strict=True):
                outcome += [list(deltas), [win.actor, win.target, win.actor]]
            return outcome
        names = {reason: word for word, reason in ABORTS.items()}
        word = names.get(self._reason, "流局")
        return [word, *(list(each.deltas) for each in self._settlements[:1])]

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

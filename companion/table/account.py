"""A hand told in sentences: what each event was, for people.

The sentences are `Text`; who reads them in which language is for the page and the terminal to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from companion.table import events as ev
from companion.table.events import Entry
from companion.table.fold import apply
from companion.table.people import who
from companion.table.state import SEATS, State
from companion.text import Param, T
from companion.tiles import WIND_NAMES, Tile

_REASONS: Final = {
    "exhausted": T("Nobody wins: the wall is used up."),
    "replay": T("The hand is played again."),
    "nine-terminals": T("Nobody wins: nine terminals and honours at the first draw."),
    "four-winds": T("Nobody wins: four equal winds were discarded first."),
    "four-kongs": T("Nobody wins: four kongs by several players."),
    "four-riichi": T("Nobody wins: four players in riichi."),
    "triple-win": T("Nobody wins: several players win on one tile."),
}
_PENALTIES: Final = {
    "false-win": T("false win"),
    "wrong-count": T("wrong number of tiles"),
    "chombo": T("chombo"),
}


def tell(entries: Iterable[Entry], state: State) -> Iterator[tuple[Entry, T]]:
    """Each entry with its sentence; entries that say nothing to people are left out.

    Args:
        entries: the entries that count (`companion.table.log.effective`).
        state: the table before the first of them.
    """
    for entry in entries:
        sentence = sentence_of(state, entry.event)
        state = apply(state, entry.event, entry.ref)
        if sentence is not None:
            yield entry, sentence


def sentence_of(state: State, event: ev.Event) -> T | None:
    """What an event means, seen from the table before it; None when it says nothing to people."""
    tells = _SENTENCES.get(type(event))
    return tells(state, event) if tells else None


def _start_game(state: State, event: ev.StartGame) -> T:
    return T("The match begins: %(names)s.", names=tuple(name for name in event.names if name))


def _start_hand(state: State, event: ev.StartHand) -> T:
    east = state.names[event.east] or T("seat %(seat)s", seat=event.east)
    return T(
        "Hand %(number)s, %(round)s round: %(east)s is East.",
        number=len(state.history) + 1,
        round=WIND_NAMES[event.round],
        east=east,
    )


def _draw(state: State, event: ev.Draw) -> T:
    if event.pai.suit:
        return T("%(who)s draws %(tile)s.", who=who(state, event.actor), tile=event.pai)
    return T("%(who)s draws.", who=who(state, event.actor))


def _replacement(state: State, event: ev.ReplacementDraw) -> T:
    if event.pai.suit:
        return T(
            "%(who)s draws %(tile)s as a replacement.",
            who=who(state, event.actor),
            tile=event.pai,
        )
    return T("%(who)s draws a replacement.", who=who(state, event.actor))


def _flower(state: State, event: ev.Flower) -> T:
    return T("%(who)s lays %(tile)s open.", who=who(state, event.actor), tile=event.pai)


def _discard(state: State, event: ev.Discard) -> T:
    if state.chairs[event.actor].riichi == 1:
        return T(
            "%(who)s says riichi and discards %(tile)s.",
            who=who(state, event.actor),
            tile=event.pai,
        )
    if event.tsumogiri:
        return T(
            "%(who)s discards %(tile)s, just drawn.", who=who(state, event.actor), tile=event.pai
        )
    return T("%(who)s discards %(tile)s.", who=who(state, event.actor), tile=event.pai)


def _claim(state: State, event: ev.Claim) -> T:
    sentence = {
        "chi": T("%(who)s claims a chow from %(target)s: %(tiles)s."),
        "pon": T("%(who)s claims a pung from %(target)s: %(tiles)s."),
        "daiminkan": T("%(who)s claims a kong from %(target)s: %(tiles)s."),
    }[event.type]
    return _with(
        sentence,
        who=who(state, event.actor),
        target=who(state, event.target),
        tiles=_names((*event.consumed, event.pai)),
    )


def _concealed_kong(state: State, event: ev.ConcealedKong) -> T:
    return T(
        "%(who)s declares a concealed kong of %(tile)s.",
        who=who(state, event.actor),
        tile=event.consumed[0],
    )


def _added_kong(state: State, event: ev.AddedKong) -> T:
    return T(
        "%(who)s adds %(tile)s to the pung: a kong.", who=who(state, event.actor), tile=event.pai
    )


def _riichi_accepted(state: State, event: ev.RiichiAccepted) -> T:
    stake = state.flow.riichi.stick if event.stake is None else event.stake
    return T("%(who)s lays a stick of %(stake)s.", who=who(state, event.actor), stake=stake)


def _dora(state: State, event: ev.Dora) -> T:
    return T("A new indicator is turned over: %(tile)s.", tile=event.dora_marker)


def _win(state: State, event: ev.Win) -> T:
    if event.can_win is False:
        return T(
            "%(who)s says that he wins on %(tile)s, but the hand can't win.",
            who=who(state, event.actor),
            tile=event.pai,
        )
    how = {
        "discard": T("%(who)s wins on %(tile)s, discarded by %(target)s."),
        "self-draw": T("%(who)s draws %(tile)s and wins."),
        "rob-kong": T("%(who)s robs %(target)s's kong of %(tile)s and wins."),
        "kong-draw": T("%(who)s wins on the replacement for the kong, %(tile)s."),
    }[event.by]
    sentence = _with(
        how, who=who(state, event.actor), tile=event.pai, target=who(state, event.target)
    )
    if event.computed is None:
        return sentence
    if event.claimed is not None and event.claimed != event.computed:
        return T(
            "%(sentence)s Declared %(claimed)s, counted %(worth)s.",
            sentence=sentence,
            claimed=event.claimed,
            worth=event.computed,
        )
    return T("%(sentence)s Worth %(worth)s.", sentence=sentence, worth=event.computed)


def _drawn_hand(state: State, event: ev.DrawnHand) -> T:
    return _REASONS.get(event.reason, T("Nobody wins."))


def _settle(state: State, event: ev.Settle) -> T | None:
    signed = [f"{delta:+d}" for delta in event.deltas]
    moved = tuple(
        T("%(who)s %(delta)s", who=who(state, seat), delta=signed[seat])
        for seat in SEATS
        if event.deltas[seat]
    )
    return T("Settled: %(moved)s.", moved=moved) if moved else T("Nothing is paid.")


def _rotate(state: State, event: ev.Rotate) -> T:
    if event.over:
        return T("The match is over.")
    east = state.names[event.east] or T("seat %(seat)s", seat=event.east)
    if event.east == state.standing.east:
        return T("%(east)s stays East.", east=east)
    return T("The winds rotate: %(east)s is East.", east=east)


def _penalty(state: State, event: ev.Penalty) -> T:
    return T(
        "%(who)s pays for an error: %(kind)s.",
        who=who(state, event.actor),
        kind=_PENALTIES.get(event.kind, event.kind),
    )


def _names(tiles: tuple[Tile, ...]) -> Param:
    return tuple(sorted(tiles))


def _with(sentence: T, **params: Param) -> T:
    """A sentence that was written without its parameters."""
    return T(sentence.msgid, **params)


_SENTENCES: Final[dict[type[ev.Event], Callable[[State, Any], T | None]]] = {
    ev.StartGame: _start_game,
    ev.StartHand: _start_hand,
    ev.Draw: _draw,
    ev.ReplacementDraw: _replacement,
    ev.Flower: _flower,
    ev.Discard: _discard,
    ev.Chow: _claim,
    ev.Pung: _claim,
    ev.ClaimedKong: _claim,
    ev.ConcealedKong: _concealed_kong,
    ev.AddedKong: _added_kong,
    ev.RiichiAccepted: _riichi_accepted,
    ev.Dora: _dora,
    ev.Win: _win,
    ev.DrawnHand: _drawn_hand,
    ev.Settle: _settle,
    ev.Rotate: _rotate,
    ev.Penalty: _penalty,
}

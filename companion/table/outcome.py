"""The end of a hand, as the events tell it: wins, drawn hands, payments, the passing on of the winds.

`companion.table.fold` applies what is played before it; like there, an event is applied as far as it
makes sense.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.flow import Standing
from companion.table import events as ev
from companion.table.lay import without_robbed
from companion.table.state import Chair, HandRecord, State, Won
from companion.table.winning import circumstances_of, hand_of


def win(state: State, event: ev.Win) -> State:
    """The winner shows his hand, and the hand is over; after a win that the rules refuse, he only shows it."""
    chair = state.chairs[event.actor]
    if event.can_win is False:
        return state.with_chair(event.actor, replace(chair, shown=True))
    taken = event.actor != event.target
    won = _won(state, event, chair)
    first = not state.wins
    if taken and first:
        state = (
            _robbed(state, event)
            if event.by == "rob-kong"
            else state.discard_taken(event.actor, event.pai, event.target)
        )
    chair = replace(chair, concealed=won.hand.concealed, shown=True)
    if taken and not first:
        # One tile can lie in one hand only: with the winner who was nearest.
        chair = chair.give(event.pai) or chair
    state = replace(
        state.with_chair(event.actor, chair), phase="won", wins=(*state.wins, won), window=()
    )
    if first:
        record = _record(state, winners=(won.seat,), loser=won.loser, worth=(event.computed,))
        return replace(state, history=(*state.history, record))
    last = state.history[-1]
    last = replace(last, winners=state.winners, worth=(*last.worth, event.computed))
    return replace(state, history=(*state.history[:-1], last))


def _won(state: State, event: ev.Win, chair: Chair) -> Won:
    taken = event.pai if event.actor != event.target else None
    hand = hand_of(chair, taken)
    if event.hand:
        hand = replace(hand, concealed=event.hand, winning=event.pai)
    return Won(
        event.actor,
        event.target if taken else None,
        hand,
        circumstances_of(state, event.actor, taken, event.ura_markers),
        event.claimed,
    )


def drawn_hand(state: State, event: ev.DrawnHand) -> State:
    """Nobody has won; who was ready shows his hand."""
    for seat in event.tenpai:
        state = state.with_chair(seat, replace(state.chairs[seat], shown=True))
    record = _record(state, reason=event.reason)
    return replace(state, phase="drawn", offer=None, window=(), history=(*state.history, record))


def settle(state: State, event: ev.Settle) -> State:
    """Points move, and are kept with the hand that they were paid for."""
    phase = "settled" if state.phase in {"won", "drawn"} else state.phase
    state = replace(state.moved(event.deltas), sticks=event.sticks, phase=phase)
    return _add_to_record(state, event.deltas) if phase == "settled" else state


def rotate(state: State, event: ev.Rotate) -> State:
    """The winds pass on to the next hand, or the match is over."""
    standing = Standing(
        round=event.round,
        east=event.east,
        first_east=state.standing.first_east,
        hands=state.standing.hands + 1,
        streak=event.streak,
        over=event.over,
    )
    return replace(
        state,
        standing=standing,
        honba=event.honba,
        phase="over" if event.over else "before",
        offer=None,
    )


def penalty(state: State, event: ev.Penalty) -> State:
    """Points move for a fault, which may also cost the right to win."""
    chair = state.chairs[event.actor]
    chair = replace(chair, dead=chair.dead or event.dead)
    return state.with_chair(event.actor, chair).moved(event.deltas)


def end_game(state: State, event: ev.EndGame) -> State:
    """The match is over, with the scores that the event tells, if it tells any."""
    return replace(state, phase="over", scores=event.scores or state.scores)


def _robbed(state: State, event: ev.Win) -> State:
    chair = state.chairs[event.target]
    melds = tuple(
        without_robbed(laid, event.pai) if laid.meld.is_kong and event.pai in laid.tiles else laid
        for laid in chair.melds
    )
    return state.with_chair(event.target, replace(chair, melds=melds))


def _record(state: State, **how: Any) -> HandRecord:
    return HandRecord(
        number=len(state.history) + 1,
        round=state.standing.round_wind,
        east=state.standing.east,
        **how,
    )


def _add_to_record(state: State, deltas: tuple[int, ...]) -> State:
    if not state.history:
        return state
    last = state.history[-1]
    return replace(state, history=(*state.history[:-1], last.moved(deltas)))

"""State = fold(events): what each event does to the table.

An event is always applied as far as it makes sense, even if the rules forbid it: the table may have been
seen half, and a person can repair it later. What is wrong is said by `companion.table.referee`, and kept
in `State.flags`. The events that end a hand, from the win to the passing on of the winds, are told in
`companion.table.outcome`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from companion.meld import Meld
from companion.table import events as ev
from companion.table import outcome
from companion.table.lay import lay_added, lay_claimed, lay_concealed
from companion.table.referee import check
from companion.table.state import (
    SEATS,
    Chair,
    Discarded,
    Flag,
    LaidMeld,
    Offer,
    State,
    is_pung_of,
)
from companion.table.winning import is_complete
from companion.tiles import WINDS, Tile


def fold(state: State, entries: Iterable[ev.Entry]) -> State:
    """The state after all the entries, from `state` on."""
    for entry in entries:
        state = apply(state, entry.event, entry.ref)
    return state


def apply(state: State, event: ev.Event, ref: str = "") -> State:
    """The state after one event; `ref` is what its flags will refer to."""
    flags = tuple(Flag(flag.code, flag.text, ref) for flag in check(state, event))
    return _HANDLERS[type(event)](state, event).flagged(flags)


def _start_game(state: State, event: ev.StartGame) -> State:
    return State(
        state.flow,
        state.shapes,
        event.profile,
        event.profile_hash,
        names=event.names,
        scores=event.scores,
        rounds=event.rounds,
    )


def _start_hand(state: State, event: ev.StartHand) -> State:
    standing = state.standing
    if (standing.round_wind, standing.east) != (event.round, event.east):
        standing = replace(standing, round=WINDS.index(event.round), east=event.east)
    chairs = tuple(
        Chair(
            concealed=tuple(sorted(tiles)),
            drawn=tiles[-1] if seat == event.east and len(tiles) == 14 else None,
            draws=int(seat == event.east),
        )
        for seat, tiles in enumerate(event.hands)
    )
    return replace(
        state,
        profile=event.profile,
        profile_hash=event.profile_hash,
        scores=event.scores,
        standing=standing,
        honba=event.honba,
        sticks=event.sticks,
        phase="discard",
        turn=event.east,
        chairs=chairs,
        drawn=sum(len(tiles) for tiles in event.hands),
        replaced=0,
        dora=(event.dora_marker,) if event.dora_marker else (),
        dora_due=0,
        offer=None,
        window=(),
        claims=0,
        kongs=0,
        pool=(),
        dice=event.dice,
        due=0,
        replacing="",
        wins=(),
        flags=(),
    )


def _draw(state: State, event: ev.Draw) -> State:
    state = _let_pass(state)
    chair = state.chairs[event.actor].take(event.pai)
    chair = replace(
        chair, drawn=event.pai, draws=chair.draws + 1, furiten=chair.furiten.turn_taken()
    )
    state = replace(state, phase="discard", turn=event.actor, drawn=state.drawn + 1, replacing="")
    return state.with_chair(event.actor, chair)


def _replacement_draw(state: State, event: ev.ReplacementDraw) -> State:
    state = _let_pass(state)
    if event.reason == "kong":
        state = _end_ippatsu(state)
    chair = replace(state.chairs[event.actor].take(event.pai), drawn=event.pai)
    state = replace(
        state,
        replaced=state.replaced + 1,
        due=max(0, state.due - 1),
        replacing="kong" if state.replacing == "kong" else event.reason,
    ).with_chair(event.actor, chair)
    if state.due:
        return state
    # Before the first discard the others replace what they were dealt, and East is still to discard.
    turn = event.actor if chair.count >= 14 else state.standing.east
    return replace(state, phase="discard", turn=turn)


def _flower(state: State, event: ev.Flower) -> State:
    chair = state.chairs[event.actor]
    chair = replace(
        chair.give(event.pai) or chair, bonus=tuple(sorted((*chair.bonus, event.pai))), drawn=None
    )
    due = state.due + 1 if state.phase == "replace" and state.turn == event.actor else 1
    state = replace(state, phase="replace", turn=event.actor, due=due, offer=None)
    return state.with_chair(event.actor, chair)


def _discard(state: State, event: ev.Discard) -> State:
    chair = state.chairs[event.actor]
    discarded = Discarded(
        event.pai, event.actor, len(state.pool), event.tsumogiri, riichi=chair.riichi == 1
    )
    chair = replace(
        chair.give(event.pai) or chair,
        discards=(*chair.discards, discarded),
        drawn=None,
        furiten=chair.furiten.turn_taken(),
        ippatsu=chair.ippatsu and chair.riichi != 2,
    )
    state = replace(
        state,
        phase="claim",
        replacing="",
        turn=(event.actor + 1) % len(SEATS),
        offer=Offer(event.actor, event.pai),
        pool=(*state.pool, discarded),
        due=0,
    )
    return state.with_chair(event.actor, chair)


def _claim(state: State, event: ev.Claim) -> State:
    kind = event.kind
    laid = lay_claimed(state.flow, kind, event.consumed, event.pai, event.actor, event.target)
    if state.phase == "discard":
        state = _return_drawn(state)
    state = _let_pass(state.discard_taken(event.actor, event.pai, event.target))
    state = _end_ippatsu(_lay(state, event.actor, laid, event.consumed))
    state = replace(state, replacing="")
    if kind != "kong":
        return replace(state, phase="discard", turn=event.actor, claims=state.claims + 1)
    offer = (
        Offer(event.actor, event.pai, "claimed") if state.flow.claims.rob == "declared" else None
    )
    return _after_kong(state, event.actor, offer)


def _concealed_kong(state: State, event: ev.ConcealedKong) -> State:
    state = _lay(state, event.actor, lay_concealed(state.flow, event.consumed), event.consumed)
    robbable = state.flow.claims.rob_concealed_orphans
    offer = Offer(event.actor, event.consumed[0], "concealed") if robbable else None
    return _after_kong(state, event.actor, offer)


def _added_kong(state: State, event: ev.AddedKong) -> State:
    chair = state.chairs[event.actor]
    chair = replace(chair.give(event.pai) or chair, drawn=None)
    melds = list(chair.melds)
    at = next((at for at, laid in enumerate(melds) if is_pung_of(laid, event.pai)), None)
    if at is not None:
        grown = lay_added(state.flow, melds[at], event.pai)
        melds[at] = replace(grown, made=state.claims)
    else:  # The pung was never seen: its tiles were in the hand.
        for tile in event.consumed:
            chair = chair.give(tile) or chair
        pung = LaidMeld(Meld("pung", event.consumed), event.consumed, ("up",) * 3)
        melds.append(replace(lay_added(state.flow, pung, event.pai), made=state.claims))
    chair = replace(chair, melds=tuple(melds))
    offer = Offer(event.actor, event.pai, "added") if state.flow.claims.rob != "none" else None
    return _after_kong(state.with_chair(event.actor, chair), event.actor, offer)


def _after_kong(state: State, actor: int, offer: Offer | None) -> State:
    return replace(
        state,
        phase="replace",
        turn=actor,
        due=1,
        offer=offer,
        claims=state.claims + 1,
        kongs=state.kongs + 1,
        dora_due=state.dora_due + (state.flow.dora.shown > 0),
    )


def _riichi(state: State, event: ev.Riichi) -> State:
    chair = state.chairs[event.actor]
    first = state.claims == 0 and not chair.discards
    chair = replace(chair, riichi=1, double_riichi=first)
    return state.with_chair(event.actor, chair)


def _riichi_accepted(state: State, event: ev.RiichiAccepted) -> State:
    chair = replace(state.chairs[event.actor], riichi=2, ippatsu=True)
    state = state.with_chair(event.actor, chair)
    stake = state.flow.riichi.stick if event.stake is None else event.stake
    deltas = tuple(-stake if seat == event.actor else 0 for seat in SEATS)
    return replace(state.moved(deltas), sticks=state.sticks + 1)


def _dora(state: State, event: ev.Dora) -> State:
    return replace(
        state, dora=(*state.dora, event.dora_marker), dora_due=max(0, state.dora_due - 1)
    )


def _claim_window(state: State, event: ev.ClaimWindow) -> State:
    return replace(state, window=event.seats if event.open else ())


def _unchanged(state: State, event: ev.Event) -> State:
    return state


def _lay(state: State, actor: int, laid: LaidMeld, from_hand: tuple[Tile, ...]) -> State:
    chair = state.chairs[actor]
    for tile in from_hand:
        chair = chair.give(tile) or chair
    laid = replace(laid, made=state.claims)
    chair = replace(chair, melds=(*chair.melds, laid), drawn=None)
    return replace(state.with_chair(actor, chair), offer=None)


def _end_ippatsu(state: State) -> State:
    """A claim or a completed kong: nobody's riichi can be won "at once" any more."""
    chairs = tuple(
        replace(chair, ippatsu=False) if chair.ippatsu else chair for chair in state.chairs
    )
    return replace(state, chairs=chairs)


def _return_drawn(state: State) -> State:
    """A claim after the next player has drawn: the drawn tile goes back to the wall."""
    chair = state.chairs[state.turn]
    if chair.drawn is None:
        return state
    chair = replace(chair.give(chair.drawn) or chair, drawn=None, draws=chair.draws - 1)
    return replace(state.with_chair(state.turn, chair), drawn=state.drawn - 1)


def _let_pass(state: State) -> State:
    """Nobody won on the offered tile: whoever could have is furiten."""
    offer = state.offer
    if offer is None:
        return state
    if state.flow.discards.furiten and offer.kong != "concealed":
        for seat in SEATS:
            chair = state.chairs[seat]
            if seat != offer.actor and is_complete(state, seat, offer.pai):
                furiten = chair.furiten.passed(in_riichi=chair.riichi == 2)
                state = state.with_chair(seat, replace(chair, furiten=furiten))
    return replace(state, offer=None, window=())


_HANDLERS: Final[dict[type[ev.Event], Callable[[State, Any], State]]] = {
    ev.StartGame: _start_game,
    ev.StartHand: _start_hand,
    ev.Draw: _draw,
    ev.ReplacementDraw: _replacement_draw,
    ev.Flower: _flower,
    ev.Discard: _discard,
    ev.Chow: _claim,
    ev.Pung: _claim,
    ev.ClaimedKong: _claim,
    ev.ConcealedKong: _concealed_kong,
    ev.AddedKong: _added_kong,
    ev.Riichi: _riichi,
    ev.RiichiAccepted: _riichi_accepted,
    ev.Dora: _dora,
    ev.ClaimWindow: _claim_window,
    ev.Win: outcome.win,
    ev.DrawnHand: outcome.drawn_hand,
    ev.Settle: outcome.settle,
    ev.Rotate: outcome.rotate,
    ev.Penalty: outcome.penalty,
    ev.Observation: _unchanged,
    ev.Correction: _unchanged,
    ev.EndGame: outcome.end_game,
}

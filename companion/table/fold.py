"""State = fold(events): what each event does to the table.

An event is always applied as far as it makes sense, even if the rules forbid it: the table may have been
seen half, and a person can repair it later. What is wrong is said by `companion.table.referee`, and kept
in `State.flags`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from companion.meld import Meld
from companion.rules.flow import Standing
from companion.table import events as ev
from companion.table.lay import lay_added, lay_claimed, lay_concealed, without_robbed
from companion.table.referee import check
from companion.table.state import (
    SEATS,
    Chair,
    Discarded,
    Flag,
    HandRecord,
    LaidMeld,
    Offer,
    State,
    Won,
    is_pung_of,
)
from companion.table.winning import circumstances_of, hand_of, is_complete
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
    state = _let_pass(_mark_claimed(state, event.actor, event.pai, event.target))
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
        melds[at] = lay_added(state.flow, melds[at], event.pai)
    else:  # The pung was never seen: its tiles were in the hand.
        for tile in event.consumed:
            chair = chair.give(tile) or chair
        pung = LaidMeld(Meld("pung", event.consumed), event.consumed, ("up",) * 3)
        melds.append(lay_added(state.flow, pung, event.pai))
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
    deltas = tuple(-event.stake if seat == event.actor else 0 for seat in SEATS)
    return replace(state, scores=_added(state.scores, deltas), sticks=state.sticks + 1)


def _dora(state: State, event: ev.Dora) -> State:
    return replace(
        state, dora=(*state.dora, event.dora_marker), dora_due=max(0, state.dora_due - 1)
    )


def _claim_window(state: State, event: ev.ClaimWindow) -> State:
    return replace(state, window=event.seats if event.open else ())


def _win(state: State, event: ev.Win) -> State:
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
            else _mark_claimed(state, event.actor, event.pai, event.target)
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


def _drawn_hand(state: State, event: ev.DrawnHand) -> State:
    for seat in event.tenpai:
        state = state.with_chair(seat, replace(state.chairs[seat], shown=True))
    record = _record(state, reason=event.reason)
    return replace(state, phase="drawn", offer=None, window=(), history=(*state.history, record))


def _settle(state: State, event: ev.Settle) -> State:
    phase = "settled" if state.phase in {"won", "drawn"} else state.phase
    state = replace(
        state, scores=_added(state.scores, event.deltas), sticks=event.sticks, phase=phase
    )
    return _add_to_record(state, event.deltas) if phase == "settled" else state


def _rotate(state: State, event: ev.Rotate) -> State:
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


def _penalty(state: State, event: ev.Penalty) -> State:
    chair = state.chairs[event.actor]
    chair = replace(chair, dead=chair.dead or event.dead)
    return replace(state.with_chair(event.actor, chair), scores=_added(state.scores, event.deltas))


def _end_game(state: State, event: ev.EndGame) -> State:
    return replace(state, phase="over", scores=event.scores or state.scores)


def _unchanged(state: State, event: ev.Event) -> State:
    return state


def _lay(state: State, actor: int, laid: LaidMeld, from_hand: tuple[Tile, ...]) -> State:
    chair = state.chairs[actor]
    for tile in from_hand:
        chair = chair.give(tile) or chair
    chair = replace(chair, melds=(*chair.melds, laid), drawn=None)
    return replace(state.with_chair(actor, chair), offer=None)


def _mark_claimed(state: State, actor: int, pai: Tile, target: int) -> State:
    """The discard on offer leaves the pool for the claimer."""
    if not state.pool or state.pool[-1].actor != target or state.pool[-1].pai is not pai:
        return state
    taken = replace(state.pool[-1], claimed_by=actor)
    chair = state.chairs[target]
    chair = replace(chair, discards=(*chair.discards[:-1], taken))
    return replace(state.with_chair(target, chair), pool=(*state.pool[:-1], taken))


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


def _robbed(state: State, event: ev.Win) -> State:
    chair = state.chairs[event.target]
    melds = tuple(
        without_robbed(laid, event.pai) if laid.meld.is_kong and event.pai in laid.tiles else laid
        for laid in chair.melds
    )
    return state.with_chair(event.target, replace(chair, melds=melds))


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
    last = replace(last, deltas=_added(last.deltas, deltas))
    return replace(state, history=(*state.history[:-1], last))


def _added(scores: tuple[int, ...], deltas: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(score + delta for score, delta in zip(scores, deltas, strict=True))


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
    ev.Win: _win,
    ev.DrawnHand: _drawn_hand,
    ev.Settle: _settle,
    ev.Rotate: _rotate,
    ev.Penalty: _penalty,
    ev.Observation: _unchanged,
    ev.Correction: _unchanged,
    ev.EndGame: _end_game,
}

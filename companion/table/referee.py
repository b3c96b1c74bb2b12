"""The referee: whether an event fits the rules and the table as it stands, and why not.

What does not fit is a flag, never an exception: an observed table may be illegal and must still be shown.
Whether a hand is worth enough to win is for `companion.rules`; the event carries the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from companion.rules.flow import (
    may_claim,
    may_rob,
    may_win_by_discard,
    replacement_left,
)
from companion.rules.shanten import shanten
from companion.table import events as ev
from companion.table.aborts import ABORT_WORDS, abort_due, is_justified
from companion.table.faults import (
    barred_discards,
    flag,
    has_drawn,
    held,
    kong_possible,
    not_his_turn,
    own_turn,
    shape,
    too_many,
    wrong_count,
)
from companion.table.lay import lay_concealed
from companion.table.people import who
from companion.table.state import SEATS, Chair, Flag, State, is_pung_of
from companion.table.winning import hand_of, is_known_to_be_none, ready_tiles
from companion.text import T
from companion.tiles import Tile


def check(state: State, event: ev.Event) -> tuple[Flag, ...]:
    """Everything about an event that does not fit, seen from the state before it."""
    rule = _RULES.get(type(event))
    return tuple(rule(state, event)) if rule else ()


def _start_hand(state: State, event: ev.StartHand) -> Iterator[Flag]:
    if state.in_hand:
        yield flag("hand_not_over", T("a hand begins while another is still being played"))
    for seat in SEATS:
        wanted = 14 if seat == event.east else 13
        held = len(event.hands[seat]) if seat < len(event.hands) else 0
        if held != wanted:
            text = T(
                "%(who)s was dealt %(held)s tiles instead of %(wanted)s",
                who=who(state, seat, event.east),
                held=held,
                wanted=wanted,
            )
            yield flag("wrong_count", text)


def _draw(state: State, event: ev.Draw) -> Iterator[Flag]:
    name = who(state, event.actor)
    if state.phase != "claim":
        yield flag("no_draw_due", T("%(who)s draws, but no draw is due", who=name))
    elif event.actor != state.turn:
        yield not_his_turn(state, event.actor)
    abort = abort_due(state)
    if abort is not None:
        yield flag(
            "abort_due",
            T("%(who)s draws, but the hand is over: %(why)s", who=name, why=ABORT_WORDS[abort]),
        )
    if state.wall.live == 0:
        yield flag("wall_empty", T("%(who)s draws, but no tile is left in the wall", who=name))
    yield from too_many(state, event.pai)


def _replacement(state: State, event: ev.ReplacementDraw) -> Iterator[Flag]:
    name = who(state, event.actor)
    if state.phase != "replace" or state.due == 0:
        text = T("%(who)s takes a replacement, but none is due", who=name)
        yield flag("no_replacement_due", text)
    elif event.actor != state.turn:
        yield not_his_turn(state, event.actor)
    if not replacement_left(state.flow, state.wall):
        text = T("%(who)s takes a replacement, but none is left", who=name)
        yield flag("no_replacement_left", text)
    yield from too_many(state, event.pai)


def _flower(state: State, event: ev.Flower) -> Iterator[Flag]:
    if not event.pai.is_bonus:
        text = T("%(tile)s is no flower or season", tile=event.pai)
        yield flag("not_a_bonus_tile", text)
    yield from held(state, event.actor, (event.pai,))
    replacing_the_deal = not state.pool and state.phase in {"discard", "replace"}
    if event.actor != state.turn and not replacing_the_deal:
        yield not_his_turn(state, event.actor)


def _discard(state: State, event: ev.Discard) -> Iterator[Flag]:
    chair = state.chairs[event.actor]
    if state.phase == "replace" and event.actor == state.turn:
        text = T("%(who)s discards before the replacement is drawn", who=who(state, event.actor))
        yield flag("replacement_missing", text)
    elif state.phase != "discard" or event.actor != state.turn:
        yield not_his_turn(state, event.actor)
    elif chair.count != 14:
        yield wrong_count(state, event.actor, chair, 14)
    yield from held(state, event.actor, (event.pai,))
    if event.pai.is_bonus:
        text = T("%(tile)s is laid open and replaced, not discarded", tile=event.pai)
        yield flag("bonus_discarded", text)
    if event.pai.kind in barred_discards(state, event.actor):
        text = T(
            "%(who)s may not discard %(tile)s right after this claim (kuikae)",
            who=who(state, event.actor),
            tile=event.pai,
        )
        yield flag("swap_call", text)
    drawn = chair.drawn if chair.drawn is not None and chair.drawn.suit else None
    if event.tsumogiri and drawn is not None and drawn.kind is not event.pai.kind:
        text = T(
            "%(tile)s is not the tile that %(who)s has just drawn",
            tile=event.pai,
            who=who(state, event.actor),
        )
        yield flag("not_the_drawn_tile", text)
    if chair.riichi == 2 and drawn is not None and event.pai is not drawn:
        text = T(
            "%(who)s is in riichi and may discard only what he draws", who=who(state, event.actor)
        )
        yield flag("riichi_hand_changed", text)


def _claim(state: State, event: ev.Claim) -> Iterator[Flag]:
    name = who(state, event.actor)
    kind = event.kind
    offer = state.offer
    late = _late_pung(state, event)
    if offer is None or offer.kong is not None:
        if not late:
            text = T(
                "%(who)s claims %(tile)s, but no discard is on offer", who=name, tile=event.pai
            )
            yield flag("nothing_to_claim", text)
    elif (offer.actor, offer.pai.kind) != (event.target, event.pai.kind):
        text = T(
            "%(who)s claims %(tile)s, but the discard on offer is %(offer)s",
            who=name,
            tile=event.pai,
            offer=offer.pai,
        )
        yield flag("other_discard", text)
    elif not may_claim(
        state.flow, kind, event.actor, event.target, last_discard=state.last_discard
    ):
        yield flag("claim_not_allowed", _why_no_claim(state, kind, event))
    yield from held(state, event.actor, event.consumed)
    yield from shape(state, kind, (*event.consumed, event.pai))
    chair = state.chairs[event.actor]
    if chair.riichi:
        yield flag("riichi_hand_changed", T("%(who)s is in riichi and can't claim", who=name))
    if kind == "kong":
        yield from kong_possible(state)
    chows = sum(laid.meld.kind == "chow" for laid in chair.melds)
    if kind == "chow" and chows >= state.flow.claims.max_chows:
        text = T("a hand holds at most %(most)s chows here", most=state.flow.claims.max_chows)
        yield flag("too_many_chows", text)


def _concealed_kong(state: State, event: ev.ConcealedKong) -> Iterator[Flag]:
    yield from own_turn(state, event.actor)
    yield from has_drawn(state, event.actor)
    yield from held(state, event.actor, event.consumed)
    yield from shape(state, "kong", event.consumed)
    yield from kong_possible(state)
    if state.chairs[event.actor].riichi and not _keeps_waits(state, event):
        text = T(
            "%(who)s is in riichi: a kong must be of the tile drawn and leave the waits as they are",
            who=who(state, event.actor),
        )
        yield flag("riichi_hand_changed", text)


def _keeps_waits(state: State, event: ev.ConcealedKong) -> bool:
    """Whether a hand in riichi waits for the same after a kong; true where it is not known."""
    chair = state.chairs[event.actor]
    drawn = chair.drawn
    if drawn is None or any(tile.index is None for tile in chair.concealed):
        return True
    if drawn.kind is not event.consumed[0].kind:
        return False
    left = chair
    for tile in event.consumed:
        left = left.give(tile) or left
    left = replace(left, melds=(*left.melds, lay_concealed(state.flow, event.consumed)))
    after = ready_tiles(state.with_chair(event.actor, left), event.actor)
    return after == ready_tiles(state, event.actor, without=drawn)


def _added_kong(state: State, event: ev.AddedKong) -> Iterator[Flag]:
    yield from own_turn(state, event.actor)
    yield from has_drawn(state, event.actor)
    chair = state.chairs[event.actor]
    if not any(is_pung_of(laid, event.pai) for laid in chair.melds):
        text = T(
            "%(who)s adds %(tile)s to a pung that does not lie there",
            who=who(state, event.actor),
            tile=event.pai,
        )
        yield flag("no_pung", text)
    if state.flow.kong.added == "no" or (
        state.flow.kong.added == "drawn" and chair.drawn is not event.pai
    ):
        text = T("%(tile)s may not be added to the pung", tile=event.pai)
        yield flag("kong_not_allowed", text)
    yield from held(state, event.actor, (event.pai,))
    yield from kong_possible(state)


def _riichi(state: State, event: ev.Riichi) -> Iterator[Flag]:
    yield from own_turn(state, event.actor)
    chair = state.chairs[event.actor]
    name = who(state, event.actor)
    if any(not laid.meld.is_concealed for laid in chair.melds):
        yield flag("hand_is_open", T("%(who)s says riichi with an open hand", who=name))
    if chair.riichi:
        yield flag("already_riichi", T("%(who)s is in riichi already", who=name))
    if state.wall.live < len(SEATS):
        text = T("%(who)s says riichi with fewer than four tiles left to draw", who=name)
        yield flag("too_late_for_riichi", text)
    known = chair.count == 14 and all(tile.index is not None for tile in chair.concealed)
    if known and shanten(hand_of(chair), state.shapes).best > 0:
        text = T("%(who)s says riichi, but no discard leaves the hand waiting", who=name)
        yield flag("not_waiting", text)


def _win(state: State, event: ev.Win) -> Iterator[Flag]:
    chair = state.chairs[event.actor]
    name = who(state, event.actor)
    if event.can_win is False:
        yield flag("false_win", T("%(who)s says that he wins, but this hand can't win", who=name))
    elif is_known_to_be_none(state, event):
        text = T("%(who)s wins, but the tiles of the hand form no winning hand", who=name)
        yield flag("no_winning_hand", text)
    if chair.dead:
        yield flag("dead_hand", T("%(who)s wins with a dead hand", who=name))
    if event.actor == event.target:
        if state.phase != "discard" or event.actor != state.turn:
            yield not_his_turn(state, event.actor)
        return
    offer = state.offer
    if offer is None or (offer.actor, offer.pai.kind) != (event.target, event.pai.kind):
        text = T("%(who)s wins on %(tile)s, but it is not on offer", who=name, tile=event.pai)
        yield flag("nothing_to_win_on", text)
        return
    if offer.kong and not may_rob(state.flow, offer.kong, orphans=_is_orphans(chair, event)):
        yield flag("cannot_rob", T("%(who)s may not rob this kong", who=name))
    if state.winners and state.flow.claims.winners == "nearest":
        text = T("%(who)s wins too, but only the nearest player may win here", who=name)
        yield flag("second_winner", text)
    if not offer.kong and state.last_discard and state.flow.claims.last_discard == "none":
        yield flag("last_discard", T("the last discard can't be claimed, not even to win"))
    own = [discard.pai for discard in chair.discards]
    if not may_win_by_discard(state.flow, _waits(state, event), own, chair.furiten):
        yield flag("furiten", T("%(who)s is furiten and can't win on a discard", who=name))


def _waits(state: State, event: ev.Win) -> tuple[Tile, ...]:
    """Every tile that the winner waited for; the winning tile alone where his hand is not known."""
    before = list(event.hand)
    if event.pai in before:
        before.remove(event.pai)
        shown = replace(state.chairs[event.actor], concealed=tuple(before))
        state = state.with_chair(event.actor, shown)
    found = ready_tiles(state, event.actor)
    return found if event.pai.kind in found else (event.pai.kind,)


def _drawn_hand(state: State, event: ev.DrawnHand) -> Iterator[Flag]:
    holds_bonus = any(tile.is_bonus for tile in state.chairs[state.turn].concealed)
    unreplaced = state.phase == "replace" or (state.phase == "discard" and holds_bonus)
    stuck = unreplaced and not replacement_left(state.flow, state.wall)
    over = state.phase == "claim" and state.wall.live == 0
    if event.reason == "exhausted" and not (over or stuck):
        text = T("the hand ends, but %(live)s tiles are left in the wall", live=state.wall.live)
        yield flag("wall_not_empty", text)
    elif event.reason not in {"exhausted", "replay"} and event.reason not in state.flow.end.aborts:
        text = T('this system knows no drawn hand by "%(reason)s"', reason=event.reason)
        yield flag("unknown_abort", text)
    elif event.reason != "replay" and not is_justified(state, event.reason):
        text = T("the hand is broken off, but nothing on the table calls for it")
        yield flag("no_abort_due", text)


def _settle(state: State, event: ev.Settle) -> Iterator[Flag]:
    if state.phase not in {"won", "drawn", "settled"}:
        yield flag("nothing_to_settle", T("points change hands, but the hand is not over"))
    if state.wins_draw_hand and any(event.deltas):
        text = T(
            "%(wins)s players win on one tile: here that breaks the hand off, and nobody is paid",
            wins=len(state.wins),
        )
        yield flag("draw_is_paid", text)
    taken = state.flow.riichi.stick * (state.sticks - event.sticks)
    if sum(event.deltas) != taken:
        text = T(
            "what is paid and what is received differ by %(sum)s", sum=sum(event.deltas) - taken
        )
        yield flag("not_zero_sum", text)


def _penalty(state: State, event: ev.Penalty) -> Iterator[Flag]:
    if sum(event.deltas):
        text = T("what is paid and what is received differ by %(sum)s", sum=sum(event.deltas))
        yield flag("not_zero_sum", text)


def _late_pung(state: State, event: ev.Claim) -> bool:
    """A pung after the next player has drawn, where the system allows that."""
    return (
        state.flow.claims.pung_until == "discard"
        and not isinstance(event, ev.Chow)
        and state.phase == "discard"
        and bool(state.pool)
        and state.pool[-1].actor == event.target
        and state.pool[-1].pai.kind is event.pai.kind
        and state.pool[-1].claimed_by is None
    )


def _is_orphans(chair: Chair, event: ev.Win) -> bool:
    hand = event.hand or (*chair.concealed, event.pai)
    return all(tile.is_terminal or tile.is_honour for tile in hand)


def _why_no_claim(state: State, kind: str, event: ev.Claim) -> T:
    name = who(state, event.actor)
    if event.actor == event.target:
        return T("%(who)s claims his own discard", who=name)
    if state.last_discard:
        return T("the last discard may not be claimed for a set")
    if kind == "chow":
        return T(
            "%(who)s claims a chow from %(target)s: only the next player may",
            who=name,
            target=who(state, event.target),
        )
    return T("%(who)s claims too late", who=name)


_RULES: Final[dict[type[ev.Event], Callable[[State, Any], Iterator[Flag]]]] = {
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
    ev.Riichi: _riichi,
    ev.Win: _win,
    ev.DrawnHand: _drawn_hand,
    ev.Settle: _settle,
    ev.Penalty: _penalty,
}

"""A state as plain data, for the page and for tools: what lies where, and what may happen next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.rules.flow import kongs_in_turn, may_claim, replacement_left
from companion.table.state import SEATS, Chair, Discarded, LaidMeld, State
from companion.tiles import Tile


def state_view(state: State) -> dict[str, Any]:
    """The table as JSON, but for texts: flags hold `Text`, which the caller translates.

    Concealed tiles are told as they are known; who may see them is for the caller to decide.
    """
    flow, wall = state.flow, state.wall
    return {
        "rules": state.profile,
        "profile_hash": state.profile_hash,
        "phase": state.phase,
        "turn": state.turn if state.in_hand else None,
        "round": state.standing.round_wind,
        "hand": len(state.history) + (not state.wins and state.phase != "drawn" and state.in_hand),
        "honba": state.honba,
        "sticks": state.sticks,
        "seats": [_seat(state, seat) for seat in SEATS],
        "discards": flow.discards.lie,
        "pool": [_discard(discard) for discard in state.pool],
        "row": flow.discards.row,
        "wall": {
            "live": wall.live,
            "dead": wall.dead,
            "names": {
                "live": dict(flow.wall.live),
                "dead": dict(flow.wall.dead),
                "head": dict(flow.wall.head),
                "tail": dict(flow.wall.tail),
            },
            "dice": [list(throw) for throw in state.dice],
        },
        "dora": [tile.code for tile in state.dora],
        "offer": _offer(state),
        "next": list(next_moves(state)),
        "wins": [
            {
                "seat": won.seat,
                "loser": won.loser,
                "tiles": [tile.code for tile in won.hand.concealed],
                "winning": won.hand.winning.code if won.hand.winning else None,
                "claimed": won.claimed,
            }
            for won in state.wins
        ],
        "history": [
            {
                "number": record.number,
                "round": record.round,
                "east": record.east,
                "winners": list(record.winners),
                "loser": record.loser,
                "worth": list(record.worth),
                "reason": record.reason,
                "deltas": list(record.deltas),
            }
            for record in state.history
        ],
        "flags": [
            {"code": flag.code, "text": flag.text, "event": flag.ref} for flag in state.flags
        ],
    }


def next_moves(state: State) -> Iterator[dict[str, Any]]:
    """What may happen next: the kind of event and the seats that may make it."""
    if state.phase == "before":
        yield {"type": "start_hand", "seats": [state.standing.east]}
    elif state.phase == "discard":
        yield from _own_turn(state)
    elif state.phase == "replace":
        yield {"type": "replacement_draw", "seats": [state.turn]}
        if state.offer is not None:
            yield {"type": "win", "seats": [s for s in SEATS if s != state.turn]}
    elif state.phase == "claim":
        yield from _after_discard(state)
    elif state.phase in {"won", "drawn"}:
        yield {"type": "settle", "seats": []}
    elif state.phase == "settled":
        yield {"type": "rotate", "seats": []}


def _own_turn(state: State) -> Iterator[dict[str, Any]]:
    seat = state.turn
    chair = state.chairs[seat]
    if any(tile.is_bonus for tile in chair.concealed) and replacement_left(state.flow, state.wall):
        yield {"type": "flower", "seats": [seat]}
        return
    yield {"type": "dahai", "seats": [seat]}
    yield {"type": "win", "seats": [seat]}
    melds = [laid.meld for laid in chair.melds]
    kinds = {kind for kind, _ in kongs_in_turn(state.flow, chair.concealed, melds, chair.drawn)}
    if "concealed" in kinds or any(not tile.suit for tile in chair.concealed):
        yield {"type": "ankan", "seats": [seat]}
    if "added" in kinds:
        yield {"type": "kakan", "seats": [seat]}


def _after_discard(state: State) -> Iterator[dict[str, Any]]:
    offer = state.offer
    if offer is not None:
        for event, kind in (
            ("win", "win"),
            ("daiminkan", "kong"),
            ("pon", "pung"),
            ("chi", "chow"),
        ):
            seats = [
                seat
                for seat in SEATS
                if may_claim(
                    state.flow,
                    kind,  # type: ignore[arg-type]
                    seat,
                    offer.actor,
                    last_discard=state.last_discard,
                )
            ]
            if kind == "chow" and offer.pai.is_honour and not state.flow.claims.dragon_chow:
                seats = []
            if seats:
                yield {"type": event, "seats": seats}
    if state.wall.live:
        yield {"type": "tsumo", "seats": [state.turn]}
    else:
        yield {"type": "ryukyoku", "seats": []}


def _seat(state: State, seat: int) -> dict[str, Any]:
    chair = state.chairs[seat]
    return {
        "seat": seat,
        "name": state.names[seat],
        "wind": state.wind_of(seat),
        "east": seat == state.standing.east,
        "score": state.scores[seat],
        "tiles": _codes(chair.concealed),
        "count": len(chair.concealed),
        "drawn": chair.drawn.code if chair.drawn else None,
        "shown": chair.shown,
        "melds": [_meld(laid) for laid in chair.melds],
        "bonus": _codes(chair.bonus),
        "discards": [_discard(discard) for discard in chair.discards],
        "riichi": chair.riichi > 0,
        "furiten": _is_furiten(state, chair),
        "dead": chair.dead,
    }


def _is_furiten(state: State, chair: Chair) -> bool:
    return state.flow.discards.furiten and (chair.furiten.temporary or chair.furiten.lasting)


def _meld(laid: LaidMeld) -> dict[str, Any]:
    return {
        "kind": laid.meld.kind,
        "tiles": _codes(laid.tiles),
        "lies": list(laid.lies),
        "from": laid.source,
        "claimed": laid.claimed.code if laid.claimed else None,
    }


def _discard(discard: Discarded) -> dict[str, Any]:
    return {
        "tile": discard.pai.code,
        "seat": discard.actor,
        "number": discard.number,
        "tsumogiri": discard.tsumogiri,
        "riichi": discard.riichi,
        "claimed_by": discard.claimed_by,
    }


def _offer(state: State) -> dict[str, Any] | None:
    offer = state.offer
    if offer is None:
        return None
    return {"seat": offer.actor, "tile": offer.pai.code, "kong": offer.kong}


def _codes(tiles: tuple[Tile, ...]) -> list[str]:
    return [tile.code for tile in tiles]

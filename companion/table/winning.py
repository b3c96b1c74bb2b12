"""From the table to the score sheet: who can win now, in what circumstances, and what it is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from companion.hand import Hand
from companion.rules import Circumstances, Profile, ScoreSheet, score
from companion.rules.circumstances import Wind
from companion.rules.decomposition import readings
from companion.rules.shanten import shanten
from companion.table.events import Win
from companion.table.state import Chair, State
from companion.tiles import KINDS, WINDS, Tile


def hand_of(chair: Chair, taken: Tile | None = None) -> Hand:
    """A player's hand for scoring: with the drawn tile winning, or with a tile taken from another."""
    concealed = chair.concealed if taken is None else (*chair.concealed, taken)
    melds = tuple(laid.meld for laid in chair.melds)
    return Hand(concealed, melds, chair.bonus, taken if taken is not None else chair.drawn)


def is_complete(state: State, seat: int, taken: Tile | None = None) -> bool:
    """Whether the tiles form a finished hand, whatever it is worth. Unseen tiles form none."""
    chair = state.chairs[seat]
    if chair.count + (taken is not None) != 14:
        return False
    return _is_finished(state, hand_of(chair, taken), by_discard=taken is not None)


def is_known_to_be_none(state: State, win: Win) -> bool:
    """Whether every tile of a winner is known and they form no finished hand, whatever it would be worth."""
    taken = win.pai if win.actor != win.target else None
    hand = hand_of(state.chairs[win.actor], taken)
    hand = replace(hand, concealed=win.hand or hand.concealed, winning=win.pai)
    if any(tile.index is None for tile in hand.tiles):
        return False
    return hand.size != 14 or not _is_finished(state, hand, by_discard=taken is not None)


def _is_finished(state: State, hand: Hand, *, by_discard: bool) -> bool:
    if hand.winning is None or any(tile.index is None for tile in hand.concealed):
        return False
    return any(True for _ in readings(hand, state.shapes, by_discard=by_discard))


def ready_tiles(state: State, seat: int, without: Tile | None = None) -> tuple[Tile, ...]:
    """The kinds that would finish a hand of 13 tiles, or of 14 after discarding one of them."""
    chair = state.chairs[seat]
    if without is not None:
        chair = chair.give(without) or chair
    if chair.count != 13 or any(tile.index is None for tile in chair.concealed):
        return ()
    hand = hand_of(chair)
    if shanten(hand, state.shapes).best > 0:
        return ()
    state = state.with_chair(seat, chair)
    own = hand.all_counts
    return tuple(
        kind for at, kind in enumerate(KINDS) if own[at] < 4 and is_complete(state, seat, kind)
    )


def circumstances_of(
    state: State, seat: int, taken: Tile | None = None, ura_markers: tuple[Tile, ...] = ()
) -> Circumstances:
    """How a win of this seat would come about now: by its own draw, or on the tile on offer."""
    chair, offer = state.chairs[seat], state.offer
    drawn = taken is None
    robbed = not drawn and offer is not None and offer.kong is not None
    discarder: Wind | None = None
    if not drawn and offer is not None:
        discarder = _wind(state, offer.actor)
    after_kong = drawn and state.replacing == "kong"
    return Circumstances(
        by="self-draw" if drawn else "discard",
        seat=_wind(state, seat),
        round=WINDS[state.standing.round % 4],
        discarder=discarder,
        kong_draw=after_kong,
        rob_kong=robbed,
        last_tile=drawn and state.wall.live == 0,
        last_discard=not drawn and not robbed and state.wall.live == 0,
        first_turn=_first_turn(state, chair, drawn),
        extra=tuple(sorted(_riichi_extra(state, chair, ura_markers).items())),
    )


def judge(state: State, seat: int, profile: Profile, taken: Tile | None = None) -> ScoreSheet:
    """The score sheet of a win of this seat now.

    Raises:
        companion.rules.HandError: when the hand can be none; see `companion.rules.score`.
    """
    hand = hand_of(state.chairs[seat], taken)
    return score(hand, circumstances_of(state, seat, taken), profile)


def win_event(
    state: State,
    seat: int,
    sheet: ScoreSheet,
    taken: Tile | None = None,
    claimed: int | None = None,
    ura_markers: tuple[Tile, ...] = (),
) -> Win:
    """The event of a win; `claimed` is what the winner says it is worth, if he says other than the rules."""
    chair, offer = state.chairs[seat], state.offer
    hand = hand_of(chair, taken)
    if taken is None:
        by: Any = "kong-draw" if state.replacing == "kong" else "self-draw"
    else:
        by = "rob-kong" if offer is not None and offer.kong else "discard"
    return Win(
        actor=seat,
        target=seat if taken is None or offer is None else offer.actor,
        pai=hand.winning or hand.concealed[-1],
        by=by,
        hand=hand.concealed,
        claimed=sheet.value if claimed is None else claimed,
        computed=sheet.value,
        can_win=sheet.can_win,
        ura_markers=ura_markers,
    )


def _first_turn(state: State, chair: Chair, drawn: bool) -> bool:
    """Won on the dealt hand, on a discard before the own first draw, or on that draw, unclaimed so far."""
    if state.claims:
        return False
    if drawn:
        return chair.draws == 1 and not chair.discards
    return chair.draws == 0


def _riichi_extra(state: State, chair: Chair, ura: tuple[Tile, ...]) -> dict[str, Any]:
    """What only a game with indicators and riichi has."""
    if not state.flow.dora.shown:
        return {}
    return {
        "riichi": chair.riichi > 0 and not chair.double_riichi,
        "double_riichi": chair.riichi > 0 and chair.double_riichi,
        "ippatsu": chair.ippatsu,
        "dora_indicators": state.dora,
        "ura_indicators": ura if chair.riichi else (),
        "honba": state.honba,
        "sticks": state.sticks,
    }


def _wind(state: State, seat: int) -> Wind:
    return cast(Wind, state.wind_of(seat))

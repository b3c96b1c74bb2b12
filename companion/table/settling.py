"""What changes hands when a hand is over, as events, under the profile's own payment rule."""

from __future__ import annotations

from companion.rules import Profile, score
from companion.rules.settlement import (
    Fed,
    Settlement,
    Win,
    liable_seat,
    settle_all_hands,
    settle_false_win,
    settle_nagashi,
    settle_noten,
    settle_wins,
    win_of,
)
from companion.table.events import Penalty, Settle
from companion.table.state import SEATS, Chair, State, Won
from companion.table.winning import hand_of


def win_settlement(state: State, profile: Profile) -> Settle:
    """The payment for the wins of a hand.

    Raises:
        companion.rules.HandError: when a winning hand can be none.
        companion.rules.settlement.SettlementError: when what was won can't be paid like this.
    """
    settlement = settle(state, profile)
    return Settle(settlement.net, _sticks_after(state, settlement))


def settle(state: State, profile: Profile) -> Settlement:
    """Who pays whom for the wins of a hand, with the reasons; see `win_settlement`."""
    if profile["payment.kind"] == "none":
        return Settlement()
    east = state.standing.east
    if profile.get("rules.all_hands_count", False):
        won = state.wins[0]
        hands = [won.hand if seat == won.seat else hand_of(state.chairs[seat]) for seat in SEATS]
        counted = settle_all_hands(profile, hands, won.seat, won.circumstances, east)
        return counted.settlement or Settlement()
    wins = [_paid(state, won, profile) for won in state.wins]
    return settle_wins(profile, wins, east, honba=state.honba, sticks=state.sticks)


def draw_settlement(state: State, profile: Profile) -> Settle:
    """The payment after a hand without a winner: in riichi, who is ready is paid by who is not.

    A hand that is played again counts as not played: where the profile says so, the sticks that were
    laid in it go back to their owners.
    """
    settlement = Settlement()
    reason = state.history[-1].reason if state.history else ""
    is_riichi = profile["payment.kind"] == "riichi"
    if reason == "replay" and is_riichi:
        return _with_sticks_back(state, profile)
    if reason == "exhausted" and is_riichi:
        spotless = [seat for seat in SEATS if _is_spotless(state.chairs[seat])]
        if spotless and profile["riichi.nagashi_mangan"]:
            settlement = settle_nagashi(profile, spotless, state.standing.east)
        else:
            ready = [seat for seat in SEATS if state.chairs[seat].shown]
            settlement = settle_noten(profile, ready)
    return Settle(settlement.net, state.sticks)


def _with_sticks_back(state: State, profile: Profile) -> Settle:
    laid = [chair.riichi == 2 for chair in state.chairs]
    if profile.get("riichi.replay_sticks", "returned") != "returned" or not any(laid):
        return Settle((0,) * len(SEATS), state.sticks)
    stick: int = profile["riichi.stick"]
    return Settle(tuple(stick * each for each in laid), max(0, state.sticks - sum(laid)))


def false_win_penalty(state: State, seat: int, profile: Profile) -> Penalty:
    """What a false win costs."""
    settlement = settle_false_win(profile, seat, state.standing.east)
    dead = state.flow.end.false_win == "dead-hand"
    return Penalty(seat, "false-win", settlement.net, dead=dead)


def _paid(state: State, won: Won, profile: Profile) -> Win:
    sheet = score(won.hand, won.circumstances, profile)
    liable = liable_seat(sheet, won.seat, _fed(state.chairs[won.seat]))
    return win_of(sheet, won.seat, won.loser, declared=won.claimed, liable=liable)


def _fed(chair: Chair) -> list[Fed]:
    """Whose discards the sets in front of a player were made with."""
    return [
        Fed(laid.meld.kind, laid.meld.tiles[0].kind, laid.source, laid.added is not None, laid.made)
        for laid in chair.melds
    ]


def _is_spotless(chair: Chair) -> bool:
    """Only terminals and honours discarded, and none of them claimed (nagashi mangan)."""
    return bool(chair.discards) and all(
        (discard.pai.is_terminal or discard.pai.is_honour) and discard.claimed_by is None
        for discard in chair.discards
    )


def _sticks_after(state: State, settlement: Settlement) -> int:
    return 0 if settlement.from_table else state.sticks

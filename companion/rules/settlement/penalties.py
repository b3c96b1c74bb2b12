"""What errors cost, and what a hand without a winner moves."""

from __future__ import annotations

from collections.abc import Collection

from companion.rules.payment import base_units
from companion.rules.profile import Profile
from companion.rules.riichi.points import MANGAN, tsumo_points
from companion.rules.settlement.ledger import SEATS, Settlement, Transfer, check_seat, others
from companion.text import T


def settle_false_win(profile: Profile, offender: int, dealer: int) -> Settlement:
    """What a player who called a win that is none pays the other three.

    Document 000: the points of 2 faan to each, nothing doubled. Half-spicy tables: to each what a limit
    hand gains by self-draw. Riichi: what a mangan by self-draw would have brought him, the other way.
    """
    check_seat(offender, "offender")
    check_seat(dealer, "dealer")
    if profile["payment.kind"] == "riichi":
        dues = _chombo(profile, offender, dealer)
    else:
        each = _each(profile)
        dues = dict.fromkeys(others(offender), each)
    why = T("false win")
    transfers = tuple(Transfer(offender, to, due, why) for to, due in dues.items() if due)
    note = None if transfers else T("these rules leave the penalty to the table")
    return Settlement(transfers, (), profile.get("payment.chip"), note)


def cannot_win(
    profile: Profile, tiles: int, *, kongs: int = 0, to_discard: bool = False
) -> T | None:
    """Why a hand with a wrong number of tiles can't win any more, or None when it still can.

    Args:
        profile: the rules.
        tiles: tiles of the player, kongs included, bonus tiles not.
        kongs: his kongs, each of which has one tile more.
        to_discard: he has drawn or claimed and has yet to discard.
    """
    wanted = 13 + kongs + to_discard
    if tiles == wanted or profile.get("penalties.wrong_count", "table") != "cannot_win":
        return None
    if tiles > wanted:
        return T(
            "%(extra)s too many tiles (big eunuch): this hand can't win, and calling it is a false win",
            extra=tiles - wanted,
        )
    return T(
        "%(missing)s too few tiles (small eunuch): this hand can't win, and calling it is a false win",
        missing=wanted - tiles,
    )


def settle_noten(profile: Profile, tenpai: Collection[int]) -> Settlement:
    """A riichi hand without a winner: who is not one tile short pays those who are."""
    for seat in tenpai:
        check_seat(seat, "tenpai")
    ready = sorted(set(tenpai))
    total: int = profile["riichi.noten"]
    if not total or len(ready) in (0, SEATS):
        return Settlement()
    why = T("not tenpai (noten)")
    unready = [seat for seat in range(SEATS) if seat not in ready]
    if len(ready) == len(unready):
        pairs, share = list(zip(unready, ready, strict=True)), total // 2
    else:
        pairs, share = [(payer, payee) for payer in unready for payee in ready], total // 3
    return Settlement(tuple(Transfer(payer, payee, share, why) for payer, payee in pairs))


def settle_nagashi(profile: Profile, seats: Collection[int], dealer: int) -> Settlement:
    """A drawn riichi hand in which some rivers are all terminals and honours: each is paid a mangan."""
    check_seat(dealer, "dealer")
    if not profile["riichi.nagashi_mangan"]:
        return Settlement(note=T("these rules play without nagashi mangan"))
    transfers = []
    for seat in sorted(set(seats)):
        check_seat(seat, "nagashi")
        dealer_share, share = tsumo_points(MANGAN, dealer=seat == dealer)
        transfers += [
            Transfer(payer, seat, dealer_share if payer == dealer else share, T("nagashi mangan"))
            for payer in others(seat)
        ]
    return Settlement(tuple(transfers))


def _each(profile: Profile) -> int:
    rule = profile.get("penalties.false_win", "table")
    if rule == "faan":
        return base_units(profile, profile["penalties.false_win_faan"])
    if rule == "limit_self_draw":
        limit = base_units(profile, profile["rules.limit"])
        return limit * int(profile["payment.self_draw_share"]) * (SEATS - 1)
    return 0


def _chombo(profile: Profile, offender: int, dealer: int) -> dict[int, int]:
    rule = profile["riichi.false_win"]
    if rule == "points":
        return dict.fromkeys(others(offender), int(profile["riichi.false_win_points"]))
    if rule == "nothing":
        return {}
    dealer_share, share = tsumo_points(MANGAN, dealer=offender == dealer)
    return {seat: dealer_share if seat == dealer else share for seat in others(offender)}

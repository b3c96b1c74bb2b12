"""Paying for a won hand, whatever the system: one function over the profile's ``payment`` table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.rules.flow import wins_draw_hand
from companion.rules.payment import base_units
from companion.rules.profile import Profile
from companion.rules.riichi.points import YAKUMAN_BASE, ron_points, tsumo_points
from companion.rules.riichi.yaku import YAKUMAN_HAN
from companion.rules.settlement.ledger import (
    SEATS,
    Paid,
    Settlement,
    SettlementError,
    Transfer,
    check_seat,
    others,
)
from companion.rules.sheet import ScoreSheet
from companion.text import T


@dataclass(frozen=True, slots=True)
class Win:
    """One won hand.

    Attributes:
        winner: seat of the winner.
        worth: what the profile's payment is reckoned from: faan, fan, or the basic points of riichi.
        discarder: seat that gave the tile (or from whose kong it was robbed), None on a self-draw.
        declared: what the winner said it is worth, in the same unit; None when he said nothing.
        liable: seat that fed the hand and answers for it (pao), None when nobody does.
        liable_worth: basic points of the yakuman that he fed, where he answers for no more than that.
    """

    winner: int
    worth: int
    discarder: int | None = None
    declared: int | None = None
    liable: int | None = None
    liable_worth: int | None = None

    def __post_init__(self) -> None:
        for field in ("winner", "discarder", "liable"):
            check_seat(getattr(self, field), field)
        if self.winner in (self.discarder, self.liable):
            text = T("a winner does not pay himself: correct the discarder or the liable player")
            raise SettlementError(text, code="self_payment", field="winner")
        if self.worth < 0 or (self.declared is not None and self.declared < 0):
            text = T("a hand is not worth less than nothing: correct its value")
            raise SettlementError(text, code="negative", field="worth")

    @property
    def is_self_draw(self) -> bool:
        return self.discarder is None


def win_of(
    sheet: ScoreSheet,
    winner: int,
    discarder: int | None = None,
    *,
    declared: int | None = None,
    liable: int | None = None,
) -> Win:
    """A win from its score sheet; who is liable answers for the yakuman that the profile lists for it.

    Raises:
        SettlementError: when the hand can't be called.
    """
    if not sheet.can_win:
        text = T("this hand can't be called, so nobody pays for it: settle a false win instead")
        raise SettlementError(text, code="no_win", field="winner")
    kind = sheet.profile["payment.kind"]
    base = sheet.payments.base if sheet.payments is not None else 0
    if kind != "riichi":
        return Win(winner, sheet.value, discarder, declared, liable)
    fed = sum(line.value for line in sheet.lines if line.pattern in sheet.profile["riichi.pao"])
    return Win(winner, base, discarder, declared, liable, YAKUMAN_BASE * (fed // YAKUMAN_HAN))


def settle_wins(
    profile: Profile, wins: Sequence[Win], dealer: int, *, honba: int = 0, sticks: int = 0
) -> Settlement:
    """What changes hands for one win, or for several on one discard.

    Args:
        profile: the rules.
        wins: the wins; several only on the same discard.
        dealer: seat of East.
        honba: riichi counters on the table.
        sticks: riichi sticks on the table, the winners' own included.

    Raises:
        SettlementError: when the wins can't be together, or this system pays otherwise.
    """
    check_seat(dealer, "dealer")
    _check_together(wins)
    kind = profile["payment.kind"]
    pay = _KINDS.get(kind)
    if pay is None:
        raise SettlementError(_other_ways(kind), code="no_payment", field="payment.kind")
    return pay(profile, wins, dealer, honba, sticks)


def _other_ways(kind: str) -> T:
    if kind == "differences":
        return T("here all four hands count: give the points of all four (settle_points)")
    return T("these rules do not say who pays whom: the table decides")


def _check_together(wins: Sequence[Win]) -> None:
    if not wins:
        raise SettlementError(
            T("nobody won: there is nothing to pay"), code="no_win", field="winner"
        )
    if len(wins) == 1:
        return
    discarders = {win.discarder for win in wins}
    winners = {win.winner for win in wins}
    if None in discarders or len(discarders) != 1 or len(winners) != len(wins):
        text = T("several players win together only on one and the same discard")
        raise SettlementError(text, code="impossible", field="winner")


# -- units by faan


def _settle_faan(
    profile: Profile, wins: Sequence[Win], dealer: int, honba: int, sticks: int
) -> Settlement:
    transfers: list[Transfer] = []
    paid = []
    for win in wins:
        settled = declared_or_counted(profile, win)
        transfers += _faan_transfers(profile, win, settled, dealer, _losers(win, wins))
        paid.append(Paid(win.winner, win.worth, win.declared, settled))
    return Settlement(tuple(transfers), tuple(paid), profile.get("payment.chip"))


def declared_or_counted(profile: Profile, win: Win) -> int:
    """The faan that are paid: what the winner declared when it is less, if the profile says so.

    More than the hand is worth is never paid: the table checks before it pays (document 002).

    Raises:
        SettlementError: when he declared less than the hand needs to be called.
    """
    if win.declared is None or profile.get("payment.declared", "counted") == "counted":
        return win.worth
    minimum: int = profile.get("rules.minimum", 0)
    if win.declared < minimum:
        text = T(
            "%(declared)s were declared and %(minimum)s are needed to call: correct what was declared",
            declared=win.declared,
            minimum=minimum,
        )
        raise SettlementError(text, code="too_little", field="declared")
    return min(win.declared, win.worth)


def _losers(win: Win, wins: Sequence[Win]) -> list[int]:
    """Who pays for a win: winners on the same discard pay nothing to each other."""
    winners = {each.winner for each in wins}
    return [seat for seat in others(win.winner) if seat not in winners]


def _faan_transfers(
    profile: Profile, win: Win, faan: int, dealer: int, losers: Sequence[int]
) -> Iterator[Transfer]:
    base = base_units(profile, faan)
    east: int = profile.get("payment.east_multiplier", 1)
    for payer in losers:
        if win.is_self_draw:
            share, why = profile["payment.self_draw_share"], T("self-draw")
        elif payer == win.discarder:
            share, why = profile["payment.discarder_share"], T("gave the winning tile")
        else:
            share, why = profile["payment.others_share"], T("another player's discard")
        amount = base * share * (east if dealer in (payer, win.winner) else 1)
        if amount and win.liable is not None and profile.get("payment.liability", False):
            yield Transfer(win.liable, win.winner, amount, T("answers for the hand he fed"))
        elif amount:
            yield Transfer(payer, win.winner, amount, why)


# -- base points and fan


def _settle_mcr(
    profile: Profile, wins: Sequence[Win], dealer: int, honba: int, sticks: int
) -> Settlement:
    base: int = profile["payment.base_points"]
    transfers: list[Transfer] = []
    for win in wins:
        for payer in _losers(win, wins):
            pays_fan = win.is_self_draw or payer == win.discarder
            why = T("base points and fan") if pays_fan else T("base points")
            amount = base + (win.worth if pays_fan else 0)
            transfers.append(Transfer(payer, win.winner, amount, why))
    paid = tuple(Paid(win.winner, win.worth, win.declared, win.worth) for win in wins)
    return Settlement(tuple(transfers), paid)


# -- riichi


def _settle_riichi(
    profile: Profile, wins: Sequence[Win], dealer: int, honba: int, sticks: int
) -> Settlement:
    if wins_draw_hand(profile, len(wins)):
        return Settlement(note=T("several rons draw the hand: nobody pays"))
    discarder = wins[0].discarder
    if discarder is not None:
        wins = sorted(wins, key=lambda win: (win.winner - discarder) % SEATS)
        if profile["riichi.several_rons"] == "nearest":
            wins = wins[:1]
    transfers: list[Transfer] = []
    for place, win in enumerate(wins):
        with_honba = honba if place == 0 or profile["riichi.honba_to"] == "each" else 0
        transfers += _riichi_transfers(profile, win, dealer, with_honba * profile["riichi.honba"])
    if sticks * profile["riichi.stick"]:
        amount = sticks * profile["riichi.stick"]
        transfers.append(Transfer(None, wins[0].winner, amount, T("riichi sticks")))
    paid = tuple(Paid(win.winner, win.worth, win.declared, win.worth) for win in wins)
    return Settlement(tuple(transfers), paid)


def _riichi_transfers(profile: Profile, win: Win, dealer: int, honba: int) -> Iterator[Transfer]:
    if win.liable is None or win.liable == win.discarder:
        yield from _plain(win, win.worth, dealer, honba)
        return
    fed = win.worth
    if profile["riichi.pao_scope"] == "yakuman" and win.liable_worth is not None:
        fed = min(win.liable_worth, win.worth)
    yield from _plain(win, win.worth - fed, dealer, 0)
    total = sum(each.amount for each in _plain(win, fed, dealer, 0))
    why = T("answers for the yakuman he fed (pao)")
    if win.discarder is None:
        yield Transfer(win.liable, win.winner, total + honba, why)
        return
    yield Transfer(win.discarder, win.winner, total // 2, T("half of it, for the ron"))
    yield Transfer(win.liable, win.winner, total - total // 2 + honba, why)


def _plain(win: Win, base: int, dealer: int, honba: int) -> Iterator[Transfer]:
    """The payments of `base` basic points without liability; `honba` in points of a ron."""
    by_dealer = win.winner == dealer
    if not base and not honba:
        return
    if win.discarder is not None:
        amount = ron_points(base, dealer=by_dealer) + honba
        yield Transfer(win.discarder, win.winner, amount, T("ron"))
        return
    dealer_share, share = tsumo_points(base, dealer=by_dealer)
    for payer in others(win.winner):
        amount = (dealer_share if payer == dealer else share) + honba // (SEATS - 1)
        yield Transfer(payer, win.winner, amount, T("tsumo"))


_Pay = Callable[[Profile, Sequence[Win], int, int, int], Settlement]
_KINDS: Final[Mapping[str, _Pay]] = {
    "faan_table": _settle_faan,
    "mcr": _settle_mcr,
    "riichi": _settle_riichi,
}

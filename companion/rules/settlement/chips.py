"""Chips on a real table: what a player hands over and what change he gets.

Document 002: a chip is 8 units; a player buys fifty chips' worth as fifteen of 1, five of 5 and one of
10, and "si alguien se queda sin fichas, recompra 50 y sigue".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from companion.rules.profile import Profile
from companion.rules.settlement.ledger import SettlementError, Transfer
from companion.text import T

MAX_REBUYS: Final = 100
"""More buy-ins than any payment could need."""


@dataclass(frozen=True, slots=True)
class Purse:
    """The chips of one player: how many of each value, in the order of `values`."""

    values: tuple[int, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.values) != len(self.counts):
            raise ValueError(f"{len(self.values)} values and {len(self.counts)} counts of chips")
        if any(count < 0 for count in self.counts):
            text = T("there can't be fewer than no chips: count them again")
            raise SettlementError(text, code="negative", field="chips")

    @property
    def total(self) -> int:
        """What they are worth together, in chips of 1."""
        return sum(value * count for value, count in zip(self.values, self.counts, strict=True))

    def plus(self, counts: Sequence[int]) -> Purse:
        added = tuple(have + more for have, more in zip(self.counts, counts, strict=True))
        return Purse(self.values, added)


@dataclass(frozen=True, slots=True)
class Exchange:
    """How an amount of chips is paid.

    Attributes:
        given: chips of each value that the payer hands over, after any rebuy.
        change: chips of each value that he gets back.
        rebuys: buy-ins that the payer needs first.
        payer, payee: both purses afterwards.
    """

    given: tuple[int, ...]
    change: tuple[int, ...]
    rebuys: int
    payer: Purse
    payee: Purse


def buy_in(profile: Profile) -> Purse:
    """What a player starts with.

    Raises:
        SettlementError: where the rules have no chips.
    """
    values, counts = profile.get("payment.chip_values"), profile.get("payment.buy_in")
    if not values or not counts or len(values) != len(counts):
        raise SettlementError(
            T("these rules do not play for chips"), code="no_chips", field="rules"
        )
    return Purse(tuple(values), tuple(counts))


def in_chips(profile: Profile, units: int) -> int:
    """Chips of 1 for an amount in units.

    Raises:
        SettlementError: where it is no whole number of chips.
    """
    chip: int = profile.get("payment.chip", 1)
    if units % chip:
        text = T(
            "%(units)s units are no whole number of chips of %(chip)s: check the table of payments",
            units=units,
            chip=chip,
        )
        raise SettlementError(text, code="part_of_a_chip", field="payment.chip")
    return units // chip


def pay(payer: Purse, payee: Purse, amount: int, refill: Purse) -> Exchange:
    """Pay an amount of chips with the fewest chips changing hands, with change where needed.

    The payer buys in again when he has less than the amount, or when neither he nor the payee can make
    the change.

    Args:
        payer, payee: their purses, with chips of the same values.
        amount: chips of 1 to pay.
        refill: what a rebuy brings.

    Raises:
        SettlementError: when no number of rebuys makes it possible.
    """
    for rebuys in range(MAX_REBUYS):
        own = payer.plus([count * rebuys for count in refill.counts])
        best = min(_ways(own, payee, amount), key=_chips_moved, default=None)
        if best is not None:
            given = tuple(max(count, 0) for count in best)
            change = tuple(max(-count, 0) for count in best)
            after = own.plus([-count for count in best])
            return Exchange(given, change, rebuys, after, payee.plus(best))
    text = T("%(amount)s chips can't be paid with the chips at this table", amount=amount)
    raise SettlementError(text, code="no_change", field="chips")


def chip_payments(
    profile: Profile, transfers: Sequence[Transfer], purses: Sequence[Purse]
) -> tuple[tuple[Exchange, ...], tuple[Purse, ...]]:
    """Pay the transfers one after the other out of the players' purses (by seat)."""
    refill, now, made = buy_in(profile), list(purses), []
    for each in transfers:
        if each.payer is None or each.payee is None:
            continue
        chips = in_chips(profile, each.amount)
        exchange = pay(now[each.payer], now[each.payee], chips, refill)
        now[each.payer], now[each.payee] = exchange.payer, exchange.payee
        made.append(exchange)
    return tuple(made), tuple(now)


def _chips_moved(way: tuple[int, ...]) -> tuple[int, int]:
    """Fewest chips in all; of these, the least change."""
    return sum(map(abs, way)), sum(-count for count in way if count < 0)


def _ways(payer: Purse, payee: Purse, amount: int) -> Iterator[tuple[int, ...]]:
    """Chips of each value that can go to the payee (negative: come back) and make the amount."""
    values = payer.values
    smallest = values.index(min(values))
    rest = [index for index in range(len(values)) if index != smallest]
    spans = [range(-payee.counts[index], payer.counts[index] + 1) for index in rest]
    for chosen in product(*spans):
        left = amount - sum(values[i] * n for i, n in zip(rest, chosen, strict=True))
        count, odd = divmod(left, values[smallest])
        if odd or not -payee.counts[smallest] <= count <= payer.counts[smallest]:
            continue
        way = [0] * len(values)
        way[smallest] = count
        for index, number in zip(rest, chosen, strict=True):
            way[index] = number
        yield tuple(way)

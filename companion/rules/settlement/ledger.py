"""What changes hands: transfers between seats, which always add up to zero."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.catalogue import translate
from companion.text import GorrionError, T

SEATS: Final = 4
Net: TypeAlias = tuple[int, int, int, int]
"""Gain of each seat; what is paid is negative."""


class SettlementError(GorrionError):
    """A payment that can't be worked out; the sentence says what is missing or wrong."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment.

    Attributes:
        payer, payee: seats 0..3; None is the table, where riichi sticks lie.
        amount: units or points, at least 1.
        why: what it is for.
    """

    payer: int | None
    payee: int | None
    amount: int
    why: T

    def __post_init__(self) -> None:
        if self.payer == self.payee:
            raise ValueError(f"seat {self.payer} can't pay itself")
        if self.amount < 1:
            raise ValueError(f"amount {self.amount} is less than 1")

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "from": self.payer,
            "to": self.payee,
            "amount": self.amount,
            "why": translate(self.why, lang),
        }


@dataclass(frozen=True, slots=True)
class Paid:
    """What one winner was worth and was paid for.

    Attributes:
        winner: his seat.
        computed: faan, fan or points that the hand is worth.
        declared: what he said, None when he said nothing.
        settled: what the payment was made for.
    """

    winner: int
    computed: int
    declared: int | None
    settled: int

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "computed": self.computed,
            "declared": self.declared,
            "settled": self.settled,
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments at the end of a hand.

    Attributes:
        transfers: who pays whom, how much and what for.
        paid: for each winner what was counted, declared and settled.
        chip: units of a chip, or None where the profile has no chips.
        note: something that a person should know, or None.
    """

    transfers: tuple[Transfer, ...] = ()
    paid: tuple[Paid, ...] = ()
    chip: int | None = None
    note: T | None = None

    @property
    def net(self) -> Net:
        """Gain of each seat. With `from_table` added to what the table loses it is zero."""
        gains = [0] * SEATS
        for transfer in self.transfers:
            if transfer.payer is not None:
                gains[transfer.payer] -= transfer.amount
            if transfer.payee is not None:
                gains[transfer.payee] += transfer.amount
        return (gains[0], gains[1], gains[2], gains[3])

    @property
    def from_table(self) -> int:
        """Points of riichi sticks taken from the table."""
        taken = sum(each.amount for each in self.transfers if each.payer is None)
        return taken - sum(each.amount for each in self.transfers if each.payee is None)

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        chips = None
        if self.chip is not None and all(gain % self.chip == 0 for gain in self.net):
            chips = [gain // self.chip for gain in self.net]
        return {
            "net": list(self.net),
            "from_table": self.from_table,
            "transfers": [transfer.to_json(lang) for transfer in self.transfers],
            "paid": [each.to_json() for each in self.paid],
            "chips": chips,
            "note": translate(self.note, lang) if self.note is not None else None,
        }


def transfer(payer: int, payee: int, amount: int, why: T) -> Iterable[Transfer]:
    """A payment, the other way round when the amount is negative, none when it is zero."""
    if amount > 0:
        yield Transfer(payer, payee, amount, why)
    elif amount < 0:
        yield Transfer(payee, payer, -amount, why)


def others(seat: int) -> tuple[int, ...]:
    """The other three seats in turn order."""
    return tuple((seat + step) % SEATS for step in range(1, SEATS))


def check_seat(seat: int | None, field: str) -> None:
    """Refuse what is no seat.

    Raises:
        SettlementError: naming it.
    """
    if seat is not None and not 0 <= seat < SEATS:
        text = T("there is no seat %(seat)s: seats are 0 to 3", seat=seat)
        raise SettlementError(text, code="no_seat", field=field)

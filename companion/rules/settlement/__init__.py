"""Who pays whom when a hand is over, under every payment rule; what is paid always adds up to zero."""

from companion.rules.settlement import settings  # noqa: F401 - lets profiles hold its keys
from companion.rules.settlement.chips import Exchange, Purse, buy_in, chip_payments, in_chips, pay
from companion.rules.settlement.ledger import Net, Paid, Settlement, SettlementError, Transfer
from companion.rules.settlement.pao import Fed, liable_for, liable_seat
from companion.rules.settlement.penalties import (
    cannot_win,
    settle_false_win,
    settle_nagashi,
    settle_noten,
)
from companion.rules.settlement.points import AllHands, settle_all_hands, settle_points
from companion.rules.settlement.wins import Win, settle_wins, win_of

__all__ = [
    "AllHands",
    "Exchange",
    "Fed",
    "Net",
    "Paid",
    "Purse",
    "Settlement",
    "SettlementError",
    "Transfer",
    "Win",
    "buy_in",
    "cannot_win",
    "chip_payments",
    "in_chips",
    "liable_for",
    "liable_seat",
    "pay",
    "settle_all_hands",
    "settle_false_win",
    "settle_nagashi",
    "settle_noten",
    "settle_points",
    "settle_wins",
    "win_of",
]

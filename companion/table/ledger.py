"""The score sheet of a match as rows, and as CSV."""

from __future__ import annotations

import csv
import io

from companion.rules.flow import Standing
from companion.table.state import SEATS, State

HEADER = (
    "hand",
    "round",
    "seat",
    "player",
    "wind",
    "won",
    "paid_winner",
    "worth",
    "delta",
    "total",
)


def score_rows(state: State) -> list[tuple[str | int, ...]]:
    """Four rows a hand under `HEADER`: what it moved for each seat, and the running total.

    Totals begin at zero: what a player has won or lost since the match began.
    """
    totals = [0] * len(SEATS)
    rows: list[tuple[str | int, ...]] = []
    for record in state.history:
        standing = Standing(east=record.east)
        for seat in SEATS:
            totals[seat] += record.deltas[seat]
            won = seat in record.winners
            worth = record.worth[record.winners.index(seat)] if won else None
            rows.append(
                (
                    record.number,
                    record.round,
                    seat,
                    state.names[seat],
                    standing.wind_of(seat),
                    int(won),
                    int(seat == record.loser),
                    "" if worth is None else worth,
                    record.deltas[seat],
                    totals[seat],
                )
            )
    return rows


def score_csv(state: State) -> str:
    """The rows as CSV with a header line, lines ended as RFC 4180 says."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    writer.writerows(score_rows(state))
    return out.getvalue()

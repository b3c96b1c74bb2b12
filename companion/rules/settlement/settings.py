"""What a profile may decide about paying: further keys of its table ``payment``, and ``penalties``."""

from __future__ import annotations

from companion.rules.schema import declare, numbers, one_of, some_of, switch, whole
from companion.text import T

declare(
    "payment",
    {
        # -- differences between the hands
        "winner_takes": one_of(
            T("What a loser pays the winner"),
            difference=T("the difference between the two hands"),
            full=T("the points of the winner's hand"),
        ),
        "losers_settle": switch(T("The losers settle their differences in pairs")),
        # -- what was declared
        "declared": one_of(
            T("A winner who declares less than his hand is worth is paid"),
            declared=T("what he declared"),
            counted=T("what the hand is worth"),
        ),
        "liability": switch(T("Who fed a limit hand pays for all three")),
        "liable_hands": some_of(
            T("Limit hands that are fed with the last open set of"),
            big_dragons=T("big three dragons"),
            big_winds=T("big four winds"),
            four_kongs=T("four kongs"),
            all_honours=T("honours alone"),
            all_terminals=T("terminals alone"),
        ),
        # -- fan and base points
        "base_points": whole(T("Points that every loser pays the winner"), 0, 100),
        # -- chips
        "chip_values": numbers(T("Chips, by how many each is worth"), 1, 5, 1),
        "buy_in": numbers(T("Chips of each kind that a player buys"), 1, 5),
    },
)
declare(
    "penalties",
    {
        "false_win": one_of(
            T("A false win pays each of the others"),
            faan=T("the units of a number of faan"),
            limit_self_draw=T("all that a limit hand gains by self-draw"),
            table=T("what the table agrees on"),
        ),
        "false_win_faan": whole(T("Faan that a false win is paid as"), 0, 100),
        "wrong_count": one_of(
            T("A hand with too many or too few tiles"),
            cannot_win=T("can't win any more; calling it is a false win"),
            table=T("is what the table agrees on"),
        ),
    },
)

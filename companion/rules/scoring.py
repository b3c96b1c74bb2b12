"""Counting a hand under a profile: the one way in, whatever the system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.faan import score_faan
from companion.rules.mcr.count import calculator, score_mcr
from companion.rules.points import score_points
from companion.rules.profile import Profile
from companion.rules.riichi.count import score_riichi
from companion.rules.sheet import ScoreSheet
from companion.text import GorrionError, T

Evaluator: TypeAlias = Callable[[Hand, Circumstances, Profile], ScoreSheet]

EVALUATORS: dict[str, Evaluator] = {}
"""Ways of counting by the name that a profile's ``evaluator`` gives; add one with `register`."""


_FIRST_UNIT: Final = {"faan": "faan", "points": "points", "riichi": "han", "mcr": "fan"}
"""What `ScoreSheet.values` begins with, by way of counting."""


class HandError(GorrionError):
    """A hand that cannot exist, or that cannot have been won like this."""


class UnsupportedError(GorrionError):
    """Rules whose way of counting is not there."""


_NEEDS: dict[str, Callable[[], object]] = {}


def register(name: str, evaluator: Evaluator, needs: Callable[[], object] | None = None) -> None:
    """Let profiles name this way of counting. It is called only with hands whose flags are clear.

    `needs` raises a GorrionError when something is missing that this way of counting is done with.
    """
    EVALUATORS[name] = evaluator
    if needs is not None:
        _NEEDS[name] = needs


def score(hand: Hand, circumstances: Circumstances, profile: Profile) -> ScoreSheet:
    """Count a hand and explain the result.

    Raises:
        HandError: when the tiles can be no hand of fourteen, the winning tile is not known, or it
            cannot have been robbed from a kong.
        UnsupportedError: when the profile's way of counting is not there.
    """
    evaluator = evaluator_of(profile)
    check_hand(hand, circumstances)
    return evaluator(hand, circumstances, profile)


def score_or_why(hand: Hand, circumstances: Circumstances, profile: Profile) -> ScoreSheet:
    """`score`; of a hand that can be none, an empty sheet that says why.

    A table shows such hands: an entry that a won hand was made of may be taken back.
    """
    try:
        return score(hand, circumstances, profile)
    except GorrionError as error:
        values = {_FIRST_UNIT.get(profile.evaluator, "points"): None}
        return ScoreSheet(profile, complete=False, can_win=False, values=values, why=(error.text,))


def evaluator_of(profile: Profile) -> Evaluator:
    """The profile's way of counting.

    Raises:
        UnsupportedError: when it is not there.
        GorrionError: when something that it is done with is not installed.
    """
    if profile.evaluator in _NEEDS:
        _NEEDS[profile.evaluator]()
    evaluator = EVALUATORS.get(profile.evaluator)
    if evaluator is None:
        text = T("hands can't be counted by %(name)s yet: choose other rules", name=profile.names)
        raise UnsupportedError(text, code="unsupported", field="rules")
    return evaluator


def check_hand(hand: Hand, circumstances: Circumstances) -> None:
    """Refuse what can be no finished hand.

    Raises:
        HandError: with the sentence of the first flag.
    """
    flags = hand.flags()
    if flags:
        raise HandError(flags[0].text, code=flags[0].code, field="hand")
    if hand.winning is None:
        text = T("the winning tile is not known: say which tile completed the hand")
        raise HandError(text, code="winning_tile_unknown", field="win")
    if circumstances.rob_kong and hand.all_counts[hand.winning.index or 0] > 1:
        text = T(
            "%(tile)s can't have been robbed from a kong: the kong has four of them and the hand "
            "holds another one",
            tile=hand.winning.code,
        )
        raise HandError(text, code="impossible", field="rob_kong")


register("riichi", score_riichi)
register("mcr", score_mcr, needs=calculator)
register("faan", score_faan)
register("points", score_points)

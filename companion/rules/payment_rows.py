"""Rows of JSON that ask who pays whom, without a hand: a value, or the points of all four hands.

``{"ruleset", "context"}`` with ``faan`` or ``fan`` and perhaps a ``winner`` (a seat 0..3), with ``points``
and ``winner``, or with ``yakuman``, ``winner`` and ``discarder`` for the Japanese game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from companion.rules.circumstances import Wind
from companion.rules.payment import base_units
from companion.rules.profile import Profile
from companion.rules.riichi.count import with_options
from companion.rules.riichi.points import YAKUMAN_BASE
from companion.rules.riichi.yaku import YAKUMAN, YAKUMAN_HAN
from companion.rules.settlement import (
    Settlement,
    SettlementError,
    Win,
    in_chips,
    settle_points,
    settle_wins,
)
from companion.rules.settlement.ledger import SEATS
from companion.text import T

WORTH: Final = ("faan", "fan", "points", "yakuman")
"""The keys of ``context`` that say what there is to pay for."""


def asks_for_payment(row: Mapping[str, Any]) -> bool:
    """Whether a row has something to pay for and no hand to count."""
    context = row.get("context")
    if row.get("hand") or row.get("melds") or not isinstance(context, Mapping):
        return False
    return "sets" not in context and any(key in context for key in WORTH)


def pay_row(row: Mapping[str, Any], profile: Profile, lang: str = "en") -> dict[str, Any]:
    """What a row without a hand moves, with its texts in `lang`.

    For a value alone: ``base``, ``discarder`` and ``others`` (what they pay on a discard, negative),
    ``discard_total``, ``self_draw_each``, ``self_draw_total`` (None for a value that no self-draw has),
    and the same in chips. Where a seat is told as the winner also ``net``, the gain of each seat.

    Raises:
        SettlementError: when the row has another form, or the rules pay otherwise.
    """
    context = row["context"]
    kind = profile["payment.kind"]
    if "points" in context:
        settled = settle_points(
            profile,
            _points(context["points"]),
            _seat(context, "winner", 0) or 0,
            _seat(context, "east", 0) or 0,
        )
        return settled.to_json(lang)
    if "yakuman" in context:
        if kind != "riichi":
            raise _wrong("yakuman", '"faan": 5')
        return _yakuman(context, profile, lang)
    if kind == "riichi":
        text = T("these rules pay by han and fu: give the hand, or a yakuman")
        raise SettlementError(text, code="bad_row", field="faan")
    worth = next(context[key] for key in ("faan", "fan") if key in context)
    if not isinstance(worth, int) or isinstance(worth, bool):
        raise _wrong("faan", "5")
    return _worth(worth, context, profile, lang)


def _worth(worth: int, context: Mapping[str, Any], profile: Profile, lang: str) -> dict[str, Any]:
    """A value paid by a discard and by a self-draw, to a winner who is not East."""
    claimed = settle_wins(profile, [Win(1, worth, discarder=2)], 0)
    drawn = settle_wins(profile, [Win(1, worth)], 0)
    in_table = profile["payment.kind"] == "faan_table"
    possible = worth >= _least_of_a_self_draw(profile)
    answer: dict[str, Any] = {
        "base": base_units(profile, worth) if in_table else profile["payment.base_points"],
        "discarder": claimed.net[2],
        "others": claimed.net[3],
        "discard_total": claimed.net[1],
        "self_draw_each": drawn.net[2] if possible else None,
        "self_draw_total": drawn.net[1] if possible else None,
    }
    if profile.get("payment.chip"):
        answer["chips_discard"] = in_chips(profile, claimed.net[1])
        answer["chips_self_draw"] = in_chips(profile, drawn.net[1]) if possible else None
    if isinstance(context.get("winner"), int):
        answer |= _told(context, worth, profile).to_json(lang)
    elif not isinstance(context.get("winner"), str):
        answer["winner"] = claimed.net[1]
    return answer


def _told(context: Mapping[str, Any], worth: int, profile: Profile) -> Settlement:
    won = Win(_seat(context, "winner", 0) or 0, worth, _seat(context, "discarder", None))
    return settle_wins(profile, [won], _seat(context, "dealer", 0) or 0)


def _least_of_a_self_draw(profile: Profile) -> int:
    """A self-draw that is a pattern itself is worth that much at least."""
    rule = profile.patterns.get("self_draw")
    if rule is None or not isinstance(rule.leaf.value, int):
        return 0
    return rule.leaf.value


def _yakuman(context: Mapping[str, Any], profile: Profile, lang: str) -> dict[str, Any]:
    options = context.get("options", {})
    if not isinstance(options, Mapping):
        raise _wrong("options", '{"pao_scope": "yakuman"}')
    profile = with_options(profile, options)
    named = _named_yakuman(context["yakuman"])
    winner = _seat(context, "winner", None)
    if winner is None:
        raise _wrong("winner", "0")
    discarder, liable = _seat(context, "discarder", None), context.get("liable")
    if liable == "other":
        liable = next(seat for seat in range(SEATS) if seat not in (winner, discarder))
    fed = [each for each in named if any(name in profile["riichi.pao"] for name in each)]
    won = Win(
        winner,
        _basic_points(named, profile),
        discarder,
        liable=_is_seat("liable", liable),
        liable_worth=_basic_points(fed, profile),
    )
    # Where nobody says who deals, the winner does not.
    dealer = _seat(context, "dealer", (winner + 1) % SEATS) or 0
    honba = context.get("honba", 0)
    if type(honba) is not int or honba < 0:
        raise _wrong("honba", "0")
    settled = settle_wins(profile, [won], dealer, honba=honba)
    answer = settled.to_json(lang)
    answer["winner"] = settled.net[winner]
    for name, seat in (("discarder", discarder), ("liable", won.liable)):
        if seat is not None:
            answer[name] = settled.net[seat]
    return answer


def _named_yakuman(given: Any) -> list[tuple[str, ...]]:
    """The yakuman of a row; of names with a stroke between them it is one or the other."""
    listed = given if isinstance(given, list) else [given]
    if not listed or not all(isinstance(each, str) for each in listed):
        raise _wrong("yakuman", '["daisangen", "tsuuiisou"]')
    named = [tuple(each.split("/")) for each in listed]
    for name in (name for each in named for name in each):
        if name not in YAKUMAN:
            text = T(
                '"%(given)s" is no yakuman: use %(known)s', given=name, known=tuple(sorted(YAKUMAN))
            )
            raise SettlementError(text, code="bad_row", field="yakuman")
    return named


def _basic_points(named: list[tuple[str, ...]], profile: Profile) -> int:
    """What yakuman are worth together: a double one counts twice where the profile has double ones."""
    most = 2 if profile["riichi.double_yakuman"] else 1
    han: list[int] = [max(max(profile[f"yaku.{name}"]) for name in each) for each in named]
    return YAKUMAN_BASE * sum(min(each // YAKUMAN_HAN, most) for each in han)


def _points(given: Any) -> list[int]:
    whole = isinstance(given, list) and all(type(each) is int for each in given)
    if not whole:
        raise _wrong("points", "[60, 40, 80, 10]")
    return list(given)


def _seat(context: Mapping[str, Any], key: str, default: int | None) -> int | None:
    given = context.get(key)
    if isinstance(given, str) and given in get_args(Wind):
        return get_args(Wind).index(given)
    return default if given is None else _is_seat(key, given)


def _is_seat(key: str, given: Any) -> int | None:
    if given is not None and type(given) is not int:
        raise _wrong(key, "0")
    return given


def _wrong(key: str, example: str) -> SettlementError:
    text = T('"%(key)s" has the wrong form: write it like %(example)s', key=key, example=example)
    return SettlementError(text, code="bad_row", field=key)

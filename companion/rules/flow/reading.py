"""The ``flow`` tables of a profile as a checked `Flow`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from companion.rules.flow.claims import RONS_THAT_DRAW, wins_that_draw
from companion.rules.flow.data import (
    Abort,
    ClaimFlow,
    DealFlow,
    DiscardFlow,
    DoraFlow,
    EndFlow,
    Flow,
    KongFlow,
    MatchFlow,
    OpeningFlow,
    RiichiFlow,
    RotationFlow,
    SeatingFlow,
    TileSet,
    WallFlow,
)
from companion.rules.profile import Profile
from companion.text import GorrionError, T

TABLES: Final[Mapping[str, type[Any]]] = {
    "tiles": TileSet,
    "seating": SeatingFlow,
    "opening": OpeningFlow,
    "wall": WallFlow,
    "deal": DealFlow,
    "claims": ClaimFlow,
    "kong": KongFlow,
    "discards": DiscardFlow,
    "dora": DoraFlow,
    "end": EndFlow,
    "rotation": RotationFlow,
    "match": MatchFlow,
    "riichi": RiichiFlow,
}
"""The tables of ``flow`` and what they hold."""


class FlowError(GorrionError):
    """A flow that cannot be played: the sentence names the profile, the key and what is allowed."""


def flow_of(profile: Profile) -> Flow:
    """The flow of a profile, with what its other tables say of it.

    Raises:
        FlowError: see `read_flow`; also when the flow says otherwise than another table.
    """
    data = {name: dict(table) for name, table in profile.flow_data.items()}
    for key, said_by, value in _said_elsewhere(profile):
        table, _, name = key.partition(".")
        held = data.setdefault(table, {}).setdefault(name, value)
        if held != value:
            text = T(
                "%(file)s: flow.%(key)s can't be %(given)s while %(other)s is %(value)s: leave "
                "flow.%(key)s out",
                file=profile.id,
                key=key,
                given=_as_json(held),
                other=said_by,
                value=_as_json(profile.get(said_by, value)),
            )
            raise FlowError(text, code="bad_profile", field=f"flow.{key}")
    return _with_triple_win(read_flow(data, profile.id), profile)


def _with_triple_win(flow: Flow, profile: Profile) -> Flow:
    """Whether wins break a hand off is said by `riichi.several_rons`, where a profile has it."""
    abort: Abort = "triple-win"
    said_by = "riichi.several_rons"
    rons, listed = profile.get(said_by), abort in flow.end.aborts
    if rons is None or listed == (rons in RONS_THAT_DRAW):
        return flow
    if not listed:
        end = dataclasses.replace(flow.end, aborts=(*flow.end.aborts, abort))
        return dataclasses.replace(flow, end=end)
    text = T(
        "%(file)s: flow.end.aborts can't list %(abort)s while %(other)s is %(value)s: leave "
        "%(abort)s out",
        file=profile.id,
        abort=_as_json(abort),
        other=said_by,
        value=_as_json(rons),
    )
    raise FlowError(text, code="bad_profile", field="flow.end.aborts")


def _said_elsewhere(profile: Profile) -> Iterator[tuple[str, str, Any]]:
    """What the flow takes from other tables of the profile: its key, the key that says it, the value."""
    yield "tiles.bonus", "rules.bonus_tiles", profile.get("rules.bonus_tiles", False)
    yield "claims.max_chows", "rules.max_chows", profile.shapes.max_chows
    yield "claims.dragon_chow", "rules.dragon_chow", profile.shapes.dragon_chow
    key = "riichi.several_rons"
    yield "claims.wins_that_draw", key, wins_that_draw(profile)
    if profile.get("payment.kind") == "riichi":
        yield "claims.winners", key, "nearest" if profile[key] == "nearest" else "all"
        yield "riichi.stick", "riichi.stick", profile["riichi.stick"]


def read_flow(data: Mapping[str, Any], origin: str) -> Flow:
    """Read the ``flow`` table of a profile, plain values nested as in the file.

    Args:
        data: `companion.rules.profile.Profile.flow_data`.
        origin: what errors call the profile: its file or id.

    Raises:
        FlowError: when a key is unknown, missing or has a value that is not allowed.
    """
    for name in data:
        if name not in TABLES:
            raise _error(origin, name, T("only %(keys)s", keys=tuple(TABLES)), None)
    flow = Flow(
        **{name: _table(cls, data.get(name, {}), name, origin) for name, cls in TABLES.items()}
    )
    _check(flow, origin)
    return flow


def _table(cls: type[Any], data: Any, name: str, origin: str) -> Any:
    if not isinstance(data, Mapping):
        raise _error(origin, name, T("a table"), data)
    hints = get_type_hints(cls)
    for key in data:
        if key not in hints:
            raise _error(origin, f"{name}.{key}", T("only %(keys)s", keys=tuple(hints)), None)
    held = {}
    for each in dataclasses.fields(cls):
        key = f"{name}.{each.name}"
        if each.name in data:
            held[each.name] = _value(data[each.name], hints[each.name], key, origin)
        elif each.default is dataclasses.MISSING:
            raise _error(origin, key, _allowed(hints[each.name]), None)
    return cls(**held)


def _value(value: Any, hint: Any, key: str, origin: str) -> Any:
    form = get_origin(hint)
    if form is tuple and isinstance(value, (list, tuple)):
        return tuple(_value(each, get_args(hint)[0], key, origin) for each in value)
    if form is Literal and value in get_args(hint):
        return value
    if form not in {None, tuple, Literal} and _are_words(value):
        return dict(value)
    if form is None and type(value) is hint and not (hint is int and value < 0):
        return value
    raise _error(origin, key, _allowed(hint), value)


def _are_words(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and {"es", "en"} <= set(value)
        and all(isinstance(word, str) for word in value.values())
    )


def _allowed(hint: Any) -> T:
    form = get_origin(hint)
    if form is Literal:
        return T("one of %(choices)s", choices=get_args(hint))
    if form is tuple:
        return T("a list of: %(each)s", each=_allowed(get_args(hint)[0]))
    if form is not None:
        return T("the words in es and en")
    words = {bool: T("true or false"), int: T("a whole number from 0"), str: T("a text")}
    return words[hint]


def _check(flow: Flow, origin: str) -> None:
    """What can only be judged when the tables are together."""
    opening, wall = flow.opening, flow.wall
    most = 6 * opening.side_dice
    if opening.side_dice < 1:
        raise _error(origin, "opening.side_dice", T("at least one die"), opening.side_dice)
    if opening.sides == "named" and not (
        len(opening.side_of) == most and all(0 <= place <= 3 for place in opening.side_of)
    ):
        allowed = T("a place 0..3 for each total from 1 to %(most)s", most=most)
        raise _error(origin, "opening.side_of", allowed, list(opening.side_of))
    for name, dead, loose in (
        ("loose_at", wall.dead_columns, wall.loose_at),
        ("loose_at_plain", wall.dead_columns_plain, wall.loose_at_plain),
    ):
        wanted = 2 if opening.gap == "lifted" else 0
        if len(loose) != wanted or any(not 1 <= at <= dead for at in loose):
            allowed = T("%(wanted)s columns of the dead wall, counted from the gap", wanted=wanted)
            raise _error(origin, f"wall.{name}", allowed, list(loose))
    if wall.replacements != "tail" and not (wall.dead_columns and wall.dead_columns_plain):
        raise _error(origin, "wall.replacements", T("tail, since there is no dead wall"), "dead")
    last = [at for hand in flow.deal.last for at in hand]
    if [len(hand) for hand in flow.deal.last] != [2, 1, 1, 1] or sorted(last) != list(range(5)):
        allowed = T("two places for East and one for each other, 0 to 4 in all")
        raise _error(origin, "deal.last", allowed, [list(hand) for hand in flow.deal.last])
    if flow.deal.blocks != 3:
        raise _error(origin, "deal.blocks", T("3, for hands of 13"), flow.deal.blocks)
    kinds = sorted(kind for rank in flow.claims.priority for kind in rank)
    if kinds != ["chow", "kong", "pung", "win"]:
        allowed = T("win, kong, pung and chow, each once")
        raise _error(origin, "claims.priority", allowed, [list(r) for r in flow.claims.priority])
    for name, lies in (
        ("concealed_lies", flow.kong.concealed_lies),
        ("claimed_lies", flow.kong.claimed_lies),
        ("added_lies", flow.kong.added_lies),
    ):
        if not lies or any(len(each) != 4 or set(each) - set("ud") for each in lies):
            allowed = T("layouts of four letters, u for up and d for down, such as uddu")
            raise _error(origin, f"kong.{name}", allowed, list(lies))


def _error(origin: str, key: str, allowed: T, given: Any) -> FlowError:
    key = f"flow.{key}"
    if given is None:
        text = T(
            "%(file)s: %(key)s is not known or is missing; allowed: %(allowed)s",
            file=origin,
            key=key,
            allowed=allowed,
        )
    else:
        text = T(
            "%(file)s: %(key)s can't be %(given)s; allowed: %(allowed)s",
            file=origin,
            key=key,
            given=_as_json(given),
            allowed=allowed,
        )
    return FlowError(text, code="bad_profile", field=key)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)

"""Events to JSON Lines and back, with errors that name the line and the key.

`read_entry(write_entry(entry)) == entry` for every entry. Unknown keys of newer minor additions are kept
out without complaint; a newer schema version is refused, an older one is brought up to date first.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from companion.reasons import json_says
from companion.table.events import (
    EVENT_TYPES,
    SCHEMA,
    EndGame,
    Entry,
    Event,
    EventError,
    Observation,
    Rotate,
    StartHand,
)
from companion.text import GorrionError, T, Text
from companion.tiles import WINDS, Tile

_ENVELOPE: Final = ("at_ms", "frame", "confidence")
_SEATS: Final = ("actor", "target", "east")
_AT_TABLE: Final = 4
_BY_SEAT: Final = ("names", "scores", "deltas", "hands")
"""Keys whose values stand by seat."""
_LISTS_OF_SEATS: Final = ("tenpai", "seats")
_HINTS: Final = {kind: get_type_hints(cls) for kind, cls in EVENT_TYPES.items()}


def write_entry(entry: Entry) -> str:
    """One line of JSON, without the line end."""
    return json.dumps(entry_to_json(entry), ensure_ascii=False, separators=(",", ":"))


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """The JSON form of an entry."""
    value: dict[str, Any] = {"seq": entry.seq, "v": SCHEMA, **event_to_json(entry.event)}
    if entry.at_ms is not None:
        value["at_ms"] = entry.at_ms
    if entry.frame is not None:
        value["frame"] = entry.frame
    if entry.confidence != 1.0:
        value["confidence"] = round(entry.confidence, 4)
    return value


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON form of an event; fields that have their default value are left out."""
    value: dict[str, Any] = {"type": event.type}
    for each in fields(event):
        held = getattr(event, each.name)
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if default is MISSING or held != default:
            value[each.name] = _plain(held)
    return value


def read_entry(line: str) -> Entry:
    """Read one line.

    Raises:
        EventError: when the line is no JSON object, its type is unknown, or a key is missing or wrong.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        text = T("this is not JSON (%(detail)s): %(line)s", detail=json_says(error), line=line[:60])
        raise _bad(text) from error
    if not isinstance(value, dict):
        raise _bad(T("an event is a JSON object, not %(line)s", line=line[:60]))
    return entry_from_json(value)


def read_entries(lines: Iterable[str]) -> Iterator[Entry]:
    """Read JSON Lines; blank lines are passed over.

    Raises:
        EventError: naming the line number.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read_entry(line)
        except GorrionError as error:
            raise EventError(
                T("line %(number)s: %(problem)s", number=number, problem=error.text),
                code=error.code,
                field=error.field,
            ) from error


def entry_from_json(value: Mapping[str, Any]) -> Entry:
    """Read the JSON form of an entry.

    Raises:
        EventError: see `read_entry`.
    """
    value = upgrade(value)
    seq = value.get("seq")
    if not isinstance(seq, int) or isinstance(seq, bool) or seq < 0:
        raise _bad(T('"seq" must be a whole number from 0 up'), "seq")
    extra = {key: value[key] for key in _ENVELOPE if key in value}
    for key, held in extra.items():
        wanted = (int, float) if key == "confidence" else (int,)
        if not isinstance(held, wanted) or isinstance(held, bool):
            raise _bad(T('"%(key)s" must be a number', key=key), key)
    return Entry(seq, event_from_json(value), **extra)


def event_from_json(value: Mapping[str, Any]) -> Event:
    """Read the JSON form of an event.

    Raises:
        EventError: see `read_entry`.
    """
    kind = value.get("type")
    cls = EVENT_TYPES.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise _bad(
            T(
                'there is no event type "%(given)s": use %(known)s',
                given=str(kind),
                known=tuple(EVENT_TYPES),
            ),
            "type",
        )
    hints = _HINTS[cls.type]
    held: dict[str, Any] = {}
    for each in fields(cls):
        if each.name in value:
            held[each.name] = _read(value[each.name], hints[each.name], each.name)
        elif each.default is MISSING and each.default_factory is MISSING:
            raise _bad(
                T('a "%(type)s" event needs "%(key)s"', type=cls.type, key=each.name), each.name
            )
    event = cls(**held)
    check_form(event)
    return event


def check_form(event: Event) -> None:
    """Refuse an event that no table can hold, however wrongly it was played or seen.

    Raises:
        EventError: naming the key.
    """
    for key in _BY_SEAT:
        value = getattr(event, key, None)
        may_lack = isinstance(event, EndGame) and not value
        if value is not None and len(value) != _AT_TABLE and not may_lack:
            raise _wrong(key, T("four values, one for each seat"), _plain(value))
    for key in _SEATS:
        seat = getattr(event, key, None)
        if seat is not None or (hasattr(event, key) and not isinstance(event, Observation)):
            _check_seat(seat, key)
    for key in _LISTS_OF_SEATS:
        for seat in getattr(event, key, ()):
            _check_seat(seat, key)
    if isinstance(event, StartHand) and event.round not in WINDS:
        raise _wrong("round", T("one of %(choices)s", choices=tuple(WINDS)), event.round)
    if isinstance(event, Rotate) and event.round < 0:
        raise _wrong("round", T("a whole number from 0 up"), event.round)
    if not getattr(event, "consumed", True):
        raise _wrong("consumed", T("the tiles of the set"), [])


WRONG_FORM: Final = (LookupError, TypeError, AttributeError, ValueError, OverflowError)
"""What Python raises where the log of another program holds something else than was looked for."""


def check_types(event: Event) -> None:
    """Refuse an event made of another program's values where one is not of its field's type; then see `check_form`.

    Raises:
        EventError: naming the key.
    """
    for each in fields(event):
        _read(_plain(getattr(event, each.name)), _HINTS[event.type][each.name], each.name)
    check_form(event)


def form_says(error: Exception) -> Text:
    """What was looked for in vain, of one of `WRONG_FORM`."""
    if isinstance(error, KeyError):
        return T('"%(key)s" is missing', key=str(error.args[0])[:40])
    if isinstance(error, IndexError):
        return T("a list is too short")
    return T("a value is of the wrong kind")


def upgrade(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Bring an older form up to date.

    Version 0 is mjai's own: no ``v``, no ``seq`` and ``start_kyoku`` instead of ``start_hand``; it is
    read by `companion.table.mjai`, so only the missing number is filled in here.

    Raises:
        EventError: when the form is newer than this program.
    """
    version = value.get("v", SCHEMA)
    if not isinstance(version, int) or isinstance(version, bool):
        raise _wrong("v", T("a whole number"), version)
    if version > SCHEMA:
        raise _bad(
            T(
                "this log is of version %(given)s, this program reads up to %(known)s: update it",
                given=str(version),
                known=SCHEMA,
            ),
            "v",
        )
    return value if "seq" in value else {**value, "seq": 0}


def _plain(value: Any) -> Any:
    if isinstance(value, Tile):
        return value.code
    if isinstance(value, Event):
        return event_to_json(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _read(value: Any, hint: Any, key: str) -> Any:
    """A JSON value as what the annotation of a field says."""
    origin = get_origin(hint)
    if origin in {Union, types.UnionType}:
        if value is None:
            return None
        hint = next(each for each in get_args(hint) if each is not type(None))
        return _read(value, hint, key)
    if origin is Literal:
        if not isinstance(value, str) or value not in get_args(hint):
            raise _wrong(
                key, T("one of %(choices)s", choices=tuple(map(str, get_args(hint)))), value
            )
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(key, T("a list"), value)
        return tuple(_read(each, get_args(hint)[0], key) for each in value)
    if hint is Tile:
        if not isinstance(value, str):
            raise _wrong(key, T("a tile"), value)
        return Tile.parse(value)
    if hint is Event:
        if not isinstance(value, dict):
            raise _wrong(key, T("an event"), value)
        return event_from_json(value)
    if origin is not None:  # Mapping[str, Any]
        if not isinstance(value, dict):
            raise _wrong(key, T("an object"), value)
        return value
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise _wrong(key, _PLAIN_WORDS[hint], value)
    return value


def _check_seat(value: int | None, key: str) -> None:
    if value is None or not 0 <= value < _AT_TABLE:
        raise _wrong(key, T("a seat 0..3"), value)


_PLAIN_WORDS: Final = {int: T("a whole number"), str: T("a text"), bool: T("true or false")}


def _wrong(key: str, wanted: T, value: Any) -> EventError:
    return _bad(
        T(
            '"%(key)s" must be %(wanted)s, not %(given)s',
            key=key,
            wanted=wanted,
            given=json.dumps(value, ensure_ascii=False, default=str)[:60],
        ),
        key,
    )


def _bad(text: T, field: str | None = None) -> EventError:
    return EventError(text, code="bad_event", field=field)

"""Events to JSON Lines and back."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_table_games import PROFILES, game

from companion.catalogue import translate
from companion.table import events as ev
from companion.table.wire import event_from_json, read_entries, read_entry, write_entry
from companion.tiles import ALL, Tile

TILES = st.sampled_from(ALL)
PLAIN = tuple(cls for cls in ev.EVENT_TYPES.values() if cls is not ev.Correction)


def values(hint: object) -> st.SearchStrategy[object]:
    """Values of a field's annotation."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Tile:
        return TILES
    if origin is tuple:
        return st.lists(values(args[0]), max_size=4).map(tuple)
    if origin is typing.Literal:
        return st.sampled_from(args)
    if origin is Mapping or hint is dict:
        return st.just({"faan": 3})
    if args:  # X | None
        return st.one_of(st.none(), values(args[0]))
    return {
        int: st.integers(0, 3),
        str: st.text(max_size=5),
        bool: st.booleans(),
    }[hint]  # type: ignore[index]


@st.composite
def events(draw: st.DrawFn) -> ev.Event:
    cls = draw(st.sampled_from(PLAIN))
    hints = typing.get_type_hints(cls)
    return cls(**{f.name: draw(held(cls, f.name, hints)) for f in dataclasses.fields(cls)})


def held(cls: type[ev.Event], key: str, hints: Mapping[str, object]) -> st.SearchStrategy[object]:
    """Values of a field: where they stand by seat there are four, a set has tiles."""
    if key in {"names", "scores", "deltas", "hands"}:
        (hint, *_) = typing.get_args(hints[key])
        return st.lists(values(hint), min_size=4, max_size=4).map(tuple)
    if key == "consumed":
        return st.lists(TILES, min_size=1, max_size=4).map(tuple)
    if key == "round" and cls is ev.StartHand:
        return st.sampled_from("ESWN")
    return values(hints[key])


@st.composite
def entries(draw: st.DrawFn) -> ev.Entry:
    event = draw(events())
    if draw(st.booleans()):
        event = ev.Correction("3", draw(st.sampled_from(["replace", "before"])), (event,))
    return ev.Entry(
        draw(st.integers(0, 9999)),
        event,
        at_ms=draw(st.none() | st.integers(0, 10**7)),
        frame=draw(st.none() | st.integers(0, 10**5)),
        confidence=draw(st.sampled_from([1.0, 0.5, 0.9375])),
    )


@given(entries())
def test_reading_undoes_writing(entry: ev.Entry) -> None:
    assert read_entry(write_entry(entry)) == entry


@pytest.mark.parametrize("profile", PROFILES)
def test_whole_games_survive(profile: str) -> None:
    played = game(profile, 2)
    assert tuple(read_entries(map(write_entry, played))) == played


def test_the_form_is_mjais_for_what_mjai_has() -> None:
    line = json.loads(write_entry(ev.Entry(7, ev.Discard(2, Tile("5m"), True))))
    assert line == {
        "seq": 7, "v": 1, "type": "dahai", "actor": 2, "pai": "5m", "tsumogiri": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        ("[]", "JSON object"),
        ('{"seq":1,"type":"jump"}', 'no event type "jump"'),
        ('{"seq":1,"type":"dahai","actor":2}', 'needs "pai"'),
        ('{"seq":1,"type":"dahai","actor":9,"pai":"5m"}', "a seat 0..3, not 9"),
        ('{"seq":1,"type":"dahai","actor":true,"pai":"5m"}', "whole number, not true"),
        ('{"seq":1,"type":"dahai","actor":1,"pai":"5h"}', 'unknown suit "h"'),
        ('{"seq":-1,"type":"dora","dora_marker":"5m"}', '"seq" must be'),
        ('{"seq":1,"v":99,"type":"dora","dora_marker":"5m"}', "version 99"),
        ('{"seq":1,"type":"replacement_draw","actor":1,"pai":"5m","reason":"fun"}', "kong, flower"),
        (
            '{"seq":1,"type":"chi","actor":1,"target":0,"pai":"5m","consumed":"4m"}',
            "must be a list",
        ),
        ('{"seq":1,"type":"dora","dora_marker":"5m","confidence":"high"}', "must be a number"),
        ('{"seq":1,"type":"settle","deltas":[1,-1]}', "four values, one for each seat"),
        ('{"seq":1,"type":"end_game","scores":[1]}', "four values, one for each seat"),
        ('{"seq":1,"type":"ryukyoku","reason":"exhausted","tenpai":[4]}', "a seat 0..3, not 4"),
        ('{"seq":1,"type":"ankan","actor":1,"consumed":[]}', "the tiles of the set"),
        ('{"seq":1,"type":"rotate","east":1,"round":-1,"streak":0}', "number from 0 up, not -1"),
        ('{"seq":1,"v":"x","type":"dora","dora_marker":"5m"}', '"v" must be a whole number'),
        (f'{{"seq":{"9" * 5000}}}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        (
            '{"seq":1,"type":"start_hand","profile":"x","profile_hash":"","round":"Q","east":0,'
            '"scores":[0,0,0,0],"hands":[[],[],[],[]]}',
            "one of E, S, W, N",
        ),
    ],
)
def test_a_wrong_line_is_named(line: str, words: str) -> None:
    with pytest.raises(ev.GorrionError, match=words.replace("(", r"\(")) as error:
        read_entry(line)
    assert str(error.value).count("\n") == 0
    with pytest.raises(ev.EventError, match="line 2: "):
        list(read_entries(["", line]))


def test_what_a_key_must_be_is_said_in_the_readers_language() -> None:
    with pytest.raises(ev.EventError) as error:
        read_entry('{"seq":1,"type":"chi","actor":1,"target":0,"pai":"5m","consumed":"4m"}')
    assert translate(error.value.text, "es") == '«consumed» debe ser una lista, no "4m"'


def test_unknown_keys_of_later_additions_are_passed_over() -> None:
    value = {"type": "dora", "dora_marker": "5m", "colour": "red"}
    assert event_from_json(value) == ev.Dora(Tile("5m"))

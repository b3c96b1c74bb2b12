"""`/table` and its twin: what they tell, who may change it, and what wrong requests get."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from itertools import islice

import pytest
from flask import Flask

from companion.live import TableHost
from companion.rules import load_profile
from companion.simulator.play import play_match
from companion.table import events as ev
from companion.web import table as table_page
from web.conftest import Page

RULES = "hk-old-style"
FAST = 100


@pytest.fixture
def host(app: Flask) -> Iterator[TableHost]:
    """A table at which no demo plays by itself: the test lays the events."""
    host: TableHost = app.extensions["gorrion_table"]
    host.play_demo(RULES, FAST)
    host.stop()
    yield host
    host.stop()


def script() -> list[ev.Event]:
    return list(play_match(load_profile(RULES), 7, 1))


def lay(host: TableHost, until: type[ev.Event]) -> None:
    """Play the rest of the demo's first hand up to the first event of a kind."""
    table = host.table
    assert table is not None
    events = script()
    played = len(table.line())
    assert played < 20
    stop = next(at for at, event in enumerate(events) if isinstance(event, until))
    table.add(events[played : stop + 1])


def test_without_a_game_the_page_offers_the_demo(page: Page) -> None:
    assert "Play the demo" in page.get("/table").text
    answer = page.get("/table.json")
    assert answer.status_code == 404
    assert answer.json["error"]["code"] == "no_game"


def test_the_form_starts_the_demo(page: Page, app: Flask) -> None:
    answer = page.post("/table/demo", data={"rules": "hk-wiki", "speed": "100"})
    app.extensions["gorrion_table"].stop()
    assert answer.status_code == 303
    assert page.get("/table.json").json["rules"]["id"] == "hk-wiki"
    assert 'id="table"' in page.get("/table").text


def test_a_win_is_told_with_its_score_and_what_was_paid(page: Page, host: TableHost) -> None:
    lay(host, ev.Settle)
    view = page.get("/table.json").json
    win = next(event for event in script() if isinstance(event, ev.Win))
    assert view["phase"] == "settled"
    assert view["wins"][0]["total"] == {"number": win.computed, "unit": "Faan"}
    assert sum(line["value"] for line in view["wins"][0]["lines"]) == win.computed
    assert sum(each["delta"] for each in view["settled"]) == 0
    assert view["seats"][win.actor]["tiles"] == [tile.code for tile in win.hand]


def test_hands_and_drawn_tiles_are_secret_until_they_are_shown(page: Page, host: TableHost) -> None:
    lay(host, ev.Discard)
    view = page.get("/table.json").json
    for seat in view["seats"]:
        assert set(seat["tiles"]) == {"back"}
        assert seat["drawn"] is None
    told = " ".join(event["text"] for event in view["events"] if event["type"] == "tsumo")
    assert " of " not in told


@pytest.mark.parametrize(("lang", "word"), [("es", "Muralla"), ("en", "Wall")])
def test_the_wall_is_counted_in_the_systems_own_words(
    page: Page, host: TableHost, lang: str, word: str
) -> None:
    page.lang = lang
    lay(host, ev.Discard)
    view = page.get("/table.json").json
    assert view["wall"]["live_word"] == word
    assert view["wall"]["live"] == host.table.snapshot().state.wall.live
    assert {claim["seat"] for claim in view["claims"]} == {0, 1, 2, 3} - {view["offer"]["seat"]}


def test_undo_takes_back_the_last_event_or_the_one_named(page: Page, host: TableHost) -> None:
    lay(host, ev.Discard)
    view = page.get("/table.json").json
    edit = {"version": view["version"], "edit": {"do": "undo"}}
    after = page.post("/table.json", json=edit).json
    assert after["phase"] == "discard" and after["pool"] == []
    assert after["version"] == view["version"] + 1
    named = {"version": after["version"], "edit": {"do": "undo", "event": "2"}}
    refs = {event["ref"] for event in page.post("/table.json", json=named).json["events"]}
    assert "1" in refs and "2" not in refs


def test_a_stale_undo_is_refused_with_the_reason(page: Page, host: TableHost) -> None:
    lay(host, ev.Discard)
    answer = page.post("/table.json", json={"version": 0, "edit": {"do": "undo"}})
    assert answer.status_code == 409
    assert answer.json["error"]["code"] == "stale"
    assert "gone on meanwhile" in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({}, "version"),
        ({"version": 3}, "edit"),
        ({"version": 3, "edit": {"do": "dance"}}, "edit"),
        ([], "version"),
    ],
)
def test_a_change_of_another_form_is_refused(
    page: Page, host: TableHost, value: object, field: str
) -> None:
    answer = page.post("/table.json", json=value)
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field


def test_an_unknown_event_is_named(page: Page, host: TableHost) -> None:
    version = page.get("/table.json").json["version"]
    answer = page.post(
        "/table.json", json={"version": version, "edit": {"do": "undo", "event": "999"}}
    )
    assert answer.status_code == 400
    assert '"999"' in answer.json["error"]["message"]


def test_a_watcher_sees_and_changes_nothing(guest: Page, host: TableHost) -> None:
    lay(host, ev.Discard)
    view = guest.get("/table.json").json
    assert view["may_edit"] is False
    edit = {"version": view["version"], "edit": {"do": "undo"}}
    assert guest.post("/table.json", json=edit).status_code == 403
    assert guest.post("/table/demo", data={}).status_code == 403


@pytest.mark.parametrize("speed", ["0", "-1", "1000", "fast", "nan"])
def test_a_speed_out_of_bounds_is_named(page: Page, speed: str) -> None:
    answer = page.post("/table/demo", json={"speed": speed})
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == "speed"


def test_unknown_rules_are_named(page: Page) -> None:
    answer = page.post("/table/demo", json={"rules": "poker"})
    assert answer.status_code == 400
    assert '"poker"' in answer.json["error"]["message"]


def test_the_stream_gives_the_present_version_and_then_each_new_one(
    app: Flask, host: TableHost
) -> None:
    table = host.table
    assert table is not None
    version = table.snapshot().version
    client = app.test_client()
    answer = client.get("/table/stream", base_url="http://127.0.0.1:8136", buffered=False)
    assert answer.mimetype == "text/event-stream"
    parts = answer.response
    first = "".join(_text(part) for part in islice(parts, 2))
    assert f"id: {table.snapshot().game}.{version}\n" in first
    lay(host, ev.Discard)
    second = _text(next(iter(parts)))
    data = json.loads(second.split("data: ", 1)[1])
    assert data["version"] == table.snapshot().version
    answer.close()


def test_more_streams_than_there_is_room_for_are_refused(
    app: Flask, host: TableHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_page, "_streams", threading.BoundedSemaphore(1))
    client = app.test_client()
    first = client.get("/table/stream", base_url="http://127.0.0.1:8136", buffered=False)
    next(iter(first.response))
    refused = client.get(
        "/table/stream",
        base_url="http://127.0.0.1:8136",
        headers={"Accept": "application/json"},
    )
    assert refused.status_code == 503
    assert refused.json["error"]["code"] == "too_many_streams"
    first.close()
    again = client.get("/table/stream", base_url="http://127.0.0.1:8136", buffered=False)
    assert again.status_code == 200
    again.close()


def test_a_stream_ends_when_another_game_is_shown_and_the_next_begins_with_that(
    app: Flask, host: TableHost
) -> None:
    old = host.table
    assert old is not None
    lay(host, ev.Settle)
    client = app.test_client()
    address = {"path": "/table/stream", "base_url": "http://127.0.0.1:8136", "buffered": False}
    answer = client.get(**address)
    parts = iter(answer.response)
    last = "".join(_text(part) for part in islice(parts, 2))
    seen = last.split("id: ", 1)[1].split("\n", 1)[0]
    host.play_demo("hk-wiki", 0.25)
    host.stop()
    assert all(_text(part).startswith(":") for part in parts), "it ends"
    answer.close()
    assert host.table is not None and host.table.snapshot().version < old.snapshot().version
    again = client.get(headers={"Last-Event-ID": seen}, **address)
    parts = iter(again.response)
    first = "".join(_text(part) for part in islice(parts, 2))
    assert json.loads(first.split("data: ", 1)[1])["rules"]["id"] == "hk-wiki"
    again.close()


def test_a_browser_is_not_sent_again_what_it_has_seen(
    app: Flask, host: TableHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_page, "HEARTBEAT_S", 0.01)
    lay(host, ev.Discard)
    table = host.table
    assert table is not None
    seen = f"{table.snapshot().game}.{table.snapshot().version}"
    client = app.test_client()
    answer = client.get(
        "/table/stream",
        query_string={"seen": seen},
        base_url="http://127.0.0.1:8136",
        buffered=False,
    )
    parts = iter(answer.response)
    assert "retry" in _text(next(parts))
    assert _text(next(parts)).startswith(":")
    answer.close()


@pytest.mark.parametrize("seen", ["²", "--1", "9" * 5000, "-", "x", ".", ".5", "x.²"])
def test_what_a_browser_says_it_has_seen_may_be_nonsense(
    app: Flask, host: TableHost, monkeypatch: pytest.MonkeyPatch, seen: str
) -> None:
    monkeypatch.setattr(table_page, "_streams", threading.BoundedSemaphore(1))
    client = app.test_client()
    address = {"path": "/table/stream", "base_url": "http://127.0.0.1:8136", "buffered": False}
    for _ in range(2):  # it takes no place for ever
        answer = client.get(query_string={"seen": seen}, **address)
        assert answer.status_code == 200
        parts = iter(answer.response)
        assert "id: " in _text(next(parts)) + _text(next(parts))
        answer.close()


def test_asking_for_the_headers_of_the_stream_takes_no_place(
    app: Flask, host: TableHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_page, "_streams", threading.BoundedSemaphore(1))
    client = app.test_client()
    for _ in range(3):
        answer = client.head("/table/stream", base_url="http://127.0.0.1:8136")
        assert answer.status_code == 200
        answer.close()


@pytest.mark.parametrize("body", [[], 5, "x", None])
def test_a_demo_is_asked_for_in_an_object(page: Page, body: object) -> None:
    answer = page.post("/table/demo", json=body)
    assert answer.status_code in {200, 303}


def _text(part: bytes | str) -> str:
    return part.decode() if isinstance(part, bytes) else part

"""Who may talk to the page, and what it may load."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.web.security import Forbidden, PinConfig, PinGate, allowed_hosts
from web.conftest import HOME, PIN, Page, jpeg


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "169.254.1.1", ""),
        *("evil@127.0.0.1", "127.0.0.1/evil", "[", "127.0.0.1#evil"),
        *("localhost:99999", "localhost:x", "localhost:-1"),
    ],
)
def test_a_foreign_host_name_is_refused(page: Page, host: str) -> None:
    answer = page.get("/score.json", headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert set(answer.json["error"]) == {"code", "message", "field"}


@pytest.mark.parametrize("host", ["localhost:8136", "127.0.0.1", "[::1]:8136", "LOCALHOST"])
def test_names_of_this_machine_are_answered(page: Page, host: str) -> None:
    assert page.get("/score.json", headers={"Host": host}).status_code == 200


def test_hosts_follow_the_settings() -> None:
    assert allowed_hosts("127.0.0.1", lan=False) == {"127.0.0.1", "localhost", "[::1]"}
    assert "192.168.5.5" in allowed_hosts("192.168.5.5", lan=False)
    assert "0.0.0.0" not in allowed_hosts("0.0.0.0", lan=True)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8136"},
        {"Origin": "http://127.0.0.1:9999"},
    ],
)
def test_a_post_from_another_site_is_refused(page: Page, headers: dict[str, str]) -> None:
    answer = page.post("/score.json", json={"empty": True}, headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "wrong_origin")


def test_a_program_sends_no_origin_and_is_let_in_unless_a_browser_says_cross_site(
    app: Flask,
) -> None:
    client = app.test_client()
    assert client.post("/score.json", json={"empty": True}, base_url=HOME).status_code == 201
    crossed = client.post(
        "/score.json", json={"empty": True}, base_url=HOME, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert crossed.status_code == 403


def test_every_answer_has_a_strict_policy(page: Page) -> None:
    for path in ("/", "/score", "/rules", "/settings", "/nowhere", "/static/css/house.css"):
        policy = page.get(path).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy, "nothing from elsewhere"


def test_the_pages_need_no_inline_script_or_style(page: Page) -> None:
    state = page.start()
    for path in ("/", "/score", f"/score/{state['id']}", "/rules", "/settings", "/pin"):
        text = page.get(path).text
        assert " style=" not in text
        assert " onclick=" not in text
        assert "<script>" not in text
        assert "http://" not in text.replace("http://www.w3.org", ""), "nothing from elsewhere"


def test_a_browser_of_the_network_only_watches(page: Page, guest: Page) -> None:
    state = page.start()
    seen = guest.state(state["id"])
    assert not seen["may_edit"]
    assert seen["picture"]["url"] is None
    assert guest.edit(state, "add", tile="1m").json["error"]["code"] == "pin_needed"
    assert guest.upload(jpeg()).status_code == 403
    assert guest.get(state["picture"]["url"]).status_code == 403
    assert guest.get("/score.json").json["recent"] == []
    assert guest.get("/settings.json").json["started_with"] == []
    assert guest.post("/settings", data={"lang": "es"}).status_code == 303


def test_the_pin_lets_a_browser_in(page: Page, guest: Page) -> None:
    state = page.start()
    assert "That did not work" not in guest.get("/pin").text
    wrong = guest.post("/pin", data={"pin": "000000"})
    assert wrong.status_code == 403
    assert "not the PIN" in wrong.text
    assert guest.get(f"/pin?pin={PIN}").status_code == 303, "the address of the QR code"
    assert guest.edit(state, "add", tile="1m").status_code == 200
    assert guest.get(state["picture"]["url"]).status_code == 200


def test_a_cookie_of_an_earlier_start_lets_no_one_in(app: Flask, guest: Page) -> None:
    assert guest.post("/pin", data={"pin": PIN}).status_code == 303
    assert guest.get("/pin.json").json == {"may_edit": True}
    app.extensions["gorrion_pin"].pin = "999999"
    assert guest.get("/pin.json").json == {"may_edit": False}


def test_guessing_the_pin_is_slowed_down() -> None:
    now = [0.0]
    gate = PinGate("123456", PinConfig(tries=3, per_seconds=60), clock=lambda: now[0])
    for _ in range(3):
        with pytest.raises(Forbidden) as wrong:
            gate.check("000000")
        assert wrong.value.code == "wrong_pin"
    with pytest.raises(Forbidden) as stopped:
        gate.check("123456")
    assert (stopped.value.code, stopped.value.status) == ("too_many_tries", 429)
    now[0] = 61.0
    gate.check("123456")


def test_without_a_pin_nobody_of_the_network_comes_in() -> None:
    gate = PinGate(None)
    with pytest.raises(Forbidden):
        gate.check("")
    with pytest.raises(Forbidden):
        gate.check("None")


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example/x", "/\\evil.example", "score"]
)
def test_the_language_form_leads_nowhere_else(page: Page, to: str) -> None:
    answer = page.post("/settings", data={"lang": "es", "next": to})
    assert answer.headers["Location"] == "/settings"


@pytest.mark.parametrize(
    "path",
    ["//evil.example", "/\\evil.example", "/\t/evil.example", "/\t\\evil", "//[", "/a\r\nX: y"],
)
def test_settings_lead_back_to_this_site_alone(page: Page, path: str) -> None:
    answer = page.post("/settings", data={"next": path})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/settings")
    assert page.post("/settings", data={"next": "/rules?id=mcr"}).headers["Location"] == (
        "/rules?id=mcr"
    )

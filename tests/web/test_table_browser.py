"""The table in a real browser: a whole demo hand, undo, both languages, and a server killed in the middle."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


class Served:
    """`gorrion serve --source demo` in a process of its own, that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, speed: float, rules: str = "hk-old-style") -> None:
        command = [sys.executable, "-m", "companion.cli", "serve", "--no-browser"]
        command += ["--source", "demo", "--rules", rules, "--speed", str(speed)]
        command += ["--port", str(self.port), "--data-dir", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise TimeoutError("the server did not start")

    def kill(self) -> None:
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.kill()


def tab(browser: Browser, lang: str) -> Page:
    return browser.new_context(locale=lang, viewport={"width": 1440, "height": 900}).new_page()


def live(page: Page) -> int:
    return int(page.locator(".wall-count.live b").inner_text())


def paid_win(page: Page) -> dict[str, Any]:
    """The score of a win once it is paid, read at one moment: at this speed the next hand is near."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        seen: dict[str, Any] | None = page.evaluate(
            """() => {
                const win = document.querySelector("#win");
                const texts = (what) => [...win.querySelectorAll(what)].map((each) => each.innerText);
                const [lines, paid] = [texts(".won-lines li"), texts(".settled td")];
                const shown = win.checkVisibility() && lines.length && paid.length;
                return shown ? { text: win.innerText, lines, paid } : null;
            }"""
        )
        if seen is not None:
            return seen
        time.sleep(0.05)
    raise TimeoutError("no win was shown and paid")


@pytest.mark.parametrize(
    ("lang", "won", "undo"), [("es-ES", "ha ganado", "Deshacer"), ("en-GB", "has won", "Undo")]
)
def test_a_whole_hand_is_followed(
    browser: Browser, served: Served, lang: str, won: str, undo: str
) -> None:
    served.start(speed=30)
    page = tab(browser, lang)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{served.url}/table")
    expect(page.locator(".seat.turn, .seat.next")).to_have_count(1, timeout=PATIENCE_MS)
    expect(page.locator(".pool .t.last")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".claims")).to_be_visible(timeout=PATIENCE_MS)
    first = live(page)
    expect(page.locator(".seat .meld").first).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".wall-count.live b")).not_to_have_text(str(first), timeout=PATIENCE_MS)
    assert live(page) < first
    win = paid_win(page)
    assert won in win["text"]
    assert win["lines"]
    assert sum(int(text.replace("−", "-")) for text in win["paid"]) == 0
    expect(page.get_by_role("button", name=re.compile(f"^. {undo}"))).to_be_visible()
    assert not troubles


def test_undo_takes_the_last_event_back(browser: Browser, served: Served) -> None:
    served.start(speed=100)
    page = tab(browser, "en-GB")
    page.goto(f"{served.url}/table")
    expect(page.locator(".pool .t").nth(3)).to_be_visible(timeout=PATIENCE_MS)
    served.kill()
    served.start(speed=0.25)
    page.goto(f"{served.url}/table")
    newest = page.locator("#events li").first.inner_text()
    page.locator("#undo").click()
    expect(page.locator("#events li").first).not_to_have_text(newest, timeout=PATIENCE_MS)


def test_a_killed_server_goes_on_at_the_same_event(browser: Browser, served: Served) -> None:
    served.start(speed=100)
    page = tab(browser, "en-GB")
    page.goto(f"{served.url}/table")
    expect(page.locator(".pool .t").nth(5)).to_be_visible(timeout=PATIENCE_MS)
    served.kill()
    expect(page.locator("#status")).to_have_attribute("data-kind", "wrong", timeout=PATIENCE_MS)
    seen = page.locator("#events li").all_inner_texts()
    served.start(speed=0.25)
    # The page finds the server again by itself and shows at least what it had shown before.
    expect(page.locator("#status")).not_to_have_attribute("data-kind", "wrong", timeout=PATIENCE_MS)
    now = page.locator("#events li").all_inner_texts()
    assert seen[0] in now
    again = tab(browser, "en-GB")
    again.goto(f"{served.url}/table")
    assert again.locator("#events li").all_inner_texts()[-1] in now or seen[0] in now


def test_whoever_watches_follows_when_another_game_is_begun(
    browser: Browser, served: Served
) -> None:
    served.start(speed=100)
    page = tab(browser, "en-GB")
    page.goto(f"{served.url}/table")
    expect(page.locator(".pool .t").nth(3)).to_be_visible(timeout=PATIENCE_MS)
    asked = page.request.post(
        f"{served.url}/table/demo",
        data={"rules": "riichi", "speed": 100},
        headers={"Origin": served.url},
    )
    assert asked.ok
    # Only riichi has rivers and indicators.
    expect(page.locator(".dora .t").first).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".river .t").first).to_be_visible(timeout=PATIENCE_MS)


@pytest.mark.parametrize("width", [360, 820, 1440])
@pytest.mark.parametrize("rules", ["hk-old-style", "riichi"])
def test_nothing_sticks_out_at_any_width(
    browser: Browser, served: Served, width: int, rules: str
) -> None:
    served.start(speed=100, rules=rules)
    page = browser.new_context(locale="es-ES", viewport={"width": width, "height": 900}).new_page()
    page.goto(f"{served.url}/table")
    expect(page.locator(".seat .meld, .pool .t, .river .t").nth(12)).to_be_visible(
        timeout=PATIENCE_MS
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width

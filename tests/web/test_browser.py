"""The page in a real browser, as a player uses it: with the mouse, on a phone, and by keyboard alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import CHECKOUT
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from companion.settings import Settings
from companion.web import create_app
from web.conftest import FakeReader

SAMPLE = CHECKOUT / "companion" / "web" / "static" / "sample.jpg"
READING_MS = 30_000
"""A picture is read while other tests keep the processor busy."""

Serve = Callable[..., str]


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers on the same data folder and gives their address; stops them at the end."""
    running = []

    def start(make_reader: Callable[[], FakeReader] | None = FakeReader) -> str:
        app = create_app(Settings(data_dir=tmp_path), make_reader=make_reader)
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join(10)
        server.server_close()


@pytest.fixture
def quiet_tab(browser: Browser) -> Iterator[Page]:
    """A window for tests of failures: the browser's console reports every answer that is no success."""
    context = browser.new_context(locale="es-ES", viewport={"width": 1440, "height": 900})
    yield context.new_page()
    context.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A Spanish browser window in which any script error or blocked resource fails the test."""
    context = browser.new_context(locale="es-ES", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert not troubles


def status(tab: Page) -> str:
    return tab.locator("#status-text").inner_text()


def total(tab: Page) -> str:
    """The large number of the slip with its unit."""
    return " ".join(tab.locator(".slip-total .number, .slip-total .unit").all_inner_texts())


def answer(tab: Page, name: str, value: str) -> None:
    """Tap an answer about how the hand was won, and wait until the server has taken it."""
    with tab.expect_response(lambda response: response.request.method == "POST"):
        tab.locator(f"label:has(input[name={name}][value={value}])").click()


def choose(tab: Page, selector: str) -> None:
    """Tap something that changes the sheet, and wait until the server has taken it."""
    with tab.expect_response(lambda response: response.request.method == "POST"):
        tab.locator(selector).first.click()


def test_a_picture_is_read_corrected_and_found_again(serve: Serve, tab: Page) -> None:
    """Uploads the sample, corrects a tile, sees the score change, switches language, reloads."""
    home = serve()
    tab.goto(f"{home}/score")
    tab.set_input_files("input[name=photo]", SAMPLE)
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    expect(tab.locator(".tray .tile")).to_have_count(16)
    expect(tab.locator(".picture .seen")).to_have_count(17)
    assert "dudosa" in status(tab)

    tab.locator(".tile.doubtful").click()
    expect(tab.locator("#picker .guess")).to_have_count(3)
    choose(tab, "#picker .guess")
    expect(tab.locator(".tile.doubtful")).to_have_count(0)
    assert total(tab) == "1 faan"
    answer(tab, "seat", "S")
    expect(tab.locator(".slip-total .number")).to_have_text("3")

    tab.locator(".group-bonus .tile").first.click()
    choose(tab, '#picker [data-tile="4f"]')
    expect(tab.locator(".slip-total .number")).to_have_text("2")
    expect(tab.locator(".verdict")).to_have_text("no se puede cantar")

    tab.get_by_role("button", name="English").click()
    expect(tab.locator(".verdict")).to_have_text("can't be called")
    tab.reload()
    expect(tab.locator("html")).to_have_attribute("lang", "en")
    expect(tab.get_by_role("button", name="flower 4 (bamboo)")).to_be_visible()
    assert total(tab) == "2 faan"
    choose(tab, "[data-key=undo]")
    expect(tab.locator(".slip-total .number")).to_have_text("3")

    tab.goto(f"{home}/")
    tab.locator(".recent-sheet").click()
    expect(tab.locator(".slip-total .number")).to_have_text("3")


def test_a_line_lights_up_the_tiles_that_make_it(serve: Serve, tab: Page) -> None:
    tab.goto(f"{serve()}/score")
    tab.set_input_files("input[name=photo]", SAMPLE)
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    answer(tab, "seat", "S")
    tab.locator(".line").nth(1).hover()
    expect(tab.locator(".tray .tile.lit")).to_have_count(1)
    expect(tab.locator(".picture .seen.lit")).to_have_count(1)
    tab.locator("#status").hover()
    expect(tab.locator(".lit")).to_have_count(0)
    tab.locator(".line").nth(0).focus()
    expect(tab.locator(".tray .tile.lit")).to_have_count(14)


def test_the_packaged_models_read_the_sample_and_a_player_corrects_it(
    serve: Serve, tab: Page
) -> None:
    """The first try of a newcomer, eyes and all: sample, correction, score, language, reload.

    That the sample is read without a mistake is tested beside the eyes; here a player puts right
    whatever they got wrong of its flowers.
    """
    tab.goto(f"{serve(None)}/score")
    tab.get_by_role("button", name="Probar con el ejemplo").click()
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    expect(tab.locator(".group-concealed .tile")).to_have_count(11)
    expect(tab.locator(".group-concealed .winning")).to_have_attribute(
        "aria-label", "4 de caracteres, ficha ganadora"
    )
    expect(tab.locator(".group-meld .tile")).to_have_count(3)
    for name, value in (("seat", "S"), ("discarder", "W")):
        answer(tab, name, value)
    for code, spoken in (("2f", "flor 2 (orquídea)"), ("2g", "estación 2 (verano)")):
        if tab.locator(f'.group-bonus [aria-label^="{spoken}"]').count() == 0:
            tab.get_by_role("button", name="Añadir ficha").click()
            choose(tab, f'#picker [data-tile="{code}"]')
    for wrong in tab.locator(
        '.group-bonus .tile:not([aria-label^="flor 2"], [aria-label^="estación 2"])'
    ).all():
        wrong.click()
        choose(tab, "#picker [data-action=not]")
    expect(tab.locator(".slip-total .number")).to_have_text("3")
    expect(tab.locator(".pays")).to_contain_text("Oeste paga a Sur")

    tab.locator(".group-bonus .tile").first.click()
    choose(tab, '#picker [data-tile="4f"]')
    expect(tab.locator(".slip-total .number")).to_have_text("2")
    tab.get_by_role("button", name="English").click()
    expect(tab.locator(".verdict")).to_have_text("can't be called")
    tab.reload()
    expect(tab.get_by_role("button", name="flower 4 (bamboo)")).to_be_visible()
    expect(tab.locator(".slip-total .number")).to_have_text("2")


def test_a_hand_is_built_by_hand_and_scored(serve: Serve, tab: Page) -> None:
    tab.goto(f"{serve()}/score")
    tab.get_by_role("button", name="Ponerla a mano").click()
    tab.wait_for_url("**/score/*")
    tab.locator("label:has(input[value=pung])").click()
    for code in ("7z", "6z", "5z"):
        choose(tab, f'.pad [data-tile="{code}"]')
    tab.locator("label:has(input[value=pad_tile])").click()
    for code in ("1m", "2m", "3m", "9s", "9s"):
        choose(tab, f'.pad [data-tile="{code}"]')
    expect(tab.locator(".pad")).to_be_hidden()
    assert status(tab).startswith("¿Qué ficha completó la mano?")
    tab.locator(".group-concealed .tile").first.click()
    choose(tab, "#picker [data-action=win]")
    assert int(tab.locator(".slip-total .number").inner_text()) >= 8
    expect(tab.locator(".verdict")).to_have_text("se puede cantar")


def test_the_keyboard_alone_corrects_a_tile(serve: Serve, tab: Page) -> None:
    tab.goto(f"{serve()}/score")
    tab.set_input_files("input[name=photo]", SAMPLE)
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    tab.locator(".tile.doubtful").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#picker .guess").first).to_be_focused()
    tab.keyboard.press("Tab")
    with tab.expect_response(lambda response: response.request.method == "POST"):
        tab.keyboard.press("Enter")
    expect(tab.locator("#picker")).to_be_hidden()
    expect(tab.locator(".group-meld .tile").nth(2)).to_have_attribute(
        "aria-label", "8 de caracteres"
    )
    tab.keyboard.press("Control+z")
    expect(tab.locator(".tile.doubtful")).to_have_count(1)


def test_tiles_are_dragged_between_groups_and_taken_from_the_picture(
    serve: Serve, tab: Page
) -> None:
    tab.goto(f"{serve()}/score")
    tab.set_input_files("input[name=photo]", SAMPLE)
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    with tab.expect_response(lambda response: response.request.method == "POST"):
        tab.locator(".group-concealed .tile").first.drag_to(tab.locator(".group-meld .tile").first)
    expect(tab.locator(".group-meld .tile")).to_have_count(4)
    expect(tab.locator(".group-meld .tile").first).to_have_attribute("aria-label", "1 de círculos")

    tab.get_by_role("button", name="Ampliar").click()
    tab.locator(".picture .off-sheet").click()
    choose(tab, "#picker .guess")
    expect(tab.locator(".group-concealed .tile")).to_have_count(11)
    expect(tab.locator(".picture .off-sheet")).to_have_count(0)


def test_a_sheet_that_changed_elsewhere_is_shown_and_said(serve: Serve, quiet_tab: Page) -> None:
    quiet_tab.goto(f"{serve()}/score")
    quiet_tab.set_input_files("input[name=photo]", SAMPLE)
    quiet_tab.wait_for_url("**/score/*", timeout=READING_MS)
    other = quiet_tab.context.new_page()
    other.goto(quiet_tab.url)
    answer(other, "seat", "S")
    with quiet_tab.expect_response(lambda response: response.status == 409):
        quiet_tab.locator("label:has(input[name=round][value=N])").click()
    expect(quiet_tab.locator("#status")).to_contain_text("ha cambiado entretanto")
    expect(quiet_tab.locator("input[name=seat][value=S]")).to_be_checked()
    expect(quiet_tab.locator("input[name=round][value=E]")).to_be_checked()


def test_a_bad_file_is_said_on_the_page(serve: Serve, quiet_tab: Page, tmp_path: Path) -> None:
    diary = tmp_path / "diary.jpg"
    diary.write_text("Querido diario")
    quiet_tab.goto(f"{serve()}/score")
    quiet_tab.set_input_files("input[name=photo]", diary)
    expect(quiet_tab.locator("#status")).to_have_attribute("data-kind", "wrong")
    assert "archivo de texto" in status(quiet_tab)
    expect(quiet_tab.locator("#preview")).to_be_hidden()


SELECTS_TOO_WIDE = """[...document.querySelectorAll("select")].filter(
    each => each.getBoundingClientRect().right > each.parentElement.getBoundingClientRect().right
).map(each => each.name)"""
"""Names of the lists of choices that stick out of the box they stand in."""


@pytest.mark.parametrize("width", [360, 820, 1440])
@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_page_fits_its_screen_with_targets_for_fingers(
    serve: Serve, browser: Browser, width: int, lang: str
) -> None:
    home = serve()
    context = browser.new_context(locale=lang, viewport={"width": width, "height": 800})
    tab = context.new_page()
    tab.goto(f"{home}/score")
    tab.set_input_files("input[name=photo]", SAMPLE)
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    expect(tab.locator(".tray .tile")).to_have_count(16)
    pages = [f"{home}/{name}" for name in ("", "score", "table", "rules", "settings")]
    for path in (tab.url, *pages):
        tab.goto(path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, path
        assert tab.evaluate(SELECTS_TOO_WIDE) == [], path
        assert small_targets(tab) == [], path
    context.close()


def small_targets(tab: Page) -> list[str]:
    """Whatever can be tapped and is smaller than 44 px (a link inside a sentence may be)."""
    found: list[str] = tab.evaluate(
        """() => [...document.querySelectorAll("button, a, summary, label.button, .segments label, .switch, select")]
            .filter((element) => element.checkVisibility() && !element.closest("p") && !element.matches(".skip"))
            .map((element) => {
              const box = element.getBoundingClientRect();
              const more = getComputedStyle(element, "::after");
              const extra = more.position === "absolute" && more.content !== "none" ? 12 : 0;
              return [element.outerHTML.slice(0, 90), box.width + extra, box.height + extra];
            })
            .filter(([, width, height]) => Math.min(width, height) < 43.5)
            .map(([html, width, height]) => `${width} x ${height}: ${html}`)"""
    )
    return found

"""Take the screenshots: the page with the bundled sample, as the README shows it or in every size.

    python3 scripts/screenshots.py                 docs/score.png
    python3 scripts/screenshots.py --all FOLDER    every page at 390, 820 and 1440 px in both languages

Needs Playwright and a Chromium (GORRION_CHROMIUM, or `chromium` in the path); .venv/ has the former once
scripts/test.py has run.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from companion.catalogue import LANGS
from companion.settings import Settings
from companion.web import create_app

ROOT = Path(__file__).resolve().parent.parent
README_PICTURE = ROOT / "docs" / "score.png"
WIDTHS = {390: 844, 820: 1180, 1440: 1000}
"""A phone, a tablet and a laptop: width and height of the window in CSS pixels."""
READING_MS = 120_000
PAGES = ("/", "/score", "/rules", "/settings")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every page in every size, here")
    parser.add_argument(
        "--dark", action="store_true", help="as a browser set to dark colours sees it"
    )
    args = parser.parse_args()
    chromium = os.environ.get("GORRION_CHROMIUM") or shutil.which("chromium")
    if not chromium:
        print("no Chromium: install it, or set GORRION_CHROMIUM to its path", file=sys.stderr)
        return 1
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # not a line for every part of a page
    with served() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        sheet = make_sheet(browser, home)
        if args.all:
            args.all.mkdir(parents=True, exist_ok=True)
            take_all(browser, home, sheet, args.all, "dark" if args.dark else "light")
        else:
            README_PICTURE.parent.mkdir(exist_ok=True)
            tab = open_tab(browser, "en", 1440, "light")
            tab.goto(sheet)
            settle(tab)
            tab.screenshot(path=README_PICTURE)
            print(README_PICTURE.relative_to(ROOT))
        browser.close()
    return 0


@contextmanager
def served() -> Iterator[str]:
    """A server of its own with an empty data folder; gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        server = make_server(
            "127.0.0.1", 0, create_app(Settings(data_dir=Path(folder))), threaded=True
        )
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def make_sheet(browser: Browser, home: str) -> str:
    """Read the sample, answer how the hand was won, and give the address of its sheet."""
    tab = open_tab(browser, "en", 1440, "light")
    tab.goto(f"{home}/score")
    tab.locator("button[name=sample]").click()
    tab.wait_for_url("**/score/*", timeout=READING_MS)
    for name, value in (("seat", "S"), ("discarder", "W")):
        with tab.expect_response(lambda response: response.request.method == "POST"):
            tab.locator(f"label:has(input[name={name}][value={value}])").click()
    return tab.url


def take_all(browser: Browser, home: str, sheet: str, folder: Path, colours: str) -> None:
    for lang in LANGS:
        for width in WIDTHS:
            tab = open_tab(browser, lang, width, colours)
            for path in (*PAGES, sheet):
                address = path if path.startswith("http") else home + path
                name = "sheet" if address == sheet else path.strip("/") or "start"
                tab.goto(address)
                settle(tab)
                file = folder / f"{name}-{width}-{lang}.png"
                tab.screenshot(path=file, full_page=True)
                print(file)
            tab.context.close()


def open_tab(browser: Browser, lang: str, width: int, colours: Any) -> Page:
    context = browser.new_context(
        locale=lang,
        viewport={"width": width, "height": WIDTHS[width]},
        device_scale_factor=2 if width < 500 else 1,
        has_touch=width < 1000,
        color_scheme=colours,
    )
    return context.new_page()


def settle(tab: Page) -> None:
    """Wait until pictures and transitions are done."""
    tab.wait_for_load_state("networkidle")
    tab.wait_for_timeout(400)


if __name__ == "__main__":
    sys.exit(main())

"""The pages around the score sheet, their twins and their languages."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest

from companion.catalogue import LANGS
from companion.rules import list_profiles
from companion.settings import Settings
from companion.text import GorrionError, T
from companion.web import create_app
from companion.web.words import WORDS
from web.conftest import FakeReader, Page, jpeg

PAGES = {
    "/": "/index.json",
    "/score": "/score.json",
    "/rules": "/rules.json",
    "/settings": "/settings.json",
    "/pin": "/pin.json",
}


@pytest.mark.parametrize(("path", "twin"), PAGES.items())
def test_every_page_has_a_twin(page: Page, path: str, twin: str) -> None:
    assert page.get(path).mimetype == "text/html"
    assert page.get(twin).is_json


@pytest.mark.parametrize("path", PAGES)
def test_every_page_speaks_both_languages(page: Page, path: str) -> None:
    page.start(hand="123m")
    texts = {}
    for lang in LANGS:
        page.lang = lang
        texts[lang] = page.get(path).text
        assert f'<html lang="{lang}"' in texts[lang]
    assert texts["es"] != texts["en"]


def test_the_language_is_the_browsers_until_one_is_chosen(page: Page) -> None:
    page.lang = "fr,en;q=0.5"
    assert page.get("/settings.json").json["lang"] == "en"
    page.lang = "fr"
    assert page.get("/settings.json").json["lang"] == "es"
    page.post("/settings", data={"lang": "en", "next": "/score"})
    page.lang = "es"
    assert page.get("/settings.json").json["lang"] == "en"
    assert page.get("/settings.json?lang=es").json["lang"] == "es"


def test_a_sheet_changes_its_language_and_nothing_else(page: Page) -> None:
    state = page.start()
    page.lang = "es"
    other = page.state(state["id"])
    assert other["status"]["text"].startswith("Una ficha es dudosa")
    assert other["layout"]["pieces"][0]["name"] == "1 de círculos"
    assert other["version"] == state["version"]
    assert other["hand"] == state["hand"]


def test_only_jobs_that_exist_are_links(page: Page) -> None:
    jobs = {job["id"]: job["url"] for job in page.get("/index.json").json["jobs"]}
    for url in jobs.values():
        assert url is None or page.get(url).status_code == 200
    assert jobs["score"] == "/score"
    for href in re.findall(r'href="(/[^"#]*)', page.get("/").text):
        assert page.get(href).status_code == 200, href


def test_the_start_shows_what_was_worked_on(page: Page) -> None:
    state = page.start(hand="123m")
    (recent,) = page.get("/score.json").json["recent"]
    assert recent["url"] == f"/score/{state['id']}"
    assert recent["tiles"] == ["1m", "2m", "3m"]
    assert recent["url"] in page.get("/").text


@pytest.mark.parametrize("profile", list_profiles())
@pytest.mark.parametrize("lang", LANGS)
def test_the_rules_say_in_words_what_they_leave_open(page: Page, profile: str, lang: str) -> None:
    page.lang = lang
    rules = page.get(f"/rules.json?id={profile}").json["rules"]
    for leaf in rules["before_play"]:
        assert leaf["label"] != leaf["key"], f"{leaf['key']} has no label"
        assert leaf["status_sentence"]
    assert page.get(f"/rules?id={profile}").status_code == 200


def test_tile_digits_can_be_switched_off(page: Page) -> None:
    assert 'data-digits="on"' in page.get("/").text
    page.post("/settings", data={"digits": "off"})
    assert 'data-digits="off"' in page.get("/").text
    assert page.get("/settings.json").json["digits"] is False


def test_the_scripts_find_all_their_words(page: Page) -> None:
    """Every t("key") of the scripts has words, and no words are left over."""
    root = page.client.application.static_folder
    assert root is not None
    used: set[str] = set()
    for script in Path(root, "js").glob("*.js"):
        text = script.read_text("utf-8")
        used |= set(re.findall(r'\bt\("(\w+)"', text))
    # Kinds of meld and of the pad's ways come as values: t(choice.kind), t(each).
    used |= {"chow", "pung", "kong", "ckong", "pad_tile"}
    assert used == set(WORDS)


def test_data_in_the_page_can_not_break_out_of_it(page: Page) -> None:
    text = page.get("/score").text
    block = re.search(r'<script type="application/json" id="page-data">(.*?)</script>', text, re.S)
    assert block is not None
    assert "<" not in block.group(1)
    assert json.loads(block.group(1))["words"]["close"] == "Close"


def test_the_page_is_there_while_the_reader_still_loads(tmp_path: Path) -> None:
    go_on = threading.Event()
    waiting = create_app(Settings(data_dir=tmp_path), make_reader=lambda: go_on.wait(10))  # type: ignore[arg-type,return-value]
    page = Page(waiting.test_client())
    assert page.get("/score.json").json["reader"]["state"] == "loading"
    go_on.set()


def test_without_models_the_page_says_so_and_goes_on(tmp_path: Path) -> None:
    def make() -> FakeReader:
        raise GorrionError(T("there are no models"), "no_models", status=500)

    app = create_app(Settings(data_dir=tmp_path), make_reader=make)
    page = Page(app.test_client())
    answer = page.upload(jpeg())
    assert (answer.status_code, answer.json["error"]["code"]) == (500, "no_models")
    assert page.get("/score.json").json["reader"] == {
        "state": "failed",
        "problem": "There are no models.",
    }
    assert "There are no models." in page.get("/score").text
    assert page.start(hand="123m")["hand"] == "123m"

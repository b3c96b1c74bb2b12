"""The catalogue is complete and fresh, and scripts/translate.py would notice if it were not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Message

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import translate


@pytest.mark.parametrize("lang", translate.LANGS)
def test_the_catalogue_is_complete_and_compiled(lang: str) -> None:
    assert translate.update(lang, translate.extract(), check=True) == []


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A little package with one sentence of each kind, and no catalogue yet."""
    package = tmp_path / "shop"
    (package / "templates").mkdir(parents=True)
    (package / "goods.py").write_text('T("%(n)s apples", n=1)\nother("not for people")\n')
    (package / "templates" / "page.html").write_text(
        '{{ _("Welcome") }} {{ ngettext("%(num)s pear", "%(num)s pears", 2) }}'
    )
    monkeypatch.setattr(translate, "ROOT", tmp_path)
    monkeypatch.setattr(translate, "PACKAGES", ("shop",))
    monkeypatch.setattr(translate, "TRANSLATIONS", tmp_path / "translations")
    return tmp_path


def test_sentences_come_from_code_and_templates(house: Path) -> None:
    ids = {message.id for message in translate.extract() if message.id}
    assert ids == {"%(n)s apples", "Welcome", ("%(num)s pear", "%(num)s pears")}


def test_english_fills_itself_and_spanish_must_be_written(house: Path) -> None:
    sentences = translate.extract()
    assert translate.update("en", sentences, check=False) == []
    missing = translate.update("es", sentences, check=False)
    assert len(missing) == 3
    assert "es: no translation: 'Welcome'" in missing
    assert translate.update("en", sentences, check=True) == []


def test_a_new_sentence_makes_the_catalogue_stale(house: Path) -> None:
    translate.update("en", translate.extract(), check=False)
    (house / "shop" / "more.py").write_text('T("closed")\n')
    stale = translate.update("en", translate.extract(), check=True)
    assert [line.split(" is stale")[0] for line in stale] == ["en: messages.po", "en: messages.mo"]


def test_the_compiled_catalogue_holds_no_date_of_today(house: Path) -> None:
    translate.update("en", translate.extract(), check=False)
    compiled = (house / "translations" / "en" / "LC_MESSAGES" / "messages.mo").read_bytes()
    assert b"POT-Creation-Date: 2026-01-01 00:00+0000" in compiled
    assert b"PO-Revision-Date: 2026-01-01 00:00+0000" in compiled


def test_a_translation_that_is_there_is_kept(house: Path) -> None:
    sentences = translate.extract()
    translate.update("es", sentences, check=False)
    path = house / "translations" / "es" / "LC_MESSAGES" / "messages.po"
    written = path.read_text("utf-8").replace(
        'msgid "Welcome"\nmsgstr ""', 'msgid "Welcome"\nmsgstr "Hola"'
    )
    path.write_text(written, "utf-8")
    assert "es: no translation: 'Welcome'" not in translate.update("es", sentences, check=False)
    assert 'msgstr "Hola"' in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("ids", "strings", "faults"),
    [
        ("%(n)s apples", "%(n)s manzanas", 0),
        ("%(n)s apples", "%(m)s manzanas", 1),
        ("%(n)s apples", "manzanas", 1),
        ("closed", "", 1),
        (("%(num)s pear", "%(num)s pears"), ("una pera", "%(num)s peras"), 0),
        (("%(num)s pear", "%(num)s pears"), ("%(num)s pera", ""), 1),
    ],
)
def test_placeholders_must_agree(
    ids: str | tuple[str, str], strings: str | tuple[str, str], faults: int
) -> None:
    message = Message(ids, strings)
    assert len(list(translate.faults(message))) == faults

"""Sentences for people: placeholders, nesting, languages, and errors that carry them."""

from __future__ import annotations

import pickle

import pytest

from companion.catalogue import LANGS, language_of_locale, translate
from companion.text import GorrionError, T
from companion.tiles import Tile


def test_english_is_the_sentence_itself() -> None:
    assert str(T("%(count)s tiles", count=15)) == "15 tiles"


def test_a_sentence_without_parameters_may_hold_a_percent_sign() -> None:
    assert str(T("90 % of the tiles")) == "90 % of the tiles"


def test_parameters_may_be_sentences_tiles_and_tuples_of_them() -> None:
    text = T("%(what)s: %(tiles)s", what=T("missing"), tiles=(Tile("5m"), Tile("1z")))
    assert text.render(str, "es") == "missing: 5 de caracteres, viento Este"
    assert str(text) == "missing: 5 of characters, East wind"


def test_every_sentence_is_looked_up_the_inner_ones_too() -> None:
    spanish = {"see %(what)s": "véase %(what)s", "this": "esto"}
    assert T("see %(what)s", what=T("this")).render(spanish.__getitem__, "es") == "véase esto"


def test_equal_texts_are_equal_whatever_the_order_of_their_parameters() -> None:
    one, other = T("%(a)s %(b)s", a=1, b=2), T("%(a)s %(b)s", b=2, a=1)
    assert one == other
    assert len({one, other}) == 1


def test_a_text_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        T("fixed").msgid = "other"  # type: ignore[misc]


def test_a_forgotten_parameter_is_an_error() -> None:
    with pytest.raises(KeyError):
        str(T("%(count)s of %(total)s", count=1))


@pytest.mark.parametrize(
    ("status", "given", "exit_code"), [(400, None, 2), (404, None, 2), (503, None, 1), (400, 1, 1)]
)
def test_the_exit_code_follows_from_the_status(
    status: int, given: int | None, exit_code: int
) -> None:
    error = GorrionError(T("no"), "no", status=status, exit_code=given)
    assert error.exit_code == exit_code


def test_an_error_survives_a_process_border() -> None:
    error = GorrionError(T("%(n)s tiles", n=15), "too_many", field="hand", status=422)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.code, copy.field, copy.status) == ("15 tiles", "too_many", "hand", 422)


def test_every_language_is_there() -> None:
    sentence = T("no camera seen: plug one in to follow a table; pictures can be scored without")
    assert translate(sentence, "en") == str(sentence)
    assert translate(sentence, "es").startswith("no se ve ninguna cámara")
    assert set(LANGS) == {"es", "en"}


def test_an_unknown_language_gets_english() -> None:
    assert translate(T("options"), "de") == "options"


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({"LANG": "es_AR.UTF-8"}, "es"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LC_ALL": "es_ES.UTF-8", "LANG": "en_US.UTF-8"}, "es"),
        ({"LC_ALL": "", "LC_MESSAGES": "es_MX", "LANG": "en_US.UTF-8"}, "es"),
    ],
)
def test_the_locale_decides_the_language(environ: dict[str, str], lang: str) -> None:
    assert language_of_locale(environ) == lang

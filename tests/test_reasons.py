"""Reasons that come in English from elsewhere are said in the reader's language."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from pathlib import Path

import pytest

from companion.catalogue import translate
from companion.reasons import database_says, json_says, system_says, toml_says
from companion.text import Text

JSON_TEXTS = (
    *("", "{", "[1", '{"a"', '{"a": 1', '{"a":}', "1 2", '"a', '"\\u12"'),
    *("[" * 100_000, "9" * 5000),
)
TOML_TEXTS = (
    *("a", "a =", "a = 1\na = 2", "[a", "[[a]", "a = 1 b = 2", "a = [", "a = {b = 1", 'a = "b'),
    *("= 1", "a = 1988-13-01T25:00:00", "a = zz", "a = '''x", 'a = "\\z"', "#\n]"),
)


def says_of_json(text: str) -> Text:
    """What is said of a text that is no JSON."""
    with pytest.raises((ValueError, RecursionError)) as refused:
        json.loads(text)
    return json_says(refused.value)


def says_of_toml(text: str) -> Text:
    """What is said of a text that is no TOML."""
    with pytest.raises(tomllib.TOMLDecodeError) as refused:
        tomllib.loads(text)
    return toml_says(refused.value)


@pytest.mark.parametrize("text", JSON_TEXTS)
def test_what_is_wrong_with_json_is_said_in_both_languages(text: str) -> None:
    said = says_of_json(text)
    reason = dict(said.params).get("reason", said)
    assert isinstance(reason, Text)
    assert translate(reason, "en") != translate(reason, "es")


@pytest.mark.parametrize("text", TOML_TEXTS)
def test_what_is_wrong_with_toml_is_said_in_both_languages(text: str) -> None:
    reason = dict(says_of_toml(text).params)["reason"]
    assert isinstance(reason, Text)
    assert translate(reason, "en") != translate(reason, "es")


def test_the_place_is_told() -> None:
    assert str(says_of_json('{"a": 1,\n x}')).endswith("at line 2, column 2")
    assert str(says_of_json('{"a": 1, x}\n')).endswith(" quotes at column 10")
    assert str(says_of_toml("a = 1\nb")).endswith("at the end of the file")
    assert translate(says_of_toml("a = 1\nb 2"), "es").endswith("en la línea 2, columna 3")


def test_another_encoding_is_no_toml() -> None:
    with pytest.raises(UnicodeDecodeError) as refused:
        "ñ".encode("latin-1").decode()
    assert "UTF-8" in translate(toml_says(refused.value), "es")


def test_sqlite_is_translated(tmp_path: Path) -> None:
    file = tmp_path / "x.sqlite3"
    file.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    connection = sqlite3.connect(file)
    with pytest.raises(sqlite3.Error) as refused:
        connection.execute("PRAGMA user_version")
    connection.close()
    said = database_says(refused.value)
    assert translate(said, "es") != translate(said, "en") == "file is not a database"


def test_the_system_is_translated_where_it_is_known_and_heard_where_it_is_not() -> None:
    missing = system_says(FileNotFoundError(2, "No such file or directory"))
    assert translate(missing, "es") != translate(missing, "en") == "No such file or directory"
    assert translate(system_says(OSError(5, "odd words")), "es") == "odd words"
    assert str(system_says(OSError())) == "OSError"

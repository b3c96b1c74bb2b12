"""The help of every command: what stands for a value is a word of the reader's language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from companion import cli

SAME = {"ID", "N", "K", "A", "B", "F", "MB"}
"""What is written alike in Spanish: abbreviations, and letters that only tell values apart."""


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its commands and their actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def in_language(lang: str, monkeypatch: pytest.MonkeyPatch) -> list[argparse.ArgumentParser]:
    monkeypatch.setenv("LANGUAGE", lang)  # restored afterwards: the next line sets it
    cli._speak(lang)
    return list(parsers(cli.build_parser()))


def valued(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """What takes a value; where a few are allowed and no word is set, argparse lists them as they are typed."""
    return [
        action
        for action in parser._actions
        if action.nargs != 0 and (action.choices is None or action.metavar is not None)
    ]


def test_no_english_word_stands_for_a_value_in_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    english, spanish = (in_language(lang, monkeypatch) for lang in ("en", "es"))
    assert len(english) == len(spanish) > len(cli.COMMANDS)
    told = set()
    for ours, theirs in zip(english, spanish, strict=True):
        for one, other in zip(valued(ours), valued(theirs), strict=True):
            # Without a word of its own argparse would show the English name of the field.
            assert isinstance(one.metavar, str) and isinstance(other.metavar, str), one
            assert one.metavar in SAME or one.metavar != other.metavar, (ours.prog, one)
            told.add(one.metavar)
    assert told > SAME | {"FILE", "FOLDER", "IMAGE", "PORT", "COMMAND"}
    for parser in spanish:
        words = set(re.findall(r"\w+", parser.format_help()))
        assert not words & (told - SAME), parser.prog


def test_the_values_of_an_option_are_named_in_spanish(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "es")
    for command, words in (
        ("score", ("--hand MANO", "--win FICHA", "--seat VIENTO", "--batch ARCHIVO")),
        ("serve", ("--port PUERTO", "--data-dir CARPETA", "--host DIRECCIÓN")),
        ("read", ("--threads N", "--draw CARPETA", "FOTO")),
        ("simulate", ("--out CARPETA", "--size ANCHOxALTO", "--hands K")),
    ):
        with pytest.raises(SystemExit) as ended:
            cli.main([command, "--help", "--lang", "es"])
        assert ended.value.code == 0
        told = capsys.readouterr().out
        assert [word for word in words if word not in told] == []

"""`gorrion rules`: the pages of the systems, their differences, and the check of house rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules import list_profiles, load_profile


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["rules", *argv]) == 0
    return capsys.readouterr().out


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "list")
    for name in list_profiles():
        assert name in text and load_profile(name).hash in text
    listed = json.loads(said(capsys, "list", "--json"))
    assert [each["id"] for each in listed] == list(list_profiles())


@pytest.mark.parametrize("name", list_profiles())
@pytest.mark.parametrize("lang", ["es", "en"])
def test_show(name: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    profile = load_profile(name)
    text = said(capsys, "show", name, "--lang", lang)
    page = json.loads(said(capsys, "show", name, "--json", "--lang", lang))
    assert profile.names.name(lang) in text
    for rule in profile.patterns.values():
        assert rule.names.name(lang) in text
    for leaf in page["settings"]:
        # A table that the page leaves out would show here.
        assert leaf["label"] in text
    for leaf in page["before_play"]:
        assert leaf["why"] in text
    assert page["profile_hash"] == profile.hash


def test_show_has_every_row_with_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    """Each pattern stands under the heading of its value."""
    for name in ("hk-old-style", "hk-wiki"):
        profile = load_profile(name)
        heading, found = "", {}
        for line in said(capsys, "show", name, "--lang", "es").splitlines():
            if line and not line.startswith(" "):
                heading = line
            elif line.startswith("  ") and not line.startswith("   "):
                found[line.strip()] = heading
        for rule in profile.patterns.values():
            value = rule.leaf.value
            shown = found[f"{rule.names.zh} {rule.names.es}"]
            if isinstance(value, int) and value:
                assert shown == f"{value} faan"
            else:
                assert "faan" not in shown


def test_diff(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "diff", "hk-wiki", "hk-old-style")
    assert "The three dragons form a chow: yes -> no" in text
    assert "Mano pura: 6 -> 7" in said(capsys, "diff", "hk-wiki", "hk-old-style", "--lang", "es")
    found = json.loads(said(capsys, "diff", "hk-wiki", "hk-old-style", "--json"))
    assert {"key": "patterns.full_flush", "label": "Full flush", "left": 6, "right": 7} in found
    assert "They are the same." in said(capsys, "diff", "hk-wiki", "hk-wiki")


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "house.toml"
    file.write_text('parent = "hk-old-style"\n[rules]\nminimum = 1\n', "utf-8")
    text = said(capsys, "check", str(file))
    assert "is right: house" in text
    assert "Least value to call a hand: 3 -> 1" in text
    answer = json.loads(said(capsys, "check", str(file), "--json"))
    assert [each["key"] for each in answer["changes"]] == ["rules.minimum"]


def test_keys(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "keys")
    assert "rules.minimum\n    Least value to call a hand: a whole number from 0" in text
    assert "patterns.dragon_pung\n" in text
    keys = {each["key"] for each in json.loads(said(capsys, "keys", "--json"))}
    for name in list_profiles():
        leaves = load_profile(name).leaves
        assert {key for key in leaves if not key.startswith("flow.")} <= keys


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('parent = "hk-old-style"\n[patterns]\nall_pung = 3\n', 'unknown pattern "all_pung"'),
        ('parent = "hk-old-style"\n[rules]\nminimum = -1\n', "rules.minimum can't be -1"),
        ('parent = "hk-old-style"\n[flow.deal]\nblocks = 4\n', "flow.deal.blocks can't be 4"),
        ("parent = ", "is not TOML"),
    ],
)
def test_check_says_what_is_wrong(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text, "utf-8")
    assert main(["rules", "check", str(file)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1

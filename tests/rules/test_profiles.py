"""Profiles: reading, inheritance, hash, and errors that name file, key and allowed values."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from counted import count, lines

from companion.catalogue import LANGS
from companion.rules import ProfileError, list_profiles, load_profile, parse_profile
from companion.rules.flow import flow_of
from companion.rules.loader import change_profile
from companion.rules.pages import changes_of, differences, profile_json
from companion.rules.schema import SETTINGS

HOUSE = """\
id = "nuestra-mesa"
parent = "hk-wiki"
[rules]
minimum = 1
limit = 13
[patterns]
dragon_pung = 1
[payment]
table = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]
discarder_share = 1
"""
"""Minimum 1, dragon pung 1 and the half-spicy table, in ten lines."""


@pytest.mark.parametrize("name", list_profiles())
def test_every_known_profile_is_whole(name: str) -> None:
    profile = load_profile(name)
    assert profile.id == name
    assert not profile.is_house
    for lang in LANGS:
        assert profile.names.name(lang) and profile.about.name(lang)
        page = profile_json(profile, lang)
        assert len(page["before_play"]) == len(profile.undecided)
    for leaf in (*profile.leaves.values(), *(rule.leaf for rule in profile.patterns.values())):
        if not leaf.is_decided:
            assert leaf.why["es"] and leaf.why["en"]
            assert not leaf.options or leaf.value in leaf.options
        elif not leaf.key.startswith("flow.") and profile.evaluator in {"faan", "points"}:
            assert leaf.source.term, f"{leaf.key} does not say where it comes from"


def test_a_house_profile_of_ten_lines(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE, "utf-8")
    assert len(HOUSE.splitlines()) == 10
    profile = load_profile(file)
    assert profile.parents == ("hk-wiki",)
    assert profile.hash != load_profile("hk-wiki").hash
    sheet = count(profile, "789m22p234s[777z][123p]3f", "4s", discarder="S")
    assert lines(sheet) == {"dragon_pung": 1}
    assert sheet.can_win
    assert sheet.to_json()["profile_hash"] == profile.hash
    assert sheet.payments is not None
    assert sheet.payments.net == {"E": 6, "S": -2, "W": -2, "N": -2}
    assert sheet.lines[0].source.document == "nuestra-mesa"
    nothing = count(profile, "789m22p234s[777s][123p]3f", "4s")
    assert not nothing.can_win
    assert str(nothing.why[0]).startswith("0 of 1 faan")
    flush = count(profile, "123456m[789m][222m]55m1234f1234g", "5m")
    assert flush.values == {"faan": 12}
    assert not flush.limit
    assert {each.key for each in changes_of(profile, "es")} == {
        "rules.minimum",
        "rules.limit",
        "payment.table",
        "payment.discarder_share",
        "patterns.dragon_pung",
    }


def test_what_a_house_decides_is_no_longer_open() -> None:
    parent = load_profile("hk-wiki")
    assert "patterns.dragon_pung" in {leaf.key for leaf in parent.undecided}
    house = change_profile(parent, {"patterns.dragon_pung": 1, "flow.rotation.draw": "rotate"})
    assert "patterns.dragon_pung" not in {leaf.key for leaf in house.undecided}
    assert house.flow_data["rotation"]["draw"] == "rotate"
    assert house.patterns["dragon_pung"].names == parent.patterns["dragon_pung"].names


def test_a_parent_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(HOUSE, "utf-8")
    file = tmp_path / "friday.toml"
    file.write_text('parent = "club.toml"\n[rules]\nminimum = 2\n', "utf-8")
    profile = load_profile(file)
    assert profile.id == "friday"
    assert profile.parents == ("nuestra-mesa", "hk-wiki")
    assert profile["rules.minimum"] == 2
    assert profile.patterns["dragon_pung"].leaf.value == 1
    changed = {each.key for each in changes_of(profile, "en")}
    assert {"rules.minimum", "rules.limit"} <= changed


def test_the_hash_is_of_what_counts() -> None:
    parent = load_profile("hk-old-style")
    renamed = change_profile(parent, {"patterns.all_pungs": {"es": "Puros tríos"}}, "other")
    assert renamed.hash == parent.hash
    assert renamed.patterns["all_pungs"].names.es == "Puros tríos"
    for changes in (
        {"rules.minimum": 1},
        {"patterns.all_pungs": 4},
        {"patterns.all_pungs": {"value": 3, "replaces": ["all_chows"]}},
        {"payment.chip": 10},
        {"flow.match.rounds": 1},
    ):
        assert change_profile(parent, changes).hash != parent.hash
    assert change_profile(parent, {"rules.minimum": 3}).hash == parent.hash


def test_a_pattern_can_be_brought_in_and_taken_out() -> None:
    house = change_profile(
        load_profile("hk-old-style"), {"patterns.jade_dragon": "limit", "patterns.half_flush": 0}
    )
    assert lines(count(house, "222s33s[444s][888s][666z]3f", "3s")) == {"jade_dragon": 10}
    sheet = count(house, "123456m[789m][222z]55z3f", "5z", seat="W")
    assert "half_flush" not in lines(sheet)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'parent = "hk-wiki"\n[patterns]\nall_pung = 3',
            'patterns.all_pung: unknown pattern "all_pung"',
        ),
        (
            'parent = "hk-wiki"\n[patterns]\nall_pungs = -3',
            "patterns.all_pungs can't be -3; allowed: a whole",
        ),
        ('parent = "hk-wiki"\n[patterns]\nall_pungs = 2.5', "patterns.all_pungs can't be 2.5"),
        ('parent = "hk-wiki"\n[patterns]\nall_pungs = true', "patterns.all_pungs can't be true"),
        ('parent = "hk-wiki"\n[patterns]\njade_dragon = {es = "x"}', None),
        (
            'parent = "hk-old-style"\n[patterns]\njade_dragon = {es = "x"}',
            "patterns.jade_dragon.value",
        ),
        (
            'parent = "hk-wiki"\n[patterns.all_pungs]\nworth = 3',
            "patterns.all_pungs.worth is not known",
        ),
        ('parent = "hk-wiki"\n[patterns.all_pungs]\nreplaces = ["x"]', 'replaces can\'t be "x"'),
        (
            'parent = "hk-wiki"\n[patterns.all_pungs]\nreplaces_when = {minimum = ["all_chows"]}',
            'replaces_when can\'t be "minimum"',
        ),
        (
            'parent = "hk-wiki"\n[patterns.seven_pairs]\n'
            'replaces_when = {seven_pairs_includes_concealed = ["all_chows"]}',
            "rules.seven_pairs_includes_concealed is not known or is missing",
        ),
        (
            'parent = "hk-wiki"\n[rules]\nminimum = -1',
            "rules.minimum can't be -1; allowed: a whole number",
        ),
        ('parent = "hk-wiki"\n[rules]\nminimum = "three"', 'rules.minimum can\'t be "three"'),
        (
            'parent = "hk-wiki"\n[rules]\nminimum = 11',
            "rules.minimum can't be 11; allowed: no more than",
        ),
        ('parent = "hk-wiki"\n[rules]\nminimun = 1', "rules.minimun is not known or is missing"),
        (
            'parent = "hk-wiki"\n[rules]\ndragon_chow = 1',
            "rules.dragon_chow can't be 1; allowed: true or",
        ),
        ('parent = "hk-wiki"\n[rules]\nforms = ["standard", "x"]', "rules.forms can't be"),
        ('parent = "hk-wiki"\n[rules]\nforms = ["standard", ["x"]]', "rules.forms can't be"),
        ('parent = "hk-wiki"\n[rules]\nnine_gates = "some"', "allowed: one of pure, any"),
        ('parent = "hk-wiki"\n[payment]\ntable = [8, 4]', "payment.table can't be [8, 4]"),
        ('parent = "hk-wiki"\n[payment]\ntable = [1, -2]', "payment.table can't be [1, -2]"),
        ('parent = "beginner-points"\n[points]\nchow = [1]', "points.chow can't be [1]"),
        (
            'parent = "hk-wiki"\n[rule]\nminimum = 1',
            "rule is not known or is missing; allowed: only schema",
        ),
        ('parent = "hk-wiki"\nrules = 3', "rules can't be 3; allowed: a table"),
        ('parent = "hk-wiki"\nevaluator = "points"', "evaluator can't be"),
        ('parent = "nobody"', 'parent can\'t be "nobody"; allowed: a file beside it, or one of'),
        ("parent = 3", "parent can't be 3"),
        ('id = "x"', "evaluator is not known or is missing; allowed: one of faan"),
        (
            'id = "x"\nevaluator = "faan"',
            "names can't be {}; allowed: a name in es and en",
        ),
        ('evaluator = "faan"\nnames = {es = "a", en = "b"}', "id is not known or is missing"),
        ('schema = 2\nparent = "hk-wiki"', "schema can't be 2; allowed: 1"),
        ('parent = "hk-wiki"\nnames = {fr = "x"}', "names can't be"),
        (
            'parent = "hk-wiki"\n[rules.minimum]\nvalue = 1\nstatus = "perhaps"',
            "rules.minimum.status can't be",
        ),
        (
            'parent = "hk-wiki"\n[rules.minimum]\nvalue = 1\nstatus = "ambiguous"\noptions = [1, 2]',
            "rules.minimum.why",
        ),
        (
            'parent = "hk-wiki"\n[rules.minimum]\nvalue = 1\noptions = [2, 3]',
            "rules.minimum.options can't be [2, 3]; allowed: a list that holds the value",
        ),
        ('parent = "hk-wiki"\n[rules.minimum]\nterm = "x"', "rules.minimum.value"),
        (
            'parent = "hk-wiki"\n[rules.minimum]\nvalue = 1\nterm = 3',
            "rules.minimum.term can't be 3",
        ),
        (
            'parent = "hk-wiki"\n[rules.minimum]\nvalue = 1\noptions = 3',
            "rules.minimum.options can't",
        ),
        (
            'parent = "hk-wiki"\n[rules.minimum]\nvalue = 1\nwhy = "so"',
            "rules.minimum.why can't be",
        ),
        (
            'parent = "hk-wiki"\n[patterns.all_pungs]\nreplaces = 3',
            "patterns.all_pungs.replaces can't",
        ),
        (
            'parent = "hk-wiki"\n[patterns.all_pungs]\nreplaces_when = 3',
            "lists of patterns by switch",
        ),
        ('parent = "hk-wiki"\n[flow.match]\nrounds = 2026-01-01', "flow.match.rounds can't be"),
        (
            'parent = "hk-wiki"\n[flow]\nmatch = 3',
            "flow.match is not known or is missing; allowed: a table",
        ),
        ('parent = "hk-wiki"\n[flow.match.rounds]\nx = 3', "flow.match.rounds is not known"),
        ("[rules", "is not TOML"),
    ],
)
def test_an_error_names_file_key_and_allowed_values(text: str, told: str | None) -> None:
    if told is None:
        assert parse_profile(text, "house.toml").patterns["jade_dragon"].names.es == "x"
        return
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "house.toml")
    message = str(caught.value.text)
    assert message.startswith("house.toml")
    assert told in message
    assert "\n" not in message


def test_parents_in_a_circle(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{one}.toml").write_text(f'parent = "{other}.toml"', "utf-8")
    with pytest.raises(ProfileError, match=r"circle \(a.toml -> b.toml -> c.toml -> a.toml\)"):
        load_profile(tmp_path / "a.toml")
    own = tmp_path / "own.toml"
    own.write_text('parent = "own.toml"', "utf-8")
    with pytest.raises(ProfileError, match="circle"):
        load_profile(own)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nobody", 'there are no rules called "nobody": use one of beginner-points'),
        ("absent.toml", "there is no file"),
        ("", 'there are no rules called ""'),
        (".", 'there are no rules called "."'),
    ],
)
def test_rules_that_are_not_there(
    given: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProfileError, match=r".") as caught:
        load_profile(given)
    assert told in str(caught.value.text)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"#" * (1 << 21)])
def test_a_file_that_is_no_profile(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(content)
    with pytest.raises(ProfileError, match=r"house\.toml"):
        load_profile(file)


def test_differences_between_two_systems() -> None:
    wiki, old = load_profile("hk-wiki"), load_profile("hk-old-style")
    found = {each.key: (each.left, each.right) for each in differences(wiki, old, "en")}
    # The row "values" of the reading guide.
    expected: dict[str, tuple[Any, Any]] = {
        "patterns.full_flush": (6, 7),
        "patterns.small_dragons": (4, 5),
        "patterns.big_dragons": (10, 8),
        "patterns.small_winds": (10, 6),
        "patterns.hidden_pungs": (10, 8),
        "patterns.flower_set": (2, 3),
        "patterns.concealed_discard": (None, 1),
        "rules.minimum": (0, 3),
        "rules.dragon_chow": (True, False),
        "payment.others_share": (1, 0),
    }
    for key, values in expected.items():
        assert found[key] == values
    assert "patterns.all_pungs" not in found
    assert list(differences(wiki, wiki, "en")) == []


def test_every_setting_is_labelled() -> None:
    assert all(str(setting.label) and str(setting.allowed) for setting in SETTINGS.values())


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ("mcr", "fan.full_flush"),
        ("riichi", "yaku.tanyao"),
        ("riichi", "riichi.stick"),
        ("hk-old-style", "payment.table"),
        ("hk-wiki", "rules.limit"),
        ("beginner-points", "points.mahjong"),
    ],
)
def test_a_profile_that_lacks_what_it_is_counted_by_is_refused(rules: str, key: str) -> None:
    shipped = resources.files("companion.rules") / "profiles" / f"{rules}.toml"
    section, name = key.split(".")
    own_table = rf"(?ms)^\[{section}\.{name}\]\n.*?(?=^\[)"
    text, tables = re.subn(own_table, "", shipped.read_text("utf-8"))
    text, lines_gone = re.subn(rf"(?m)^{name} = .*\n", "", text)
    assert tables + lines_gone == 1
    with pytest.raises(ProfileError, match=re.escape(key)):
        parse_profile(text, "mine.toml")


def test_another_way_to_pay_needs_its_own_values() -> None:
    with pytest.raises(ProfileError, match=r"payment\.base_points"):
        change_profile(load_profile("hk-wiki"), {"payment.kind": "mcr"})
    with pytest.raises(ProfileError, match=r"penalties\.false_win_faan"):
        change_profile(load_profile("hk-old-style"), {"penalties.false_win": "faan"})


def test_rules_written_before_a_setting_was_there_still_load() -> None:
    shipped = resources.files("companion.rules") / "profiles" / "riichi.toml"
    text = shipped.read_text("utf-8")
    for table in ("riichi.replay_sticks", "flow.claims.swap"):
        text, gone = re.subn(rf"(?ms)^\[{re.escape(table)}\]\n.*?(?=^\[)", "", text)
        assert gone == 1
    text = text.replace("win_takes_any = true\n", 'win_takes_any = true\nwinners = "all"\n')
    flow = flow_of(parse_profile(text, "copied.toml"))
    assert (flow.claims.winners, flow.claims.swap) == ("all", "anything")


@pytest.mark.parametrize(
    ("rules", "key", "value"),
    [
        ("riichi", "rules.seven_pairs_quad", True),
        ("riichi", "rules.max_chows", 1),
        ("riichi", "rules.forms", ["standard"]),
        ("riichi", "rules.last_discard_claim", "none"),
        ("riichi", "rules.limit", 5),
        ("mcr", "rules.bonus_tiles", False),
        ("mcr", "rules.max_chows", 3),
        ("beginner-points", "rules.minimum", 30),
        ("beginner-points", "rules.limit", 50),
        ("beginner-points", "patterns.dragon_pung", 1),
        ("riichi", "patterns.dragon_pung", 1),
    ],
)
def test_what_would_change_nothing_is_refused(rules: str, key: str, value: Any) -> None:
    with pytest.raises(ProfileError, match=re.escape(key)):
        change_profile(load_profile(rules), {key: value})


def test_what_stays_as_it_is_may_be_said() -> None:
    riichi = load_profile("riichi")
    same = {"rules.seven_pairs_quad": False, "rules.minimum": 2}
    assert change_profile(riichi, same)["rules.minimum"] == 2


@pytest.mark.parametrize("rules", [name for name in list_profiles() if name != "hk-wiki"])
def test_three_dragons_laid_as_a_chow_are_no_set(rules: str) -> None:
    profile = load_profile(rules)
    if profile.shapes.dragon_chow:
        pytest.skip("these rules know the dragon chow")
    sheet = count(profile, "111z234m55m789s [567z]", "5m")
    assert not sheet.complete and not sheet.can_win
    assert "three dragons are not a chow" in str(sheet.why[0])

"""`gorrion score` and `gorrion waits`: what they print, and what bad input gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.rules import list_profiles, load_profile

HAND = "123p123s23477m [567m] 2f2g"
PLAIN = "123p123s23477m [567m]"
HOW = ("--rules", "hk-old-style", "--win", "4m", "--by", "discard", "--seat", "S", "--round", "E")
KEYS = {
    "rules",
    "complete",
    "can_win",
    "faan",
    "limit",
    "lines",
    "excluded",
    "near",
    "why",
    "reading",
    "payments",
    "minimum",
    "uncapped",
    "profile_hash",
}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


def answer(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    assert main(argv) == 0
    return json.loads(capsys.readouterr().out)


def complaint(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """The one line that a command says on stderr when it refuses."""
    assert main(argv) in {1, 2}
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gorrion: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("gorrion: ").strip()


def test_three_faan_and_the_discarder_pays(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "score", "--hand", HAND, *HOW, "--json")
    assert set(result) >= KEYS
    assert (result["complete"], result["can_win"], result["faan"]) == (True, True, 3)
    assert [line["names"]["zh"] for line in result["lines"]] == ["平糊", "正花", "正花"]
    assert [line["tiles"] for line in result["lines"]][1:] == [["2f"], ["2g"]]
    assert result["lines"][0]["source"]["document"] == "002"
    assert result["payments"]["discarder"] == -8
    assert result["payments"]["others"] == 0
    assert result["payments"]["transfers"] == [{"from": "discarder", "to": "S", "amount": 8}]
    assert result["profile_hash"] == load_profile("hk-old-style").hash


def test_without_bonus_tiles_it_is_too_cheap(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "score", "--hand", PLAIN, *HOW, "--json")
    assert (result["complete"], result["can_win"], result["faan"]) == (True, False, 2)
    assert [line["value"] for line in result["lines"]] == [1, 1]
    assert result["why"] == ["2 of 3 faan: the hand is complete but can't be called"]
    assert result["payments"] is None
    assert result["near"][0]["pattern"] == "self_draw"


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--hand", HAND, *HOW, "--discarder", "E"]) == 0
    said = capsys.readouterr().out
    assert "3 faan" in said and "平糊" in said and "E 8" in said
    assert main(["score", "--hand", HAND, *HOW, "--lang", "es"]) == 0
    assert "Mano común" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "faan"),
    [
        (("--by", "self-draw"), 2),
        (("--by", "tsumo", "--last"), 3),
        (("--last",), 3),
        (("--last-discard",), 3),
        (("--rob",), 3),
        (("--by", "self-draw", "--first-turn"), 10),
        (("--first-turn", "--discarder", "E"), 10),
    ],
)
def test_circumstances(
    options: tuple[str, ...], faan: int, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ("score", "--hand", "123p123s234567m77m 3f", "--win", "4m", "--seat", "south", "--json")
    assert answer(capsys, *argv, *options)["faan"] == faan


def test_a_kong_draw_is_a_self_draw(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("score", "--hand", "(2222m)345p678s123s99p3f", "--win", "9p", "--kong-draw", "--json")
    patterns = [line["pattern"] for line in answer(capsys, *argv)["lines"]]
    assert patterns == ["self_draw", "kong_replacement"]


def test_options_that_the_rules_do_not_ask_for_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    argv = ("score", "--hand", HAND, *HOW, "--riichi", "--dora", "1m", "--last-of-kind")
    assert answer(capsys, *argv, "--json")["ignored"] == ["--last-of-kind", "--riichi", "--dora"]
    assert main([*argv, "--lang", "es"]) == 0
    assert "no preguntan por --last-of-kind, --riichi, --dora" in capsys.readouterr().out
    assert answer(capsys, *argv, "--json", "--rules", "mcr")["ignored"] == ["--riichi", "--dora"]
    assert "ignored" not in answer(capsys, "score", "--hand", HAND, *HOW, "--json")


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "score", "--hand", HAND, *HOW, "--compare", "--json")
    assert {each["rules"] for each in result["compare"]} == set(list_profiles()) - {"hk-old-style"}
    by_rules = {each["rules"]: each for each in result["compare"]}
    assert by_rules["hk-wiki"]["faan"] == 3
    assert by_rules["beginner-points"]["points"] == 20
    assert main(["score", "--hand", HAND, *HOW, "--compare"]) == 0
    assert "Hong Kong rules (encyclopedia): 3 faan" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("score",), "no hand was given"),
        (("score", "--hand", "22222m345p678s111z", "--win", "1z"), "five copies of 2m"),
        (
            ("score", "--hand", "123p123s2377m567m", "--win", "7m"),
            "13 tiles: a complete hand has 14",
        ),
        (
            ("score", "--hand", "123p123s23477m567m1z", "--win", "4m"),
            "15 tiles without a kong",
        ),
        (("score", "--hand", "123h", "--win", "1m"), 'unknown suit "h" in "123h"'),
        (("score", "--hand", "東東東一萬", "--win", "1m"), "can't read"),
        (("score", "--hand", "123p123s23477m[568m]", "--win", "4m"), "[568m] is neither a chow"),
        (("score", "--hand", "123p123s77m234m(888s)", "--win", "4m"), "a kong has four tiles"),
        (("score", "--hand", PLAIN), "the winning tile is not known"),
        (("score", "--hand", PLAIN, "--win", "9s"), "the winning tile 9s is not among"),
        (("score", "--hand", PLAIN, "--win", "4h"), 'unknown suit "h"'),
        (
            ("score", "--hand", PLAIN, "--win", "4m", "--rules", "nobody"),
            "there are no rules called",
        ),
        (("score", "--hand", PLAIN, "--win", "4m", "--seat", "up"), '"up" is not a wind'),
        (("score", "--hand", PLAIN, "--win", "4m", "--by", "luck"), '"luck" is no way to win'),
        (
            ("score", "--hand", PLAIN, "--win", "4m", "--discarder", "E"),
            "the winner can't be the discarder",
        ),
        (
            ("score", "--hand", PLAIN, "--win", "4m", "--by", "self-draw", "--rob"),
            "a tile robbed from a kong is not a self-draw",
        ),
        (
            ("score", "--hand", PLAIN, "--win", "4m", "--by", "discard", "--kong-draw"),
            "a tile drawn after a kong is a self-draw",
        ),
        (("score", "--hand", PLAIN, "--win", "7m", "--rob"), "7m can't have been robbed"),
        (("score", "--batch", "/nowhere/rows.jsonl"), "can't read /nowhere/rows.jsonl"),
        (("waits", "--hand", PLAIN), "14 tiles without a kong: a hand has 13"),
        (("waits", "--hand", "12m"), "2 tiles: a waiting hand has 13"),
    ],
)
def test_bad_input_is_one_sentence(
    argv: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint(capsys, *argv).startswith(told)


def test_a_batch_never_stops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good: dict[str, Any] = {
        "id": "good",
        "ruleset": "hk-old-style",
        "hand": "123p123s23477m",
        "melds": [{"type": "chi", "tiles": "567m"}],
        "context": {
            "win_tile": "4m",
            "win_by": "ron",
            "seat": "S",
            "round": "E",
            "flowers": ["2f", "2g"],
        },
    }
    rows: list[Any] = [
        good,
        {**good, "id": "five", "hand": "22222m345p678s", "melds": ["111z"]},
        {**good, "id": "rules", "ruleset": "hk-half-spicy"},
        {**good, "id": "hand", "hand": "", "melds": []},
        {**good, "id": "meld", "melds": [{"type": "pon", "tiles": "567m"}]},
        {**good, "id": "kind", "melds": [{"type": "set", "tiles": "567m"}]},
        {**good, "id": "melds", "melds": [7]},
        {**good, "id": "tiles", "melds": [{"type": "chi", "tiles": 567}]},
        {**good, "id": "bracket", "melds": ["[567m]"]},
        {"id": "faan", "ruleset": "riichi", "context": {"faan": 3}},
        {**good, "id": "flag", "context": {**good["context"], "last_disc": "yes"}},
        {**good, "id": "wind", "context": {**good["context"], "seat": "Q"}},
        {**good, "id": "context", "context": []},
        {**good, "id": "options", "context": {**good["context"], "options": {"minimum": -1}}},
        {**good, "id": "minimum", "context": {**good["context"], "options": {"minimum": 4}}},
        {**good, "id": "pattern", "context": {**good["context"], "options": {"patterns.x": 4}}},
        {**good, "id": "flowers", "context": {**good["context"], "flowers": ["3m"]}},
        {**good, "id": "ignored", "context": {**good["context"], "riichi": True, "dora": []}},
        {**good, "id": "chair", "context": {**good["context"], "discarder": 0}},
        {**good, "id": "option", "context": {**good["context"], "options": {"minimun": 4}}},
        {**good, "id": "unfinished", "hand": "123p123s23479m"},
        [],
        "not json",
        "[" * 100_000,
        {**good, "id": "again"},
    ]
    file = tmp_path / "rows.jsonl"
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    file.write_text("\n\n".join(texts), "utf-8")
    assert main(["score", "--batch", str(file)]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(results) == len(rows)
    codes = {
        result["id"]: result.get("error", {}).get("code") for result in results if result["id"]
    }
    assert codes == {
        "good": None,
        "five": "five_copies",
        "rules": "unsupported",
        "hand": "no_hand",
        "meld": "not_a_meld",
        "kind": "unknown_meld",
        "melds": "bad_row",
        "tiles": "bad_row",
        "bracket": None,
        "faan": "bad_row",
        "flag": "bad_row",
        "wind": "unknown_wind",
        "context": "bad_row",
        "options": "bad_profile",
        "minimum": None,
        "pattern": "bad_profile",
        "flowers": "bad_row",
        "ignored": None,
        "chair": None,
        "option": None,
        "unfinished": None,
        "again": None,
    }
    by_id = {result["id"]: result for result in results}
    assert by_id["good"]["faan"] == by_id["again"]["faan"] == 3
    assert by_id["five"]["complete"] is False
    assert by_id["rules"]["unsupported"] is True
    assert by_id["ignored"]["ignored"] == ["riichi"]
    assert by_id["chair"]["ignored"] == ["discarder"]
    assert by_id["option"]["ignored"] == ["options.minimun"]
    assert by_id["minimum"]["can_win"] is False
    assert by_id["unfinished"]["complete"] is False
    assert [result["error"]["code"] for result in results if result["id"] is None] == [
        "bad_row"
    ] * 3
    assert by_id["bracket"]["faan"] == 3


def test_a_batch_pays_in_the_readers_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, context = "spanish-tournament", {"points": [60, 40, 80, 10], "winner": 0}
    file = tmp_path / "rows.jsonl"
    # As an editor on Windows writes it: with a byte order mark.
    file.write_text(json.dumps({"ruleset": rules, "context": context}), "utf-8-sig")
    paid = answer(capsys, "score", "--batch", str(file), "--lang", "es")
    assert paid["net"] == [90, -30, 90, -150]
    assert paid["transfers"][0]["why"] == "diferencia con quien gana"
    assert paid["profile_hash"] == load_profile(rules).hash


def test_the_shared_cases_as_a_batch(shared_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_dir / "rules" / "cases.jsonl"
    assert main(["score", "--batch", str(file)]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [result["id"] for result in results] == [row["id"] for row in rows]
    for row, result in zip(rows, results, strict=True):
        if row["ruleset"] != "hk-old-style" or not row["hand"]:
            continue
        for key in ("faan", "can_win", "complete"):
            assert result[key] == row["expected"].get(key, result[key])


def test_waits(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("waits", "--hand", "123p123s2377m [567m]", "--seat", "S", "--visible", "1m1m")
    result = answer(capsys, *argv, "--json")
    assert result["shanten"] == 0
    assert [(wait["tile"], wait["live"]) for wait in result["waits"]] == [("1m", 2), ("4m", 4)]
    assert result["waits"][0]["discard"]["faan"] == 2
    assert result["waits"][0]["discard"]["can_win"] is False
    assert result["waits"][0]["self_draw"]["can_win"] is True
    assert result["waits"][0]["self_draw"]["total"] == 24
    assert main(argv) == 0
    assert "4 of characters, 4 left: 2 faan (too little) by discard" in capsys.readouterr().out
    assert main(["waits", "--hand", "147m258p369s1234z"]) == 0
    assert "Tiles still needed to wait: 6" in capsys.readouterr().out


def test_waits_take_the_seat_that_the_rules_leave_unsaid(
    capsys: pytest.CaptureFixture[str],
) -> None:
    argv = ("waits", "--json", "--rules", "riichi", "--hand", "123p123s2377m456m")
    assert answer(capsys, *argv) == answer(capsys, *argv, "--seat", "S")
    assert answer(capsys, *argv) != answer(capsys, *argv, "--seat", "E")


def test_waits_of_a_hand_that_its_melds_ruin(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("waits", "--hand", "[567z] 123m 456m 789m 1z")
    result = answer(capsys, *argv, "--json")
    assert (result["shanten"], result["useful"], result["waits"]) == (None, [], [])
    assert main(argv) == 0
    assert capsys.readouterr().out.startswith("With these sets laid down no tile can finish")


def test_waits_of_more_copies_than_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("waits", "--hand", "123p123s2377m [567m]", "--visible", "77m")
    assert "5 copies of 7m in the hand and the visible tiles together" in complaint(capsys, *argv)

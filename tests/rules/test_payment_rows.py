"""Rows that ask who pays whom without a hand, as ``gorrion score --batch`` answers them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.rules import load_profile
from companion.rules.payment_rows import asks_for_payment, pay_row
from companion.rules.settlement import SettlementError

SYSTEMS = ("hk-wiki", "hk-old-style", "spanish-tournament", "mcr", "riichi")
WITHOUT_WINNER = {"riichi-pao-added-kan", "riichi-pao-composite"}
"""Rows that tell a rule and no seats; tests/rules/test_settlement.py takes them up."""


def payment_rows(shared_dir: Path) -> list[dict[str, Any]]:
    lines = (shared_dir / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
    return [
        row
        for row in map(json.loads, lines)
        if row["ruleset"] in SYSTEMS and asks_for_payment(row) and row["id"] not in WITHOUT_WINNER
    ]


def test_every_payment_row_of_the_profiles(shared_dir: Path) -> None:
    found = payment_rows(shared_dir)
    assert len(found) == 20
    for row in found:
        answer = pay_row(row, load_profile(row["ruleset"]))
        for key, expected in row["expected"].items():
            if key == "deltas_hundreds":
                assert [gain // 100 for gain in answer["net"]] == expected
            else:
                assert answer[key] == expected, (row["id"], key, answer)


def test_a_told_winner_gets_the_gain_of_every_seat() -> None:
    row = {"context": {"faan": 5, "winner": 2, "discarder": 3}}
    assert pay_row(row, load_profile("hk-wiki"))["net"] == [-16, -16, 64, -32]
    assert pay_row({"context": {"faan": 5, "winner": 2}}, load_profile("hk-old-style"))["net"] == [
        -24,
        -24,
        72,
        -24,
    ]


def test_a_row_with_a_hand_asks_for_no_payment() -> None:
    assert not asks_for_payment({"hand": "11m", "context": {"points": [1, 2, 3, 4]}})
    assert not asks_for_payment({"hand": "", "context": {"sets": [], "points": 3}})
    assert not asks_for_payment({"hand": "", "context": []})
    assert not asks_for_payment({"hand": ""})


@pytest.mark.parametrize(
    ("context", "rules", "words"),
    [
        ({"faan": "five"}, "hk-wiki", '"faan" has the wrong form'),
        ({"faan": -1}, "hk-wiki", "less than nothing"),
        ({"points": [1, 2]}, "spanish-tournament", "all four hands"),
        ({"points": "60"}, "spanish-tournament", '"points" has the wrong form'),
        ({"points": [1, 2, 3, 4], "winner": 7}, "spanish-tournament", "no seat 7"),
        ({"points": [1, 2, 3, 4], "winner": 1.5}, "spanish-tournament", '"winner" has the wrong'),
        ({"yakuman": "daisangen"}, "riichi", '"winner" has the wrong form'),
        ({"yakuman": "daisangen", "winner": 1}, "hk-wiki", '"yakuman" has the wrong form'),
        ({"yakuman": "daisangen", "winner": 1, "honba": "2"}, "riichi", '"honba" has the wrong'),
        ({"faan": 5}, "beginner-points", "do not say who pays whom"),
        ({"points": [60, 40, 80, 10]}, "beginner-points", "differences between the hands are not"),
        ({"points": [60, 40, 80, 10]}, "riichi", "differences between the hands are not"),
        ({"yakuman": [], "winner": 1, "discarder": 0}, "riichi", '"yakuman" has the wrong form'),
        ({"yakuman": True, "winner": 1}, "riichi", '"yakuman" has the wrong form'),
        ({"yakuman": "xyz", "winner": 1}, "riichi", '"xyz" is no yakuman'),
        ({"yakuman": "daisangen", "winner": 1, "options": 3}, "riichi", '"options" has the wrong'),
    ],
)
def test_a_wrong_row_is_named(context: dict[str, Any], rules: str, words: str) -> None:
    with pytest.raises(SettlementError, match=words):
        pay_row({"context": context}, load_profile(rules))


@pytest.mark.parametrize(
    ("context", "net"),
    [
        ({"yakuman": "daisuushii"}, [0, 64000, -64000, 0]),
        ({"yakuman": "kokushi_13_wait"}, [0, 64000, -64000, 0]),
        ({"yakuman": "daisuushii", "options": {"double_yakuman": False}}, [0, 32000, -32000, 0]),
        ({"yakuman": ["daisangen", "tsuuiisou"]}, [0, 64000, -64000, 0]),
        ({"yakuman": "tsuuiisou/daisangen"}, [0, 32000, -32000, 0]),
    ],
)
def test_yakuman_pay_what_the_profile_says(context: dict[str, Any], net: list[int]) -> None:
    row = {"context": {"winner": 1, "discarder": 2, "dealer": 0, **context}}
    assert pay_row(row, load_profile("riichi"))["net"] == net


def test_who_is_liable_answers_for_all_or_for_what_he_fed() -> None:
    context = {"yakuman": ["daisangen", "tsuuiisou"], "winner": 1, "liable": 3, "dealer": 0}
    profile = load_profile("riichi")
    assert pay_row({"context": context}, profile)["net"] == [0, 64000, 0, -64000]
    context["options"] = {"pao_scope": "yakuman"}
    assert pay_row({"context": context}, profile)["net"] == [-16000, 64000, -8000, -40000]

"""The worked cases of the shared rule tables: every row of a system that is counted here."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from companion.rules import Circumstances, Profile, load_profile
from companion.rules.loader import change_profile
from companion.rules.payment import base_units, pay_faan, settle_differences
from companion.rules.rows import score_row

CHANGED = {"hk000-dragon-chow-off": {"rules.dragon_chow": False}}
"""Rows that say in their note which switch of the profile they are about."""
HALF_SPICY = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]


@lru_cache(maxsize=1)
def rows(path: Path) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def row_named(shared_dir: Path, name: str) -> dict[str, Any]:
    return next(row for row in rows(shared_dir / "rules" / "cases.jsonl") if row["id"] == name)


def profile_of(row: dict[str, Any]) -> Profile:
    profile = load_profile(row["ruleset"])
    changes = CHANGED.get(row["id"])
    return change_profile(profile, changes) if changes else profile


SCORED = [
    "hk002-chicken",
    "hk002-pinghu-flowers",
    "hk002-pinghu-dragon-pair",
    "hk002-pinghu-round-pair",
    "hk002-menzen-not-on-selfdraw",
    "hk002-half-plus-pungs",
    "hk002-kaan-self-draw",
    "hk002-mixed-terminals",
    "hk002-seven-pairs",
    "hk002-seven-pairs-quad",
    "hk002-small-dragons-half-pungs",
    "hk002-full-flush-pungs",
    "hk002-18-arhats",
    "hk002-nine-gates-any",
    "hk002-double-wind",
    "hk002-last-discard",
    "hk002-four-flowers",
    "hk002-best-decomposition",
    "hk002-human-hand",
    "hk000-dragon-pung-zero",
    "hk000-dragon-chow",
    "hk000-dragon-chow-off",
    "hk000-two-dragon-chows",
    "hk000-all-kongs",
    "hk000-jade",
    "hk000-big-winds-missing",
    "hk000-seven-pairs-quad",
    "hk000-nine-gates-pure",
    "hk000-nine-gates-impure",
    "hk000-hidden-treasure-discard",
    "hk000-quick-hand",
    "c001-mixed",
    "c001-kongs",
    "c001-dragon-pung-double",
]


@pytest.mark.parametrize("name", SCORED)
def test_a_hand_counts_as_expected(name: str, shared_dir: Path) -> None:
    row = row_named(shared_dir, name)
    sheet = score_row(row, profile_of(row))
    result = sheet.to_json("en")
    expected = row["expected"]
    for key in ("faan", "can_win", "complete", "points"):
        if key in expected:
            assert result[key] == expected[key], (key, result)
    if "detail" in expected:
        assert sorted(line["value"] for line in result["lines"]) == sorted(
            value for value, _ in expected["detail"]
        )
        names = [" ".join(line["names"].values()) for line in result["lines"]]
        for _, wanted in expected["detail"]:
            assert any(wanted in name for name in names), (wanted, names)
    if "pattern" in expected:
        assert expected["pattern"] in {line["names"]["zh"] for line in result["lines"]}


def test_every_row_of_these_systems_is_a_test(shared_dir: Path) -> None:
    ours = {"hk-old-style", "hk-wiki", "beginner-points"}
    found = rows(shared_dir / "rules" / "cases.jsonl")
    with_hand = {row["id"] for row in found if row["ruleset"] in ours and row["hand"]}
    assert with_hand == set(SCORED)


def test_payments_of_document_000(shared_dir: Path) -> None:
    profile = load_profile("hk-wiki")
    cases = [
        r for r in rows(shared_dir / "rules" / "cases.jsonl") if r["id"].startswith("hk000-pay")
    ]
    assert len(cases) == 8
    for row in cases:
        faan, expected = row["context"]["faan"], row["expected"]
        assert base_units(profile, faan) == expected["base"]
        claimed = pay_faan(profile, faan, Circumstances(seat="W", discarder="N"))
        assert (claimed.discarder, claimed.others, claimed.total) == (
            expected["discarder"],
            expected["others"],
            expected["discard_total"],
        )
        drawn = pay_faan(profile, faan, Circumstances("self-draw", "W"))
        # 0 faan cannot be self-drawn (self-draw is a faan of its own): the document has a dash.
        if expected["self_draw_each"] is not None:
            assert (drawn.each, drawn.total) == (
                expected["self_draw_each"],
                expected["self_draw_total"],
            )


def test_payments_of_document_002(shared_dir: Path) -> None:
    profile = load_profile("hk-old-style")
    cases = [
        r for r in rows(shared_dir / "rules" / "cases.jsonl") if r["id"].startswith("hk002-pay")
    ]
    assert len(cases) == 8
    for row in cases:
        faan, expected = row["context"]["faan"], row["expected"]
        claimed = pay_faan(profile, faan, Circumstances(seat="S")).to_json()
        drawn = pay_faan(profile, faan, Circumstances("self-draw", "S")).to_json()
        assert claimed["discarder"] == expected["discarder"]
        assert claimed["others"] == expected["others"]
        assert claimed["chips"] == expected["chips_discard"]
        assert drawn["each"] == expected["self_draw_each"]
        assert drawn["total"] == expected["self_draw_total"]
        assert drawn["chips"] == expected["chips_self_draw"]


def test_the_half_spicy_table(shared_dir: Path) -> None:
    row = row_named(shared_dir, "hk-yawnoc-portion-half")
    house = change_profile(
        load_profile("hk-old-style"),
        {"rules.minimum": 0, "rules.limit": 13, "payment.table": HALF_SPICY},
    )
    portions = [base_units(house, faan) for faan in row["context"]["faan"]]
    assert portions == row["expected"]["portion"]
    drawn = row_named(shared_dir, "hk-yawnoc-selfdraw-4")
    paid = pay_faan(house, drawn["context"]["faan"], Circumstances("self-draw", "W"))
    assert paid.net is not None
    assert list(paid.net.values()) == drawn["expected"]["net"]


def test_differences_of_document_003(shared_dir: Path) -> None:
    row = row_named(shared_dir, "c003-settle-zero-losers")
    context = row["context"]
    assert list(settle_differences(context["points"], context["winner"])) == row["expected"]["net"]
    # Item 17, worked out in the reading guide: the winner is paid even by a better hand.
    assert settle_differences([60, 40, 80, 10], 0) == (90, -30, 90, -150)

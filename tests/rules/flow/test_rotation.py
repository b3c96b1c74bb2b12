"""Rotation of the winds and the end of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules import load_profile
from companion.rules.flow import Flow, HandResult, Standing, after, east_from_dice, flow_of
from companion.rules.flow.reading import FlowError, read_flow


def flow(name: str) -> Flow:
    return flow_of(load_profile(name))


def test_east_stays_on_a_win_and_south_follows_otherwise() -> None:
    start = Standing()
    assert after(flow("hk-wiki"), start, HandResult("win", (0,))).east == 0
    lost = after(flow("hk-wiki"), start, HandResult("win", (2,)))
    assert lost.east == 1
    assert lost.wind_of(0) == "N" and lost.wind_of(1) == "E"  # "el Este pasaría a ser Norte"


@pytest.mark.parametrize(
    ("profile", "east"), [("hk-wiki", 0), ("hk-old-style", 0), ("spanish-tournament", 1)]
)
def test_after_a_drawn_hand(profile: str, east: int) -> None:
    assert after(flow(profile), Standing(), HandResult("draw")).east == east


def test_a_replayed_hand_keeps_the_winds() -> None:
    standing = Standing(round=1, east=2)
    assert after(flow("spanish-tournament"), standing, HandResult("replay")).east == 2


def test_the_round_changes_when_east_comes_back() -> None:
    rules, standing = flow("hk-wiki"), Standing(first_east=2, east=2)
    winds = []
    for _ in range(16):
        winds.append((standing.round_wind, standing.east))
        standing = after(rules, standing, HandResult("win", ((standing.east + 1) % 4,)))
    assert winds[:5] == [("E", 2), ("E", 3), ("E", 0), ("E", 1), ("S", 2)]
    assert standing.over and standing.hands == 16


def test_the_table_may_agree_on_rounds_or_time() -> None:
    standing = Standing(east=3)
    assert after(flow("hk-old-style"), standing, HandResult("win", (0,)), rounds=1).over
    assert after(flow("hk-old-style"), Standing(), HandResult("win", (0,)), time_is_up=True).over


def test_a_limit_to_the_dealers_streak() -> None:
    rules = flow("hk-old-style")
    rules = replace(rules, rotation=replace(rules.rotation, dealer_streak=3))
    standing = Standing()
    for _ in range(3):
        standing = after(rules, standing, HandResult("win", (0,)))
    assert standing.east == 1


def test_a_tied_throw_is_thrown_again() -> None:
    assert east_from_dice((5, 9, 3, 4)) == 1
    assert east_from_dice((9, 9, 3, 4)) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"claims": {"rob": "always"}}, r'flow\.claims\.rob can\'t be "always"; allowed: one of'),
        ({"opening": {"side_dice": -1}}, "whole number from 0"),
        ({"walls": {}}, r"flow\.walls is not known"),
        ({"kong": {"added_lies": ["uu"]}}, "layouts of four letters"),
        ({"deal": {"last": [[0, 0], [1], [2], [3]]}}, "two places for East"),
        ({"claims": {"priority": [["win"], ["pung"]]}}, "each once"),
    ],
)
def test_a_wrong_flow_is_named(change: dict[str, dict[str, object]], words: str) -> None:
    data = {k: dict(v) for k, v in load_profile("hk-old-style").flow_data.items()}
    data.setdefault("tiles", {})["bonus"] = True
    for table, values in change.items():
        data.setdefault(table, {}).update(values)
    with pytest.raises(FlowError, match=words):
        read_flow(data, "house.toml")

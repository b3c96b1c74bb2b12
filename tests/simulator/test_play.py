"""Simulated games: legal, varied, and the same for the same seed."""

from __future__ import annotations

import itertools
from collections import Counter
from importlib.util import find_spec
from random import Random

import pytest

from companion.rules import list_profiles, load_profile
from companion.rules.flow import flow_of
from companion.simulator.luck import build, tile_set
from companion.simulator.pace import timed
from companion.simulator.plans import STYLES, dream
from companion.simulator.play import Luck, play_match, start_state
from companion.table import events as ev
from companion.table.fold import apply

GAMES = 1000
PLAYABLE = [name for name in list_profiles() if name != "mcr" or find_spec("MahjongGB")]
"""Without the package that counts them, hands of the competition rules can't be won."""


@pytest.mark.parametrize("profile", PLAYABLE)
def test_a_thousand_games_over_all_profiles_are_legal(profile: str) -> None:
    rules = load_profile(profile)
    kinds: Counter[str] = Counter()
    for seed in range(GAMES // len(PLAYABLE) + 1):
        state = start_state(rules)
        total = 0
        for event in play_match(rules, seed, 1):
            state = apply(state, event)
            kinds[event.type] += 1
            if isinstance(event, ev.StartGame):
                total = sum(state.scores)
                continue
            if state.phase != "before":
                assert state.tiles_on_table == state.flow.tiles.total, (seed, event)
            assert sum(state.scores) + 1000 * state.sticks == total, (seed, event)
            assert {flag.code for flag in state.flags} <= {"false_win"}, (seed, event, state.flags)
    usual = {
        "tsumo",
        "dahai",
        "chi",
        "pon",
        "daiminkan",
        "ankan",
        "kakan",
        "win",
        "replacement_draw",
    }
    assert usual <= set(kinds)
    if state.flow.tiles.bonus:
        assert kinds["flower"]
    if state.flow.dora.shown:
        assert kinds["reach"] and kinds["dora"]


@pytest.mark.parametrize("profile", PLAYABLE)
def test_the_same_seed_plays_the_same_game(profile: str) -> None:
    rules = load_profile(profile)
    assert list(play_match(rules, 11, 2)) == list(play_match(rules, 11, 2))
    assert list(play_match(rules, 11, 1)) != list(play_match(rules, 12, 1))


@pytest.mark.parametrize("profile", PLAYABLE)
def test_the_wall_holds_the_set_however_it_is_loaded(profile: str) -> None:
    rules = load_profile(profile)
    flow, rng = flow_of(rules), Random(3)
    for style in STYLES:
        if style in {"pairs", "orphans"}:
            continue
        favour = {seat: dream(style, rules.shapes, rng) for seat in range(2)}
        wall = build(flow, 1, favour, rng)
        assert Counter(wall.tiles.values()) == Counter(tile_set(flow))


def test_false_wins_and_dead_hands_are_played_too() -> None:
    rules = load_profile("hk-old-style")
    eager = Luck(false_win=0.5)
    events = [event for seed in range(6) for event in play_match(rules, seed, 2, eager)]
    false = [e for e in events if isinstance(e, ev.Win) and e.can_win is False]
    assert false
    assert sum(isinstance(e, ev.Penalty) for e in events) == len(false)


def test_time_only_goes_forward() -> None:
    entries = list(timed(play_match(load_profile("hk-wiki"), 5, 1), 5))
    times = [entry.at_ms for entry in entries]
    assert all(a is not None and b is not None and a <= b for a, b in itertools.pairwise(times))
    assert entries == list(timed(play_match(load_profile("hk-wiki"), 5, 1), 5))

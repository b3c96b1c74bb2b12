"""Settlement against played riichi games: the points that changed hands must come out as logged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.rules import load_profile
from companion.rules.riichi.points import basic_points
from companion.rules.settlement import Win, settle_noten, settle_wins

LIMITS = {"満貫": 2000, "跳満": 3000, "倍満": 4000, "三倍満": 6000, "役満": 8000}


def hands(folder: Path) -> Iterator[tuple[int, int, list[Any]]]:
    """Dealer, honba and result of every hand of the logs."""
    for file in sorted((folder / "rules" / "oracles" / "tenhou6").glob("*.json")):
        for hand in json.loads(file.read_text("utf-8"))["log"]:
            number, honba, _ = hand[0]
            yield number % 4, honba, hand[-1]


def base_of(worth: str) -> int:
    counted = re.match(r"(\d+)符(\d+)飜", worth)
    if counted:
        fu, han = map(int, counted.groups())
        return basic_points(han, fu, False, load_profile("riichi"))[0]
    return next(base for name, base in reversed(LIMITS.items()) if worth.startswith(name))


def test_wins_are_paid_as_logged(shared_dir: Path) -> None:
    wins = doubles = 0
    for dealer, honba, result in hands(shared_dir):
        if result[0] != "和了" or len(result[2]) < 4:
            continue
        deltas, told = result[1::2], result[2::2]
        total = [sum(each) for each in zip(*deltas, strict=True)]
        won = [
            Win(winner, base_of(worth), None if loser == winner else loser)
            for winner, loser, _, worth, *_ in told
        ]
        # What is gained in all lay on the table as riichi sticks.
        settled = settle_wins(
            load_profile("riichi"), won, dealer, honba=honba, sticks=sum(total) // 1000
        )
        assert list(settled.net) == total, (result, settled)
        wins += len(won)
        doubles += len(won) == 2
    assert (wins, doubles) == (10, 1)


def test_drawn_hands_are_paid_as_logged(shared_dir: Path) -> None:
    drawn = 0
    for _, _, result in hands(shared_dir):
        if result[0] == "流局" and len(result) > 1:
            ready = [seat for seat, gain in enumerate(result[1]) if gain > 0]
            assert list(settle_noten(load_profile("riichi"), ready).net) == result[1]
            drawn += 1
    assert drawn == 2


def test_draws_of_a_whole_game_are_paid_as_logged(shared_dir: Path) -> None:
    path = shared_dir / "rules" / "oracles" / "riichi-game.mjai.jsonl"
    events = map(json.loads, path.read_text("utf-8").splitlines())
    for event in events:
        if event["type"] == "ryukyoku":
            ready = [seat for seat, gain in enumerate(event["deltas"]) if gain > 0]
            assert list(settle_noten(load_profile("riichi"), ready).net) == event["deltas"]

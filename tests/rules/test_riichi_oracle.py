"""Every hand of the published riichi games: han, fu and yaku."""

from __future__ import annotations

import json
from pathlib import Path

from riichi_numbers import YAKU_BY_NUMBER, circumstances_of, hand_of

from companion.rules import load_profile, score


def test_every_published_hand_agrees(shared_dir: Path) -> None:
    rows = json.loads((shared_dir / "rules" / "oracles" / "riichi-hands.json").read_text("utf-8"))
    assert len(rows) == 402
    profile = load_profile("riichi")
    for row in rows:
        melds = [(meld["meld_type"], meld["tiles"]) for meld in row["melds"]]
        hand = hand_of(row["tiles_136"], row["win_tile_136"], melds)
        now = circumstances_of(row["conditions"], row["dora_indicators"], row["ura_indicators"])
        sheet, expected = score(hand, now, profile), row["expected"]
        assert (sheet.values["han"], sheet.values["fu"]) == (expected["han"], expected["fu"]), row
        found = {line.pattern for line in sheet.lines}
        assert found == {YAKU_BY_NUMBER[number] for number in expected["yaku"]}, row

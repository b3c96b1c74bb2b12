"""Riichi hands against another implementation (riichienv), on random winning hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from riichi_numbers import YAKU_BY_NUMBER, circumstances_of, hand_of
from winning_hands import KAN, Dealer

from companion.rules import load_profile, score
from companion.rules.riichi.yaku import YAKU

riichienv = pytest.importorskip(
    "riichienv", reason="riichienv is not installed: it is part of the extra 'test'"
)

HANDS = 3000


def theirs(
    concealed: list[int],
    winning: int,
    melds: list[tuple[str, list[int]]],
    conditions: dict[str, Any],
    dora: list[int],
    ura: list[int],
) -> Any:
    kinds = {kind: getattr(riichienv.MeldType, kind.capitalize()) for kind in ("chi", "pon", *KAN)}
    laid = [riichienv.Meld(kinds[kind], tiles, kind != "ankan") for kind, tiles in melds]
    # `HandEvaluator.calc` adds the winning tile by counting, which two kan mislead: give it whole.
    evaluator = riichienv.HandEvaluator(sorted([*concealed, winning]), laid)
    rust = riichienv.hand._to_rust_conditions(riichienv.Conditions(**conditions))
    return evaluator.calc_rust.calc(winning, dora, ura if conditions["riichi"] else [], rust)


def paid(net: dict[str, int], winner: str) -> list[int]:
    return sorted(-gain for wind, gain in net.items() if wind != winner)


def amounts(other: Any, conditions: dict[str, Any]) -> list[int]:
    if not conditions["tsumo"]:
        return [0, 0, other.ron_agari]
    first = other.tsumo_agari_oya if conditions["player_wind"] else other.tsumo_agari_ko
    return sorted([first, other.tsumo_agari_ko, other.tsumo_agari_ko])


def test_random_winning_hands_agree() -> None:
    dealer, profile = Dealer(20261130), load_profile("riichi")
    seen: Counter[str] = Counter()
    for _ in range(HANDS):
        given = dealer.hand()
        concealed, winning, melds, conditions, dora, ura = given
        now = circumstances_of(conditions, dora, ura)
        if not now.is_self_draw:
            now = replace(now, discarder="W" if now.seat == "E" else "E")
        sheet, other = score(hand_of(concealed, winning, melds), now, profile), theirs(*given)
        assert sheet.can_win == other.is_win, (given, sheet.to_json())
        if not sheet.can_win:
            seen["no yaku"] += 1
            continue
        found = {line.pattern for line in sheet.lines}
        seen.update(found)
        expected = {YAKU_BY_NUMBER[number] for number in other.yaku}
        if {"tenhou", "kokushi"} <= found:
            # The fourteen tiles dealt have no last one: we count the one that was told, they the best.
            continue
        assert sheet.payments is not None and sheet.payments.net is not None
        assert paid(dict(sheet.payments.net), now.seat) == amounts(other, conditions), given
        if found != expected and not other.yakuman and other.han >= 13:
            # Both are paid as a yakuman; we name the real one (as Tenhou does), they count thirteen han.
            assert sheet.value == 13 and not sheet.details["fu_items"], given
            continue
        assert found == expected, (given, sheet.to_json())
        assert (sheet.values["han"], sheet.values["fu"]) == (other.han, other.fu), given
    # Nearly everything that can be counted was met; nagashi and four kan are too rare.
    assert set(YAKU) - set(seen) <= {"renhou", "nagashi_mangan", "suukantsu", "daisuushii"}, seen

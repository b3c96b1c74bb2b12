"""Hands in the numbers 0..135 that riichi programs use, as our hands and circumstances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.hand import Hand
from companion.meld import Meld, MeldKind
from companion.rules import Circumstances
from companion.tiles import KINDS, WINDS, Tile

RED = {16: Tile("0m"), 52: Tile("0p"), 88: Tile("0s")}
MELDS: Mapping[str, MeldKind] = {
    "chi": "chow",
    "pon": "pung",
    "daiminkan": "kong",
    "kakan": "kong",
    "ankan": "ckong",
}
YAKU_BY_NUMBER = {
    1: "tsumo",
    2: "riichi",
    3: "chankan",
    4: "rinshan",
    5: "haitei",
    6: "houtei",
    7: "haku",
    8: "hatsu",
    9: "chun",
    10: "seat_wind",
    11: "round_wind",
    12: "tanyao",
    13: "iipeikou",
    14: "pinfu",
    15: "chanta",
    16: "ittsu",
    17: "sanshoku",
    18: "double_riichi",
    19: "sanshoku_doukou",
    20: "sankantsu",
    21: "toitoi",
    22: "sanankou",
    23: "shousangen",
    24: "honroutou",
    25: "chiitoitsu",
    26: "junchan",
    27: "honitsu",
    28: "ryanpeikou",
    29: "chinitsu",
    30: "ippatsu",
    31: "dora",
    32: "red_dora",
    33: "ura_dora",
    35: "tenhou",
    36: "chiihou",
    37: "daisangen",
    38: "suuankou",
    39: "tsuuiisou",
    40: "ryuuiisou",
    41: "chinroutou",
    42: "kokushi",
    43: "shousuushii",
    44: "suukantsu",
    45: "chuuren",
    47: "chuuren_9_wait",
    48: "suuankou_tanki",
    49: "kokushi_13_wait",
    50: "daisuushii",
}


def tile(number: int) -> Tile:
    return RED.get(number) or KINDS[number // 4]


def hand_of(
    concealed: Sequence[int], winning: int, melds: Sequence[tuple[str, Sequence[int]]]
) -> Hand:
    """A hand; `concealed` goes without the winning tile."""
    laid = tuple(Meld(MELDS[kind], tuple(map(tile, tiles))) for kind, tiles in melds)
    return Hand((*map(tile, concealed), tile(winning)), laid, (), tile(winning))


def circumstances_of(
    conditions: Mapping[str, Any], dora: Sequence[int], ura: Sequence[int]
) -> Circumstances:
    return Circumstances(
        "self-draw" if conditions["tsumo"] else "discard",
        WINDS[conditions["player_wind"]],
        WINDS[conditions["round_wind"]],
        kong_draw=conditions["rinshan"],
        rob_kong=conditions["chankan"],
        last_tile=conditions["haitei"],
        last_discard=conditions["houtei"],
        first_turn=conditions["tsumo_first_turn"],
        extra=(
            ("riichi", conditions["riichi"]),
            ("double_riichi", conditions["double_riichi"]),
            ("ippatsu", conditions["ippatsu"]),
            ("dora_indicators", [tile(number).code for number in dora]),
            ("ura_indicators", [tile(number).code for number in ura]),
            ("honba", conditions["honba"]),
        ),
    )

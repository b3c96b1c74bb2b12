"""The patterns by id, with the names they go by where a profile gives none.

An id tells what triggers the pattern, not what some table calls it: the hand that document 002 calls
人和 is `own_first_draw` here, since elsewhere that name belongs to another hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Names:
    """One thing's names by language; usable as a parameter of a `Text`."""

    es: str
    en: str
    zh: str = ""

    def name(self, lang: str = "en") -> str:
        """The name in ``es``, ``en`` or ``zh``; English for another language or a missing one."""
        return (self.es if lang == "es" else self.zh if lang == "zh" else self.en) or self.en

    def to_json(self) -> dict[str, str]:
        return {"es": self.es, "en": self.en, "zh": self.zh}


PATTERNS: Final[Mapping[str, Names]] = {
    # -- the form of the sets
    "chicken": Names("Mano de pollo", "Chicken hand", "雞糊"),
    "all_chows": Names("Todo chow", "All chows", "平糊"),
    "all_pungs": Names("Todo pung", "All pungs", "對對糊"),
    "hidden_pungs": Names("Todo pung oculto", "All hidden pungs", "坎坎糊"),
    "four_kongs": Names("Cuatro kongs", "Four kongs", "十八羅漢"),
    "seven_pairs": Names("Siete pares", "Seven pairs", "七對子"),
    "thirteen_orphans": Names("Trece huérfanos", "Thirteen orphans", "十三么"),
    "nine_gates": Names("Nueve puertas", "Nine gates", "九蓮寶燈"),
    # -- which tiles the hand is made of
    "half_flush": Names("Medio color", "Half flush", "混一色"),
    "full_flush": Names("Color puro", "Full flush", "清一色"),
    "mixed_terminals": Names("Terminales mixtas", "Mixed terminals", "混么九"),
    "all_terminals": Names("Todo terminales", "All terminals", "清么九"),
    "all_honours": Names("Todo honores", "All honours", "字一色"),
    "jade_dragon": Names("Dragón de jade", "Jade dragon", "翡翠龍"),
    "ruby_dragon": Names("Dragón de rubí", "Ruby dragon", "紅寶石龍"),
    "pearl_dragon": Names("Dragón de perla", "Pearl dragon", "珍珠龍"),
    # -- sets of honours
    "dragon_pung": Names("Pung o kong de dragón", "Pung or kong of dragons", "三元牌"),
    "seat_wind": Names("Pung o kong del viento propio", "Pung or kong of the own wind", "門風"),
    "round_wind": Names(
        "Pung o kong del viento de la ronda", "Pung or kong of the round wind", "圈風"
    ),
    "small_dragons": Names("Tres dragones pequeños", "Small three dragons", "小三元"),
    "big_dragons": Names("Tres dragones grandes", "Big three dragons", "大三元"),
    "small_winds": Names("Cuatro vientos pequeños", "Small four winds", "小四喜"),
    "big_winds": Names("Cuatro vientos grandes", "Big four winds", "大四喜"),
    # -- how the winning tile came
    "self_draw": Names("De la muralla", "Self-draw", "自摸"),
    "concealed_discard": Names("Mano oculta con descarte", "Concealed hand on a discard", "門前清"),
    "kong_replacement": Names(
        "Con la ficha de un kong", "On a kong's replacement tile", "槓上開花"
    ),
    "rob_kong": Names("Robo de kong", "Robbing a kong", "搶槓"),
    "last_tile": Names("Última ficha de la muralla", "Last tile of the wall", "海底撈月"),
    "last_discard": Names("Último descarte", "Last discard", "河底撈魚"),
    "quick_hand": Names("Mano rápida", "Quick hand", "快手"),
    "dealt_hand": Names("Mano celestial", "Heavenly hand", "天糊"),
    "dealer_first_discard": Names("Mano terrenal", "Earthly hand", "地糊"),
    "own_first_draw": Names("Mano humana", "Human hand", "人和"),
    # -- flowers and seasons
    "own_flower": Names("Flor o estación propia", "Own flower or season", "正花"),
    "flower_set": Names("Todas las flores o estaciones", "All flowers or all seasons", "一台花"),
    "no_flowers": Names("Sin flores ni estaciones", "No flowers", "無花"),
}
"""Names of every pattern of the additive systems, in the order lines are listed."""

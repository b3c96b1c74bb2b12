"""What a profile of the Japanese game may decide: the tables ``riichi`` and ``yaku``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.riichi.yaku import CLOSED_ONLY, DORA, YAKU, YAKUMAN, YAKUMAN_HAN
from companion.rules.schema import Setting, declare, one_of, some_of, switch, whole
from companion.text import T

OPTION_WORDS: Final[Mapping[str, tuple[str, Mapping[Any, str] | None]]] = {
    "has_open_tanyao": ("open_tanyao", None),
    "has_aka_dora": ("red_fives", None),
    "has_double_yakuman": ("double_yakuman", None),
    "kazoe_limit": ("counted_yakuman", {0: "yakuman", 1: "sanbaiman", 2: "no_limit"}),
    "kiriage": ("round_up_mangan", None),
    "renhou_as_yakuman": ("renhou", {True: "yakuman", False: "mangan"}),
    "fu_for_open_pinfu": ("open_pinfu_fu", None),
    "fu_for_pinfu_tsumo": ("pinfu_tsumo_fu", None),
}
"""What the `mahjong` package calls our settings, and its values where ours are words."""

declare(
    "riichi",
    {
        # -- what counts
        "open_tanyao": switch(T("All simples may be open (kuitan)")),
        "dora": switch(T("The tiles that follow an indicator are dora")),
        "red_fives": switch(T("Red fives are dora")),
        "ura_dora": switch(T("Ura dora after riichi")),
        "ippatsu": switch(T("Ippatsu counts")),
        "renhou": one_of(
            T("Blessing of man (renhou) is worth"),
            none=T("nothing"),
            mangan=T("a mangan"),
            yakuman=T("a yakuman"),
        ),
        "nagashi_mangan": switch(T("River of terminals (nagashi mangan) is paid")),
        "double_yakuman": switch(T("Some yakuman count double")),
        "counted_yakuman": one_of(
            T("Thirteen han without a yakuman are"),
            yakuman=T("a yakuman"),
            sanbaiman=T("a sanbaiman"),
            no_limit=T("a yakuman for every thirteen han"),
        ),
        "round_up_mangan": switch(T("4 han 30 fu and 3 han 60 fu are a mangan (kiriage)")),
        # -- fu
        "double_wind_fu": Setting(
            lambda v: v in (2, 4) and not isinstance(v, bool),
            T("2 or 4"),
            T("Fu of a pair of the wind that is both seat and round"),
            (4, 2),
        ),
        "open_pinfu_fu": switch(T("An open hand without fu gets 2 fu")),
        "pinfu_tsumo_fu": switch(T("The self-draw of a pinfu hand gets 2 fu")),
        # -- payments
        "honba": whole(T("Points of one honba on a ron"), 0, 3000),
        "stick": whole(T("Points of a riichi stick"), 0, 10000),
        "several_rons": one_of(
            T("Several rons on one tile"),
            all=T("all are paid"),
            nearest=T("only the nearest in turn order is paid"),
            draw_on_three=T("two are paid, three draw the hand"),
            draw=T("the hand is drawn"),
        ),
        "honba_to": one_of(
            T("Of several rons, the honba are paid to"),
            nearest=T("the nearest in turn order"),
            each=T("each of them"),
        ),
        "pao": some_of(
            T("Liability (pao) for the last open set of"),
            daisangen=T("big three dragons"),
            daisuushii=T("big four winds"),
            suukantsu=T("four kan"),
        ),
        "pao_scope": one_of(
            T("The liable player answers for"),
            total=T("the whole hand"),
            yakuman=T("the yakuman that he fed"),
        ),
        "noten": whole(T("Points that change hands at a draw (noten)"), 0, 24000),
        "false_win": one_of(
            T("A false win (chombo) pays"),
            mangan=T("each what a mangan by self-draw would have cost"),
            points=T("fixed points to each"),
            nothing=T("nothing"),
        ),
        "replay_sticks": one_of(
            T("Riichi sticks laid in a hand that is played again"),
            returned=T("go back to who laid them"),
            stay=T("stay on the table for the next winner"),
        ),
        "false_win_points": whole(T("Points of a chombo to each player"), 0, 48000),
    },
)


_YAKUMAN_VALUES: Final = (YAKUMAN_HAN, 2 * YAKUMAN_HAN)


def _han(name: str) -> Setting:
    """The han of a yaku, closed and open; what is a yaku in closed hands only has 0 open."""
    closed_only, is_yakuman = name in CLOSED_ONLY, name in YAKUMAN

    def accepts(value: Any) -> bool:
        if not isinstance(value, list) or len(value) != 2 or any(type(v) is not int for v in value):
            return False
        closed, opened = int(value[0]), int(value[1])
        if is_yakuman:
            good = closed in _YAKUMAN_VALUES and (closed_only or opened in _YAKUMAN_VALUES)
        else:
            good = 0 <= closed < YAKUMAN_HAN and 0 <= opened < YAKUMAN_HAN
            good = good and (closed_only or (opened > 0) == (closed > 0))
        return good and not (closed_only and opened)

    if is_yakuman:
        allowed = T("[13, 0] or [26, 0]") if closed_only else T("two numbers, each 13 or 26")
    elif closed_only:
        allowed = T("two numbers: closed from 0 (does not count) to 12, and 0")
    else:
        allowed = T("two numbers, closed and open: both from 1 to 12, or both 0 (does not count)")
    yaku = YAKU[name]
    label = T("%(name)s. %(what)s Han, closed and open", name=yaku.names, what=yaku.what)
    return Setting(accepts, allowed, label)


declare("yaku", {name: _han(name) for name in YAKU if name not in DORA})

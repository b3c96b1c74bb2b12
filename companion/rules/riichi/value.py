"""Han, fu and points of a riichi hand by the `mahjong` package, told what the profile decides.

What the package lacks is added here: a pair of the double wind worth 2 fu, han as data, and errors that
say which tile is wrong (`check`). It is only asked about hands that can exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.meld import Meld as PackageMeld

from companion.hand import Hand
from companion.meld import Meld
from companion.rules.circumstances import CircumstanceError, Circumstances
from companion.rules.profile import Profile
from companion.rules.riichi.points import MANGAN, basic_points
from companion.rules.riichi.situation import Situation
from companion.rules.riichi.yaku import DORA, YAKU, YAKUMAN, YAKUMAN_HAN
from companion.text import GorrionError, T
from companion.tiles import KINDS, WINDS, Tile

ATTRIBUTES: Final[Mapping[str, str]] = {
    "tsumo": "tsumo",
    "riichi": "riichi",
    "ippatsu": "ippatsu",
    "chankan": "chankan",
    "rinshan": "rinshan",
    "haitei": "haitei",
    "houtei": "houtei",
    "daburu_riichi": "double_riichi",
    "renhou": "renhou",
    "renhou_yakuman": "renhou",
    "pinfu": "pinfu",
    "tanyao": "tanyao",
    "iipeiko": "iipeikou",
    "haku": "haku",
    "hatsu": "hatsu",
    "chun": "chun",
    "seat_wind_east": "seat_wind",
    "seat_wind_south": "seat_wind",
    "seat_wind_west": "seat_wind",
    "seat_wind_north": "seat_wind",
    "round_wind_east": "round_wind",
    "round_wind_south": "round_wind",
    "round_wind_west": "round_wind",
    "round_wind_north": "round_wind",
    "sanshoku": "sanshoku",
    "ittsu": "ittsu",
    "chantai": "chanta",
    "honroto": "honroutou",
    "toitoi": "toitoi",
    "sanankou": "sanankou",
    "sankantsu": "sankantsu",
    "sanshoku_douko": "sanshoku_doukou",
    "chiitoitsu": "chiitoitsu",
    "shosangen": "shousangen",
    "honitsu": "honitsu",
    "junchan": "junchan",
    "ryanpeiko": "ryanpeikou",
    "chinitsu": "chinitsu",
    "kokushi": "kokushi",
    "daburu_kokushi": "kokushi_13_wait",
    "chuuren_poutou": "chuuren",
    "daburu_chuuren_poutou": "chuuren_9_wait",
    "suuankou": "suuankou",
    "suuankou_tanki": "suuankou_tanki",
    "daisangen": "daisangen",
    "shosuushi": "shousuushii",
    "daisuushi": "daisuushii",
    "ryuisou": "ryuuiisou",
    "suukantsu": "suukantsu",
    "tsuisou": "tsuuiisou",
    "chinroto": "chinroutou",
    "tenhou": "tenhou",
    "chiihou": "chiihou",
    "dora": "dora",
    "aka_dora": "red_dora",
    "ura_dora": "ura_dora",
}
"""Yaku ids by the attributes of the package's configuration."""
_COUNTED: Final = {
    "yakuman": HandConstants.KAZOE_LIMITED,
    "sanbaiman": HandConstants.KAZOE_SANBAIMAN,
    "no_limit": HandConstants.KAZOE_NO_LIMIT,
}
_COPIES: Final = 4


class RiichiError(GorrionError):
    """Tiles that can't be together on a riichi table; the sentence names them."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a winning hand is worth.

    Attributes:
        yaku: han of each yaku and kind of dora by id, in the order of `YAKU`; empty without yaku.
        han: their sum; 13 for each yakuman.
        fu: rounded up; 0 for a yakuman, which is paid without them.
        fu_items: items of fu by the package's names, largest first.
        base: basic points, a quarter of what a player who is not the dealer wins by ron: 2000 is a
            mangan, 8000 a yakuman. 0 without yaku.
        level: a key of `companion.rules.riichi.yaku.LEVEL_NAMES`, "" below mangan.
    """

    yaku: Mapping[str, int]
    han: int
    fu: int
    fu_items: tuple[tuple[str, int], ...]
    base: int
    level: str

    @property
    def is_winning(self) -> bool:
        """Whether there is a yaku."""
        return self.base > 0

    @property
    def is_yakuman(self) -> bool:
        """Whether a yakuman counts; one of thirteen counted han is none."""
        return _holds_yakuman(self.yaku)


def _holds_yakuman(yaku: Mapping[str, int]) -> bool:
    return any(han >= YAKUMAN_HAN for name, han in yaku.items() if name not in DORA)


def check(hand: Hand, now: Circumstances, its: Situation) -> None:
    """Refuse what can't lie on a riichi table, naming the tile; `Hand.flags` has been asked before.

    Raises:
        RiichiError: flowers, a fifth copy among the indicators, two red fives of a suit.
        CircumstanceError: a robbed tile that an indicator shows.
    """
    if hand.bonus:
        text = T(
            "the Japanese game has no flowers or seasons: take %(tiles)s out",
            tiles=tuple(tile.code for tile in hand.bonus),
        )
        raise RiichiError(text, code="bonus_tiles", field="hand")
    reds = Counter(tile for tile in hand.tiles if tile.is_red)
    for tile, count in reds.items():
        if count > 1:
            text = T(
                "%(count)s red fives %(tile)s: a set has one of each suit; correct the others",
                count=count,
                tile=tile.code,
            )
            raise RiichiError(text, code="too_many_reds", field="hand")
    shown = Counter(tile.kind for tile in (*hand.tiles, *its.dora, *its.ura))
    for tile, count in shown.items():
        if count > _COPIES:
            text = T(
                "%(count)s copies of %(tile)s in the hand and the dora indicators together: a set has "
                "only four; correct one of them",
                count=count,
                tile=tile.code,
            )
            raise RiichiError(text, code="five_copies", field="dora_indicators")
    if now.rob_kong and hand.winning is not None and shown[hand.winning.kind] > 1:
        text = T(
            "%(tile)s can't have been robbed from a kan: a dora indicator shows another one",
            tile=hand.winning.code,
        )
        raise CircumstanceError(text, code="impossible", field="rob_kong")


def value_of(hand: Hand, now: Circumstances, its: Situation, profile: Profile) -> Value | None:
    """What the hand is worth, or None when its tiles are no finished hand.

    The hand must have passed `Hand.flags` and `check`. Without a yaku the value is empty. A renhou that is
    worth a mangan is paid as one, with nothing added; or the hand counts without it, where that is more.
    """
    counted = _count(hand, now, its, profile)
    if counted is None or not its.renhou or profile["riichi.renhou"] != "mangan":
        return counted
    plain = _count(hand, now, replace(its, renhou=False), profile)
    if plain is not None and plain.base > MANGAN:
        return plain
    han = profile["yaku.renhou"][0]
    return Value({"renhou": han}, han, counted.fu, counted.fu_items, MANGAN, "mangan")


def _count(hand: Hand, now: Circumstances, its: Situation, profile: Profile) -> Value | None:
    """The count of the package, with our han."""
    numbers = _Numbers()
    melds = [_meld(meld, numbers) for meld in hand.melds]
    concealed = [numbers.take(tile) for tile in hand.concealed]
    winning = hand.winning
    if winning is None:
        raise ValueError("the winning tile is not known; ask check_hand first")
    config = _config(hand, now, its, profile)
    answer = HandCalculator.estimate_hand_value(
        concealed + [tile for meld in melds for tile in meld.tiles],
        concealed[hand.concealed.index(winning)],
        melds=melds,
        dora_indicators=_loose(its.dora) if profile["riichi.dora"] else None,
        ura_dora_indicators=_loose(its.ura) if profile["riichi.ura_dora"] else None,
        config=config,
    )
    if answer.error == HandCalculator.ERR_HAND_NOT_WINNING:
        return None
    if answer.error == HandCalculator.ERR_NO_YAKU:
        return Value({}, 0, 0, (), 0, "")
    if answer.error is not None or answer.han is None:
        raise ValueError(f"the package refused {hand}: {answer.error}")
    yaku = _yaku_han(config, answer.yaku or (), opened=hand.is_open)
    if _holds_yakuman(yaku):
        return Value(yaku, answer.han, 0, (), *basic_points(answer.han, 0, True, profile))
    items = tuple((str(item["reason"]), int(item["fu"])) for item in answer.fu_details or ())
    han, fu = answer.han, answer.fu or 0
    if profile["riichi.red_fives"] and not config.options.has_aka_dora and _reds(hand):
        yaku["red_dora"] = _reds(hand)
        han += yaku["red_dora"]
    return Value(yaku, han, fu, items, *basic_points(han, fu, False, profile))


class _Numbers:
    """Gives each tile a number 0..135 of the package's; of a suit's fives, copy 0 is the red one."""

    def __init__(self) -> None:
        self._free = {kind: [0, 3, 2, 1] for kind in KINDS}

    def take(self, tile: Tile) -> int:
        index = tile.index
        if index is None:
            raise ValueError(f"{tile} is of no kind; ask Hand.flags first")
        return index * _COPIES + (0 if tile.is_red else self._free[tile.kind].pop())


def _config(hand: Hand, now: Circumstances, its: Situation, profile: Profile) -> HandConfig:
    seat, around = EAST + WINDS.index(now.seat), EAST + WINDS.index(now.round)
    yakuman_renhou = profile["riichi.renhou"] == "yakuman"
    double = profile["riichi.double_yakuman"]
    config = HandConfig(
        is_tsumo=now.is_self_draw,
        is_riichi=its.riichi,
        is_daburu_riichi=its.double_riichi,
        is_ippatsu=its.ippatsu and profile["riichi.ippatsu"],
        is_rinshan=counts_rinshan(hand, now),
        is_chankan=now.rob_kong,
        is_haitei=now.last_tile and not now.kong_draw,
        is_houtei=now.last_discard and not now.rob_kong,
        is_tenhou=its.tenhou,
        is_chiihou=its.chiihou,
        is_renhou=its.renhou and profile["riichi.renhou"] != "none",
        player_wind=seat,
        round_wind=None if _pays_pair_once(hand, now, profile) else around,
        options=OptionalRules(
            has_open_tanyao=profile["riichi.open_tanyao"],
            has_aka_dora=profile["riichi.red_fives"]
            and bool(_reds(hand))
            and not _four_plain(hand),
            kazoe_limit=_COUNTED[profile["riichi.counted_yakuman"]],
            kiriage=profile["riichi.round_up_mangan"],
            fu_for_open_pinfu=profile["riichi.open_pinfu_fu"],
            fu_for_pinfu_tsumo=profile["riichi.pinfu_tsumo_fu"],
            renhou_as_yakuman=yakuman_renhou,
        ),
    )
    for attribute, name in ATTRIBUTES.items():
        if name in DORA:
            continue
        closed, opened = profile[f"yaku.{name}"]
        if name in YAKUMAN and not double:
            closed, opened = min(closed, YAKUMAN_HAN), min(opened, YAKUMAN_HAN)
        yaku = getattr(config.yaku, attribute)
        yaku.han_closed, yaku.han_open = closed, opened
    config.yaku.renhou_yakuman.han_closed = YAKUMAN_HAN
    return config


def _reds(hand: Hand) -> int:
    return sum(tile.is_red for tile in hand.tiles)


def _four_plain(hand: Hand) -> bool:
    """Whether one suit shows four plain fives: the package would take one of them for the red one."""
    fives = Counter(tile for tile in hand.tiles if tile.is_suited and tile.rank == 5)
    return any(count == _COPIES for count in fives.values())


def counts_rinshan(hand: Hand, now: Circumstances) -> bool:
    """Whether the tile came from the winner's own kan: he must have laid one down."""
    return now.kong_draw and hand.kongs > 0


def _pays_pair_once(hand: Hand, now: Circumstances, profile: Profile) -> bool:
    """Whether the pair is of the double wind and the profile gives it 2 fu.

    The package always gives 4. Without a round wind it gives the 2 of the seat wind; and since a hand
    with just two of that wind has no set of it, nothing else depends on the round wind.
    """
    if now.seat != now.round or profile["riichi.double_wind_fu"] != 2:
        return False
    return hand.all_counts[EAST + WINDS.index(now.seat)] == 2


def _meld(meld: Meld, numbers: _Numbers) -> PackageMeld:
    kind = {"chow": PackageMeld.CHI, "pung": PackageMeld.PON}.get(meld.kind, PackageMeld.KAN)
    tiles = sorted(numbers.take(tile) for tile in meld.tiles)
    return PackageMeld(kind, tiles, opened=not meld.is_concealed)


def _loose(tiles: tuple[Tile, ...]) -> list[int]:
    """Indicators: only their kinds matter."""
    return [(tile.index or 0) * _COPIES for tile in tiles]


def _yaku_han(config: HandConfig, found: Iterable[Any], *, opened: bool) -> dict[str, int]:
    names = {id(getattr(config.yaku, attribute)): name for attribute, name in ATTRIBUTES.items()}
    han = {names[id(yaku)]: (opened and yaku.han_open) or yaku.han_closed for yaku in found}
    return {name: han[name] for name in YAKU if han.get(name)}

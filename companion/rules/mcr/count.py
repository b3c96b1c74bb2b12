"""Counting a hand of the Mahjong Competition Rules: the evaluator that the profile names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, get_args

from companion.hand import Hand
from companion.meld import Meld
from companion.rules.circumstances import CircumstanceError, Circumstances, Wind
from companion.rules.decomposition import laid_blocks, may_lie
from companion.rules.mcr.fans import FANS
from companion.rules.payment import Payments
from companion.rules.profile import Profile
from companion.rules.refusals import NO_DRAGON_CHOW
from companion.rules.sheet import Excluded, Line, ScoreSheet
from companion.text import GorrionError, T
from companion.tiles import WINDS, Tile

BONUS_FAN: Final = "flower_tiles"
"""Flowers count, but not towards the minimum."""
LAST_OF_KIND: Final = ("last_of_kind", "fourth_tile", "is_4th_tile")
"""Keys of `Circumstances.extra` that say the winning tile is the fourth and three lie open."""
_SUITS: Final = {"m": "W", "p": "B", "s": "T"}
_HONOURS: Final = ("F1", "F2", "F3", "F4", "J3", "J2", "J1")
"""The package's codes for 1z..7z: it orders the dragons red, green, white."""
_IDS: Final = {names.en: name for name, names in FANS.items()}
_NO_HAND: Final = T(
    "the tiles form none of the hands of these rules: four sets and a pair, seven pairs, "
    "thirteen orphans, or honours and knitted tiles"
)
_NOT_WON: Final = "ERROR_NOT_WIN"


class McrError(GorrionError):
    """The package that counts is not there."""


def score_mcr(hand: Hand, now: Circumstances, profile: Profile) -> ScoreSheet:
    """Count a hand whose flags are clear; see `companion.rules.scoring.score`.

    Raises:
        McrError: when PyMahjongGB is not installed.
        CircumstanceError: when `LAST_OF_KIND` has the wrong form.
    """
    # The package takes the melds as they are laid.
    lies_well = may_lie(laid_blocks(hand), profile.shapes)
    found = _fans(hand, now) if lies_well else None
    if found is None:
        return ScoreSheet(
            profile,
            complete=False,
            can_win=False,
            values={"fan": None},
            why=(_NO_HAND if lies_well else NO_DRAGON_CHOW,),
        )
    lines = tuple(_lines(found, hand, now, profile))
    counted = sum(line.value for line in lines if line.pattern != BONUS_FAN)
    total = sum(line.value for line in lines)
    minimum = profile["rules.minimum"]
    can_win = counted >= minimum
    return ScoreSheet(
        profile,
        complete=True,
        can_win=can_win,
        values={"fan": total},
        lines=lines,
        excluded=tuple(_excluded(hand, now)),
        payments=pay_mcr(profile, total, now) if can_win else None,
        why=() if can_win else (_too_little(counted, minimum, total > counted),),
        details={"minimum": minimum, "without_flowers": counted},
    )


def pay_mcr(profile: Profile, fan: int, now: Circumstances) -> Payments:
    """Every loser pays the base points; on top the discarder, or on a self-draw everybody, the fan."""
    base: int = profile["payment.base_points"]
    payers = [wind for wind in get_args(Wind) if wind != now.seat]
    total = base * len(payers) + fan * (len(payers) if now.is_self_draw else 1)
    if not now.is_self_draw and now.discarder is None:
        return Payments(base, now.seat, -base - fan, -base, None, total, None)
    net: dict[Wind, int] = {
        wind: -base - (fan if now.is_self_draw or wind == now.discarder else 0) for wind in payers
    }
    net[now.seat] = total
    ordered = {wind: net[wind] for wind in get_args(Wind)}
    if now.is_self_draw:
        return Payments(base, now.seat, None, None, -base - fan, total, ordered)
    return Payments(base, now.seat, -base - fan, -base, None, total, ordered)


def calculator() -> Callable[..., tuple[tuple[int, int, str, str], ...]]:
    """PyMahjongGB's fan calculator.

    Raises:
        McrError: when the package is not installed.
    """
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError as error:
        text = T(
            "hands of these rules are counted by PyMahjongGB, which is not installed: "
            "pip install PyMahjongGB (it is compiled, which needs g++)"
        )
        raise McrError(text, code="unsupported", field="rules", status=501, exit_code=1) from error
    found: Callable[..., tuple[tuple[int, int, str, str], ...]] = MahjongFanCalculator
    return found


def _fans(hand: Hand, now: Circumstances) -> dict[str, int] | None:
    """How often each fan is found, or None when the tiles form no hand."""
    count, winning = calculator(), hand.winning
    if winning is None:
        raise ValueError("the winning tile is not known; ask check_hand first")
    concealed = list(hand.concealed)
    concealed.remove(winning)
    try:
        found = count(
            tuple(_pack(meld) for meld in hand.melds),
            tuple(map(_code, concealed)),
            _code(winning),
            len(hand.bonus),
            now.is_self_draw,
            _is_last_of_kind(hand, now, winning),
            (now.kong_draw and hand.kongs > 0) or now.rob_kong,
            # A robbed tile is no discard; and on the last tile no kong can be made.
            now.last_tile or (now.last_discard and not now.rob_kong),
            WINDS.index(now.seat),
            WINDS.index(now.round),
            True,
        )
    except TypeError as error:
        if str(error) == _NOT_WON:
            return None
        raise
    return {_IDS[name]: count for _, count, _, name in found}


def _is_last_of_kind(hand: Hand, now: Circumstances, winning: Tile) -> bool:
    """Said so, or the winner's own pung shows the other three. Keys of other systems are not looked at."""
    shown = any(meld.kind == "pung" and meld.tiles[0].kind is winning.kind for meld in hand.melds)
    return shown or said_last_of_kind(now)


def said_last_of_kind(now: Circumstances) -> bool:
    """Whether somebody said that the three other tiles of its kind lie open.

    Raises:
        CircumstanceError: when it is said in another form.
    """
    said = [value for key, value in now.extra if key in LAST_OF_KIND]
    if not all(isinstance(value, bool) for value in said):
        text = T(
            '"%(key)s" has the wrong form: write it like %(example)s',
            key=LAST_OF_KIND[0],
            example="true",
        )
        raise CircumstanceError(text, code="bad_circumstance", field=LAST_OF_KIND[0])
    return any(said)


def _pack(meld: Meld) -> tuple[str, str, int]:
    """A meld as the package writes it: a chow by its middle tile, a concealed kong offered by nobody."""
    if meld.kind == "chow":
        return "CHI", _code(meld.tiles[1]), 1
    word = "GANG" if meld.is_kong else "PENG"
    return word, _code(meld.tiles[0]), 0 if meld.is_concealed else 1


def _code(tile: Tile) -> str:
    if tile.is_honour:
        return _HONOURS[tile.rank - 1]
    return f"{_SUITS[tile.suit]}{tile.rank}"


def _lines(
    found: dict[str, int], hand: Hand, now: Circumstances, profile: Profile
) -> Iterator[Line]:
    for name, names in FANS.items():
        leaf = profile.leaves[f"fan.{name}"]
        tiles = _tiles(name, hand, now)
        for number in range(found.get(name, 0)):
            own = (tiles[number],) if name == BONUS_FAN else tiles
            if leaf.value:
                yield Line(name, names, leaf.value, own, leaf.source)


def _tiles(name: str, hand: Hand, now: Circumstances) -> tuple[Tile, ...]:
    """The tiles of fan that are plain to see; the package does not tell those of the others."""
    if name == BONUS_FAN:
        return hand.bonus
    if name in {"prevalent_wind", "seat_wind"}:
        wind = WINDS.index(now.round if name == "prevalent_wind" else now.seat) + 1
        return tuple(t for t in sorted(hand.tiles) if t.is_wind and t.rank == wind)
    if name in _BY_THE_LAST_TILE and hand.winning is not None:
        return (hand.winning,)
    return tuple(sorted(hand.tiles)) if name in _WHOLE else ()


_BY_THE_LAST_TILE: Final = (
    "last_tile_draw",
    "last_tile_claim",
    "out_with_replacement_tile",
    "robbing_the_kong",
    "last_tile",
    "edge_wait",
    "closed_wait",
    "single_wait",
    "self_drawn",
)
_WHOLE: Final = (
    "all_green",
    "nine_gates",
    "seven_shifted_pairs",
    "thirteen_orphans",
    "all_terminals",
    "all_honors",
    "four_concealed_pungs",
    "all_terminals_and_honors",
    "seven_pairs",
    "greater_honors_and_knitted_tiles",
    "all_even_pungs",
    "full_flush",
    "upper_tiles",
    "middle_tiles",
    "lower_tiles",
    "all_five",
    "lesser_honors_and_knitted_tiles",
    "upper_four",
    "lower_four",
    "reversible_tiles",
    "chicken_hand",
    "all_pungs",
    "half_flush",
    "all_types",
    "melded_hand",
    "outside_hand",
    "fully_concealed_hand",
    "concealed_hand",
    "all_chows",
    "all_simples",
    "one_voided_suit",
    "no_honors",
)


def _excluded(hand: Hand, now: Circumstances) -> Iterator[Excluded]:
    if now.kong_draw and not hand.kongs:
        text = T("there is no kong in the hand: lay it down as (8888s) or [8888s]")
        yield Excluded("out_with_replacement_tile", FANS["out_with_replacement_tile"], text)
    if now.last_discard and now.rob_kong:
        text = T("a tile robbed from a kong is not a discard")
        yield Excluded("last_tile_claim", FANS["last_tile_claim"], text)
    winning = hand.winning
    hidden = [tile for tile in hand.concealed if winning is not None and tile.kind is winning.kind]
    if said_last_of_kind(now) and len(hidden) > 1:
        text = T("the hand itself hides another %(tile)s", tile=hidden[0].kind.code)
        yield Excluded("last_tile", FANS["last_tile"], text)


def _too_little(counted: int, minimum: int, has_flowers: bool) -> T:
    if has_flowers:
        return T(
            "%(counted)s of %(minimum)s fan without the flowers: the hand is complete but can't be called",
            counted=counted,
            minimum=minimum,
        )
    return T(
        "%(counted)s of %(minimum)s fan: the hand is complete but can't be called",
        counted=counted,
        minimum=minimum,
    )

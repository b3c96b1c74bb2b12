"""Which tiles make each yaku, and which reading of the hand the count belongs to.

The package tells what counts, not how it read the tiles. Of the hand's readings the one is taken that
shows all the yaku and the fu that were counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from companion.hand import Hand
from companion.rules.circumstances import Circumstances
from companion.rules.decomposition import (
    DRAGONS,
    ORPHANS,
    WIND_INDICES,
    Block,
    Reading,
    readings,
)
from companion.rules.profile import Profile
from companion.rules.riichi.situation import Situation
from companion.rules.riichi.value import Value
from companion.tiles import KINDS, WINDS, Tile

Tiles: TypeAlias = tuple[Tile, ...]

EAST: Final = 27
_SUIT: Final = 9
_WITHOUT_TILES: Final = ("riichi", "double_riichi")
_BY_THE_LAST_TILE: Final = ("ippatsu", "tsumo", "rinshan", "chankan", "haitei", "houtei")
_SET_FU: Final = ("open_pon", "closed_pon", "open_kan", "closed_kan")


def reading_of(hand: Hand, now: Circumstances, value: Value, profile: Profile) -> Reading | None:
    """The reading that shows the yaku and the fu of a count, or None when the hand has no reading."""
    wanted = Counter(name for name, _ in value.fu_items if _is_set_item(name))
    found = list(readings(hand, profile.shapes, by_discard=not now.is_self_draw))

    def fit(reading: Reading) -> tuple[int, int]:
        shown = sum(_shows(name, reading, now) for name in value.yaku)
        return shown, -sum(((_set_fu(reading) - wanted) + (wanted - _set_fu(reading))).values())

    return max(found, key=fit, default=None)


def tiles_of(
    name: str, hand: Hand, now: Circumstances, its: Situation, reading: Reading | None
) -> Tiles:
    """The tiles that make a yaku; the whole hand where all of them do."""
    if name in _WITHOUT_TILES:
        return ()
    if name in _BY_THE_LAST_TILE:
        return (hand.winning,) if hand.winning is not None else ()
    if name == "red_dora":
        return tuple(tile for tile in hand.tiles if tile.is_red)
    if name in {"dora", "ura_dora"}:
        return dora_tiles(hand, its.dora if name == "dora" else its.ura)
    finder = _FINDERS.get(name)
    if finder is None or reading is None:
        return tuple(sorted(hand.tiles))
    indices = [index for block in finder(reading, now) for index in block.indices]
    if name in _WITH_PAIR:
        indices += [reading.pair] * 2
    return _pick(hand, indices)


def dora_tiles(hand: Hand, indicators: Iterable[Tile]) -> Tiles:
    """The tiles that follow an indicator, one for each han that they give."""
    following = [after(indicator) for indicator in indicators]
    return tuple(tile for kind in following for tile in sorted(hand.tiles) if tile.kind is kind)


def after(indicator: Tile) -> Tile:
    """The dora that an indicator points at: the next number, wind (E S W N) or dragon, and around."""
    index = indicator.index
    if index is None:
        raise ValueError(f"{indicator} is no indicator")
    if indicator.is_suited:
        return KINDS[index + 1 if indicator.rank < _SUIT else index - _SUIT + 1]
    family = WIND_INDICES if index in WIND_INDICES else DRAGONS
    return KINDS[family[(family.index(index) + 1) % len(family)]]


def _pick(hand: Hand, indices: Iterable[int]) -> Tiles:
    """Real tiles of the hand for kinds, so that red fives show as themselves; plain ones first."""
    left = sorted(hand.tiles, key=lambda tile: (tile.kind, tile.is_red))
    picked = []
    for index in indices:
        tile = next(tile for tile in left if tile.index == index)
        left.remove(tile)
        picked.append(tile)
    return tuple(picked)


def _is_set_item(name: str) -> bool:
    return name.replace("_terminal", "") in _SET_FU


def _set_fu(reading: Reading) -> Counter[str]:
    """The fu items of a reading's triplets and kan, by the package's names."""
    return Counter(
        f"{'open' if block.is_open else 'closed'}{'_terminal' if block.base in ORPHANS else ''}_"
        f"{'kan' if block.kind == 'kong' else 'pon'}"
        for block in reading.blocks
        if block.kind != "chow"
    )


def _shows(name: str, reading: Reading, now: Circumstances) -> bool:
    form = _FORMS.get(name)
    if form is not None:
        return reading.form == form
    finder = _FINDERS.get(name)
    return finder is None or bool(finder(reading, now))


def _chows(reading: Reading) -> list[Block]:
    return [block for block in reading.blocks if block.kind == "chow"]


def _concealed_triplets(reading: Reading) -> list[Block]:
    return [block for block in reading.blocks if block.kind != "chow" and not block.is_open]


def _equal_chows(reading: Reading, now: Circumstances) -> list[Block]:
    """Every chow that there is twice; two of a kind each."""
    count = Counter(block.base for block in _chows(reading))
    bases = [base for base, copies in count.items() for _ in range(copies // 2 * 2)]
    return [Block("chow", base) for base in bases]


def _four_equal_chows(reading: Reading, now: Circumstances) -> list[Block]:
    found = _equal_chows(reading, now)
    return found if len(found) == 4 else []


def _same_in_suits(blocks: list[Block]) -> list[Block]:
    """Three blocks of the same number, one of each suit."""
    for first in blocks:
        trio = [
            next((block for block in blocks if block.base == first.base % _SUIT + low), None)
            for low in (0, _SUIT, 2 * _SUIT)
            if first.base < EAST
        ]
        if trio and all(block is not None for block in trio):
            return [block for block in trio if block is not None]
    return []


def _sanshoku(reading: Reading, now: Circumstances) -> list[Block]:
    return _same_in_suits(_chows(reading))


def _sanshoku_doukou(reading: Reading, now: Circumstances) -> list[Block]:
    return _same_in_suits([block for block in reading.blocks if block.kind != "chow"])


def _ittsu(reading: Reading, now: Circumstances) -> list[Block]:
    bases = {block.base: block for block in _chows(reading)}
    for low in (0, _SUIT, 2 * _SUIT):
        if {low, low + 3, low + 6} <= set(bases):
            return [bases[low], bases[low + 3], bases[low + 6]]
    return []


def _sanankou(reading: Reading, now: Circumstances) -> list[Block]:
    found = _concealed_triplets(reading)
    return found if len(found) == 3 else []


def _kan(reading: Reading, now: Circumstances) -> list[Block]:
    return [block for block in reading.blocks if block.kind == "kong"]


def _of(*indices: int) -> Callable[[Reading, Circumstances], list[Block]]:
    return lambda reading, now: reading.pungs_of(indices)


def _seat(reading: Reading, now: Circumstances) -> list[Block]:
    return reading.pungs_of((EAST + WINDS.index(now.seat),))


def _round(reading: Reading, now: Circumstances) -> list[Block]:
    return reading.pungs_of((EAST + WINDS.index(now.round),))


_FORMS: Final[Mapping[str, str]] = {
    "chiitoitsu": "seven_pairs",
    "kokushi": "thirteen_orphans",
    "kokushi_13_wait": "thirteen_orphans",
}
_WITH_PAIR: Final = ("shousangen", "shousuushii")
_FINDERS: Final[Mapping[str, Callable[[Reading, Circumstances], list[Block]]]] = {
    "iipeikou": _equal_chows,
    "ryanpeikou": _four_equal_chows,
    "sanshoku": _sanshoku,
    "sanshoku_doukou": _sanshoku_doukou,
    "ittsu": _ittsu,
    "sanankou": _sanankou,
    "sankantsu": _kan,
    "suukantsu": _kan,
    "haku": _of(31),
    "hatsu": _of(32),
    "chun": _of(33),
    "seat_wind": _seat,
    "round_wind": _round,
    "shousangen": _of(*DRAGONS),
    "daisangen": _of(*DRAGONS),
    "shousuushii": _of(*WIND_INDICES),
    "daisuushii": _of(*WIND_INDICES),
}

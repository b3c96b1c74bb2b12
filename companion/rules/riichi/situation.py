"""What the Japanese game asks about a win beyond `Circumstances`, read from its `extra` and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.hand import Hand
from companion.notation import parse_tiles
from companion.rules.circumstances import CircumstanceError, Circumstances
from companion.text import T
from companion.tiles import Tile

MAX_INDICATORS: Final = 5
"""The first dora indicator and one for each of at most four kan."""
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "riichi": ("riichi", "reach", "richi"),
    "double_riichi": ("double_riichi", "daburu_riichi"),
    "ippatsu": ("ippatsu",),
    "tenhou": ("tenhou",),
    "chiihou": ("chiihou",),
    "renhou": ("renhou",),
    "dora": ("dora_indicators", "dora"),
    "ura": ("ura_indicators", "ura_dora_indicators", "ura"),
    "honba": ("honba",),
    "sticks": ("sticks", "riichi_sticks", "kyoutaku"),
    "options": ("options",),
}
"""The keys of `Circumstances.extra` by what they mean."""
OTHERS: Final = frozenset(("last_of_kind", "fourth_tile", "is_4th_tile"))
"""Keys that other systems ask for; the same win may be counted under several."""
_FLAGS: Final = ("riichi", "double_riichi", "ippatsu", "tenhou", "chiihou", "renhou")


@dataclass(frozen=True, slots=True)
class Situation:
    """What the table knows about a riichi win.

    Attributes:
        riichi: declared, also when it was a double riichi.
        double_riichi, ippatsu: as named.
        tenhou, chiihou, renhou: won in the first go-around, before any call.
        dora, ura: the indicators turned up, not the dora themselves.
        honba: counters on the table.
        sticks: riichi sticks lying on the table, the winner's own included.
    """

    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    tenhou: bool = False
    chiihou: bool = False
    renhou: bool = False
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    honba: int = 0
    sticks: int = 0


def options_of(now: Circumstances) -> Mapping[str, Any]:
    """The ``options`` of a row: rules that this one win is counted by.

    Raises:
        CircumstanceError: when they are no table.
    """
    options = _find(now, "options")
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise _wrong("options", '{"open_tanyao": true}')
    return options


def read_situation(hand: Hand, now: Circumstances) -> Situation:
    """The situation of a win.

    Raises:
        CircumstanceError: when something is not known, has the wrong form, or can't be together.
    """
    known = {word for words in WORDS.values() for word in words}
    for key, _ in now.extra:
        if key not in known | OTHERS:
            text = T(
                '"%(given)s" is not known here: use %(known)s',
                given=str(key),
                known=tuple(sorted(words[0] for words in WORDS.values())),
            )
            raise CircumstanceError(text, code="unknown_circumstance", field=str(key))
    flags = {name: _flag(now, name) for name in _FLAGS}
    flags["riichi"] = flags["riichi"] or flags["double_riichi"]
    if now.first_turn and not (hand.melds or now.rob_kong or now.kong_draw):
        first = ("tenhou" if now.is_dealer else "chiihou") if now.is_self_draw else "renhou"
        flags[first] = flags[first] or (first != "renhou" or not now.is_dealer)
    situation = Situation(
        **flags,
        dora=_indicators(now, "dora"),
        ura=_indicators(now, "ura"),
        honba=_count(now, "honba"),
        sticks=_count(now, "sticks"),
    )
    problem = _contradiction(hand, now, situation)
    if problem is not None:
        text, field = problem
        raise CircumstanceError(text, code="impossible", field=field)
    return situation


def _contradiction(hand: Hand, now: Circumstances, its: Situation) -> tuple[T, str] | None:
    if its.riichi and hand.is_open:
        meld = next(meld for meld in hand.melds if not meld.is_concealed)
        text = T("riichi needs a closed hand and %(meld)s is open: correct one", meld=str(meld))
        return text, "riichi"
    if its.ippatsu and not its.riichi:
        return T("ippatsu comes after riichi: say riichi too, or leave ippatsu out"), "ippatsu"
    if its.ippatsu and now.kong_draw:
        return T("one's own kan ends the turn of ippatsu: leave one of the two out"), "ippatsu"
    if its.ippatsu and its.double_riichi and (now.last_tile or now.last_discard):
        text = T(
            "ippatsu after a riichi in the first turn comes long before the last tile: leave one out"
        )
        return text, "ippatsu"
    if its.dora and len(its.ura) > len(its.dora):
        text = T(
            "%(ura)s ura indicators under %(dora)s dora indicators: there is one under each",
            ura=len(its.ura),
            dora=len(its.dora),
        )
        return text, "ura_indicators"
    first = next((name for name in ("tenhou", "chiihou", "renhou") if getattr(its, name)), None)
    if first is not None:
        return _first_turn_problem(first, hand, now, its)
    return None


def _first_turn_problem(
    name: str, hand: Hand, now: Circumstances, its: Situation
) -> tuple[T, str] | None:
    if hand.melds:
        text = T(
            "%(name)s is won before any call or kan and the hand has %(meld)s",
            name=name,
            meld=str(hand.melds[0]),
        )
        return text, name
    if now.rob_kong or now.kong_draw:
        text = T("%(name)s is won before any kan: its tile can't come from one", name=name)
        return text, name
    if its.riichi:
        return T("a hand won in the first turn had no time for riichi: leave one out"), "riichi"
    if name == "tenhou" and not (now.is_self_draw and now.is_dealer):
        return T("tenhou is the dealer's (seat E), with the tiles dealt (self-draw)"), name
    if name == "chiihou" and not (now.is_self_draw and not now.is_dealer):
        return T("chiihou is won by a player who is not the dealer, by self-draw"), name
    if name == "renhou" and (now.is_self_draw or now.is_dealer):
        return T("renhou is won by a player who is not the dealer, on a discard"), name
    return None


def _find(now: Circumstances, name: str) -> Any:
    given = dict(now.extra)
    return next((given[word] for word in WORDS[name] if given.get(word) is not None), None)


def _flag(now: Circumstances, name: str) -> bool:
    value = _find(now, name)
    if value is not None and not isinstance(value, bool):
        raise _wrong(name, "true")
    return bool(value)


def _count(now: Circumstances, name: str) -> int:
    value = _find(now, name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _wrong(name, "0, 1, 2 ...")
    return value


def _indicators(now: Circumstances, name: str) -> tuple[Tile, ...]:
    value = _find(now, name)
    if value is None:
        return ()
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(t, str | Tile) for t in texts):
        raise _wrong(WORDS[name][0], '"1m5p"')
    tiles = tuple(tile for text in texts for tile in parse_tiles(str(text)))
    odd = next((tile for tile in tiles if tile.index is None), None)
    if odd is not None:
        text = T("%(tile)s can't be a dora indicator: name one of the 34 tiles", tile=odd.code)
        raise CircumstanceError(text, code="bad_indicator", field=WORDS[name][0])
    if len(tiles) > MAX_INDICATORS:
        text = T(
            "%(count)s dora indicators: at most %(limit)s are turned up",
            count=len(tiles),
            limit=MAX_INDICATORS,
        )
        raise CircumstanceError(text, code="bad_indicator", field=WORDS[name][0])
    return tiles


def _wrong(name: str, example: str) -> CircumstanceError:
    text = T('"%(key)s" has the wrong form: write it like %(example)s', key=name, example=example)
    return CircumstanceError(text, code="bad_circumstance", field=name)

"""Hands to be counted given as rows of JSON: ``{"id", "ruleset", "hand", "melds", "context"}``.

``hand`` holds the concealed tiles with the winning tile, ``melds`` the sets apart (``{"type": "pon",
"tiles": "777z"}``), ``context`` everything about the win. Systems call things differently, so several
spellings of a key are read; what no evaluator of ours knows by name is passed on to the profile's
evaluator as it stands (`Circumstances.extra`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from companion.hand import FACE_LIMIT, Hand, parse_hand, too_many_copies
from companion.meld import Meld, meld_kind, parse_meld
from companion.notation import NotationError, parse_tiles
from companion.rules.circumstances import Circumstances, parse_by, parse_wind
from companion.rules.decomposition import Block, BlockKind, may_lie
from companion.rules.loader import change_profile
from companion.rules.points import count_sets
from companion.rules.profile import Profile
from companion.rules.refusals import NO_DRAGON_CHOW
from companion.rules.scoring import HandError, evaluator_of, score
from companion.rules.sheet import ScoreSheet
from companion.text import T
from companion.tiles import KINDS, Tile

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "win": ("win_tile", "win", "winning", "winning_tile"),
    "by": ("win_by", "by"),
    "seat": ("seat", "seat_wind"),
    "round": ("round", "round_wind"),
    "discarder": ("discarder", "discarded_by"),
    "bonus": ("flowers", "bonus"),
    "kong_draw": ("kong_draw", "kong_replacement", "rinshan", "after_kong"),
    "rob_kong": ("rob_kong", "rob", "chankan", "robbed_kong", "robbing_kong"),
    "last_tile": ("last_tile", "last", "haitei", "last_draw", "last_wall"),
    "last_discard": ("last_discard", "last_disc", "houtei"),
    "first_turn": ("first_turn", "first_draw", "first_discard", "first_round", "quick"),
}
"""The keys of ``context`` by what they mean, in the order they are looked for."""
_OTHER_KEYS: Final = {"faan": {"options"}, "points": {"options", "sets", "mahjong"}}
"""Further keys that the ways of counting of our own read."""
_KNOWN: Final = frozenset(word for words in WORDS.values() for word in words)


def score_row(row: Mapping[str, Any], profile: Profile) -> ScoreSheet:
    """Count the hand of a row.

    Raises:
        GorrionError: when the row, its hand or its circumstances are wrong, or it holds no hand.
    """
    evaluator_of(profile)
    context = row.get("context", {})
    if not isinstance(context, Mapping):
        raise _wrong("context", "{}")
    profile = _with_options(profile, context)
    if profile.evaluator == "points" and "sets" in context:
        return _score_sets(context, profile)
    hand = row_hand(row)
    if not hand.tiles:
        text = T("this row holds no hand: give its tiles in hand")
        raise NotationError(text, code="no_hand", field="hand")
    return score(hand, row_circumstances(context, profile), profile)


def ignored_keys(row: Mapping[str, Any], profile: Profile) -> list[str]:
    """Keys of a row's ``context``, and of its ``options``, that say something and that nobody reads."""
    context = row.get("context", {})
    # A seat is no wind: beside a hand nobody says who sits where.
    unread = [word for word in WORDS["discarder"] if _is_seat(context.get(word))]
    read = _OTHER_KEYS.get(profile.evaluator)
    if read is None:
        return unread
    ignored = [key for key, value in context.items() if value and key not in _KNOWN | read]
    options = context.get("options", {}) if "options" in read else {}
    ignored += [f"options.{key}" for key in options if _setting(key, profile) is None]
    return sorted({*ignored, *unread})


def row_hand(row: Mapping[str, Any]) -> Hand:
    """The hand of a row, with its melds, bonus tiles and winning tile."""
    context = row.get("context", {})
    text = row.get("hand", "")
    if not isinstance(text, str):
        raise _wrong("hand", "123m ...")
    base = parse_hand(text)
    melds = [*base.melds, *map(_meld, _list(row, "melds"))]
    bonus = [*base.bonus]
    for code in _list(context, "flowers") or _list(context, "bonus"):
        bonus += parse_tiles(str(code))
    if not all(tile.is_bonus for tile in bonus):
        raise _wrong("flowers", '["1f", "2g"]')
    win = _first(context, "win")
    return Hand(base.concealed, tuple(melds), tuple(bonus), Tile.parse(str(win)) if win else None)


def row_circumstances(context: Mapping[str, Any], profile: Profile) -> Circumstances:
    """The circumstances of a row's ``context``; the profile says whose seat it is when the row does not."""
    flags = {
        name: _flag(context, name)
        for name in ("kong_draw", "rob_kong", "last_tile", "last_discard", "first_turn")
    }
    given = _first(context, "by")
    by = parse_by(str(given)) if given else "self-draw" if flags["kong_draw"] else "discard"
    if flags["last_tile"] and by == "discard":
        flags["last_tile"], flags["last_discard"] = False, True
    seat, around, discarder = (_first(context, name) for name in ("seat", "round", "discarder"))
    return Circumstances(
        by,
        parse_wind(str(seat or profile.get("rules.seat_unsaid", "E")), "seat"),
        parse_wind(str(around), "round") if around else "E",
        parse_wind(discarder, "discarder") if isinstance(discarder, str) else None,
        extra=tuple((key, value) for key, value in context.items() if key not in _KNOWN),
        **flags,
    )


def _with_options(profile: Profile, context: Mapping[str, Any]) -> Profile:
    """Apply the ``options`` of a row that are settings: ``minimum``, or ``patterns.dragon_pung``."""
    options = context.get("options", {})
    if not isinstance(options, Mapping):
        raise _wrong("options", "{}")
    changes = {
        setting: value
        for key, value in options.items()
        if (setting := _setting(key, profile)) is not None
    }
    return change_profile(profile, changes, profile.id) if changes else profile


def _setting(key: str, profile: Profile) -> str | None:
    """The dotted key that an option names, or None when it names none of the profile's."""
    if "." in key:
        return key
    return f"rules.{key}" if f"rules.{key}" in profile.leaves else None


def _score_sets(context: Mapping[str, Any], profile: Profile) -> ScoreSheet:
    """Count sets that the row tells one by one, each with whether it is concealed."""
    blocks: list[Block] = []
    pairs: list[tuple[int, bool]] = []
    for given in _list(context, "sets"):
        if not isinstance(given, Mapping) or not {"type", "tiles"} <= set(given):
            raise _wrong("sets", '[{"type": "pung", "tiles": "111m", "concealed": false}]')
        concealed = given.get("concealed", False)
        if not isinstance(concealed, bool):
            raise _wrong("concealed", "true")
        is_open = not concealed
        tiles = parse_tiles(str(given["tiles"]))
        if given["type"] == "pair":
            if len(tiles) != 2 or tiles[0].index is None or tiles[0].kind is not tiles[1].kind:
                text = T(
                    '"%(given)s" is not a pair: give two tiles alike', given=str(given["tiles"])
                )
                raise HandError(text, code="not_a_pair", field="sets")
            pairs.append((tiles[0].index, is_open))
            continue
        meld = Meld(meld_kind(str(given["type"])), tiles)
        flag = meld.flag()
        if flag is not None:
            raise HandError(flag.text, code=flag.code, field="sets")
        kind: BlockKind = "kong" if meld.is_kong else "chow" if meld.kind == "chow" else "pung"
        blocks.append(Block(kind, meld.tiles[0].index or 0, is_open, is_open))
    _check_sets(blocks, pairs, profile)
    mahjong = context.get("mahjong", False)
    if not isinstance(mahjong, bool):
        raise _wrong("mahjong", "true")
    return count_sets(blocks, pairs, profile, mahjong=mahjong)


def _check_sets(blocks: list[Block], pairs: list[tuple[int, bool]], profile: Profile) -> None:
    """Refuse sets that the rules don't know, and a fifth tile of a kind."""
    held = Counter(index for block in blocks for index in block.indices)
    for index, _ in pairs:
        held[index] += 2
    if not may_lie(blocks, profile.shapes):
        raise HandError(NO_DRAGON_CHOW, code="not_a_set", field="sets")
    for index, count in held.items():
        if count > FACE_LIMIT:
            text = too_many_copies(KINDS[index], count)
            raise HandError(text, code="five_copies", field="sets")


def _meld(given: Any) -> Meld:
    if isinstance(given, str):
        laid = parse_hand(given)
        if len(laid.melds) == 1 and not laid.concealed and not laid.bonus:
            return laid.melds[0]
        return parse_meld(given)
    tiles = given.get("tiles") if isinstance(given, Mapping) else None
    if not isinstance(tiles, str | list):
        raise _wrong("melds", '[{"type": "pung", "tiles": "111m"}]')
    text = tiles if isinstance(tiles, str) else "".join(map(str, tiles))
    word = given.get("type", given.get("kind"))
    return parse_meld(text, meld_kind(str(word)) if word else None)


def _first(context: Mapping[str, Any], name: str) -> Any:
    return next((context[word] for word in WORDS[name] if context.get(word)), None)


def _is_seat(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _flag(context: Mapping[str, Any], name: str) -> bool:
    for word in WORDS[name]:
        value = context.get(word, False)
        if not isinstance(value, bool):
            raise _wrong(word, "true")
        if value:
            return True
    return False


def _list(table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key) or []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise _wrong(key, "[]")
    return value


def _wrong(key: str, example: str) -> NotationError:
    text = T('"%(key)s" has the wrong form: write it like %(example)s', key=key, example=example)
    return NotationError(text, code="bad_row", field=key)

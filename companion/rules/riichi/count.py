"""Counting a hand of the Japanese game: the evaluator that the profile names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from companion.hand import Hand
from companion.rules.circumstances import CircumstanceError, Circumstances, Wind
from companion.rules.decomposition import Reading, laid_blocks, may_lie
from companion.rules.loader import change_profile
from companion.rules.payment import Payments
from companion.rules.profile import Profile, Source
from companion.rules.refusals import why_unfinished
from companion.rules.riichi.marks import reading_of, tiles_of
from companion.rules.riichi.near import near_misses
from companion.rules.riichi.points import YAKUMAN_BASE, ron_points, tsumo_points
from companion.rules.riichi.settings import OPTION_WORDS
from companion.rules.riichi.situation import Situation, options_of, read_situation
from companion.rules.riichi.value import Value, check, counts_rinshan, value_of
from companion.rules.riichi.yaku import DORA, FU_NAMES, LEVEL_NAMES, YAKU
from companion.rules.sheet import Excluded, Line, ScoreSheet
from companion.text import T


def score_riichi(hand: Hand, now: Circumstances, profile: Profile) -> ScoreSheet:
    """Count a hand whose flags are clear; see `companion.rules.scoring.score`.

    `Circumstances.extra` holds what `companion.rules.riichi.situation.WORDS` lists; its ``options``
    change the profile for this one hand.

    Raises:
        RiichiError, CircumstanceError: when tiles or circumstances can't be together.
    """
    profile = with_options(profile, options_of(now))
    its = read_situation(hand, now)
    check(hand, now, its)
    # The package takes the melds as they are laid.
    lies_well = may_lie(laid_blocks(hand), profile.shapes)
    value = value_of(hand, now, its, profile) if lies_well else None
    if value is None:
        return ScoreSheet(
            profile,
            complete=False,
            can_win=False,
            values={"han": None, "fu": None, "points": None},
            why=why_unfinished(hand, profile),
        )
    reading = reading_of(hand, now, value, profile)
    if not value.is_winning:
        return ScoreSheet(
            profile,
            complete=True,
            can_win=False,
            values={"han": 0, "fu": None, "points": 0},
            excluded=tuple(_excluded(hand, now, its, value, profile)),
            reading=reading,
            why=(_no_yaku(hand),),
            find_near=lambda: near_misses(hand, now, its, value, reading, profile),
        )
    minimum: int = profile["rules.minimum"]
    without_dora = sum(han for name, han in value.yaku.items() if name not in DORA)
    if without_dora < minimum:
        return ScoreSheet(
            profile,
            complete=True,
            can_win=False,
            values={"han": value.han, "fu": value.fu, "points": 0},
            lines=_lines(hand, now, its, value, reading, profile),
            excluded=tuple(_excluded(hand, now, its, value, profile)),
            reading=reading,
            why=(_too_little(without_dora, minimum),),
            find_near=lambda: near_misses(hand, now, its, value, reading, profile),
        )
    paid = pay_riichi(value.base, now, its, profile)
    points = _points(value.base, now)
    return ScoreSheet(
        profile,
        complete=True,
        can_win=True,
        values={"han": value.han, "fu": value.fu, "points": points},
        limit=value.base >= YAKUMAN_BASE,
        lines=_lines(hand, now, its, value, reading, profile),
        excluded=tuple(_excluded(hand, now, its, value, profile)),
        payments=paid,
        reading=reading,
        remarks=tuple(_remarks(value)),
        details=_details(value, its, paid.total),
        find_near=lambda: near_misses(hand, now, its, value, reading, profile),
    )


def with_options(profile: Profile, options: Mapping[str, Any]) -> Profile:
    """The profile with the options of one row, by our names or those of the `mahjong` package.

    Raises:
        CircumstanceError: for an option that is not known.
        ProfileError: for a value that is not allowed.
    """
    changes: dict[str, Any] = {}
    for key, value in options.items():
        name, values = OPTION_WORDS.get(key, (key, None))
        own = next(
            (k for k in (name, f"riichi.{name}", f"rules.{name}") if k in profile.leaves), None
        )
        if own is None:
            text = T(
                '"%(given)s" is no option of these rules: use %(known)s',
                given=str(key),
                known=tuple(k[7:] for k in profile.leaves if k.startswith("riichi.")),
            )
            raise CircumstanceError(text, code="unknown_option", field="options")
        known = values is not None and isinstance(value, int)
        changes[own] = values.get(value, value) if known and values else value
    return change_profile(profile, changes, profile.id) if changes else profile


def pay_riichi(base: int, now: Circumstances, its: Situation, profile: Profile) -> Payments:
    """What one win moves: the points with honba; the riichi sticks come from the table on top."""
    on_table = its.sticks * profile["riichi.stick"]
    honba = its.honba * profile["riichi.honba"]
    payers = [wind for wind in get_args(Wind) if wind != now.seat]
    if now.is_self_draw:
        dealer_share, share = tsumo_points(base, dealer=now.is_dealer)
        each = {
            wind: (dealer_share if wind == "E" else share) + honba // len(payers) for wind in payers
        }
        one = -next(iter(each.values())) if len(set(each.values())) == 1 else None
        return _payments(base, now, each, on_table, each_pays=one)
    due = ron_points(base, dealer=now.is_dealer) + honba
    if now.discarder is None:
        total = due + on_table
        return Payments(base, now.seat, -due, 0, None, total, None, None, _sticks_note(on_table))
    each = {wind: due if wind == now.discarder else 0 for wind in payers}
    return _payments(base, now, each, on_table, discarder=-due)


def _payments(
    base: int,
    now: Circumstances,
    each: Mapping[Wind, int],
    on_table: int,
    *,
    discarder: int | None = None,
    each_pays: int | None = None,
) -> Payments:
    gained = sum(each.values())
    net = {wind: gained if wind == now.seat else -each[wind] for wind in get_args(Wind)}
    return Payments(
        base,
        now.seat,
        discarder,
        None if discarder is None else 0,
        each_pays,
        gained + on_table,
        net,
        None,
        _sticks_note(on_table),
    )


def _sticks_note(on_table: int) -> T | None:
    if not on_table:
        return None
    return T("the total holds %(points)s points of riichi sticks from the table", points=on_table)


def _points(base: int, now: Circumstances) -> int:
    """What the hand itself brings, without honba and sticks."""
    if not now.is_self_draw:
        return ron_points(base, dealer=now.is_dealer)
    dealer_share, share = tsumo_points(base, dealer=now.is_dealer)
    return dealer_share + 2 * share


def _source(name: str, profile: Profile) -> Source:
    """Where the yaku's han come from, or the switch of a kind of dora."""
    return profile.leaves[_DORA_SWITCHES.get(name, f"yaku.{name}")].source


_DORA_SWITCHES: Final = {
    "dora": "riichi.dora",
    "red_dora": "riichi.red_fives",
    "ura_dora": "riichi.ura_dora",
}


def _remarks(value: Value) -> Iterator[T]:
    """The limit that the hand reaches, and how its fu add up."""
    level = LEVEL_NAMES.get(value.level)
    if level is not None:
        yield T("%(level)s: %(base)s basic points", level=level, base=value.base)
    if value.fu_items:
        items = tuple(
            T("%(item)s %(fu)s", item=FU_NAMES[name], fu=fu) for name, fu in value.fu_items
        )
        counted = sum(fu for _, fu in value.fu_items)
        yield T("%(fu)s fu, from %(counted)s: %(items)s", fu=value.fu, counted=counted, items=items)


def _details(value: Value, its: Situation, total: int | None) -> dict[str, Any]:
    level = LEVEL_NAMES.get(value.level)
    return {
        "level": {"id": value.level, "names": level.to_json()} if level is not None else None,
        "fu_items": [
            {"item": name, "names": FU_NAMES[name].to_json(), "fu": fu}
            for name, fu in value.fu_items
        ],
        "honba": its.honba,
        "sticks": its.sticks,
        "total": total,
    }


def _lines(
    hand: Hand,
    now: Circumstances,
    its: Situation,
    value: Value,
    reading: Reading | None,
    profile: Profile,
) -> tuple[Line, ...]:
    return tuple(
        Line(
            name,
            YAKU[name].names,
            han,
            tiles_of(name, hand, now, its, reading),
            _source(name, profile),
        )
        for name, han in value.yaku.items()
    )


def _too_little(han: int, minimum: int) -> T:
    return T(
        "%(han)s of %(minimum)s han without dora: the hand is complete but can't be called",
        han=han,
        minimum=minimum,
    )


def _no_yaku(hand: Hand) -> T:
    if hand.is_open:
        return T(
            "the hand is complete but has no yaku: an open hand needs one too, and dora are none"
        )
    return T("the hand is complete but has no yaku: without riichi it can't be won by ron")


def _beside_renhou(
    hand: Hand, now: Circumstances, its: Situation, value: Value, profile: Profile
) -> Iterator[Excluded]:
    """A renhou of a mangan and the count of the hand exclude each other."""
    if "renhou" not in value.yaku:
        text = T("the hand counts more than the mangan of renhou")
        yield Excluded("renhou", YAKU["renhou"].names, text)
        return
    plain = value_of(hand, now, replace(its, renhou=False), profile)
    text = T("renhou pays a mangan and nothing is added to it")
    yaku = plain.yaku if plain is not None else {}
    for name in (*yaku, *(kind for kind in _dora_kinds(hand, now, its) if kind not in yaku)):
        yield Excluded(name, YAKU[name].names, text)


def _dora_kinds(hand: Hand, now: Circumstances, its: Situation) -> Iterator[str]:
    """The kinds of dora that the hand holds."""
    shown = {"dora": its.dora, "ura_dora": its.ura if its.riichi else (), "red_dora": hand.tiles}
    for name, tiles in shown.items():
        if tiles and tiles_of(name, hand, now, its, None):
            yield name


def _excluded(
    hand: Hand, now: Circumstances, its: Situation, value: Value, profile: Profile
) -> Iterator[Excluded]:
    """What a player may expect to count, and why it does not."""

    def gone(name: str, because: T) -> Excluded:
        return Excluded(name, YAKU[name].names, because)

    if now.kong_draw and not counts_rinshan(hand, now):
        text = T("there is no kong in the hand: lay it down as (8888s) or [8888s]")
        yield gone("rinshan", text)
    if now.last_tile and now.kong_draw:
        yield gone("haitei", T("a replacement tile is not the last tile of the wall"))
    if now.last_discard and now.rob_kong:
        yield gone("houtei", T("a tile robbed from a kong is not a discard"))
    if its.ippatsu and not profile["riichi.ippatsu"]:
        yield gone("ippatsu", T("these rules play without it"))
    if its.renhou and profile["riichi.renhou"] == "none":
        yield gone("renhou", T("these rules play without it"))
    elif its.renhou and not value.is_yakuman:
        yield from _beside_renhou(hand, now, its, value, profile)
    if its.ura and not its.riichi:
        yield gone("ura_dora", T("ura dora count after riichi only"))
    elif its.ura and not profile["riichi.ura_dora"]:
        yield gone("ura_dora", T("these rules play without it"))
    if not profile["riichi.red_fives"] and any(tile.is_red for tile in hand.tiles):
        yield gone("red_dora", T("these rules play without it"))
    if value.is_yakuman:
        text = T("nothing is added to a yakuman")
        if its.riichi:
            yield gone("double_riichi" if its.double_riichi else "riichi", text)
        for name in _dora_kinds(hand, now, its):
            yield gone(name, text)
    simple = all(tile.is_simple for tile in hand.tiles)
    if simple and hand.is_open and not profile["riichi.open_tanyao"]:
        yield gone("tanyao", T("these rules count it in a closed hand only"))

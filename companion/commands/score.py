"""`gorrion score`: what a winning hand is worth under a system of rules, line by line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from gettext import gettext as _
from pathlib import Path
from typing import Any, Final

from companion.catalogue import translate
from companion.commands.options import add_json, add_round, add_rules
from companion.hand import parse_hand
from companion.notation import format_tiles
from companion.rules import (
    Circumstances,
    Profile,
    ProfileError,
    ScoreSheet,
    list_profiles,
    load_profile,
    score,
)
from companion.rules.circumstances import parse_by, parse_wind
from companion.rules.payment_rows import asks_for_payment, pay_row
from companion.rules.rows import ignored_keys, score_row
from companion.rules.scoring import HandError
from companion.text import GorrionError, T

_UNITS = {"faan": T("faan"), "points": T("points"), "han": T("han"), "fu": T("fu"), "fan": T("fan")}

_ASKED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "mcr": ("last_of_kind",),
    "riichi": ("riichi", "double_riichi", "ippatsu", "dora", "ura", "honba", "sticks"),
}
"""The options that only some systems ask for, by evaluator."""

_CALLED: Final = {"dora": "dora_indicators", "ura": "ura_indicators"}
"""Circumstances whose options have a shorter name."""


class ScoreError(GorrionError):
    """The command line asks for something that can't be counted."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `gorrion score`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "score",
        help=_("say what a winning hand is worth, line by line"),
        description=_("Say what a winning hand is worth, line by line, and who pays whom."),
    )
    add_rules(parser)
    parser.add_argument(
        "--hand",
        metavar=_("HAND"),
        help=_(
            "tiles such as '123p123s23477m [567m] (8888s) 2f2g': concealed with the winning tile, "
            "[..] exposed sets, (..) concealed kongs, flowers and seasons"
        ),
    )
    parser.add_argument("--win", metavar=_("TILE"), help=_("the tile that completed the hand"))
    parser.add_argument(
        "--by", metavar=_("HOW"), help=_("how it came: discard or self-draw (default: discard)")
    )
    parser.add_argument("--seat", metavar=_("WIND"), help=_("the winner's wind: E S W N"))
    add_round(parser)
    parser.add_argument(
        "--discarder", metavar=_("WIND"), help=_("the wind of who discarded the tile")
    )
    parser.add_argument(
        "--kong-draw", action="store_true", help=_("the tile replaced a declared kong")
    )
    parser.add_argument(
        "--rob", action="store_true", help=_("the tile was robbed from another's kong")
    )
    parser.add_argument(
        "--last", action="store_true", help=_("it was the last tile of the wall, or its discard")
    )
    parser.add_argument(
        "--last-discard", action="store_true", help=_("it was the discard after the last tile")
    )
    parser.add_argument(
        "--first-turn",
        action="store_true",
        help=_("won in the first go-around: dealt hand, dealer's first discard or first own draw"),
    )
    _add_system_options(parser)
    parser.add_argument(
        "--compare", action="store_true", help=_("the same hand under every other system too")
    )
    parser.add_argument(
        "--batch", metavar=_("FILE"), help=_("count every row of a JSON Lines file; - reads stdin")
    )
    add_json(parser)
    return parser


def _add_system_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--last-of-kind",
        action="store_true",
        help=_("competition rules: the three other tiles of its kind lie open"),
    )
    group = parser.add_argument_group(_("Japanese game (riichi)"))
    group.add_argument("--riichi", action="store_true", help=_("riichi was declared"))
    group.add_argument("--double-riichi", action="store_true", help=_("riichi in the first turn"))
    group.add_argument("--ippatsu", action="store_true", help=_("won within a turn of riichi"))
    group.add_argument("--dora", metavar=_("TILES"), help=_("dora indicators, such as 1m5p"))
    group.add_argument("--ura", metavar=_("TILES"), help=_("ura dora indicators"))
    group.add_argument("--honba", type=int, default=0, metavar=_("N"), help=_("honba counters"))
    group.add_argument(
        "--sticks", type=int, default=0, metavar=_("N"), help=_("riichi sticks on the table")
    )


def run(args: argparse.Namespace) -> int:
    """Count one hand, or every row of a file."""
    if args.batch is not None:
        for result in batch(args.batch, args.rules, args.lang):
            print(json.dumps(result, ensure_ascii=False))
        return 0
    if not args.hand:
        text = T("no hand was given: use --hand '123p123s23477m [567m]' --win 4m, or --batch FILE")
        raise ScoreError(text, code="no_hand", field="hand")
    profile = load_profile(args.rules)
    hand = parse_hand(args.hand, win=args.win)
    now = circumstances(args, profile)
    sheet = score(hand, now, profile)
    others = list(compare(args, profile)) if args.compare else []
    ignored = tuple(f"--{name.replace('_', '-')}" for name in _passed_over(args, profile))
    if args.json:
        answer = sheet.to_json(args.lang)
        if ignored:
            answer["ignored"] = list(ignored)
        if args.compare:
            answer["compare"] = [_summary(other, args.lang) for other in others]
        print(json.dumps(answer, ensure_ascii=False))
        return 0
    for line in describe(sheet, args.lang):
        print(line)
    if ignored:
        print(translate(T("These rules do not ask for %(options)s", options=ignored), args.lang))
    if others:
        print()
        print(translate(T("The same hand under other rules:"), args.lang))
        for other in others:
            print(f"  {_in_a_line(other, args.lang)}")
    return 0


def circumstances(args: argparse.Namespace, profile: Profile) -> Circumstances:
    """The circumstances that the options tell."""
    by = parse_by(args.by) if args.by else "self-draw" if args.kong_draw else "discard"
    return Circumstances(
        by,
        parse_wind(args.seat or profile.get("rules.seat_unsaid", "E"), "seat"),
        parse_wind(args.round, "round"),
        parse_wind(args.discarder, "discarder") if args.discarder else None,
        kong_draw=args.kong_draw,
        rob_kong=args.rob,
        last_tile=args.last and by == "self-draw",
        last_discard=args.last_discard or (args.last and by == "discard"),
        first_turn=args.first_turn,
        extra=tuple(_extra(args, profile)),
    )


def _extra(args: argparse.Namespace, profile: Profile) -> Iterator[tuple[str, Any]]:
    """What only this system asks for."""
    for name in _ASKED_BY.get(profile.evaluator, ()):
        if getattr(args, name):
            yield _CALLED.get(name, name), getattr(args, name)


def _passed_over(args: argparse.Namespace, profile: Profile) -> Iterator[str]:
    """Options that were given and that only other systems ask for."""
    for evaluator, names in _ASKED_BY.items():
        if evaluator != profile.evaluator:
            yield from (name for name in names if getattr(args, name))


def compare(args: argparse.Namespace, profile: Profile) -> Iterator[ScoreSheet | tuple[Profile, T]]:
    """The same hand under every other system; where it can't be counted, the reason.

    Flowers and seasons are left out where a system plays without them.
    """
    hand = parse_hand(args.hand, win=args.win)
    for name in list_profiles():
        other = load_profile(name)
        if other.hash == profile.hash:
            continue
        here = hand if other.get("rules.bonus_tiles", True) else replace(hand, bonus=())
        try:
            yield score(here, circumstances(args, other), other)
        except GorrionError as error:
            yield other, error.text


def batch(file: str, default_rules: str, lang: str) -> Iterator[dict[str, Any]]:
    """One result for every row of a JSON Lines file; a row that is wrong gets an error, none stops it.

    Raises:
        ScoreError: when the file can't be read.
    """
    profiles: dict[str, Profile | ProfileError] = {}
    for number, line in enumerate(_lines(file), start=1):
        if not line.strip():
            continue
        result: dict[str, Any] = {"id": None}
        try:
            row = _row(line, number)
            result["id"] = row.get("id")
            rules = str(row.get("ruleset", row.get("rules", default_rules)))
            result["rules"] = rules
            profile = _profile(rules, profiles)
            if asks_for_payment(row):
                yield result | pay_row(row, profile, lang) | {"profile_hash": profile.hash}
                continue
            result |= score_row(row, profile).to_json(lang)
            if ignored := ignored_keys(row, profile):
                result["ignored"] = ignored
        except GorrionError as error:
            if error.code in {"unsupported", "unknown_rules"}:
                result["unsupported"] = True
            if isinstance(error, HandError):
                result |= {"complete": False, "can_win": False}
            result["error"] = _error(error.text, error.code, error.field, lang)
        yield result


def _row(line: str, number: int) -> dict[str, Any]:
    """A line of a batch as the object that it holds.

    Raises:
        ScoreError: naming the line.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        text = T(
            "line %(number)s is not JSON (see column %(column)s): write one object a line",
            number=number,
            column=error.colno if isinstance(error, json.JSONDecodeError) else 1,
        )
        raise ScoreError(text, code="bad_row") from error
    if not isinstance(row, dict):
        text = T("line %(number)s is no row: write one JSON object a line", number=number)
        raise ScoreError(text, code="bad_row")
    return row


def _profile(rules: str, known: dict[str, Profile | ProfileError]) -> Profile:
    if rules not in known:
        try:
            known[rules] = load_profile(rules)
        except ProfileError as error:
            known[rules] = error
    found = known[rules]
    if isinstance(found, ProfileError):
        if found.code != "unknown_rules":
            raise found
        text = T(
            'hands can\'t be counted by "%(rules)s": %(reason)s', rules=rules, reason=found.text
        )
        raise ScoreError(text, code="unsupported", field="ruleset")
    return found


def _lines(file: str) -> Iterator[str]:
    try:
        if file == "-":
            yield from sys.stdin
            return
        # Editors on Windows begin a file with a byte order mark.
        with Path(file).open(encoding="utf-8-sig") as rows:
            yield from rows
    except (OSError, UnicodeDecodeError) as error:
        text = T("can't read %(file)s: give a JSON Lines file, one hand a line", file=file)
        raise ScoreError(text, code="no_file", field="batch") from error


def _error(text: T, code: str, field: str | None, lang: str) -> dict[str, Any]:
    return {"code": code, "message": translate(text, lang), "field": field}


def describe(sheet: ScoreSheet, lang: str) -> Iterator[str]:
    """The sheet for a person, line by line."""
    yield f"{sheet.profile.names.name(lang)}: {worth(sheet, lang)}"
    for reason in sheet.why:
        yield f"  {translate(reason, lang)}"
    for line in sheet.lines:
        tiles = format_tiles(line.tiles)
        yield f"  {line.value:>3}  {_called(line.names, lang)}{'  ' + tiles if tiles else ''}"
        if line.source.term:
            yield f"       {line.source.document}: «{line.source.term}»"
    for remark in sheet.remarks:
        yield f"  {translate(remark, lang)}"
    if sheet.excluded:
        yield translate(T("Does not count:"), lang)
        for gone in sheet.excluded:
            yield f"  {_called(gone.names, lang)}: {translate(gone.because, lang)}"
    if sheet.near:
        yield translate(T("Just missed:"), lang)
        for near in sheet.near:
            missing = translate(near.missing, lang)
            yield f"  {near.value:>3}  {_called(near.names, lang)}: {missing}"
    yield from _payments(sheet, lang)
    yield translate(
        T("Rules %(id)s, hash %(hash)s", id=sheet.profile.id, hash=sheet.profile.hash), lang
    )


def _called(names: Any, lang: str) -> str:
    own, chinese = names.name(lang), names.name("zh")
    return own if own == chinese else f"{chinese} {own}"


def worth(sheet: ScoreSheet, lang: str) -> str:
    """What a hand is worth, in a few words: "3 faan", "10 faan (the limit)"."""
    if not sheet.complete:
        return translate(T("not a finished hand"), lang)
    parts = [
        f"{value} {translate(_UNITS.get(unit, T('points')), lang)}"
        for unit, value in sheet.values.items()
        if value is not None
    ]
    told = ", ".join(parts)
    return translate(T("%(worth)s (the limit)", worth=told), lang) if sheet.limit else told


def _payments(sheet: ScoreSheet, lang: str) -> Iterator[str]:
    paid = sheet.payments
    if paid is None:
        return
    if paid.net is not None:
        yield translate(
            T(
                "Pay the winner (%(winner)s): %(list)s; in all %(total)s",
                winner=paid.winner,
                list=", ".join(f"{w} {-gain}" for w, gain in paid.net.items() if gain < 0),
                total=paid.total if paid.total is not None else 0,
            ),
            lang,
        )
    elif paid.others:
        yield translate(
            T(
                "The discarder pays %(one)s, each of the others %(two)s",
                one=-(paid.discarder or 0),
                two=-paid.others,
            ),
            lang,
        )
    else:
        yield translate(
            T("The discarder pays %(one)s, the others nothing", one=-(paid.discarder or 0)), lang
        )
    if paid.note is not None:
        yield translate(paid.note, lang)


def _summary(other: ScoreSheet | tuple[Profile, T], lang: str) -> dict[str, Any]:
    if isinstance(other, tuple):
        profile, text = other
        return {
            "rules": profile.id,
            "name": profile.names.name(lang),
            "error": translate(text, lang),
            "profile_hash": profile.hash,
        }
    return {"name": other.profile.names.name(lang), **other.to_json(lang)}


def _in_a_line(other: ScoreSheet | tuple[Profile, T], lang: str) -> str:
    if isinstance(other, tuple):
        profile, text = other
        return f"{profile.names.name(lang)}: {translate(text, lang)}"
    reasons = "; ".join(translate(reason, lang) for reason in other.why)
    named = ", ".join(f"{_called(line.names, lang)} {line.value}" for line in other.lines)
    detail = "; ".join(part for part in (named, reasons) if part)
    return (
        f"{other.profile.names.name(lang)}: {worth(other, lang)}{f' ({detail})' if detail else ''}"
    )

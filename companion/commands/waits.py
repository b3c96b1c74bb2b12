"""`gorrion waits`: what a hand of thirteen tiles waits for, or what brings it nearer."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from gettext import gettext as _
from typing import Any

from companion.catalogue import translate
from companion.commands.options import add_json, add_round, add_rules
from companion.commands.score import worth
from companion.hand import parse_hand
from companion.notation import parse_tiles
from companion.rules import Circumstances, ScoreSheet, load_profile
from companion.rules.circumstances import parse_wind
from companion.rules.waits import Outlook, outlook
from companion.text import T


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `gorrion waits`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "waits",
        help=_("say what a hand of thirteen tiles waits for"),
        description=_("Say which tiles finish a hand of thirteen, or which bring it nearer."),
    )
    add_rules(parser)
    parser.add_argument(
        "--hand",
        metavar=_("HAND"),
        required=True,
        help=_("thirteen tiles such as '123p123s2377m [567m] 2f', without the winning tile"),
    )
    parser.add_argument("--seat", metavar=_("WIND"), help=_("the player's wind: E S W N"))
    add_round(parser)
    parser.add_argument(
        "--visible", metavar=_("TILES"), default="", help=_("tiles seen elsewhere, such as '1m44p'")
    )
    add_json(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the outlook of a hand."""
    profile = load_profile(args.rules)
    seat = args.seat or profile.get("rules.seat_unsaid", "E")
    now = Circumstances(seat=parse_wind(seat, "seat"), round=parse_wind(args.round, "round"))
    found = outlook(parse_hand(args.hand), now, profile, parse_tiles(args.visible))
    if args.json:
        print(json.dumps(found.to_json() | {"profile_hash": profile.hash}, ensure_ascii=False))
        return 0
    for line in _described(found, args.lang):
        print(line)
    return 0


def _described(found: Outlook, lang: str) -> Iterator[str]:
    """The outlook of a hand for a person, line by line."""
    if found.waits:
        yield translate(T("The hand waits for:"), lang)
    elif found.is_lost:
        yield translate(T("With these sets laid down no tile can finish the hand any more."), lang)
        return
    elif found.shanten.best > 0:
        yield translate(T("Tiles still needed to wait: %(count)s", count=found.shanten.best), lang)
    for wait in found.waits:
        text = T(
            "%(tile)s, %(live)s left: %(discard)s by discard, %(drawn)s by self-draw",
            tile=wait.tile,
            live=wait.live,
            discard=_wait_worth(wait.by_discard, lang),
            drawn=_wait_worth(wait.by_self_draw, lang),
        )
        yield f"  {translate(text, lang)}"
    if found.useful and not found.waits:
        yield translate(T("These tiles bring it nearer:"), lang)
        for each in found.useful:
            text = T("%(tile)s, %(live)s left", tile=each.tile, live=each.live)
            yield f"  {translate(text, lang)}"


def _wait_worth(sheet: ScoreSheet, lang: str) -> str:
    told = worth(sheet, lang)
    return told if sheet.can_win else translate(T("%(worth)s (too little)", worth=told), lang)

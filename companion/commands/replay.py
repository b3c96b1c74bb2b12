"""`gorrion replay` and `gorrion export`: a game log told, folded, and written in other forms."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from gettext import gettext as _
from pathlib import Path
from typing import Any

from companion.catalogue import translate
from companion.gamefile import GameFile, read_game
from companion.rules import score
from companion.table.account import tell
from companion.table.events import EventError, Win
from companion.table.ledger import score_csv
from companion.table.mjai import to_mjai
from companion.table.state import SEATS, State
from companion.table.tenhou.writing import to_tenhou
from companion.table.view import state_view
from companion.table.wire import write_entry
from companion.text import GorrionError, T, Text
from companion.tiles import WIND_NAMES

FORMS = ("gorrion", "mjai", "tenhou", "csv")


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `gorrion replay`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "replay",
        help=_("fold a game log: its account, its state and its score sheet"),
        description=_(
            "Fold a game log (Gorrión's own, mjai or tenhou.net/6): print the account of the game, "
            "the table as it stands and the score sheet; or write it in another form."
        ),
    )
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a game log"))
    parser.add_argument(
        "--rules", metavar=_("ID"), help=_("rules to fold it under (default: its own)")
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help=_("print the state as JSON"))
    what.add_argument("--to", choices=FORMS, help=_("write the game in this form instead"))
    return parser


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; 1 when something in the log does not fit the rules."""
    game = read_game(args.file, args.rules)
    if args.to:
        for line in _written(game, args.to):
            sys.stdout.write(line)
        return 0
    if args.json:
        view = _translated(state_view(game.log.state), args.lang)
        view["same_rules"] = game.same_rules
        print(json.dumps(view, ensure_ascii=False))
        return 0
    for line in _report(game, args.lang):
        print(line)
    return 1 if any(state.flags for state in game.log.states) else 0


def _written(game: GameFile, form: str) -> Iterator[str]:
    if form == "gorrion":
        yield from (f"{write_entry(entry)}\n" for entry in game.log.entries)
    elif form == "mjai":
        for value in to_mjai(game.log.line):
            yield f"{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}\n"
    elif form == "tenhou":
        yield f"{json.dumps(to_tenhou(game.log.line), ensure_ascii=False)}\n"
    elif form == "csv":
        yield score_csv(game.log.state)
    else:
        raise EventError(T('there is no form "%(form)s"', form=form), code="bad_use")


def _report(game: GameFile, lang: str) -> Iterator[str]:
    if not game.same_rules:
        note = T(
            "Note: the log was played by rules with the hash %(theirs)s, these have %(ours)s.",
            theirs=game.named_hash,
            ours=game.profile.hash,
        )
        yield translate(note, lang)
    flags = {
        entry.ref: [flag for flag in state.flags if flag.ref == entry.ref]
        for entry, state in zip(game.log.line, game.log.states, strict=True)
    }
    for entry, sentence in tell(game.log.line, game.log.start):
        yield f"{entry.ref:>5}  {translate(sentence, lang)}"
        for flag in flags[entry.ref]:
            yield f"{'':>5}  ! {translate(flag.text, lang)}"
        if isinstance(entry.event, Win) and entry.event.can_win is not False:
            yield from _sheet(game, game.log.state_after(entry.ref), lang)
    yield ""
    yield from _table(game.log.state, lang)


def _sheet(game: GameFile, state: State, lang: str) -> Iterator[str]:
    """The score sheet under a win that counts, or why there is none."""
    won = state.wins[-1]
    try:
        sheet = score(won.hand, won.circumstances, game.profile)
    except GorrionError as error:
        yield f"{'':>9}{translate(error.text, lang)}"
        return
    for line in sheet.lines:
        tiles = "".join(tile.code for tile in line.tiles)
        yield f"{'':>9}{line.value:>4}  {line.names.name(lang)}  {tiles}".rstrip()


def _table(state: State, lang: str) -> Iterator[str]:
    wall = state.wall
    live, dead = state.flow.wall.live, state.flow.wall.dead
    yield f"{live[lang]}: {wall.live}   {dead[lang]}: {wall.dead}"
    for seat in SEATS:
        chair = state.chairs[seat]
        wind = translate(WIND_NAMES[state.wind_of(seat)], lang)
        melds = " ".join(str(laid.meld) for laid in chair.melds)
        tiles = "".join(tile.code if tile.suit else "?" for tile in chair.concealed)
        bonus = "".join(tile.code for tile in chair.bonus)
        parts = [part for part in (tiles, melds, bonus) if part]
        yield f"{state.names[seat]:<10} {wind:<6} {state.scores[seat]:>7}  {' '.join(parts)}"


def _translated(value: Any, lang: str) -> Any:
    if isinstance(value, Text):
        return translate(value, lang)
    if isinstance(value, dict):
        return {key: _translated(each, lang) for key, each in value.items()}
    if isinstance(value, list):
        return [_translated(each, lang) for each in value]
    return value

"""`gorrion bench`: how fast pictures are read and hands are counted on this machine."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from gettext import gettext as _
from typing import Any, Final

from companion.catalogue import translate
from companion.commands.options import add_threads
from companion.text import GorrionError, T

_HAND: Final = "123p123s23477m [567m] 2f2g"
_WAITING: Final = "2345678m2234p33s"
_RULES: Final = "hk-old-style"
_HEAD: Final = (
    (T("picture"), 13),
    (T("tiles"), 7),
    (T("found"), 7),
    (T("find ms"), 10),
    (T("name ms"), 10),
    (T("total ms"), 10),
    (T("of reference"), 14),
)
"""Titles of the table's columns and their widths."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "bench",
        help=_("measure how fast this machine reads and counts"),
        description=_(
            "Times reading drawn tables of 14, 40 and 100 tiles at four sizes, beside a network of "
            "YOLO11n's shape at 640 x 640 in the same run, and counting a hand."
        ),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object instead"))
    add_threads(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Time everything and print it."""
    if args.threads < 1:
        raise GorrionError(
            T("--threads must be 1 or more, not %(given)s", given=args.threads), "bad_use"
        )
    from vision.bench.timing import bench

    report = bench(args.threads, progress=_progress)
    _progress("")
    report["rules"] = _time_rules()
    if args.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        print("\n".join(_lines(report, args.lang)))
    return 0


def _progress(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{what:40}", end="" if what else "\r", file=sys.stderr, flush=True)


def _time_rules() -> dict[str, float]:
    """Milliseconds to count a hand and to find what a hand of thirteen waits for."""
    from companion.hand import parse_hand
    from companion.rules import Circumstances, load_profile, score
    from companion.rules.waits import waits

    profile = load_profile(_RULES)
    hand, waiting = parse_hand(_HAND, win="4m"), parse_hand(_WAITING)
    circumstances = Circumstances(by="discard", seat="S", round="E", discarder="E")
    return {
        "score_ms": _median_ms(lambda: score(hand, circumstances, profile)),
        "waits_ms": _median_ms(lambda: waits(waiting, circumstances, profile)),
    }


def _median_ms(call: Callable[[], object], times: int = 50) -> float:
    call()
    taken = []
    for _turn in range(times):
        start = time.perf_counter()
        call()
        taken.append((time.perf_counter() - start) * 1000)
    return round(statistics.median(taken), 3)


def _lines(report: dict[str, Any], lang: str) -> list[str]:
    def say(text: T) -> str:
        return translate(text, lang)

    lines = [
        say(
            T(
                "reference (a network of YOLO11n's shape at 640 x 640), %(threads)s thread(s): %(ms)s ms",
                threads=report["threads"],
                ms=report["reference_ms"],
            )
        ),
        "",
        " ".join(f"{say(title):>{width}}" for title, width in _HEAD),
    ]
    for row in report["reads"]:
        size = f"{row['width']} x {row['height']}"
        lines.append(
            f"{size:>13} {row['tiles']:>7} {row['found']:>7} {row['find_ms']:>10.1f} "
            f"{row['name_ms']:>10.1f} {row['total_ms']:>10.1f} {row['ratio']:>14.2f}"
        )
    lines.append("")
    for name, model in report["models"].items():
        lines.append(f"{name}: " + ", ".join(f"{key} {value}" for key, value in model.items()))
    memory = report["memory_mb"]
    lines.append(
        say(
            T(
                "memory: %(before)s MB with the models, %(after)s MB after all reads",
                before=str(memory["with_models"]),
                after=str(memory["after_all_reads"]),
            )
        )
    )
    lines.append(
        say(
            T(
                "counting a hand: %(score)s ms; finding what thirteen tiles wait for: %(waits)s ms",
                score=report["rules"]["score_ms"],
                waits=report["rules"]["waits_ms"],
            )
        )
    )
    return lines

"""`gorrion simulate`: a simulated game as a film with its true log."""

from __future__ import annotations

import argparse
import re
import sys
import time
from dataclasses import replace
from gettext import gettext as _
from pathlib import Path
from typing import Any

from companion.catalogue import translate
from companion.rules import DEFAULT_RULES
from companion.text import GorrionError, T

_SMALLEST_PX, _LARGEST_PX = 64, 4096


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `gorrion simulate`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "simulate",
        help=_("play and film a simulated game, with its true log"),
        description=_(
            "Play a game by chance and film it: writes truth.jsonl (what happened when), "
            "calibration.toml (camera, table and zones) and the video. The same options give the "
            "same log and the same pixels."
        ),
    )
    parser.add_argument("--seed", type=int, default=1, metavar=_("N"), help=_("of all chance"))
    parser.add_argument(
        "--rules", default=DEFAULT_RULES, metavar=_("ID"), help=_("rules to play by")
    )
    parser.add_argument("--hands", type=int, default=1, metavar=_("K"), help=_("hands to play"))
    parser.add_argument(
        "--tiles",
        default="own",
        metavar=_("FOLDER"),
        help=_("folder of tile faces named by their codes (5m.png), or own (default)"),
    )
    parser.add_argument(
        "--camera",
        default="overhead",
        metavar=_("CONFIG"),
        help=_("overhead (default), slanted, or a TOML file with a [camera] table"),
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar=_("DIR"), help=_("folder to write to")
    )
    parser.add_argument(
        "--fps", type=float, default=5.0, metavar=_("F"), help=_("frames per second (default: 5)")
    )
    parser.add_argument(
        "--size", default="1280x720", metavar=_("WxH"), help=_("of the picture (default: 1280x720)")
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--no-video", action="store_true", help=_("write log and calibration only"))
    what.add_argument(
        "--frames", action="store_true", help=_("write pictures and their times, no video")
    )
    parser.add_argument(
        "--disturb",
        action="store_true",
        help=_("bumped camera, cup, people leaning in, dropped tile, light off, frozen frames"),
    )
    return parser


def run(args: argparse.Namespace) -> int:
    """Play, film and write."""
    from calibration.table import write_calibration
    from companion.rules import load_profile
    from companion.rules.flow import flow_of
    from companion.simulator.film.disturb import Disturbance, disturbed
    from companion.simulator.film.look import faces_of, look_of
    from companion.simulator.film.output import about_os_error, empty_folder
    from companion.simulator.film.script import FILM_PACE, script_of
    from companion.simulator.film.shooting import frame_at
    from companion.simulator.film.stage import TablePlan
    from companion.simulator.film.views import calibration_of, camera_of, view_of
    from companion.simulator.pace import timed
    from companion.simulator.play import play_match
    from companion.table.wire import write_entry

    size_px = _size(args.size)
    if args.hands < 1:
        raise _bad(T("--hands must be at least 1"), "hands")
    if not 0.1 <= args.fps <= 60:
        raise _bad(T("--fps must be from 0.1 to 60"), "fps")
    if args.seed < 0:
        raise _bad(T("--seed must be at least 0"), "seed")
    profile = load_profile(args.rules)
    flow, plan = flow_of(profile), TablePlan()
    camera = camera_of(view_of(args.camera), plan, size_px)
    design = faces_of(None if args.tiles == "own" else Path(args.tiles), flow)
    out: Path = args.out
    empty_folder(out)
    events = play_match(profile, args.seed, args.hands)
    script = script_of(profile, list(timed(events, args.seed, FILM_PACE)), args.seed, plan)
    disturbances: tuple[Disturbance, ...] = ()
    if args.disturb:
        script, disturbances = disturbed(script, camera, args.seed)
    entries = script.entries
    if not args.no_video:
        entries = tuple(
            replace(entry, frame=frame_at(float(entry.at_ms or 0), args.fps)) for entry in entries
        )
    try:
        calibration = write_calibration(calibration_of(camera, plan, flow))
        (out / "calibration.toml").write_text(calibration, encoding="utf-8")
        lines = "".join(f"{write_entry(entry)}\n" for entry in entries)
        (out / "truth.jsonl").write_text(lines, encoding="utf-8")
    except OSError as error:
        raise about_os_error(error, out) from error
    told = T("%(out)s: %(events)s events", out=str(out), events=len(entries))
    if not args.no_video:
        look = look_of(design, plan, args.seed, size_px)
        begun = time.monotonic()
        name, count = _film(args, script, look, camera, disturbances, size_px)
        took = max(time.monotonic() - begun, 1e-3)
        told = T(
            "%(out)s: %(events)s events, %(frames)s frames in %(name)s, %(pace)s drawn per second",
            out=str(out),
            events=len(entries),
            frames=count,
            name=name,
            pace=f"{count / took:.1f}",
        )
    print(translate(told, args.lang))
    return 0


def _film(
    args: argparse.Namespace,
    script: Any,
    look: Any,
    camera: Any,
    disturbances: Any,
    size_px: tuple[int, int],
) -> tuple[str, int]:
    """Shoot and record; the name of what was written and the number of frames."""
    from companion.simulator.film.output import PictureRecorder, Recorder, VideoRecorder
    from companion.simulator.film.shooting import frame_count, shoot

    recorder: Recorder = (
        PictureRecorder(args.out) if args.frames else VideoRecorder(args.out, args.fps, size_px)
    )
    count = frame_count(script, args.fps)
    watched = sys.stderr.isatty()
    try:
        for frame in shoot(script, look, camera, args.fps, args.seed, disturbances):
            recorder.add(frame)
            if watched and frame.number % 50 == 0:
                print(f"\r{frame.number}/{count}", end="", file=sys.stderr, flush=True)
    finally:
        recorder.close()
        if watched:
            print("\r", end="", file=sys.stderr)
    return recorder.name, count


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if found:
        width, height = int(found[1]), int(found[2])
        sides = (width, height)
        # Video codecs halve the colours' resolution, so sides are even.
        if min(sides) >= _SMALLEST_PX and max(sides) <= _LARGEST_PX and not (width | height) % 2:
            return sides
    raise _bad(
        T(
            "--size wants two even numbers from %(low)s to %(high)s like 1280x720, not %(given)s",
            low=_SMALLEST_PX,
            high=_LARGEST_PX,
            given=text,
        ),
        "size",
    )


def _bad(text: T, field: str) -> GorrionError:
    return GorrionError(text, code="bad_use", field=field)

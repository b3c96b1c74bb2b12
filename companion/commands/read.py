"""`gorrion read`: the tiles of pictures, as JSON or as notation."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.catalogue import translate
from companion.commands.options import add_threads
from companion.text import GorrionError, T, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.seen import Group, Reading

_KINDS = {
    "hand": T("hand"),
    "meld": T("meld"),
    "bonus": T("bonus tiles"),
    "single": T("single tile"),
    "row": T("other row"),
}


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "read",
        help=_("read the tiles of pictures"),
        description=_(
            "Finds, names and groups the tiles of each picture. Prints one JSON object a line, or "
            "notation when the output is a terminal."
        ),
    )
    parser.add_argument("images", nargs="+", metavar=_("IMAGE"), help=_("picture file"))
    parser.add_argument("--json", action="store_true", help=_("print JSON on a terminal too"))
    parser.add_argument(
        "--together",
        action="store_true",
        help=_(
            "the pictures show one table: count the copies over all of them; a row may go on from one to the next"
        ),
    )
    parser.add_argument(
        "--draw",
        metavar=_("FOLDER"),
        help=_("also write each picture with the tiles outlined and named, as PNG"),
    )
    add_threads(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Read the pictures; those that can't be read are said on stderr and cost the exit code."""
    if args.threads < 1:
        raise GorrionError(
            T("--threads must be 1 or more, not %(given)s", given=args.threads), "bad_use"
        )
    drawings = _drawings(args.images, Path(args.draw)) if args.draw else {}
    as_json = args.json or not sys.stdout.isatty()
    code = 0
    for name, image, reading in _readings(args):
        if isinstance(reading, GorrionError):
            _complain(args, name, reading.text)
            code = max(code, reading.exit_code)
            continue
        if as_json:
            print(json.dumps({"image": name, **reading.to_json()}, ensure_ascii=False), flush=True)
        else:
            print("\n".join(_lines(name, reading, args.lang)), flush=True)
        if args.draw:
            _draw(drawings[name], image, reading)
        if not reading.tiles:
            _complain(
                args,
                name,
                T("no tiles were found: take the picture nearer, from above, in good light"),
            )
            code = max(code, 1)
    return code


_Outcome = tuple[str, "NDArray[np.uint8] | None", "Reading | GorrionError"]


def _readings(args: argparse.Namespace) -> Iterator[_Outcome]:
    from vision.decode import PictureError, decode_file
    from vision.reader import Reader

    reader: Reader | None = None
    pictures: list[tuple[str, NDArray[np.uint8]]] = []
    for name in args.images:
        try:
            image = decode_file(Path(name))
        except PictureError as error:
            yield name, None, error
            continue
        reader = reader or Reader(threads=args.threads)
        if args.together:
            pictures.append((name, image))
        else:
            yield name, image, reader.read(image)
    if reader is not None:
        together = reader.read_together([image for _, image in pictures])
        for (name, image), reading in zip(pictures, together, strict=True):
            yield name, image, reading


def _complain(args: argparse.Namespace, name: str, text: Text) -> None:
    sentence = translate(text, args.lang)
    of = f"{name}: " if len(args.images) > 1 and name not in sentence else ""
    print(f"gorrion: {of}{sentence}", file=sys.stderr)


def _lines(name: str, reading: Reading, lang: str) -> list[str]:
    """The picture and its groups in words and notation, doubtful tiles with a question mark."""
    lines = [f"{name}: {reading.width} x {reading.height}"]
    for group in reading.groups:
        lines.append(f"  {translate(_KINDS[group.kind], lang)}: {_tiles(reading, group)}")
    return lines


def _tiles(reading: Reading, group: Group) -> str:
    tiles = [reading.tiles[i] for i in group.tiles]
    return " ".join(tile.tile + ("?" if tile.doubtful else "") for tile in tiles)


def _drawings(names: Sequence[str], folder: Path) -> dict[str, Path]:
    """Where the drawing of each picture goes: named like it, numbered where two are named alike.

    Raises:
        GorrionError: when a drawing would take the place of a picture that is to be read.
    """
    pictures = {Path(name).resolve() for name in names}
    found: dict[str, Path] = {}
    taken: set[Path] = set()
    for name in dict.fromkeys(names):
        stem, number = Path(name).stem, 1
        target = folder / f"{stem}.png"
        while target in taken:
            number += 1
            target = folder / f"{stem}-{number}.png"
        if target.resolve() in pictures:
            text = T(
                "the drawing would replace the picture %(file)s: give --draw another folder",
                file=str(target),
            )
            raise GorrionError(text, "bad_use")
        taken.add(target)
        found[name] = target
    return found


def _draw(target: Path, image: NDArray[np.uint8] | None, reading: Reading) -> None:
    import cv2

    from vision.overlay import draw

    assert image is not None, "a reading comes with its picture"
    target.parent.mkdir(parents=True, exist_ok=True)
    _, data = cv2.imencode(".png", draw(image, reading))
    target.write_bytes(data.tobytes())

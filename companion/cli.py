"""The `gorrion` command: runs what the command line asks for, says in a line what went wrong."""

from __future__ import annotations

import argparse
import gettext
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from gettext import gettext as _
from importlib.metadata import version
from typing import NoReturn, TextIO

from companion.catalogue import LANGS, TRANSLATIONS, language_of_locale, translate
from companion.reasons import system_says
from companion.text import GorrionError, T, Text

COMMANDS = (
    "companion.commands.serve",
    "companion.commands.read",
    "companion.commands.score",
    "companion.commands.waits",
    "companion.commands.rules",
    "companion.commands.replay",
    "companion.commands.simulate",
    "companion.commands.bench",
    "companion.commands.doctor",
)
"""The modules of `companion.commands`, in the order in which the help lists them."""

BAD_USE = 2
FAILURE = 1
INTERRUPTED = 130


class BadUse(GorrionError):
    """The command line can't be understood; argparse's own sentence says why."""

    def __init__(self, prog: str, message: str) -> None:
        super().__init__(
            T("%(message)s (see %(prog)s --help)", message=message, prog=prog), code="bad_use"
        )


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence, without the whole usage before it."""

    def error(self, message: str) -> NoReturn:
        raise BadUse(self.prog, message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `gorrion ARGV`; returns the exit code (0, 1 failure, 2 bad use, 130 interrupted)."""
    for stream in (sys.stdout, sys.stderr):
        _write_utf8(stream)
    lang = language_of_locale()
    try:
        lang, rest = _split_lang(sys.argv[1:] if argv is None else argv, lang)
        _speak(lang)
        args = build_parser().parse_args(rest)
        args.lang = lang
        run: Callable[[argparse.Namespace], int] = args.run
        code = run(args)
        sys.stdout.flush()
        return code
    except GorrionError as error:
        return _complain(error.text, lang, error.exit_code)
    except BrokenPipeError:
        # The reader (`| head`) has had enough. Python would complain once more when it flushes
        # stdout on its way out, so stdout goes nowhere from here on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _complain(_about_os_error(error), lang, FAILURE)
    except Exception as error:
        if os.environ.get("GORRION_TRACEBACK"):
            raise
        return _complain(
            T(
                "unexpected failure (%(kind)s: %(detail)s); this is a mistake in Gorrión: set "
                "GORRION_TRACEBACK=1 and run it again to see where",
                kind=type(error).__name__,
                detail=str(error) or "-",
            ),
            lang,
            FAILURE,
        )


def build_parser() -> argparse.ArgumentParser:
    """The parser with every command; its help is in the language gettext is set to."""
    parser = Parser(
        prog="gorrion",
        description=_(
            "Scores a mahjong hand from a picture, follows the table, teaches the beginner."
        ),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"gorrion {version('gorrion')}",
        help=_("show program's version number and exit"),
    )
    # Only for the help: `_split_lang` has taken --lang out of the command line by then, so that it
    # may stand before or after the command's name.
    parser.add_argument(
        "--lang", choices=LANGS, help=_("language of what is said (default: the locale's)")
    )
    subparsers = parser.add_subparsers(metavar=_("COMMAND"), required=True, dest="command")
    for name in COMMANDS:
        module = importlib.import_module(name)
        module.add_parser(subparsers).set_defaults(run=module.run)
    return parser


def _split_lang(argv: Sequence[str], default: str) -> tuple[str, list[str]]:
    """The language asked for and the command line without `--lang`.

    Abbreviations are off, or `--lan` (serve to the local network) would be taken for `--lang`.
    """
    parser = Parser(prog="gorrion", add_help=False, allow_abbrev=False)
    parser.add_argument("--lang", choices=LANGS, default=default)
    args, rest = parser.parse_known_args(argv)
    return args.lang, rest


def _speak(lang: str) -> None:
    """Point gettext, and with it argparse's own words, at our catalogue in `lang`."""
    os.environ["LANGUAGE"] = lang
    gettext.bindtextdomain("messages", str(TRANSLATIONS))


def _write_utf8(stream: TextIO) -> None:
    """Chinese names and JSON are UTF-8 wherever they go, also through a pipe on Windows."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def _complain(text: Text, lang: str, code: int) -> int:
    sentence = " ".join(translate(text, lang).split())
    print(f"gorrion: {sentence}", file=sys.stderr)
    return code


def _about_os_error(error: OSError) -> Text:
    reason = system_says(error)
    if error.filename is None:
        return T("the system refused: %(reason)s", reason=reason)
    return T("%(path)s: %(reason)s", path=str(error.filename), reason=reason)


ARGPARSE_SAYS = (
    T("usage: "),
    T("options"),
    T("positional arguments"),
    T("show this help message and exit"),
    T("show program's version number and exit"),
    T("the following arguments are required: %s"),
    T("unrecognized arguments: %s"),
    T("argument %(argument_name)s: %(message)s"),
    T("expected one argument"),
    T("expected at least one argument"),
    T("expected at most one argument"),
    T("ignored explicit argument %r"),
    T("invalid choice: %(value)r (choose from %(choices)s)"),
    T("invalid %(type)s value: %(value)r"),
    T("not allowed with argument %s"),
    T("one of the arguments %s is required"),
    T("ambiguous option: %(option)s could match %(matches)s"),
)
"""What argparse itself says, listed so that the catalogue has it too."""


if __name__ == "__main__":
    sys.exit(main())

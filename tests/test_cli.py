"""The command line: languages, one-sentence complaints, exit codes, and ends that come early."""

from __future__ import annotations

import argparse
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from companion import cli
from companion.text import GorrionError, T


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Callable[[argparse.Namespace], int]], None]:
    """Makes `gorrion probe [--count N]` run the function it is given."""

    def install(run: Callable[[argparse.Namespace], int]) -> None:
        def add_parser(subparsers: Any) -> argparse.ArgumentParser:
            parser: argparse.ArgumentParser = subparsers.add_parser("probe")
            parser.add_argument("--count", type=int)
            parser.add_argument("--lan", action="store_true")
            return parser

        module = types.ModuleType("probe_command")
        vars(module).update(add_parser=add_parser, run=run)
        monkeypatch.setitem(sys.modules, "probe_command", module)
        monkeypatch.setattr(cli, "COMMANDS", ("probe_command",))

    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANGUAGE", "en")  # restored afterwards: main sets it
    return install


def raising(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


def test_the_exit_code_is_the_commands(command: Any) -> None:
    command(lambda args: 7)
    assert cli.main(["probe"]) == 7


@pytest.mark.parametrize("argv", [["--lang", "es", "probe"], ["probe", "--lang=es"]])
def test_the_language_may_be_said_anywhere(command: Any, argv: list[str]) -> None:
    seen = []
    command(lambda args: seen.append(args.lang) or 0)
    cli.main(argv)
    assert seen == ["es"]


def test_without_a_word_the_locale_decides(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    command(lambda args: seen.append(args.lang) or 0)
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    cli.main(["probe"])
    assert seen == ["es"]


def test_lan_is_not_taken_for_an_abbreviated_lang(command: Any) -> None:
    seen = []
    command(lambda args: seen.append(args.lan) or 0)
    assert cli.main(["probe", "--lan"]) == 0
    assert seen == [True]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([], "gorrion: the following arguments are required: COMMAND (see gorrion --help)\n"),
        (
            ["probe", "--count", "many"],
            "gorrion: argument --count: invalid int value: 'many' (see gorrion probe --help)\n",
        ),
        (["probe", "--nope"], "gorrion: unrecognized arguments: --nope (see gorrion --help)\n"),
    ],
)
def test_bad_use_is_one_sentence_and_exit_code_2(
    command: Any, capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str
) -> None:
    command(lambda args: 0)
    assert cli.main(argv) == 2
    assert capsys.readouterr() == ("", sentence)


def test_bad_use_is_said_in_spanish(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(lambda args: 0)
    cli.main(["--lang", "es", "probe", "--nope"])
    assert (
        capsys.readouterr().err
        == "gorrion: argumentos desconocidos: --nope (véase gorrion --help)\n"
    )


def test_the_help_is_in_spanish_too(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(lambda args: 0)
    with pytest.raises(SystemExit) as ended:
        cli.main(["--lang", "es", "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith("uso: gorrion")
    assert "show program" not in told


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (GorrionError(T("15 tiles:\n  take one"), "count"), 2, "15 tiles: take one"),
        (GorrionError(T("the models are gone"), "models", status=500), 1, "the models are gone"),
        (
            FileNotFoundError(2, "No such file or directory", "a.jpg"),
            1,
            "a.jpg: No such file or directory",
        ),
        (OSError("no space"), 1, "the system refused: no space"),
    ],
)
def test_a_failure_is_one_sentence(
    command: Any,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    sentence: str,
) -> None:
    command(raising(error))
    assert cli.main(["probe"]) == code
    assert capsys.readouterr().err == f"gorrion: {sentence}\n"


def test_what_the_system_refuses_is_said_in_spanish_too(
    command: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    command(raising(FileNotFoundError(2, "No such file or directory", "a.jpg")))
    assert cli.main(["probe", "--lang", "es"]) == 1
    assert capsys.readouterr().err == "gorrion: a.jpg: no existe ese archivo o carpeta\n"


def test_a_mistake_of_ours_is_a_sentence_unless_the_traceback_is_wanted(
    command: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command(raising(ZeroDivisionError("division by zero")))
    assert cli.main(["probe"]) == 1
    error = capsys.readouterr().err
    assert "ZeroDivisionError: division by zero" in error
    assert error.count("\n") == 1
    monkeypatch.setenv("GORRION_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["probe"])


def test_ctrl_c_ends_quietly(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    command(raising(KeyboardInterrupt()))
    assert cli.main(["probe"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_hangs_up_is_no_error() -> None:
    script = (
        "import sys, types; from companion import cli\n"
        "def run(args):\n"
        "    for n in range(100_000): print(n)\n"
        "    return 0\n"
        "m = types.ModuleType('probe_command'); m.run = run\n"
        "m.add_parser = lambda subparsers: subparsers.add_parser('probe')\n"
        "sys.modules['probe_command'] = m; cli.COMMANDS = ('probe_command',)\n"
        "sys.exit(cli.main(['probe']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"0\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == cli.FAILURE


def test_the_help_needs_nothing_heavy() -> None:
    """Printing the help of every command loads neither OpenCV, onnxruntime nor Flask."""
    code = (
        "import sys; from companion.cli import build_parser; build_parser()\n"
        "print({'cv2', 'onnxruntime', 'flask', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

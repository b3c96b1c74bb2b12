"""`gorrion serve`: its flags, what it refuses, and that the page is there at once."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pytest

from companion.catalogue import LANGS, translate
from companion.commands import serve
from companion.settings import DEFAULT_PORT, SETTINGS, Settings
from companion.text import GorrionError


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def parse(*argv: str) -> Settings:
    parser = serve.add_parser(argparse.ArgumentParser().add_subparsers())
    return Settings.of(vars(parser.parse_args(argv)))


def test_the_table_of_settings_and_their_values_agree() -> None:
    assert [entry.name for entry in SETTINGS] == [field.name for field in fields(Settings)]
    assert parse() == Settings(), "the defaults of the flags are those of the settings"


def test_every_setting_is_explained_in_every_language() -> None:
    for entry in SETTINGS:
        words = {translate(entry.about, lang) for lang in LANGS}
        assert len(words) == len(LANGS), entry.name


def test_flags_set_what_they_name() -> None:
    settings = parse("--host", "::1", "--port", "0", "--lan", "--no-browser", "--data-dir", "x")
    assert settings == Settings(host="::1", port=0, lan=True, browser=False, data_dir=Path("x"))


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        (Settings(port=65536), "port"),
        (Settings(port=-1), "port"),
        (Settings(keep_mb=0), "keep_mb"),
        (Settings(source="camera:9"), "source"),
        (Settings(source="demo", rules="poker"), "rules"),
        (Settings(source="demo", speed=0), "speed"),
        (Settings(source="/"), "source"),
    ],
)
def test_settings_that_can_not_work_are_named(settings: Settings, field: str) -> None:
    with pytest.raises(GorrionError) as refused:
        serve.check(settings)
    assert refused.value.field == field
    assert refused.value.exit_code == 2


def test_a_chosen_port_that_is_taken_is_said(taken: int) -> None:
    with pytest.raises(GorrionError) as refused:
        serve.listen(Settings(port=taken))
    assert refused.value.code == "port_in_use"
    assert str(taken) in str(refused.value)


def test_the_usual_port_gives_way_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", DEFAULT_PORT))
        except OSError:
            pass  # taken by somebody else already: as good
        else:
            other.listen()
        with serve.listen(Settings()) as found:
            assert DEFAULT_PORT < found.getsockname()[1] < DEFAULT_PORT + serve.PORTS_TO_TRY


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(GorrionError) as refused:
        serve.listen(Settings(host="203.0.113.9", port=0))
    assert refused.value.code == "cannot_listen"
    assert "203.0.113.9" in str(refused.value)


@pytest.mark.parametrize("host", ["a..b", "x" * 70, "ñ" * 64])
def test_a_name_that_can_be_no_host_is_refused_like_an_unknown_one(host: str) -> None:
    with pytest.raises(GorrionError) as refused:
        serve.listen(Settings(host=host, port=0))
    assert refused.value.code == "cannot_listen"
    assert refused.value.exit_code == 2


def test_only_the_network_option_listens_beyond_this_machine() -> None:
    for lan, address in ((False, "127.0.0.1"), (True, "0.0.0.0")):
        with serve.listen(Settings(port=0, lan=lan)) as found:
            assert found.getsockname()[0] == address


def test_the_invitation_shows_address_pin_and_code(capsys: pytest.CaptureFixture[str]) -> None:
    serve.invite("192.168.1.5", 8136, "123456", "es")
    printed = capsys.readouterr().out
    assert "http://192.168.1.5:8136" in printed
    assert "PIN 123456" in printed
    assert printed.count("\n") > 10, "the QR code"
    serve.invite(None, 8136, "123456", "en")
    assert "no local network" in capsys.readouterr().err


@contextmanager
def started(folder: Path, *flags: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`gorrion serve` as a process of its own, and its address."""
    command = [sys.executable, "-m", "companion.cli", "serve", "--port", "0", "--no-browser"]
    # Without models: the page must not wait for them.
    env = {**os.environ, "GORRION_MODELS": str(folder / "none"), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [*command, "--data-dir", str(folder), *flags], stdout=subprocess.PIPE, text=True, env=env
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
            assert found is not None
            yield server, found.group()
        finally:
            server.terminate()


def test_the_page_is_there_within_three_seconds(tmp_path: Path) -> None:
    begun = time.monotonic()
    with started(tmp_path) as (_server, address):
        with urllib.request.urlopen(f"{address}/score") as answer:
            assert answer.status == 200
        seconds = time.monotonic() - begun
    # The promise is 3 s on an idle machine; a machine busy with other tests gets three times that.
    assert seconds < 9


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_while_a_browser_follows_the_table(
    tmp_path: Path, how: signal.Signals
) -> None:
    with started(tmp_path, "--source", "demo") as (server, address):
        stream = urllib.request.urlopen(f"{address}/table/stream")
        assert stream.readline().startswith(b"retry")
        begun = time.monotonic()
        server.send_signal(how)
        assert server.wait(timeout=20) == 0
        assert time.monotonic() - begun < 4, "the server's own patience is 5 s"
        stream.close()


def test_an_upload_over_the_limit_is_told_how_much_is_taken(tmp_path: Path) -> None:
    with started(tmp_path, "--max-upload-mb", "1") as (_server, address):
        form = b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'
        body = form + bytes(3 * 2**20) + b"\r\n--x--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=x", "Accept-Language": "es"}
        asked = urllib.request.Request(f"{address}/score.json", body, headers)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        with refused.value as answer:
            assert answer.code == 413
            assert "1 MB" in json.load(answer)["error"]["message"]

"""`gorrion serve`: the page, in the browser of this machine and, if wanted, of the local network."""

from __future__ import annotations

import argparse
import errno
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from gettext import gettext as _
from pathlib import Path
from types import FrameType
from typing import Any, Final

from companion.catalogue import translate
from companion.live import speed_of
from companion.reasons import system_says
from companion.rules import load_profile
from companion.rules.flow import flow_of
from companion.rules.scoring import evaluator_of
from companion.settings import DEFAULT_PORT, SETTINGS, Settings
from companion.text import GorrionError, T, Text

DEMO: Final = "demo"
THREADS: Final = 32
"""Each browser that follows the table keeps one thread (12 at the most, twice that for their other
questions), and a picture being read keeps one for seconds."""
CONNECTIONS: Final = 100
CUT_OFF: Final = 8
"""An upload of so many times the limit is cut off by the server in its own English words. What is less above the limit,
like a short film, is let come in, so that the page can say in the reader's language what to send."""
PORTS_TO_TRY: Final = 20
"""How far the search for a free port goes when the usual one is taken."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `serve` to the command line, with a flag for each entry of `companion.settings.SETTINGS`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "serve",
        help=_("open the page: score a hand from a picture"),
        description=_(
            "Serves the page on this machine and opens it in the browser. With --lan, phones and "
            "tablets of the local network come in too: with the PIN to play along, without it to watch."
        ),
    )
    for entry in SETTINGS:
        # argparse takes a percent sign for a placeholder of its own.
        about = _(entry.about.msgid).replace("%", "%%")
        if entry.kind is bool:
            action = "store_false" if entry.default else "store_true"
            parser.add_argument(entry.flag, dest=entry.name, action=action, help=about)
        else:
            parser.add_argument(
                entry.flag,
                type=entry.kind,
                default=entry.default,
                metavar=_(entry.metavar.msgid) if entry.metavar else None,
                help=about,
            )
    return parser


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    settings = Settings.of(vars(args))
    check(settings)
    sock = listen(settings)
    # Flask and what it brings take most of a second: only now, when nothing can be wrong any more.
    from waitress import create_server

    from companion.web import create_app
    from companion.web.security import lan_address, new_pin

    pin = new_pin() if settings.lan else None
    app = create_app(settings, pin_code=pin)
    path = start_path(settings, app)
    port = sock.getsockname()[1]
    server = create_server(
        app,
        sockets=[sock],
        threads=THREADS,
        connection_limit=CONNECTIONS,
        ident="",
        clear_untrusted_proxy_headers=True,
        max_request_body_size=CUT_OFF * app.config["MAX_CONTENT_LENGTH"],
    )
    local = f"http://{url_host(settings.host)}:{port}"
    print(
        translate(T("Gorrión is at %(url)s (stop with Ctrl-C)", url=local), args.lang), flush=True
    )
    if pin is not None:
        invite(lan_address(), port, pin, args.lang)
    if settings.browser:
        # The browser may ask before the loop below runs; the socket listens already.
        threading.Thread(target=webbrowser.open, args=(local + path,), daemon=True).start()
    stop_with(app.extensions["gorrion_table"].close)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
    return 0


def stop_with(close: Callable[[], None]) -> None:
    """Let Ctrl-C, and what asks the process to end, first send away the browsers that follow the table.

    Each of them keeps a thread of the server, which waits five seconds for its threads before it ends.
    """

    def stop(_signal: int, _frame: FrameType | None) -> None:
        close()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def check(settings: Settings) -> None:
    """Refuse settings that cannot work.

    Raises GorrionError that names the setting.
    """
    if not 0 <= settings.port <= 65535:
        raise GorrionError(
            T("port %(port)s does not exist: choose one from 0 to 65535", port=settings.port),
            code="bad_port",
            field="port",
        )
    for name in ("max_upload_mb", "keep_pictures", "keep_mb"):
        if getattr(settings, name) < 1:
            raise GorrionError(
                T("--%(name)s must be at least 1", name=name.replace("_", "-")),
                code="bad_setting",
                field=name,
            )
    if settings.source == DEMO:
        profile = load_profile(settings.rules)
        flow_of(profile)
        evaluator_of(profile)
        speed_of(str(settings.speed))
    elif settings.source is not None and not Path(settings.source).is_file():
        raise GorrionError(
            T(
                'there is no picture file "%(source)s": so far --source takes the path of one picture, or '
                "demo; cameras and videos are not there yet",
                source=settings.source,
            ),
            code="bad_source",
            field="source",
        )


def start_path(settings: Settings, app: Any) -> str:
    """Where the browser opens: the start, the demo's table, or the sheet that was read from `--source`."""
    if settings.source is None:
        return "/"
    if settings.source == DEMO:
        app.extensions["gorrion_table"].play_demo(settings.rules, settings.speed)
        return "/table"
    companion = app.extensions["gorrion"]
    photo = companion.read_photo(Path(settings.source).read_bytes())
    return f"/score/{companion.start_from_photo(photo).id}"


def listen(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say; the usual port gives way to the next free one.

    Raises GorrionError when the address is not one of this machine or the chosen port is taken.
    """
    host = "0.0.0.0" if settings.lan and settings.host == "127.0.0.1" else settings.host
    ports = [settings.port]
    if settings.port == DEFAULT_PORT:
        ports = [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TO_TRY)]
    for port in ports:
        try:
            return _bind(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE or getattr(error, "winerror", None) == 10013:
                continue
            raise GorrionError(
                _why_not(host, port, error), code="cannot_listen", field="host"
            ) from error
    text = T(
        "port %(port)s is in use: stop the other program, or choose another with --port (0 takes any)",
        port=settings.port,
    )
    raise GorrionError(text, code="port_in_use", field="port", status=500)


def _bind(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except UnicodeError as error:  # a name that can't be one, with an empty part or one too long
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from error
    family, kind, proto, _name, address = found[0]
    sock = socket.socket(family, kind, proto)
    try:
        if sys.platform != "win32":
            # Lets a restart take the port at once. On Windows it would let two servers share it.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(CONNECTIONS)
    except OSError:
        sock.close()
        raise
    return sock


def _why_not(host: str, port: int, error: OSError) -> Text:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return T(
            '"%(host)s" is no address of this machine: use 127.0.0.1 for this machine alone, or --lan',
            host=host,
        )
    if error.errno == errno.EACCES:
        return T("port %(port)s needs more rights: choose one above 1023 with --port", port=port)
    return T(
        "can't listen on %(host)s port %(port)s: %(reason)s",
        host=host,
        port=port,
        reason=system_says(error),
    )


def url_host(host: str) -> str:
    """The host to write into an address that this machine's own browser opens."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def invite(address: str | None, port: int, pin: str, lang: str) -> None:
    """Print address, PIN and QR code for the other devices."""
    if address is None:
        text = T("no local network was found: other devices can't come in until there is one")
        print(translate(text, lang), file=sys.stderr, flush=True)
        return
    import segno

    url = f"http://{address}:{port}"
    text = T("On the local network: %(url)s with the PIN %(pin)s, or scan:", url=url, pin=pin)
    print(translate(text, lang))
    segno.make_qr(f"{url}/pin?pin={pin}").terminal(sys.stdout, compact=True, border=2)
    sys.stdout.flush()

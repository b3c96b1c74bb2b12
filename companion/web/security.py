"""Who may talk to the page, and what the page may load.

* The `Host` header must name this machine: a foreign site that points its name at us (DNS rebinding) is refused.
* A POST must come from our own page: its `Origin` must be the address it was sent to.
* A browser on this machine is the owner. One from the network only watches until it has given the PIN.
* The Content-Security-Policy lets the page load from here alone and run no inline script.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, request, session

from companion.text import GorrionError, T

PIN_DIGITS = 6
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
OPEN_TO_WATCHERS = frozenset({"pin.enter", "settings.save"})
"""Endpoints that take a POST from a browser without the PIN: the PIN itself, and its own language."""


@dataclass(frozen=True, slots=True)
class PinConfig:
    """How guessing the PIN is slowed down."""

    tries: int = 8  # enough for a mistyped PIN at the table
    per_seconds: float = 60.0  # then a minute's wait: a million PINs take three months


class Forbidden(GorrionError):
    """The request is not one the page itself would make, or needs the PIN."""


@dataclass(slots=True)
class PinGate:
    """The PIN of this start, and how often it was guessed lately.

    `clock` gives seconds that only grow.
    """

    pin: str | None
    config: PinConfig = field(default_factory=PinConfig)
    clock: Callable[[], float] = time.monotonic
    _failures: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check(self, given: str) -> None:
        """Return if `given` is the PIN. Raises Forbidden: wrong, or guessed too often (by anyone)."""
        with self._lock:
            now = self.clock()
            self._failures = [at for at in self._failures if now - at < self.config.per_seconds]
            if len(self._failures) >= self.config.tries:
                raise Forbidden(
                    T("too many wrong PINs: wait a minute and try again"),
                    code="too_many_tries",
                    field="pin",
                    status=429,
                )
            if self.pin is not None and hmac.compare_digest(
                given.strip().encode(), self.pin.encode()
            ):
                return
            self._failures.append(now)
        raise Forbidden(
            T("this is not the PIN: it stands in the window where Gorrión was started"),
            code="wrong_pin",
            field="pin",
            status=403,
        )


def new_pin() -> str:
    """A PIN for one start of the server."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))


def lan_address() -> str | None:
    """This machine's IPv4 address on the local network, or None without one; sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A UDP socket "connects" without a packet; the system only picks the interface.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if ipaddress.ip_address(address).is_loopback else address


def allowed_hosts(host: str, lan: bool) -> frozenset[str]:
    """The names under which this server may be addressed, in lower case and without port."""
    names = {"127.0.0.1", "localhost", "[::1]"}
    address = _parse_address(host)
    if address is None or not address.is_unspecified:
        names.add(_bracketed(host.lower()))
    if lan or (address is not None and address.is_unspecified):
        own = socket.gethostname().lower()
        names |= {own, own.split(".")[0], f"{own.split('.')[0]}.local"}
        names |= {found for found in [lan_address()] if found}
    return frozenset(names)


def guard(app: Flask, hosts: frozenset[str], gate: PinGate) -> None:
    """Put the checks in front of every request of `app`, and the headers on every answer."""
    app.extensions["gorrion_pin"] = gate

    @app.before_request
    def check_request() -> None:
        _check_host(request, hosts)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _check_origin(request)
            if request.endpoint not in OPEN_TO_WATCHERS:
                need_player()

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", CSP)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        # Not "no-referrer": under it browsers send our own forms with the Origin "null".
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # What is shown may change at any moment, also by another browser.
        if not response.cache_control and request.endpoint != "static":
            response.headers["Cache-Control"] = "no-store"
        return response


def is_player() -> bool:
    """Whether this browser may change things: on this machine, or let in by the PIN."""
    gate: PinGate = current_app.extensions["gorrion_pin"]
    remote = _parse_address(request.remote_addr or "")
    if remote is not None and remote.is_loopback:
        return True
    # The PIN is new at each start, and so is what a cookie must say: old cookies let no one in.
    return gate.pin is not None and hmac.compare_digest(
        str(session.get("pin", "")).encode(), gate.pin.encode()
    )


def need_player() -> None:
    """Raise Forbidden unless this browser may change things."""
    if not is_player():
        raise Forbidden(
            T("this browser only watches: enter the PIN first"),
            code="pin_needed",
            field="pin",
            status=403,
        )


def let_in(given: str) -> None:
    """Remember that this browser knows the PIN. Raises Forbidden when it does not."""
    gate: PinGate = current_app.extensions["gorrion_pin"]
    gate.check(given)
    session["pin"] = gate.pin


def _check_host(req: Request, hosts: frozenset[str]) -> None:
    given = req.headers.get("Host", "")
    try:
        parts = urlsplit(f"//{given}")
        host = _bracketed((parts.hostname or "").rstrip("."))
        _ = parts.port  # one that can't be is refused like a name that isn't ours
    except ValueError:
        host = ""
    # A name and a port are a host: what has a user or a path beside them was made to mislead.
    if host not in hosts or any(character in given for character in "@/\\?#"):
        raise Forbidden(
            T(
                'this server is not "%(host)s": open it under the address that it printed when it started',
                host=req.headers.get("Host", "")[:80],
            ),
            code="wrong_host",
            field="Host",
            status=421,
        )


def _check_origin(req: Request) -> None:
    origin = req.headers.get("Origin")
    # Browsers send Origin with every POST. A program that sends none is no foreign page, unless
    # the browser says in Sec-Fetch-Site that it is.
    same = (
        origin == f"{req.scheme}://{req.headers.get('Host', '')}"
        if origin is not None
        else req.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    )
    if not same:
        raise Forbidden(
            T("changes are taken from Gorrión's own page only, not from another site"),
            code="wrong_origin",
            field="Origin",
            status=403,
        )


def _parse_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host.strip("[]").split("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host

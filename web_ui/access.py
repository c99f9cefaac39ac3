"""Decides who may do more than look: the browser that the program opened, and every device on which
somebody entered the PIN that is shown at the table.

A session ends when the program ends. The next run of the program does not accept it.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from werkzeug.sansio.http import parse_cookie

from referee.desk.serving.wsgi_bridge import Scope

#: How long the first address is valid, s. A browser opens it at once; a person has time to copy it
#: from the terminal. Chosen by the project.
ENTRY_S: Final = 60.0

#: The digits of a PIN. People read it at the table and enter it on a phone.
PIN_DIGITS: Final = 6

#: After this many wrong PINs from one address, that address must wait; after this many from all
#: addresses together, everybody must wait. In both cases the PIN is changed. So at most 20 of a
#: million PINs can be tried in `WAIT_S`: a chance of 0.12 % an hour. Chosen by the project.
TRIES_EACH: Final = 5
TRIES_IN_ALL: Final = 20

#: How long no PIN is accepted after too many wrong ones, s.
WAIT_S: Final = 60.0

#: The most sessions that may be open: more than the devices at any table, and few enough to limit
#: the memory.
SESSIONS: Final = 1000


@dataclass(frozen=True, slots=True)
class Session:
    """What the holder of a cookie may do: rule, and with `at_table` also see the PIN and close the
    other sessions.
    """

    at_table: bool


class PinRefusedError(Exception):
    """A PIN was refused; the text says why. `wait` says that no PIN is accepted for a while."""

    def __init__(self, text: str, *, wait: bool = False) -> None:
        super().__init__(text)
        self.wait = wait


class Access:
    """The secrets, the PIN and the sessions of one run. Every method may be called by any thread.

    `clock` gives the time in s and never goes back. `changed` is called after sessions were closed
    or the PIN was changed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._key = secrets.token_bytes(32)
        #: A random name of this run, which is not secret.
        self.run = secrets.token_hex(4)
        self._entries: dict[bytes, float] = {}
        self._sessions: dict[bytes, Session] = {}
        self._observers: list[Callable[[], None]] = []
        self._pin = _new_pin()
        self._wrong: dict[str, int] = {}
        self._wrong_in_all = 0
        self._waiting: dict[str, float] = {}
        self._all_wait_until_s = 0.0

    @property
    def pin(self) -> str:
        """Return the PIN that is valid now."""
        return self._pin

    def observe(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever sessions were closed or the PIN was changed."""
        self._observers.append(changed)

    def entry_path(self) -> str:
        """Return the path of a new first address. It works once, and only for `ENTRY_S`."""
        secret = secrets.token_urlsafe(32)
        with self._lock:
            self._entries[self._digest(secret)] = self._clock() + ENTRY_S
        return f"/enter/{secret}"

    def enter(self, secret: str) -> str | None:
        """Open a session with the secret of a first address, which is not valid again. Return the
        token of a session at the table; None if the secret is unknown, used or too old.
        """
        with self._lock:
            good_until_s = self._entries.pop(self._digest(secret), None)
            if good_until_s is None or self._clock() >= good_until_s:
                return None
            return self._open(Session(at_table=True))

    def enter_pin(self, pin: str, address: str, *, at_table: bool) -> str:
        """Return the token of a new session for somebody at `address` who gave the right PIN.
        `at_table` says that the device is the one on which the program runs.

        Raises PinRefusedError if the PIN is wrong, or if no PIN is accepted now.
        """
        origin = _counted_as(address)
        with self._lock:
            self._check_waiting(origin)
            good = hmac.compare_digest(pin.encode(), self._pin.encode())
            if good:
                self._wrong.pop(origin, None)
                return self._open(Session(at_table))
            refused = self._count_wrong(origin)
        if refused.wait:
            self._report_change()
        raise refused

    def session(self, cookies: Mapping[str, str], port: int | str) -> Session | None:
        """Return the session of a request with these cookies to this port; None if it has no
        session.
        """
        token = cookies.get(cookie_name(port))
        if token is None:
            return None
        with self._lock:
            return self._sessions.get(self._digest(token))

    def at_table(self, scope: Scope) -> bool:
        """Return whether a request to the server, given by its scope, comes from the table's own
        browser.
        """
        cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
        _, port = scope.get("server") or ("", "")
        session = self.session(parse_cookie(cookies.decode("latin1")), port)
        return session is not None and session.at_table

    def close_others(self, token: str) -> None:
        """Close every session but the one with this token, and make a new PIN. Addresses that had
        to wait may try again.
        """
        with self._lock:
            kept = self._digest(token)
            self._sessions = {key: one for key, one in self._sessions.items() if key == kept}
            self._entries.clear()
            self._pin = _new_pin(self._pin)
            self._wrong.clear()
            self._waiting.clear()
            self._wrong_in_all, self._all_wait_until_s = 0, 0.0
        self._report_change()

    def _open(self, session: Session) -> str:
        if len(self._sessions) >= SESSIONS:
            raise PinRefusedError(
                "Too many devices already have the right to rule. Close all sessions first."
            )
        token = secrets.token_urlsafe(32)
        self._sessions[self._digest(token)] = session
        return token

    def _digest(self, secret: str) -> bytes:
        """Return the key under which a secret is kept. The key reveals nothing about the secret,
        and so the time of a look-up does not either.
        """
        return hashlib.blake2b(secret.encode("utf-8", "replace"), key=self._key).digest()

    def _check_waiting(self, origin: str) -> None:
        now_s = self._clock()
        until_s = max(self._waiting.get(origin, 0.0), self._all_wait_until_s)
        if until_s > now_s:
            raise PinRefusedError(
                f"Too many wrong PINs were entered. Wait {until_s - now_s:.0f} s, then enter the"
                " new PIN shown at the table.",
                wait=True,
            )

    def _count_wrong(self, origin: str) -> PinRefusedError:
        """Count a wrong PIN, and change the PIN after too many. Return the error to answer with."""
        self._wrong[origin] = self._wrong.get(origin, 0) + 1
        self._wrong_in_all += 1
        until_s = self._clock() + WAIT_S
        if self._wrong_in_all >= TRIES_IN_ALL:
            self._wrong_in_all, self._all_wait_until_s = 0, until_s
            self._wrong.clear()
            self._waiting.clear()
        elif self._wrong[origin] >= TRIES_EACH:
            del self._wrong[origin]
            self._waiting[origin] = until_s
        else:
            left = min(TRIES_EACH - self._wrong[origin], TRIES_IN_ALL - self._wrong_in_all)
            tries = "1 try is" if left == 1 else f"{left} tries are"
            return PinRefusedError(f"This is not the PIN shown at the table. {tries} left.")
        self._pin = _new_pin(self._pin)
        return PinRefusedError(
            f"Too many wrong PINs were entered. Wait {WAIT_S:.0f} s, then enter the new PIN shown"
            " at the table.",
            wait=True,
        )

    def _report_change(self) -> None:
        for changed in self._observers:
            changed()


def cookie_name(port: int | str) -> str:
    """Return the name of the cookie. Browsers share cookies between the ports of a host, and
    another run may be served at another port.
    """
    return f"table-referee-{port}"


def _new_pin(old: str = "") -> str:
    while (pin := f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}") == old:
        pass
    return pin


def _counted_as(address: str) -> str:
    """Return the key under which wrong PINs from an address are counted. It is the same for all
    addresses of an IPv6 network of 64 bits, because one device may have them all.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)

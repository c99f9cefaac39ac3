"""Guards the connections of the web server: how many there may be, how long a request may take to
arrive, and how long a client may leave its answer unread.

uvicorn itself waits without limit for the rest of a request, and for a client to read. So without
this, anybody could fill the server with connections that do nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

# Chosen: nothing was measured for these.

#: How many connections there may be: 200 viewers, the requests beside their streams, and room for
#: 300 that do nothing.
MOST: Final = 1024

#: How many connections one other device may have. A browser opens at most six to a server, and
#: several people may sit behind one address of a router.
MOST_OF_ONE_ADDRESS: Final = 64

#: How many connections of this machine there may be. The rest stays free for other devices.
MOST_OF_THIS_MACHINE: Final = 768

#: How long a whole request may take from its first moment to the last byte of its body, s.
REQUEST_S: Final = 10.0

#: How long a client may read nothing of what waits for it before it is disconnected, s. Chosen.
UNREAD_S: Final = 15.0

FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: 45\r\nconnection: close\r\n\r\n"
    b"Too many connections are open. Try again soon"
)


class Room:
    """Counts the connections, in total and for each address. Only the server's thread uses it."""

    def __init__(self, most: int, most_of_one: int, most_of_this_machine: int) -> None:
        self.most = most
        self._most_of = {False: most_of_one, True: most_of_this_machine}
        self._of_each: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one more connection of `address`. Return False if there is no room for it."""
        if (
            self._of_each.total() >= self.most
            or self._of_each[address] >= self._most_of[is_this_machine(address)]
        ):
            return False
        self._of_each[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._of_each[address] -= 1
        if self._of_each[address] <= 0:
            del self._of_each[address]


def is_this_machine(address: str) -> bool:
    """Return whether an address is a loopback address. This includes loopback addresses of IPv4
    written as IPv6.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return bool((mapped or ip).is_loopback)


class GuardedConnection(H11Protocol):  # type: ignore[misc, unused-ignore]
    """One connection. It is closed if a request does not arrive completely in time, or if its
    client does not read. An ASGI application finds it as `scope["state"]["connection"]`.
    """

    room: Room
    request_s = REQUEST_S
    unread_s = UNREAD_S

    @property
    def unread(self) -> int:
        """How many bytes of answers the client has not read."""
        return int(self.transport.get_write_buffer_size())

    def connection_made(self, transport: Any) -> None:
        """Let the client in, or answer that there is no room."""
        super().connection_made(transport)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._address = str(self.client[0]) if self.client else ""
        self._is_inside = self.room.enter(self._address)
        self.app_state = {**self.app_state, "connection": self}
        if self._is_inside:
            self._start("request", self.request_s)
        else:
            transport.write(FULL)
            transport.close()
            self._start("unread", 1.0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for others."""
        super().connection_lost(exc)
        for timer in self._timers.values():
            timer.cancel()
        if self._is_inside:
            self.room.leave(self._address)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        if not self._is_inside or self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            self._start("request", self.request_s)
        super().data_received(data)
        if self.cycle is not None and not self.cycle.more_body:
            self._stop("request")

    def on_response_complete(self) -> None:
        """Wait for the next request. The client must soon read the rest of this answer."""
        super().on_response_complete()
        if self.cycle is not None and self.cycle.more_body:
            self.transport.close()  # the rest of the body is not wanted
        if self.unread:
            self._start("unread", self.unread_s)

    def pause_writing(self) -> None:
        """Give the client a while to read."""
        super().pause_writing()
        self._start("unread", self.unread_s)

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        super().resume_writing()
        self._stop("unread")

    def _start(self, what: str, within_s: float) -> None:
        if what not in self._timers:
            self._timers[what] = self.loop.call_later(within_s, self._is_over, what)

    def _stop(self, what: str) -> None:
        timer = self._timers.pop(what, None)
        if timer is not None:
            timer.cancel()

    def _is_over(self, what: str) -> None:
        self._timers.pop(what, None)
        if what == "request" or self.unread:
            self.transport.abort()

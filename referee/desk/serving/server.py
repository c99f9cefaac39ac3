"""Serves the web pages with an ASGI server in a separate thread."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol

import uvicorn

from referee.desk.serving.connections import (
    MOST,
    MOST_OF_ONE_ADDRESS,
    MOST_OF_THIS_MACHINE,
    GuardedConnection,
    Room,
)
from referee.desk.serving.wsgi_bridge import ENDPOINTS, Receive, Scope, Send, WSGIBridge
from referee.domain.errors import InputError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

#: How much of an answer the system keeps for a client that does not read, bytes. It is small, so
#: that a slow page gets new values and not old ones.
UNSENT_BYTES: Final = 1 << 17

#: How long `close` waits for pages to receive what is still unsent, s.
LAST_SEND_S: Final = 1


class Pages(Protocol):
    """A WSGI application. Under the key `ENDPOINTS`, its extensions may hold ASGI applications, by
    path, that are served beside it.
    """

    extensions: dict[str, Any]

    def __call__(
        self, environ: dict[str, Any], start_response: StartResponse, /
    ) -> Iterable[bytes]:
        """Answer a request."""


class Server:
    """A running server. `url` is the address of its pages. `close` stops it and waits a few
    seconds for its thread to end.
    """

    def __init__(self, app: Pages, listening: socket.socket) -> None:
        self._endpoints: dict[str, Any] = app.extensions.get(ENDPOINTS, {})
        self._pages = WSGIBridge(app)
        self._address = listening.getsockname()
        self._listening = listening
        config = uvicorn.Config(
            self._answer,
            http=_guarded(),
            interface="asgi3",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level=logging.ERROR,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=LAST_SEND_S,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="web-pages", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Return the port on which the server listens."""
        return int(self._address[1])

    @property
    def url(self) -> str:
        """Return the address of the first page."""
        host = str(self._address[0])
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def close(self) -> None:
        """End every connection and stop. Close the feed before, so that a page that waits for
        changes gets the last of them and disconnects at once.
        """
        self._server.should_exit = True
        self._thread.join(timeout=LAST_SEND_S + 3)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        ending = asyncio.create_task(self._end_streams())
        try:
            await self._server.serve(sockets=[self._listening])
        finally:
            await ending
            self._pages.close()
            self._listening.close()

    async def _end_streams(self) -> None:
        """Wait until the server is to end. Then give the streams a moment to send their last
        message, which says why nothing more will come, and end every connection.
        """
        while not self._server.should_exit:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.1)
        for endpoint in self._endpoints.values():
            endpoint.end()
        end_s = time.monotonic() + LAST_SEND_S
        while time.monotonic() < end_s and any(c.unread for c in self._connections()):
            await asyncio.sleep(0.01)
        for connection in self._connections():
            connection.transport.abort()

    def _connections(self) -> list[Any]:
        return list(self._server.server_state.connections)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._endpoints.get(scope["path"], self._pages)(scope, receive, send)


def _guarded() -> type:
    """Return the class of the connections of one server. They share one `Room`."""
    room = Room(MOST, MOST_OF_ONE_ADDRESS, MOST_OF_THIS_MACHINE)
    return type("ServedConnection", (GuardedConnection,), {"room": room})


def serve(app: Pages, host: str = "127.0.0.1", port: int = 0) -> Server:
    """Serve `app` and return at once. Port 0 takes any free port.

    Raises InputError if the port is taken, not allowed, or not a port number.
    """
    return Server(app, _listening_socket(host, port))


def _listening_socket(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:  # the system would use the remainder after division by 65536
        raise InputError(f"port {port}: a port is a number from 0 to 65535")
    try:
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        raise InputError(f"port {port}: {_why(error, host)}") from error
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
    # Every connection inherits this option. Without it, the end of each answer waits until its
    # beginning is acknowledged, which takes 40 ms for each of a page's hundred scripts.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _why(error: OSError, host: str) -> str:
    reasons = {
        errno.EADDRINUSE: (
            f"another program already uses this port at {host}; with port 0 any free one is used"
        ),
        errno.EACCES: "you are not allowed to use this port; with port 0 any free one is used",
        errno.EADDRNOTAVAIL: f"{host} is not an address of this machine",
    }
    return reasons.get(error.errno or 0, f"cannot listen on it at {host} ({error})")


def has_screen() -> bool:
    """Return whether a browser can open a window here. If not, opening a page might start a text
    browser, which takes over the terminal.
    """
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )

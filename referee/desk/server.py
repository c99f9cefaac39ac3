"""Serves the web pages on this machine: a WSGI server in a thread of its own."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final

import waitress

from referee.domain.errors import InputError

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

#: The threads for short requests. Each open page needs one more thread for as long as it listens.
THREADS_FOR_REQUESTS: Final = 4

#: How many bytes may wait to be sent to one page before its thread waits. It is small, so that a
#: slow page gets new values and not old ones.
UNSENT_BYTES: Final = 1 << 16

#: How long `close` waits for pages to receive what is still unsent, s.
LAST_SEND_S: Final = 1.0


class Server:
    """A running server. `url` is the address of its pages. `close` stops it and waits a
    few seconds for its threads to end.
    """

    def __init__(self, waitress_server: Any) -> None:
        self._server = waitress_server
        self._thread = threading.Thread(target=waitress_server.run, name="web-pages", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Return the port on which the server listens."""
        return int(self._server.effective_port)

    @property
    def url(self) -> str:
        """Return the address of the first page."""
        host = str(self._server.effective_host)
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def close(self) -> None:
        """End every connection and stop. Close the feed first, so that a page that waits for
        changes leaves at once.
        """
        if not self._thread.is_alive():
            return
        self._wait_until_sent()
        self._server.trigger.pull_trigger(self._close_connections)
        self._server.task_dispatcher.shutdown(timeout=3)
        with contextlib.suppress(
            OSError
        ):  # the server's loop may close the trigger before this call ends
            self._server.trigger.pull_trigger(self._stop)
        self._thread.join(timeout=3)

    def _wait_until_sent(self) -> None:
        """Wait a moment until the pages have received what is still unsent: the last message says
        why nothing more will come.
        """
        end_s = time.monotonic() + LAST_SEND_S
        while time.monotonic() < end_s and (
            self._server.task_dispatcher.active_count
            or any(
                channel.total_outbufs_len for channel in list(self._server.active_channels.values())
            )
        ):
            time.sleep(0.01)

    def _close_connections(self) -> None:
        self._server.accepting = False
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()

    def _stop(self) -> None:
        self._close_connections()
        self._server.close()


def serve(
    app: WSGIApplication, host: str = "127.0.0.1", port: int = 0, listeners: int = 16
) -> Server:
    """Serve `app` and return at once. Port 0 takes any free port. `listeners` is how many pages may
    listen at the same time.

    Raises InputError when the port is taken, not allowed or not a port number.
    """
    listening = _listening_socket(host, port)
    server = waitress.create_server(
        app,
        sockets=[listening],
        threads=listeners + THREADS_FOR_REQUESTS,
        ident=None,
        outbuf_high_watermark=UNSENT_BYTES,
        channel_request_lookahead=1,
        clear_untrusted_proxy_headers=True,
    )
    return Server(server)


def _listening_socket(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:  # the system would use the remainder after division by 65536
        raise InputError(f"port {port}: a port is a number from 0 to 65535")
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        raise InputError(f"port {port}: {_why(error, host)}") from error


def _why(error: OSError, host: str) -> str:
    reasons = {
        errno.EADDRINUSE: (
            f"another program already listens on it, at {host} (0 takes any free port)"
        ),
        errno.EACCES: "this user may not listen on it (0 takes any free port)",
        errno.EADDRNOTAVAIL: f"{host} is not an address of this machine",
    }
    return reasons.get(error.errno or 0, f"cannot listen on it at {host} ({error})")


def has_screen() -> bool:
    """Return whether a browser can open a window here. Without a window, a browser for terminals
    might start and take over the terminal.
    """
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )

"""Runs a WSGI application behind an ASGI server, so that a slow client does not occupy one of the
application's threads.

The whole body of a request is read before a thread begins. The parts of an answer are taken one by
one, and a thread is used only while the application makes the next part. So a client that sends its
body byte by byte, or does not read its answer, occupies only its own connection.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from a2wsgi.wsgi import build_environ

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: The key under which the extensions of an application hold the ASGI applications that are served
#: beside it, by path.
ENDPOINTS: Final = "asgi-endpoints"

#: How many requests the application works on at once. Chosen: the work is short, and the camera
#: needs the processor.
THREADS: Final = 8

#: The longest body that is read, bytes. The pages send at most a few kilobytes, and the application
#: has its own, lower bound.
LONGEST_BODY: Final = 1 << 18


class WSGIBridge:
    """An ASGI application that answers HTTP requests by a WSGI application, in a few threads."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="web-page")

    def close(self) -> None:
        """Start no more requests, and do not wait for running ones."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        body = await _body(receive)
        if body is None:
            await send_text(send, 413, "The request is too large.")
            return
        head: list[MutableMapping[str, Any]] = []
        loop = asyncio.get_running_loop()
        parts = await loop.run_in_executor(self._threads, self._begin, _environ(scope, body), head)
        try:
            part = await loop.run_in_executor(self._threads, next, parts, None)
            await send(head[0])
            while part is not None:
                await send({"type": "http.response.body", "body": part, "more_body": True})
                part = await loop.run_in_executor(self._threads, next, parts, None)
            await send({"type": "http.response.body", "body": b""})
        finally:
            parts.close()

    def _begin(self, environ: dict[str, Any], head: list[MutableMapping[str, Any]]) -> _Parts:
        """Call the application. It puts status and headers into `head`."""

        def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
            named = [(name.lower().encode("latin1"), v.encode("latin1")) for name, v in headers]
            head[:] = [{"type": "http.response.start", "status": int(status[:3]), "headers": named}]
            return None  # the pages do not write in the old way

        return _Parts(self._app(environ, start_response))


class _Parts(Iterator[bytes]):
    """The parts of an answer, and a way to close it."""

    def __init__(self, answer: Iterable[bytes]) -> None:
        self._answer = answer
        self._parts = iter(answer)

    def __next__(self) -> bytes:
        return next(self._parts)

    def close(self) -> None:
        """Let the application release the resources of the answer."""
        getattr(self._answer, "close", lambda: None)()


def _environ(scope: Scope, body: bytes) -> dict[str, Any]:
    build: Any = build_environ  # its types name its own classes
    environ: dict[str, Any] = dict(build(scope, io.BytesIO(body)))
    return environ | {
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.errors": sys.stderr,
        "wsgi.multiprocess": False,
    }


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body of a request; None if it is too long."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)  # the client has left, and nobody hears the answer
        body += message.get("body", b"")
        if len(body) > LONGEST_BODY:
            return None
        if not message.get("more_body"):
            return bytes(body)


async def send_text(
    send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Answer with one line of text, and close the connection."""
    line = (text + "\n").encode()
    own = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(line)),
        (b"connection", b"close"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": line})

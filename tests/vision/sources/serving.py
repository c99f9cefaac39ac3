"""Streams on localhost that are sent like live ones: without their length, and ending with the
connection.
"""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import av

MULTIPART = "multipart/x-mixed-replace; boundary=next"


class _Sending(http.server.BaseHTTPRequestHandler):
    def __init__(
        self,
        body: bytes,
        content_type: str,
        promised: int | None,
        hang_up: threading.Event | None,
        *args: object,
    ) -> None:
        self.body, self.content_type, self.promised, self.hang_up = (
            body,
            content_type,
            promised,
            hang_up,
        )
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", self.content_type)
        self.send_header("Connection", "close")
        if self.promised is not None:
            self.send_header("Content-Length", str(self.promised))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(self.body)
            if self.hang_up is not None:
                self.hang_up.wait(5)

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def sent(
    body: bytes,
    content_type: str = "application/octet-stream",
    *,
    promised: int | None = None,
    hang_up: threading.Event | None = None,
) -> Iterator[str]:
    """Serve a stream and give its address. `promised` is the length that it states, None without
    one. At its end it is silent until `hang_up` is set.
    """
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_Sending, body, content_type, promised, hang_up)
    ) as server:
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/live"
        finally:
            server.shutdown()
            thread.join(10)


def packets_of(path: Path) -> list[bytes]:
    """Return the encoded pictures of a video."""
    with av.open(str(path)) as video:
        return [bytes(p) for p in video.demux(video=0) if p.size]


def multipart(pictures: Sequence[bytes]) -> bytes:
    """Return pictures in the form in which network cameras send them."""
    return b"".join(
        b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(p), p)
        for p in pictures
    )

"""Watches a stream on localhost that is cut for 3 s and for 60 s, between two flicks and during a
flick: `python -m benchmarks.cut_streams [--write FILE]`.

A clip is sent in real time as network cameras send it (MJPEG over HTTP). While the stream is cut,
the server refuses every connection. Meanwhile the clip goes on by a time that differs from case to
case.
"""

from __future__ import annotations

import contextlib
import http.server
import json
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import av
import cv2

from benchmarks.arguments import Arguments
from benchmarks.match_runs import CLIP, Inputs, prepared, start

MULTIPART: Final = "multipart/x-mixed-replace; boundary=next"
EVERY: Final = 2  # every second picture of the clip is sent: 30 a second
QUALITY: Final = 92
#: The stream ends here, s in the clip: behind four flicks.
END_S: Final = 17.0
#: The incidents of a cut stream may be so much earlier or later, s: pictures without times are
#: timed as they arrive.
TIME_S: Final = 1.0


@dataclass(frozen=True)
class Cut:
    """A cut at the time `at_s` of the clip. It lasts `for_s` of real time, and meanwhile the clip
    goes on by `on_s`.
    """

    name: str
    at_s: float
    for_s: float
    on_s: float


CASES: Final = (
    Cut("between flicks", 8.0, 3.0, 0.0),
    Cut("between flicks", 8.0, 60.0, 0.0),
    Cut("in a flick", 12.1, 3.0, 1.0),
    Cut("in a flick", 12.1, 60.0, 1.0),
)


def pictures(clip: Path) -> list[tuple[float, bytes]]:
    """Return the clip's pictures as JPEG files with their times."""
    found = []
    with av.open(str(clip)) as video:
        for number, frame in enumerate(video.decode(video=0)):
            if frame.time is not None and frame.time < END_S and number % EVERY == 0:
                bgr = frame.to_ndarray(format="bgr24")
                coded = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
                found.append((frame.time, bytes(coded)))
    return found


class _Table:
    """The clip as a live camera shows it: its time runs in real time from the first connection
    on.
    """

    def __init__(self, shown: list[tuple[float, bytes]], cut: Cut) -> None:
        self.shown, self.cut = shown, cut
        self.began_s: float | None = None

    def clip_s(self) -> float | None:
        """Return the time in the clip; None while the stream is cut."""
        if self.began_s is None:
            self.began_s = time.monotonic()
        gone_s = time.monotonic() - self.began_s
        if gone_s < self.cut.at_s:
            return gone_s
        if gone_s < self.cut.at_s + self.cut.for_s:
            return None
        return gone_s - self.cut.for_s + self.cut.on_s


class _Camera(http.server.BaseHTTPRequestHandler):
    def __init__(self, table: _Table, *given: Any) -> None:
        self.table = table
        super().__init__(*given)

    def do_GET(self) -> None:
        """Send the pictures that are due until the stream is cut."""
        if self.table.clip_s() is None:
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Content-Type", MULTIPART)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self._send()

    def _send(self) -> None:
        began_s = self.table.clip_s() or 0.0
        for t_s, jpeg in self.table.shown:
            while (now_s := self.table.clip_s()) is not None and now_s < t_s:
                time.sleep(0.001)
            if now_s is None:
                return
            if t_s >= began_s:
                head = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
                self.wfile.write(head % len(jpeg) + jpeg + b"\r\n")

    def log_message(self, *given: Any) -> None:
        """Log nothing."""


@contextlib.contextmanager
def served(table: _Table) -> Iterator[str]:
    """Serve the table's stream, and give its address."""
    handler = partial(_Camera, table)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/live"
        finally:
            server.shutdown()


def one_run(inputs: Inputs, cut: Cut, shown: list[tuple[float, bytes]], out: Path) -> str:
    """Watch a stream with one cut. Return its row of the table."""
    table = _Table(shown, cut)
    with served(table) as address:
        command = inputs.command(out, "--no-ui")
        command[command.index("watch") + 1] = address
        process = start(command)
        time.sleep(END_S + cut.for_s - cut.on_s + 8.0)
        process.send_signal(signal.SIGTERM)
        printed = "".join(process.communicate(timeout=60))
    return row(cut, out, printed)


def row(cut: Cut, out: Path, printed: str) -> str:
    """Compare the record of a cut stream with the truth of the clip."""
    entries = [json.loads(line) for line in (out / "record.jsonl").read_text().splitlines()]
    truth = json.loads((CLIP / "truth.json").read_text(encoding="utf-8"))["incidents"]
    due = [t["t_s"] for t in truth if t["kind"] == "flicked" and t["t_s"] < END_S - 1]
    flicks = [e["t_s"] for e in entries if e.get("kind") == "flicked"]
    began_s = flicks[0] - due[0] if flicks else 0.0
    wanted = [t + began_s + (cut.for_s - cut.on_s if t > cut.at_s else 0.0) for t in due]
    right = [w for w in wanted if sum(abs(w - t) < TIME_S for t in flicks) == 1]
    gaps = [e for e in entries if e.get("kind") == "unseen" and e["to_s"] - e["from_s"] > 1.0]
    longest_s = max((gap["to_s"] - gap["from_s"] for gap in gaps), default=0.0)
    return (
        f"{cut.name:14}  {cut.for_s:5.0f}  {len(due):6}  {len(right):5}"
        f"  {max(0, len(flicks) - len(right)):7}  {len(gaps):4}  {longest_s:8.1f}"
        f"  {printed.count('No pictures'):4}  {printed.count('Traceback'):10}"
    )


def main() -> int:
    """Run all cases, and print the table."""
    parser = Arguments("cut_streams", __doc__)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    shown = pictures(CLIP / "clip.mp4")
    lines = ["cut             for s  flicks  right  at odds  gaps  longest s  said  tracebacks"]
    with tempfile.TemporaryDirectory() as work:
        inputs = prepared(Path(work) / "inputs")
        for number, cut in enumerate(CASES):
            lines.append(one_run(inputs, cut, shown, Path(work) / str(number)))
            print(lines[-1], flush=True)
    print("\n".join(lines))
    if given.write:
        given.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

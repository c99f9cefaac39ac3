"""Measures how the server copes with 200 viewers of one match, in other processes, and with hostile
clients at the same time.

A record is followed as `referee follow` does, while it grows by two entries a second and coins move
twenty times a second. One viewer is the table's own browser, which hears of motion at once. Beside
the viewers, 300 connections do nothing, 10 never read and 10 send a request byte by byte; each is
opened again when the server ends it. The same is measured with 16 viewers, to see what 184 more
cost. What counts is the processor time of the server's process, which also follows the record and
applies the rules.

In the table, "late" is the time from when the server began to take in an entry until a viewer saw
it. "Server CPU" is in percent of a core. "Taken in" is the median time in which the server read an
entry and applied the rules. "Page worst" is the longest load of the page.

  python -m benchmarks.viewers            # 60 s for each of four rows
  python -m benchmarks.viewers --seconds 10
"""

from __future__ import annotations

import contextlib
import http.client
import multiprocessing
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from benchmarks.arguments import Arguments
from benchmarks.long_matches import long_match
from referee.record.reading import lines_of

GAME = "tabletop-croquet"
SIZES = (400, 20_000)
FEW, MANY = 16, 200
PROCESSES = 4
ENTRIES_PER_S = 2.0
COINS_EVERY_S = 0.05
IDLE, STALLED, DRIBBLERS = 300, 10, 10

BAR_SEEN_S = 0.5
BAR_CPU_PERCENT = 5.0
BAR_LATER_MS = 10.0
BAR_ENTRY_BYTES = 5_000
BAR_FIRST_BYTES = 100_000

ENTRIES = re.compile(rb'"entries":(\d+)')
TABLE = b"table"


@dataclass
class Served:
    """What the server's process reports: when it began to take in each entry and how long that took
    (`look_s`), the bytes that it sends to a viewer for an entry, the bytes of a first load, and its
    processor time in a run of `lasted_s`.
    """

    taken_s: dict[int, float] = field(default_factory=dict)
    entry_bytes: list[int] = field(default_factory=list)
    look_s: list[float] = field(default_factory=list)
    first_bytes: int = 0
    cpu_s: float = 0.0
    lasted_s: float = 0.0


@dataclass
class Row:
    """One row of the table."""

    size: int
    viewers: int
    served: Served
    late_s: list[float]
    missed: int
    page_s: list[float]

    @property
    def cpu_percent(self) -> float:
        """Return the server's processor time, in percent of a core."""
        return 100 * self.served.cpu_s / self.served.lasted_s

    @property
    def p95_ms(self) -> float:
        """Return the 95th percentile of how late entries come, ms."""
        return 1000 * statistics.quantiles(self.late_s, n=20)[-1]


def serve_match(lines: list[bytes], begin: int, pipe: Connection, over: Event) -> None:
    """Serve a record that begins with `begin` lines and grows until `over`."""
    from referee.desk.feed import Feed
    from referee.desk.followed_record import FollowedRecord
    from referee.desk.serving.server import serve
    from web_ui.pages import create_app

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(b"".join(lines[:begin]))
        feed = Feed()
        followed = FollowedRecord(path, feed)
        followed.look()
        server = serve(create_app(feed, at_table=lambda scope: scope["query_string"] == TABLE))
        moving = threading.Thread(target=move_coins, args=(feed, over), daemon=True)
        pipe.send(server.port)
        pipe.recv()  # all viewers are there
        moving.start()
        served, begun_s, begun_cpu_s = Served(), time.monotonic(), time.process_time()
        for line in lines[begin:]:
            if over.wait(1 / ENTRIES_PER_S):
                break
            grow(path, line, followed, feed, served)
        served.cpu_s = time.process_time() - begun_cpu_s
        served.lasted_s = time.monotonic() - begun_s
        served.first_bytes = len(feed.update_since({}, 0).fields)
        pipe.send(served)
        pipe.recv()
        feed.close()
        server.close()


def grow(path: Path, line: bytes, followed: Any, feed: Any, served: Served) -> None:
    """Let the record grow by a line, and note what it costs."""
    never = dict.fromkeys(("coins", "path"), 1 << 62)
    before = feed.update_since(never, 1 << 61).serial
    with path.open("ab") as record:
        record.write(line)
    begun_s = time.monotonic()
    followed.look()
    served.look_s.append(time.monotonic() - begun_s)
    update = feed.update_since(never, before)
    served.entry_bytes.append(len(update.fields))
    entries = ENTRIES.search(update.fields)
    if entries is not None:
        served.taken_s[int(entries[1])] = begun_s


def move_coins(feed: Any, over: Event) -> None:
    """Move ten coins, and draw the path of one, until `over`."""
    way: list[list[float]] = []
    frame = 0
    while not over.wait(COINS_EVERY_S):
        frame += 1
        way = [*way[-60:], [(frame * 7.3) % 1200, (frame * 3.1) % 300]]
        lies = {
            name: {"at_mm": [way[-1][0], 30.5 * i - 150], "state": "sliding"}
            for i, name in enumerate("abcdefghij")
        }
        feed.publish("coins", {"t_s": frame * COINS_EVERY_S, "coins": lies, "hand": False})
        feed.publish("path", {"flick": 1, "coins": {"a": way}})


def view(port: int, count: int, first: bool, pipe: Connection, over: Event) -> None:
    """View the match `count` times, until `over`. Tell when each viewer saw each entry."""
    seen: list[dict[int, float]] = [{} for _ in range(count)]
    rest = [b""] * count
    chosen = selectors.DefaultSelector()
    for number in range(count):
        query = b"?" + TABLE if first and number == 0 else b""
        client = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"GET /events%b HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % (query, port))
        chosen.register(client, selectors.EVENT_READ, number)
    pipe.send("listening")
    while not over.is_set():
        for key, _ in chosen.select(0.2):
            assert isinstance(key.fileobj, socket.socket)
            read, now_s = key.fileobj.recv(1 << 20), time.monotonic()
            if not read:
                chosen.unregister(key.fileobj)
            text = rest[key.data] + read
            for found in ENTRIES.finditer(text):
                seen[key.data].setdefault(int(found[1]), now_s)
            rest[key.data] = text[-30:]
    pipe.send(seen)


def mean_no_good(port: int, over: Event) -> None:
    """Hold idle connections open, connections that never read, and connections that send a request
    byte by byte.
    """
    hello = b"GET /events HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % port
    idle = [opened(port, b"") for _ in range(IDLE)]
    stalled = [opened(port, hello) for _ in range(STALLED)]
    slow = [opened(port, b"GET / HTTP/1.1\r\nX: ") for _ in range(DRIBBLERS)]
    while not over.wait(1.0):
        for clients, words in ((idle, b""), (slow, b"GET / HTTP/1.1\r\nX: ")):
            for place, client in enumerate(clients):
                if has_ended(client):
                    clients[place] = opened(port, words)
        for client in slow:
            with contextlib.suppress(OSError):
                client.send(b"x")
    for client in (*idle, *stalled, *slow):
        client.close()


def opened(port: int, words: bytes) -> socket.socket:
    """Open a connection with a small buffer, and send its first words."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(words)
    client.setblocking(False)
    return client


def has_ended(client: socket.socket) -> bool:
    """Return whether the server has ended a connection."""
    try:
        return client.recv(100) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def measure(lines: list[bytes], size: int, viewers: int, seconds: float) -> Row:
    """Measure one row."""
    spawn = multiprocessing.get_context("spawn")
    over = spawn.Event()
    own, server_pipe = spawn.Pipe()
    processes = [spawn.Process(target=serve_match, args=(lines, size, server_pipe, over))]
    processes[0].start()
    port = own.recv()
    pipes = []
    for number in range(PROCESSES):
        pipe, other = spawn.Pipe()
        count = viewers // PROCESSES
        processes.append(spawn.Process(target=view, args=(port, count, number == 0, other, over)))
        pipes.append(pipe)
    processes.append(spawn.Process(target=mean_no_good, args=(port, over)))
    for process in processes[1:]:
        process.start()
    for pipe in pipes:
        pipe.recv()
    time.sleep(2.0)
    own.send("begin")
    page_s, end_s = [], time.monotonic() + seconds
    while time.monotonic() < end_s:
        page_s.append(page_time_s(port))
        time.sleep(1.0)
    time.sleep(0.5)
    served, seen = stopped(own, pipes, over)
    for process in processes:
        process.join(20)
    return row(size, viewers, served, seen, page_s)


def stopped(
    own: Connection, pipes: list[Connection], over: Event
) -> tuple[Served, list[dict[int, float]]]:
    """End everything, and return what the server and the viewers tell."""
    over.set()
    served: Served = own.recv()
    seen = [one for pipe in pipes for one in pipe.recv()]
    own.send("end")
    return served, seen


def row(
    size: int, viewers: int, served: Served, seen: list[dict[int, float]], page_s: list[float]
) -> Row:
    """Return a row, computed from the times at which each viewer saw each entry. The last entry may
    have come too late to be seen before the end.
    """
    entries = sorted(served.taken_s)[:-1]
    late_s = [one[n] - served.taken_s[n] for one in seen for n in entries if n in one]
    return Row(size, viewers, served, late_s, len(entries) * len(seen) - len(late_s), page_s)


def page_time_s(port: int) -> float:
    """Return how long the page takes to load, s; infinite if the server refuses it."""
    begun_s = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return time.monotonic() - begun_s if answer.status == 200 else float("inf")


def report(rows: list[Row]) -> bool:
    """Print the table and the limits. Return whether all limits are kept."""
    print(
        "entries  viewers  seen       missed  95 % late  worst late  server CPU"
        "  taken in  page worst"
    )
    for one in rows:
        print(
            f"{one.size:7}  {one.viewers:7}  {len(one.late_s):9}  {one.missed:6}"
            f"  {one.p95_ms:6.1f} ms  {1000 * max(one.late_s):7.1f} ms  {one.cpu_percent:8.1f} %"
            f"  {1000 * statistics.median(one.served.look_s):5.1f} ms"
            f"  {1000 * max(one.page_s):7.1f} ms"
        )
    good = []
    for few, many in zip(rows[::2], rows[1::2], strict=True):
        entry, first = max(many.served.entry_bytes), many.served.first_bytes
        added, later = many.cpu_percent - few.cpu_percent, many.p95_ms - few.p95_ms
        print(f"\nWith {many.size} entries:")
        for what, value, bar, unit in (
            ("entries that a viewer missed", few.missed + many.missed, 0, ""),
            ("an entry is seen within", max(*few.late_s, *many.late_s), BAR_SEEN_S, "s"),
            (f"{MANY} viewers cost above {FEW}", added, BAR_CPU_PERCENT, "% of a core"),
            (f"95 % of calls with {MANY} later than with {FEW}", later, BAR_LATER_MS, "ms"),
            ("an entry costs a viewer at most", entry, BAR_ENTRY_BYTES, "bytes"),
            ("the first load has", first, BAR_FIRST_BYTES, "bytes"),
        ):
            good.append(value <= bar)
            said = "" if good[-1] else "   NOT KEPT"
            print(f"  {what:44} {value:9.2f}  (bar {bar:g}) {unit}{said}")
    return all(good)


def main() -> int:
    """Measure and print the table. Return 1 if a limit is not kept."""
    parser = Arguments("viewers", __doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    seconds = parser.parse_args().seconds
    more = int(seconds * ENTRIES_PER_S) + 20
    rows = []
    for size in SIZES:
        lines = list(lines_of(long_match(GAME, size + more, "plain")))
        rows += [measure(lines, size, viewers, seconds) for viewers in (FEW, MANY)]
    return 0 if report(rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())

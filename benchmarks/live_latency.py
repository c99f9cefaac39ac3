"""Measures how long a call takes from the frame in which it happened to the open dashboard, on a
clip refereed at its own speed.

The whole program runs as in `referee demo`: the file is played at its own speed, coins are found
and tracked, the rules are applied, and Chromium shows the result. Two delays are measured for every
call. They end when the call first appears in the page, provisional or recorded:

- `incident` begins at the first frame after the incident that the call rests on.
- `decided` begins at the frame that decided the call. For hits, crossings and falls that is the
  same frame. Some facts become known only by waiting: that nothing moves any more (and no hand is
  in the way), and that a coin beside the fingers was flicked and not carried. For a call that
  rests on such a fact it begins at the frame at which the referee first published the call.

A frame's time is when it was due at the clip's own speed, so falling behind counts. The bar is 0.5
s for `decided`.

  python -m benchmarks.live_latency [CLIP_FOLDER] [--survey FOLDER]
"""

from __future__ import annotations

import bisect
import contextlib
import io
import itertools
import os
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.arguments import Arguments
from benchmarks.chromium import Page, browser
from benchmarks.clips import FIXTURES
from benchmarks.machine import machine
from referee.commands.demo import surveyed
from referee.desk.feed import Feed
from referee.desk.serving.hosting import Hosting
from referee.domain.incident import AtRest, Flicked, Measured
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.replay.fold import fold
from referee.session import watching
from referee.session.match_file import read_match
from referee.session.seeing import episode_builder
from referee.session.watch_options import WatchOptions

BAR_S = 0.5
WAIT_S = 30.0
OPENING_S = 2.0

#: Records every line that is added to either list of calls, with the time at which it was there, s
#: of the system's clock.
WATCH = """
(() => {
  window.lines = [];
  const note = (node) =>
    window.lines.push([node.textContent, (performance.timeOrigin + performance.now()) / 1000]);
  const observer = new MutationObserver((records) =>
    records.forEach(({ addedNodes }) => addedNodes.forEach(note)));
  for (const id of ['provisional', 'calls'])
    observer.observe(document.getElementById(id), { childList: true });
  return true;
})()
"""


@dataclass
class Clock:
    """What happened when. `frames` holds each frame's time in the clip and the time of the system's
    clock when it was processed, s. `published` holds each call's text and the time in the clip of
    the frame that was then being processed. `cpu_s` is the processor time used after each frame,
    and `load_before` the machine's load at the start.
    """

    frames: list[tuple[float, float]] = field(default_factory=list)  # t_s, time of processing
    published: list[tuple[str, float]] = field(
        default_factory=list
    )  # a call's text, t_s of the frame that was then being processed
    cpu_s: list[float] = field(default_factory=list)
    load_before: float = field(
        default_factory=lambda: os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    )

    def due(self, t_s: float) -> float:
        """Return when the moment `t_s` of the clip was due by the system's clock."""
        first_t_s, first_taken = self.frames[0]
        return first_taken + t_s - first_t_s

    def frame_after(self, t_s: float) -> float:
        """Return the time in the clip of the first frame after `t_s`; the last frame's time when
        there is none.
        """
        times_s = [t for t, _ in self.frames]
        return times_s[min(bisect.bisect_right(times_s, t_s), len(times_s) - 1)]

    def late_s(self) -> list[float]:
        """Return how much later than due each frame was processed."""
        return [taken - self.due(t_s) for t_s, taken in self.frames]


@dataclass(frozen=True)
class Arrival:
    """One call on its way to the page: its `text`, the `kind` and the time `t_s` of the incident
    that it rests on, and its two delays in s. A delay is None when the call never appeared in the
    page.
    """

    text: str
    kind: str
    t_s: float
    since_incident_s: float | None
    since_decided_s: float | None


@contextlib.contextmanager
def noted(clock: Clock, page_open: threading.Event) -> Iterator[None]:
    """Record frames and calls while this context lasts, and open the source only when the page is
    open.
    """
    take, publish, open_source = (
        episode_builder.EpisodeBuilder.take,
        Feed.publish_together,
        watching.open_source,
    )

    def noting_take(builder: episode_builder.EpisodeBuilder, frame: Any) -> Any:
        clock.frames.append((frame.t_s, time.time()))
        clock.cpu_s.append(time.process_time())
        return take(builder, frame)

    def noting_publish(feed: Feed, values: Mapping[str, Any]) -> None:
        calls = [*(values.get("calls") or []), *(values.get("provisional") or [])]
        if clock.frames:
            clock.published.extend((call.text, clock.frames[-1][0]) for call in calls)
        publish(feed, values)

    def waiting_open(*given: Any, **named: Any) -> Any:
        page_open.wait(WAIT_S)
        return open_source(*given, **named)

    noting_feed = patch.object(Feed, "publish_together", noting_publish)
    with (
        patch.object(episode_builder.EpisodeBuilder, "take", noting_take),
        noting_feed,
        patch.object(watching, "open_source", waiting_open),
    ):
        yield


def free_port() -> int:
    """Return a port on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def played(options: WatchOptions) -> tuple[Clock, list[tuple[str, float]]]:
    """Referee a clip at its own speed with the page open. Return the clock, and the lines of calls
    as they appeared in the page.
    """
    clock, page_open, over, at_end = (
        Clock(),
        threading.Event(),
        threading.Event(),
        threading.Event(),
    )
    problems: list[BaseException] = []

    def show_end(*_: Any) -> None:
        over.set()
        at_end.wait(WAIT_S)

    def referee() -> None:
        try:
            watching.watch(options)
        except BaseException as problem:  # noqa: BLE001 - passed to the main thread
            problems.append(problem)
        over.set()

    with (
        Page() as page,
        noted(clock, page_open),
        patch.object(watching, "_linger", show_end),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        thread = threading.Thread(target=referee)
        thread.start()
        lines = lines_of_page(page, options.hosting.port, page_open, over)
        at_end.set()
        thread.join()
    if problems:
        raise problems[0]
    return clock, lines


def lines_of_page(
    page: Page, port: int, page_open: threading.Event, over: threading.Event
) -> list[tuple[str, float]]:
    """Open the dashboard, let the clip begin, and read what appeared in the page when the clip is
    over.
    """
    url, end = f"http://127.0.0.1:{port}/", time.monotonic() + WAIT_S
    while page.run("document.querySelector('.table-still') !== null") is not True:
        if time.monotonic() > end or over.is_set():
            break
        if "127.0.0.1" not in page.run("location.href"):
            page.open(url)
        time.sleep(0.2)
    page.run(WATCH)
    page_open.set()
    over.wait()
    time.sleep(1.0)
    return [(str(text), float(at)) for text, at in page.run("window.lines")]


def arrivals(record: Path, clock: Clock, lines: Sequence[tuple[str, float]]) -> list[Arrival]:
    """Return every recorded call with its delays until it was in the page. Calls with the same
    words are distinguished by the time of their incidents.
    """
    entries = read_record(record)
    incidents = {
        entry.id: entry
        for entry in entries
        if isinstance(entry, Measured) and entry.t_s is not None
    }
    return [
        _arrival(call.text, incidents[call.on], clock, lines)
        for call in summary(fold(entries)).calls
        if call.on in incidents
    ]


def _arrival(
    text: str, incident: Measured, clock: Clock, lines: Sequence[tuple[str, float]]
) -> Arrival:
    assert incident.t_s is not None
    happened_s = clock.due(clock.frame_after(incident.t_s))
    stood = min(
        (at for line, at in lines if text in line and at >= clock.due(incident.t_s)), default=None
    )
    said_s = min(
        (t_s for said, t_s in clock.published if said == text and t_s >= incident.t_s), default=None
    )
    waits = isinstance(incident, AtRest | Flicked)
    decided_s = clock.due(said_s) if waits and said_s is not None else happened_s
    kind = str(incident.__struct_config__.tag)
    if stood is None:
        return Arrival(text, kind, incident.t_s, None, None)
    return Arrival(text, kind, incident.t_s, stood - happened_s, stood - decided_s)


def report(found: Sequence[Arrival], clock: Clock) -> list[str]:
    """Return the table and its summary, as lines."""
    rows = [f"{'call':62} {'rests on':13} {'at s':>6} {'incident ms':>12} {'decided ms':>11}"]
    rows += [
        f"{a.text[:62]:62} {a.kind:13} {a.t_s:6.2f} {_ms(a.since_incident_s):>12}"
        f" {_ms(a.since_decided_s):>11}"
        for a in found
    ]
    for name, delays_s in (
        ("decided", [a.since_decided_s for a in found]),
        (
            "incident, hits, crossings and falls",
            [
                a.since_incident_s
                for a in found
                if a.kind in ("contact", "line_crossed", "left_table")
            ],
        ),
    ):
        came = [delay for delay in delays_s if delay is not None]
        if came:
            rows.append(
                f"{name}: median {_ms(statistics.median(came))} ms, worst {_ms(max(came))} ms,"
                f" {len(came)} of {len(delays_s)} calls came"
            )
    return [*rows, "", *keeping_up(clock)]


def _ms(delay_s: float | None) -> str:
    return "never" if delay_s is None else f"{delay_s * 1000:.0f}"


def keeping_up(clock: Clock) -> list[str]:
    """Return the share of a core that was used, and how late frames were processed."""
    late_s, times_s = clock.late_s(), [t_s for t_s, _ in clock.frames]
    frame_s = statistics.median(b - a for a, b in itertools.pairwise(times_s))
    split = bisect.bisect(times_s, times_s[0] + OPENING_S)
    share = (clock.cpu_s[-1] - clock.cpu_s[0]) / (times_s[-1] - times_s[0])
    return [
        f"{len(late_s)} frames at {1 / frame_s:.0f} a second",
        (
            f"  in the first {OPENING_S:g} s, while the coins are found:"
            f" {_late(late_s[:split], frame_s)}"
        ),
        f"  afterwards: {_late(late_s[split:], frame_s)}",
        (
            f"{share:.2f} of a core for decoding, seeing, following, ruling, clips and serving,"
            " without the browser"
        ),
        f"load average of the machine before it began: {clock.load_before:.1f}",
    ]


def _late(late_s: Sequence[float], frame_s: float) -> str:
    if not late_s:
        return "none"
    return (
        f"{sum(late > frame_s for late in late_s)} of {len(late_s)} taken more than a frame late,"
        f" worst {_ms(max(late_s))} ms, the last {_ms(late_s[-1])} ms"
    )


def options_for(folder: Path, survey: Path | None, out: Path) -> WatchOptions:
    """Return what `referee demo` would use for this clip."""
    table, pieces = (
        surveyed(folder) if survey is None else (survey / "table.yaml", survey / "pieces.yaml")
    )
    match = read_match(folder / "match.yaml")
    return WatchOptions(
        source=str(folder / "clip.mp4"),
        match=match,
        table=table,
        pieces=pieces,
        out=out,
        overwrite=True,
        realtime=True,
        hosting=Hosting(port=free_port(), browser=False),
        linger=True,
    )


def bench(folder: Path, survey: Path | None = None) -> int:
    """Play one clip and print its table. Return 1 when a call came later than the bar or not at
    all.
    """
    with tempfile.TemporaryDirectory(prefix="live-") as scratch:
        options = options_for(folder, survey, Path(scratch) / "match")
        clock, lines = played(options)
        found = arrivals(options.out / "record.jsonl", clock, lines)
    print(f"{folder.name}, {date.today().isoformat()} on {machine()}\n")
    print("\n".join(report(found, clock)))
    return (
        0
        if found
        and all(a.since_decided_s is not None and a.since_decided_s <= BAR_S for a in found)
        else 1
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print. Return the exit status. Nothing is measured without Chromium."""
    parser = Arguments("live_latency", __doc__)
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=FIXTURES / "demo",
        help="a clip's folder as in fixtures/clips",
    )
    parser.add_argument(
        "--survey",
        type=Path,
        help="a folder with table.yaml and pieces.yaml; else they are measured from the clip",
    )
    given = parser.parse_args(arguments)
    if not browser():
        print("Chromium is not installed: nothing is measured")
        return 0
    return bench(given.folder, given.survey)


if __name__ == "__main__":
    raise SystemExit(main())

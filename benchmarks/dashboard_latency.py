"""Measures how long a call takes from `Feed.publish` to the open dashboard, while coins and a path
are published 60 times a second.

The time is measured twice: by a plain listener of `/events`, and in Chromium (if it is installed).
In Chromium two instants count: when the call is in the page, and the next frame, when it is on the
screen. The bar is 0.5 s from the frame that decided the call. The time that the referee itself
takes for that frame comes in addition and is not measured here.

  python -m benchmarks.dashboard_latency
"""

from __future__ import annotations

import http.client
import json
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

from benchmarks.arguments import Arguments
from benchmarks.chromium import Page, browser
from referee.desk.feed import Feed
from referee.desk.serving.server import serve
from web_ui.pages import create_app

BAR_S = 0.5
CALLS = 40
BETWEEN_CALLS_S = 0.17
FRAMES_PER_S = 60

#: Records, for every call, when it was in the page and when the next frame was made, in ms of the
#: system's clock.
WATCH = """
(() => {
  window.arrived = {};
  const note = (text) => {
    const number = /call number (\\d+)/.exec(text)?.[1];
    if (number === undefined || number in window.arrived) return;
    const times = window.arrived[number] = [performance.timeOrigin + performance.now(), null];
    requestAnimationFrame(() =>
      requestAnimationFrame(() => { times[1] = performance.timeOrigin + performance.now(); }));
  };
  new MutationObserver((records) =>
    records.forEach(({ addedNodes }) => addedNodes.forEach((node) => note(node.textContent))))
    .observe(document.getElementById('calls'), { childList: true });
})()
"""

TABLE = {
    "edge_mm": [[-60, -400], [1280, -400], [1280, 400], [-60, 400]],
    "sides": [],
    "tiles": {},
    "lines": {},
    "tile_mm": 50.8,
    "coin_mm": 19.05,
}


@contextmanager
def moving_match(feed: Feed) -> Iterator[None]:
    """Publish a match in which ten coins move all the time."""
    over = threading.Event()

    def publish_frames() -> None:
        way: list[list[float]] = []
        for frame in range(1_000_000):
            if over.wait(1 / FRAMES_PER_S):
                return
            way = [*way[-180:], [(frame * 7) % 1200, (frame * 3) % 300]]
            coins = {
                name: {"at_mm": [way[-1][0], 30 * i - 150], "state": "sliding"}
                for i, name in enumerate("abcdefghij")
            }
            feed.publish("coins", {"t_s": frame / FRAMES_PER_S, "coins": coins, "hand": False})
            feed.publish("path", {"flick": 1, "coins": {"a": way}})

    thread = threading.Thread(target=publish_frames)
    thread.start()
    yield
    over.set()
    thread.join()


def publish_calls(feed: Feed) -> list[float]:
    """Publish the calls one by one. Return when each was published, s of the system's clock."""
    calls: list[dict[str, object]] = []
    times_s = []
    for number in range(CALLS):
        time.sleep(BETWEEN_CALLS_S)
        calls.append(
            {
                "on": f"i{number}",
                "call": "wicket_scored",
                "rule": "Player turns",
                "flicks": 1,
                "text": f"This is call number {number}.",
            }
        )
        times_s.append(time.time())
        feed.publish("calls", calls)
    time.sleep(0.5)
    return times_s


def heard_by_plain_listener(url: str, heard_s: dict[int, float]) -> threading.Thread:
    """Record in `heard_s` when each call arrived, until the stream ends."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    connection.request("GET", "/events")
    response = connection.getresponse()

    def listen() -> None:
        for line in response:
            if line.startswith(b"data: {") and (calls := json.loads(line[6:]).get("calls")):
                for at, _, parts in calls["splices"]:
                    heard_s.setdefault(at + len(parts) - 1, time.time())
        connection.close()

    thread = threading.Thread(target=listen)
    thread.start()
    return thread


def seen_in_browser(url: str, feed: Feed) -> tuple[list[float], dict[int, tuple[float, float]]]:
    """Return when each call was published, and when it was in the page and on the screen, s of the
    system's clock.
    """
    with Page(url) as page:
        page.until("document.querySelector('.table-still')")
        page.run(WATCH)
        published_s = publish_calls(feed)
        arrived = page.run("window.arrived")
    return published_s, {
        int(number): (stood / 1000, shown / 1000) for number, (stood, shown) in arrived.items()
    }


def report(what: str, delays_s: list[float]) -> bool:
    """Print one line of the table. Return whether every call arrived within the allowed time."""
    in_order = sorted(delays_s)
    ninety_fifth = in_order[int(0.95 * (len(in_order) - 1))] if in_order else float("nan")
    median, worst = (
        (statistics.median(in_order), in_order[-1]) if in_order else (float("nan"), float("nan"))
    )
    print(
        f"{what:34} {len(in_order):3}/{CALLS}   median {median * 1000:6.1f} ms   95 %"
        f" {ninety_fifth * 1000:6.1f} ms   worst {worst * 1000:6.1f} ms"
    )
    return len(in_order) == CALLS and worst <= BAR_S


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table. Return 1 if a call arrived later than allowed or not at all."""
    Arguments("dashboard_latency", __doc__).parse_args(arguments)
    feed = Feed()
    server = serve(create_app(feed))
    feed.publish("table", TABLE)
    heard_s: dict[int, float] = {}
    with moving_match(feed):
        if browser():
            published_s, seen_s = seen_in_browser(server.url, feed)
            good = [
                report(
                    "stands in the page",
                    [seen_s[n][0] - t for n, t in enumerate(published_s) if n in seen_s],
                )
            ]
            good.append(
                report(
                    "shown on the screen",
                    [seen_s[n][1] - t for n, t in enumerate(published_s) if n in seen_s],
                )
            )
        else:
            print("Chromium is not installed: only the listener without a browser is measured")
            good = []
        feed.publish("calls", None)
        listening = heard_by_plain_listener(server.url, heard_s)
        published_s = publish_calls(feed)
    feed.close()
    listening.join()
    server.close()
    good.append(
        report(
            "heard by a plain listener",
            [heard_s[n] - t for n, t in enumerate(published_s) if n in heard_s],
        )
    )
    return 0 if all(good) else 1


if __name__ == "__main__":
    raise SystemExit(main())

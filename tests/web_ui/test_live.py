"""The whole program: a clip of a table is played at its own speed, and everybody with the page open
sees the calls.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import referee.desk.serving.server
from benchmarks.chromium import Page
from benchmarks.clip_folder import made_ready
from benchmarks.true_survey import true_survey
from calibration.store.store import read_camera, write_table
from calibration.store.yaml_input import read_yaml
from referee.desk.serving.hosting import Hosting
from referee.desk.serving.server import Server
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate
from referee.session import watching
from referee.session.match_file import read_match
from referee.session.watch_options import WatchOptions
from tests.web_ui.listening import Listener
from tests.web_ui.test_watching import BrowserWatcher, PlainWatcher

CLIP = Path(__file__).resolve().parents[2] / "fixtures" / "clips" / "pass-and-hit"
WAIT_S = 40.0


class Table:
    """A match that is refereed in a thread of its own. It begins when `let_begin` is called, and
    the page stays until `end`.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.let_begin, self.over, self._leave, self._served = (threading.Event() for _ in range(4))
        self.problem: Exception | None = None
        self.server: Server | None = None
        serve, open_source = referee.desk.serving.server.serve, watching.open_source

        def serving(*given, **named):  # type: ignore[no-untyped-def]
            self.server = serve(*given, **named)
            self._served.set()
            return self.server

        def opening(*given, **named):  # type: ignore[no-untyped-def]
            self.let_begin.wait(WAIT_S)
            return open_source(*given, **named)

        def lingering(_run: object) -> None:
            self.over.set()
            self._leave.wait(WAIT_S)

        monkeypatch.setattr(referee.desk.serving.server, "serve", serving)
        monkeypatch.setattr(watching, "open_source", opening)
        monkeypatch.setattr(watching, "_linger", lingering)

    def play(self, options: WatchOptions) -> str:
        """Begin, and return the address of the page."""
        self._thread = threading.Thread(target=self._watch, args=(options,), daemon=True)
        self._thread.start()
        self._served.wait(WAIT_S)
        assert self.server is not None, self.problem
        return self.server.url

    def _watch(self, options: WatchOptions) -> None:
        try:
            watching.watch(options)
        except Exception as problem:  # noqa: BLE001 - reported by the test
            self.problem = problem
        self._served.set()
        self.over.set()

    def end(self) -> None:
        self.let_begin.set()
        self._leave.set()
        self._thread.join(WAIT_S)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table(monkeypatch)
    yield table
    table.end()


@pytest.fixture
def options(tmp_path: Path) -> WatchOptions:
    """Return options for the clip on its true table, with Ben to begin. His suns runs wicket 1 and
    hits moons, which then passes through wicket 2.
    """
    ready = made_ready(CLIP, tmp_path)
    write_table(
        tmp_path / "table.yaml", true_survey(ready.truth, read_camera(ready.camera), ready.sizes_mm)
    )
    match = read_match(ready.match)
    players = tuple(sorted(match.players, key=lambda player: player.coin != "suns"))
    lie = {
        str(coin): (float(x), float(y))
        for coin, (x, y) in read_yaml(CLIP / "scene.yaml")["coins"].items()
    }
    return WatchOptions(
        source=str(ready.video),
        match=replace(match, players=players),
        table=tmp_path / "table.yaml",
        out=tmp_path / "out",
        names_mm=lie,
        realtime=True,
        hosting=Hosting(browser=False),
        linger=True,
    )


def test_what_happens_in_a_clip_is_called_on_the_open_page_and_disputed_there(
    table: Table, options: WatchOptions, window: Page, capfd: pytest.CaptureFixture[str]
) -> None:
    url = table.play(options)
    window.open(entry_address(capfd))
    with closing(Listener(url, limit_s=WAIT_S)) as listener:
        window.until("document.querySelector('.table-still')")
        assert "Ben passes wicket 1" not in window.run("document.body.innerText")
        table.let_begin.set()
        for watcher in (PlainWatcher(listener), BrowserWatcher(window)):
            watcher.sees("Ben passes wicket 1 and earns a flick.")
            watcher.sees("Ben hits Ann's coin and earns two flicks.")
        assert table.over.wait(WAIT_S)
        assert table.problem is None
        window.until("!document.querySelector('#provisional li')")
        assert window.run("document.querySelectorAll('#calls .call-wicket_scored').length") == 1
        assert window.run(
            "[...document.querySelectorAll('#calls .call')].every((call) =>"
            " call.querySelector('.call-rule'))"
        )
        # The turn has one flick, which is used. The wicket gives one and the hit two: three are
        # left, but the recording has ended, and the page does not say that Ben flicks them.
        ended = adjudicate(read_record(options.out / "record.jsonl"))
        assert ended.turn["flicks_left"] == 3
        window.until("!document.querySelector('.turn-count')")
        assert [
            window.run(
                f"document.querySelector('.course-row[data-coin={coin}] .course-count"
                " strong').innerText"
            )
            for coin in ("suns", "moons")
        ] == ["1", "0"]
    dispute(window, "li.call-hit_scored", "Ann")
    last = json.loads((options.out / "record.jsonl").read_text().splitlines()[-1])
    assert (last["verdict"], last["by"], last["reason"]) == (
        "overturned",
        "Ann",
        "seen in the clip",
    )
    window.until("!document.querySelector('#calls .call-hit_scored')")


def entry_address(capfd: pytest.CaptureFixture[str]) -> str:
    """Wait until the first address is printed, which is soon after the page is served."""
    end_s, printed = time.monotonic() + WAIT_S, ""
    while not (found := re.search(r"open this within \d+ s: (http\S+)\n", printed)):
        assert time.monotonic() < end_s, printed
        time.sleep(0.05)
        printed += capfd.readouterr().out
    return found[1]


def dispute(page: Page, call: str, player: str) -> None:
    """Look at a call's clip, say that it does not count, and confirm it as a player."""
    page.run(f"document.querySelector('#calls {call} .look-button').click()")
    page.until("document.querySelector('dialog video')?.readyState >= 2")
    page.until("document.querySelector('dialog .look-frames:not([hidden])')")  # drawn over it
    page.run("document.querySelector('dialog [value=overturned]').click()")
    page.until("document.querySelector('dialog .difference-gone')")
    page.run(
        "[...document.querySelectorAll('dialog .dispute-decide .button')].find((chip) =>"
        f" chip.innerText === '{player} decides').click()"
    )
    page.until("!document.querySelector('dialog')")

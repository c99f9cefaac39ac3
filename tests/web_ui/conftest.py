import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from benchmarks.chromium import Page, browser
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.library.archive import MatchFolder
from tests.web_ui.at_table import TableServer, client_at_table, serve_table
from tests.web_ui.devices import Device, Room
from tests.web_ui.entering_table import Table
from tests.web_ui.followed import LAPTOP, NOTE_PROBLEMS, Show, record

LISTENERS = 3
WAIT_S = 20.0
NO_BROWSER = (
    "they need Chromium. To run them, install it (on Debian as root: apt-get install"
    " chromium-headless-shell) and test again."
)


@pytest.fixture
def feed() -> Iterator[Feed]:
    feed = Feed()
    yield feed
    feed.close()


@pytest.fixture
def room(feed: Feed) -> Room:
    return Room(feed)


@pytest.fixture
def at_table(room: Room) -> Device:
    device = room.device("127.0.0.1")
    device.get(room.access.entry_path())
    return device


@pytest.fixture
def client(feed: Feed) -> FlaskClient:
    return client_at_table(feed, listeners=LISTENERS)


@pytest.fixture
def server(feed: Feed) -> Iterator[TableServer]:
    server = serve_table(feed, listeners=LISTENERS)
    yield server
    feed.close()
    server.close()


@pytest.fixture
def answer(client: FlaskClient) -> Callable[..., int]:
    """Return a function that POSTs JSON as our own page does, with the test's changes, and returns
    the status.
    """

    def post(names: object, to: str = "naming", **changes: object) -> int:
        sent = {
            "data": json.dumps(names),
            "content_type": "application/json",
            "headers": {"Origin": "http://localhost"},
            **changes,
        }
        return client.post(f"/answers/{to}", **sent).status_code  # type: ignore[arg-type]

    return post


@pytest.fixture(scope="session")
def window() -> Iterator[Page]:
    """Open one browser for all the tests of a process. Without Chromium they are skipped."""
    if browser() is None:
        pytest.skip(NO_BROWSER)
    with Page() as page:
        page.send("Page.enable")
        page.send("Page.addScriptToEvaluateOnNewDocument", source=NOTE_PROBLEMS)
        yield page


@pytest.fixture
def page(window: Page, server: TableServer) -> Iterator[Page]:
    window.resize(1366, 768)
    window.open(server.url)
    yield window
    window.open("about:blank")


def check_problems(page: Page) -> None:
    """Check that no script has failed and everything was loaded, except for a clip that does not
    exist.
    """
    assert (
        page.run(
            "(window.problems ?? []).filter((problem) => !problem.includes('HTMLVideoElement'))"
        )
        == []
    )


@pytest.fixture
def show(window: Page) -> Iterator[Show]:
    """Return a function that follows a record and opens its page."""
    with ExitStack() as stack:

        def following(path: Path) -> Page:
            feed, over = Feed(), threading.Event()
            followed = FollowedRecord(path, feed)
            followed.look()
            server = serve_table(feed, MatchFolder(path.parent), followed)

            def follow() -> None:
                while not over.is_set():
                    followed.listen(0.05)
                    followed.look()

            thread = threading.Thread(target=follow, daemon=True)
            thread.start()
            for end in (
                server.close,
                feed.close,
                lambda thread=thread: thread.join(WAIT_S),
                over.set,
                lambda: window.open("about:blank"),
                lambda: check_problems(window),
            ):
                stack.callback(end)
            window.resize(*LAPTOP)
            window.open(server.url)
            window.until("document.querySelector('.turn-name')")
            return window

        yield following


@pytest.fixture
def sit(tmp_path: Path) -> Callable[..., Table]:
    """Return a function that opens a scripted match after so many of its lines."""

    def down(game: str, name: str = "whole-game", lines: int = 1) -> Table:
        return Table(record(tmp_path, game, name, lines))

    return down

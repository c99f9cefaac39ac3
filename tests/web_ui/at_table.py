"""Ways into the pages for those who may rule: as the browser that the program opens comes in."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from referee.desk.feed import Feed
from referee.desk.serving.server import Server, serve
from web_ui.access import Access
from web_ui.pages import create_app


class TableServer:
    """A server of a run's pages. `url` is a new first address each time, which is good once, and
    `look_url` is the page's own address.
    """

    def __init__(self, server: Server, access: Access) -> None:
        self._server, self.access = server, access

    @property
    def url(self) -> str:
        return self.look_url.rstrip("/") + self.access.entry_path()

    @property
    def look_url(self) -> str:
        return self._server.url

    @property
    def port(self) -> int:
        return self._server.port

    def close(self) -> None:
        self._server.close()


def serve_table(feed: Feed, *given: Any, **named: Any) -> TableServer:
    """Serve the pages that `create_app` makes of these arguments."""
    access = Access()
    return TableServer(serve(create_app(feed, *given, access=access, **named)), access)


def client_at_table(feed: Feed, *given: Any, **named: Any) -> FlaskClient:
    """Return a client that has come in by the first address."""
    access = Access()
    client = create_app(feed, *given, access=access, **named).test_client()
    assert client.get(access.entry_path()).status_code == 303
    return client

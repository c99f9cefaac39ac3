import json
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.feed import Feed
from referee.serving import Server, serve
from web_ui import create_app

LISTENERS = 3


@pytest.fixture
def feed() -> Iterator[Feed]:
    feed = Feed()
    yield feed
    feed.close()


@pytest.fixture
def app(feed: Feed) -> Flask:
    return create_app(feed, listeners=LISTENERS)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def server(app: Flask, feed: Feed) -> Iterator[Server]:
    server = serve(app, listeners=LISTENERS)
    yield server
    feed.close()
    server.close()


@pytest.fixture
def answer(client: FlaskClient) -> Callable[..., int]:
    """POST JSON as our own page does, with whatever is changed by the test, and give the status."""

    def post(names: object, to: str = "naming", **changes: object) -> int:
        sent = {"data": json.dumps(names), "content_type": "application/json", "headers": {"Origin": "http://localhost"}, **changes}
        return client.post(f"/answers/{to}", **sent).status_code  # type: ignore[arg-type]

    return post

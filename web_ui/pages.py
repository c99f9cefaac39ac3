"""The app factory. One blueprint a topic: `live` follows a running match."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask

from referee.feed import Feed
from web_ui import guard, live

#: The names under which a browser on this machine reaches the pages.
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


def create_app(feed: Feed, *, names: Sequence[str] = LOCAL_NAMES, listeners: int = 16) -> Flask:
    """The web pages over `feed`. Only requests for a host in `names` are answered; at most `listeners` pages listen at once.

    Give the same `listeners` to `referee.serving.serve`, which keeps a thread for each.
    """
    app = Flask("web_ui")
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    guard.protect(app, names)
    app.register_blueprint(live.pages(feed, listeners))
    return app

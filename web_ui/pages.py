"""The app factory. One blueprint a topic: `live` follows a running match, `replay` shows again what was seen of it."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask

from referee.archive import MatchFolder
from referee.feed import Feed
from web_ui import guard, live, replay

#: The names under which a browser on this machine reaches the pages.
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


def create_app(feed: Feed, folder: MatchFolder | None = None, *, names: Sequence[str] = LOCAL_NAMES, listeners: int = 16) -> Flask:
    """The web pages over `feed`, and over the clips and paths in `folder` where there is one.

    Only requests for a host in `names` are answered; at most `listeners` pages listen at once. Give the same `listeners` to
    `referee.serving.serve`, which keeps a thread for each.
    """
    app = Flask("web_ui")
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    guard.protect(app, names)
    app.register_blueprint(live.pages(feed, listeners))
    if folder is not None:
        app.register_blueprint(replay.pages(folder))
    return app

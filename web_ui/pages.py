"""The app factory.

There is a blueprint for each topic: `live` follows a running match, `replay` shows clips and paths
again, `umpire` takes rulings, and `entering` takes what people enter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from referee.desk.feed import Feed
from referee.library.archive import MatchFolder
from web_ui import entering, guard, live, replay, umpire

#: The names under which a browser on this machine reaches the pages.
LOCAL_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


def create_app(
    feed: Feed,
    folder: MatchFolder | None = None,
    desk: umpire.Desk | None = None,
    *,
    names: Sequence[str] = LOCAL_NAMES,
    listeners: int = 16,
) -> Flask:
    """Return the web pages over `feed`, over the clips and paths in `folder` where there is one,
    and over `desk` where rulings are taken.

    Only requests for a host in `names` are answered. At most `listeners` pages follow the feed at
    once. Give the same `listeners` to `referee.desk.server.serve`, which keeps a thread for each of
    them.
    """
    app = Flask("web_ui")
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    guard.protect(app, names)
    app.register_blueprint(live.pages(feed, listeners))
    if folder is not None:
        app.register_blueprint(replay.pages(folder))
    if desk is not None:
        app.register_blueprint(umpire.pages(desk))
        app.register_blueprint(entering.pages(desk))

    @app.errorhandler(404)
    def missing(_error: Exception) -> ResponseReturnValue:
        return render_template("missing.html"), 404

    return app

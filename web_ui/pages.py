"""The app factory.

There is a blueprint for each topic: `entrance` lets people in, `live` shows a running match,
`screens` shows it to those who only look, `replay` shows clips and paths again, `umpire` takes
rulings, and `entering` takes what people enter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from referee.desk.feed import Feed
from referee.desk.serving.hosting import LOCAL_NAMES
from referee.desk.serving.wsgi_bridge import ENDPOINTS, Scope
from referee.library.archive import MatchFolder
from web_ui import entering, entrance, guard, live, replay, screens, umpire
from web_ui.access import Access
from web_ui.reading import problem
from web_ui.stream import LISTENERS, EventStream

MOST_BYTES: Final = 64 * 1024  # Chosen: the longest body of a request; pages send at most 2 kB


def create_app(
    feed: Feed,
    folder: MatchFolder | None = None,
    desk: umpire.Desk | None = None,
    *,
    names: Sequence[str] = LOCAL_NAMES,
    listeners: int = LISTENERS,
    access: Access | None = None,
    addresses: entrance.Addresses = tuple,
    at_table: Callable[[Scope], bool] | None = None,
) -> Flask:
    """Return the app. It shows what `feed` publishes. With `folder` it also shows the clips and
    paths kept there, and with `desk` it takes rulings and entries.

    It answers only requests for a host in `names`, or for the address at which they come in.
    Everybody who reaches the pages may look; `access` decides who may do more, and without it
    nobody may. `addresses` gives the addresses of the page for other devices.

    At most `listeners` pages follow the feed at once. `at_table` says from a request's scope
    whether it comes from the table's own browser; otherwise `access` says so. Pages listen to
    `/events`, which Flask does not serve: `referee.desk.serving.server.serve` finds it in
    `app.extensions`.
    """
    app = Flask("web_ui")
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    access = access or Access()
    guard.protect(app, names)
    entrance.require_session(app, access)
    app.register_blueprint(entrance.pages(access, feed, addresses))
    app.register_blueprint(live.pages(feed))
    app.register_blueprint(screens.pages())
    stream = EventStream(feed, names, listeners, at_table or access.at_table)
    app.extensions[ENDPOINTS] = {"/events": stream}
    if folder is not None:
        app.register_blueprint(replay.pages(folder))
    if desk is not None:
        app.register_blueprint(umpire.pages(desk))
        app.register_blueprint(entering.pages(desk))

    @app.errorhandler(404)
    def missing(_error: Exception) -> ResponseReturnValue:
        return render_template("missing.html"), 404

    @app.errorhandler(413)
    def too_long(_error: Exception) -> ResponseReturnValue:
        return problem(f"What was sent is longer than {MOST_BYTES // 1024} kB.", 413)

    return app

"""Serves the dashboard of a run on this machine, and opens a browser where there is one."""

from __future__ import annotations

import webbrowser
from contextlib import ExitStack
from pathlib import Path

from referee.desk.feed import Feed
from referee.desk.ruling_desk import RulingDesk
from referee.library.archive import MatchFolder
from referee.session.watch_options import WatchOptions
from referee.vision.sources.video import without_password


def serve_dashboard(
    options: WatchOptions, feed: Feed, ruling_desk: RulingDesk, stack: ExitStack
) -> None:
    """Serve the dashboard on localhost until `stack` is closed, and open it where there is a
    browser. `ruling_desk` takes the rulings that people make there.

    Raises InputError when the port is not available.
    """
    from referee.desk.server import has_screen, serve
    from web_ui.pages import create_app

    server = serve(create_app(feed, MatchFolder(options.out), ruling_desk), port=options.port)
    stack.callback(server.close)
    stack.callback(feed.close)
    print(f"The dashboard is at {server.url}", flush=True)
    if options.browser and has_screen():
        webbrowser.open(server.url)


def shown_name(source: str) -> str:
    """Return what a source is called on the dashboard: a file by its name without folders, an
    address without its password.
    """
    return without_password(source) if "://" in source else Path(source).name

"""Serves the dashboard of a run, and says what its source is called there."""

from __future__ import annotations

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
    """Serve the dashboard until `stack` is closed, and open it where there is a browser.
    `ruling_desk` takes the rulings that people make there.

    Raises InputError when the address or port is not available.
    """
    from web_ui.opening import open_dashboard

    open_dashboard(options.hosting, feed, MatchFolder(options.out), ruling_desk, stack)


def shown_name(source: str) -> str:
    """Return what a source is called on the dashboard: a file by its name without folders, an
    address without its password.
    """
    return without_password(source) if "://" in source else Path(source).name

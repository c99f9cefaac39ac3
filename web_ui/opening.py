"""Serves the dashboard of a run, prints its address, and opens it in a browser if there is one."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import ExitStack

import click

from referee.desk.feed import Feed
from referee.desk.serving.hosting import LOCAL_NAMES, Hosting
from referee.library.archive import MatchFolder
from web_ui.access import ENTRY_S, Access
from web_ui.umpire import Desk


def open_dashboard(
    hosting: Hosting, feed: Feed, folder: MatchFolder, desk: Desk, stack: ExitStack
) -> None:
    """Serve the dashboard until `stack` is closed, and open it where there is a browser. `desk`
    takes what people decide and enter there.

    Raises InputError when the address or port is not available.
    """
    from referee.desk.serving.server import has_screen, serve
    from web_ui.pages import create_app

    access = Access()
    names = (*LOCAL_NAMES, *hosting.names)
    offered: list[str] = []
    app = create_app(feed, folder, desk, names=names, access=access, addresses=lambda: offered)
    server = serve(app, host=hosting.host, port=hosting.port)
    stack.callback(server.close)
    stack.callback(feed.close)
    offered += hosting.network_urls(server.port)
    local = hosting.local_url(server.port)
    click.echo(f"The dashboard is at {local}")
    entry = local.rstrip("/") + access.entry_path()
    if not (hosting.browser and has_screen() and webbrowser.open(entry)):
        click.echo(f"To rule and enter there, open this within {ENTRY_S:.0f} s: {entry}")
    _show_pin(f"To rule and enter from another device, or later, use this PIN: {access.pin}")
    access.observe(lambda: _show_pin(f"The PIN is now {access.pin}"))
    for address in offered:
        _show_address(address)
    sys.stdout.flush()


def _show_pin(line: str) -> None:
    """Print a line with the PIN for the people at the terminal, and never into a log."""
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty():
            click.echo(line, file=stream)
            return


def _show_address(address: str) -> None:
    from referee.desk.serving.qr_code import terminal_lines

    click.echo(f"On other devices it is at {address}")
    for line in terminal_lines(address):
        click.echo(click.style(line, fg="bright_white", bg="black"))

"""`referee follow` shows a record on the dashboard while any program writes it."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Final

import click

from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.domain.errors import InputError
from referee.library.archive import MatchFolder

#: The time between two reads of the file.
LOOK_EVERY_S: Final = 0.2


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--no-browser", is_flag=True, help="Print the dashboard's address, and do not open a browser."
)
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    help="The port of the dashboard on localhost. [default: any free port]",
)
def follow(record: Path, no_browser: bool, port: int) -> int:
    """Show RECORD on the dashboard while it grows, until Ctrl-C.

    Any program may append to the record. The page shows standings, calls with their rules,
    questions, and what is expected next. It appends what people play, declare, answer and rule
    there, so you can play a whole match on it from a record that holds the setup alone.
    """
    feed = Feed()
    following = FollowedRecord(record, feed)
    following.look()  # refuse an unreadable record before opening a page
    from referee.desk.server import has_screen, serve
    from web_ui.pages import create_app

    server = serve(create_app(feed, MatchFolder(record.parent), following), port=port)
    try:
        click.echo(f"The dashboard is at {server.url}\nEnd it with Ctrl-C.")
        if not no_browser and has_screen():
            webbrowser.open(server.url)
        _keep_following(following)
    except KeyboardInterrupt:  # people end it this way; nothing is lost
        click.echo("\nEnded.")
    finally:
        feed.close()
        server.close()
    return 0


def _keep_following(following: FollowedRecord) -> None:
    try:
        while True:
            following.listen(LOOK_EVERY_S)
            following.look()
    except InputError as error:
        following.failed(str(error))
        raise

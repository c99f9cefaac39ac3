"""`referee follow`: the dashboard over a record as it grows, whatever program writes it."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.domain.errors import InputError
from referee.library.archive import MatchFolder

#: How often the file is looked at.
LOOK_EVERY_S = 0.2


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--no-browser", is_flag=True, help="Do not open a browser, only print the dashboard's address."
)
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    help="The dashboard's port on localhost; else any free one.",
)
def follow(record: Path, no_browser: bool, port: int) -> int:
    """Show RECORD on the dashboard, as it is and as it grows, until Ctrl-C.

    Whatever program appends to it, the page shows standings, calls with their rule, questions, and
    what is expected next. What is played, declared, answered and ruled on the page is appended: a
    record with its setup alone is played to its end there.
    """
    feed = Feed()
    following = FollowedRecord(record, feed)
    following.look()  # what cannot be read is refused before a page is opened
    from referee.desk.server import has_screen, serve
    from web_ui.pages import create_app

    server = serve(create_app(feed, MatchFolder(record.parent), following), port=port)
    try:
        click.echo(f"The dashboard is at {server.url}\nEnd it with Ctrl-C.")
        if not no_browser and has_screen():
            webbrowser.open(server.url)
        _keep_following(following)
    except KeyboardInterrupt:  # the way this ends, and nothing is lost by it
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

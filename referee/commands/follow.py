"""`referee follow` shows a record on the dashboard while any program writes it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from referee.commands.options.hosting import host_name_option, hosting_of, hosting_options
from referee.domain.errors import InputError
from referee.library.archive import MatchFolder

if TYPE_CHECKING:
    from referee.desk.followed_record import FollowedRecord

#: The time between two reads of the file.
LOOK_EVERY_S: Final = 0.2


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@hosting_options
@host_name_option
def follow(record: Path, no_browser: bool, host: str, port: int, names: tuple[str, ...]) -> int:
    """Show RECORD on the dashboard while it grows, until Ctrl-C.

    Any program may append to the record. The page shows standings, calls with their rules,
    questions, and what is expected next. It appends what people play, declare, answer and rule
    there, so you can play a whole match on it from a record that holds the setup alone.
    """
    hosting = hosting_of(host, port, names, no_browser=no_browser)
    from referee.desk.feed import Feed  # --help waits for no game's rules
    from referee.desk.followed_record import FollowedRecord

    feed = Feed()
    following = FollowedRecord(record, feed)
    following.look()  # refuse an unreadable record before opening a page
    from web_ui.opening import open_dashboard

    try:
        with ExitStack() as stack:
            open_dashboard(hosting, feed, MatchFolder(record.parent), following, stack)
            click.echo("End it with Ctrl-C.")
            _keep_following(following)
    except KeyboardInterrupt:  # people end it this way; nothing is lost
        click.echo("\nEnded.")
    return 0


def _keep_following(following: FollowedRecord) -> None:
    try:
        while True:
            following.listen(LOOK_EVERY_S)
            following.look()
    except InputError as error:
        following.failed(str(error))
        raise

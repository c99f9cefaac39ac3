"""`referee paths` follows discs that are flicked on a plain table, without a game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from referee.domain.errors import InputError

LARGEST_MM: Final = 200.0  # Chosen: nobody flicks wider discs


@click.command()
@click.argument("video")
@click.option(
    "--coin-mm",
    type=float,
    help="The width of a disc, or the median of several widths. Without it all results are in px.",
)
@click.option(
    "--lines",
    help="A file of lines, or 'pairs' for the lines between any two discs that lie still.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for paths, incidents, figures and pictures.",
)
def paths(video: str, coin_mm: float | None, lines: str | None, out: Path) -> None:
    """Follow the discs in VIDEO: a file, the address of a stream or the number of a camera.

    The camera must stand still and look from above at discs on a plain table. Writes each flick's
    path, contacts, near misses and crossings of lines, a picture of each flick, and a page with all
    of them.
    """
    from referee.free_play.run import follow_discs

    try:
        if coin_mm is not None and not 0.0 < coin_mm <= LARGEST_MM:
            raise InputError(
                f"--coin-mm {coin_mm:g}: should be more than 0, at most {LARGEST_MM:g}"
            )
        follow_discs(video, coin_mm, lines, out, click.echo)
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error

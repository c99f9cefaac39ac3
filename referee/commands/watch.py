"""`referee watch` referees a match from a camera, a video file or a stream."""

from __future__ import annotations

import math
from datetime import datetime
from pathlib import Path
from typing import Final

import click
import platformdirs

from referee.commands.options.camera_size import parse_size
from referee.commands.options.finite_number import FiniteNumber
from referee.commands.options.hosting import hosting_of, hosting_options
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.layout import SIDES_OF_TABLE
from referee.library.archive import new_folder_name

#: The name of this program's folders for user data and cache.
APPLICATION: Final = "table-referee"


def matches_root() -> Path:
    """Return the folder that holds the matches when `--out` is not given."""
    return Path(platformdirs.user_data_dir(APPLICATION, appauthor=False)) / "matches"


@click.command()
@click.argument("source")
@click.option(
    "--match",
    "match_file",
    required=True,
    type=click.Path(path_type=Path),
    help="The game, its players and the options (match.yaml).",
)
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="The surveyed table (table.yaml, which `referee calibrate table` writes).",
)
@click.option(
    "--pieces",
    type=click.Path(path_type=Path),
    help="The set of pieces (pieces.yaml, which `referee calibrate pieces` writes).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=(
        "The folder for the record, the paths and the clips. [default: a new one with today's"
        " date among your user data]"
    ),
)
@click.option("--resume", is_flag=True, help="Continue the record in the folder --out.")
@click.option("--overwrite", is_flag=True, help="Delete the record in the folder --out.")
@click.option(
    "--no-ui",
    is_flag=True,
    help=(
        "Show no dashboard. Stop with status 3 if a coin's name stays unsure, or which castle is"
        " Moons'."
    ),
)
@hosting_options
@click.option(
    "--stay", is_flag=True, help="Keep the dashboard open after the end of the video, until Ctrl-C."
)
@click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    help="Also write a video with everything the referee saw drawn over it.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="COIN=X,Y",
    help=(
        "Say which coin lies at X,Y mm. A NAME without =X,Y is another name of your machine, such"
        " as scoreboard.local, under which browsers may open the dashboard. You may give this"
        " several times."
    ),
)
@click.option(
    "--moons-side",
    type=click.Choice(SIDES_OF_TABLE),
    help=(
        "The side of the table at which Moons' castle is, as the camera sees it, where the survey"
        " could not tell it. [default: asked on the dashboard]"
    ),
)
@click.option(
    "--once",
    is_flag=True,
    help="End when a stream or a camera stops sending pictures, instead of trying again.",
)
@click.option(
    "--realtime",
    is_flag=True,
    help="Referee a video file at its own speed, not as fast as possible.",
)
@click.option(
    "--camera-size",
    metavar="WxH",
    help="The picture size to ask the camera for. [default: 1280x720]",
)
@click.option(
    "--camera-fps",
    type=FiniteNumber(min=1),
    help="The frames per second to ask the camera for. [default: 60]",
)
def watch(
    source: str,
    match_file: Path,
    table: Path,
    pieces: Path | None,
    out: Path | None,
    resume: bool,
    overwrite: bool,
    no_ui: bool,
    no_browser: bool,
    host: str,
    port: int,
    stay: bool,
    overlay: Path | None,
    names: tuple[str, ...],
    moons_side: str | None,
    once: bool,
    realtime: bool,
    camera_size: str | None,
    camera_fps: float | None,
) -> int:
    """Referee a match from SOURCE: a video file, a stream's address (rtsp://, http://), or a
    camera's number.

    The command writes record.jsonl and paths.csv. It ends with status 2 if it cannot use something
    you gave. It ends with 3 if nobody can be asked which castle is Moons', or which coin is which,
    and neither is sure.
    """
    from referee.session.match_file import read_match  # --help does not wait for either
    from referee.session.watch_options import WatchOptions

    match = read_match(match_file)
    _check_together(stay=stay, no_ui=no_ui, resume=resume, out=out)
    places, host_names = split_names(names, match.coins)
    options = WatchOptions(
        source=source,
        match=match,
        table=table,
        out=out or matches_root() / new_folder_name(match.game, datetime.now()),
        pieces=pieces,
        overlay=overlay,
        resume=resume,
        overwrite=overwrite,
        names_mm=parse_names(places, match.coins),
        moons_side=moons_side,
        realtime=realtime,
        ui=not no_ui,
        hosting=hosting_of(host, port, host_names, no_browser=no_browser),
        linger=stay,
        camera_px=None if camera_size is None else parse_size(camera_size),
        camera_fps=camera_fps,
        once=once,
    )
    from referee.session.watching import watch as watch_match

    return watch_match(options)


def _check_together(*, stay: bool, no_ui: bool, resume: bool, out: Path | None) -> None:
    """Refuse options that contradict each other. Raises InputError."""
    if stay and no_ui:
        raise InputError("--stay and --no-ui: there is no dashboard to keep open")
    if resume and out is None:
        raise InputError("--resume: name the folder of the match with --out")


def split_names(
    given: tuple[str, ...], coins: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split the names given with `--name` into names of coins, with or without a place, and names
    of this machine.
    """
    of_coins = tuple(text for text in given if "=" in text or text in coins)
    return of_coins, tuple(text for text in given if text not in of_coins)


def parse_names(given: tuple[str, ...], coins: tuple[str, ...]) -> dict[str, Point]:
    """Read places such as `suns=100,-20`, in mm. Raises InputError for anything else, for unknown
    coins and for coins given twice.
    """
    places: dict[str, Point] = {}
    for text in given:
        coin, _, place = text.partition("=")
        try:
            numbers = [float(part) for part in place.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) != 2 or not all(map(math.isfinite, numbers)):
            raise InputError(f"--name {text}: should read COIN=X,Y in mm, such as suns=100,-20")
        if coin not in coins:
            raise InputError(
                f"--name {text}: {coin!r} is not a coin of this match ({', '.join(coins)})"
            )
        if coin in places:
            raise InputError(f"--name {text}: {coin} is named twice")
        places[coin] = (numbers[0], numbers[1])
    return places

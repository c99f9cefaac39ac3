"""`referee watch`: a match from camera to record."""

from __future__ import annotations

import math
from datetime import datetime
from pathlib import Path

import click
import platformdirs

from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.library.archive import new_folder_name
from referee.session.match_file import read_match
from referee.session.watch_options import WatchOptions

#: The name under which this program keeps things of its own.
APPLICATION = "table-referee"


def matches_root() -> Path:
    """Where matches are kept when no `--out` is given."""
    return Path(platformdirs.user_data_dir(APPLICATION, appauthor=False)) / "matches"


@click.command()
@click.argument("source")
@click.option(
    "--match",
    "match_file",
    required=True,
    type=click.Path(path_type=Path),
    help="The game, its players and options (match.yaml).",
)
@click.option(
    "--table",
    required=True,
    type=click.Path(path_type=Path),
    help="The surveyed table (table.yaml, from `referee calibrate table`).",
)
@click.option(
    "--pieces",
    type=click.Path(path_type=Path),
    help="The set of pieces (pieces.yaml, from `referee calibrate pieces`).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for record, paths and clips; else a new one, dated, among your own data.",
)
@click.option("--resume", is_flag=True, help="Go on with the record that --out holds.")
@click.option("--overwrite", is_flag=True, help="Throw away the record that --out holds.")
@click.option(
    "--no-ui",
    is_flag=True,
    help="No dashboard; stop with status 3 where a coin's name stays unsure.",
)
@click.option(
    "--no-browser", is_flag=True, help="Do not open a browser, only print the dashboard's address."
)
@click.option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    help="The dashboard's port on localhost; else any free one.",
)
@click.option(
    "--stay", is_flag=True, help="Keep the dashboard open when the video has ended, until Ctrl-C."
)
@click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    help="Also write a video with what was seen drawn over it.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="COIN=X,Y",
    help="Which coin lies at X,Y mm; may be given several times.",
)
@click.option("--realtime", is_flag=True, help="Play a file at its own speed.")
@click.option(
    "--camera-size", default="1280x720", metavar="WxH", help="Picture size to ask a camera for."
)
@click.option(
    "--camera-fps",
    default=60.0,
    type=click.FloatRange(min=1),
    help="Frames a second to ask a camera for.",
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
    port: int,
    stay: bool,
    overlay: Path | None,
    names: tuple[str, ...],
    realtime: bool,
    camera_size: str,
    camera_fps: float,
) -> int:
    """Referee a match from SOURCE: a video file, a stream's address (rtsp://, http://), or a
    camera's number.

    Writes record.jsonl and paths.csv. Ends with status 2 when something given cannot be used, 3
    when a coin's name stays unsure and nobody can be asked.
    """
    match = read_match(match_file)
    _check_together(stay=stay, no_ui=no_ui, resume=resume, out=out)
    options = WatchOptions(
        source=source,
        match=match,
        table=table,
        out=out or matches_root() / new_folder_name(match.game, datetime.now()),
        pieces=pieces,
        overlay=overlay,
        resume=resume,
        overwrite=overwrite,
        names_mm=parse_names(names, match.coins),
        realtime=realtime,
        ui=not no_ui,
        port=port,
        browser=not no_browser,
        linger=stay,
        camera_px=parse_size(camera_size),
        camera_fps=camera_fps,
    )
    from referee.session.watching import watch as watch_match

    return watch_match(options)


def _check_together(*, stay: bool, no_ui: bool, resume: bool, out: Path | None) -> None:
    """Raises InputError for options that mean nothing together."""
    if stay and no_ui:
        raise InputError("--stay and --no-ui: there is no dashboard to keep open")
    if resume and out is None:
        raise InputError("--resume: say which match goes on, by --out")


def parse_names(given: tuple[str, ...], coins: tuple[str, ...]) -> dict[str, Point]:
    """`suns=100,-20` and the like as places in mm. Raises InputError for anything else, unknown
    coins and coins given twice.
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
                f"--name {text}: {coin!r} is no coin of this match ({', '.join(coins)})"
            )
        if coin in places:
            raise InputError(f"--name {text}: {coin} is named twice")
        places[coin] = (numbers[0], numbers[1])
    return places


def parse_size(text: str) -> tuple[int, int]:
    """`1280x720` as width and height. Raises InputError for anything else."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise InputError(f"--camera-size {text}: should read WxH, such as 1280x720")
    return int(width), int(height)

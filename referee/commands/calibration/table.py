"""`referee calibrate table` measures the laid course, the camera's pose and the table's edge, once
before play.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from calibration.course.orientation import SIDES
from referee.commands.options.camera_size import camera_size_option
from referee.commands.options.finite_number import FiniteNumber
from referee.commands.options.parameter_types import FILE, LENGTH
from referee.domain.errors import InputError
from referee.domain.layout import SIDES_OF_TABLE, faces_up, facing_of
from referee.domain.pieces import PieceSizes
from referee.session.match_file import WATCHED

_USUAL: Final = PieceSizes()


def _sizes_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, words, usual in (
        ("--coin-thickness-mm", "A coin's thickness", _USUAL.coin_thickness_mm),
        ("--tile-thickness-mm", "A tile's thickness", _USUAL.tile_thickness_mm),
        ("--coin-mm", "A coin's diameter", _USUAL.coin_mm),
        (
            "--tile-mm",
            "The length of a tile's side, which sets the scale of the whole table",
            _USUAL.tile_mm,
        ),
    ):
        command = click.option(
            name,
            type=LENGTH,
            metavar="MM",
            help=f"{words}. [default: what --pieces says, or {usual:g}]",
        )(command)
    return command


@click.command("table")
@click.argument("source")
@click.option(
    "--game", required=True, help=f"The game whose course lies on the table ({', '.join(WATCHED)})."
)
@click.option(
    "--camera",
    "camera_file",
    type=FILE,
    help=(
        "The lens (camera.yaml). Without it the survey estimates the lens from the tiles, which"
        " is less exact."
    ),
)
@click.option(
    "--out", required=True, type=FILE, help="Where to write the surveyed table (table.yaml)."
)
@click.option(
    "--picture",
    type=FILE,
    help="The PNG or JPEG file into which to draw what was found. [default: a PNG beside --out]",
)
@click.option(
    "--left-endpost",
    type=click.Choice(SIDES),
    help=(
        "The side of the picture on which the left endpost is. [default: the program asks, and"
        " takes the left side where there is no terminal]"
    ),
)
@click.option(
    "--mirror",
    is_flag=True,
    default=None,
    help=(
        "Wicket 3 is on the side away from the camera. If the course runs up or down the picture:"
        " wicket 3 is at your left on the way to the right endpost. [default: the program asks, and"
        " takes the near side where there is no terminal]"
    ),
)
@click.option(
    "--moons-side",
    type=click.Choice(SIDES_OF_TABLE),
    help=(
        "The side of the table at which Moons' castle is, as the camera sees it. [default: the"
        " side at which the ace of moons lies on a tower. If the aces do not show it, the command"
        " asks; without a terminal it assumes near, and says so]"
    ),
)
@click.option(
    "--pieces",
    type=FILE,
    help="The set of pieces (pieces.yaml): its sizes, and the faces that tell castles apart.",
)
@click.option(
    "--endposts-mm",
    type=FiniteNumber(min=0, min_open=True),
    metavar="MM",
    help=(
        "The distance between the middles of the two endposts, measured with a tape. It gives the"
        " scale of the table more exactly than the tiles do."
    ),
)
@camera_size_option
@_sizes_options
def calibrate_table(
    source: str,
    game: str,
    camera_file: Path | None,
    out: Path,
    picture: Path | None,
    left_endpost: str | None,
    mirror: bool | None,
    moons_side: str | None,
    pieces: Path | None,
    endposts_mm: float | None,
    camera_size: str | None,
    **given: float | None,
) -> None:
    """Survey the table: find the course, the camera's pose and the table's edge in SOURCE, a
    picture or a video of the laid course, a stream's address (rtsp://, http://), or a camera's
    number.
    """
    if game not in WATCHED:
        raise InputError(
            f"--game {game}: is not a game whose course can be surveyed ({', '.join(WATCHED)})"
        )
    _check_options(game, left_endpost=left_endpost, mirror=mirror, endposts_mm=endposts_mm)
    if moons_side is not None and not faces_up(game):
        raise InputError(f"--moons-side: a course of {game} has no castles (leave it out)")
    from referee.commands.calibration.table_survey import survey  # --help does not wait for it

    survey(
        source,
        game,
        out,
        drawn=picture,
        left_endpost=left_endpost,
        mirror=mirror,
        moons_side=moons_side,
        camera_file=camera_file,
        camera_size=camera_size,
        pieces_file=pieces,
        endposts_mm=endposts_mm,
        sizes_mm=given,
    )


def _check_options(game: str, **of_endposts: object) -> None:
    """Refuse options about endposts for a course that has none."""
    given = [name for name, value in of_endposts.items() if value is not None]
    if given and facing_of(game) is not None:
        raise InputError(
            f"--{given[0].replace('_', '-')}: a course of {game} has no endposts (leave it out)"
        )

"""`referee calibrate table` measures the laid course, the camera's pose and the table's edge, once
before play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import cv2

from calibration.course.course_frame import SIDES
from calibration.store.piece_store import PieceSet, check_sizes, read_pieces
from calibration.store.store import read_camera, write_table
from calibration.table.survey import survey_table
from calibration.table.survey_checks import checked
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from calibration.table.taped_scale import scaled_by_tape
from referee.commands.calibration.course_orientation import castle_answered, orientation_of
from referee.commands.calibration.picture_file import write_picture
from referee.commands.calibration.pieces import FILE, LENGTH
from referee.commands.calibration.still_pictures import (
    camera_mode,
    camera_size_option,
    name_of,
    read_stills,
)
from referee.commands.options.finite_number import FiniteNumber
from referee.domain.errors import InputError
from referee.domain.layout import SIDES_OF_TABLE, faces_up, facing_of
from referee.domain.pieces import PieceSizes
from referee.games.tabletop_croquet.state import STEPS
from referee.session.match_file import WATCHED
from referee.session.progress import StageProgress
from referee.vision.faces.tower_tops import order_log_likelihoods

_USUAL: Final = PieceSizes()
#: The places of the course in the order of play, out to the right endpost and back.
_WAYS: Final = {
    "outward": ("left-endpost", *(s.place for s in STEPS[:8])),
    "homeward": tuple(s.place for s in STEPS[7:]),
}


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


def _sizes(pieces: PieceSet | None, given: dict[str, float | None]) -> PieceSizes:
    sizes = PieceSizes() if pieces is None else pieces.sizes
    sizes = replace(sizes, **{key: value for key, value in given.items() if value is not None})
    check_sizes("the sizes given", sizes)
    return sizes


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
    known = None if pieces is None else read_pieces(pieces)
    sizes = _sizes(known, given)
    camera = None if camera_file is None else read_camera(camera_file)
    drawn = picture or picture_beside(out, Path(source))
    _check_places(Path(source), out, drawn)
    mode = camera_mode(camera_size, camera)
    orientation, assumed = orientation_of(game, left_endpost, mirror, moons_side)
    with StageProgress("Surveying") as doing:
        doing("reading pictures")
        pictures = read_stills(source, mode, say=doing.say)
        try:
            read_tops = partial(order_log_likelihoods, pieces=known)
            table = survey_table(pictures, camera, game, sizes, orientation, doing, read_tops)
            table = checked(table if endposts_mm is None else scaled_by_tape(table, endposts_mm))
        except InputError as error:
            raise InputError(f"{name_of(source)}: {error}") from error
    table = castle_answered(table)
    write_table(out, table)
    write_picture(drawn, draw_survey(pictures[-1], table, _WAYS if table.course.endposts else {}))
    for line in (*(() if assumed is None else (assumed,)), *table.notes):
        click.echo(line)
    _report(table, out, drawn)


def _check_options(game: str, **of_endposts: object) -> None:
    """Refuse options about endposts for a course that has none."""
    given = [name for name, value in of_endposts.items() if value is not None]
    if given and facing_of(game) is not None:
        raise InputError(
            f"--{given[0].replace('_', '-')}: a course of {game} has no endposts (leave it out)"
        )


def _check_places(source: Path, out: Path, drawn: Path) -> None:
    """Refuse, before the work begins, files that cannot be written or that would replace the
    source.
    """
    if not cv2.haveImageWriter(str(drawn)):
        raise InputError(
            f"{drawn}: no picture can be written under this name; try"
            f" {drawn.with_suffix('.png').name}"
        )
    for path in (out, drawn):
        if path.is_dir():
            raise InputError(f"{path}: is a folder, not a file")
        if path.resolve() == source.resolve():
            raise InputError(f"{path}: is the source, which the command would overwrite")
    if out.resolve() == drawn.resolve():
        raise InputError(f"{drawn}: --out and --picture name the same file")


def picture_beside(out: Path, source: Path) -> Path:
    """Return the path for the picture of what was found. It is never the source or `out`."""
    beside = out.with_suffix(".png")
    return (
        beside
        if beside.resolve() not in (source.resolve(), out.resolve())
        else out.with_name(f"{out.stem}-found.png")
    )


def _report(table: SurveyedTable, out: Path, drawn: Path) -> None:
    x_mm, y_mm, z_mm = table.view.position_mm
    click.echo(
        f"Surveyed a course of {len(table.course.tiles)} tiles. The edges of those that were seen"
        f" fit with a residual of {table.residual_mm:.2f} mm."
    )
    click.echo(f"The camera is {z_mm:.0f} mm above the table, at x {x_mm:.0f} mm, y {y_mm:.0f} mm.")
    for warning in table.warnings:
        click.echo(f"Warning: {warning}.")
    click.echo(f"Written: {out}; look at {drawn} to see what was found.")

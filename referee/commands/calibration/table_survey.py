"""Surveys a laid course for `referee calibrate table`, and writes what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import cv2

from calibration.store.piece_store import PieceSet, check_sizes, read_pieces
from calibration.store.store import read_camera, write_table
from calibration.table.castle_order import ReadTops
from calibration.table.survey import survey_table
from calibration.table.survey_checks import checked
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from calibration.table.taped_scale import scaled_by_tape
from referee.commands.calibration.course_orientation import castle_answered, orientation_of
from referee.commands.calibration.picture_file import write_picture
from referee.commands.calibration.still_pictures import camera_mode, name_of, read_stills
from referee.domain.errors import InputError
from referee.domain.layout import faces_up
from referee.domain.pieces import PieceSizes
from referee.session.progress import StageProgress


def survey(
    source: str,
    game: str,
    out: Path,
    *,
    drawn: Path | None,
    left_endpost: str | None,
    mirror: bool | None,
    moons_side: str | None,
    camera_file: Path | None,
    camera_size: str | None,
    pieces_file: Path | None,
    endposts_mm: float | None,
    sizes_mm: Mapping[str, float | None],
) -> None:
    """Survey the course of `game` in `source`. Write the table into `out`, and draw what was found
    into `drawn`, or beside `out`. `sizes_mm` are the sizes that the user gave, by the fields of
    `PieceSizes`; None for those not given. The other parameters are the command's options. Raises
    InputError.
    """
    known = None if pieces_file is None else read_pieces(pieces_file)
    sizes = _sizes(known, sizes_mm)
    camera = None if camera_file is None else read_camera(camera_file)
    drawn = drawn or picture_beside(out, Path(source))
    _check_places(Path(source), out, drawn)
    mode = camera_mode(camera_size, camera)
    orientation, assumed = orientation_of(game, left_endpost, mirror, moons_side)
    with StageProgress("Surveying") as doing:
        doing("reading pictures")
        pictures = read_stills(source, mode, say=doing.say)
        try:
            tops = _reader_of_tops(game, known)
            table = survey_table(pictures, camera, game, sizes, orientation, doing, tops)
            table = checked(table if endposts_mm is None else scaled_by_tape(table, endposts_mm))
        except InputError as error:
            raise InputError(f"{name_of(source)}: {error}") from error
    table = castle_answered(table)
    write_table(out, table)
    write_picture(drawn, draw_survey(pictures[-1], table, _ways(table)))
    for line in (*(() if assumed is None else (assumed,)), *table.notes):
        click.echo(line)
    _report(table, out, drawn)


def _sizes(pieces: PieceSet | None, given: Mapping[str, float | None]) -> PieceSizes:
    sizes = PieceSizes() if pieces is None else pieces.sizes
    sizes = replace(sizes, **{key: value for key, value in given.items() if value is not None})
    check_sizes("the sizes given", sizes)
    return sizes


def _reader_of_tops(game: str, pieces: PieceSet | None) -> ReadTops | None:
    """Return what reads the aces on the towers; None for a course without them."""
    if not faces_up(game):
        return None
    from referee.vision.faces.tower_tops import order_log_likelihoods  # others need no faces

    return partial(order_log_likelihoods, pieces=pieces)


def _ways(table: SurveyedTable) -> dict[str, tuple[str, ...]]:
    """Return the places of the course in the order of play, out to the right endpost and back;
    empty for a course without endposts.
    """
    if not table.course.endposts:
        return {}
    from referee.games.tabletop_croquet.state import STEPS  # the others are drawn without its rules

    return {
        "outward": ("left-endpost", *(s.place for s in STEPS[:8])),
        "homeward": tuple(s.place for s in STEPS[7:]),
    }


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

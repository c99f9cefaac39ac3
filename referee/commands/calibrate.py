"""`referee calibrate table`, `lens` and `sheet` measure once what a match needs before play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens import BoardKind, measure_lens
from calibration.lens.sheet import PAPERS_MM, board_pdf, fitting_square_mm
from calibration.store.decoder_errors import without_decoders_words
from calibration.store.picture_bounds import check_pixels
from calibration.store.piece_store import check_sizes, read_pieces
from calibration.store.store import read_camera, write_camera, write_table
from calibration.table.rough_view import Orientation
from calibration.table.stills import stills
from calibration.table.survey import survey_table
from calibration.table.survey_checks import checked
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from calibration.table.taped_scale import scaled_by_tape
from referee.commands.calibrate_pieces import FILE, LENGTH
from referee.commands.picture_file import write_picture
from referee.domain.errors import InputError
from referee.domain.pieces import PieceSizes
from referee.session.match_file import WATCHED
from referee.session.progress import StageProgress
from referee.vision.sources.video import open_source

Picture = NDArray[np.uint8]

_USUAL: Final = PieceSizes()


def read_stills(source: Path) -> list[Picture]:
    """Read still pictures (h, w, 3) BGR from an image file, or from the first seconds of a video
    without anything that moves there. Raises InputError.
    """
    if not source.is_file():
        raise InputError(
            f"{source}: {'a folder, not a file' if source.is_dir() else 'no such file'}"
        )
    if cv2.haveImageReader(str(source)):
        content = source.read_bytes()
        check_pixels(content, str(source))
        with without_decoders_words():
            picture = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
        if picture is None:
            raise InputError(f"{source}: is a damaged picture")
        return [np.asarray(picture, dtype=np.uint8)]
    with open_source(str(source)) as video:
        found = stills((frame.t_s, frame.bgr()) for frame in video if frame.sound)
    if not found:
        raise InputError(f"{source}: holds no picture")
    return found


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


def _sizes(pieces: Path | None, given: dict[str, float | None]) -> PieceSizes:
    sizes = PieceSizes() if pieces is None else read_pieces(pieces).sizes
    sizes = replace(sizes, **{key: value for key, value in given.items() if value is not None})
    check_sizes("the sizes given", sizes)
    return sizes


@click.command("table")
@click.argument("source", type=FILE)
@click.option(
    "--game", required=True, help="The game whose course lies on the table (tabletop-croquet)."
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
    help="Where to draw what was found, as PNG or JPEG. [default: a PNG beside --out]",
)
@click.option(
    "--left-endpost",
    type=click.Choice(["left", "right"]),
    default="left",
    show_default=True,
    help="The side of the picture on which the left endpost is.",
)
@click.option(
    "--mirror",
    is_flag=True,
    help="Wicket 3 is on the side away from the camera. [default: it is on the near side]",
)
@click.option("--pieces", type=FILE, help="The set of pieces (pieces.yaml), which gives the sizes.")
@click.option(
    "--endposts-mm",
    type=LENGTH,
    metavar="MM",
    help=(
        "From the middle of one endpost to that of the other, by tape: more accurate over the"
        " table than the tiles' size."
    ),
)
@_sizes_options
def calibrate_table(
    source: Path,
    game: str,
    camera_file: Path | None,
    out: Path,
    picture: Path | None,
    left_endpost: str,
    mirror: bool,
    pieces: Path | None,
    endposts_mm: float | None,
    **given: float | None,
) -> None:
    """Survey the table: find the course, the camera's pose and the table's edge in SOURCE, a
    picture or a video of the laid course.
    """
    if game not in WATCHED:
        raise InputError(
            f"--game {game}: is no game whose course can be surveyed ({', '.join(WATCHED)})"
        )
    sizes = _sizes(pieces, given)
    camera = None if camera_file is None else read_camera(camera_file)
    drawn = picture or picture_beside(out, source)
    _check_places(source, out, drawn)
    with StageProgress("Surveying") as doing:
        doing("reading pictures")
        pictures = read_stills(source)
        try:
            table = survey_table(
                pictures, camera, game, sizes, Orientation(left_endpost, mirror), doing
            )
            table = checked(table if endposts_mm is None else scaled_by_tape(table, endposts_mm))
        except InputError as error:
            raise InputError(f"{source}: {error}") from error
    write_table(out, table)
    write_picture(drawn, draw_survey(pictures[-1], table))
    _report(table, out, drawn)


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
            raise InputError(f"{path}: a folder, not a file that can be written")
        if path.resolve() == source.resolve():
            raise InputError(f"{path}: is the source: it would be overwritten")
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
        f"{len(table.course.tiles)} tiles; their edges fit with a residual of"
        f" {table.residual_mm:.2f} mm."
    )
    click.echo(f"The camera is {z_mm:.0f} mm above the table, at x {x_mm:.0f} mm, y {y_mm:.0f} mm.")
    for warning in table.warnings:
        click.echo(f"Warning: {warning}.")
    click.echo(f"Written: {out}; look at {drawn} to see what was found.")


def _board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, kind, default, words in (
        ("--dictionary", str, "DICT_5X5_100", "The dictionary of the markers, by OpenCV's name."),
        (
            "--marker-mm",
            LENGTH,
            None,
            "The length of a marker's side. [default: 0.733 of a square]",
        ),
        (
            "--square-mm",
            LENGTH,
            None,
            (
                "A square's side; else as large as the paper allows, up to 30 (the lens needs only"
                " the markers' share of it)."
            ),
        ),
        ("--squares", str, "9x6", "The number of squares across and down."),
    ):
        command = click.option(
            name, type=kind, default=default, show_default=default is not None, help=words
        )(command)
    return command


def _board(squares: str, square_mm: float, marker_mm: float | None, dictionary: str) -> BoardKind:
    parts = squares.lower().split("x")
    if len(parts) != 2 or not all(p.isdigit() for p in parts):
        raise InputError(f"--squares: {squares!r} is not like 9x6")
    if min(map(int, parts)) < 3:
        raise InputError(f"--squares: a board has at least 3x3 squares, not {squares}")
    return BoardKind(
        int(parts[0]),
        int(parts[1]),
        square_mm,
        marker_mm if marker_mm is not None else round(0.733 * square_mm, 2),
        dictionary,
    )


@click.command("lens")
@click.argument("images", nargs=-1, required=True, type=FILE)
@click.option("--out", required=True, type=FILE, help="Where to write the lens (camera.yaml).")
@_board_options
def calibrate_lens(
    images: tuple[Path, ...],
    out: Path,
    squares: str,
    square_mm: float | None,
    marker_mm: float | None,
    dictionary: str,
) -> None:
    """Measure the lens from IMAGES of the printed board.

    Take ten or more: tilted, near and far, and with the board in the corners of the picture too.
    """
    kind = _board(squares, square_mm if square_mm is not None else 30.0, marker_mm, dictionary)
    if out.resolve() in [path.resolve() for path in images]:
        raise InputError(f"{out}: is one of the pictures: it would be overwritten")
    lens = measure_lens({str(path): read_stills(path)[0] for path in images}, kind)
    write_camera(out, lens.camera)
    click.echo(
        f"{lens.used} of {len(images)} pictures used; reprojection error {lens.error_px:.3f} px."
    )
    k1, k2, p1, p2, k3 = lens.camera.distortion
    values = {
        "fx_px": lens.camera.fx_px,
        "fy_px": lens.camera.fy_px,
        "cx_px": lens.camera.cx_px,
        "cy_px": lens.camera.cy_px,
    }
    for name, value in (values | {"k1": k1, "k2": k2, "p1": p1, "p2": p2, "k3": k3}).items():
        digits = 2 if name.endswith("px") else 5
        error = (
            f"+- {lens.sigma[name]:.{digits}f}"
            if lens.sigma[name] > 0
            else "(left out: the pictures do not tell it)"
        )
        click.echo(f"  {name:6} {value:10.{digits}f} {error}")
    for word in lens.words:
        click.echo(f"Warning: {word}.")
    click.echo(f"Written: {out}.")


@click.command("sheet")
@click.option("--out", required=True, type=FILE, help="Where to write the page (board.pdf).")
@click.option(
    "--paper",
    type=click.Choice(sorted(PAPERS_MM)),
    default="a4",
    show_default=True,
    help="The paper's format; its longer side lies across.",
)
@_board_options
def calibrate_sheet(
    out: Path,
    paper: str,
    squares: str,
    square_mm: float | None,
    marker_mm: float | None,
    dictionary: str,
) -> None:
    """Write the board for measuring a lens as a PDF page.

    Print the page at 100 % and glue it to something flat.
    """
    kind = _board(squares, square_mm if square_mm is not None else 1.0, None, dictionary)
    size = square_mm if square_mm is not None else min(30.0, fitting_square_mm(kind, paper))
    kind = _board(squares, size, marker_mm, dictionary)
    page = board_pdf(kind, paper)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(page)
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from error
    click.echo(
        f"Written: {out}. Print it at 100 %, then measure a square: it should be {kind.square_mm:g}"
        " mm wide."
    )

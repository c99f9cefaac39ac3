"""`referee calibrate lens` and `sheet` measure a camera's lens, once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from calibration.lens.lens import BoardKind, measure_lens
from calibration.lens.sheet import PAPERS_MM, board_pdf, fitting_square_mm
from calibration.store.store import write_camera
from referee.commands.calibration.still_pictures import board_pictures, camera_mode
from referee.commands.options.camera_size import camera_size_option
from referee.commands.options.parameter_types import FILE, LENGTH
from referee.domain.errors import InputError


def _board_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, kind, default, words in (
        ("--dictionary", str, "DICT_5X5_100", "The dictionary of the markers, as OpenCV names it."),
        (
            "--marker-mm",
            LENGTH,
            None,
            "The length of a marker's side. [default: 0.733 times the side of a square]",
        ),
        (
            "--square-mm",
            LENGTH,
            None,
            (
                "The length of a square's side; the measured lens does not depend on it. [default:"
                " as large as the paper allows, at most 30]"
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
@click.argument("sources", nargs=-1, required=True)
@click.option("--out", required=True, type=FILE, help="Where to write the lens (camera.yaml).")
@camera_size_option
@_board_options
def calibrate_lens(
    sources: tuple[str, ...],
    out: Path,
    camera_size: str | None,
    squares: str,
    square_mm: float | None,
    marker_mm: float | None,
    dictionary: str,
) -> None:
    """Measure the lens from SOURCES: pictures of the printed board, or a video, a stream's address
    or a camera's number, before which you move the board.

    Ten or more views are needed: tilted, near and far, and with the board in the corners of the
    picture too.
    """
    kind = _board(squares, square_mm if square_mm is not None else 30.0, marker_mm, dictionary)
    kind.board()  # refuses an impossible board before anybody moves one
    if out.resolve() in [Path(source).resolve() for source in sources]:
        raise InputError(f"{out}: is one of the pictures: it would be overwritten")
    pictures = board_pictures(sources, kind, camera_mode(camera_size))
    lens = measure_lens(pictures, kind)
    write_camera(out, lens.camera)
    click.echo(
        f"{lens.used} of {len(pictures)} pictures used; reprojection error {lens.error_px:.3f} px."
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
    help="The format of the paper, in landscape.",
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

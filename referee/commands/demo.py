"""`referee demo`: the bundled clip, refereed live without a camera."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from referee.commands.watch import matches_root
from referee.errors import InputError
from referee.match import read_match
from referee.watch_options import WatchOptions


def demo_folder() -> Path:
    """The bundled clip's folder in the checkout. Raises InputError where the package was installed without it."""
    folder = Path(__file__).resolve().parents[2] / "fixtures" / "clips" / "demo"
    if not folder.is_dir():
        raise InputError(f"{folder}: the demo's clip comes with the source code; run this in a checkout of it")
    return folder


@click.command()
@click.option("--no-browser", is_flag=True, help="Do not open a browser, only print the address.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="The dashboard's port on localhost; else any free one.")
@click.option("--once", is_flag=True, help="End with the clip instead of serving the page until interrupted.")
def demo(no_browser: bool, port: int, once: bool) -> int:
    """Referee a bundled clip of Tabletop Croquet from its pixels, at its own speed, on a page in the browser."""
    folder = demo_folder()
    with tempfile.TemporaryDirectory(prefix="table-referee-") as scratch:
        table = Path(scratch) / "table.yaml"
        click.echo("Surveying the table in the clip ...")
        _survey(folder, table)
        click.echo("Refereeing the clip; the page follows it live. Stop with Ctrl-C.")
        from referee.session import watch

        pieces = folder / "pieces.yaml"
        return watch(
            WatchOptions(
                source=str(folder / "clip.mp4"),
                match=read_match(folder / "match.yaml"),
                table=table,
                pieces=pieces if pieces.exists() else None,
                out=matches_root() / "demo",
                overwrite=True,
                realtime=True,
                port=port,
                browser=not no_browser,
                linger=not once,
            )
        )


def _survey(folder: Path, table: Path) -> None:
    """Calibrate the table from the clip, through the command that everybody uses."""
    from referee.commands.calibrate import calibrate_table

    arguments = [str(folder / "clip.mp4"), "--game", "tabletop-croquet", "--out", str(table)]
    camera = folder / "camera.yaml"
    if camera.exists():
        arguments += ["--camera", str(camera)]
    status = calibrate_table.main(args=arguments, prog_name="referee calibrate table", standalone_mode=False)
    if status:
        raise InputError(f"{folder / 'clip.mp4'}: the table could not be surveyed")

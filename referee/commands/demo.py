"""`referee demo` referees the bundled clip live, without a camera."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import click
import platformdirs

from calibration.store.yaml_input import read_yaml
from referee.commands.options.hosting import host_name_option, hosting_of, hosting_options
from referee.commands.watch import APPLICATION, matches_root
from referee.domain.errors import InputError
from referee.domain.pieces import COINS, SIZE_NAMES
from referee.session.match_file import read_match
from referee.session.watch_options import WatchOptions

_CHECKOUT: Final = Path(__file__).resolve().parents[2]
#: The bundled clip of each game, by the name of its folder.
_CLIPS: Final = {
    "tabletop-croquet": "demo",
    "castle-croquetnole": "demo-castle",
    "carroms": "demo-carroms",
}
#: The survey's option that says which way round the course lies, if its tiles do not show it.
_LIES: Final = {"tabletop-croquet": ("--left-endpost", "left")}


@click.command()
@hosting_options
@host_name_option
@click.option(
    "--game",
    type=click.Choice(tuple(_CLIPS)),
    default="tabletop-croquet",
    show_default=True,
    help="Which game to show.",
)
@click.option(
    "--once",
    is_flag=True,
    help="End when the clip ends. [default: keep the page open until Ctrl-C]",
)
def demo(
    no_browser: bool, host: str, port: int, names: tuple[str, ...], game: str, once: bool
) -> int:
    """Referee a bundled clip of a game, live on a page in your browser.

    The referee sees only the clip's pictures, and plays them at their own speed.
    """
    hosting = hosting_of(host, port, names, no_browser=no_browser)
    folder = demo_folder(game)
    match = read_match(folder / "match.yaml")
    table, pieces = surveyed(folder)
    options = WatchOptions(
        source=str(folder / "clip.mp4"),
        match=match,
        table=table,
        pieces=pieces,
        out=matches_root() / folder.name,
        overwrite=True,
        realtime=True,
        hosting=hosting,
        linger=not once,
        greeting="The page shows the clip live, at its own speed. Press Ctrl-C to end.",
    )
    from referee.session.watching import watch

    try:
        return watch(options)
    except KeyboardInterrupt:  # people end the demo this way; nothing is lost
        click.echo("\nEnded.")
        return 0


def demo_folder(game: str = "tabletop-croquet") -> Path:
    """Find the folder of a game's bundled clip in the checkout. Raises InputError if the package
    was installed without it.
    """
    folder = _CHECKOUT / "fixtures" / "clips" / _CLIPS[game]
    if not (folder / "clip.mp4").is_file():
        raise InputError(
            f"{folder}: the demo needs its clip, which comes with the source code: run this"
            " command in a copy of the source code"
        )
    return folder


def surveyed(folder: Path) -> tuple[Path, Path]:
    """Return table.yaml and pieces.yaml of a clip. The first call measures them. Later calls reuse
    them until the clip or the measuring code changes.
    """
    kept = (
        Path(platformdirs.user_cache_dir(APPLICATION, appauthor=False))
        / f"demo-{_fingerprint(folder)}"
    )
    table, pieces = kept / "table.yaml", kept / "pieces.yaml"
    if not table.exists():
        kept.mkdir(parents=True, exist_ok=True)
        _survey(folder, table, pieces)
    return table, pieces


def _fingerprint(folder: Path) -> str:
    """Return a name that changes with the clip's files and with the code that surveys them."""
    code = [
        *(_CHECKOUT / "calibration").rglob("*.py"),
        *(_CHECKOUT / "referee" / "commands").rglob("*.py"),
    ]
    digest = hashlib.sha256()
    for path in sorted([*folder.iterdir(), *code]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _survey(folder: Path, table: Path, pieces: Path) -> None:
    """Calibrate pieces and table from the clip's pictures, with the usual commands."""
    from referee.commands.calibration.pieces import calibrate_pieces
    from referee.commands.calibration.table import calibrate_table

    sizes = read_yaml(folder / "scene.yaml")["set"]
    given = [word for key in SIZE_NAMES for word in (f"--{key.replace('_', '-')}", str(sizes[key]))]
    (row,) = folder.glob("pieces.[jp][pn]g")
    click.echo("Learning the set of pieces from a picture of its coins ...")
    _run(
        calibrate_pieces,
        "pieces",
        [str(row), "--names", ",".join(COINS), *given, "--out", str(pieces)],
    )
    click.echo("Surveying the table in the clip ...")
    game = str(read_yaml(folder / "match.yaml")["game"])
    known = [
        "--game",
        game,
        "--camera",
        str(folder / "camera.yaml"),
        "--pieces",
        str(pieces),
        *_LIES.get(game, ()),
    ]
    _run(calibrate_table, "table", [str(folder / "clip.mp4"), *known, "--out", str(table)])


def _run(command: click.Command, name: str, arguments: list[str]) -> None:
    status = command.main(
        args=arguments, prog_name=f"referee calibrate {name}", standalone_mode=False
    )
    if status:
        raise InputError(
            f"referee calibrate {name} {' '.join(arguments)}: ended with status {status}"
        )

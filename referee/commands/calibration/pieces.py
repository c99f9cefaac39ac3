"""`referee calibrate pieces` learns a set's sizes and faces once, from a picture or a film."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands.options.camera_size import camera_size_option
from referee.commands.options.parameter_types import FILE, LENGTH
from referee.domain.errors import InputError
from referee.domain.pieces import COINS


@click.command("pieces")
@click.argument("source")
@click.option(
    "--names",
    required=True,
    help="The coins from left to right: moons,suns,arms,crowns,null,ace,2,3,4,5 or some of these.",
)
@click.option(
    "--out",
    required=True,
    type=FILE,
    help=(
        "Where to write the set (pieces.yaml). Beside this file the command writes a picture that"
        " shows what it found."
    ),
)
@click.option(
    "--camera",
    "camera_file",
    type=FILE,
    help="The lens of the camera that took the picture (camera.yaml), if you know it.",
)
@click.option(
    "--tile-mm",
    type=LENGTH,
    help="The length of a tile's side, which sets the scale if a tile lies in the picture.",
)
@click.option(
    "--tile-thickness-mm",
    type=LENGTH,
    help="The thickness of a tile, which the picture does not show.",
)
@click.option(
    "--coin-mm", type=LENGTH, help="The diameter of a coin. [default: measured against a tile]"
)
@click.option(
    "--coin-thickness-mm",
    type=LENGTH,
    help="The thickness of a coin, which the picture does not show.",
)
@camera_size_option
def calibrate_pieces(
    source: str,
    names: str,
    out: Path,
    camera_file: Path | None,
    camera_size: str | None,
    **given: float | None,
) -> None:
    """Learn a set's sizes and faces from SOURCE, a picture or a video of its coins in a row, a
    stream's address (rtsp://, http://), or a camera's number.

    Hold the camera upright, and lay a tile or two beside the coins.
    """
    coins = coin_names(names)
    from referee.commands.calibration.piece_learning import learn_pieces  # --help does not wait

    learn_pieces(source, coins, out, camera_file, camera_size, given)


def coin_names(names: str) -> tuple[str, ...]:
    """Return the coins that `--names` lists. Raises InputError for an unknown coin and for a coin
    given twice.
    """
    coins = tuple(name.strip() for name in names.split(","))
    for number, name in enumerate(coins):
        if name not in COINS:
            raise InputError(f"--names: {name!r} is not a coin ({', '.join(COINS)})")
        if name in coins[:number]:
            raise InputError(f"--names: {name} is named twice")
    return coins

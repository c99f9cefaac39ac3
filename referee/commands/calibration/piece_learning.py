"""Learns a set of pieces for `referee calibrate pieces`, and writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from calibration.pieces.learning import MEASURED_SHARE, Found, draw, find_pieces, learn
from calibration.store.piece_store import check_sizes, write_pieces
from calibration.store.store import read_camera
from referee.commands.calibration.picture_file import write_picture
from referee.commands.calibration.still_pictures import COINS_S, camera_mode, name_of, read_stills
from referee.domain.errors import InputError
from referee.domain.pieces import PieceSizes


def learn_pieces(
    source: str,
    coins: Sequence[str],
    out: Path,
    camera_file: Path | None,
    camera_size: str | None,
    given: Mapping[str, float | None],
) -> None:
    """Find the row of coins in `source`, learn their sizes and faces, and write the set into `out`
    and what was found into a picture beside it. `given` are the sizes that the user gave, mm, by
    the fields of `PieceSizes`; None for those not given. Raises InputError.
    """
    sizes = replace(
        PieceSizes(), **{key: value for key, value in given.items() if value is not None}
    )
    check_sizes("the sizes given", sizes)
    camera = None if camera_file is None else read_camera(camera_file)
    mode = camera_mode(camera_size, camera)
    picture = read_stills(source, mode, for_s=COINS_S)[-1]
    if camera is not None:
        _check_camera(camera_file, camera, picture, source)
    found = find_pieces(picture, len(coins), sizes, given["coin_mm"] is not None, camera)
    drawn = _write_picture(out, Path(source), draw(picture, found, coins))
    try:
        pieces = learn(picture, found, coins, name_of(source))
    except InputError as error:
        raise InputError(f"{error}; look at {drawn}") from error
    write_pieces(out, pieces)
    _report(found, pieces.sizes, out, drawn)


def _check_camera(
    camera_file: Path | None, camera: Camera, picture: NDArray[np.uint8], source: str
) -> None:
    """Raise InputError if the camera file is not for pictures of this size."""
    height, width = picture.shape[:2]
    if (camera.width, camera.height) != (width, height):
        raise InputError(
            f"{camera_file}: width, height: {camera.width} x {camera.height} is not the size of"
            f" {name_of(source)}, {width} x {height}"
        )


def _write_picture(out: Path, image: Path, picture: NDArray[np.uint8]) -> Path:
    """Write the picture of what was found beside `out`, and return its path. It never overwrites
    the picture that was read.
    """
    drawn = out.with_name(f"{out.stem}-found.png")
    if drawn.resolve() == image.resolve():
        drawn = out.with_name(f"{out.stem}-found-again.png")
    write_picture(drawn, picture)
    return drawn


def _report(found: Found, sizes: PieceSizes, out: Path, drawn: Path) -> None:
    """Print what was learnt."""
    error_mm = MEASURED_SHARE * sizes.coin_mm
    tiles = "a tile" if len(found.tiles) == 1 else f"{len(found.tiles)} tiles"
    measured = (
        f"measured against {tiles}, to about {error_mm:.1f} mm"
        if found.coin_measured
        else "not measured in the picture"
    )
    click.echo(
        f"{len(found.row)} coins, {sizes.coin_mm:.2f} mm wide ({measured}); thicknesses, as"
        f" you gave them or else the usual ones: {_thicknesses(sizes)}."
    )
    for warning in found.warnings:
        click.echo(f"Warning: {warning}.")
    if found.coin_measured:
        click.echo(
            f"Warning: a width measured in a picture may be {error_mm:.1f} mm wrong, and hits"
            " depend on it: measure a coin and give --coin-mm."
        )
    click.echo(f"Written: {out}; look at {drawn} to check that each coin has the right name.")


def _thicknesses(sizes: PieceSizes) -> str:
    """Describe the thicknesses in words."""
    parts: Sequence[str] = (
        f"coins {sizes.coin_thickness_mm:g} mm",
        f"tiles {sizes.tile_thickness_mm:g} mm",
    )
    return ", ".join(parts)

"""Takes pictures to measure in, from picture files, videos, streams and cameras."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board_views import WANTED_VIEWS, WATCHED_S, differing_views
from calibration.lens.camera import Camera
from calibration.lens.lens import BoardKind
from calibration.store.decoder_errors import without_decoders_words
from calibration.store.picture_file import read_picture
from calibration.table.stills import spaced, stills
from referee.commands.options.camera_size import parse_size
from referee.domain.errors import InputError
from referee.vision.sources.address import without_password
from referee.vision.sources.frame import CameraMode

if TYPE_CHECKING:
    from referee.vision.sources.video import Source

Picture = NDArray[np.uint8]
Say = Callable[[str], None]

#: Chosen: a table is filmed for so long, so that a hand over it disappears.
TABLE_S: Final = 8.0
#: Chosen: a row of coins, over which nobody reaches, is filmed for so long.
COINS_S: Final = 2.5


def camera_mode(size: str | None, lens: Camera | None = None) -> CameraMode:
    """Return the mode to ask a camera for. Without a size, it is the mode in which the `lens` was
    measured. Raises InputError if `size` is not a size.
    """
    if size is not None:
        return CameraMode(*parse_size(size))
    return CameraMode() if lens is None else CameraMode(lens.width, lens.height)


def is_live(source: str) -> bool:
    """Return whether a source is a camera's number or a stream's address."""
    return source.isdecimal() or "://" in source


def name_of(source: str) -> str:
    """Return the name of a source for messages: without the password in a stream's address."""
    return f"camera {source}" if source.isdecimal() else without_password(source)


def read_stills(
    source: str | Path,
    mode: CameraMode | None = None,
    *,
    for_s: float = TABLE_S,
    say: Say = click.echo,
) -> list[Picture]:
    """Return still pictures (h, w, 3) BGR from an image file, or from the first `for_s` seconds of
    a video, a stream or a camera. Things that move there are not in the pictures.

    Before a stream or a camera is filmed, `say` gets a line that tells the user so. Raises
    InputError.
    """
    source = str(source)
    if (picture := _picture_file(source)) is not None:
        return [picture]
    with _opened(source, mode, say) as video:
        if is_live(source):
            say(f"Taking pictures for {for_s:g} s. Keep your hands away.")
        chosen = spaced(((frame.t_s, frame) for frame in video if frame.sound), for_s)
        found = stills(((t_s, frame.bgr()) for t_s, frame in chosen), for_s)
    if not found:
        raise InputError(f"{name_of(source)}: {video.shortfall or 'holds no picture'}")
    return found


def board_pictures(
    sources: tuple[str, ...], kind: BoardKind, mode: CameraMode, say: Say = click.echo
) -> dict[str, Picture]:
    """Return pictures (h, w, 3) BGR of a board, by name: image files as they are, and from each
    video, stream or camera the pictures in which the board lies still in another position than in
    earlier pictures.

    Raises InputError.
    """
    found: dict[str, Picture] = {}
    for source in sources:
        if (picture := _picture_file(source)) is not None:
            found[source] = picture
            continue
        with _opened(source, mode, say) as video:
            if is_live(source):
                say(
                    f"Show the board and hold it still for a moment. Then show it in another way"
                    f" and hold it still again: tilted, near, far, in each corner. The"
                    f" command ends after {WANTED_VIEWS} pictures, or after {WATCHED_S:g} s."
                )
            frames = ((frame.t_s, frame.bgr()) for frame in video if frame.sound)
            for number, (t_s, view) in enumerate(differing_views(frames, kind), start=1):
                say(f"Picture {number} of {WANTED_VIEWS}, at {t_s:.1f} s.")
                found[f"{name_of(source)} at {t_s:.1f} s"] = view
    return found


def _opened(source: str, mode: CameraMode | None, say: Say) -> Source:
    from referee.vision.sources.video import open_source  # a picture needs no decoder of videos

    if is_live(source):
        say(f"Opening {name_of(source)}.")
    return open_source(source, camera=mode)


def _picture_file(source: str) -> Picture | None:
    """Return the picture in a file; None for a camera, a stream and a video. Raises InputError
    if there is no such file, and for a damaged picture.
    """
    if is_live(source):
        return None
    path = Path(source)
    if not path.is_file():
        raise InputError(f"{source}: {'a folder, not a file' if path.is_dir() else 'no such file'}")
    if not cv2.haveImageReader(source):
        return None
    with without_decoders_words():
        return read_picture(path)

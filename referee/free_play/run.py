"""One run of `referee paths`, from the source's first frame to the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from calibration.discs.found_disc import FoundDisc
from calibration.discs.moved_discs import moved_discs
from calibration.discs.plain_view import PlainView
from referee.domain.errors import InputError
from referee.domain.layout import Line
from referee.free_play.folder import PAGE, FreePlayFolder
from referee.free_play.free_lines import PAIRS, placed, read_lines
from referee.free_play.play import FreePlay
from referee.session.interrupts import undisturbed
from referee.session.progress import FrameProgress
from referee.vision.alignment.motion import FramePicture
from referee.vision.background.opening_background import median_picture
from referee.vision.image.picture import Picture
from referee.vision.sources.frame import VideoFrame
from referee.vision.sources.video import Source, open_source

SAMPLE_EVERY_S: Final = 0.3  # Chosen: the time between two pictures; a hand moves meanwhile
# Chosen: the most pictures kept in memory. If a video has more, every second one is dropped
MOST_SAMPLES: Final = 60

# Chosen: enough pictures that a moving hand covers each pixel in fewer than half of them
BARE_SAMPLES: Final = 20


def follow_discs(
    source: str, disc_mm: float | None, lines: str | None, out: Path, say: Callable[[str], None]
) -> None:
    """Follow the discs of a source, and write a folder with what they do. `disc_mm` is the width of
    the discs, if the user gave it. `lines` is the name of a file of lines, or `pairs` for a line
    between any two discs at rest. `say` gets sentences for the user. Raises InputError if the
    source, the lines or the folder cannot be used.
    """
    given = None
    if lines not in (None, PAIRS):
        given = read_lines(Path(str(lines)), with_mm=disc_mm is not None)
    moved, bare = look_through(source) if Path(source).is_file() else ([], None)
    lines_of = partial(placed, given) if given is not None else None if lines else _no_lines
    folder, notes = _followed(FreePlay(source, disc_mm, lines_of, moved, bare), out)
    play = folder.play
    if play.lost_late and Path(source).is_file():  # the first flicks had the video's own times
        folder.withdraw()
        play = FreePlay(source, disc_mm, lines_of, moved, bare, lost=play.lost)
        _, notes = _followed(play, out)
    for note in notes:
        say(note)
    say(f"{play.flicks} {'flick' if play.flicks == 1 else 'flicks'}: {out / PAGE}")


def _followed(play: FreePlay, out: Path) -> tuple[FreePlayFolder, list[str]]:
    """Follow the discs of a source, and write a folder with what they do. Return the folder, and
    sentences for the user about the camera and the source.
    """
    with open_source(play.source) as video:
        play.frame_s = 1.0 / video.properties.fps
        folder = FreePlayFolder(out, play)
        folder.begin()
        try:
            with FrameProgress("Following the discs", video.properties.frames) as progress:
                _take_all(video, folder, progress)
        except InputError:
            if not play.found_flicks:  # a stream may fail after an hour of play
                folder.withdraw()
            raise
        shortfall = [video.shortfall] if video.shortfall else []
        return folder, [*play.notes(), *video.notes, *shortfall]


def _take_all(video: Source, folder: FreePlayFolder, progress: FrameProgress) -> None:
    """Take every frame of a source until it ends. A camera ends when the user interrupts the
    program.
    """
    try:
        for frame in video:
            folder.take(frame)
            progress.update(frame.number, frame.t_s)
    except KeyboardInterrupt:
        with undisturbed():
            folder.finish(interrupted=True)
        raise
    folder.finish()
    folder.play.check_flicks()


def look_through(source: str) -> tuple[list[FoundDisc], Picture | None]:
    """Read a file once before its discs are followed. Return the discs of its first frame that move
    later, which are found even if they have nearly the colour of the table. Also return a picture
    of the table without any moving hand; None if no frame can be read.
    """
    kept: list[VideoFrame] = []
    every_s, due_s = SAMPLE_EVERY_S, 0.0
    with open_source(source) as video:
        for frame in video:
            if frame.t_s >= due_s and frame.sound:
                kept.append(_held(frame))
                due_s = frame.t_s + every_s
            if len(kept) > MOST_SAMPLES:
                kept, every_s = kept[::2], 2 * every_s
    if not kept:
        return [], None
    first, *later = (frame.bgr() for frame in kept)
    few = kept[:: max(1, len(kept) // BARE_SAMPLES)]
    bare = median_picture([FramePicture(frame) for frame in few])
    return moved_discs(first, later), bare


def _held(frame: VideoFrame) -> VideoFrame:
    """Return a frame with its own copy of the pixels, which the decoder does not overwrite."""
    luma, colour, bgr = frame.luma.copy(), frame.chroma(), frame.bgr()
    held = None if colour is None else (colour[0].copy(), colour[1].copy())
    return replace(frame, luma=luma, picture=lambda: bgr, chroma=lambda: held)


def _no_lines(_view: PlainView) -> dict[str, Line]:
    return {}

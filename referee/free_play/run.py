"""One run of `referee paths`, from the source's first frame to the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from calibration.discs.plain_view import PlainView
from referee.domain.layout import Line
from referee.free_play.folder import PAGE, FreePlayFolder
from referee.free_play.free_lines import PAIRS, placed, read_lines
from referee.free_play.play import FreePlay
from referee.session.progress import FrameProgress
from referee.vision.sources.video import open_source


def follow_discs(
    source: str, disc_mm: float | None, lines: str | None, out: Path, say: Callable[[str], None]
) -> None:
    """Follow the discs of a source and write what they do to a folder. `lines` names a file of
    lines or `pairs`. Raises InputError for anything that cannot be used.
    """
    given = None
    if lines not in (None, PAIRS):
        given = read_lines(Path(str(lines)), with_mm=disc_mm is not None)
    with open_source(source) as video:
        play = FreePlay(source, 1.0 / video.properties.fps, disc_mm)
        if given is not None:
            play.lines_of = partial(placed, given)
        elif lines is None:
            play.lines_of = _no_lines
        folder = FreePlayFolder(out, play)
        folder.begin()
        with FrameProgress("Following the discs", video.properties.frames) as progress:
            for frame in video:
                folder.take(frame)
                progress.update(frame.number, frame.t_s)
        folder.finish()
        notes = [*play.notes(), *video.notes, *([video.shortfall] if video.shortfall else [])]
    for note in notes:
        say(note)
    say(f"{play.flicks} {'flick' if play.flicks == 1 else 'flicks'}: {out / PAGE}")


def _no_lines(_view: PlainView) -> dict[str, Line]:
    return {}

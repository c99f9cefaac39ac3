"""Shows the clip and the paths of a flick again, for people who want to see why something was
called.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

import msgspec
from flask import Blueprint, Response, abort, send_file
from flask.typing import ResponseReturnValue

from referee.desk.messages import ClipOutlines, FlickPaths, FlickPoint
from referee.domain.errors import InputError
from referee.library.archive import CLIPS, MatchFolder, PathPoint
from referee.library.clips import playable
from web_ui.reading import answer_input_errors, problem, written

#: The folder, beside the clips, for copies that browsers can play.
COPIES: Final = "for-browsers"
#: The browser asks each time whether the file is still the same: a match that is overwritten uses
#: the same names.
ASK_AGAIN: Final = "no-cache"


def pages(folder: MatchFolder) -> Blueprint:
    """Return the blueprint that sends the clips and paths in a match's folder."""
    replay = Blueprint("replay", __name__)
    answer_input_errors(replay)
    encoding = threading.Lock()  # one at a time: the referee needs the other core

    @replay.get(f"/{CLIPS}/<name>")
    def clip(name: str) -> ResponseReturnValue:
        """Send the clip in a form that browsers can play."""
        kept = _kept(folder, name)
        try:
            with encoding:
                played = playable(kept, kept.parent / COPIES / f"{kept.stem}.mp4")
        except InputError as error:
            return problem(str(error), 415)
        return _unchanged(send_file(played, mimetype="video/mp4", conditional=True))

    @replay.get(f"/{CLIPS}/<name>/original")
    def original(name: str) -> ResponseReturnValue:
        """Send the clip as it was recorded, to be saved."""
        return _unchanged(send_file(_kept(folder, name), as_attachment=True, conditional=True))

    @replay.get("/outlines/<name>")
    def outlines(name: str) -> ResponseReturnValue:
        """Send what can be drawn over the clip; 404 if nothing was kept for the clip."""
        return written(_outlines_in(folder.outlines(_kept(folder, name).name)), ASK_AGAIN)

    @replay.get("/flicks/<int:flick>")
    def paths(flick: int) -> ResponseReturnValue:
        """Send the paths of one flick: `{coins: {name: [[t_s, x_mm, y_mm, sigma_mm, seen]]}}`.
        `seen` is 0 where a place was computed and not seen.
        """
        points = folder.paths_of(flick)
        if not points:
            abort(404)
        coins: dict[str, list[FlickPoint]] = {}
        for point in points:
            coins.setdefault(point.coin, []).append(_row(point))
        return written(FlickPaths(flick=flick, coins=coins), ASK_AGAIN)

    return replay


def _kept(folder: MatchFolder, name: str) -> Path:
    """Return the clip with this file name, or answer 404."""
    clips = folder.path / CLIPS
    try:
        kept = (clips / name).resolve()
        found = kept.parent == clips.resolve() and kept.is_file()
    except (OSError, ValueError):  # no file can have this name
        abort(404)
    if not found:
        abort(404)
    return kept


def _outlines_in(file: Path) -> ClipOutlines:
    try:
        return msgspec.json.decode(file.read_bytes(), type=ClipOutlines)
    except (OSError, msgspec.DecodeError):
        abort(404)


def _row(point: PathPoint) -> FlickPoint:
    return (point.t_s, point.x_mm, point.y_mm, point.sigma_mm, 1 if point.seen else 0)


def _unchanged(response: Response) -> Response:
    response.headers["Cache-Control"] = ASK_AGAIN
    return response

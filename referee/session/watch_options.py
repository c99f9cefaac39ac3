"""The options of a session: what it watches, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.desk.serving.hosting import Hosting
from referee.domain.geometry import Point
from referee.session.match_file import Match


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """One run of `referee watch`.

    `source` is a video file, a stream's address or a camera's number. `names_mm` gives the places
    of coins whose names the program was not sure of, and `moons_side` the side of the table at
    which Moons' castle is, if the survey was not sure. `resume` continues the record in `out`, and
    `overwrite` deletes it. `realtime` plays a file at its own speed. `ui` serves the dashboard as
    `hosting` says. `linger` keeps serving it after the video has ended, until the program is
    interrupted. `camera_px` and `camera_fps` are requested from a camera; None means the usual
    values. With `once`, the run ends when a stream or a camera drops; otherwise the source is
    opened again. `greeting` is a line to print before the dashboard's address.
    """

    source: str
    match: Match
    table: Path
    out: Path
    pieces: Path | None = None
    overlay: Path | None = None
    resume: bool = False
    overwrite: bool = False
    names_mm: Mapping[str, Point] = field(default_factory=dict)
    moons_side: str | None = None
    realtime: bool = False
    ui: bool = True
    hosting: Hosting = field(default_factory=Hosting)
    linger: bool = False
    camera_px: tuple[int, int] | None = None
    camera_fps: float | None = None
    once: bool = False
    greeting: str = ""

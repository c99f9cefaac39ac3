"""Computes where the lines, the tiles, the paths and the coins of a flick are in the pictures of
its clip, so that the page can draw them over the clip.

The camera's pose is known only while it films, so this is computed when the flick is recorded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from calibration.constants.palette import YELLOW
from calibration.lens.camera import TableView
from referee.desk.messages import ClipOutlines, CoinOutline, PathPixel, ViewOutlines
from referee.domain.episode import Episode
from referee.domain.geometry import Point, square_corners
from referee.domain.incident import LeftTable, Measured
from referee.domain.layout import Course
from referee.domain.path import Path
from referee.domain.pieces import PieceSizes
from referee.library.archive import PathPoint
from referee.vision.overlay.overlay_marks import circle, project, stroke

#: Chosen: decimals of a place. A tenth of a pixel is finer than anything that a picture shows.
_PLACES_PX: Final = 1
#: Chosen: decimals of a time. They give microseconds, as in a record.
_PLACES_S: Final = 6
#: Chosen: this many different views are held, enough for over a minute with a shaking camera.
_MOST_VIEWS: Final = 4096
#: Chosen: a camera that moves the course by less than this many pixels stands still to the eye.
_SAME_PX: Final = 0.2

Pixels = list[tuple[float, float]]


class SeenViews:
    """The camera's views of the table, with the times from which they are valid. A camera that
    stands still has only one view.
    """

    def __init__(self) -> None:
        """Begin without a view."""
        self._seen: deque[tuple[float, TableView]] = deque(maxlen=_MOST_VIEWS)

    def add(self, t_s: float, view: TableView) -> None:
        """Add the view of the frame at `t_s`, s. Frames must come in order of time."""
        if not self._seen or self._seen[-1][1] is not view:
            self._seen.append((t_s, view))

    def between(self, from_s: float, to_s: float) -> list[tuple[float, TableView]]:
        """Return the views between two times, each with the time from which it is valid. The first
        view is the one that is valid at `from_s`. Empty if no view is known yet.
        """
        begun = [i for i, (t_s, _) in enumerate(self._seen) if t_s <= from_s]
        first = begun[-1] if begun else 0
        return [seen for i, seen in enumerate(self._seen) if i >= first and seen[0] <= to_s]


class ClipPictures:
    """The pictures of one clip: when each was taken, and the camera's view then. Times are those of
    the source, s.
    """

    def __init__(
        self, zero_s: float, frames_s: Sequence[float], views: Sequence[tuple[float, TableView]]
    ) -> None:
        """Take the time at which the clip begins, the times of all frames in order, and the views
        of these frames (at least one).
        """
        self.zero_s, self.frames_s, self.views = zero_s, frames_s, views
        self._since_s = [t_s for t_s, _ in views]

    def view_at(self, t_s: float) -> TableView:
        """Return the view of the last frame taken at or before `t_s`."""
        place = bisect_left(self._since_s, t_s + 10**-_PLACES_S)
        return self.views[max(0, place - 1)][1]


def clip_outlines(
    pictures: ClipPictures,
    episode: Episode,
    paths: Iterable[Path],
    points: Iterable[PathPoint],
    incidents: Sequence[Measured],
    begun_s: float,
) -> ClipOutlines:
    """Return where everything is in a clip's pictures.

    `points` are the places of `paths` frame by frame, and `incidents` the recorded incidents of the
    flick, both with the times of the match, which are `begun_s` later than the source's times. At
    the time of each incident, the coins that it names are outlined: `foot` is the circle on which
    the coin stands, `rim` that of its upper side.
    """
    camera = pictures.views[0][1].camera
    offset_s = begun_s + pictures.zero_s
    drawn: dict[str, list[PathPixel]] = {}
    for point in points:
        at = _pixels(project(pictures.view_at(point.t_s - begun_s), [(point.x_mm, point.y_mm)]))
        drawn.setdefault(point.coin, []).extend(
            (round(point.t_s - offset_s, _PLACES_S), x, y, 1 if point.seen else 0) for x, y in at
        )
    by_coin = {path.coin: path for path in paths}
    return ClipOutlines(
        width_px=camera.width,
        height_px=camera.height,
        from_s=round(offset_s, _PLACES_S),
        frames_s=[round(t_s - pictures.zero_s, _PLACES_S) for t_s in pictures.frames_s],
        views=[
            _view_outlines(
                view, episode, max(0.0, round(t_s - pictures.zero_s, _PLACES_S)), incidents
            )
            for t_s, view in _distinct(pictures.views, episode.course_before)
        ],
        paths=drawn,
        incidents={
            i.id: coins
            for i in incidents
            if i.id is not None
            and i.t_s is not None
            and (coins := _coins_at(pictures, episode.sizes, by_coin, i, i.t_s - begun_s))
        },
    )


def _named(incident: Measured) -> set[str]:
    """Return the coins, tiles and places that an incident names."""
    named = (getattr(incident, name, None) for name in ("coin", "with_", "tile"))
    return {name for name in named if isinstance(name, str)}


def _coins_at(
    pictures: ClipPictures,
    sizes: PieceSizes,
    paths: Mapping[str, Path],
    incident: Measured,
    t_s: float,
) -> dict[str, CoinOutline]:
    """Return the outlines of the coins that an incident names, at the time of the incident."""
    view = pictures.view_at(t_s)
    found = {}
    for coin in sorted(_named(incident) & paths.keys()):
        at_mm = paths[coin].position_at(t_s)
        if at_mm is not None:
            found[coin] = CoinOutline(
                foot=_ring(view, circle(at_mm, sizes.coin_mm / 2), 0.0),
                rim=_ring(view, circle(at_mm, sizes.coin_mm / 2), sizes.coin_thickness_mm),
                centre=_pixels(project(view, [at_mm])),
            )
    return found


def _distinct(
    views: Sequence[tuple[float, TableView]], course: Course
) -> list[tuple[float, TableView]]:
    """Return the views without those that show the course at the same place as the previous
    view.
    """
    ends = np.array(
        [end for line in course.lines.values() for end in (line.left_mm, line.right_mm)]
    )
    kept, shown = [views[0]], views[0][1].to_image(ends)
    for t_s, view in views[1:]:
        now = view.to_image(ends)
        if np.abs(now - shown).max() > _SAME_PX:
            kept.append((t_s, view))
            shown = now
    return kept


def _view_outlines(
    view: TableView, episode: Episode, from_s: float, incidents: Sequence[Measured]
) -> ViewOutlines:
    """Return the course's lines, and the tiles and the table's outline if an incident is about
    them.
    """
    course = episode.course_before
    named = set[str]().union(*map(_named, incidents))
    falls = any(isinstance(incident, LeftTable) for incident in incidents)
    edge_mm = [side.begin_mm for side in episode.edge] if falls else []
    return ViewOutlines(
        from_s=from_s,
        lines={
            name: _line(view, (line.left_mm, line.right_mm)) for name, line in course.lines.items()
        },
        tiles={
            name: _ring(view, square_corners(tile.centre_mm, course.tile_mm, tile.rotation_deg), 0)
            for name, tile in course.tiles.items()
            if name in named
        },
        edge=_ring(view, edge_mm, 0),
    )


def _line(view: TableView, points_mm: Sequence[Point]) -> Pixels:
    return _pixels(stroke(view, points_mm, YELLOW).points_px)


def _ring(view: TableView, points_mm: Sequence[Point], height_mm: float) -> Pixels:
    return _pixels(stroke(view, points_mm, YELLOW, closed=True, height_mm=height_mm).points_px)


def _pixels(points_px: Iterable[tuple[float, float]]) -> Pixels:
    return [(round(x, _PLACES_PX), round(y, _PLACES_PX)) for x, y in points_px]

"""The course as last measured: before play, and whenever an episode ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from calibration.lens.camera import TableView
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import CoinTrack, Episode
from referee.domain.geometry import distance
from referee.domain.layout import Course, Tile, shows_face
from referee.domain.pieces import PieceSizes
from referee.session.seeing.survey_check import (
    has_moved,
    moved_lines,
    straightened,
    tiles_as_they_lie,
    unlike_survey,
    unmeasured_line,
)
from referee.tracking.identity.tracked_coin import TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_measuring import (
    CommonFace,
    common_face,
    lies_by_face,
    lies_by_outline,
    measure_tile,
    moved_since,
    own_face,
)
from referee.vision.tiles.tile_search import lies_as_it_lay, search_far, search_tile

# Tuned on our own clips, except where a comment gives another source for a number.

HARDLY_MM: Final = 1.5  # a tile that moved by less is found by its first search
# Chosen: in tile widths. A tile that a coin pushed by its own width reaches at most this far from
# where its middle lay.
PUSHED_TILES: Final = 1.5
# In tile widths: the middles of two tiles that lie flat are at least this far apart.
APART_TILES: Final = 0.95


@dataclass
class MeasuredCourse:
    """The course of a surveyed table, as it lies now.

    `unmeasured` are the tiles that could not be measured when all was last still, and `lost` those
    that could not when the last episode ended, also because of a hand. `never_measured` are those
    that could not be measured since play began. Of these, `changed` are the ones that looked
    different when the last episode ended.
    """

    table: SurveyedTable
    course: Course = field(init=False)
    unmeasured: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    never_measured: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    _passed_unmeasured: frozenset[str] = frozenset()
    _moved: tuple[str, ...] = ()
    _face: CommonFace | None = None
    _own: dict[str, CommonFace] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with the course as surveyed."""
        self.course = self.table.course

    def open(self, background: Picture) -> str | None:
        """Measure all tiles before play. Return what is wrong if the survey is of another table."""
        view, sizes = self.table.view, self.table.sizes
        self._face = common_face(background, view, self.course, sizes)
        self._learn_faces(background, self.course.tiles)
        measured = tiles_as_they_lie(
            background, self.course, view, sizes, face=self._face, own=self._own
        )
        unlike = unlike_survey(background, self.course, view, sizes, measured)
        self._moved = moved_lines(self.course, measured)
        self.course = straightened(self.course, measured)
        unmeasured = frozenset(self.course.tiles) - frozenset(measured)
        self.unmeasured = self.lost = self.never_measured = frozenset(
            name for name in unmeasured if not self._lies_there(background, name)
        )
        return unlike

    def _lies_there(self, background: Picture, name: str) -> bool:
        """Return whether a tile is seen at its place although it cannot be measured."""
        tile, view, sizes = self.course.tiles[name], self.table.view, self.table.sizes
        if lies_by_outline(background, view, tile, sizes):
            return True
        face = None if shows_face(name) else self._face
        return face is not None and lies_by_face(background, view, tile, sizes, face)

    def measure(
        self,
        picture: Picture,
        analysis: FrameAnalysis,
        coins: Iterable[TrackedCoin],
        *,
        still: bool,
    ) -> None:
        """Measure the tiles that may have moved, when an episode ends. If the table is not
        `still`, a hand may cover some tiles, and these are measured later. A coin that went past
        such a tile may have pushed it, so until then the tile's place counts as not seen.
        """
        sizes = self.table.sizes
        passed = passed_tiles(self.course, coins, sizes)
        self.course, failed = measure_tiles(
            picture,
            analysis,
            self.course,
            self.table.view,
            sizes,
            self.unmeasured,
            passed,
            self._own,
            self._face,
            still=still,
        )
        self.changed = frozenset()
        if still:
            difference, tiles = analysis.difference, self.course.tiles
            touched = {n for n in self.unmeasured if difference.tile_touched(tiles[n])}
            left = {n for n in self.unmeasured if difference.hand_left(tiles[n])}
            self.unmeasured |= failed
            before, view = analysis.first_background.picture, self.table.view
            there = {n for n in touched if lies_as_it_lay(picture, before, view, tiles[n], sizes)}
            self.changed = self.never_measured & touched - there
            self.try_again(picture, failed | touched | left)
        self.lost = self.unmeasured | failed
        self._passed_unmeasured = frozenset() if still else failed & passed

    def only_pushed(self, analysis: FrameAnalysis, tracker: Tracker) -> bool:
        """Return whether everything that looks like a still hand may be tiles that coins pushed
        far: it lies around changed tiles past which a coin moved.
        """
        foreground, sizes = analysis.difference.foreground(), self.table.sizes
        hand, reach_mm = foreground.hand.copy(), PUSHED_TILES * sizes.tile_mm
        for name in passed_tiles(self.course, tracker.coins.values(), sizes):
            if analysis.difference.tile_touched(tile := self.course.tiles[name]):
                rect = analysis.projections.small_rect(tile.centre_mm, reach_mm)
                rect.inside(foreground.box).of(hand)[...] = 0
        return not hand.any()

    def try_again(self, picture: Picture, names: Set[str] | None = None) -> None:
        """Try again to measure the tiles that could not be measured: all of them, or those named. A
        tile at which nothing has changed since the last attempt is not tried.
        """
        view, sizes = self.table.view, self.table.sizes
        names = self.unmeasured if names is None else names
        self._learn_faces(picture, names)
        found = tiles_as_they_lie(picture, self.course, view, sizes, names, self._face, self._own)
        self.course = straightened(self.course, found)
        self.unmeasured -= frozenset(found)
        self.never_measured -= frozenset(found)

    def learn_faces(self, picture: Picture) -> None:
        """Store how face-up tiles look, while nothing moves and no hand is there. Coins may
        already lie on these tiles.
        """
        self._own = {name: face for name, face in self._own.items() if name in self.unmeasured}
        self._learn_faces(picture, self.course.tiles)

    def _learn_faces(self, picture: Picture, names: Iterable[str]) -> None:
        """Store how each of these tiles looks that lies face up, unless its look is stored."""
        view, sizes = self.table.view, self.table.sizes
        for name in names:
            if shows_face(name) and name not in self._own:
                face = own_face(picture, view, self.course.tiles[name], sizes)
                self._own |= {} if face is None else {name: face}

    def notes(self) -> list[str]:
        """Describe in words which tiles were not where surveyed, and which are not measured."""
        return [*self._moved, *([unmeasured_line(self.unmeasured)] if self.unmeasured else [])]

    def episode(
        self,
        tracker: Tracker,
        tracks: tuple[CoinTrack, ...],
        exposure_s: float,
        before: Course,
        lost_before: frozenset[str] = frozenset(),
    ) -> Episode:
        """Return the episode with these tracks, the course as it lay `before` and as it lies now.
        `lost_before` are the tiles that could not be measured before.
        """
        return Episode(
            frames=tuple(tracker.frames),
            tracks=tuple(
                t
                for t in tracks
                if t.before is not None or t.after is not None or t.sightings or t.lost
            ),
            course_before=before,
            course_after=self.course,
            edge=self.table.edge,
            sizes=self.table.sizes,
            exposure_s=exposure_s,
            hand_frames=frozenset(tracker.hand_frames),
            unmeasured_tiles=self.unmeasured | self._passed_unmeasured,
            changed_tiles=self.changed,
            lost_tiles=lost_before,
        )


def passed_tiles(course: Course, coins: Iterable[TrackedCoin], sizes: PieceSizes) -> frozenset[str]:
    """Return the tiles that a coin was seen moving past. It may have pushed them."""
    near_mm = 0.71 * sizes.tile_mm + sizes.coin_mm
    seen = [complex(*sighting.at_mm) for coin in coins for sighting in coin.sightings]
    lie = [complex(*tile.centre_mm) for tile in course.tiles.values()]
    near = np.abs(np.subtract.outer(lie, seen)) < near_mm
    return frozenset(name for name, row in zip(course.tiles, near, strict=True) if row.any())


def measure_tiles(
    picture: Picture,
    analysis: FrameAnalysis,
    course: Course,
    view: TableView,
    sizes: PieceSizes,
    unmeasured: Set[str],
    passed: Set[str],
    own: Mapping[str, CommonFace],
    common: CommonFace | None = None,
    *,
    still: bool,
) -> tuple[Course, frozenset[str]]:
    """Measure again the tiles around which the frame has changed. Return the course with their new
    places, and the names of the tiles that could not be measured.

    `unmeasured` are the tiles that the background does not show at their places; they are skipped.
    `passed` are the tiles past which a coin moved, `own` are the faces of tiles that lie face up,
    and `common` is the face that the others have in common. While the table is not `still`, tiles
    that have hardly moved are left for later, and only `passed` tiles are searched for far away.
    """
    seen = _Seen(picture, analysis, course, view, sizes, own, common, still)
    changed = [n for n, tile in course.tiles.items() if n not in unmeasured and seen.changed(tile)]
    places = {name: seen.near_its_place(name) for name in changed}
    there = {name: tile for name, tile in places.items() if tile is not None}
    lost = frozenset(places.keys() - there.keys())
    # change the background only after all tiles are measured: until then it shows where they lay
    seen = seen.settled({n: tile for n, tile in there.items() if has_moved(course.tiles[n], tile)})
    found = seen.far_off(lost if still else lost & passed)
    return seen.settled(found).course, lost - found.keys()


@dataclass(frozen=True)
class _Seen:
    """A picture, its analysis and the course that it shows; the rest as in `measure_tiles`."""

    picture: Picture
    analysis: FrameAnalysis
    course: Course
    view: TableView
    sizes: PieceSizes
    own: Mapping[str, CommonFace]
    common: CommonFace | None
    still: bool

    @property
    def before(self) -> Picture:
        return self.analysis.first_background.picture

    def changed(self, tile: Tile) -> bool:
        """Return whether the frame has changed around a tile that does not lie as it lay."""
        return self.analysis.difference.tile_touched(tile) and not lies_as_it_lay(
            self.picture, self.before, self.view, tile, self.sizes
        )

    def near_its_place(self, name: str) -> Tile | None:
        """Return a tile as it lies now, or as it lay if it has hardly moved and hands are about;
        None if it cannot be measured. Where a hand has left, the background's picture of the tile
        is partly the hand's, so the tile is first measured where it lay.
        """
        tile = self.course.tiles[name]
        hand_left = self.still and self.analysis.difference.hand_left(tile)
        if hand_left and (measured := self._measured(tile, self.own.get(name))) is not None:
            return measured
        near = search_tile(
            self.picture, self.before, self.view, tile, self.sizes, hands_about=not self.still
        )
        if not self.still and near is not None and _hardly_moved(tile, near):
            return tile
        return self._measured_near(name, near, compared=self.still and not hand_left)

    def _measured_near(self, name: str, near: Tile | None, *, compared: bool) -> Tile | None:
        """Measure a tile that was roughly found, by its symmetry or, if it lies face up, by its own
        face. If that fails, compare what both pictures show of the tile, unless a hand may hide it
        in one of them (not `compared`). Last, if no hand is about, use the face that tiles have in
        common: noise hides the symmetry of a faint print, but not that it is like the others'.
        """
        found = None if near is None else self._measured(near, self.own.get(name))
        if found is None and compared:
            tile = self.course.tiles[name]
            beside = [other for n, other in self.course.tiles.items() if n != name]
            coins_mm = [laid.spot.at_mm for laid in self.analysis.coin_templates.values()]
            seen = (self.picture, self.before, self.view)
            moved = moved_since(*seen, tile, self.sizes, beside, coins_mm)
            found = None if moved is None else moved[0]
        alike = self.common if self.still and not shows_face(name) else None
        if found is None and near is not None and alike is not None:
            found = self._measured(near, alike)
        return found

    def _measured(self, tile: Tile, face: CommonFace | None) -> Tile | None:
        found = measure_tile(self.picture, self.view, tile, self.sizes, face, found=True)
        return None if found is None else found[0]

    def settled(self, moved: Mapping[str, Tile]) -> _Seen:
        """Return a copy with the moved tiles at their new places, and update the background."""
        course = self.course
        for name, tile in moved.items():
            self.analysis.settle_tile(self.picture, course.tiles[name], tile)
            course = course.with_tile(name, tile)
        return replace(self, course=course)

    def far_off(self, lost: Set[str]) -> dict[str, Tile]:
        """Search far away for the tiles that were not found near their places: where the frame has
        changed and no other tile lies. Return the tiles found.
        """
        found: dict[str, Tile] = {}
        for name in sorted(lost):
            tile = self.course.tiles[name]
            rough = search_far(
                self.picture, self.before, self.view, tile, self.sizes, hands_about=not self.still
            )
            if rough is None or not self.analysis.difference.tile_touched(rough):
                continue
            others = [other for n, other in self.course.tiles.items() if n != name]
            if self._lies_upon(rough, [*others, *found.values()]):
                continue
            measured = self._measured(rough, self.own.get(name))
            if measured is not None:
                found[name] = measured
        return found

    def _lies_upon(self, tile: Tile, others: Iterable[Tile]) -> bool:
        least_mm = APART_TILES * self.sizes.tile_mm
        return any(distance(tile.centre_mm, other.centre_mm) < least_mm for other in others)


def _hardly_moved(tile: Tile, near: Tile) -> bool:
    moved_mm = distance(near.centre_mm, tile.centre_mm)
    return moved_mm < HARDLY_MM and near.rotation_deg == tile.rotation_deg

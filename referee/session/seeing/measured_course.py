"""The course as it was measured last: at the opening, and whenever a part of play ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Course, shows_face
from referee.session.seeing.reacquisition import measure_tiles, passed_tiles
from referee.session.seeing.survey_check import (
    moved_lines,
    straightened,
    tiles_as_they_lie,
    unlike_survey,
    unmeasured_line,
)
from referee.tracking.identity.tracked_coin import TrackedCoin
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_measuring import CommonFace, common_face, own_face


@dataclass
class MeasuredCourse:
    """The course as it lies, of a surveyed table.

    `unmeasured` are the tiles that could not be measured when everything was last still. `lost` are
    those that could not be measured when the last episode ended, also while a hand was there.
    """

    table: SurveyedTable
    course: Course = field(init=False)
    unmeasured: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    _moved: tuple[str, ...] = ()
    _face: CommonFace | None = None
    _own: dict[str, CommonFace] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with the course as surveyed."""
        self.course = self.table.course

    def open(self, background: Picture) -> str | None:
        """Measure all tiles before play. Return what is wrong if the survey is of another table."""
        view, sizes = self.table.view, self.table.sizes
        self._face = common_face(background.luma, view, self.course, sizes)
        self._learn_faces(background, self.course.tiles)
        measured = tiles_as_they_lie(
            background, self.course, view, sizes, face=self._face, own=self._own
        )
        unlike = unlike_survey(background, self.course, view, sizes, measured)
        self._moved = moved_lines(self.course, measured)
        self.course = straightened(self.course, measured)
        self.unmeasured = self.lost = frozenset(self.course.tiles) - frozenset(measured)
        return unlike

    def measure(
        self,
        picture: Picture,
        analysis: FrameAnalysis,
        coins: Iterable[TrackedCoin],
        *,
        still: bool,
    ) -> None:
        """Measure the tiles that may have moved, as a part of play ends. Unless everything is
        `still`, a hand may cover some of them.
        """
        sizes = self.table.sizes
        self.course, failed = measure_tiles(
            picture,
            analysis,
            self.course,
            self.table.view,
            sizes,
            self.unmeasured,
            passed_tiles(self.course, coins, sizes),
            self._own,
            still=still,
        )
        if still:
            self.unmeasured |= failed
            self.try_again(picture)
        self.lost = self.unmeasured | failed

    def try_again(self, picture: Picture) -> None:
        """Try again to measure the tiles that could not be measured."""
        view, sizes = self.table.view, self.table.sizes
        names = self.unmeasured
        self._learn_faces(picture, names)
        found = tiles_as_they_lie(picture, self.course, view, sizes, names, self._face, self._own)
        self.course = straightened(self.course, found)
        self.unmeasured -= frozenset(found)

    def learn_faces(self, picture: Picture) -> None:
        """Remember how the tiles look that lie with their face up, while nothing moves and no hand
        is there: a coin may lie on them now.
        """
        self._own = {name: face for name, face in self._own.items() if name in self.unmeasured}
        self._learn_faces(picture, self.course.tiles)

    def _learn_faces(self, picture: Picture, names: Iterable[str]) -> None:
        """Remember how the tiles among these look that lie with their face up, where that is not
        known.
        """
        view, sizes = self.table.view, self.table.sizes
        for name in names:
            if shows_face(name) and name not in self._own:
                face = own_face(picture.luma, view, self.course.tiles[name], sizes)
                self._own |= {} if face is None else {name: face}

    def notes(self) -> list[str]:
        """Return in words which tiles lay elsewhere than surveyed, and which are not measured."""
        return [*self._moved, *([unmeasured_line(self.unmeasured)] if self.unmeasured else [])]

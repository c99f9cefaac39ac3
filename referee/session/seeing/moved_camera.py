"""What a lasting motion of the camera changes: the view, and all that was computed with it."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.lens.camera import TableView
from calibration.lens.camera_motion import UNMOVED, told_px, turned_view
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point
from referee.domain.incident import Surveyed
from referee.domain.layout import Course
from referee.session.seeing.measured_course import MeasuredCourse
from referee.vision.alignment.motion import FramePicture, SteadyCamera
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture
from referee.vision.sources.frame import VideoFrame
from referee.vision.tiles.view_registration import turn_since


def pose_from_tiles(
    table: SurveyedTable, course: Course, near: TableView, taken: VideoFrame
) -> tuple[TableView, Surveyed | None]:
    """Solve the camera's pose anew from the tiles in a frame as it came. `near` is where the camera
    seems to be; it counts as there where the tiles do not tell. Also return the entry for the
    record: that the camera moved, or None where it is where the survey saw it.
    """
    told = turn_since(taken.luma, near, course, table.sizes)
    turn = UNMOVED if told is None else told
    if turn is UNMOVED and near is table.view:
        return near, None
    view = turned_view(near, turn)
    since = view.R_camera_table @ table.view.R_camera_table.T
    moved_px = round(told_px(view.camera, since), 1)
    return view, Surveyed(t_s=taken.t_s, moved_px=moved_px)


def told_by_tiles(
    camera: SteadyCamera, measured: MeasuredCourse, taken: VideoFrame
) -> tuple[VideoFrame, Picture] | None:
    """Return what `SteadyCamera.steady` does, if it cannot be told otherwise for a while and the
    tiles tell how the camera stands. Where most of them could not be measured before either, the
    camera counts as standing where it stood last.
    """
    if not camera.asks(taken.t_s):
        return None
    table, course = measured.table, measured.course
    turn = turn_since(taken.luma, table.view, course, table.sizes)
    if turn is None and 2 * len(measured.unmeasured) >= len(course.tiles):
        turn = camera.rotation
    return None if turn is None else camera.stands(taken, turn)


def moved_until(camera: SteadyCamera, t_s: float) -> list[tuple[float, Surveyed]]:
    """Return, when the source ends at `t_s`, since when the camera has been moved, and what to
    record of it; nothing if it was not moved since its pose was last solved.
    """
    if camera.moved_since_s is None or not camera.moved_for_good(t_s):
        return []
    moved_px = round(told_px(camera.camera, camera.rotation), 1)
    return [(camera.moved_since_s, Surveyed(t_s=t_s, moved_px=moved_px))]


def seen_again(
    analysis: FrameAnalysis,
    table: SurveyedTable,
    taken: VideoFrame,
    resting_mm: Mapping[str, Point],
) -> FrameAnalysis:
    """Start the analysis again with the view of `table`, from which a frame shows the coins at
    rest. What does not depend on the view is kept.
    """
    again = FrameAnalysis.opened(
        table, FramePicture(taken), analysis.channel_mix, full_range=analysis.light.full_range
    )
    again.course, again.rim_look = analysis.course, analysis.rim_look
    again.noise.step = analysis.noise.step
    for coin, at_mm in resting_mm.items():
        again.lay(coin, at_mm)
    return again

"""Handles a lasting motion of the camera, which changes the view and everything that was computed
with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from calibration.lens.camera import TableView
from calibration.lens.camera_change import UNMOVED, change_between, changed_view, reported_motion_px
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point
from referee.domain.incident import Surveyed
from referee.domain.layout import Course
from referee.session.seeing.measured_course import MeasuredCourse
from referee.vision.alignment.motion import FramePicture, SteadyCamera
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture
from referee.vision.sources.frame import VideoFrame
from referee.vision.tiles.view_registration import change_since


def pose_from_tiles(
    table: SurveyedTable, course: Course, near: TableView, taken: VideoFrame
) -> tuple[TableView, Surveyed | None]:
    """Compute the camera's pose again from the tiles, in a frame before any correction. `near` is
    the view that seems right; it is returned if the tiles do not show the pose. Also return an
    entry for the record that says that the camera moved, or None if it is where it was during the
    survey.
    """
    told = change_since(taken.luma, near, course, table.sizes)
    change = UNMOVED if told is None else told
    if change is UNMOVED and near is table.view:
        return near, None
    view = changed_view(near, change)
    moved_px = round(reported_motion_px(table.view.camera, change_between(table.view, view)), 1)
    return view, Surveyed(t_s=taken.t_s, moved_px=moved_px)


def told_by_tiles(
    camera: SteadyCamera, measured: MeasuredCourse, taken: VideoFrame
) -> tuple[VideoFrame, Picture] | None:
    """Find the camera's position from the tiles, once its motion could not be measured for a while.
    Return what `SteadyCamera.steady` returns; None if it is too early for that, or if the tiles do
    not show the position. If most tiles could not be measured before either, the camera counts as
    standing where it stood last.
    """
    if not camera.is_time_to_search(taken.t_s):
        return None
    table, course = measured.table, measured.course
    change = change_since(taken.luma, table.view, course, table.sizes)
    if change is None and 2 * len(measured.unmeasured) >= len(course.tiles):
        change = camera.change
    return None if change is None else camera.continue_from(taken, change)


def moved_until(camera: SteadyCamera, t_s: float) -> list[tuple[float, Surveyed]]:
    """Return, when the source ends at `t_s`, the time since which the camera has been moved and the
    entry to record; an empty list if it was not moved since its pose was last computed.
    """
    if camera.moved_since_s is None or not camera.moved_for_good(t_s):
        return []
    moved_px = round(reported_motion_px(camera.camera, camera.change), 1)
    return [(camera.moved_since_s, Surveyed(t_s=t_s, moved_px=moved_px))]


def seen_again(
    analysis: FrameAnalysis,
    table: SurveyedTable,
    taken: VideoFrame,
    resting_mm: Mapping[str, Point],
) -> FrameAnalysis:
    """Start the analysis again with the view of `table`, in which the frame `taken` shows the coins
    at rest. Everything that does not depend on the view is kept.
    """
    again = FrameAnalysis.opened(
        table, FramePicture(taken), analysis.channel_mix, full_range=analysis.light.full_range
    )
    again.course, again.rim_look = analysis.course, analysis.rim_look
    again.noise.step = analysis.noise.step
    for coin, at_mm in resting_mm.items():
        again.lay(coin, at_mm)
    return again

"""The discs that lie still tell that the camera stands; those that have gone tell nothing."""

from __future__ import annotations

import pytest

from referee.free_play.play import FreePlay
from referee.vision.sources.video import open_source
from tests.free_play.drawn_video import Slide, Table, lying, write_video


def test_a_disc_that_was_flicked_is_a_landmark_where_it_came_to_rest(tmp_path):
    away = Slide((-120.0, -40.0), 1.6, (500.0, 120.0))
    stays = (60.0, -90.0)
    table = Table(
        {"A": away, "B": lying(stays)}, disc_mm=32.0, finger_mm=(-140.0, -44.0), finger_s=1.6
    )
    write_video(tmp_path / "one.avi", table, [k / 30 for k in range(96)], 30)
    play = FreePlay(str(tmp_path / "one.avi"), None)
    with open_source(play.source) as video:
        play.frame_s = 1 / 30
        for frame in video:
            play.take(frame)
    assert play._builder is not None
    parts = [mark.part for mark in play._builder.steady_camera.landmarks.values()]
    middles = [((part.left + part.right) / 2, (part.top + part.bottom) / 2) for part in parts]
    lie_px = [table.seen.pixel_of(*away(9.0), 0.0), table.seen.pixel_of(*stays, 0.0)]
    assert len(middles) == 2
    for middle, lies in zip(sorted(middles), sorted(lie_px), strict=True):
        assert middle == pytest.approx(lies, abs=2.0)

"""The video with marks drawn over it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.constants.palette import GREEN
from referee.domain.errors import InputError
from referee.vision.overlay.video_overlay import Label, Marks, OverlayWriter, Stroke, draw
from referee.vision.sources.frame import SourceProperties
from referee.vision.sources.video import open_source

GREY = np.full((120, 161, 3), 128, np.uint8)


def properties(width: int = 161, height: int = 120) -> SourceProperties:
    return SourceProperties("clip", width, height, 50.0, None, None, False, "h264", False, 0)


def changed(marks: Marks) -> np.ndarray:
    return np.any(draw(GREY, marks) != GREY, axis=2)


def test_the_frame_itself_is_left_alone() -> None:
    before = GREY.copy()
    draw(
        GREY,
        Marks(
            (Stroke(((0, 0), (100, 100))),), (Label("suns", (20, 50)),), ("Ann passes wicket 3.",)
        ),
    )
    assert np.array_equal(GREY, before)


def test_a_stroke_is_drawn_where_it_is() -> None:
    touched = changed(Marks((Stroke(((20, 30), (80, 30)), GREEN),)))
    rows, columns = np.nonzero(touched)
    assert set(rows) <= {29, 30, 31}
    assert 19 <= columns.min() <= 21
    assert 79 <= columns.max() <= 81


def test_only_a_closed_stroke_has_its_last_side() -> None:
    corners = ((20.0, 20.0), (80.0, 20.0), (80.0, 80.0), (20.0, 80.0))
    assert not changed(Marks((Stroke(corners),)))[50, 20]
    assert changed(Marks((Stroke(corners, closed=True),)))[50, 20]


@pytest.mark.parametrize("far", [1e6, 1e12, -1e12])
def test_what_lies_far_outside_is_cut_off(far: float) -> None:
    draw(GREY, Marks((Stroke(((20, 30), (far, far))),)))


def test_words_that_the_letters_lack_are_still_shown() -> None:
    assert changed(Marks(text=("Jürgen - ok",))).any()


def test_the_video_keeps_the_frames_times(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "overlay.mp4"
    times_s = [0.0, 0.02, 0.1, 0.11]
    with OverlayWriter(path, properties()) as overlay:
        for t_s in times_s:
            overlay.write(GREY, Marks(), t_s)
    with open_source(str(path)) as source:
        assert (source.properties.width, source.properties.height) == (160, 120)
        frames = list(source)
    assert [f.t_s for f in frames] == pytest.approx(times_s, abs=1e-4)
    assert abs(float(frames[0].luma.mean()) - (16 + 128 * 219 / 255)) < 2


def test_what_was_written_is_closed_when_something_fails(tmp_path: Path) -> None:
    path = tmp_path / "overlay.mp4"
    with pytest.raises(KeyboardInterrupt), OverlayWriter(path, properties()) as overlay:
        for i in range(3):
            overlay.write(GREY, Marks(), i / 50)
        raise KeyboardInterrupt
    with open_source(str(path)) as source:
        assert len(list(source)) == 3


def test_frames_must_follow_each_other(tmp_path: Path) -> None:
    with OverlayWriter(tmp_path / "overlay.mp4", properties()) as overlay:
        overlay.write(GREY, Marks(), 0.5)
        with pytest.raises(ValueError, match="not later"):
            overlay.write(GREY, Marks(), 0.5)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="the overlay cannot be written"):
        OverlayWriter(tmp_path / "file" / "overlay.mp4", properties())


def test_a_video_without_a_frame_leaves_no_file(tmp_path: Path) -> None:
    with OverlayWriter(tmp_path / "seen.mp4", properties()):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_dark_rim_stays_with_its_letters() -> None:
    picture = draw(
        np.full((200, 600, 3), 128, np.uint8),
        Marks(labels=(Label("moons 0.63 and more", (20, 100), (255, 255, 255)),)),
    )
    bright, dark = (
        np.nonzero((picture > 200).all(axis=2))[1],
        np.nonzero((picture < 60).all(axis=2))[1],
    )
    assert abs(int(bright.min()) - int(dark.min())) <= 4
    assert abs(int(bright.max()) - int(dark.max())) <= 4

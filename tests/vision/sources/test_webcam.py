"""A camera through OpenCV, with a fake camera."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.domain.errors import InputError
from referee.library.clips import ClipKeeper
from referee.vision.sources.frame import CameraMode
from referee.vision.sources.video import open_source
from referee.vision.sources.webcam import WebcamSource


class FakeCamera:
    """Gives `count` pictures, frame i with brightness 10 * i (modulo 250) everywhere. After the
    first picture it waits until `go` is set. After the last it gives nothing.
    """

    def __init__(self, count: int, opens: bool = True) -> None:
        self.count, self.opens, self.given, self.released = count, opens, 0, False
        self.asked: dict[int, float] = {}
        self.go = threading.Event()
        self.go.set()

    def isOpened(self) -> bool:  # noqa: N802
        return self.opens

    def set(self, setting: int, value: float) -> bool:
        self.asked[setting] = value
        return True

    def get(self, setting: int) -> float:
        return 30.0 if setting == cv2.CAP_PROP_FPS else 0.0

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.given:
            self.go.wait(5)
        if self.given >= self.count:
            return False, None
        self.given += 1
        return True, np.full((48, 64, 3), 10 * (self.given - 1) % 250, np.uint8)

    def release(self) -> None:
        self.released = True


def opened(camera: FakeCamera) -> WebcamSource:
    ticks = itertools.count(100.0, 0.04)
    return WebcamSource(3, CameraMode(), capture=lambda _: camera, clock=lambda: next(ticks))


def test_frames_are_timed_when_they_arrive_from_the_first_on() -> None:
    camera = FakeCamera(5)
    with opened(camera) as source:
        frames = list(source)
        assert source.properties.live
        assert (source.properties.width, source.properties.height) == (64, 48)
    assert [f.t_s for f in frames] == pytest.approx([0.0, 0.04, 0.08, 0.12, 0.16])
    assert [int(f.luma[0, 0]) for f in frames] == [0, 10, 20, 30, 40]
    assert camera.released


def test_the_newest_frames_win_when_the_referee_is_slow_and_that_is_said() -> None:
    camera = FakeCamera(40)
    camera.go.clear()
    with opened(camera) as source:
        camera.go.set()
        reader = next(t for t in threading.enumerate() if t.name == "camera 3")
        reader.join(5)
        frames = list(source)
        notes = source.notes
    numbers = [f.number for f in frames]
    assert numbers[0] == 0
    assert numbers[-1] == 39
    assert len(numbers) < 12
    assert notes == (
        f"camera 3: {40 - len(numbers)} frames were left out because the referee could not keep up",
    )


def test_only_one_frame_waits_inside_the_camera() -> None:
    camera = FakeCamera(2)
    with opened(camera):
        assert camera.asked[cv2.CAP_PROP_BUFFERSIZE] == 1


def test_a_camera_that_stops_says_so() -> None:
    with opened(FakeCamera(3)) as source:
        assert len(list(source)) == 3
        assert source.shortfall == "camera 3: no more pictures came after 0.08 s"


def test_a_camera_that_cannot_be_opened() -> None:
    camera = FakeCamera(0, opens=False)
    with pytest.raises(InputError, match="camera 3: cannot be opened"):
        opened(camera)
    assert camera.released


def test_a_camera_without_a_picture() -> None:
    with pytest.raises(InputError, match="camera 3: gives no picture"):
        opened(FakeCamera(0))


def test_raw_frames_become_a_clip_of_jpegs(tmp_path: Path) -> None:
    with opened(FakeCamera(6)) as source:
        assert source.clip_format is not None
        assert source.clip_format.suffix == ".mkv"
        keeper = ClipKeeper(source.clip_format)
        for frame in source:
            for packet in frame.packets:
                keeper.add(packet)
    saved = keeper.save(0.09, 0.19, tmp_path / "clip.mkv")
    assert saved is not None
    with open_source(str(saved.path)) as clip:
        seen = [(f.t_s, round(float(f.luma.mean()) / 10)) for f in clip]
    assert [s[1] for s in seen] == [2, 3, 4]
    assert [s[0] for s in seen] == pytest.approx([0.0, 0.04, 0.08], abs=0.0011)

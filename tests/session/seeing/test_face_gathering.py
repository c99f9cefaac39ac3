"""The picture of the coins that people name them by is from when the coins lay still."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import islice
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.worsened import is_still
from referee.domain.episode import Rest
from referee.domain.sighting import Sighting
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.face_gathering import FACE_PATCHES, FaceGathering
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.image.picture import picture_from_bgr
from referee.vision.sources.frame import CameraMode, VideoFrame
from referee.vision.sources.video import open_source
from tests.clips.bundled import CLIPS, true_table
from tests.vision.drawn import COIN, SIZES, Scenery, grey, looking

VIEW = looking()
SUNS, MOONS = (-60.0, 10.0), (40.0, -20.0)
#: Each coin's face has a dark spot, so that a sharp picture of it has steps.
LIE = Scenery(VIEW, ((SUNS, COIN), (MOONS, COIN)), noise=0.5)
LYING = {"?1": Rest(SUNS, 0.1), "?2": Rest(MOONS, 0.1)}


def bgr_of(scenery: Scenery, blur_px: float = 0.0) -> NDArray[np.uint8]:
    bgr = np.asarray(cv2.cvtColor(grey(scenery.values()), cv2.COLOR_GRAY2BGR))
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), blur_px) if blur_px else bgr, dtype=np.uint8)


@dataclass
class Filming:
    """Gathers from frames that are 50 ms apart."""

    gathering: FaceGathering = field(default_factory=lambda: FaceGathering(VIEW, SIZES))
    count: int = 0

    def take(self, bgr: NDArray[np.uint8], lying: dict[str, Rest], *, calm: bool = True) -> None:
        self.count += 1
        picture = picture_from_bgr(bgr)
        frame = VideoFrame(self.count, self.count * 0.05, picture.luma, (), lambda: bgr)
        self.gathering.add(picture, frame, lying, calm=calm)

    def shows(self, bgr: NDArray[np.uint8]) -> bool:
        still = self.gathering.still
        return still is not None and bool((still.bgr == bgr).all())


SHARP, BLURRED = bgr_of(LIE), bgr_of(LIE, 2.0)
COVERED = bgr_of(LIE.but(blots=(((-90.0, -20.0, -30.0, 40.0), 130.0),)))
DARK = np.asarray(SHARP // 8, dtype=np.uint8)


@pytest.mark.parametrize(
    ("moved", "in_view", "shows", "lost"),
    [
        (True, True, False, True),
        (True, True, True, False),
        (True, False, False, False),  # a hand may cover its face
        (False, True, False, False),  # it lies where it lay, as people said
    ],
)
@pytest.mark.parametrize("name", ["suns", "?4"])
def test_a_coin_that_came_to_lie_where_no_face_shows_is_lost(
    name: str, *, moved: bool, in_view: bool, shows: bool, lost: bool
) -> None:
    gathering = FaceGathering(VIEW, SIZES)
    gathering.shows_coin = lambda name, lying, seen: shows and lying == {name}
    picture = picture_from_bgr(SHARP)
    frame = VideoFrame(1, 0.05, picture.luma, (), lambda: SHARP)
    here = Rest(SUNS, 0.1)
    coin = TrackedCoin(name, State.REST, here, Rest(MOONS, 0.1) if moved else here)
    new = gathering.lose_strangers(picture, frame, [coin], set() if in_view else {name})
    assert new == ([name] if lost and name == "?4" else [])
    assert (coin.state, coin.rest) == ((State.HIDDEN, None) if lost else (State.REST, here))


def test_what_was_seen_of_print_that_was_taken_for_a_coin_is_dropped() -> None:
    gathering = FaceGathering(VIEW, SIZES)
    gathering.shows_coin = lambda *_: False
    picture = picture_from_bgr(SHARP)
    frame = VideoFrame(1, 0.05, picture.luma, (), lambda: SHARP)
    on_way, there = (Sighting("suns", k, 0.1 * k, at, 0.5) for k, at in ((1, MOONS), (2, SUNS)))
    coin = TrackedCoin("suns", State.REST, Rest(SUNS, 0.1), Rest((0.0, 0.0), 0.1), [on_way, there])
    gathering.lose_strangers(picture, frame, [coin], set())
    assert coin.sightings == [on_way]


def test_patches_of_what_was_taken_for_the_coin_are_not_its_face() -> None:
    table, coin = Filming(), Filming()
    table.take(SHARP, {"suns": Rest((0.0, 40.0), 0.1)})
    for film in (table, coin):
        film.take(SHARP, {"suns": Rest(SUNS, 0.1)})
        film.take(
            SHARP, {"suns": Rest((SUNS[0] + 0.5, SUNS[1]), 0.1)}
        )  # the same place, remeasured
    faces = [film.gathering.faces["suns"] for film in (table, coin)]
    assert [len(face.patches) for face in faces] == [2, 2]
    assert all(face.face for face in faces)
    np.testing.assert_array_equal(*(face.face.bgr for face in faces if face.face))


@pytest.mark.parametrize("worse", [BLURRED, DARK], ids=["blurred", "dark"])
@pytest.mark.parametrize("first", [True, False])
def test_the_sharpest_and_plainest_picture_is_kept(
    worse: NDArray[np.uint8], *, first: bool
) -> None:
    film = Filming()
    for bgr in (SHARP, worse) if first else (worse, SHARP):
        film.take(bgr, LYING)
    assert film.shows(SHARP)


def test_a_picture_of_more_coins_in_full_view_is_better() -> None:
    film = Filming()
    film.take(COVERED, {"?2": LYING["?2"]})
    assert film.shows(COVERED)
    film.take(BLURRED, LYING)
    film.take(COVERED, {"?2": LYING["?2"]})
    assert film.shows(BLURRED)


def test_a_picture_with_a_hand_or_with_motion_is_the_last_choice() -> None:
    film = Filming()
    film.take(SHARP, LYING, calm=False)
    film.take(COVERED, {"?2": LYING["?2"]})
    assert film.shows(COVERED)


@pytest.mark.parametrize("moved", [True, False])
def test_a_picture_of_where_coins_no_longer_lie_is_forgotten(*, moved: bool) -> None:
    film = Filming()
    film.take(SHARP, LYING)
    there, elsewhere = Rest(SUNS, 0.1), Rest((0.0, 40.0), 0.1)
    track: Any = SimpleNamespace(sightings=(), before=there, after=elsewhere if moved else there)
    film.gathering.note_moves([track])
    assert (film.gathering.still is None) == moved
    film.take(BLURRED, {**LYING, "?1": elsewhere})
    assert film.shows(BLURRED) == moved


def test_once_all_faces_are_known_pictures_are_compared_no_more() -> None:
    film = Filming()
    for _ in range(FACE_PATCHES):
        film.take(BLURRED, LYING)
    film.take(SHARP, LYING)
    assert film.shows(BLURRED)


@pytest.mark.parametrize(
    ("clip", "last"), [("back-off-a-tile", 44), ("touching", 91), ("hands-only", 40)]
)
def test_under_a_hand_and_as_a_coin_begins_to_move_the_picture_is_an_earlier_still_one(
    clip: str, last: int
) -> None:
    truth = json.loads((CLIPS / clip / "truth.json").read_text(encoding="utf-8"))["frames"]
    assert not is_still(truth[last])
    builder, seen = EpisodeBuilder(true_table(clip), 0.0), list[NDArray[np.uint8]]()
    source = str(CLIPS / clip / "clip.mp4")
    with open_source(source, False, threads=1, camera=CameraMode(1280, 720, 60.0)) as frames:
        for frame in islice(frames, last + 1):
            builder.take(frame)
            seen.append(frame.bgr())
    still = builder.gathered.still
    assert still is not None
    unlike = [float(np.abs(still.bgr.astype(int) - bgr).mean()) for bgr in seen]
    assert is_still(truth[int(np.argmin(unlike))])

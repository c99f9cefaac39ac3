"""What a page shows about the state of the program itself."""

from __future__ import annotations

from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.store.piece_store import FacePatch
from referee.desk.feed import Feed
from referee.domain.entry import Player
from referee.domain.episode import Rest
from referee.domain.errors import InputError
from referee.session.live_view import LiveView
from referee.session.match_file import Match
from referee.session.naming.coin_naming import CoinNaming
from referee.session.seeing.face_gathering import StillPicture
from referee.vision.faces.identification import FaceEvidence
from tests.clips.bundled import true_table


@pytest.fixture
def show() -> LiveView:
    match = Match(
        "tabletop-croquet", (Player(name="Ann", coin="moons"), Player(name="Ben", coin="suns"))
    )
    return LiveView(Feed(), match, true_table("pass-and-hit"), "clip.mp4")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InputError("clip.mp4: breaks off after 2.00 s"), "clip.mp4: breaks off after 2.00 s"),
        (KeyboardInterrupt(), "The program was stopped."),
        (ZeroDivisionError("by zero"), "The program failed (ZeroDivisionError)."),
    ],
)
def test_pages_are_told_why_the_program_stops(
    show: LiveView, error: BaseException, text: str
) -> None:
    show.doing("watching", "Watching.")
    with pytest.raises(type(error)), ExitStack() as stack:
        stack.push(show.failure)
        raise error
    assert (show.feed.snapshot()["doing"]["phase"], show.feed.snapshot()["doing"]["text"]) == (
        "failed",
        text,
    )


def test_a_program_that_has_finished_did_not_fail(show: LiveView) -> None:
    show.doing("finished", "The video has ended.")
    with pytest.raises(KeyboardInterrupt), ExitStack() as stack:
        stack.push(show.failure)
        raise KeyboardInterrupt
    assert show.feed.snapshot()["doing"]["phase"] == "finished"


def test_progress_is_told_twice_a_second_while_it_watches(show: LiveView) -> None:
    told = []
    show.progress(0.0, 0.0)
    assert "doing" not in show.feed.snapshot()
    show.doing("watching", "Watching.")
    for frame in range(120):
        show.progress(frame / 60, frame / 240)
        told.append(show.feed.snapshot()["doing"]["t_s"])
    assert sorted({t for t in told if t is not None}) == [0.0, 0.5, 1.0, 1.5]
    assert show.feed.snapshot()["doing"]["share"] == pytest.approx(90 / 240)


def test_each_coin_asked_about_is_shown_by_its_own_face_and_how_likely_each_name_is(
    show: LiveView,
) -> None:
    half = np.zeros((32, 32, 3), np.float32)
    half[:, 16:] = 200.0  # the right half is bright; in one picture an arm is in front
    faces = {"?1": FaceEvidence(), "?4": FaceEvidence()}
    for look in (half, half, half + 50.0):
        faces["?1"].add(FacePatch(look, 24.0))
    resting = {"?1": Rest((10.0, 20.0), 0.1), "?4": Rest((300.0, -20.0), 0.1)}
    bgr = np.zeros((720, 1280, 3), np.uint8)
    view = true_table("pass-and-hit").view
    gathered = SimpleNamespace(still=StillPicture(lambda: bgr, view, (True, 2, 1.0)))
    resting["?2"] = Rest((500.0, 40.0), 0.1)  # it is known which coin this is
    builder: Any = SimpleNamespace(faces=faces, known=lambda: resting, gathered=gathered)
    odds = {"?1": (("moons", 0.5), ("suns", 0.5)), "?4": ()}
    show.naming(CoinNaming({"?1": "moons"}, ("?1", "?4"), odds), builder, ["moons", "suns"])
    topic = show.feed.snapshot()["naming"]
    asked = topic["coins"]
    assert topic["picture_px"] == [1280, 720]
    height_mm = true_table("pass-and-hit").sizes.coin_thickness_mm
    at_px = view.to_image(np.array([[10.0, 20.0, height_mm], [500.0, 40.0, height_mm]]))
    assert asked[0]["in_picture"]["at_px"] == pytest.approx(at_px[0])
    assert [one["at_px"] for one in topic["others"]] == [pytest.approx(at_px[1])]
    assert [(one["candidates"], one["odds"], one["face"]) for one in asked] == [
        (["moons", "suns"], [0.5, 0.5], "face-1"),
        (["moons", "suns"], [], None),
    ]
    picture = show.feed.picture("face-1")
    assert (
        picture is not None
        and picture.media_type == "image/jpeg"
        and show.feed.picture("face-4") is None
    )
    seen = cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR)
    assert seen.shape[0] == seen.shape[1] >= 200
    assert seen[:, 30:90].mean() < 10 and seen[:, -90:-30].mean() > 245

"""How many still pictures a rough survey looks at, and which matches it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.course.course_fit import CourseFit
from calibration.course.orientation import Orientation
from calibration.rough_survey import rough_view as module
from calibration.rough_survey.arranged import Arranged
from calibration.rough_survey.rough_view import rough_view
from referee.domain.errors import InputError
from referee.domain.layout import template_course
from referee.domain.pieces import PieceSizes
from tests.vision.drawn import looking

GAME = "tabletop-croquet"
SIZES = PieceSizes()
TEMPLATE = template_course(GAME, SIZES.tile_mm)
VIEW = looking()
STILL = np.zeros((VIEW.camera.height, VIEW.camera.width, 3), np.uint8)


def seen(*aside: str, share: float = 1.0, tiles: int = 20, without: str = "") -> Arranged:
    """Return a match of so many tiles, but one. Those that are `aside` lie half a tile beside their
    places, and a square is a `share` of a tile wide.
    """
    names = [name for name in TEMPLATE.tiles if name != without][:tiles]
    at_mm = np.array([TEMPLATE.tiles[name].centre_mm for name in names])
    at_mm[[names.index(name) for name in aside]] += (0.0, SIZES.tile_mm / 2)
    squares = {name: k for k, name in enumerate(names)}
    fit = CourseFit(0.0, (1.0, 1.0), (0.0, 0.0), squares, float(tiles))
    return Arranged(VIEW, at_mm / share, np.zeros(len(names)), fit)


def looked_at(matches: Sequence[Arranged | None], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the still pictures that a survey looked at, the one that it starts from first."""
    left, count = [*matches], list[int]()

    def fit_still(*_: Any) -> Arranged | None:
        count.append(len(count))
        return left.pop(0)

    monkeypatch.setattr(module, "fit_still", fit_still)
    _, order = rough_view([STILL] * len(matches), VIEW.camera, GAME, SIZES, Orientation())
    return [order[0], *(k for k in count if k != order[0])]


@pytest.mark.parametrize(
    ("matches", "looked"),
    [
        ((seen(), seen()), [0]),
        # the second picture tells whether an arm hid half of a tile in the first
        ((seen("wicket-1-left"), seen("wicket-4-left"), seen()), [0, 1]),
        ((seen("wicket-1-left"), seen("wicket-1-left"), seen()), [0, 1]),
        ((seen("wicket-1-left"), seen(), seen()), [1, 0]),
        # too little was seen in the first picture
        ((seen("wicket-1-left", tiles=12), seen("wicket-1-left"), seen()), [2, 0, 1]),
    ],
)
def test_a_survey_looks_at_further_pictures_while_tiles_may_be_hidden(
    matches: tuple[Arranged, ...], looked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert looked_at(matches, monkeypatch) == looked


def renamed(match: Arranged) -> Arranged:
    """Return the same squares with the names that a course turned by half gives them."""
    assert match.fit is not None
    names = [*match.fit.squares]
    return replace(
        match,
        fit=replace(match.fit, squares=dict(zip(names, range(len(names))[::-1], strict=True))),
    )


@pytest.mark.parametrize(
    ("second", "known"),
    [
        (seen("wicket-4-left"), False),
        (seen("wicket-1-left"), True),
        (renamed(seen("wicket-1-left")), True),
        (seen(tiles=12), True),
        (seen("wicket-4-left", without="wicket-1-left"), True),
    ],
    ids=["in its place", "aside", "aside, other names", "too little", "not seen"],
)
def test_a_tile_half_hidden_in_the_first_picture_is_searched_for(
    second: Arranged, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that lies aside in both pictures lies there. What shows too little says nothing."""
    first = seen("wicket-1-left")
    assert first.fit is not None
    centre = first.centres_mm[first.fit.squares["wicket-1-left"]]
    around = centre + SIZES.tile_mm / 2 * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
    quad = VIEW.to_image(np.column_stack((around, np.zeros(4))))
    matches = [first, second]
    monkeypatch.setattr(module, "fit_still", lambda *_: matches.pop(0))
    monkeypatch.setattr(module, "find_quads", lambda *_: [quad])
    rough, _ = rough_view([STILL, STILL], VIEW.camera, GAME, SIZES, Orientation())
    assert ("wicket-1-left" in rough.tiles) == known
    assert len(rough.tiles) == 19 + known
    assert len(rough.quads) == known


def test_squares_of_the_wrong_size_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = seen(share=1 / 0.74)
    with pytest.raises(InputError, match="wrong size for its tiles; they may be printed"):
        looked_at([checks, checks], monkeypatch)
    with pytest.raises(InputError, match="wrong size for its tiles; they may be printed"):
        looked_at([checks, seen(tiles=4), replace(checks, fit=None)], monkeypatch)
    assert looked_at([checks, seen(tiles=16)], monkeypatch) == [1, 0]


def test_a_known_camera_is_never_guessed(monkeypatch):
    monkeypatch.setattr(module, "guess_camera", lambda *_: pytest.fail("the camera is known"))
    monkeypatch.setattr(module, "find_quads", lambda *_: [np.zeros((4, 2))] * 30)
    assert looked_at([seen()], monkeypatch) == [0]

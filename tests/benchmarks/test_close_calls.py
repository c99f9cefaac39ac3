"""Close calls: what counts as close, with which margin, and how what was stated is counted."""

import math
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest

import benchmarks.close_scenes
from benchmarks.close_calls import stated_of
from benchmarks.close_calls_table import Bin, Row, Stated, as_text, bins_of, close_only, shortfalls
from benchmarks.close_scenes import close_scene
from benchmarks.close_truth import Flick, crossing_margin, flicks_of, legs
from referee.domain.geometry import Point
from referee.domain.layout import Course, Line, Tile
from referee.synthetic.physics.motion import Slide
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import scene_of

# Between two tiles of 50 mm at (0, 75) and (0, -75): the line is x = 0 from y = -50 to 50, and
# outward is to the right.
COURSE = Course({"wicket-1-left": Tile((0.0, 75.0)), "wicket-1-right": Tile((0.0, -75.0))}, 50.0)
LINE = COURSE.lines["wicket-1"]


def slides(*places: Point) -> list[Slide]:
    """Return slides from place to place: each takes a second, and friction ends it there."""
    return [
        Slide(float(n), a, (2 * (b[0] - a[0]), 2 * (b[1] - a[1])), 2 * math.dist(a, b)).ended(
            n + 1.0
        )
        for n, (a, b) in enumerate(pairwise(places))
    ]


def margins(line: Line, *places: Point) -> list[tuple[float, float]]:
    """Return by how much each leg crossed a line outward and homeward."""
    return [
        (crossing_margin(leg, line, 1.0)[1], crossing_margin(leg, line, -1.0)[1])
        for leg in legs(slides(*places), line)
    ]


def flick(*places: Point, facts: tuple[dict[str, Any], ...] = ()) -> Flick:
    """Return a flick of moons from place to place."""
    return Flick("moons", 0.0, 10.0, {"moons": slides(*places)}, facts, COURSE)


FLICKED = {"kind": "flicked", "coin": "moons", "t_s": 0.0}
REST = {"kind": "at_rest", "coins": {"moons": [0.0, 0.0]}, "t_s": -1.0}
CROSSED = {"kind": "line_crossed", "coin": "moons", "line": "wicket-1", "direction": "outward"}


def test_a_coin_that_stops_half_a_millimetre_past_the_line_crossed_by_that() -> None:
    ((outward, homeward),) = margins(LINE, (-100.0, 0.0), (0.5, 0.0))
    assert outward == pytest.approx(0.5)
    assert homeward == -math.inf


def test_a_coin_that_lay_past_the_line_and_goes_on_did_not_cross_by_that() -> None:
    ((outward, _),) = margins(LINE, (0.5, 0.0), (100.0, 0.0))
    assert outward == pytest.approx(-0.5)


def test_a_coin_that_crosses_beside_the_line_s_end_did_not_cross_by_that() -> None:
    ((outward, _),) = margins(LINE, (-100.0, 50.7), (100.0, 50.7))
    assert outward == pytest.approx(-0.7)


def test_a_coin_that_comes_back_makes_two_legs_and_one_that_only_slows_makes_one() -> None:
    there, back = margins(LINE, (-100.0, 0.0), (1.2, 0.0), (-50.0, 0.0))
    assert there[0] == pytest.approx(1.2) and back[1] == pytest.approx(1.2)
    assert len(legs(slides((-100.0, 0.0), (-50.0, 0.0), (80.0, 0.0)), LINE)) == 1


def test_contacts_and_falls_count_with_what_was_lacking() -> None:
    gap = {"kind": "contact", "coin": "suns", "with": "moons", "t_s": 0.5, "gap_mm": 0.4}
    fall = {"kind": "left_table", "coin": "moons", "t_s": 1.0, "margin_mm": 1.1}
    far = {"kind": "contact", "coin": "moons", "with": "arms", "t_s": 0.5, "margin_mm": 9.0}
    calls = flick((-300.0, 0.0), (-200.0, 0.0), facts=(gap, fall, far)).close_calls()
    assert [(c.kind, c.coin, c.what, c.margin_mm) for c in calls] == [
        ("contact", "moons", "suns", -0.4),
        ("left_table", "moons", "", 1.1),
    ]


def test_what_is_stated_is_matched_and_silence_counts_as_0() -> None:
    close = flick((-100.0, 0.0), (0.5, 0.0))
    record = [REST, FLICKED, {**CROSSED, "t_s": 1.0, "probability": 0.7, "sigma_mm": 0.3}]
    assert [(c.chance, c.happened, c.sigma_mm) for c in stated_of(close, record)] == [
        (0.7, True, 0.3)
    ]
    assert [(c.chance, c.happened) for c in stated_of(close, [REST, FLICKED])] == [(0.0, True)]


def test_nothing_is_stated_of_an_unseen_coin_and_of_a_flick_that_is_unsure_or_lacking() -> None:
    close = flick((-100.0, 0.0), (0.5, 0.0))
    unseen = {"kind": "unseen", "pieces": ["moons"], "from_s": 0.5, "to_s": 2.0, "t_s": 0.5}
    for record in (
        [FLICKED, unseen],
        [REST, {**FLICKED, "probability": 0.5}],
        [{**FLICKED, "coin": "suns"}],
        [],
    ):
        assert [c.chance for c in stated_of(close, record)] == [None]


def test_what_clearly_happened_is_no_call_and_what_did_not_is_a_false_one() -> None:
    clear = flick((-100.0, 0.0), (80.0, 0.0))
    assert stated_of(clear, [REST, FLICKED, {**CROSSED, "t_s": 0.5}]) == []
    homeward = {**CROSSED, "direction": "homeward", "t_s": 0.5, "probability": 0.6}
    (invented,) = stated_of(clear, [REST, FLICKED, homeward])
    assert (invented.chance, invented.happened, invented.margin_mm) == (0.6, False, None)


def call(chance: float, happened: bool, margin_mm: float = 0.1) -> Stated:
    return Stated("line_crossed", chance, happened, margin_mm, 0.2, "")


def test_ten_bins_hold_how_much_was_stated_and_how_much_happened() -> None:
    bins = bins_of([call(0.1, False), call(0.18, True), call(1.0, True), call(0.0, False)])
    assert bins[0] == Bin(1, 0.0, 0.0)
    assert bins[1] == Bin(2, pytest.approx(0.14), 0.5)  # a tenth belongs to the upper bin
    assert bins[1].off_points == pytest.approx(-36.0)
    assert bins[9] == Bin(1, 1.0, 1.0)
    assert bins[2:9] == [None] * 7


def test_calls_beyond_three_sigmas_are_not_close_and_silence_has_the_usual_sigma() -> None:
    near, far = call(0.9, True, 0.59), call(0.9, True, 0.61)
    silent = Stated("line_crossed", 0.0, False, -0.7, None, "")
    nowhere = Stated("line_crossed", 0.6, False, None, 0.2, "")
    assert close_only([near, far, silent, nowhere]) == [near, nowhere]


def test_too_few_calls_and_more_than_5_points_fall_short() -> None:
    half = [call(0.5, n % 2 == 0) for n in range(200)]
    assert not any("0.5-0.6" in line for line in shortfalls(half))
    biased = [call(0.5, n % 5 < 3) for n in range(200)]  # 60 % of what 50 % were stated of
    assert "short: 0.5-0.6 is -10.0 points off" in shortfalls(biased)
    assert "short: 0.5-0.6 has 149 calls of 150" in shortfalls(half[:149])


def test_the_table_shows_every_bin_and_each_kind() -> None:
    row = Row(1, [asdict(call(0.5, True)), asdict(call(0.5, False))])
    line = next(x for x in as_text([row], "today").splitlines() if x.startswith("0.5-0.6"))
    assert line.split()[1:4] == ["2", "50.0", "50.0"]
    assert "2: 50 50" in line


def test_every_flick_of_a_drawn_scene_is_a_close_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmarks.close_scenes, "FLICKS", 2)
    scene = scene_of(close_scene(3))
    found = flicks_of(scene, play_scene(scene))
    assert len(found) == 2 and all(f.close_calls() for f in found)

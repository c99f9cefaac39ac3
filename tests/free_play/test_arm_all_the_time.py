"""A video such as people cut and convert it: an arm is over a plain table from the first picture to
the last, the exposure follows it, every sixth picture is lost, and in the end every disc has moved.
"""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest

from referee.cli import run
from tests.free_play.drawn_video import Slide, Table, write_video

# Each disc passes between the two others. Way = speed^2 / (2 * 1500 mm/s^2).
A, B, C = (-120.0, 0.0), (-20.0, 70.0), (-20.0, -70.0)
A_END, B_WAY, C_WAY = (100.0, 0.0), 180.0, 170.0


def _flick(from_mm, through_mm, begin_s, way_mm):
    away = (through_mm[0] - from_mm[0], through_mm[1] - from_mm[1])
    share = math.sqrt(2 * 1500.0 * way_mm) / math.hypot(*away)
    return Slide(from_mm, begin_s, (share * away[0], share * away[1]))


FIRST = _flick(A, A_END, 1.0, 220.0)
SECOND = _flick(B, (40.0, -35.0), 2.5, B_WAY)  # the middle between A's end and C
B_END = SECOND(9.0)
THIRD = _flick(C, ((100.0 + B_END[0]) / 2, B_END[1] / 2), 4.0, C_WAY)
# Behind each disc for a while before it sets off; 30 mm from its middle no rim touches the finger.
ARM_S = (0.0, 0.7, 1.2, 2.1, 2.7, 3.6, 5.2)
ARM_MM = ((-190, -8), (-150, 0), (-150, 0), (-35, 96), (-35, 96), (-49, -77), (-49, -77))


def arm(t_s):
    return tuple(float(np.interp(t_s, ARM_S, [p[axis] for p in ARM_MM])) for axis in (0, 1))


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arm")
    table = Table({"A": FIRST, "B": SECOND, "C": THIRD}, arm=arm, light=lambda t: 1 - 0.03 * t)
    kept = [k / 30 for k in range(156) if k % 6 != 4]
    write_video(folder / "arm.avi", table, kept, 25)
    run(["paths", str(folder / "arm.avi"), "--lines", "pairs", "--out", str(folder / "out")])
    return folder / "out"


@pytest.fixture(scope="module")
def incidents(out):
    return [json.loads(line) for line in (out / "incidents.jsonl").read_text().splitlines()]


def test_each_flick_has_its_picture(out):
    assert sorted(p.name for p in out.glob("*.png")) == [f"flick-00{k}.png" for k in (1, 2, 3)]


def test_all_three_flicks_are_sure(incidents):
    # The letters go from left to right; at the start the second and third lie equally far right.
    flicked = [i for i in incidents if i["kind"] == "flicked"]
    assert len(flicked) == 3 and all("probability" not in i for i in flicked)
    assert flicked[0]["coin"] == "A" and {i["coin"] for i in flicked} == {"A", "B", "C"}


def test_each_passes_between_the_two_others(incidents):
    crossed = [i for i in incidents if i["kind"] == "line_crossed"]
    flicked = [i["coin"] for i in incidents if i["kind"] == "flicked"]
    assert [i["coin"] for i in crossed] == flicked
    for i in crossed:
        assert {*i["line"].split("-")} == {"A", "B", "C"} - {i["coin"]}
        assert "probability" not in i


def test_flicks_before_the_lost_pictures_are_known_get_the_right_times(tmp_path):
    """The first disc goes only 30 mm, too short a way to show which pictures are lost. Its flick
    was at 0.9 s of the camera's time, the other at 2.0 s. With the file's 25 pictures a second, the
    short slide would seem to slow by (25 / 30)^2 = 0.69 of what it does. Five sightings of it, each
    0.5 px off, show that to 15 %.
    """
    short, long = _flick(A, A_END, 0.9, 30.0), _flick(C, (150.0, -70.0), 2.0, 250.0)
    kept = [k / 30 for k in range(96) if k % 6 != 4]
    write_video(tmp_path / "two.avi", Table({"A": short, "C": long}, disc_mm=22.0), kept, 25)
    run(["paths", str(tmp_path / "two.avi"), "--out", str(tmp_path / "out")])
    with (tmp_path / "out" / "flicks.csv").open(newline="") as file:
        slowing = [float(row["slowing_px_s2"]) for row in csv.DictReader(file)]
    assert slowing[0] == pytest.approx(1650.0, rel=0.2)  # 1.1 px a mm
    assert slowing[1] == pytest.approx(1650.0, rel=0.1)

"""Dots on the table that look like discs but are far smaller than those that are played."""

from __future__ import annotations

import csv

from referee.cli import run
from tests.free_play.drawn_video import Slide, Table, lying, write_video

DOTS = {f"dot {k}": lying((-200.0 + 80.0 * k, 120.0)) for k in range(6)}


def test_dots_of_a_third_of_the_width_are_no_discs(tmp_path):
    played = {"A": Slide((-120.0, -40.0), 1.6, (600.0, 120.0)), "B": lying((60.0, -90.0))}
    table = Table(
        {**played, **DOTS},
        disc_mm=32.0,
        own_mm=dict.fromkeys(DOTS, 9.0),
        finger_mm=(-140.0, -44.0),
        finger_s=1.6,
    )
    write_video(tmp_path / "dots.avi", table, [k / 30 for k in range(84)], 30)
    run(["paths", str(tmp_path / "dots.avi"), "--out", str(tmp_path / "out")])
    with (tmp_path / "out" / "discs.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(played)

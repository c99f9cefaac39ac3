"""How often the ways through the code climb back up."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.walks import BARS, Way, deciding_ways, height, part_height, seeing_ways


def way(*calls: tuple[str, str, int, str]) -> Way:
    return Way(calls=dict.fromkeys(calls))


@pytest.mark.parametrize(
    ("calls", "climbs"),
    [
        ((("web_ui", "f", 1, "referee.desk"), ("referee.desk", "g", 1, "referee.record")), 0),
        ((("web_ui", "f", 1, "referee.desk"), ("web_ui", "f", 2, "referee.desk")), 0),
        ((("web_ui", "f", 1, "referee.desk"), ("web_ui", "h", 2, "referee.desk")), 1),
        ((("web_ui", "f", 1, "referee.desk"), ("web_ui", "f", 2, "referee.record")), 1),
        ((("referee.record", "f", 1, "referee.desk"),), 1),
    ],
    ids=["down and down", "the same again", "another function", "another part", "a call upwards"],
)
def test_a_way_climbs_when_a_part_calls_down_again(
    calls: tuple[tuple[str, str, int, str], ...], climbs: int
) -> None:
    assert way(*calls).climbs() == climbs


def test_what_imports_lies_higher() -> None:
    assert part_height("web_ui") > part_height("referee.desk") > part_height("referee.record")
    assert height("referee.replay.fold") > height("referee.replay.rulings.items")


def test_no_way_climbs_more_often_than_it_may(tmp_path: Path) -> None:
    ways = dict(zip(BARS, (*seeing_ways(), *deciding_ways(tmp_path)), strict=True))
    assert all(way.modules for way in ways.values())
    limited = {name: bar for name, bar in BARS.items() if bar is not None}
    assert {name for name, bar in limited.items() if ways[name].climbs() > bar} == set()

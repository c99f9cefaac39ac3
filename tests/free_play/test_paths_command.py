"""`referee paths` on drawn videos, against where the discs were drawn."""

from __future__ import annotations

import csv
import json
import math

import pytest
from click.testing import CliRunner

from referee.cli import cli
from tests.free_play.drawn_video import Slide, Table, lying, view, write_video

FLICK_S = 1.2
PX_PER_MM = 1.1
#: A is flicked between B and C, and goes 213 mm: 800^2 / 3000.
SLIDE = Slide((-150.0, -20.0), FLICK_S, (792.0, 113.0))
PASSED = {"A": SLIDE, "B": lying((-60.0, 60.0)), "C": lying((-50.0, -70.0))}


def played(tmp_path, table, times_s, stored_hz, *options):
    video, out = tmp_path / "play.avi", tmp_path / "out"
    write_video(video, table, times_s, stored_hz)
    result = CliRunner().invoke(cli, ["paths", str(video), "--out", str(out), *options])
    assert result.exit_code == 0, result.output
    rows = table_of(out / "paths.csv")
    facts = [json.loads(line) for line in (out / "incidents.jsonl").read_text().splitlines()]
    figures = table_of(out / "flicks.csv")
    return rows, facts, figures, result.output, out


def table_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def even(hz, until_s=2.3):
    return [k / hz for k in range(round(until_s * hz))]


@pytest.fixture(scope="module")
def passed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("passed")
    table = Table(PASSED, finger_mm=(-164.0, -30.0), finger_s=FLICK_S)
    return played(folder, table, even(30), 30, "--lines", "pairs", "--coin-mm", "24")


def test_a_disc_is_followed_from_its_flick_to_its_rest(passed):
    rows, _, figures, _, _ = passed
    assert {row["flick"] for row in rows} == {"1"}
    own = [row for row in rows if row["coin"] == "A"]
    sliding = [row for row in own if float(row["t_s"]) > FLICK_S + 0.05 and row["seen"] == "1"]
    assert len(sliding) >= 10
    offs_px = []
    for row in sliding:
        # the middle of the exposure: 0.3 of a frame, begun with the frame
        x, y = SLIDE(int(row["frame"]) / 30 + 0.15 / 30)
        off = math.hypot(
            float(row["x_px"]) - (319.5 + PX_PER_MM * x),
            float(row["y_px"]) - (179.5 - PX_PER_MM * y),
        )
        assert off < 3 * float(row["sigma_px"]), row
        offs_px.append(off)
    assert sum(offs_px) / len(offs_px) < 1.0
    (own,) = figures
    assert float(own["length_mm"]) == pytest.approx(SLIDE.way_mm, rel=0.03)
    assert float(own["length_px"]) == pytest.approx(SLIDE.way_mm * PX_PER_MM, rel=0.03)
    assert float(own["top_speed_mm_s"]) == pytest.approx(800.0, rel=0.1)
    assert float(own["slowing_mm_s2"]) == pytest.approx(1500.0, rel=0.15)
    assert own["deflection_deg"] == ""


def test_a_disc_that_lies_still_has_one_row_where_it_lies(passed):
    rows, _, _, _, _ = passed
    first = min(int(row["frame"]) for row in rows)
    for coin in ("B", "C"):
        (own,) = [row for row in rows if row["coin"] == coin]
        x, y = PASSED[coin](0.0)
        assert int(own["frame"]) == first
        assert float(own["x_px"]) == pytest.approx(319.5 + PX_PER_MM * x, abs=1.0)
        assert float(own["y_px"]) == pytest.approx(179.5 - PX_PER_MM * y, abs=1.0)


def test_it_crosses_the_line_between_the_two_others_once(passed):
    _, facts, _, _, out = passed
    (crossed,) = [f for f in facts if f["kind"] == "line_crossed"]
    assert (crossed["coin"], crossed["line"]) == ("A", "B-C")
    # From (-60, 60) to (-50, -70): A is there at x = -53.7 mm, after 97 mm of its way.
    t_s = FLICK_S + (800.0 - math.sqrt(800.0**2 - 2 * 1500.0 * 97.2)) / 1500.0
    assert crossed["t_s"] == pytest.approx(t_s, abs=0.01)
    first, last = crossed["frames"]
    assert first <= t_s * 30 <= last + 1 and last == first + 1
    assert crossed.get("probability", 1.0) > 0.95 and "direction" not in crossed
    assert not [f for f in facts if f["kind"] == "contact"]
    near = table_of(out / "near-misses.csv")
    assert {(row["coin"], row["other"]) for row in near} <= {("A", "B"), ("A", "C")}


def test_everything_is_there_to_look_at(passed):
    _, facts, _, output, out = passed
    assert [f["coin"] for f in facts if f["kind"] == "flicked"] == ["A"]
    assert (out / "flick-001.png").stat().st_size > 10_000
    page = (out / "index.html").read_text()
    assert "Flick 1: A" in page and "A crossed B-C" in page and str(out) not in page
    assert "1 flick" in output
    (rest,) = [f for f in facts if f["kind"] == "at_rest"]
    for coin, at in {"A": SLIDE(9.0), "B": (-60.0, 60.0), "C": (-50.0, -70.0)}.items():
        x_px, y_px = rest["coins_px"][coin]
        assert math.hypot(x_px - 319.5 - PX_PER_MM * at[0], y_px - 179.5 + PX_PER_MM * at[1]) < 1.5


def test_a_disc_that_another_hits_is_in_contact_with_it(tmp_path):
    """A slides along x into B, 100 mm away, and B goes on with most of its speed."""
    speed_mm_s = math.sqrt(800.0**2 - 2 * 1500.0 * 76.0)
    hit_s = FLICK_S + (800.0 - speed_mm_s) / 1500.0
    before = Slide((-150.0, 0.0), FLICK_S, (800.0, 0.0))
    after = Slide((-74.0, 0.0), hit_s, (0.05 * speed_mm_s, 0.0))
    struck = Slide((-50.0, 0.0), hit_s, (0.95 * speed_mm_s, 0.0))
    discs = {
        "A": lambda t_s: before(t_s) if t_s < hit_s else after(t_s),
        "B": struck,
        "C": lying((-50.0, 90.0)),
    }
    table = Table(discs, finger_mm=(-164.0, -12.0), finger_s=FLICK_S)
    rows, facts, _, _, _ = played(tmp_path, table, even(60), 60, "--lines", "pairs")
    (contact,) = [f for f in facts if f["kind"] == "contact"]
    # from left to right: A, then C and B, whose middles have the same x within a hundredth
    assert contact["coin"] == "A" and contact["with"] in ("B", "C")
    assert contact["t_s"] == pytest.approx(hit_s, abs=0.01)
    assert contact.get("probability", 1.0) > 0.95
    assert {row["x_mm"] for row in rows} == {""}  # no size, no millimetres


def test_discs_of_several_sizes_are_measured_each(tmp_path):
    """A is 20 mm wide and passes B, 44 mm wide and 35 mm from its way: 3 mm are between the rims.
    C is as wide as A, and 35 mm away on the other side: 15 mm.
    """
    slide = Slide((-150.0, 0.0), FLICK_S, (800.0, 0.0))
    discs = {"A": slide, "B": lying((-60.0, 35.0)), "C": lying((-40.0, -35.0))}
    table = Table(discs, 20.0, finger_mm=(-164.0, -12.0), finger_s=FLICK_S, own_mm={"B": 44.0})
    _, facts, _, _, out = played(tmp_path, table, even(30), 30, "--coin-mm", "20")
    assert [f["kind"] for f in facts] == ["flicked", "at_rest"]
    widths = {row["coin"]: float(row["width_mm"]) for row in table_of(out / "discs.csv")}
    assert widths == pytest.approx({"A": 20.0, "B": 44.0, "C": 20.0}, rel=0.05)
    gaps = {row["other"]: float(row["gap_mm"]) for row in table_of(out / "near-misses.csv")}
    # a disc that is 22 px wide is measured to some 4 %: of 35 mm, 1.4 mm
    assert gaps == pytest.approx({"B": 3.0, "C": 15.0}, abs=1.5)


def test_pictures_that_a_conversion_lost_do_not_change_the_speed(tmp_path):
    """Filmed with 30 pictures a second, stored with 25: every sixth is missing."""
    kept = [t for k, t in enumerate(even(30)) if k % 6 != 4]
    table = Table(PASSED, finger_mm=(-164.0, -30.0), finger_s=FLICK_S)
    _, facts, (own,), output, _ = played(
        tmp_path, table, kept, 25, "--lines", "pairs", "--coin-mm", "24"
    )
    assert "lost one picture after every 5" in output
    assert float(own["top_speed_mm_s"]) == pytest.approx(800.0, rel=0.1)
    assert [f["line"] for f in facts if f["kind"] == "line_crossed"] == ["B-C"]


def test_a_tilted_view_is_straightened(tmp_path):
    discs = {**PASSED, "D": lying((120.0, -90.0)), "E": lying((100.0, 90.0))}
    table = Table(discs, finger_mm=(-164.0, -30.0), finger_s=FLICK_S, seen=view(30.0))
    _, _, figures, output, _ = played(tmp_path, table, even(30), 30, "--coin-mm", "24")
    assert "tilted by" in output
    tilt = int(output.split("tilted by ")[1].split("°")[0])
    assert abs(tilt - 30) <= 9
    (own,) = figures
    assert float(own["length_mm"]) == pytest.approx(SLIDE.way_mm, rel=0.08)


def test_lines_come_from_a_file_in_px_or_mm(tmp_path):
    lines = tmp_path / "lines.yaml"
    lines.write_text(
        "- {name: near, from_px: [253.5, 100], to_px: [253.5, 260]}\n"  # x = -60 mm
        "- {name: beyond, from_mm: [90, -100], to_mm: [90, 100]}\n"
    )
    table = Table(PASSED, finger_mm=(-164.0, -30.0), finger_s=FLICK_S)
    _, facts, _, _, _ = played(
        tmp_path, table, even(30), 30, "--coin-mm", "24", "--lines", str(lines)
    )
    assert [f["line"] for f in facts if f["kind"] == "line_crossed"] == ["near"]

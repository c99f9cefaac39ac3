"""The comparison of records with truths, with truths and records written by hand. Each demand is
broken once.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.compare import Compared, compare

FRAME_S = 1 / 60

FLICK = {"t_s": 1.0, "kind": "flicked", "coin": "suns"}
CROSSING = {
    "t_s": 1.1,
    "kind": "line_crossed",
    "coin": "suns",
    "line": "wicket-1",
    "direction": "outward",
    "margin_mm": 30.0,
}
HIT = {"t_s": 1.2, "kind": "contact", "coin": "suns", "with": "moons", "closing_mm_s": 700.0}
FALL = {"t_s": 1.4, "kind": "left_table", "coin": "moons", "at_mm": [0.0, 380.0]}
TILE = {
    "t_s": 1.3,
    "kind": "tile_displaced",
    "tile": "wicket-2-right",
    "moved_mm": 8.0,
    "turned_deg": 5.0,
}
PLACED = {"t_s": 3.0, "kind": "placed", "coin": "arms", "at_mm": [5.0, 5.0]}
ALL = [FLICK, CROSSING, HIT, TILE, FALL, PLACED]


def judged(true: list[dict[str, Any]], given: list[dict[str, Any]], **more: Any) -> Compared:
    truth = {"incidents": true, "near_misses": [], "tile_contacts": [], **more}
    return compare(
        truth, [{"entry": "setup"}, *given, {"kind": "at_rest", "t_s": 4.0, "coins": {}}], FRAME_S
    )


def without(*fields: str, of: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in of.items() if key not in fields}


def test_a_record_that_tells_the_truth_falls_short_in_nothing() -> None:
    compared = judged(ALL, ALL)
    assert compared.shortfalls == ()
    assert (compared.demanded, compared.certain, compared.invented) == (6, 6, 0)
    assert compared.off_frames == (0.0, 0.0, 0.0)
    assert compared.hand_off_s == (0.0, 0.0)


@pytest.mark.parametrize("missing", range(len(ALL)))
def test_whatever_is_missing_falls_short(missing: int) -> None:
    compared = judged(ALL, ALL[:missing] + ALL[missing + 1 :])
    assert [s.split(":")[0] for s in compared.shortfalls] == ["missing"]
    assert compared.certain == 5


@pytest.mark.parametrize("invented", ALL)
def test_whatever_is_invented_falls_short(invented: dict[str, Any]) -> None:
    compared = judged([], [invented])
    assert compared.invented == 1
    assert compared.shortfalls[0].startswith("invented: ")


@pytest.mark.parametrize(
    ("true", "fields"),
    [
        (CROSSING, {"margin_mm": 1.9}),
        (HIT, {"closing_mm_s": 79.0}),
        (TILE, {"moved_mm": 1.9, "turned_deg": 2.9}),
        (FALL, {"margin_mm": 1.9}),
    ],
)
def test_what_is_too_close_need_not_be_found_nor_be_certain(
    true: dict[str, Any], fields: dict[str, float]
) -> None:
    close = {**true, **fields}
    assert judged([close], []).shortfalls == ()
    assert judged([close], []).demanded == 0
    assert judged([close], [{**close, "probability": 0.6}]).shortfalls == ()


@pytest.mark.parametrize(("probability", "good"), [(0.951, True), (0.95, False), (0.5, False)])
def test_what_is_plain_must_be_given_as_certain(probability: float, good: bool) -> None:
    compared = judged([CROSSING], [{**CROSSING, "probability": probability}])
    assert (compared.shortfalls == ()) is good
    assert compared.certain == good
    assert good or compared.shortfalls[0].startswith("unsure: ")


def test_what_the_record_denies_counts_as_not_given() -> None:
    assert (
        judged([CROSSING], [{**CROSSING, "probability": 0.04}])
        .shortfalls[0]
        .startswith("missing: ")
    )
    assert judged([], [{**CROSSING, "probability": 0.04}]).shortfalls == ()


@pytest.mark.parametrize(
    "wrong", [{"coin": "arms"}, {"line": "wicket-2"}, {"direction": "homeward"}, {"t_s": 1.6}]
)
def test_another_coin_line_direction_or_time_is_missing_and_invented(wrong: dict[str, Any]) -> None:
    compared = judged([CROSSING], [{**CROSSING, **wrong}])
    assert sorted(s.split(":")[0] for s in compared.shortfalls) == ["invented", "missing"]


@pytest.mark.parametrize(("off_frames", "good"), [(0.99, True), (1.01, False), (-1.01, False)])
@pytest.mark.parametrize("true", [CROSSING, HIT, FALL])
def test_crossings_contacts_and_falls_are_timed_to_the_frame(
    true: dict[str, Any], off_frames: float, good: bool
) -> None:
    compared = judged([true], [{**true, "t_s": true["t_s"] + off_frames * FRAME_S}])
    assert (compared.shortfalls == ()) is good
    assert compared.off_frames == pytest.approx((abs(off_frames),))


@pytest.mark.parametrize(("off_s", "good"), [(0.14, True), (-0.16, False), (0.16, False)])
@pytest.mark.parametrize("true", [FLICK, PLACED])
def test_flicks_and_placements_have_more_time(
    true: dict[str, Any], off_s: float, good: bool
) -> None:
    assert (judged([true], [{**true, "t_s": true["t_s"] + off_s}]).shortfalls == ()) is good


def test_a_contact_must_name_who_moved_into_whom_unless_both_did() -> None:
    turned = {**HIT, "coin": "moons", "with": "suns"}
    assert judged([HIT], [turned]).shortfalls == ("wrong way round: contact suns moons at 1.200 s",)
    assert judged([{**HIT, "both_moving": True}], [turned]).shortfalls == ()


def test_the_order_of_the_record_is_judged() -> None:
    assert judged([FLICK, CROSSING, HIT], [FLICK, HIT, CROSSING]).shortfalls == (
        (
            "order: contact suns moons at 1.200 s stands before line_crossed suns wicket-1 outward"
            " at 1.100 s"
        ),
    )


def test_an_order_that_the_record_leaves_open_is_not_wrong() -> None:
    hit, crossing = {**HIT, "frames": [66, 68]}, {**CROSSING, "frames": [67, 69]}
    assert judged([CROSSING, HIT], [hit, crossing]).shortfalls == ()
    assert (
        judged([CROSSING, HIT], [{**hit, "frames": [66, 67]}, crossing])
        .shortfalls[0]
        .startswith("order: ")
    )
    assert judged([CROSSING, HIT], [{**hit, "frames": [67, 67]}, crossing]).shortfalls == ()


def test_one_given_incident_answers_one_truth() -> None:
    again = {**CROSSING, "t_s": 1.18}
    assert judged([CROSSING, again], [CROSSING]).shortfalls == (
        "missing: line_crossed suns wicket-1 outward at 1.180 s",
    )
    assert judged([CROSSING], [CROSSING, again]).invented == 1


def test_the_nearest_in_time_is_taken() -> None:
    again = {**CROSSING, "t_s": 1.12}
    assert judged([CROSSING, again], [again, CROSSING]).off_frames == (0.0, 0.0)


@pytest.mark.parametrize(
    ("short_by_mm", "probability", "excused"),
    [(1.5, 0.5, True), (1.5, 0.96, False), (1.5, None, False), (2.5, 0.5, False)],
)
def test_what_nearly_happened_may_be_given_as_unsure(
    short_by_mm: float, probability: float | None, excused: bool
) -> None:
    near = {
        "t_s": 1.1,
        "kind": "line_crossed",
        "coin": "suns",
        "line": "wicket-1",
        "short_by_mm": short_by_mm,
    }
    given = CROSSING if probability is None else {**CROSSING, "probability": probability}
    compared = judged([], [given], near_misses=[near])
    assert (compared.invented, compared.excused) == ((0, 1) if excused else (1, 0))


def test_a_near_miss_of_another_line_excuses_nothing() -> None:
    near = {
        "t_s": 1.1,
        "kind": "line_crossed",
        "coin": "suns",
        "line": "wicket-2",
        "short_by_mm": 0.5,
    }
    assert judged([], [{**CROSSING, "probability": 0.5}], near_misses=[near]).invented == 1


def test_a_near_miss_of_two_coins_may_be_told_of_either() -> None:
    near = {"t_s": 1.2, "kind": "contact", "coin": "moons", "with": "suns", "gap_mm": 0.4}
    assert judged([], [{**HIT, "probability": 0.4}], near_misses=[near]).excused == 1


def test_contacts_with_tiles_are_right_where_the_coin_truly_met_the_tile() -> None:
    given = {"t_s": 1.31, "kind": "contact", "coin": "moons", "with": "wicket-2-right"}
    met = {"t_s": 1.30, "coin": "moons", "tile": "wicket-2-right"}
    assert judged([], [given], tile_contacts=[met]).shortfalls == ()
    assert judged([], [given], tile_contacts=[{**met, "coin": "suns"}]).invented == 1
    assert judged([], [given], tile_contacts=[{**met, "t_s": 0.5}]).invented == 1


@pytest.mark.parametrize(
    ("measured", "good"),
    [
        ({"moved_mm": 9.9}, True),
        ({"moved_mm": 10.1}, False),
        ({"turned_deg": 8.1}, False),
        ({"turned_deg": -85.0}, True),  # a square turned by a further quarter
    ],
)
def test_how_far_a_tile_moved_is_judged(measured: dict[str, float], good: bool) -> None:
    assert (judged([TILE], [{**TILE, **measured}]).shortfalls == ()) is good


def test_a_tile_put_back_must_be_found() -> None:
    back = {**TILE, "kind": "tile_restored", "t_s": 2.0}
    assert judged([TILE], [TILE], tile_restored=[back]).shortfalls == (
        "missing: tile_restored wicket-2-right at 2.000 s",
    )
    assert judged([TILE], [TILE, back], tile_restored=[back]).shortfalls == ()


def test_tiles_are_not_judged_by_their_order() -> None:
    assert judged([HIT, TILE, FALL], [TILE, HIT, FALL]).shortfalls == ()


def test_an_incident_without_time_is_no_record() -> None:
    with pytest.raises(KeyError):
        judged([CROSSING], [without("t_s", of=CROSSING)])

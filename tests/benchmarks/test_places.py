"""The comparison of places, on tracks computed by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.places import (
    instants,
    moving_errors,
    read_paths,
    resting_places,
    rigid,
    rigid_of_most,
    true_tracks,
)

FRAME_S = 0.1
SPEED_MM_S = 200.0


def same(points: Any) -> Any:
    return np.asarray(points, dtype=np.float64)


def clip(
    frames: int = 11, state: str = "sliding", speed_mm_s: float = SPEED_MM_S, visible: float = 1.0
) -> dict[str, Any]:
    """Return a clip in which a coin slides along x at constant speed, from x = 0 on. The middle of
    its exposures is 0.01 s after the shutter opens.
    """
    row = {"state": state, "speed_mm_s": speed_mm_s, "visible": visible}
    coins = [
        {"suns": {"t_seen_s": n * FRAME_S + 0.01, "mm": [speed_mm_s * n * FRAME_S, 0.0], **row}}
        for n in range(frames)
    ]
    return {
        "frames": [{"t_s": n * FRAME_S, "coins": seen} for n, seen in enumerate(coins)],
        "incidents": [],
        "tile_contacts": [],
    }


def paths(tmp_path: Path, rows: list[tuple[float, float, float, int]]) -> Path:
    """Write a paths.csv of suns with rows t_s, x_mm, y_mm, seen. Sigma is 0.5 mm."""
    file = tmp_path / "paths.csv"
    file.write_text(
        "flick,coin,t_s,x_mm,y_mm,sigma_mm,seen\n"
        + "".join(f"1,suns,{t},{x},{y},0.5,{seen}\n" for t, x, y, seen in rows),
        encoding="utf-8",
    )
    return file


def moved(
    tmp_path: Path, truth: dict[str, Any], rows: list[tuple[float, float, float, int]]
) -> Any:
    return moving_errors(
        read_paths(paths(tmp_path, rows)), true_tracks(truth), same, instants(truth), FRAME_S
    )


def test_a_rigid_fit_undoes_a_turn_and_a_shift() -> None:
    places = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 50.0]])
    turned = np.array(
        [[10.0, 20.0], [10.0, 120.0], [-40.0, 20.0]]
    )  # a quarter turn to the left, shifted by (10, 20)
    assert rigid(places, turned)(places) == pytest.approx(turned)


def test_a_rigid_fit_hides_no_scale_and_no_mirror() -> None:
    places = np.array([[-100.0, 0.0], [100.0, 0.0], [0.0, 50.0], [0.0, -50.0]])
    assert np.linalg.norm(
        rigid(1.01 * places, places)(1.01 * places) - places, axis=1
    ) == pytest.approx([1.0, 1.0, 0.5, 0.5])
    mirrored = places * [1.0, -1.0] + [[0.0, 0.0], [0.0, 0.0], [30.0, 0.0], [0.0, 0.0]]
    assert np.max(np.linalg.norm(rigid(mirrored, places)(mirrored) - places, axis=1)) > 10.0


def test_a_coin_in_the_wrong_place_does_not_spoil_the_fit_of_the_others() -> None:
    places = np.array([[0.0, 0.0], [300.0, 0.0], [0.0, 200.0], [300.0, 200.0], [100.0, 50.0]])
    given = places.copy()
    given[4] += [40.0, 0.0]
    off = np.linalg.norm(rigid_of_most(given, places)(given) - places, axis=1)
    assert off == pytest.approx([0.0, 0.0, 0.0, 0.0, 40.0], abs=1e-9)


def test_a_moving_coins_error_is_its_distance_at_its_time(tmp_path: Path) -> None:
    moving = moved(
        tmp_path, clip(), [(0.21, 40.0, 4.0, 1), (0.26, 50.0, 0.0, 1)]
    )  # truly at 40 and, halfway between two frames, at 50 mm
    assert moving.errors_mm == pytest.approx([4.0, 0.0], abs=1e-9)
    assert moving.normalised == pytest.approx([16.0 / (2 * 0.25), 0.0], abs=1e-9)


def test_one_shift_of_all_times_does_not_count(tmp_path: Path) -> None:
    """The shutter opened 0.02 s later than the video says: 4 mm at 200 mm/s."""
    moving = moved(tmp_path, clip(), [(0.31, 64.0, 0.0, 1), (0.41, 84.0, 0.0, 1)])
    assert moving.errors_mm == pytest.approx([0.0, 0.0], abs=1e-9)


def test_no_shift_hides_what_is_off_along_the_way_in_one_direction_and_back(tmp_path: Path) -> None:
    moving = moved(tmp_path, clip(), [(0.31, 63.0, 0.0, 1), (0.41, 77.0, 0.0, 1)])
    assert moving.errors_mm == pytest.approx([3.0, 3.0], abs=1e-9)


def test_only_points_that_were_seen_count(tmp_path: Path) -> None:
    moving = moved(tmp_path, clip(), [(0.21, 999.0, 0.0, 0), (0.31, 60.0, 0.0, 1)])
    assert len(moving.errors_mm) == 1
    assert (moving.seen_frames, moving.frames_in_sight) == (1, 11)


@pytest.mark.parametrize(
    ("state", "speed_mm_s"),
    [("carried", 200.0), ("off_table", 200.0), ("sliding", 3100.0), ("sliding", 40.0)],
)
def test_coins_in_hands_off_the_table_too_fast_or_all_but_still_are_left_out(
    tmp_path: Path, state: str, speed_mm_s: float
) -> None:
    assert (
        len(
            moved(
                tmp_path, clip(state=state, speed_mm_s=speed_mm_s), [(0.21, 0.0, 0.0, 1)]
            ).errors_mm
        )
        == 0
    )


def test_the_instant_of_a_contact_is_left_out(tmp_path: Path) -> None:
    truth = clip()
    truth["incidents"] = [{"t_s": 0.24, "kind": "contact", "coin": "moons", "with": "suns"}]
    at_frames = [(0.11, 20.0, 0.0, 1), (0.31, 60.0, 0.0, 1)]
    between = [(0.22, 999.0, 0.0, 1), (0.26, 999.0, 0.0, 1), (0.29, 999.0, 0.0, 1)]
    assert moved(tmp_path, truth, sorted(at_frames + between)).errors_mm == pytest.approx(
        [0.0, 0.0], abs=1e-9
    )


def test_frames_in_which_a_coin_is_hidden_need_not_be_seen(tmp_path: Path) -> None:
    assert moved(tmp_path, clip(visible=0.7), [(0.21, 40.0, 0.0, 1)]).frames_in_sight == 0


def test_a_coin_that_was_never_seen_moving_counts_against(tmp_path: Path) -> None:
    moving = moved(tmp_path, clip(), [])
    assert (moving.seen_frames, moving.frames_in_sight) == (0, 11)


def test_resting_places_are_those_of_coins_that_truly_lie_still() -> None:
    truth = clip(state="rest", speed_mm_s=0.0)
    entries = [
        {"kind": "at_rest", "t_s": 0.5, "coins": {"suns": [1.0, 2.0], "stranger": [9.0, 9.0]}},
        {"kind": "placed", "t_s": 0.6},
    ]
    given, true = resting_places(entries, true_tracks(truth))
    assert given.tolist() == [[1.0, 2.0]]
    assert true.tolist() == [[0.0, 0.0]]
    assert len(resting_places(entries, true_tracks(clip()))[0]) == 0


def test_unlike_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "paths.csv"
    file.write_text("flick,coin\n1,suns\n", encoding="utf-8")
    with pytest.raises(KeyError):
        read_paths(file)


def test_the_outline_is_measured_at_right_angles() -> None:
    from types import SimpleNamespace

    from benchmarks.places import edge_errors
    from referee.domain.table_edge import EdgeSide

    truth = {"table_edge_mm": [[0.0, 0.0], [100.0, 0.0], [100.0, 50.0], [0.0, 50.0]]}
    slanted = EdgeSide(
        (0.0, 0.0), (100.0, 2.0), 0.3, 0.0, 0.5
    )  # refereed up to its middle, where it is 1 mm inside
    guessed = EdgeSide((100.0, 2.0), (100.0, 40.0), 0.3, 0.0, 0.0)
    off = edge_errors(SimpleNamespace(edge=(slanted, guessed)), truth, same)
    assert math.isclose(float(np.max(off)), 1.0)
    assert math.isclose(float(np.min(off)), 0.0)

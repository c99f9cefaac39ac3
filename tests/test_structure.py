"""Limits the size of files and functions, to show where to look again. Split a thing where it holds
two ideas, never only to pass this test. `python -m benchmarks.structure` prints the sizes.
"""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.structure import GROUPS, Sized, bodies, files, too_wide
from tests.module_imports import MODULES, package_of

#: Files longer than the first limit need a reason, and none is longer than the second.
LONG_LINES, MOST_LINES = 350, 500

#: Why a long file is one thing.
REASONS = {
    "benchmarks/clips.py": "one run: survey, referee, answer, compare and sum up each clip",
    "benchmarks/live_latency.py": "one measurement, from the film of a clip to the open page",
    "benchmarks/long_matches.py": "six games, each with legal play, fouls and rulings",
    "calibration/tiles/bundle.py": "one adjustment: unknowns, residuals, solution and its error",
    "calibration/tiles/template_match.py": "one comparison: each face with the mean of all",
    "referee/detectors/coin_motion/contact.py": "one detector: every way in which rims may meet",
    "referee/reports/explanation.py": "one explanation: facts, clauses and conclusion",
    "referee/session/seeing/episode_builder.py": "one object: a table from flick to flick",
    "referee/session/match_watch.py": "one run, from the first frame to the last flick recorded",
    "referee/synthetic/pictures/film.py": "one camera: exposure, shadow, hand and noise in order",
    "referee/synthetic/scenario/actions.py": "one table of actions: what each does to the timeline",
    "referee/synthetic/scenario/scene_file.py": "one format, read part by part",
    "referee/tracking/identity/tracker.py": "one tracker: each coin's state and what changes it",
    "referee/tracking/trajectory/hypotheses/fit.py": "one system of equations with its residuals",
    "referee/vision/moving_coins/disc_finding.py": "one search, and what rules a disc out",
    "referee/vision/coins/motion_fit.py": "one fit of a streak to pixels, with its model",
    "referee/vision/frame_analysis.py": "one memory between frames: background and coins at rest",
    "referee/vision/sources/video.py": "one source of frames, for files, streams and cameras",
    "tests/commands/test_bad_input.py": "one table of inputs and the line that refuses each",
    "tests/commands/test_rule.py": "two commands that print the same difference",
    "tests/detectors/coin_motion/test_contact.py": "one detector, geometry by geometry",
    "tests/detectors/unseen/test_stretches.py": "one detector, case by case",
    "tests/record/test_refused.py": "one table of records and the line that refuses each",
    "tests/session/test_live_rulings.py": "one running match that all its tests share",
    "tests/test_architecture.py": "half of it is the list of packages",
    "tests/tracking/identity/test_tracker.py": "one tracker, situation by situation",
    "tests/web_ui/scenes.py": "a table of moments, with what belongs to each",
    "tests/web_ui/test_by_hand.py": "six games, each played on the page to its end",
}


def long_files() -> list[Sized]:
    return [one for folders in GROUPS.values() for one in files(folders) if one.size > LONG_LINES]


@pytest.mark.parametrize("file", long_files(), ids=lambda file: file.where)
def test_a_long_file_has_a_reason_and_an_end(file: Sized) -> None:
    assert file.where in REASONS, "split it by idea, or say here why it is one thing"
    assert file.size <= MOST_LINES


def test_no_reason_is_left_behind() -> None:
    assert set(REASONS) == {one.where for one in long_files()}, "take off the list what is short"


@pytest.mark.parametrize("group", GROUPS)
def test_functions_are_short(group: str) -> None:
    found = sorted(bodies(GROUPS[group]))
    sizes = [one.size for one in found]
    assert found[-1].size <= 60, found[-1]
    assert sizes[round(0.95 * (len(sizes) - 1))] <= 30
    assert sizes[len(sizes) // 2] <= 8


@pytest.mark.parametrize("group", GROUPS)
def test_no_line_is_too_wide(group: str) -> None:
    """Lines that end with a comment for a checker count, too; ruff lets these pass."""
    assert too_wide(GROUPS[group]) == []


#: A folder with more modules than this is split into packages.
MOST_MODULES = 15


def test_no_folder_is_full() -> None:
    inside = Counter(
        package_of(module) for module, path in MODULES.items() if path.name != "__init__.py"
    )
    assert {name for name, number in inside.items() if number > MOST_MODULES} == set()

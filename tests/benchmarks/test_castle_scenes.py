"""What random scenes of Castle Croquetnole hold, and how records of them are judged."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.breaks import RIGHT, UNKNOWN, WRONG, judged
from benchmarks.castle_scenes import castle_scene
from referee.domain.pieces import GUARDS
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import scene_of


@pytest.mark.parametrize(("seed", "prisoners"), [(4, 1), (5, 0)])
def test_a_scene_has_its_flicks_and_each_fourth_one_a_prisoner_from_the_beginning(
    seed: int, prisoners: int
) -> None:
    scene = scene_of(castle_scene(seed, 1, 30))
    assert set(scene.coins) == {*GUARDS, *GUARDS.values()}
    towers = [scene.course.tower_at(at) for at in scene.coins.values()]
    assert sum(tower is not None for tower in towers) == prisoners
    flicked = [i for i in play_scene(scene).incidents if i["kind"] == "flicked"]
    assert len(flicked) == 1


def entry(kind: str, t_s: float, **more: Any) -> dict[str, Any]:
    return {"entry": "incident", "kind": kind, "t_s": t_s, **more}


FLICKED = entry("flicked", 1.0, coin="moons", touching=[])
CROSSED = entry(
    "line_crossed", 1.1, coin="moons", line="gate-moons", direction="out", margin_mm=9.0
)
HIT = entry("contact", 1.2, coin="moons", closing_mm_s=400.0, margin_mm=9.0, **{"with": "ace"})
UNSEEN = entry("unseen", 1.15, pieces=["moons"], from_s=1.15, to_s=1.3)
WRONG_GATE = {**CROSSED, "line": "gate-suns"}
EXCHANGED = entry("renamed", 0.9, coins={"moons": "3", "3": "moons"})


@pytest.mark.parametrize(
    ("record", "outcome", "certain", "first"),
    [
        ([FLICKED, CROSSED, HIT], RIGHT, 3, ""),
        ([FLICKED, CROSSED, {**HIT, "probability": 0.5}], UNKNOWN, 2, "asked: contact"),
        ([FLICKED, CROSSED, UNSEEN], UNKNOWN, 2, "unseen: moons"),
        ([FLICKED, CROSSED], WRONG, 2, "silent: contact"),
        ([FLICKED, CROSSED, HIT, WRONG_GATE], WRONG, 3, "certain and wrong: line_crossed"),
        # the other name of the coin, but nothing was flicked at that time
        (
            [EXCHANGED, FLICKED, CROSSED, HIT, {**FLICKED, "coin": "3", "t_s": 1.9}],
            WRONG,
            3,
            "certain and wrong: flicked 3",
        ),
    ],
)
def test_a_record_of_castles_is_judged_with_its_contacts(
    record: list[dict[str, Any]], outcome: str, certain: int, first: str
) -> None:
    truth = {
        "game": "castle-croquetnole",
        "frames": [{"t_s": k / 30, "coins": {}} for k in range(60)],
        "incidents": [FLICKED, CROSSED, HIT],
        "near_misses": [],
        "tile_contacts": [],
    }
    verdict = judged("clip", truth, record)
    assert (verdict.outcome, verdict.certain, verdict.demanded) == (outcome, certain, 3)
    assert ("".join(verdict.reasons[:1])).startswith(first)


def test_what_was_not_seen_of_either_of_two_coins_that_look_alike_counts_for_both() -> None:
    """Later the record says that each of the two may be the other."""
    put_back = entry("placed", 1.0, coin="suns-1", at_mm=[0.0, 0.0])
    unseen = entry("unseen", 0.5, pieces=["suns-2"], from_s=0.5, to_s=1.5)
    either = entry("unseen", 1.6, pieces=["suns-1", "suns-2"], from_s=1.6, to_s=1.6)
    truth = {"game": "castle-croquetnole", "frames": [], "incidents": [put_back]}
    assert judged("clip", truth, [unseen, either]).outcome == UNKNOWN
    assert judged("clip", truth, [unseen]).outcome == WRONG
    by_other = judged("clip", truth, [{**put_back, "coin": "suns-2"}, either])
    assert (by_other.outcome, by_other.certain) == (UNKNOWN, 1)
    twice = judged("clip", truth, [put_back, {**put_back, "coin": "suns-2"}, either])
    assert twice.reasons[0].startswith("certain and wrong: placed suns-2")

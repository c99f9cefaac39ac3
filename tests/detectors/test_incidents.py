"""All detectors together: on shots computed in closed form, and on the true motions of the bundled
clips.
"""

import json
import math
from itertools import pairwise
from pathlib import Path as File

import numpy as np
import pytest
import yaml

from referee.detectors.incidents import in_order, incidents_of
from referee.detectors.provisional import provisional_incidents
from referee.domain.incident import (
    LEAST_CHANCE,
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    TileDisplaced,
    TileRestored,
    Unseen,
)
from referee.tracking.trajectory.smooth import smooth_episode
from tests.detectors.scenes import sure
from tests.detectors.truths import happened, shots_of
from tests.tracking.slides import Coin, Leg, Shot, course_at, flicked, hit

CLIPS = sorted((File(__file__).parents[2] / "fixtures" / "clips").iterdir())


def seen_in(shot: Shot) -> tuple[Incident, ...]:
    episode = shot.episode()
    return incidents_of(episode, smooth_episode(episode))


def named(incidents: tuple[Incident, ...]) -> list[tuple[str, ...]]:
    """Return kind, coin, and what was hit or crossed, without contacts with tiles."""
    names = []
    for i in incidents:
        other = i.with_ if isinstance(i, Contact) else i.line if isinstance(i, LineCrossed) else ""
        coin = (
            ""
            if isinstance(i, AtRest | Unseen | TileDisplaced | TileRestored)
            else getattr(i, "coin", "")
        )
        if not other.startswith("wicket") or isinstance(i, LineCrossed):
            names.append(tuple(x for x in (type(i).__name__, coin, other) if x))
    return names


def test_a_flick_through_a_wicket_into_a_coin():
    a, b, t_s = hit(flicked("moons", (-120.0, 0.0), (1100.0, 0.0)), Coin("suns", (60.0, 5.0)))
    found = seen_in(Shot((a, b), course=course_at()))
    assert named(found) == [
        ("Flicked", "moons"),
        ("LineCrossed", "moons", "wicket-4"),
        ("Contact", "moons", "suns"),
        ("AtRest",),
    ]
    assert all(sure(i) for i in found)
    assert found[2].t_s == pytest.approx(t_s, abs=0.002)
    assert all(a.t_s < b.t_s for a, b in pairwise(found))


def test_a_coin_knocked_off_the_table():
    a, b, _ = hit(flicked("moons", (0.0, 150.0), (0.0, 1200.0)), Coin("suns", (2.0, 270.0)))
    fell_s = b.legs[0].when((350.0 - 270.0) * b.legs[0].speed / b.legs[0].velocity[1])
    found = seen_in(Shot((a, Coin(b.name, b.at, b.legs, gone_s=fell_s))))
    assert named(found) == [
        ("Flicked", "moons"),
        ("Contact", "moons", "suns"),
        ("LeftTable", "suns"),
        ("AtRest",),
    ]
    assert all(sure(i) for i in found)
    assert found[2].t_s == pytest.approx(fell_s, abs=0.004)


def test_a_table_on_which_nothing_moves_gives_nothing():
    assert (
        seen_in(Shot((Coin("moons", (0.0, 0.0)), Coin("suns", (50.0, 0.0))), course=course_at()))
        == ()
    )


def test_a_coin_carried_unseen_through_a_wicket_is_placed_unless_it_slid_through_it():
    """A hand hides it all the way, so that nobody sees whether it slid."""
    coin = Coin(
        "moons",
        (-60.0, 0.0),
        (Leg(0.3, (-60.0, 0.0), (700.0, 0.0)),),
        hand_s=(0.1, 0.9),
        hidden_s=(0.2, 0.85),
    )
    flick, unseen, *told = seen_in(Shot((coin,), course=course_at()))
    assert isinstance(unseen, Unseen) and unseen.pieces == ("moons",)
    assert named((flick, *told)) == [("Flicked", "moons"), ("Placed", "moons"), ("AtRest",)]
    assert not sure(flick) and not sure(told[0])


@pytest.mark.parametrize("past_mm", [-4.0, -1.0, -0.2, 0.0, 0.2, 1.0, 4.0])
def test_nothing_false_is_certain_about_a_coin_that_stops_by_the_line(past_mm):
    for seed in range(6):
        found = seen_in(
            Shot(
                (flicked("moons", (-80.0, 0.0), (math.sqrt(4000.0 * (80.0 + past_mm)), 0.0)),),
                course=course_at(),
                seed=seed,
            )
        )
        crossed = [i for i in found if isinstance(i, LineCrossed)]
        assert all(not sure(i) for i in crossed) or past_mm > 0.0
        assert crossed or past_mm <= 0.2
        assert all((i.probability or 1.0) >= LEAST_CHANCE for i in crossed)


@pytest.mark.parametrize("gap_mm", [-6.0, -1.0, -0.05, 0.3, 1.0, 4.0])
def test_nothing_false_is_certain_about_a_coin_that_passes_close(gap_mm):
    for seed in range(6):
        striker, other = (
            flicked("moons", (-150.0, 0.0), (900.0, 0.0)),
            Coin("suns", (0.0, 20.0 + gap_mm)),
        )
        coins = hit(striker, other)[:2] if gap_mm < 0 else (striker, other)
        touched = [i for i in seen_in(Shot(coins, seed=seed)) if isinstance(i, Contact)]
        if gap_mm >= 0:
            assert all(not sure(i) for i in touched)
        if gap_mm <= -1.0:
            assert [sure(i) for i in touched] == [True]


def test_incidents_at_one_instant_are_told_apart():
    crossed = LineCrossed(coin="a", line="wicket-1", direction="outward", t_s=1.0)
    ordered = in_order([crossed, Contact(coin="a", with_="b", t_s=1.0), Flicked(coin="a", t_s=1.0)])
    assert [type(i) for i in ordered] == [Flicked, Contact, LineCrossed]
    assert ordered[0].t_s < ordered[1].t_s < ordered[2].t_s


def test_paths_of_other_coins_are_refused():
    episode = Shot((Coin("moons", (0.0, 0.0)),)).episode()
    with pytest.raises(ValueError, match="same order as the tracks"):
        incidents_of(episode, ())


@pytest.mark.parametrize("clip", CLIPS, ids=lambda c: c.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_true_motions_of_the_clips_give_their_true_incidents(clip, seed):
    truth = json.loads((clip / "truth.json").read_text(encoding="utf-8"))
    exposure_s = yaml.safe_load((clip / "camera.yaml").read_text(encoding="utf-8")).get(
        "exposure_s", 0.0
    )
    frame_s = truth["frames"][1]["t_s"] - truth["frames"][0]["t_s"]
    late = []
    for episode, first_s, last_s in shots_of(truth, exposure_s, seed):
        found = [
            i
            for i in incidents_of(episode, smooth_episode(episode))
            if not isinstance(i, AtRest | TileDisplaced | TileRestored)
        ]
        found = [i for i in found if not (isinstance(i, Contact) and i.with_.startswith("wicket"))]
        want = happened(truth, first_s, last_s)
        if truth["game"] == "carroms":  # no rule asks about the contacts in a break
            found = [i for i in found if not isinstance(i, Contact)]
            want = [w for w in want if w[0][0] != "Contact"]
        assert [name for name, _, _ in want] == named(tuple(found))
        for (_, t_s, clear), incident in zip(want, found, strict=True):
            assert sure(incident) or not clear
            if isinstance(incident, LineCrossed | Contact | LeftTable):
                late.append(abs((incident.t_s or 0.0) - t_s) / frame_s)
            elif isinstance(incident, Flicked | Placed):
                assert incident.t_s == pytest.approx(t_s, abs=0.15)
    assert max(late, default=0.0) < 1.0
    assert not late or np.mean(late) < 0.25


def test_provisional_incidents_agree_where_things_are_clear():
    a, b, _ = hit(flicked("moons", (-120.0, 0.0), (1100.0, 0.0)), Coin("suns", (60.0, 5.0)))
    episode = Shot((a, b), course=course_at()).episode()
    assert named(provisional_incidents(episode)) == [
        ("Flicked", "moons"),
        ("LineCrossed", "moons", "wicket-4"),
        ("Contact", "moons", "suns"),
    ]
    assert all(i.probability is None for i in provisional_incidents(episode))


def test_provisional_incidents_come_while_the_coins_still_move():
    a, b, t_s = hit(flicked("moons", (-120.0, 0.0), (1100.0, 0.0)), Coin("suns", (60.0, 5.0)))
    early = Shot((a, b), course=course_at(), until_s=t_s - 0.02).episode()
    assert named(provisional_incidents(early)) == [
        ("Flicked", "moons"),
        ("LineCrossed", "moons", "wicket-4"),
    ]
    assert provisional_incidents(Shot((a, b), until_s=0.19).episode()) == ()

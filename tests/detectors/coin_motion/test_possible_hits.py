"""Hits on a post that nobody saw, and that the fitted path does not contain."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from referee.detectors.coin_motion.possible_hits import possible_contacts
from referee.detectors.incidents import incidents_of
from referee.domain.episode import Episode
from referee.domain.incident import SURE, Contact, Unseen
from referee.domain.layout import Course, Tile
from referee.domain.path import Path, PossibleHit
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import COIN_MM, TILE_MM, Coin, Leg, Shot, flicked, rebounded

POST = "right-endpost"


def table_with(name: str, at: tuple[float, float]) -> Course:
    return Course(MappingProxyType({name: Tile(at, stack=3)}), TILE_MM)


@pytest.mark.parametrize(
    ("extra_cost", "chance"),
    [
        pytest.param(0.0, 0.5, id="as likely"),
        pytest.param(2.0 * math.log(4.0), 0.2, id="odds of four to one against it"),
        pytest.param(2.0 * math.log(99.0), None, id="not worth saying"),
    ],
)
def test_a_hit_is_as_likely_as_the_costs_say(extra_cost: float, chance: float | None) -> None:
    episode = Shot((flicked("suns", (0.0, 0.0), (500.0, 0.0)),)).episode()
    episode = replace(episode, course_before=table_with(POST, (200.0, 0.0)))
    hits = (PossibleHit(POST, 0.3, extra_cost), PossibleHit("wicket-1-left", 0.3, 0.0))
    path = Path("suns", (), (), (0.0, 0.0), 0.1, (9.0, 0.0), 0.1, possible_hits=hits)
    found = possible_contacts(episode, (path,), ())
    assert [(c.with_, c.probability) for c in found] == ([] if chance is None else [(POST, chance)])
    assert possible_contacts(episode, (path,), [Contact(coin="suns", with_=POST)]) == []


def hidden_hit(seed: int) -> Episode | None:
    """Return a coin that a hand hides while it hits a post 8 to 50 mm from its rim; None where it
    does not come so far, or passes the post.
    """
    rng = np.random.default_rng(seed)
    wall_mm, speed, turn = rng.uniform(18, 60), rng.uniform(500, 1400), rng.uniform(-1.3, 1.3)
    velocity = (speed * math.cos(turn), speed * math.sin(turn))
    straight = Coin("moons", (0.0, 0.0), (Leg(0.2, (0.0, 0.0), velocity),))
    at = (wall_mm + TILE_MM / 2, rng.uniform(-30.0, 30.0))
    way_mm = (wall_mm - COIN_MM / 2) / math.cos(turn)
    aside_mm = abs(way_mm * math.sin(turn) - at[1])
    if speed**2 < 2 * 2000.0 * way_mm + 200.0**2 or aside_mm > TILE_MM / 2:
        return None
    coin, hit_s = rebounded(straight, wall_mm)
    until_s = hit_s + rng.uniform(0.02, 0.08)
    coin = replace(coin, hand_s=(0.0, until_s + 0.02), hidden_s=(0.0, until_s))
    fps, sigma_mm = rng.choice([30.0, 60.0]), rng.choice([0.5, 1.3])
    shot = Shot((coin,), fps, sigma_mm=sigma_mm, seed=seed, course=table_with(POST, at))
    return shot.episode()


def test_few_hits_on_a_post_under_a_hand_are_passed_over_in_silence() -> None:
    """Of a coin that comes back over the place where it lay, nobody knows whether it hit the post.
    That is asked, one way or another.
    """
    told = Counter[str]()
    for seed in range(100):
        episode = hidden_hit(seed)
        if episode is None:
            continue
        found = incidents_of(episode, smooth_episode(episode))
        hits = [i.probability or 1.0 for i in found if isinstance(i, Contact) and i.with_ == POST]
        asked = bool(hits) or any(isinstance(i, Unseen) and "moons" in i.pieces for i in found)
        told["sure" if max(hits, default=0.0) > SURE else "asked" if asked else "silent"] += 1
    assert told.total() > 30 and told["silent"] <= 0.1 * told.total()


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_asked_of_a_coin_that_was_seen_to_leave_a_post_behind(seed: int) -> None:
    coin = flicked("moons", (0.0, 0.0), (-900.0, 0.0))
    episode = Shot((coin,), seed=seed, course=table_with(POST, (50.0, 0.0))).episode()
    found = incidents_of(episode, smooth_episode(episode))
    assert [type(i).__name__ for i in found] == ["Flicked", "AtRest"]


@pytest.mark.parametrize(
    ("post_mm", "asked"),
    [
        pytest.param((55.0, 0.0), True, id="20 mm behind it"),
        pytest.param((35.0, 0.0), False, id="it touched the post: no room to come off it"),
        pytest.param((0.0, 60.0), False, id="beside its way"),
        pytest.param((-90.0, 60.0), False, id="ahead, beside its way"),
        pytest.param((120.0, 0.0), False, id="behind it, farther than a hand hides"),
    ],
)
def test_only_a_post_close_behind_a_hidden_coin_is_asked_about(
    post_mm: tuple[float, float], asked: bool
) -> None:
    """A hand hides the coin for 70 ms after the flick, 55 mm. Half a tile and half a coin are
    35 mm.
    """
    coin = Coin(
        "moons",
        (0.0, 0.0),
        (Leg(0.2, (0.0, 0.0), (-900.0, 0.0)),),
        hand_s=(0.0, 0.29),
        hidden_s=(0.0, 0.27),
    )
    shot = Shot((coin,), sigma_mm=0.5, rest_sigma_mm=0.05, course=table_with(POST, post_mm))
    episode = shot.episode()
    found = incidents_of(episode, smooth_episode(episode))
    hit = any(isinstance(i, Contact) and i.with_ == POST for i in found)
    told = hit or any(isinstance(i, Unseen) and "moons" in i.pieces for i in found)
    assert told is asked

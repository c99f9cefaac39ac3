"""The end of an episode: when everything lies still, and where."""

from dataclasses import replace

import pytest

from referee.detectors.rest import rest_after
from referee.domain.incident import Flicked, Placed, Unseen
from referee.domain.path import Held, Path
from tests.detectors.scenes import episode, gone, lying, path, run


def test_at_rest_comes_after_the_last_motion_with_every_coin_on_the_table():
    coin, still = path("moons", run(0.1, (0.0, 0.0), (800.0, 0.0))), lying("suns", (10.0, 90.0))
    rest = rest_after(episode(coin, still), (coin, still), [])
    assert rest is not None and rest.t_s is not None
    # 800 mm/s at 2000 mm/s2 last 0.4 s, and a creep of 0.05 s may follow unseen
    assert 0.55 < rest.t_s < 0.58
    assert rest.coins == {"moons": pytest.approx((160.0, 0.0)), "suns": (10.0, 90.0)}


def test_nothing_happened_nothing_said():
    still = lying("suns", (10.0, 90.0))
    assert rest_after(episode(still), (still,), []) is None


def test_a_coin_off_the_table_is_not_at_rest_on_it():
    coin = gone(path("moons", run(0.1, (0.0, 300.0), (0.0, 900.0), end_s=0.16)))
    rest = rest_after(episode(coin), (coin,), [])
    assert rest is not None and rest.coins == {}


def test_all_are_at_rest_at_the_last_frame_also_where_a_path_stops_later():
    """The path stops at 1.1 s. An episode ends once all lies still, here at 59/60 s; the next flick
    may follow at once.
    """
    coin = path("moons", run(0.7, (0.0, 0.0), (800.0, 0.0)))
    rest = rest_after(episode(coin), (coin,), [])
    assert rest is not None and rest.t_s == pytest.approx(59 / 60, abs=0.002)


def test_at_rest_comes_after_the_last_incident():
    """The coin stands from 0.5 s on, and one was put down at 0.8 s. The next frame is the 49th."""
    coin = path("moons", run(0.1, (0.0, 0.0), (800.0, 0.0)))
    rest = rest_after(episode(coin), (coin,), [Placed(coin="suns", at_mm=(0.0, 90.0), t_s=0.8)])
    assert rest is not None and rest.t_s == pytest.approx(49 / 60)


def test_a_coin_whose_move_was_unseen_is_at_rest_once_it_is_seen_again():
    """Its place looked as at the end from 0.3 s on, but a hand covered it until 0.6 s. It may have
    slid under the hand, and creep for 0.05 s as it is seen again: frame 40 is the first one later.
    """
    coin = path("moons", rest=(0.0, 0.0), after=(8.0, 0.0), held=(Held(0.2, 0.6, True),))
    unseen = Unseen(pieces=("moons",), from_s=0.2, to_s=0.6, t_s=0.2)
    put = Placed(coin="moons", at_mm=(8.0, 0.0), t_s=0.3, probability=0.86)
    rest = rest_after(episode(coin), (coin,), [unseen, put])
    assert rest is not None and rest.t_s == pytest.approx(40 / 60)


@pytest.mark.parametrize(
    ("settled_s", "hands", "rest_s"),
    [(0.41, (), 28 / 60), (0.41, ((0.2, 0.61),), 40 / 60), (None, (), 59 / 60)],
)
def test_a_coin_that_slid_unseen_is_not_at_rest_before_its_place_has_settled(
    settled_s: float | None, hands: tuple[tuple[float, float], ...], rest_s: float
) -> None:
    """It was flicked at 0.1 s and not seen again until it lay still. From 0.41 s on its place looks
    as at the end, and the coin may creep for 0.05 s more: the next frame is the 28th. A hand as
    light as the coin looks like it: while one is over the place, until 0.61 s, the coin may move.
    Where nothing tells when the place settled, only the last frame shows the coin at rest.
    """
    coin = path("moons", run(0.1, (0.0, 0.0), (300.0, 0.0), sightings=0))
    seen = episode(coin)
    seen = replace(
        seen, tracks=tuple(replace(t, settled_s=settled_s, hand_after_s=hands) for t in seen.tracks)
    )
    rest = rest_after(seen, (coin,), [Flicked(coin="moons", t_s=0.1)])
    assert rest is not None and rest.t_s == pytest.approx(rest_s, abs=2e-3)


def test_a_coin_that_was_hidden_on_its_way_is_not_at_rest_before_its_place_has_settled() -> None:
    """It is lost at 0.2 s, and 30 mm on it lies where a hand seemed to be. The place looks as at
    the end from 0.41 s on, so the coin may creep until 0.46 s.
    """
    coin = path(
        "moons",
        run(0.1, (0.0, 0.0), (300.0, 0.0), end_s=0.2),
        held=(Held(0.2, 0.3, True),),
        after=(60.0, 0.0),
    )
    seen = episode(coin)
    seen = replace(seen, tracks=tuple(replace(t, settled_s=0.41) for t in seen.tracks))
    rest = rest_after(seen, (coin,), [Flicked(coin="moons", t_s=0.1)])
    assert rest is not None and rest.t_s == pytest.approx(28 / 60)


def test_nothing_is_at_rest_before_the_hand_that_changed_nothing_left_the_coin():
    """A hand shifted it by half a millimetre until 0.7 s. That is not an incident, and the first
    frame afterwards is the 43rd.
    """
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (0.5, 0.0), 0.1, (Held(0.2, 0.71, True),))
    rest = rest_after(episode(coin), (coin,), [])
    assert (
        rest is not None
        and rest.t_s == pytest.approx(43 / 60)
        and rest.coins == {"moons": (0.5, 0.0)}
    )

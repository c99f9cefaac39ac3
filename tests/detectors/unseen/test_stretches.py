"""What could not be seen in an episode: coins that came, went or turned for no visible reason."""

from dataclasses import replace

import pytest

from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.incident import Flicked, LeftTable, Placed
from referee.domain.path import Held, Path
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, gone, lying, path, run
from tests.tracking.slides import COIN_MM, course_at


def test_a_coin_gone_without_a_reason_is_unseen():
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.3)
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert unseen.pieces == ("moons",)
    assert (
        unseen_stretches(episode(coin), (coin,), [LeftTable(coin="moons", at_mm=(0.0, 0.0))]) == []
    )


def test_a_coin_elsewhere_without_hand_or_slide_is_unseen():
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (30.0, 0.0), 0.1, (Held(0.2, 0.6, False),))
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert (unseen.from_s, unseen.to_s) == (0.2, 0.6)


@pytest.mark.parametrize("came", [True, False])
def test_a_coin_that_was_seen_only_outside_the_episode_s_frames_is_unseen_in_order_of_time(came):
    """Its sightings come from before the first frame, or after the last."""
    at_s = -0.1 if came else 1.1
    seen = tuple(Sighting("moons", 0, at_s + k / FPS, (30.0, 0.0), 0.3) for k in range(2))
    before, after = (None, (30.0, 0.0)) if came else ((0.0, 0.0), None)
    coin = Path("moons", (), seen, before, 0.1, after, 0.1)
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert unseen.from_s is not None and unseen.to_s is not None
    assert unseen.from_s <= unseen.to_s


@pytest.mark.parametrize(("slide_extra_cost", "unseen"), [(-3.0, [(0.2, 0.6)]), (3.0, [])])
def test_a_coin_that_slid_the_whole_way_unseen_may_have_met_something(
    slide_extra_cost: float, unseen: list[tuple[float, float]]
) -> None:
    """Where a slide costs less than a hand, it slid. Where it costs more, a hand moved it."""
    held = Held(0.2, 0.6, True, slide_extra_cost)
    coin = Path("moons", (), (), (0.0, 110.0), 0.1, (90.0, 110.0), 0.1, (held,))
    assert unseen_of(coin) == unseen


@pytest.mark.parametrize(
    ("slide_extra_cost", "suns_mm", "told"),
    [
        (3.7, (40.0, 110.0), True),  # a hand is likelier, but a slide may have met suns
        (3.7, (140.0, 110.0), False),  # there was nothing to meet
        (8.0, (40.0, 110.0), False),  # no slide
    ],
)
def test_a_coin_beside_another_that_may_have_slid_under_a_hand_may_have_met_it(
    slide_extra_cost: float, suns_mm: tuple[float, float], told: bool
) -> None:
    """The share of a slide is 1 / (1 + exp(3.7 / 2)) = 0.14, or 0.02."""
    held = Held(0.2, 0.6, True, slide_extra_cost)
    coin = Path("moons", (), (), (0.0, 110.0), 0.1, (8.0, 110.0), 0.1, (held,))
    both = (coin, lying("suns", suns_mm))
    found = unseen_stretches(episode(*both), both, ())
    assert [(u.pieces, u.from_s, u.to_s) for u in found] == [(("moons",), 0.2, 0.6)] * told


@pytest.mark.parametrize(("across", "told"), [(True, True), (False, False)])
def test_a_coin_that_may_have_slid_over_a_line_under_a_hand_may_have_crossed_it(
    across: bool, told: bool
) -> None:
    """It lies 60 mm farther on, over the middle of wicket 1 or along its line and beyond its end.
    The share of a slide is 1 / (1 + exp(3.7 / 2)) = 0.14.
    """
    line = episode().course_before.lines["wicket-1"]
    out, (x, y) = line.outward, line.left_mm
    along = (line.left_mm[0] - line.right_mm[0], line.left_mm[1] - line.right_mm[1])
    middle = (x - 0.5 * along[0], y - 0.5 * along[1])
    beyond = (x + 2.0 * along[0], y + 2.0 * along[1])
    at = middle if across else beyond
    ends = [(at[0] + s * out[0], at[1] + s * out[1]) for s in (-30.0, 30.0)]
    held = Held(0.2, 0.6, True, 3.7)
    coin = Path("moons", (), (), ends[0], 0.1, ends[1], 0.1, (held,))
    assert bool(unseen_stretches(episode(coin), (coin,), ())) == told


@pytest.mark.parametrize(
    ("probability", "frames", "told"),
    [(0.5, (12, 13), True), (0.5, (14, 15), False), (None, (12, 13), False)],
)
def test_what_two_coins_met_is_unseen_if_either_may_have_been_flicked_between_two_frames(
    probability: float | None, frames: tuple[int, int], told: bool
) -> None:
    flicked = [
        Flicked(coin=coin, touching=(), t_s=12.4 / 60, probability=chance, frames=between)
        for coin, chance, between in (("ace", 0.5, (12, 13)), ("moons", probability, frames))
    ]
    both = tuple(
        path(coin, run(12.4 / 60, at, (900.0, 0.0), sightings=10))
        for coin, at in (("ace", (0.0, 0.0)), ("moons", (0.0, 23.0)))
    )
    found = unseen_stretches(episode(*both), both, flicked)
    assert [u.pieces for u in found] == [("ace", "moons")] * told
    assert all(u.from_s == pytest.approx(12 / 60, abs=1e-4) for u in found)


@pytest.mark.parametrize(("settled_s", "to_s"), [(0.7, 0.75), (0.3, 0.6), (None, 0.6)])
def test_a_coin_that_creeps_under_a_hand_is_unseen_until_it_can_creep_no_more(
    settled_s: float | None, to_s: float
) -> None:
    """It was seen again at 0.6 s. Its place looks as at the end from 0.7 s on, and a coin may creep
    for 0.05 s more.
    """
    held = Held(0.2, 0.6, True, -3.0)
    coin = Path("moons", (), (), (0.0, 110.0), 0.1, (8.0, 110.0), 0.1, (held,))
    seen = episode(coin)
    seen = replace(seen, tracks=tuple(replace(t, settled_s=settled_s) for t in seen.tracks))
    (unseen,) = unseen_stretches(seen, (coin,), ())
    assert (unseen.from_s, unseen.to_s) == (0.2, pytest.approx(to_s))


@pytest.mark.parametrize(
    ("probability", "first_seen", "told"), [(0.5, 15, True), (0.5, 13, False), (None, 15, False)]
)
def test_what_a_coin_met_is_unseen_if_it_was_perhaps_flicked_and_not_seen_at_once(
    probability: float | None, first_seen: int, told: bool
) -> None:
    """It set off in the 12th frame, and a second sighting tells by which way it came."""
    frames = range(first_seen, first_seen + 10)
    seen = tuple(Sighting("moons", k, k / 60, (15.0 * (k - 12), 0.0), 0.3) for k in frames)
    coin = replace(path("moons", run(0.2, (0.0, 0.0), (900.0, 0.0))), sightings=seen)
    flick = Flicked(coin="moons", touching=(), t_s=0.2, probability=probability, frames=(12, 13))
    found = unseen_stretches(episode(coin), (coin,), [flick])
    until_s = pytest.approx((first_seen + 1) / 60, abs=1e-4)
    assert [(u.pieces, u.from_s, u.to_s) for u in found] == [(("moons",), 0.2, until_s)] * told


def test_a_hand_over_a_coin_that_is_then_where_it_was_is_nothing_to_report():
    coin = lying("moons", (0.0, 0.0))
    assert (
        unseen_stretches(
            episode(coin, hands={"moons": (0.1, 0.8)}, hidden={"moons": (0.1, 0.8)}), (coin,), []
        )
        == []
    )


def test_a_slide_that_rests_on_next_to_nothing_is_unseen():
    coin = path("moons", run(0.1, (0.0, 0.0), (800.0, 0.0), sigma_mm=60.0))
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert unseen.from_s == pytest.approx(0.1)


def test_a_coin_newly_there_without_a_reason_is_unseen_until_it_is_first_seen():
    seen = tuple(Sighting("moons", k, k / 60, (80.0, 10.0), 0.3) for k in range(30, 40))
    coin = Path("moons", (), seen, None, 0.3, (80.0, 10.0), 0.1)
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert (unseen.from_s, unseen.to_s) == (0.0, 0.5)
    slid_in = replace(path("moons", run(0.4, (0.0, 0.0), (800.0, 0.0))), rest_before_mm=None)
    assert unseen_stretches(episode(slid_in), (slid_in,), []) == []


def test_a_coin_gone_without_a_reason_is_unseen_since_it_was_last_seen():
    seen = tuple(Sighting("moons", k, k / 60, (0.0, 0.0), 0.3) for k in range(20, 31))
    coin = Path("moons", (), seen, (0.0, 0.0), 0.1, None, 0.3)
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert (unseen.from_s, unseen.to_s) == (0.5, pytest.approx(59 / 60, abs=1e-4))


def test_a_coin_gone_that_was_only_seen_where_no_slide_leads_is_unseen_since_a_hand_came():
    """A hand comes at 0.2 s. What is seen beside it from 0.33 s on may be a part of the hand."""
    seen = tuple(Sighting("moons", k, k / 60, (-160.0, 50.0), 2.0) for k in range(20, 22))
    coin = Path("moons", (), seen, (0.0, 0.0), 0.1, None, 2.0, (Held(0.2, 59 / 60, True),))
    (unseen,) = unseen_stretches(episode(coin), (coin,), [])
    assert (unseen.from_s, unseen.to_s) == (0.2, pytest.approx(59 / 60, abs=1e-4))


def turned_between(
    last_frame: int, first_frame: int, *met: str, on_s: float = 0.4, then_mm_s: float = 150.0
) -> Path:
    """Return a coin that slides in another direction from `on_s` on, and is not seen between the
    two frames. It starts at 800 mm/s, and has 200 mm/s after 0.3 s.
    """
    out = run(0.1, (0.0, 0.0), (800.0, 0.0), end_s=on_s)
    back = run(on_s, out.position(on_s), (0.0, then_mm_s), met=met)
    frames = [k for k in range(6, 36) if k <= last_frame or k >= first_frame]
    seen = tuple(
        Sighting("moons", k, k / 60, (out if k / 60 <= on_s else back).position(k / 60), 0.5)
        for k in frames
    )
    return replace(path("moons", out, back), sightings=seen)


def unseen_of(coin: Path) -> list[tuple[float, float]]:
    return [(u.from_s, u.to_s) for u in unseen_stretches(episode(coin), (coin,), [])]


def test_a_sliding_coin_lost_for_six_frames_and_found_on_another_way_did_something_meanwhile():
    assert unseen_of(turned_between(21, 28)) == [(0.35, pytest.approx(28 / 60, abs=1e-4))]
    assert unseen_of(turned_between(23, 26)) == []  # a few frames are too short to hide anything


@pytest.mark.parametrize(
    ("then_mm_s", "unseen"), [(280.0, [(23 / 60, 26 / 60)]), (240.0, []), (190.0, [])]
)
def test_a_sliding_coin_that_gets_faster_for_no_known_reason_was_struck(
    then_mm_s: float, unseen: list[tuple[float, float]]
) -> None:
    """The error of each speed is 5 mm/s. So a gain of 40 mm/s is certain, but friction may explain
    so small a gain.
    """
    found = unseen_of(turned_between(23, 26, then_mm_s=then_mm_s))
    assert found == [pytest.approx(span, abs=1e-4) for span in unseen]
    assert unseen_of(turned_between(23, 26, "suns", then_mm_s=then_mm_s)) == []


def test_a_sliding_coin_whose_speed_is_not_known_well_may_seem_faster() -> None:
    """The error of each speed is 20 mm/s, so a gain of 80 mm/s may be chance."""
    coin = turned_between(23, 26, then_mm_s=280.0)
    vague = replace(coin, runs=tuple(replace(each, sigma_mm_s=20.0) for each in coin.runs))
    assert unseen_of(coin) != [] and unseen_of(vague) == []


def test_a_hand_explains_why_a_sliding_coin_gets_faster() -> None:
    coin = turned_between(23, 26, then_mm_s=280.0)
    assert unseen_of(replace(coin, held=(Held(23 / 60, 0.4, True, 8.0),))) == []


def test_what_it_did_is_known_where_it_met_something_or_had_come_to_rest():
    assert unseen_of(turned_between(21, 28, "suns")) == []
    assert (
        unseen_of(turned_between(27, 34, on_s=0.51)) == []
    )  # 800 mm/s last 0.4 s: from 0.5 s on it stood


def test_a_gap_lies_between_two_sightings():
    assert unseen_of(turned_between(21, 99)) == []


@pytest.mark.parametrize(
    ("lies_mm", "given"), [((160.0, 0.0), False), ((166.0, 0.0), False), ((160.0, 240.0), True)]
)
def test_a_coin_that_lies_where_its_way_does_not_lead_was_not_seen_to_the_end(lies_mm, given):
    coin = path(
        "moons", run(0.1, (0.0, 0.0), (800.0, 0.0)), after=lies_mm
    )  # 800 mm/s at 2000 mm/s2 lead 160 mm far
    found = unseen_stretches(episode(coin), (coin,), [])
    assert bool(found) == given and all(u.pieces == ("moons",) for u in found)


def test_what_a_hand_did_with_a_coin_after_its_way_is_no_riddle():
    coin = path(
        "moons",
        run(0.1, (0.0, 0.0), (800.0, 0.0)),
        after=(160.0, 240.0),
        held=(Held(0.6, 0.9, True),),
    )
    assert (
        unseen_stretches(
            episode(coin, hands={"moons": (0.6, 0.9)}),
            (coin,),
            [Placed(coin="moons", at_mm=(160.0, 240.0))],
        )
        == []
    )


@pytest.mark.parametrize(("other_s", "together"), [((0.3, 0.6), True), ((0.65, 0.8), False)])
def test_coins_that_an_arm_hid_at_the_same_time_on_their_way_may_have_hit_each_other(
    other_s, together
):
    hidden = [
        path(coin, rest=at, after=(at[0] + 60.0, at[1]), held=(Held(*span, True, 12.0),))
        for coin, at, span in (
            ("moons", (0.0, 110.0), (0.2, 0.6)),
            ("suns", (0.0, -110.0), other_s),
        )
    ]
    found = unseen_stretches(episode(*hidden), tuple(hidden), ())
    assert [i.pieces for i in found] == ([("moons", "suns")] if together else [])
    assert all((i.from_s, i.to_s) == (0.3, 0.6) for i in found)


@pytest.mark.parametrize(("dearer", "unseen"), [(12.0, False), (0.0, True), (-4.0, True)])
def test_a_coin_that_slid_under_a_hand_as_likely_as_the_hand_moved_it_was_not_seen(dearer, unseen):
    """Nobody can tell which: what it met on its way is not known."""
    coin = path(
        "moons", rest=(0.0, 110.0), after=(60.0, 110.0), held=(Held(0.2, 0.6, True, dearer),)
    )
    found = unseen_stretches(episode(coin), (coin,), ())
    assert [(i.pieces, i.from_s, i.to_s) for i in found] == (
        [(("moons",), 0.2, 0.6)] if unseen else []
    )


@pytest.mark.parametrize(("probability", "told"), [(None, True), (0.8, True), (0.4, False)])
def test_only_a_likely_fall_tells_where_a_coin_went(probability, told):
    coin = gone(path("moons", run(0.1, (0.0, 0.0), (900.0, 0.0), end_s=0.2)))
    fell = LeftTable(coin="moons", at_mm=(0.0, 0.0), probability=probability)
    assert bool(unseen_stretches(episode(coin), (coin,), [fell])) != told


@pytest.mark.parametrize(
    ("to_mm", "hands", "told"),
    [
        ((8.0, 0.0), {}, 0),  # less than half of its 22 mm: another coin pushed it there
        ((30.0, 0.0), {}, 1),
        ((8.0, 0.0), {"moons": (0.1, 0.3)}, 1),  # a hand may have done more than push it
    ],
)
def test_a_coin_that_was_pushed_a_little_in_a_heap_hides_nothing(to_mm, hands, told):
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, to_mm, 0.1, (Held(0.2, 0.6, False),))
    assert len(unseen_stretches(episode(coin, hands=hands), (coin,), [])) == told


@pytest.mark.parametrize(("to_mm", "told"), [((4.0, 0.0), False), ((14.0, 0.0), True)])
def test_a_coin_of_a_heap_for_which_another_one_was_taken_once_was_only_pushed(to_mm, told):
    """No slide explains the one sighting elsewhere, and the coin lies 4 mm (of 20) from where it
    lay.
    """
    stray = Sighting("moons", 30, 0.5, (60.0, 0.0), 0.3)
    lost = (Held(0.4, 0.9, False),)
    coin = Path("moons", (), (stray,), (0.0, 0.0), 0.1, to_mm, 0.1, lost)
    assert bool(unseen_stretches(episode(coin), (coin,), [])) == told


@pytest.mark.parametrize(("by_hand", "told"), [(False, [(0.1, 0.2)]), (True, [])])
def test_where_a_coin_fell_does_not_tell_how_it_came_to_where_it_began_to_slide(by_hand, told):
    """It lay 120 mm from there, and nobody saw it in between: the coin that fell may be another."""
    slide = run(0.2, (120.0, 300.0), (0.0, 900.0), end_s=0.3)
    fell = path("moons", slide, rest=(0.0, 300.0), after=None, held=(Held(0.1, 0.2, by_hand, 0.0),))
    edge = LeftTable(coin="moons", at_mm=(120.0, 350.0), t_s=0.26)
    found = unseen_stretches(episode(fell), (fell,), [edge])
    assert [(u.from_s, u.to_s) for u in found] == told


@pytest.mark.parametrize(("heading", "told"), [((0.7, 0.7), True), ((-0.7, 0.7), False)])
def test_a_coin_that_left_towards_its_striker_met_something_unseen(heading, told):
    """The striker comes from the right. What it strikes leaves to the left, unless something else,
    as a tower behind it, throws it back between two frames.
    """
    velocity = (500.0 * heading[0], 500.0 * heading[1])
    struck = path("moons", run(0.2, (0.0, 0.0), velocity, met=("suns",)))
    came = run(0.05, (322.0, 0.0), (-2000.0, 0.0), end_s=0.2)
    striker = path("suns", came, run(0.2, (22.0, 0.0), (-30.0, 100.0), met=("moons",)))
    found = unseen_stretches(episode(struck, striker), (struck, striker), [])
    assert [u.pieces for u in found] == ([("moons",)] if told else [])
    assert not told or found[0].from_s == pytest.approx(0.2)


@pytest.mark.parametrize("touching", [False, True])
@pytest.mark.parametrize(("gap_mm", "told"), [(1.0, True), (60.0, False)])
def test_a_coin_that_left_aside_beside_a_post_came_off_the_post(gap_mm, told, touching):
    """The striker comes from the upper right, or lies there in touch with it and is flicked, and
    drives it towards the post below. It leaves to the left and up, 60 degrees from the line of
    centres. Far from the post nothing is known to do that.
    """
    x, y = course_at().tiles["right-endpost"].centre_mm
    lay = (x, y + 35.0 + gap_mm)
    struck = path("moons", run(0.2, lay, (-480.0, 130.0), met=("suns",)))
    came = run(0.05, (lay[0] + 14.0, lay[1] + 315.0), (0.0, -2000.0), end_s=0.2)
    leaves = run(0.2, (lay[0] + 14.0, lay[1] + 14.3), (300.0, -100.0), met=("moons",))
    striker = path("suns", leaves) if touching else path("suns", came, leaves)
    found = unseen_stretches(episode(struck, striker), (struck, striker), [])
    assert [u.pieces for u in found] == [("moons",)] * told


@pytest.mark.parametrize(("probability", "told"), [(0.5, True), (None, False)])
def test_a_coin_that_may_not_have_been_carried_to_its_slide_may_have_met_something(
    probability: float | None, told: bool
) -> None:
    """It lay at the left, was under a hand, and was then seen to slide 200 mm away."""
    held = Held(0.2, 0.4, True)
    coin = path("moons", run(0.4, (200.0, 0.0), (300.0, 0.0)), rest=(0.0, 0.0), held=(held,))
    put_down = Placed(coin="moons", at_mm=(200.0, 0.0), t_s=0.3, probability=probability)
    found = unseen_stretches(episode(coin), (coin,), [put_down])
    assert [(u.pieces, u.from_s, u.to_s) for u in found] == [(("moons",), 0.2, 0.4)] * told


@pytest.mark.parametrize(("reach_mm", "told"), [(40.0, True), (400.0, False)])
def test_a_coin_that_was_perhaps_struck_by_one_under_a_hand_may_have_met_more(
    reach_mm: float, told: bool
) -> None:
    """Moons went elsewhere under the hand as ace set off beside it, or far from it."""
    moons = Path("moons", (), (), (0.0, 0.0), 0.1, (9.0, 0.0), 0.1, (Held(0.2, 0.6, True, 30.0),))
    ace = path("ace", run(0.25, (reach_mm, 0.0), (500.0, 0.0)))
    asked = [Flicked(coin="ace", touching=(), t_s=0.25, probability=0.5, frames=(15, 16))]
    found = unseen_stretches(episode(moons, ace), (moons, ace), asked)
    assert [u.pieces for u in found] == [("moons", "ace")] * told


def test_coins_of_which_one_hand_flicked_one_are_told_as_one_group() -> None:
    """Three coins far from each other set off within a tenth of a second, by their paths unrelated
    to each other.
    """
    at_s = {"moons": 0.25, "ace": 0.29, "suns": 0.34}
    paths = tuple(
        path(coin, run(t_s, (400.0 * k, 0.0), (500.0, 0.0)))
        for k, (coin, t_s) in enumerate(at_s.items())
    )
    asked = [
        Flicked(coin=coin, touching=(), t_s=t_s, probability=0.5) for coin, t_s in at_s.items()
    ]
    (found,) = unseen_stretches(episode(*paths), paths, asked)
    assert found.pieces == ("moons", "ace", "suns")
    assert found.from_s <= 0.25 and found.to_s >= 0.34


@pytest.mark.parametrize(("striker", "told"), [("?7", [("ace",)]), ("moons", [])])
def test_what_a_coin_did_that_something_without_a_name_struck_is_not_known(
    striker: str, told: list[tuple[str, ...]]
) -> None:
    """It may be a coin of the match, under no name since nobody saw it come."""
    reach = (COIN_MM, 0.0)
    came = path(
        striker,
        run(0.2, (-60.0, 0.0), (1000.0, 0.0), end_s=0.26),
        run(0.26, (0.0, 0.0), (90.0, 0.0)),
    )
    struck = path("ace", replace(run(0.26, reach, (800.0, 0.0)), met=(striker,)))
    came = replace(came, runs=(came.runs[0], replace(came.runs[1], met=("ace",))))
    found = unseen_stretches(episode(came, struck), (came, struck), [])
    assert [u.pieces for u in found] == told

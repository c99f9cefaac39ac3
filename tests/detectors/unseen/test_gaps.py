"""What is said, and not said, where the source ended or frames are missing while coins slid.

The coins slow down by 2000 mm/s2 and are 20 mm wide; there are 60 frames a second.
"""

from dataclasses import replace

import pytest

from referee.detectors.incidents import incidents_of
from referee.detectors.unseen.gaps import gaps_of
from referee.domain.episode import Episode
from referee.domain.incident import Incident, Unseen
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, gone, lying, path, run, sure


def said(seen: Episode, *paths: Path) -> list[Incident]:
    return list(incidents_of(seen, paths))


def kinds(found: list[Incident]) -> list[str]:
    return [type(i).__name__ for i in found]


def cut_off(*paths: Path, at_s: float, coins: set[str]) -> Episode:
    """Return an episode whose source ended at `at_s`, before anybody saw these coins at rest."""
    whole = episode(*paths, until_s=at_s, hands={"moons": (0.0, 0.15)})
    tracks = tuple(
        replace(t, cut_off_s=whole.frames[-1].t_s if t.coin in coins else None)
        for t in whole.tracks
    )
    return replace(whole, tracks=tracks)


def seen_on(coin: str, slide: Run, *frames: range) -> tuple[Sighting, ...]:
    return tuple(
        Sighting(coin, k, k / FPS, slide.position(k / FPS), 0.3) for part in frames for k in part
    )


def missing(whole: Episode, first: int, last: int) -> Episode:
    """Return the episode without the frames from `first` to `last`."""
    left = tuple(f for f in whole.frames if not first <= f.number <= last)
    return replace(whole, frames=left)


def test_a_coin_that_slides_as_the_source_ends_is_unseen_from_then_on_and_nothing_is_at_rest():
    slide = run(0.1, (-90.0, 20.0), (400.0, 0.0), end_s=0.3)
    coin = replace(gone(path("moons", slide)), sightings=seen_on("moons", slide, range(7, 18)))
    still = lying("suns", (100.0, 90.0))
    found = said(cut_off(coin, still, at_s=0.3, coins={"moons"}), coin, still)
    assert kinds(found) == ["Flicked", "Unseen"]
    unseen = found[-1]
    assert isinstance(unseen, Unseen) and unseen.pieces == ("moons",)
    assert (unseen.from_s, unseen.to_s) == (pytest.approx(17 / FPS, abs=1e-4),) * 2


def test_a_coin_whose_sightings_no_path_explains_is_unseen_from_when_it_last_lay():
    seen = seen_on("moons", run(0.1, (-90.0, 20.0), (400.0, 0.0), end_s=0.3), range(14, 18))
    coin = replace(gone(path("moons", rest=(-90.0, 20.0))), sightings=seen)
    whole = cut_off(coin, at_s=0.3, coins={"moons"})
    lay_until = replace(whole.tracks[0], lay_until_s=6 / FPS)
    for track, from_frame in ((lay_until, 6), (whole.tracks[0], 13)):
        (unseen,) = said(replace(whole, tracks=(track,)), coin)
        assert isinstance(unseen, Unseen)
        assert unseen.from_s == pytest.approx(from_frame / FPS, abs=1e-4)


def test_several_coins_that_the_end_cut_off_are_one_question():
    slides = {"moons": run(0.1, (-300.0, 150.0), (1200.0, 0.0), end_s=0.3)}
    slides["suns"] = run(0.2, (0.0, -150.0), (500.0, 0.0), end_s=0.3)
    paths = [
        replace(gone(path(c, s)), sightings=seen_on(c, s, range(13, 18))) for c, s in slides.items()
    ]
    found = said(cut_off(*paths, at_s=0.3, coins={*slides}), *paths)
    assert [i.pieces for i in found if isinstance(i, Unseen)] == [("moons", "suns")]
    assert isinstance(found[-1], Unseen)


@pytest.mark.parametrize(("at_s", "fell"), [(0.3, False), (0.6, True)])
def test_a_coin_falls_only_where_it_was_seen_to_reach_the_edge(at_s, fell):
    """From y = 200 with 900 mm/s it comes to the edge at 350 mm after 0.23 s, at 0.33 s."""
    slide = run(0.1, (0.0, 200.0), (0.0, 900.0), end_s=min(at_s, 0.34))
    coin = gone(path("moons", slide))
    found = said(cut_off(coin, at_s=at_s, coins={"moons"}), coin)
    assert ("LeftTable" in kinds(found)) == fell


def test_a_coin_under_a_hand_as_the_source_ends_was_not_taken():
    coin = gone(path("moons", rest=(0.0, 0.0), held=(Held(0.1, 0.5, True),)))
    still = lying("suns", (100.0, 90.0))
    taken = episode(coin, still, hands={"moons": (0.1, 0.5)}, until_s=0.5)
    assert "Placed" in kinds(said(taken, coin, still))
    found = said(cut_off(coin, still, at_s=0.5, coins={"moons"}), coin, still)
    assert kinds(found) == ["Unseen"]


def sliding(*frames: range) -> Path:
    """Return a coin that slides 360 mm along y = 150, seen in these frames: no tile is near."""
    slide = run(0.1, (-200.0, 20.0), (1200.0, 0.0))
    return replace(path("moons", slide), sightings=seen_on("moons", slide, *frames))


def with_gap(first: int, last: int, *paths: Path) -> Episode:
    return missing(episode(*paths, hands={"moons": (0.0, 0.15)}), first, last)


def test_one_slide_through_a_gap_with_nothing_in_its_way_is_known():
    coin = sliding(range(7, 15), range(30, 40))
    found = said(with_gap(15, 29, coin), coin)
    assert "Unseen" not in kinds(found) and kinds(found)[-1] == "AtRest"


def test_a_coin_beside_the_way_through_a_gap_may_have_been_met():
    """At 0.35 s the coin is at x = 37.5; another one lies 21 mm beside that, one diameter is 20."""
    coin, beside = sliding(range(7, 15), range(30, 40)), lying("suns", (37.5, 40.5))
    found = said(with_gap(15, 29, coin, beside), coin, beside)
    (unseen,) = [i for i in found if isinstance(i, Unseen)]
    assert unseen.pieces == ("moons",)
    assert (unseen.from_s, unseen.to_s) == (pytest.approx(14 / FPS, abs=1e-4), 30 / FPS)
    far = lying("suns", (37.5, 60.0))
    assert "Unseen" not in kinds(said(with_gap(15, 29, coin, far), coin, far))


@pytest.mark.parametrize(("lost", "gap"), [(3, False), (4, True)])
def test_up_to_three_lost_frames_are_no_gap(lost, gap):
    coin, beside = sliding(range(7, 20), range(24, 40)), lying("suns", (37.5, 40.5))
    found = said(with_gap(20, 19 + lost, coin, beside), coin, beside)
    assert ("Unseen" in kinds(found)) == gap


def struck_at(t_s: float, *seen_frames: range) -> tuple[Path, Path]:
    """Return a coin that hits another one at `t_s`, and the one that was hit, which is
    seen in these frames.
    """
    first = run(0.1, (-200.0, 20.0), (1200.0, 0.0), end_s=t_s)
    at = first.position(t_s)
    on = run(t_s, at, (60.0, 0.0), met=("suns",))
    away = run(t_s, (at[0] + 20.0, at[1]), (700.0, 0.0), met=("moons",))
    seen = replace(path("moons", first, on), sightings=seen_on("moons", first, range(7, 15)))
    return seen, replace(path("suns", away), sightings=seen_on("suns", away, *seen_frames))


def test_a_contact_within_a_gap_is_not_concluded_from_what_was_seen_around_it():
    coins = struck_at(0.3, range(30, 40))
    assert "Contact" in kinds(said(episode(*coins, hands={"moons": (0.0, 0.15)}), *coins))
    found = said(with_gap(15, 29, *coins), *coins)
    assert kinds(found) == ["Flicked", "Unseen", "AtRest"]
    assert found[1].pieces == ("moons", "suns")  # type: ignore[union-attr]


def test_a_contact_seen_before_a_gap_stays_certain():
    for seen, known in ((range(19, 24), True), (range(19, 21), False)):
        coins = struck_at(0.3, seen, range(33, 40))
        found = said(with_gap(24, 32, *coins), *coins)
        (contact,) = [i for i in found if type(i).__name__ == "Contact"]
        assert sure(contact) and ("Unseen" not in kinds(found)) == known


def test_a_flick_within_a_gap_is_a_question_and_so_is_what_followed():
    coin = sliding(range(20, 40))
    found = said(with_gap(3, 18, coin), coin)
    assert kinds(found) == ["Unseen", "Flicked", "AtRest"] and not sure(found[1])


def test_a_coin_that_lay_still_before_and_after_a_gap_is_nothing_to_report():
    still, coin = lying("suns", (100.0, 90.0)), sliding(range(7, 40))
    assert "Unseen" not in kinds(said(with_gap(48, 57, coin, still), coin, still))


def test_a_coin_that_slid_until_a_gap_and_is_gone_after_it_is_unseen_and_did_not_fall():
    """From y = 200 with 900 mm/s it would come to the edge at 0.33 s, in the gap."""
    last_s = 14 / FPS
    slide = run(0.1, (0.0, 200.0), (0.0, 900.0), end_s=last_s)
    coin = replace(gone(path("moons", slide)), sightings=seen_on("moons", slide, range(7, 15)))
    found = said(with_gap(15, 29, coin), coin)
    assert "LeftTable" in kinds(said(episode(coin, hands={"moons": (0.0, 0.15)}), coin))
    assert "LeftTable" not in kinds(found) and "Unseen" in kinds(found)


@pytest.mark.parametrize(("seen", "certain"), [(2, False), (3, True)])
def test_where_a_coin_turned_that_was_hardly_seen_is_not_known(seen, certain):
    """It is seen twice or three times as it leaves. A fifth of a second later a tile turns it back,
    and it is seen once more.
    """
    back = run(0.35, (-60.0, 0.0), (500.0, 0.0), sightings=1, met=("wicket-1-left",))
    away = run(0.15, (0.0, 0.0), (-450.0, 0.0), end_s=0.35, sightings=seen)
    coin = replace(
        path("moons", away, back),
        sightings=(
            *seen_on("moons", away, range(9, 9 + seen)),
            *seen_on("moons", back, range(23, 24)),
        ),
    )
    gaps = gaps_of(episode(coin, hands={"moons": (0.05, 0.15)}), (coin,))
    assert [gap.coins for gap in gaps] == ([] if certain else [("moons",)])
    assert all((gap.begin_s, gap.end_s) == (0.15, back.stop_s) for gap in gaps)


def hardly_seen(off_mm: float) -> tuple[Path, Path]:
    """Return a coin that lay at (-200, 20) at 0.1 s and is said to have gone straight to another
    one, though it was seen once at 0.15 s, so far off its way; and the one that was hit.
    """
    striker, struck = struck_at(0.2, range(13, 30))
    unseen = replace(striker.runs[0], sightings=0)
    x, y = unseen.position(9 / FPS)
    seen = (Sighting("moons", 9, 9 / FPS, (x, y + off_mm), 0.5),)
    return replace(striker, runs=(unseen, *striker.runs[1:]), sightings=seen), struck


HIT = ["Flicked", "Contact"]


@pytest.mark.parametrize(
    ("off_mm", "hand_until_s", "known"), [(9.0, 0.12, True), (30.0, 0.12, False), (30.0, 0.2, True)]
)
def test_a_coin_seen_elsewhere_than_on_a_way_that_nobody_saw_went_another_way(
    off_mm, hand_until_s, known
):
    """Half its width is 10 mm. What is seen at a hand may be a finger. It struck the other one
    whichever way it went.
    """
    coins = hardly_seen(off_mm)
    found = said(episode(*coins, hands={"moons": (0.0, hand_until_s)}), *coins)
    assert [kind for kind in kinds(found) if kind in HIT] == HIT and all(map(sure, found))
    unseen = [(i.pieces, i.from_s, i.to_s) for i in found if isinstance(i, Unseen)]
    assert unseen == ([] if known else [(("moons",), 0.1, 0.2)])

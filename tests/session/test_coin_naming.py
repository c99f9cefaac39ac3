"""Names given by places, and what is said about coins whose name is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.errors import InputError
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.session.naming import coin_naming
from referee.session.naming.coin_naming import (
    NOBODY,
    CoinNaming,
    absent_of,
    missing_line,
    name_coins,
    numbered,
    places,
    print_among,
    renamed,
    unsure_line,
    untangled,
)
from referee.session.naming.given_places import named_by_place
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.faces.identification import FaceEvidence, Identification, NamedCoin

RESTING = {
    "?1": Rest((-300.0, 20.0), 0.2),
    "?2": Rest((150.4, 60.0), 0.2),
    "?3": Rest((0.0, -110.0), 0.2),
}


def test_names_given_by_place_fall_on_the_nearest_coin():
    given = {"moons": (160.0, 50.0), "arms": (-290.0, 30.0), "suns": (3.0, -100.0)}
    assert named_by_place(RESTING, given) == ({"?2": "moons", "?1": "arms", "?3": "suns"}, {})


def test_a_place_given_where_no_coin_was_seen_is_kept_as_a_place():
    # The nearest coin lies 30 mm away, and people are at most 25 mm off.
    assert named_by_place(RESTING, {"moons": (150.0, 90.0)}) == ({}, {"moons": (150.0, 90.0)})
    assert named_by_place({}, {"moons": (0.0, 0.0)}) == ({}, {"moons": (0.0, 0.0)})


def test_a_place_beside_a_coin_that_has_its_own_name_is_of_a_coin_that_was_not_seen():
    """Coins of a rack touch: people point at two of them, 20 mm apart, of which one was seen."""
    given = {"suns": (149.0, 80.0), "moons": (150.0, 61.0)}
    assert named_by_place(RESTING, given) == ({"?2": "moons"}, {"suns": (149.0, 80.0)})


def test_two_names_for_one_coin_are_refused():
    with pytest.raises(InputError, match="already named moons"):
        named_by_place(RESTING, {"moons": (150.0, 60.0), "suns": (151.0, 61.0)})


def test_the_last_name_follows_when_no_stranger_is_likely():
    known = {"?2": "moons", "?1": "arms"}
    naming = name_coins(RESTING, {}, None, ["moons", "suns", "arms"], known)
    assert naming.names == {"?2": "moons", "?1": "arms", "?3": "suns"} and naming.unsure == ()


def test_coins_that_look_alike_are_numbered_from_west_to_east():
    coins = ["moons", "suns-1", "suns-2", "suns-3", "striker"]
    names = {"?1": "suns-3", "?2": "moons", "?3": "suns-1"}
    given = numbered(names, RESTING, coins, frozenset())
    assert given == {"?1": "suns-1", "?2": "moons", "?3": "suns-2"}


def test_of_two_that_lie_equally_far_west_the_southern_one_is_first():
    resting = {"?1": Rest((5.0, 30.0), 0.2), "?2": Rest((5.0, -30.0), 0.2)}
    given = numbered({"?1": "suns-1", "?2": "suns-2"}, resting, ["suns-1", "suns-2"], frozenset())
    assert given == {"?2": "suns-1", "?1": "suns-2"}


def test_a_number_that_people_gave_stays():
    names = {"?1": "suns-2", "?3": "suns-1"}
    coins = ["suns-1", "suns-2", "suns-3"]
    assert numbered(names, RESTING, coins, frozenset({"suns-1"})) == names


def test_of_coins_of_which_nothing_is_known_all_but_one_are_asked_about():
    # Once two of three coins are named, the third name follows.
    naming = name_coins(RESTING, {}, None, ["moons", "suns", "arms"], {})
    assert len(naming.unsure) == 2 and set(naming.odds) == set(naming.unsure)
    for number in naming.unsure:
        assert sum(share for _, share in naming.odds[number]) <= 1.0 + 1e-9


def test_a_coin_that_people_call_nobody_s_gets_no_name():
    known = {"?2": "moons", "?3": NOBODY}
    naming = name_coins(RESTING, {}, None, ["moons", "suns"], known)
    assert naming.names["?2"] == "moons" and "?3" not in naming.names


def test_coins_beyond_the_match_s_are_nobody_s():
    naming = name_coins(RESTING, {}, None, ["moons"], {"?2": "moons"})
    assert naming.names == {"?2": "moons"} and naming.unsure == ()


@pytest.mark.parametrize(
    ("missing", "elsewhere", "asked"), [(False, (), ()), (True, (), ("?3",)), (True, ("arms",), ())]
)
def test_nobody_s_coin_is_asked_about_only_while_a_coin_of_the_match_is_unseen(
    monkeypatch: pytest.MonkeyPatch,
    missing: bool,
    elsewhere: tuple[str, ...],
    asked: tuple[str, ...],
) -> None:
    """The face of the third coin is none of the match's, surely."""
    coins = (
        NamedCoin("moons", 1.0),
        NamedCoin("suns", 1.0),
        NamedCoin(None, 0.9999, (("arms", 0.0001),)),
    )
    names = ("moons", "suns", "arms")[: 3 if missing else 2]
    found = Identification(coins, ())
    monkeypatch.setattr(coin_naming, "identify", lambda *_, away: found)
    naming = name_coins(RESTING, {}, None, names, {}, elsewhere)
    assert naming.names == {"?1": "moons", "?2": "suns"}
    assert naming.unsure == asked


@pytest.mark.parametrize(
    ("missing", "line"),
    [
        (("moons", "ace"), "2 of 4 coins seen: moons and ace are not"),
        (("moons",), "3 of 4 coins seen: moons is not"),
        (("moons", "2", "ace"), "1 of 4 coins seen: moons, 2 and ace are not"),
    ],
)
def test_missing_coins_are_counted_and_named(missing, line):
    assert missing_line(missing, 4) == line


def test_places_are_said_in_whole_millimetres():
    assert places(RESTING, ["?2", "?3"]) == "one at (150, 60) mm, one at (0, -110) mm"


def test_the_line_says_where_unsure_coins_lie_and_names_each_of_them_once():
    naming = CoinNaming(
        {"?2": "moons", "?1": "suns"},
        ("?1", "?3"),
        {"?1": (("suns", 0.6), ("arms", 0.4)), "?3": (("suns", 0.5), ("arms", 0.4))},
    )
    line = unsure_line(naming, RESTING, ["moons", "suns", "arms"])
    assert (
        "one at (-300, 20) mm (perhaps suns or arms)" in line
        and "one at (0, -110) mm (perhaps suns or arms)" in line
    )
    # moons is sure, so it is not named. suns is the more likely name of the first coin, which
    # leaves arms for the other.
    assert line.endswith("for example with --name suns=-300,20 --name arms=0,-110")
    assert "(150, 60)" not in line and "\n" not in line


def test_a_coin_for_which_no_name_is_left_gets_none_in_the_line():
    naming = CoinNaming({}, ("?1", "?3"), {})
    assert unsure_line(naming, RESTING, ["ace"]).endswith("for example with --name ace=-300,20")


def test_among_much_print_the_line_says_for_each_unsure_coin_where_it_may_lie():
    """Moons is sure. Suns is likeliest at the 5th of eight places, arms at the 7th."""
    lying = {f"?{k}": Rest((10.0 * k, 0.0), 0.1) for k in range(1, 9)} | {"?9": RESTING["?2"]}
    suns = {f"?{k}": share for k, share in enumerate([0.1, 0, 0.2, 0, 0.4, 0, 0.01, 0.02], 1)}
    odds = {n: (("suns", share), ("arms", 0.3 if n == "?7" else 0.0)) for n, share in suns.items()}
    naming = CoinNaming({"?9": "moons", "?5": "suns"}, tuple(suns), odds)
    line = unsure_line(naming, lying, ["moons", "suns", "arms"])
    assert line.startswith("8 things look like coins")
    assert "suns perhaps at (50, 0) or (30, 0) or (10, 0) mm; arms perhaps at (70, 0)" in line
    assert line.endswith("for example with --name suns=50,0 --name arms=70,0")


TWO_WAYS = {"suns-1": (0.0, 22.0), "arms-1": (22.0, 0.0)}


def crossed_tracks(ways: Mapping[str, tuple[float, float]] = TWO_WAYS) -> Episode:
    """Return coins whose tracks took over each other's ways from frame 13 on: how far up each one's
    way lies before and after that.
    """
    frames = tuple(Frame(k, k / 60) for k in range(5, 25))

    def seen(coin: str, mine: float, then: float) -> CoinTrack:
        ys = {f.number: mine if f.number < 13 else then for f in frames}
        places = tuple(Sighting(coin, k, k / 60, (10.0 * k, y), 0.3) for k, y in ys.items())
        before, after = Rest(places[0].at_mm, 0.1), Rest(places[-1].at_mm, 0.1)
        hands = frozenset({6, 20} if coin == "suns-1" else ())
        return CoinTrack(coin, before, after, places, hand_frames=hands)

    course = Course({}, 50.8)
    tracks = tuple(seen(coin, *way) for coin, way in ways.items())
    return Episode(frames, tracks, course, course, (), PieceSizes())


def test_coins_that_took_each_others_names_under_way_get_them_back() -> None:
    true = untangled(crossed_tracks(), {"suns-1": "arms-1", "arms-1": "suns-1"})
    assert true is not None
    suns, arms = true.tracks
    assert {s.at_mm[1] for s in suns.sightings} == {0.0}
    assert {s.at_mm[1] for s in arms.sightings} == {22.0}
    assert {s.coin for s in suns.sightings} == {"suns-1"}
    assert suns.after is not None and suns.after.at_mm == (240.0, 0.0)
    assert (suns.hand_frames, arms.hand_frames) == ({6}, {20})


def test_a_coin_that_stopped_unseen_where_another_lay_gets_its_name_back() -> None:
    """The moons comes in along the x axis, hits the suns and stays 10 mm before it. The suns goes
    on at right angles, and was taken for the moons. Nobody saw the coin that stayed move.
    """
    whole = crossed_tracks()
    places = {
        k: (15.0 * k - 240.0, 0.0) if k < 14 else (0.0, 15.0 * (k - 14)) for k in range(5, 25)
    }
    went = CoinTrack(
        "moons",
        Rest((-180.0, 0.0), 0.1),
        Rest((0.0, 150.0), 0.1),
        tuple(Sighting("moons", k, k / 60, at, 0.3) for k, at in places.items()),
    )
    stayed = CoinTrack(
        "suns", Rest((0.0, 0.0), 0.1), Rest((-20.0, 0.0), 0.1), lay_until_s=13 / 60, settled_s=0.25
    )
    true = untangled(replace(whole, tracks=(went, stayed)), {"moons": "suns", "suns": "moons"})
    assert true is not None
    moons, suns = true.tracks
    assert (moons.before, moons.after) == (went.before, stayed.after)
    assert (suns.before, suns.after) == (stayed.before, went.after)
    assert {s.frame for s in suns.sightings} == set(range(14, 25))


@pytest.mark.parametrize(
    ("over_s", "frames"), [(None, range(20)), ((), ()), (((0.1, 0.15),), range(6, 10))]
)
def test_hands_elsewhere_did_not_have_a_coin_that_was_lost_and_found(over_s, frames) -> None:
    """It lay at one place and was found at another, while a hand was over the table in 20 frames.
    Where it is not known whether that hand was over the new place, it may have been there.
    """
    lost = CoinTrack("suns", Rest((0.0, 0.0), 0.1), None)
    found = CoinTrack(
        "?9", None, Rest((5.0, 0.0), 0.1), hand_frames=frozenset(range(20)), hand_after_s=over_s
    )
    whole = replace(crossed_tracks(), tracks=(lost, found))
    (suns,) = renamed(whole, {"?9": "suns"}).tracks
    assert (suns.before, suns.after) == (lost.before, found.after)
    assert suns.hand_frames == frozenset(frames)


def test_a_coin_that_was_lost_in_an_earlier_flick_and_is_found_may_have_lain_there() -> None:
    lost = CoinTrack("suns", None, None, lost=True)
    found = CoinTrack("?9", None, Rest((5.0, 0.0), 0.1), hand_frames=frozenset({3}))
    whole = replace(crossed_tracks(), tracks=(lost, found))
    (suns,) = renamed(whole, {"?9": "suns"}).tracks
    assert (suns.after, suns.lost) == (found.after, True)


def test_what_was_seen_of_a_lost_coin_elsewhere_after_it_was_found_was_another_coin() -> None:
    """The suns was followed over the edge until frame 24, but lies in sight since frame 16."""
    frames = range(16, 25)
    ways = {k: Sighting("suns", k, k / 60, (10.0 * k, 0.0), 0.3) for k in range(8, 25)}
    lost = CoinTrack("suns", Rest((0.0, 0.0), 0.1), None, tuple(ways.values()))
    back = tuple(Sighting("?9", k, k / 60, (90.0, 10.0 * k), 0.3) for k in frames)
    found = CoinTrack("?9", None, Rest((90.0, 240.0), 0.1), back)
    whole = replace(crossed_tracks(), tracks=(lost, found))
    (suns,) = renamed(whole, {"?9": "suns"}).tracks
    assert [(s.frame, s.at_mm[1] > 0.0) for s in suns.sightings] == [
        (k, k >= 16) for k in range(8, 25)
    ]


def test_three_coins_that_took_each_others_names_in_a_circle_get_them_back() -> None:
    """The third one's way lies 22 mm beside the second one's. From frame 13 on each has the next
    one's.
    """
    names = {"suns-1": "arms-1", "arms-1": "moons", "moons": "suns-1"}
    ways = {"suns-1": (0.0, 22.0), "arms-1": (22.0, 44.0), "moons": (44.0, 0.0)}
    true = untangled(crossed_tracks(ways), names)
    assert true is not None
    seen = {t.coin: {s.at_mm[1] for s in t.sightings} for t in true.tracks}
    assert seen == {"suns-1": {0.0}, "arms-1": {22.0}, "moons": {44.0}}


def test_coins_in_a_circle_of_which_one_was_not_followed_keep_their_names() -> None:
    names = {"suns-1": "arms-1", "arms-1": "moons", "moons": "suns-1"}
    assert untangled(crossed_tracks(), names) is None


@pytest.mark.parametrize(
    ("dots", "chips", "moved", "print_"),
    [
        (1, 0, 0, set()),  # a coin of another set
        (0, 2, 0, {"?c0", "?c1"}),
        (4, 1, 0, {"?d0", "?d1", "?d2", "?d3", "?c0"}),  # more than the three coins: a pattern
        (5, 0, 1, {"?d0", "?d1", "?d2", "?d3", "?d4"}),
    ],
)
def test_what_belongs_to_nobody_is_print_where_it_is_no_plain_coin_or_outnumbers_the_coins(
    dots: int, chips: int, moved: int, print_: set[str]
):
    counts = {"d": dots, "c": chips, "m": moved}
    unowned = {f"?{kind}{k}" for kind, count in counts.items() for k in range(count)}
    coins = {
        name: TrackedCoin(name, State.REST, Rest((0.0, 0.0), 0.2), None)
        for name in ("moons", "suns", "arms", *unowned)
    }
    for name in unowned:
        if name.startswith("?m"):
            coins[name].sightings.append(Sighting(name, 1, 0.1, (9.0, 9.0), 0.3))
    faces = {name: FaceEvidence(plainly_a_coin="?c" not in name) for name in coins}
    assert print_among(unowned, coins, faces) == print_


@pytest.mark.parametrize(
    ("state", "absent", "away"),
    [(State.REST, [], True), (State.OFF_TABLE, ["suns"], True), (State.HIDDEN, ["suns"], False)],
)
def test_coins_that_lie_nowhere_are_away_if_they_were_seen_to_leave(
    state: State, absent: list[str], away: bool
):
    coins = {
        "moons": TrackedCoin("moons", State.REST, Rest((0.0, 0.0), 0.2), None),
        "suns": TrackedCoin("suns", state, Rest((9.0, 0.0), 0.2), None),
    }
    assert absent_of(("moons", "suns"), coins) == (absent, away)
    assert absent_of(("moons", "suns", "2"), coins) == ([*absent, "2"], False)

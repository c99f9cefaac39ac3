"""What a report says of a disc that moved while nothing was seen: the pictures stopped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.domain.incident import Contact, Flicked, LineCrossed, Unseen
from referee.free_play.flick_report import flick_reports
from tests.tracking.slides import Coin, Shot, flicked, hit

UNSEEN = frozenset(range(21, 58))  # the pictures between 0.35 s and 0.97 s, at 60 a second


@pytest.mark.parametrize("drop", [frozenset[int](), UNSEEN])
def test_what_a_disc_did_while_no_picture_came_is_not_concluded(drop: frozenset[int]) -> None:
    """A slid 210 mm to D and hit it. On the way it crossed the line between B and C, 150 mm on, in
    0.2 s at first 900 mm/s. Where the pictures stopped before that, none of it is known.
    """
    a, d, _ = hit(flicked("A", (-150.0, 0.0), (900.0, 0.0)), Coin("D", (60.0, 4.0)))
    others = (Coin("B", (0.0, 60.0)), Coin("C", (0.0, -60.0)))
    ((report,), _) = flick_reports(Shot((a, d, *others), until_s=1.3, drop=drop).episode(), None, 1)
    crossed = [i.line for i in report.incidents if isinstance(i, LineCrossed) and i.coin == "A"]
    touched = [{i.coin, i.with_} for i in report.incidents if isinstance(i, Contact)]
    (length_mm,) = (f.length_mm for f in report.figures if f.coin == "A")
    if drop:
        assert (crossed, touched, length_mm) == ([], [], None)
        assert all(near.coin != "A" for near in report.near_misses)
    else:
        assert "B-C" in crossed and touched == [{"A", "D"}]
        assert length_mm is not None


def test_what_moved_and_is_no_known_disc_was_not_seen() -> None:
    """The flicked disc drives one that was never found: the table has changed at two places."""
    shot = Shot((flicked("A", (-150.0, 0.0), (900.0, 0.0)), Coin("B", (0.0, 60.0))), until_s=1.0)
    episode = replace(shot.episode(), unknown_mm=((60.0, 0.0), (75.0, 0.0)))
    ((report,), _) = flick_reports(episode, None, 1)
    (unseen,) = (i for i in report.incidents if isinstance(i, Unseen))
    (flick,) = (i for i in report.incidents if isinstance(i, Flicked))
    assert unseen.pieces == ("?",)
    assert unseen.from_s == pytest.approx(flick.t_s, abs=1e-4)
    assert unseen.to_s == pytest.approx(episode.frames[-1].t_s, abs=1e-4)


@pytest.mark.parametrize("hand", ["at the disc", "elsewhere", "just before", "a second before"])
def test_a_disc_that_sets_off_with_no_hand_at_it_was_perhaps_struck(hand: str) -> None:
    """Nobody says how many discs there are: a disc that was not found may have struck it."""
    slid = Shot((flicked("A", (-150.0, 0.0), (900.0, 0.0)), Coin("B", (0.0, 60.0))), until_s=1.0)
    episode = slid.episode()
    if hand != "at the disc":
        tracks = tuple(replace(track, hand_frames=frozenset()) for track in episode.tracks)
        episode = replace(episode, tracks=tracks)
    ago_s = {"just before": 0.05, "a second before": 1.0}.get(hand)
    hands = [] if ago_s is None else [(0.2 - ago_s, {"A"}), (0.19, {"B"})]  # it sets off at 0.2 s
    ((report,), _) = flick_reports(episode, None, 1, hands)
    (flick,) = (i for i in report.incidents if isinstance(i, Flicked))
    assert flick.coin == "A"
    assert flick.probability == (None if hand in ("at the disc", "just before") else 0.5)


def test_what_is_no_known_disc_may_have_struck_one_and_so_moved_before_it() -> None:
    """No hand is at A as it sets off at 0.2 s. A hand is over the table from the start on."""
    slid = Shot((flicked("A", (-150.0, 0.0), (900.0, 0.0)), Coin("B", (0.0, 60.0))), until_s=1.0)
    episode = replace(slid.episode(), unknown_mm=((-150.0, -60.0), (-150.0, -22.0)))
    tracks = tuple(replace(track, hand_frames=frozenset()) for track in episode.tracks)
    (_, before) = flick_reports(replace(episode, tracks=tracks), None, 1)
    (unseen,) = (i for i in before if isinstance(i, Unseen))
    assert (unseen.pieces, unseen.from_s) == (("?",), pytest.approx(episode.frames[0].t_s))


@pytest.mark.parametrize("a_lies", [True, False])
def test_a_disc_from_nowhere_may_be_the_one_that_was_not_seen(a_lies: bool) -> None:
    """G is first seen 50 mm from where A lay. If A is still seen there, G is another disc."""
    slid = Shot(
        (
            flicked("A", (-150.0, 0.0), (900.0, 0.0)),
            Coin("B", (0.0, 60.0)),
            Coin("C", (0.0, -60.0)),
        ),
        until_s=1.3,
    )
    episode = slid.episode()
    a, *others = episode.tracks
    seen = tuple(replace(s, coin="G") for s in a.sightings if s.at_mm[0] > -100.0)
    g = replace(a, coin="G", before=None, sightings=seen, hand_frames=frozenset())
    hidden = frozenset() if a_lies else frozenset(s.frame for s in a.sightings)
    after = a.before if a_lies else None
    a = replace(a, sightings=(), hidden_frames=hidden, after=after)
    reports, before = flick_reports(replace(episode, tracks=(a, g, *others)), None, 1)
    told = [i for report in reports for i in report.incidents] + before
    lines = [i for i in told if isinstance(i, LineCrossed) and (i.coin, i.line) == ("G", "B-C")]
    assert [i.probability for i in lines] == ([None] if a_lies else [0.5])

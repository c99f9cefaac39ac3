"""Names that faces contradict are asked about, and what people answer is believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.store.piece_store import FacePatch
from referee.domain.entry import Fact, Ruling
from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.geometry import Point
from referee.domain.incident import Flicked
from referee.domain.layout import template_course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.session.naming.name_check import NameCheck, mistakable, renamed_by, with_unsure_names
from referee.vision.faces.exchange import Exchange
from referee.vision.faces.identification import FaceEvidence
from tests.vision.faces.test_identification import SET, evidence_of

COINS = ("suns", "moons", "2")
BAND = (0.05, 0.95)


def faces(shown: Sequence[str]) -> dict[str, FaceEvidence]:
    """Return the faces that the coins show which are seen under the names of `COINS`."""
    return dict(zip(COINS, evidence_of(shown), strict=True))


def disagreement(
    check: NameCheck, shown: Sequence[str], entries: Sequence[Fact] = ()
) -> Exchange | None:
    return check.disagreement(COINS, faces(shown), set(), entries)


EXCHANGED = ("moons", "suns", "2")


def asked() -> NameCheck:
    """Return a check that has asked about suns and moons."""
    check = NameCheck(SET, COINS, BAND)
    found = disagreement(check, EXCHANGED)
    assert found is not None
    check.asked["i5"] = found
    return check


def answer(verdict: str) -> Ruling:
    return Ruling(on="i5", verdict=verdict, id="r1")  # type: ignore[arg-type]


def test_a_certain_exchange_is_a_question_too_because_nobody_saw_it() -> None:
    found = asked().asked["i5"]
    assert found.names == {"suns": "moons", "moons": "suns"} and found.probability == 0.95
    incident = renamed_by(found, 3.25)
    assert (incident.coins, incident.probability, incident.t_s) == (found.names, 0.95, 3.25)


def test_names_are_in_question_until_people_answer() -> None:
    """The faces give the exchange a probability of 0.95, so each name is right with 0.05."""
    check = asked()
    assert check.in_question(()) == pytest.approx({"suns": 0.05, "moons": 0.05})
    assert check.in_question([answer("upheld")]) == check.in_question([answer("overturned")]) == {}


@pytest.mark.parametrize(
    ("coin", "own", "right", "said"),
    [
        pytest.param("suns", None, 0.8, 0.8, id="as probable as the name"),
        pytest.param("suns", 0.6, 0.8, 0.6, id="less probable already"),
        pytest.param("suns", None, 0.2, 0.5, id="one of the two coins did it"),
        pytest.param("2", None, 0.2, None, id="another coin"),
    ],
)
def test_what_a_coin_does_is_not_more_certain_than_its_name(
    coin: str, own: float | None, right: float, said: float | None
) -> None:
    flick = Flicked(coin=coin, probability=own)
    (found,) = with_unsure_names([flick], {"suns": right})
    assert found.probability == said


def log_odds(
    check: NameCheck, shown: Sequence[str], at_mm: Point = (0.0, 0.0), entries: Sequence[Fact] = ()
) -> float:
    """Return the log-odds that suns and moons were exchanged if these faces show at one place."""
    rest = Rest((0.0, 0.0), 0.1)
    seen = {name: replace(face, place=Rest(at_mm, 0.1)) for name, face in faces(shown).items()}
    lying = dict.fromkeys(COINS, rest)
    return check.exchange_log_odds({"suns": "moons", "moons": "suns"}, lying, seen, entries)


def test_the_faces_of_two_coins_tell_whether_they_were_exchanged() -> None:
    check = NameCheck(SET, COINS, BAND)
    assert log_odds(check, EXCHANGED) > 6.0 and log_odds(check, COINS) < -6.0


def test_the_face_of_a_coin_that_lay_elsewhere_tells_nothing() -> None:
    assert log_odds(NameCheck(SET, COINS, BAND), EXCHANGED, (40.0, 0.0)) == 0.0


def test_names_that_people_gave_against_the_faces_stay() -> None:
    check = asked()
    assert log_odds(check, EXCHANGED, entries=[answer("overturned")]) == 0.0


def test_an_exchange_that_people_confirmed_is_not_an_exchange_any_more() -> None:
    check = asked()
    assert log_odds(check, EXCHANGED, entries=[answer("upheld")]) < -6.0


def test_faces_that_agree_ask_nothing() -> None:
    assert disagreement(NameCheck(SET, COINS, BAND), COINS) is None


def test_the_same_exchange_is_asked_once() -> None:
    assert disagreement(asked(), EXCHANGED) is None
    assert disagreement(asked(), EXCHANGED, [answer("upheld")]) is None


def test_coins_that_changed_back_are_asked_about_again() -> None:
    found = disagreement(asked(), COINS, [answer("upheld")])
    assert found is not None and found.names == {"suns": "moons", "moons": "suns"}


def test_people_who_say_that_the_names_are_right_are_not_asked_again() -> None:
    check, denied = asked(), [answer("overturned")]
    assert disagreement(check, EXCHANGED, denied) is None
    assert check.believed(denied) == {}


def test_names_with_which_play_begins_are_not_doubted_by_the_same_faces() -> None:
    check = NameCheck(SET, COINS, BAND)
    check.begin(COINS, faces(EXCHANGED))
    assert disagreement(check, EXCHANGED) is None


def test_coins_that_moved_are_mistakable_where_a_coin_lies_that_nobody_followed() -> None:
    here, there = Rest((0.0, 0.0), 0.3), Rest((50.0, 0.0), 0.3)
    seen = (Sighting("moons", 1, 0.1, (10.0, 0.0), 0.5),)
    tracks = (
        CoinTrack("suns", here, here, ()),
        CoinTrack("moons", here, here, seen),
        CoinTrack("2", here, there, ()),
    )
    course = template_course("tabletop-croquet", 50.8)
    episode = Episode((Frame(0, 0.0),), tracks, course, course, (), PieceSizes())
    assert mistakable(episode) == set()
    found = CoinTrack("?4", None, there, ())
    assert mistakable(replace(episode, tracks=(*tracks, found))) == {"moons", "2", "?4"}


def test_what_shows_no_face_of_the_match_is_no_coin_whose_face_was_read_before() -> None:
    """Coins that may have been exchanged are asked about elsewhere."""
    suns, moons = (one.face for one in evidence_of(("suns", "moons")))
    assert suns is not None and moons is not None
    table = FacePatch(np.full_like(suns.bgr, 120.0), suns.seen_px)
    read, unread = NameCheck(SET, COINS, BAND), NameCheck(SET, COINS, BAND)
    read.begin(COINS, faces(COINS))
    unread.begin(COINS, {"suns": FaceEvidence()})
    everywhere = set(COINS)
    assert read.shows_coin("suns", everywhere, suns) and read.shows_coin("suns", everywhere, moons)
    assert not read.shows_coin("suns", everywhere, table)
    assert unread.shows_coin("suns", everywhere, table)


def test_what_is_new_must_show_the_face_of_a_coin_that_lies_nowhere() -> None:
    """Where all lie, one of them may be something else."""
    suns, moons = (one.face for one in evidence_of(("suns", "moons")))
    assert suns is not None and moons is not None
    check, lying = NameCheck(SET, COINS, BAND), {"moons", "2"}
    assert check.shows_coin("?4", lying, moons)  # no face was read before
    check.begin(COINS, faces(COINS))
    assert check.shows_coin("?4", lying, suns) and not check.shows_coin("?4", lying, moons)
    assert check.shows_coin("?4", set(COINS), moons)


def test_what_has_another_colour_than_a_coin_had_is_not_that_coin() -> None:
    """The set is unknown, so no face can be read."""
    (suns,) = (one.face for one in evidence_of(("suns",)))
    assert suns is not None
    red = FacePatch(np.minimum(suns.bgr * np.array([0.5, 0.5, 1.0]), 255.0), suns.seen_px)
    check = NameCheck(None, COINS, BAND)
    check.begin(COINS, faces(COINS))
    assert check.shows_coin("suns", set(COINS), suns)
    assert not check.shows_coin("suns", set(COINS), red)
    assert check.shows_coin("?4", {"moons", "2"}, suns)
    assert not check.shows_coin("?4", {"moons", "2"}, red)

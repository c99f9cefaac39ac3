"""Faces held against names: what was exchanged is asked about, and one face alone never decides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.vision.faces.assignment_odds import MISTAKEN
from referee.vision.faces.exchange import Exchange, find_exchange
from referee.vision.faces.identification import FaceEvidence
from tests.vision.faces.test_identification import SET, evidence_of

COINS = ("suns", "moons", "2", "ace")


def exchange(
    names: Sequence[str],
    shown: Sequence[str] = COINS,
    hidden: Sequence[str] = (),
    guessed: Sequence[str] = (),
    match: Sequence[str] = COINS,
) -> Exchange:
    """Return what is found when coins with these names show these faces."""
    faces = dict(zip(names, evidence_of(shown), strict=True))
    seen = {name: face for name, face in faces.items() if name not in hidden}
    found = find_exchange(names, seen, SET, match, set(guessed))
    assert found is not None
    return found


def test_faces_that_agree_with_the_names_leave_nothing_to_ask() -> None:
    assert exchange(COINS).probability < 1e-3


def test_two_exchanged_coins_are_found() -> None:
    found = exchange(("moons", "suns", "2", "ace"))
    assert found.names == {"moons": "suns", "suns": "moons"}
    assert found.probability > 0.95


def test_three_exchanged_coins_are_a_circle() -> None:
    found = exchange(("moons", "2", "suns", "ace"))
    assert found.names == {"moons": "suns", "2": "moons", "suns": "2"}
    assert found.probability > 0.95


def test_a_single_face_is_not_enough_to_be_certain() -> None:
    # One of the two is covered. The other face is plain, but a face may mislead.
    found = exchange(("moons", "suns", "2", "ace"), hidden=("suns",))
    assert found.names == {"moons": "suns", "suns": "moons"}
    assert 0.05 < found.probability < 0.95


def test_a_coin_may_be_taken_for_one_that_is_not_on_the_table() -> None:
    found = exchange(("moons", "2", "ace"), ("suns", "2", "ace"))
    assert found.names == {"moons": "suns", "suns": "moons"}
    assert found.probability > 0.05


def test_coins_that_look_alike_are_never_exchanged_for_each_other() -> None:
    """Red coins 1 and 2 have one face: only the red and the black may be exchanged."""
    match = ("suns-1", "suns-2", "moons", "ace")
    assert exchange(match, ("suns", "suns", "moons", "ace"), match=match).probability < 1e-3
    found = exchange(match, ("suns", "moons", "suns", "ace"), match=match)
    assert found.names == {"suns-2": "moons", "moons": "suns-2"}
    assert found.probability > 0.95


def test_where_all_coins_look_alike_there_is_nothing_to_exchange() -> None:
    match = ("suns-1", "suns-2")
    faces = dict(zip(match, evidence_of(("suns", "suns")), strict=True))
    assert find_exchange(match, faces, SET, match, set()) is None


def test_coins_without_faces_keep_their_names() -> None:
    assert exchange(COINS, hidden=COINS).probability < 2 * MISTAKEN


def test_a_guessed_name_is_as_good_as_the_other_that_was_left() -> None:
    found = find_exchange(("suns",), {"suns": FaceEvidence()}, SET, ("suns", "ace"), {"suns"})
    assert found is not None and found.names == {"suns": "ace", "ace": "suns"}
    assert found.probability == pytest.approx(0.5)

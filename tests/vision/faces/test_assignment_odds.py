"""The probabilities over all assignments, compared with a list of every assignment."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from referee.vision.faces.assignment_odds import AS_RULED, share_of_assignments, share_with_rules


@cache
def every_assignment(things: int, counts: tuple[int, ...]) -> np.ndarray:
    """Return all ways (a row each) to give each thing a piece or none, with no piece twice. A piece
    is given by its kind, and none by the number of kinds.
    """
    pieces = [kind for kind, count in enumerate(counts) for _ in range(count)]
    ways = [
        [len(counts) if piece is None else pieces[piece] for piece in way]
        for way in product([None, *range(len(pieces))], repeat=things)
        if len(used := [piece for piece in way if piece is not None]) == len(set(used))
    ]
    return np.array(ways)


def listed_shares(by_kind: np.ndarray, stranger: np.ndarray, counts: list[int]) -> np.ndarray:
    ways = every_assignment(len(by_kind), tuple(counts))
    scores = np.column_stack((by_kind, stranger))
    weights = np.exp(scores[np.arange(len(by_kind)), ways].sum(axis=1))
    shares = [weights @ (ways == kind) for kind in range(len(counts) + 1)]
    return np.column_stack(shares) / weights.sum()


numbers = st.floats(-6, 6)


@given(st.data(), st.integers(1, 4), st.lists(st.integers(1, 2), min_size=1, max_size=3))
def test_shares_are_those_of_all_assignments_listed(
    data: st.DataObject, things: int, counts: list[int]
) -> None:
    by_kind = data.draw(arrays(float, (things, len(counts)), elements=numbers))
    stranger = data.draw(arrays(float, (things,), elements=numbers))
    np.testing.assert_allclose(
        share_of_assignments(by_kind, stranger, counts),
        listed_shares(by_kind, stranger, counts),
        atol=1e-9,
    )


def test_elimination_by_hand() -> None:
    """The first thing is surely A. The second is equally likely A or B, so it is B. Nothing else is
    at all likely.
    """
    by_kind = np.array([[0.0, -50.0], [0.0, 0.0]])
    shares = share_of_assignments(by_kind, np.array([-100.0, -100.0]), [1, 1])
    assert shares[1, 1] == pytest.approx(1.0, abs=1e-12)


def test_two_alike_share_what_one_name_is_left() -> None:
    """Two things look the same and one name is left. Each has it in half of the assignments, if
    being a stranger costs both the same.
    """
    shares = share_of_assignments(np.zeros((2, 1)), np.full(2, -3.0), [1])
    expected = 1 / (
        2 + np.exp(-3.0)
    )  # the name goes to the first, to the second, or to neither: weights e-3, e-3, e-6
    np.testing.assert_allclose(shares[:, 0], expected)


def test_without_names_everything_is_a_stranger() -> None:
    np.testing.assert_allclose(
        share_of_assignments(np.empty((2, 0)), np.zeros(2), []), [[1.0], [1.0]]
    )


def test_ten_coins_and_ten_names_keep_within_double_precision() -> None:
    table = np.full((10, 10), -400.0)
    np.fill_diagonal(table, 0.0)
    shares = share_of_assignments(table, np.full(10, -30.0), [1] * 10)
    np.testing.assert_allclose(np.diag(shares), 1.0, atol=1e-9)


@given(st.data(), st.lists(st.integers(1, 2), min_size=2, max_size=3))
def test_with_rules_one_of_their_ways_or_any_assignment_holds(
    data: st.DataObject, counts: list[int]
) -> None:
    """Bayes by hand: beforehand a way of the rules has the share `AS_RULED`, shared equally, and
    every assignment of the pieces the same share of the rest. A thing may be a stranger in each.
    """
    things = sum(counts)
    by_kind = data.draw(arrays(float, (things, len(counts)), elements=numbers))
    stranger = data.draw(arrays(float, (things,), elements=numbers))
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    ruled = data.draw(st.lists(st.permutations(kinds), min_size=1, max_size=2))

    ways = every_assignment(things, tuple(counts))
    scores = np.column_stack((by_kind, stranger))
    any_way = np.exp(scores[np.arange(things), ways].sum(axis=1)).sum() / factorial(things)
    weights, shares = [(1 - AS_RULED) * any_way], [listed_shares(by_kind, stranger, counts)]
    for way in ruled:
        own, none = np.exp(by_kind[np.arange(things), way]), np.exp(stranger)
        weights.append(AS_RULED / len(ruled) * np.prod(own + none))
        share = np.zeros_like(shares[0])
        share[np.arange(things), way] = own / (own + none)
        share[:, -1] = none / (own + none)
        shares.append(share)
    expected = sum(w * s for w, s in zip(weights, shares, strict=True)) / sum(weights)
    np.testing.assert_allclose(
        share_with_rules(by_kind, stranger, counts, ruled), expected, atol=1e-9
    )


def test_a_way_of_the_rules_that_an_answer_contradicts_does_not_count() -> None:
    """People said that the first thing is of the second kind. By the rules it would be of the
    first.
    """
    by_kind = np.array([[-np.inf, 0.0], [0.0, 0.0]])
    shares = share_with_rules(by_kind, np.array([-np.inf, -100.0]), [1, 1], [[0, 1]])
    np.testing.assert_allclose(shares[1], [1.0, 0.0, 0.0], atol=1e-12)

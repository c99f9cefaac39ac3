"""Computes exact probabilities over all assignments of names to observed things, without listing
the assignments. The probabilities are also exact if some assignments are likelier than the others
beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

Matrix = NDArray[np.float64]

#: Chosen: the probability, before any face is seen, that things at the places that the rules name
#: are of the kinds that the rules name.
AS_RULED: Final = 0.9
#: Chosen: how often a face misleads, as in glare; also, how often a stranger is among the coins
#: although as many coins lie on the table as the match has. Neither happened in fixtures or
#: rendered clips.
MISLED: Final = 1e-4
#: Chosen: the probability, before its face is seen, that a coin is not the one that it is taken
#: for, or that it is none of the match's coins.
MISTAKEN: Final = 0.01


def share_of_assignments(by_kind: Matrix, stranger: Matrix, counts: Sequence[int]) -> Matrix:
    """Return the probability that each thing is of each kind, over all assignments: (things, kinds
    + 1). The last column is the probability that the thing is of none of the kinds.

    `by_kind` (things, kinds) are the log-likelihoods of the observation under each kind. `stranger`
    (things,) is the log-likelihood of the observation if the thing is of no kind. `counts` says how
    many pieces of each kind there are. Before anything is observed, every assignment of distinct
    pieces to things is equally likely. The sum over all assignments uses a table whose indices are
    the number of pieces of each kind that are used up. The forward-backward algorithm goes through
    the things in both directions.
    """
    everything = np.concatenate((by_kind, stranger[:, None]), axis=1)
    weights = np.exp(everything - everything.max(axis=1, keepdims=True))
    shape = tuple(count + 1 for count in counts)
    forward = [_at_origin(shape)]
    for row in weights:
        forward.append(_stepped(forward[-1], row, counts)[0])
    backward = np.ones(shape)
    shares = np.zeros_like(weights)
    for number in range(len(weights) - 1, -1, -1):
        row, before = weights[number], forward[number]
        shares[number, -1] = row[-1] * float(np.sum(before * backward))
        for kind, count in enumerate(counts):
            used, then = _pair(before, kind, count), _following(backward, kind)
            shares[number, kind] = row[kind] * float(np.sum(used * then))
        backward = _stepped_back(backward, row, counts)
        backward /= backward.max()
    total: Matrix = shares.sum(axis=1, keepdims=True)
    return np.asarray(shares / total, dtype=np.float64)


def share_with_rules(
    by_kind: Matrix, stranger: Matrix, counts: Sequence[int], ruled: Sequence[Sequence[int]]
) -> Matrix:
    """Return the same probabilities as `share_of_assignments`, for a game whose rules say which
    kind of thing lies at which place. `ruled` are the layouts that the rules allow; each gives a
    kind for every thing.

    There are as many things as pieces. Before anything is observed, one of these layouts holds with
    the probability `AS_RULED`, each equally likely. If none of these layouts holds, every
    assignment is equally likely.
    """
    shares = share_of_assignments(by_kind, stranger, counts)
    things = np.arange(len(by_kind))
    own = [by_kind[things, kinds] for kinds in ruled]
    either = [np.logaddexp(one, stranger) for one in own]
    each = [float(e.sum()) + math.log(AS_RULED / len(ruled)) for e in either]
    if not np.isfinite(each).any():
        return shares
    any_way = _log_mean_likelihood(by_kind, stranger, counts) + math.log(1 - AS_RULED)
    weights = np.exp(np.array([any_way, *each]) - logsumexp([any_way, *each]))
    mixed = weights[0] * shares
    for kinds, weight, one, sum_ in zip(ruled, weights[1:], own, either, strict=True):
        if weight > 0.0:
            mixed[things, kinds] += weight * np.exp(one - sum_)
            mixed[:, -1] += weight * np.exp(stranger - sum_)
    return np.asarray(mixed, dtype=np.float64)


def _log_mean_likelihood(by_kind: Matrix, stranger: Matrix, counts: Sequence[int]) -> float:
    """Return the logarithm of the mean likelihood of all assignments, for as many pieces as things.
    In each assignment, any thing may be a stranger instead of its piece.
    """
    everything = np.concatenate((by_kind, stranger[:, None]), axis=1)
    table = _at_origin(tuple(count + 1 for count in counts))
    total = -math.lgamma(len(everything) + 1)
    for row in everything:
        most = float(row.max())
        table, by = _stepped(table, np.exp(row - most), counts)
        total += most + math.log(by)
    return total + math.log(float(table.sum()))


def _at_origin(shape: tuple[int, ...]) -> Matrix:
    """Return the table in which no kind is used up yet."""
    table = np.zeros(shape)
    table[(0,) * len(shape)] = 1.0
    return table


def _pair(table: Matrix, kind: int, count: int) -> Matrix:
    """Return the part of the table in which at least one piece of a kind is left, each entry
    multiplied by the number of pieces of that kind that are left.
    """
    return np.take(table, np.arange(count), axis=kind) * _left(table, kind, count)


def _left(table: Matrix, kind: int, count: int) -> Matrix:
    """Return how many pieces of a kind are left, along its axis of the table: `count` to 1."""
    left = np.arange(count, 0, -1, dtype=np.float64)
    return left.reshape([-1 if axis == kind else 1 for axis in range(table.ndim)])


def _following(table: Matrix, kind: int) -> Matrix:
    """Return the part of the table in which one more piece of a kind is used up."""
    return np.take(table, np.arange(1, table.shape[kind]), axis=kind)


def _stepped(table: Matrix, row: Matrix, counts: Sequence[int]) -> tuple[Matrix, float]:
    """Return the table after one more thing is assigned, divided by its largest entry, and that
    entry.
    """
    after = table * row[-1]
    for kind, count in enumerate(counts):
        target = [slice(None)] * table.ndim
        target[kind] = slice(1, None)
        after[tuple(target)] += row[kind] * _pair(table, kind, count)
    most = float(after.max())
    return np.asarray(after / most, dtype=np.float64), most


def _stepped_back(table: Matrix, row: Matrix, counts: Sequence[int]) -> Matrix:
    """Return the backward table before one thing is assigned."""
    before = table * row[-1]
    for kind, count in enumerate(counts):
        target = [slice(None)] * table.ndim
        target[kind] = slice(0, count)
        left = _left(table, kind, count)
        before[tuple(target)] += row[kind] * left * _following(table, kind)
    return np.asarray(before, dtype=np.float64)

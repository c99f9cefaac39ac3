"""Computes exact probabilities over all assignments of names to observed things, without listing
the assignments.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def share_of_assignments(by_kind: Matrix, stranger: Matrix, counts: Sequence[int]) -> Matrix:
    """Return for each thing the probability that it is of each kind, over all assignments: (things,
    kinds + 1). The last column is for none of the kinds.

    `by_kind` (things, kinds) are log-likelihoods. `stranger` (things,) is the log-likelihood of
    being none of them. `counts` says how many pieces of each kind there are. Before anything is
    observed, every assignment of distinct pieces to things is equally likely. The sum over all
    assignments uses a table of how many pieces of each kind are used up. It goes through the things
    forwards and backwards (the forward-backward algorithm).
    """
    everything = np.concatenate((by_kind, stranger[:, None]), axis=1)
    weights = np.exp(everything - everything.max(axis=1, keepdims=True))
    shape = tuple(count + 1 for count in counts)
    forward = [_at_origin(shape)]
    for row in weights:
        forward.append(_stepped(forward[-1], row, counts))
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


def _at_origin(shape: tuple[int, ...]) -> Matrix:
    """Return the table in which no kind is used up yet."""
    table = np.zeros(shape)
    table[(0,) * len(shape)] = 1.0
    return table


def _pair(table: Matrix, kind: int, count: int) -> Matrix:
    """Return the part of the table in which another piece of a kind is left, multiplied by how many
    are left.
    """
    left = np.arange(count, 0, -1, dtype=np.float64).reshape(
        [-1 if axis == kind else 1 for axis in range(table.ndim)]
    )
    return np.take(table, np.arange(count), axis=kind) * left


def _following(table: Matrix, kind: int) -> Matrix:
    """Return the part of the table in which one more piece of a kind is used up."""
    return np.take(table, np.arange(1, table.shape[kind]), axis=kind)


def _stepped(table: Matrix, row: Matrix, counts: Sequence[int]) -> Matrix:
    """Return the table after one more thing is assigned, scaled to a largest entry of 1."""
    after = table * row[-1]
    for kind, count in enumerate(counts):
        target = [slice(None)] * table.ndim
        target[kind] = slice(1, None)
        after[tuple(target)] += row[kind] * _pair(table, kind, count)
    return np.asarray(after / after.max(), dtype=np.float64)


def _stepped_back(table: Matrix, row: Matrix, counts: Sequence[int]) -> Matrix:
    """Return the backward table before one thing is assigned."""
    before = table * row[-1]
    for kind, count in enumerate(counts):
        target = [slice(None)] * table.ndim
        target[kind] = slice(0, count)
        left = np.arange(count, 0, -1, dtype=np.float64).reshape(
            [-1 if axis == kind else 1 for axis in range(table.ndim)]
        )
        before[tuple(target)] += row[kind] * left * _following(table, kind)
    return np.asarray(before, dtype=np.float64)

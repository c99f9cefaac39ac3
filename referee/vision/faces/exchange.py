"""Compares the faces of the resting coins with their names, to find coins that were taken for each
other.

In glare or under a wrong lamp, a whole face may mislead, however well it fits. So `MISLED` limits
how much a single face counts, and only several faces together make an exchange certain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.store.piece_store import PieceSet
from referee.domain.pieces import face_of
from referee.vision.faces.assignment_odds import MISLED, MISTAKEN, Matrix, share_of_assignments
from referee.vision.faces.identification import FaceEvidence, face_log_likelihoods

# Chosen: a small advantage for each coin's own name, so that coins that look alike are not
# exchanged among themselves.
_OWN_NUMBER: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Exchange:
    """Coins that were perhaps taken for each other. `names` is a permutation: it maps each name in
    use to the name that is true if these coins were exchanged. `probability` is how likely it is
    that the names in use are wrong.
    """

    names: Mapping[str, str]
    probability: float


def find_exchange(
    lying: Sequence[str],
    faces: Mapping[str, FaceEvidence],
    pieces: PieceSet | None,
    coins: Sequence[str],
    guessed: Set[str],
) -> Exchange | None:
    """Return the most likely exchange of names; None if fewer than two coins could have been
    exchanged. An exchange of coins that look alike does not count, because no face shows it.

    `lying` are the names of the coins on the table, and `coins` the names of all coins of the
    match. A coin without a face in `faces` may have any name. `guessed` are the names that were
    never certain.
    """
    if not lying or len({*map(face_of, coins)}) < 2:
        return None
    kinds = list(dict.fromkeys(map(face_of, coins)))
    of_coin = [kinds.index(face_of(coin)) for coin in coins]
    own = [kinds.index(face_of(name)) for name in lying]
    weights = _face_odds([faces.get(name, FaceEvidence()) for name in lying], pieces, kinds)
    for row, name in enumerate(lying):
        other = 1.0 if name in guessed else MISTAKEN / (len(coins) - 1)
        weights[row] += np.where(np.arange(len(kinds)) == own[row], 0.0, math.log(other))
    counts = [of_coin.count(kind) for kind in range(len(kinds))]
    no_stranger = np.full(len(lying), -np.inf)
    shares = share_of_assignments(weights, no_stranger, counts)
    right = shares[np.arange(len(lying)), own]
    doubtful = int(right.argmin())
    # force the most doubtful coin to get another name in the most likely exchange
    weights[doubtful, own[doubtful]] = -1e9
    by_coin = weights[:, of_coin]
    for row, name in enumerate(lying):  # coins that look alike keep their own numbers
        by_coin[row, coins.index(name)] += _OWN_NUMBER
    rows, columns = linear_sum_assignment(-by_coin)
    names = {lying[int(r)]: coins[int(c)] for r, c in zip(rows, columns, strict=True)}
    return Exchange(_closed(names), 1.0 - float(right[doubtful]))


def exchange_log_odds(
    names: Mapping[str, str],
    faces: Mapping[str, FaceEvidence],
    pieces: PieceSet | None,
    coins: Sequence[str],
) -> float:
    """Return the natural logarithm of the odds that the coins show the faces of their new names
    (the values of `names`) and not those of the names in use (its keys). A coin without a face in
    `faces` adds nothing. `coins` are the coins of the match.
    """
    kinds = list(dict.fromkeys(map(face_of, coins)))
    weights = _face_odds([faces.get(name, FaceEvidence()) for name in names], pieces, kinds)
    pairs = enumerate(names.items())
    return float(
        sum(
            weights[row, kinds.index(face_of(true))] - weights[row, kinds.index(face_of(seen))]
            for row, (seen, true) in pairs
        )
    )


def _face_odds(
    evidence: Sequence[FaceEvidence], pieces: PieceSet | None, kinds: Sequence[str]
) -> Matrix:
    """Return the log-likelihood of each face under each kind (coins seen, kinds), limited by
    `MISLED`.
    """
    fits = face_log_likelihoods(evidence, pieces, kinds)
    shares = fits - np.logaddexp.reduce(fits, axis=1, keepdims=True)
    misled = math.log(MISLED / len(kinds))
    return np.asarray(np.logaddexp(math.log(1 - MISLED) + shares, misled), dtype=np.float64)


def _closed(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names that change, as a permutation. A coin that is not on the table gets the name
    that is left over.
    """
    changed = {seen: true for seen, true in names.items() if seen != true}
    for end in sorted(set(changed.values()) - set(changed)):
        begin = end
        while begin in changed.values():
            begin = next(seen for seen, true in changed.items() if true == begin)
        changed[end] = begin
    return changed

"""Decides which coin is which. The module adds up the evidence of the resting coins' faces over
frames, and finds the assignment of the match's coins that fits best.

A wrong name given as certain is the worst possible result here, so probabilities are cautious. The
probability of a coin's name is the sum over all assignments that give the coin this name. So
knowing other coins' names helps to name a coin, and doubt about one coin makes others doubtful.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.store.piece_store import FacePatch, PieceSet
from referee.domain.episode import Rest
from referee.domain.pieces import SURE_NAME, face_of
from referee.vision.faces.assignment_odds import MISLED, MISTAKEN, share_with_rules
from referee.vision.faces.builtin_faces import builtin_faces
from referee.vision.faces.coin_colour import colour_log_odds
from referee.vision.faces.face_match import blurred_like, centres, ink, misfit, rings_of
from referee.vision.faces.face_network import KnownFaces, face_log_odds, known_faces

# Tuned on our own clips, except where a comment gives another source for a number.

_MOST_PATCHES: Final = 40
# The evidence of a common face, as a share of that of a learnt face. A common face gives less
# evidence, because real sets differ from the common faces.
_COMMON_SHARE: Final = 0.3
# The prior probability that the template's answer counts instead of the network's. Measured, with
# the next two numbers, over 439 faces of rendered tables that the network was not trained with: the
# values that make the right names most probable.
_TEMPLATE_PRIOR: Final = 1e-7
# The number of independent samples of a template, and the mean square misfit of the right template.
_PLACES: Final = 50.0
_FLOOR: Final = 0.0035
# The share of the ink of an unknown face that no template explains.
_STRANGER_SHARE: Final = 0.6

Matrix = NDArray[np.float64]


@dataclass
class FaceEvidence:
    """The observations of one coin's face while the coin lies at one place, from the moment it
    comes to rest until it moves.

    The face is the median of up to 40 patches, so that a hand that covers the coin in a few frames
    does no harm. If `plainly_a_coin` is False, the thing may be something round that is not a coin.
    The coin lies at `place`; None if the place was not given.
    """

    plainly_a_coin: bool = True
    place: Rest | None = None
    patches: deque[FacePatch] = field(default_factory=lambda: deque(maxlen=_MOST_PATCHES))

    def add(self, patch: FacePatch | None) -> None:
        """Add one frame's patch. None, for a coin that was partly outside the picture, adds
        nothing.
        """
        if patch is not None:
            self.patches.append(patch)

    def lies_at(self, rest: Rest) -> bool:
        """Return whether the patches show the coin that lies at a rest."""
        return self.place is None or self.place.is_at(rest.at_mm, rest.sigma_mm)

    @property
    def face(self) -> FacePatch | None:
        """Return the median of all patches; None before the first."""
        if not self.patches:
            return None
        middle = np.median(np.stack([p.bgr for p in self.patches]), axis=0).astype(np.float32)
        return FacePatch(middle, float(np.median([p.seen_px for p in self.patches])))


@dataclass(frozen=True, slots=True)
class NamedCoin:
    """The name given to an observed coin, with the probability that the coin shows the face of that
    name. The name is None if the coin fits none of the names.

    `others` are the other names with their probabilities, most likely first; those below 0.001 are
    left out.
    """

    name: str | None
    probability: float
    others: tuple[tuple[str | None, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Identification:
    """The observed coins with their names, in the order of the evidence.

    `to_ask` are the indices of the coins that a player should be asked about. If the player
    confirms their names, every other coin's name is sure, too.
    """

    coins: tuple[NamedCoin, ...]
    to_ask: tuple[int, ...]


def identify(
    evidence: Sequence[FaceEvidence],
    pieces: PieceSet | None,
    names: Sequence[str],
    ruled: Sequence[Sequence[str]] = (),
    *,
    away: bool = False,
) -> Identification:
    """Name the observed coins by the best assignment of the names to them, each name at most once.

    There may be fewer coins than names, or more (the coins left over get None). A name whose face
    is missing in the set can still be given, by elimination. Without a set, or with one that has
    only sizes, common faces are tried; they give less evidence. Coins that show the same face
    (`suns-1`, `suns-2`) are interchangeable: which of them gets which number is arbitrary, and the
    probability is that of the face.

    `ruled` are the layouts that the rules allow if all coins lie at these places: each gives the
    face of every coin, in the order of the evidence. A thing at a place where the rules put a coin
    counts as a coin, even if it is not plainly seen to be one. `away` says that all coins with
    these names were seen to leave the table, so that what lies there now may well be something
    else.
    """
    table, stranger, other = _log_likelihoods(evidence, pieces, names, away=away)
    colours = _colour_log_odds(evidence, pieces, table, np.logaddexp(stranger, other))
    table, stranger = table + colours[:, None], np.logaddexp(stranger, other + colours)
    plain = np.array([one.plainly_a_coin for one in evidence], dtype=bool)
    if plain.sum() >= len(names):  # then every coin of the match is among these
        table[~plain] += math.log(MISLED)
    kinds = list(dict.fromkeys(face_of(name) for name in names))
    counts = [sum(face_of(name) == kind for name in names) for kind in kinds]
    firsts = [[face_of(name) for name in names].index(kind) for kind in kinds]
    ways = [[kinds.index(face) for face in way] for way in ruled]
    chosen = _best_assignment(table, stranger)
    if ways:
        shares = share_with_rules(table[:, firsts], stranger, counts, ways)
        likely = np.log(np.maximum(shares, np.finfo(float).tiny))
        of_kind = [kinds.index(face_of(name)) for name in names]
        chosen = _best_assignment(likely[:, of_kind], likely[:, -1])
    if len(evidence) == len(names) and not ways:
        stranger = _doubted(evidence, table, stranger, chosen)
    own = [len(kinds) if n is None else kinds.index(face_of(names[n])) for n in chosen]
    shares, asked = _asked_first(table[:, firsts], stranger, counts, own, ways)
    coins = tuple(
        _named(shares[i], kinds, None if n is None else names[n]) for i, n in enumerate(chosen)
    )
    return Identification(coins, asked)


def _colour_log_odds(
    evidence: Sequence[FaceEvidence], pieces: PieceSet | None, table: Matrix, stranger: Matrix
) -> Matrix:
    """Return the log-odds (coins,) that the colour of each thing gives for a coin of the set. A
    thing whose face was not seen, or a set whose faces are not known, gives log-odds of 0. `table`
    and `stranger` are the log-likelihoods by the faces alone.
    """
    odds = np.zeros(len(evidence))
    shown = {number: face for number, one in enumerate(evidence) if (face := one.face) is not None}
    if pieces is None or not pieces.faces or not shown:
        return odds
    as_coin, rows = np.logaddexp.reduce(table, axis=1), list(shown)
    likely = np.exp(as_coin - np.logaddexp(as_coin, stranger))[rows]
    odds[rows] = colour_log_odds([*shown.values()], [*pieces.faces.values()], likely.tolist())
    return odds


def face_log_likelihoods(
    evidence: Sequence[FaceEvidence], pieces: PieceSet | None, names: Sequence[str]
) -> Matrix:
    """Return the log-likelihood of each coin's observed face under each name (coins, names)."""
    return _log_likelihoods(evidence, pieces, names)[0]


def shows_a_face(seen: FacePatch, pieces: PieceSet | None, names: Sequence[str]) -> bool:
    """Return whether a seen face is more likely one of the names' faces than none of them."""
    one = FaceEvidence()
    one.add(seen)
    table, stranger, other = _log_likelihoods([one], pieces, names, away=True)
    return bool(table[0].max() >= np.logaddexp(stranger, other)[0])


def _asked_first(
    by_kind: Matrix,
    stranger: Matrix,
    counts: Sequence[int],
    own: Sequence[int],
    ways: Sequence[Sequence[int]],
) -> tuple[Matrix, tuple[int, ...]]:
    """Return the probabilities of the kinds (`share_with_rules`), and which coins to ask about.

    `own` is the kind that each coin was given. The least certain coin is asked about first. If the
    answer confirms its kind, other coins may become certain, and those are not asked about.
    """
    shares = told = share_with_rules(by_kind, stranger, counts, ways)
    asked: list[int] = []
    rows = np.concatenate((by_kind, stranger[:, None]), axis=1)
    while True:
        sure = told[np.arange(len(own)), own]
        unsure = [i for i in range(len(own)) if i not in asked and sure[i] < SURE_NAME]
        if not unsure:
            return shares, tuple(sorted(asked))
        asked.append(min(unsure, key=lambda i: sure[i]))
        known = np.full(rows.shape[1], -np.inf)
        known[own[asked[-1]]] = 0.0
        rows[asked[-1]] = known
        told = share_with_rules(rows[:, :-1], rows[:, -1], counts, ways)


@lru_cache(maxsize=4)
def _known_faces(pieces: PieceSet | None) -> KnownFaces:
    """Return the faces to compare with: the set's own faces, or the common faces. Faces that no
    name of the match uses are included, because a coin that does not belong to the match may show
    them.
    """
    if pieces is not None and pieces.faces:
        return known_faces(list(pieces.faces.items()))
    return known_faces([(kind, face) for kind, faces in builtin_faces().items() for face in faces])


def _named(shares: Matrix, kinds: list[str], name: str | None) -> NamedCoin:
    """Return a coin with its name. `shares` are the probabilities of the kinds; the last one is the
    probability of none of them.
    """
    own = len(kinds) if name is None else kinds.index(face_of(name))
    labels: list[str | None] = [*kinds, None]
    others = sorted(
        (
            (labels[k], float(shares[k]))
            for k in range(len(labels))
            if k != own and shares[k] >= 1e-3
        ),
        key=lambda pair: -pair[1],
    )
    return NamedCoin(name, float(shares[own]), tuple(others))


def _doubted(
    evidence: Sequence[FaceEvidence], table: Matrix, stranger: Matrix, chosen: Sequence[int | None]
) -> Matrix:
    """Return the log-likelihoods (coins,) that a thing has none of the names, for as many things as
    names. A thing that is not plainly a coin may be something else, or it may be the coin whose
    name is left over, badly seen. So these log-likelihoods are set such that the player is asked
    about such a thing, unless its own face says which coin it is.
    """
    doubted = stranger.copy()
    left = [name for name in range(table.shape[1]) if name not in chosen]
    for number, (one, name) in enumerate(zip(evidence, chosen, strict=True)):
        if one.plainly_a_coin:
            continue
        if name is None:
            doubted[number] = min(stranger[number], table[number, left].max())
        else:
            # the same without `MISLED`, the small prior that a stranger lies instead of a coin
            by_itself = stranger[number] - math.log(MISLED)
            doubted[number] = max(stranger[number], min(by_itself, table[number, name]))
    return doubted


def _best_assignment(table: Matrix, stranger: Matrix) -> list[int | None]:
    """Return the most likely assignment: for each coin the index of its name, or None if no name
    fits it.
    """
    coins, names = table.shape
    costs = -np.concatenate((table, np.repeat(stranger[:, None], coins, axis=1)), axis=1)
    chosen: list[int | None] = [None] * coins
    for coin, name in zip(*linear_sum_assignment(costs), strict=True):
        chosen[int(coin)] = int(name) if name < names else None
    return chosen


def _log_likelihoods(
    evidence: Sequence[FaceEvidence],
    pieces: PieceSet | None,
    names: Sequence[str],
    *,
    away: bool = False,
) -> tuple[Matrix, Matrix, Matrix]:
    """Return three arrays: the log-likelihood of each coin's observed face under each name (coins,
    names), that of a face that the set does not have (coins,), and that of a face of the set that
    none of the names has (coins,). The last two include their priors.
    """
    table = np.zeros((len(evidence), len(names)))
    stranger, other = (np.full(len(evidence), math.log(MISTAKEN)), np.full(len(evidence), -np.inf))
    wanted = {face_of(name) for name in names}
    rare = MISLED if len(evidence) == len(names) and not away else 1.0
    for number, one in enumerate(evidence):
        seen = one.face
        if seen is None:
            continue
        fits = _fits(seen, pieces)
        table[number] = [fits.get(face_of(name), fits[None]) for name in names]
        others = [fit for kind, fit in fits.items() if kind is not None and kind not in wanted]
        prior = math.log(rare * MISTAKEN)
        stranger[number] = prior + fits[None]
        other[number] = np.logaddexp.reduce([-np.inf, *(prior + fit for fit in others)])
    return table, stranger, other


def _fits(seen: FacePatch, pieces: PieceSet | None) -> dict[str | None, float]:
    """Return the log-likelihood of an observed face under each known face. Under the key None is
    its log-likelihood if the face is not a known one.
    """
    known = _known_faces(pieces)
    odds = face_log_odds(seen, known)
    if pieces is None or not pieces.faces:
        odds *= _COMMON_SHARE
    else:
        odds = np.logaddexp(odds, math.log(_TEMPLATE_PRIOR) + _template_log_odds(seen, pieces))
    fits: dict[str | None, float] = {None: 0.0}
    for kind in dict.fromkeys(known.names):  # several drawings of a face are equally likely
        own = odds[[name == kind for name in known.names]]
        fits[kind] = float(np.logaddexp.reduce(own)) - math.log(len(own))
    return fits


def _template_log_odds(seen: FacePatch, pieces: PieceSet) -> NDArray[np.float64]:
    """Return the natural logarithm of the likelihood ratio (faces,), by template match, of each
    face of the set to no face of the set. The densities are Gaussian, with the unknown variance
    integrated out.
    """
    rings = rings_of(ink(seen), centres())
    unlike = 2 * _FLOOR + _STRANGER_SHARE * float(rings.power[len(rings.power) // 2])
    left = [
        misfit(rings, rings_of(blurred_like(ink(face), face.seen_px, seen.seen_px)))[0]
        for face in pieces.faces.values()
    ]
    return np.asarray(0.5 * _PLACES * np.log(unlike / (np.array(left) + _FLOOR)))

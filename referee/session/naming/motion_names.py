"""Decides from their motion whether two coins got each other's names in a flick.

The tracker gives each disc to a coin as soon as it sees the disc. If a coin hits another one out of
sight, the tracker may give the nearer disc to the wrong coin: after a full hit, the striker stays
near where the other coin lay. So when the flick is over, paths are fitted for both ways to name the
two coins. The two costs, together with the faces that the coins show at rest, give the
probabilities of the two ways.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from referee.detectors.identity_switch import Heirs, cheapest_switch_s
from referee.domain.episode import CoinTrack, Episode
from referee.domain.geometry import Point, dot, subtract
from referee.domain.incident import LIKELIER, SURE
from referee.domain.pieces import face_of
from referee.domain.sighting import TELLING_SIGHTINGS
from referee.session.naming.coin_naming import switched
from referee.tracking.identity.prediction import through
from referee.tracking.trajectory.hypotheses.prices import HARDLY_EVER
from referee.tracking.trajectory.hypotheses.scene import displaced
from referee.tracking.trajectory.smooth import cost_of, is_explained
from referee.vision.faces.exchange import Exchange

#: Chosen: if more coins moved, the fits of all pairs would take longer than players wait. In a
#: heap, all coins except one or two look alike.
MOST_MOVED: Final = 4
_SURE_LOG_ODDS: Final = math.log(SURE / (1 - SURE))
_LIKELIER_LOG_ODDS: Final = math.log(LIKELIER / (1 - LIKELIER))
#: By definition: shorter than any frame.
JUST_BEFORE_S: Final = 1e-4


@dataclass(frozen=True, slots=True)
class MotionExchange:
    """Two coins that perhaps got each other's names, and the episode with the names exchanged
    back.
    """

    exchange: Exchange
    mended: Episode


def exchange_by_motion(
    episode: Episode, shown: Callable[[Mapping[str, str]], float]
) -> MotionExchange | None:
    """Return the two coins that most probably got each other's names in an episode. None if fewer
    than two coins changed their places, or more than `MOST_MOVED`. Two coins that look alike are
    not compared, because an exchange of their names would change nothing. If slides and hits do not
    explain how the two moved even under the exchanged names, something else happened. Their motion
    then gives the exchange at most the probability `LIKELIER`. `shown` gives the log-odds (natural
    logarithm) that the faces at rest give an exchange.
    """
    moved = [track for track in episode.tracks if displaced(track)]
    if not 2 <= len(moved) <= MOST_MOVED:
        return None
    cost = cost_of(episode)
    found = []
    for one, other in combinations(moved, 2):
        if face_of(one.coin) == face_of(other.coin):
            continue
        names = {one.coin: other.coin, other.coin: one.coin}
        heirs = ((one, other), (other, one))
        for since_s in _instants(episode, heirs):
            mended = switched(episode, heirs, since_s)
            if any(_lay_elsewhere(track) for track in mended.tracks):
                continue
            own = [track for track in mended.tracks if track.coin in names]
            gain = cost + _through_price(episode, one, other)
            gain -= cost_of(mended) + _through_price(episode, *own)
            found.append((gain / 2, shown(names), names, mended))
    if not found:
        return None
    moved_log_odds, face_log_odds, names, mended = max(found, key=lambda one: one[0] + one[1])
    if moved_log_odds > _SURE_LOG_ODDS and not is_explained(mended, names):
        moved_log_odds = _LIKELIER_LOG_ODDS
    return MotionExchange(Exchange(names, _share(moved_log_odds + face_log_odds)), mended)


def _instants(episode: Episode, heirs: Heirs) -> set[float]:
    """Return the times at which two coins may have got each other's names: before either was seen
    moving, and the time at which the exchange needs the smallest jump.
    """
    seen_s = [track.sightings[0].t_s for track, _ in heirs if track.sightings]
    least_s = cheapest_switch_s(episode, heirs)
    return (
        {min(seen_s) - JUST_BEFORE_S, *([] if least_s is None else [least_s])} if seen_s else set()
    )


def _lay_elsewhere(track: CoinTrack) -> bool:
    """Return whether a coin was seen away from its place before it had left this place."""
    return (
        bool(track.sightings)
        and track.lay_until_s is not None
        and track.sightings[0].t_s < track.lay_until_s
    )


def _through_price(episode: Episode, one: CoinTrack, other: CoinTrack) -> float:
    """Return the cost of one coin having passed through the other coin: straight over its place and
    out on the far side. A coin that grazes the other, or drives it on, does not pass through it.
    """
    if one.before is None or other.before is None:
        return 0.0
    seen, lay = [_gone_to(one), _gone_to(other)], [one.before.at_mm, other.before.at_mm]
    if seen[0] is None or seen[1] is None:
        return 0.0
    if dot(subtract(lay[1], lay[0]), subtract(seen[1], seen[0])) >= 0.0:
        return 0.0
    reach_mm = episode.sizes.reach_mm(one.coin, other.coin)
    over = through(lay[0], seen[0], [lay[1]], reach_mm) or through(
        lay[1], seen[1], [lay[0]], reach_mm
    )
    return HARDLY_EVER if over else 0.0


def _gone_to(track: CoinTrack) -> Point | None:
    """Return where a coin was soon after it left its place; None if it was never seen again."""
    if track.sightings:
        return track.sightings[:TELLING_SIGHTINGS][-1].at_mm
    return None if track.after is None else track.after.at_mm


def _share(log_odds: float) -> float:
    """Return the probability of an explanation with these log-odds (natural logarithm)."""
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))

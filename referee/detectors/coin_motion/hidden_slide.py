"""When a coin began to slide that nobody saw on its way."""

from __future__ import annotations

from referee.domain.episode import Episode
from referee.domain.geometry import distance
from referee.domain.path import Path
from referee.domain.slide import USUAL_SLOWING_MM_S2, speed_over_mm, standing_after_s


def slid_from_s(episode: Episode, path: Path) -> float:
    """Estimate when a coin began to slide, of which only the places before and after are known.

    A hand often rests over a coin before it flicks it. So where parts of the coin were seen beside
    the hand, the time is counted back from when it was seen at its last place: by the time in which
    dry friction stops a coin over the straight way. It is not earlier than when the coin was still
    seen at its first place. Otherwise it is when the hand hid the coin.
    """
    within_s = episode.track_of(path.coin).moved_within_s
    lay_mm, lies_mm = path.rest_before_mm, path.rest_after_mm
    if within_s is None or lay_mm is None or lies_mm is None:
        return path.held[0].begin_s
    left_s, came_s = within_s
    speed_mm_s = speed_over_mm(distance(lay_mm, lies_mm), USUAL_SLOWING_MM_S2)
    return max(left_s, came_s - standing_after_s(speed_mm_s, USUAL_SLOWING_MM_S2))

"""Counts the coins whenever everything is still. A coin that should lie on the table, and that no
incident accounts for, is `unseen`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.detectors.chance import TICK_S
from referee.domain.episode import Episode
from referee.domain.incident import AtRest, Incident, LeftTable, Placed, Unseen


@dataclass(frozen=True, slots=True)
class CoinCount:
    """The coins that should lie on the table: those `seen` there when everything was last still,
    and those that were `never_seen` since the match began.
    """

    seen: frozenset[str]
    never_seen: frozenset[str]


def counted(
    episode: Episode, incidents: Sequence[Incident], before: CoinCount
) -> tuple[list[Incident], CoinCount]:
    """Return the incidents of an episode with an `unseen` for the coins that are missing, and the
    count after it.

    A coin that was lost is reported once. One that was never seen is reported for each episode,
    because nobody knows what it did.
    """
    rest = next((i for i in reversed(incidents) if isinstance(i, AtRest)), None)
    if rest is None:
        return list(incidents), before
    lying = frozenset(rest.coins)
    after = CoinCount(lying, before.never_seen - lying)
    missing = (before.seen | before.never_seen) - lying - _accounted_for(incidents)
    if not missing:
        return list(incidents), after
    begin_s, end_s = episode.frames[0].t_s, episode.frames[-1].t_s
    unseen = Unseen(
        pieces=tuple(sorted(missing)),
        from_s=round(begin_s, 4),
        to_s=round(end_s, 4),
        t_s=round((rest.t_s or end_s) - TICK_S, 6),
        frames=rest.frames,
    )
    place = list(incidents).index(rest)
    return [*incidents[:place], unseen, *incidents[place:]], after


def _accounted_for(incidents: Sequence[Incident]) -> set[str]:
    """Return the coins that left the table, were lifted off it, or are already reported."""
    coins = {coin for i in incidents if isinstance(i, Unseen) for coin in i.pieces}
    coins |= {i.coin for i in incidents if isinstance(i, LeftTable)}
    return coins | {i.coin for i in incidents if isinstance(i, Placed) and i.at_mm is None}

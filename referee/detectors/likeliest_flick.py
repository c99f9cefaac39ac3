"""Chooses the flick that is asked about when one hand may have flicked any of several coins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from msgspec.structs import replace

from referee.domain.episode import HAND_S
from referee.domain.incident import SURE, Flicked, Incident, Placed, Unseen
from referee.domain.path import Path
from referee.domain.pieces import STRIKER


def likeliest_flicks(incidents: Sequence[Incident], paths: Sequence[Path]) -> list[Incident]:
    """Return the incidents without the questionable flicks for which there is a likelier one, so
    that people are asked once about one hand. The other flick is so near in time that one hand
    cannot have done both, and an `unseen` names both coins: one may have set the other in motion.
    A flick in question begins as early as the earliest that it stands for. If a flick is left out,
    people are also not asked whether the same hand put that coin down.
    """
    slid = {path.coin for path in paths if path.runs}

    def rank(flick: Flicked) -> tuple[bool, float, bool, float]:
        """Return the lowest key for the likeliest. Rule: in Carroms only the striker is flicked."""
        likely = 1.0 if flick.probability is None else flick.probability
        return flick.coin != STRIKER, -likely, flick.coin not in slid, flick.t_s or 0.0

    unseen = [i for i in incidents if isinstance(i, Unseen)]

    def of_one_hand(one: Flicked, other: Flicked) -> Unseen | None:
        """Return what was unseen when one hand flicked one of two coins."""
        times_s = sorted((one.t_s or 0.0, other.t_s or 0.0))
        both = {one.coin, other.coin}
        near = times_s[1] - times_s[0] < HAND_S
        return next(
            (u for u in unseen if near and both <= {*u.pieces} and _during(u, *times_s)), None
        )

    kept, put_down = list[Flicked](), list[Placed]()
    for flick in sorted((i for i in incidents if isinstance(i, Flicked)), key=rank):
        sure = flick.probability is None or flick.probability > SURE
        pairs = ((k, of_one_hand(flick, other)) for k, other in enumerate(kept))
        k, hidden = next(((k, u) for k, u in pairs if u is not None), (0, None))
        if sure or hidden is None:
            kept.append(flick)
            continue
        put_down += [i for i in incidents if _instead_of(i, flick, hidden)]
        if (flick.t_s or 0.0) < (kept[k].t_s or 0.0) and (kept[k].probability or 1.0) <= SURE:
            # what its coin did belongs to the flick that is asked about
            kept[k] = replace(kept[k], t_s=flick.t_s, frames=flick.frames)
    others = (i for i in incidents if not isinstance(i, Flicked) and i not in put_down)
    return [*others, *kept]


def _during(unseen: Unseen, first_s: float, last_s: float) -> bool:
    """Return whether two times are within the unseen time, or less than `HAND_S` outside it."""
    return unseen.from_s - HAND_S < first_s and last_s < unseen.to_s + HAND_S


def _instead_of(incident: Incident, flick: Flicked, unseen: Unseen) -> TypeGuard[Placed]:
    """Return whether the incident says that the hand that perhaps flicked a coin put it down."""
    if not isinstance(incident, Placed) or incident.at_mm is None:
        return False
    sure = incident.probability is None or incident.probability > SURE
    times_s = sorted((incident.t_s or 0.0, flick.t_s or 0.0))
    return incident.coin == flick.coin and not sure and _during(unseen, *times_s)

"""Chooses the flick that is asked about when one hand may have flicked any of several coins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.domain.episode import HAND_S
from referee.domain.incident import SURE, Flicked, Incident, Placed, Unseen
from referee.domain.path import Path
from referee.domain.pieces import STRIKER


def likeliest_flicks(incidents: Sequence[Incident], paths: Sequence[Path]) -> list[Incident]:
    """Return the incidents without the questionable flicks for which there is a likelier one, so
    that people are asked once about one hand. The other flick is so near in time that one hand
    cannot have done both, and an `unseen` names both coins: one may have set the other in motion.
    A flick in question begins as early as the earliest that it stands for. People are not asked
    either whether a hand put a coin down instead of flicking it, if its flick is left out: the
    `unseen` says that nobody knows what moved it.
    """
    slid = {path.coin for path in paths if path.runs}

    def rank(flick: Flicked) -> tuple[bool, float, bool, float]:
        """Return the lowest key for the likeliest. Rule: in Carroms only the striker is flicked."""
        likely = 1.0 if flick.probability is None else flick.probability
        return flick.coin != STRIKER, -likely, flick.coin not in slid, flick.t_s or 0.0

    unseen = [i for i in incidents if isinstance(i, Unseen)]

    def of_one_hand(one: Flicked, other: Flicked) -> bool:
        times_s = sorted((one.t_s or 0.0, other.t_s or 0.0))
        return times_s[1] - times_s[0] < HAND_S and any(
            {one.coin, other.coin} <= {*u.pieces}
            and u.from_s - HAND_S < times_s[0]
            and times_s[1] < u.to_s + HAND_S
            for u in unseen
        )

    kept, left_out = list[Flicked](), list[Flicked]()
    for flick in sorted((i for i in incidents if isinstance(i, Flicked)), key=rank):
        sure = flick.probability is None or flick.probability > SURE
        k = next((k for k, other in enumerate(kept) if of_one_hand(flick, other)), None)
        if sure or k is None:
            kept.append(flick)
            continue
        left_out.append(flick)
        if (flick.t_s or 0.0) < (kept[k].t_s or 0.0) and (kept[k].probability or 1.0) <= SURE:
            # what its coin did belongs to the flick that is asked about
            kept[k] = replace(kept[k], t_s=flick.t_s, frames=flick.frames)

    def instead(incident: Incident) -> bool:
        """Return whether the incident is the other answer to a question that is not asked."""
        return isinstance(incident, Placed) and any(
            (incident.probability or 1.0) <= SURE
            and incident.coin == flick.coin
            and incident.coin in u.pieces
            and u.from_s - HAND_S < min(incident.t_s or 0.0, flick.t_s or 0.0)
            and max(incident.t_s or 0.0, flick.t_s or 0.0) < u.to_s + HAND_S
            for flick in left_out
            for u in unseen
        )

    others = (i for i in incidents if not isinstance(i, Flicked) and not instead(i))
    return [*others, *kept]

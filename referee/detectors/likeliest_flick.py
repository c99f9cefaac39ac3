"""Chooses the flick that is asked about when one hand may have flicked any of several coins."""

from __future__ import annotations

from collections.abc import Sequence

from referee.domain.episode import HAND_S
from referee.domain.incident import SURE, Flicked, Incident, Unseen
from referee.domain.path import Path
from referee.domain.pieces import STRIKER


def likeliest_flicks(incidents: Sequence[Incident], paths: Sequence[Path]) -> list[Incident]:
    """Return the incidents without the questionable flicks for which there is a likelier one, so
    that people are asked once about one hand. The other flick is so near in time that one hand
    cannot have done both, and an `unseen` names both coins: one may have set the other in motion.
    """
    unseen_way = {path.coin: not path.runs for path in paths}

    def rank(flick: Flicked) -> tuple[float, bool, bool, float]:
        """Rule: in Carroms, only the striker may be flicked."""
        likely = 1.0 if flick.probability is None else flick.probability
        return -likely, flick.coin != STRIKER, unseen_way[flick.coin], flick.t_s or 0.0

    flicked = [flick for flick in incidents if isinstance(flick, Flicked)]
    together = [set(i.pieces) for i in incidents if isinstance(i, Unseen)]

    def is_likeliest(flick: Flicked) -> bool:
        return (flick.probability or 1.0) > SURE or not any(
            rank(other) < rank(flick)
            and abs((other.t_s or 0.0) - (flick.t_s or 0.0)) < HAND_S
            and any({other.coin, flick.coin} <= coins for coins in together)
            for other in flicked
        )

    return [i for i in incidents if not isinstance(i, Flicked) or is_likeliest(i)]

"""`contact` with a stack that a coin's path does not contain, although an explanation with it is
nearly as likely as the path.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.domain.episode import Episode, frames_about
from referee.domain.incident import Contact, as_written, worth_saying
from referee.domain.path import Path


def possible_contacts(
    episode: Episode, paths: tuple[Path, ...], found: Iterable[Contact]
) -> list[Contact]:
    """Return the possible contacts with endposts and towers besides those that were `found`. Costs
    that differ by d have odds of exp(d / 2).
    """
    told = {(contact.coin, contact.with_) for contact in found}
    return [
        Contact(
            coin=path.coin,
            with_=hit.with_,
            t_s=hit.t_s,
            probability=as_written(chance),
            frames=frames_about(episode, hit.t_s),
        )
        for path in paths
        for hit in path.possible_hits
        if hit.with_ in episode.course_before.posts and (path.coin, hit.with_) not in told
        if worth_saying(chance := 1.0 / (1.0 + math.exp(0.5 * hit.extra_cost)))
    ]

"""Pairs things with one another, the closest first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from operator import itemgetter
from typing import TypeVar

One = TypeVar("One", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


def closest_first(candidates: Iterable[tuple[float, One, Other]]) -> dict[One, Other]:
    """Return pairs, given as a dictionary from the one to the other. `candidates` are distances,
    each with the two things that are so far apart. The closest are paired first, and nothing is in
    two pairs.
    """
    pairs: dict[One, Other] = {}
    taken = set[Other]()
    for _, one, other in sorted(candidates, key=itemgetter(0)):
        if one not in pairs and other not in taken:
            pairs[one] = other
            taken.add(other)
    return pairs

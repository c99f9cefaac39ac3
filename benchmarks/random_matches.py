"""Draws random matches of every game, using the random play of the tests."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from rich.console import Console
from rich.progress import track

from tests.games.random_records import RECORDS

#: Records drawn from one seed. Later seeds add to these.
DRAWN_A_SEED: Final = 500

Matches = SearchStrategy[list[dict[str, Any]]]


def random_matches(number: int) -> Iterator[tuple[str, str]]:
    """Yield `number` matches, each with its name and its record, one of each kind of play in turn.

    The same code and the same version of hypothesis draw the same matches again.
    """
    each = number // len(RECORDS)
    kinds = track(RECORDS.items(), "Drawing records", console=Console(stderr=True))
    texts = {kind: drawn(matches, each) for kind, matches in kinds}
    for place, kind in itertools.product(range(each), texts):
        yield f"random/{kind}/{place:04d}", texts[kind][place]


def drawn(matches: Matches, number: int) -> list[str]:
    """Return `number` different records."""
    found: dict[str, None] = {}
    for first in itertools.count():
        draw_into(found, matches, first)
        if len(found) >= number:
            break
    return list(found)[:number]


def draw_into(found: dict[str, None], matches: Matches, number: int) -> None:
    """Add the records that one seed gives."""

    @seed(number)
    @settings(
        max_examples=DRAWN_A_SEED,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(matches)
    def take(lines: list[dict[str, Any]]) -> None:
        found["".join(json.dumps(line) + "\n" for line in lines)] = None

    take()

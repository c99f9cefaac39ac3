"""A ruling replays only what it changes. The rest of the earlier replay is kept, and equals a
complete replay.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.domain.entry import Ruling
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, fold

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
GAMES = sorted(path.name for path in MATCHES.iterdir() if path.is_dir())


def told(folded: Fold) -> tuple[Any, ...]:
    """Return everything that a fold shows, and how its steps are framed."""
    found = summary(folded)
    framing = [(step.item.id, step.flick_from) for step in folded.steps]
    return (
        found.calls,
        found.questions,
        found.irregularities,
        found.turn,
        found.standings,
        found.status,
        framing,
    )


@pytest.mark.parametrize("game", GAMES)
def test_it_comes_to_what_playing_all_anew_comes_to(game: str) -> None:
    for path in sorted((MATCHES / game).glob("*.jsonl")):
        folded = fold(read_record(path))
        for number, on in enumerate(
            [str(entry.id) for entry in folded.entries if not isinstance(entry, Ruling)][:3]
        ):
            for ruling in (
                Ruling(id=f"zz{number}", on=on, verdict="overturned"),
                Ruling(id=f"yy{number}", on=f"zz{number}", verdict="overturned"),
            ):
                folded.push(ruling)
                anew = folded.copy()
                anew.replay()
                assert told(folded) == told(anew), f"{path.name}: {ruling.id} on {ruling.on}"


@pytest.mark.parametrize("game", GAMES)
def test_what_comes_behind_holds_where_nothing_changes(game: str) -> None:
    """A first incident that nobody doubted is upheld. The steps after it are then the very same
    objects.
    """
    held = 0
    for path in sorted((MATCHES / game).glob("*.jsonl")):
        folded = fold(read_record(path))
        if (
            any(isinstance(entry, Ruling) for entry in folded.entries)
            or len(folded.steps) < 4
            or folded.question is not None
        ):
            continue
        last = folded.steps[-1]
        folded.push(Ruling(id="zz", on=str(folded.entries[0].id), verdict="upheld"))
        held += folded.steps[-2] is last
    assert held > 5

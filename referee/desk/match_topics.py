"""Builds the topics that show how a match stands and how to rule on its record."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from referee.desk.page_topics.game_topics import StandingTopic
from referee.desk.page_topics.topics import RecordTopic
from referee.domain.call import Irregularity
from referee.domain.declaration import PiecepackCroquet, Shot
from referee.domain.entry import Ruling
from referee.replay.adjudication import Adjudication
from referee.replay.fold import Fold


def standing_topic(adjudication: Adjudication) -> StandingTopic:
    """Return the `standing` topic. Raises ValidationError for a field that the game's topic does
    not declare.
    """
    values = {
        name: getattr(adjudication, name)
        for name in ("game", "status", "winner", "questions", "turn", "standings")
    }
    return msgspec.convert(  # type: ignore[no-any-return]
        values, StandingTopic, from_attributes=True
    )


def record_topic(path: Path, folded: Fold) -> RecordTopic:
    """Return the `record` topic: how to type a ruling on the record in a command line, and how many
    entries the record has.
    """
    last = next(
        (entry.id for entry in reversed(folded.entries) if not isinstance(entry, Ruling)), "setup"
    )
    turn = folded.game.turn(folded.state)
    waits = turn.get("expects") == "disaster" or turn.get("roll") in ("shot", "croquet")
    return RecordTopic(
        program=program(),
        typed=typed(str(path.absolute())),
        last=str(last),
        entries=len(folded.entries),
        announced=_announced(folded) if waits else None,
    )


def _announced(folded: Fold) -> Shot | PiecepackCroquet | None:
    for step in reversed(folded.steps):
        entry = step.item.entry
        if (
            isinstance(entry, Shot | PiecepackCroquet)
            and step.item.counts
            and not any(isinstance(verdict, Irregularity) for verdict in step.verdicts)
        ):
            return msgspec.structs.replace(entry, id=None, t_s=None, player=None)
    return None


def program() -> str:
    """Return how to call this program in a command line: by its name if the shell finds it,
    otherwise by its path.
    """
    if shutil.which("referee") is not None:
        return "referee"
    beside = Path(sys.executable).with_name("referee.exe" if sys.platform == "win32" else "referee")
    return typed(str(beside)) if beside.exists() else f"{typed(sys.executable)} -m referee"


def typed(word: str) -> str:
    """Return a word, quoted as it must be typed in a command line on this system."""
    return subprocess.list2cmdline([word]) if sys.platform == "win32" else shlex.quote(word)

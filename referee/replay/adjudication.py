"""The result of replaying a record: standings, whose turn it is, calls, questions and
irregularities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.domain.call import Call, Irregularity, Question, plain
from referee.domain.entry import Entry
from referee.domain.errors import InputError
from referee.domain.incident import Incident
from referee.replay.challenges import Challenges, count_challenges
from referee.replay.fold import Fold, extend, fold, with_provisional
from referee.replay.playing.verdict_log import VerdictLog
from referee.replay.rulings.items import Step


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The state of a match, read from its record, as plain values of the record format.

    `status` is `in_progress`, `won` or `question`.
    """

    game: str
    status: str
    turn: dict[str, Any]
    winner: str | list[str] | None
    standings: list[dict[str, Any]]
    calls: tuple[Call, ...]
    questions: tuple[Question, ...]
    irregularities: tuple[Irregularity, ...]

    def as_json(self) -> dict[str, Any]:
        """Return what `referee adjudicate --json` prints, as plain values."""
        return {
            "game": self.game,
            "status": self.status,
            "turn": self.turn,
            "winner": self.winner,
            "standings": self.standings,
            "calls": [plain(call) for call in self.calls],
            "questions": [plain(question) for question in self.questions],
            "irregularities": [plain(odd) for odd in self.irregularities],
        }


def adjudicate(entries: Sequence[Entry], at: str | None = None) -> Adjudication:
    """Return the state of the match that a record describes. The setup comes first.

    `at` asks for the state right after that entry, with all rulings of the record applied. Raises
    InputError if the rules of the game are not known, or if `at` is not an entry of the record.
    """
    return summary(fold(entries), at)


def peek(folded: Fold, provisional: Sequence[Incident]) -> Adjudication:
    """Return the state the match would have after incidents that are not recorded yet.

    Incidents without an id are called `~1`, `~2` and so on.
    """
    return summary(with_provisional(folded, provisional))


def summary(folded: Fold, at: str | None = None) -> Adjudication:
    """Return the adjudication of a replayed record. Raises InputError if `at` is not an entry of
    the record.
    """
    steps, question = _up_to(folded, at)
    state = steps[-1].state if steps else folded.begun
    challenges = count_challenges(folded, len(steps))
    log = folded.verdict_log if steps is folded.steps else VerdictLog().catch_up(steps)
    game = folded.game
    questions = (question,) if question is not None else tuple(game.open_questions(state))
    return Adjudication(
        game=folded.setup.game,
        status=(
            "question" if question is not None else "won" if game.is_over(state) else "in_progress"
        ),
        turn=game.turn(state) | _restore(steps),
        winner=game.winner(state),
        standings=[
            {**row, **challenges.left_of(str(row["player"]))} for row in game.standings(state)
        ],
        calls=(*(call for call in folded.opening if isinstance(call, Call)), *log.calls),
        questions=questions,
        irregularities=(
            _irregularities(steps, challenges) if challenges.refused else tuple(log.odd)
        ),
    )


def _up_to(folded: Fold, at: str | None) -> tuple[list[Step], Question | None]:
    if at is None:
        return folded.steps, folded.question
    if at == "setup":
        return [], None
    for place, step in enumerate(folded.steps):
        if step.item.id == at and not (folded.question is not None and folded.question.on == at):
            return folded.steps[: place + 1], None
    if not folded.has(at):
        raise InputError(f"--at: there is no entry {at!r} in this record")
    return folded.steps, folded.question


def _restore(steps: Sequence[Step]) -> dict[str, Any]:
    restore = steps[-1].restore if steps else ()
    return (
        {
            "restore": {
                coin: None if at_mm is None else [round(at_mm[0], 2), round(at_mm[1], 2)]
                for coin, at_mm in restore
            }
        }
        if restore
        else {}
    )


def _irregularities(steps: Sequence[Step], challenges: Challenges) -> tuple[Irregularity, ...]:
    found: list[Irregularity] = []
    for step in steps:
        found += (verdict for verdict in step.verdicts if isinstance(verdict, Irregularity))
        found += challenges.refused.get(step.item.id, ())
    return tuple(found)


__all__ = ["Adjudication", "Fold", "adjudicate", "extend", "fold", "peek", "summary"]

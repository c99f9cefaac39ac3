"""Checks a player's answer to a question before the referee gets to see it."""

from __future__ import annotations

from typing import Any

from referee.desk.messages import QuestionAnswer


def wrong_with_answer(standing: Any, answer: QuestionAnswer) -> str | None:
    """What is wrong with `answer` to a question of the `standing` topic's value; None when nothing
    is.
    """
    for asked in (standing or {}).get("questions", ()):
        if answer.verdict in asked["answers"] and _about(asked, answer):
            return None
    return "That is not asked at the moment."


def _about(asked: dict[str, Any], answer: QuestionAnswer) -> bool:
    """Whether the answer is about this question, with all that it needs and nothing else."""
    if answer.verdict == "before":
        both = {answer.on, answer.other} == {asked["on"], asked.get("other")}
        return both and answer.coin is None
    return (
        bool(answer.on == asked["on"])
        and answer.other is None
        and (answer.coin is not None) == (answer.verdict == "replaced")
    )

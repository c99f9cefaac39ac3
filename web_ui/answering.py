"""What the rules ask: what a player's answer must be like before the referee gets to see it."""

from __future__ import annotations

from typing import Any

#: Answers that need nothing but themselves; `replaced` and what is declared need more than a button.
PLAIN = ("upheld", "overturned", "before")


def wrong_with_answer(standing: Any, answer: Any) -> str | None:
    """What is wrong with `answer` to a question of the `standing` topic's value; None when nothing is.

    `answer` must be `{on, verdict}`, with the verdict one of the question's answers; of `before`, `{on, verdict, other}` with the two
    incidents asked about in the order they came in.
    """
    if not isinstance(answer, dict) or not {"on", "verdict"} <= set(answer) <= {"on", "verdict", "other"}:
        return "The answer must have on and verdict, and other where the order is asked about."
    if not all(isinstance(value, str) for value in answer.values()):
        return "The answer must hold texts."
    for asked in (standing or {}).get("questions", ()):
        if answer["verdict"] in PLAIN and answer["verdict"] in asked["answers"] and _about(asked, answer):
            return None
    return "That is not asked at the moment."


def _about(asked: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether the answer is about this question."""
    if answer["verdict"] == "before":
        return {answer["on"], answer.get("other")} == {asked["on"], asked.get("other")}
    return bool(answer["on"] == asked["on"]) and "other" not in answer

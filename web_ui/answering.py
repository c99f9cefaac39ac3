"""What the rules ask: what a player's answer must be like before the referee gets to see it."""

from __future__ import annotations

from typing import Any

#: Answers that a button, or the choice of a coin, can give.
GIVEN = ("upheld", "overturned", "before", "replaced", "rover", "leave")
NEEDED, MORE = {"on", "verdict"}, {"other", "coin", "by"}
LONGEST = 200


def wrong_with_answer(standing: Any, answer: Any) -> str | None:
    """What is wrong with `answer` to a question of the `standing` topic's value; None when nothing
    is.

    `answer` must be `{on, verdict}`, with the verdict one of the question's answers; of `before`
    also `other`, the two incidents asked about in the order they came in, and of `replaced` also
    `coin`, the one that was flicked. `by` says who decides.
    """
    if (
        not isinstance(answer, dict)
        or not set(answer) >= NEEDED
        or not set(answer) <= NEEDED | MORE
    ):
        return "The answer must have on and verdict, and other where the order is asked about."
    if not all(isinstance(value, str) and len(value) <= LONGEST for value in answer.values()):
        return "The answer must hold texts."
    for asked in (standing or {}).get("questions", ()):
        if (
            answer["verdict"] in GIVEN
            and answer["verdict"] in asked["answers"]
            and _about(asked, answer)
        ):
            return None
    return "That is not asked at the moment."


def _about(asked: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether the answer is about this question, with all that it needs and nothing else."""
    if answer["verdict"] == "before":
        return "coin" not in answer and {answer["on"], answer.get("other")} == {
            asked["on"],
            asked.get("other"),
        }
    return (
        bool(answer["on"] == asked["on"])
        and "other" not in answer
        and ("coin" in answer) == (answer["verdict"] == "replaced")
    )

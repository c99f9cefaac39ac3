"""Checks a player's answer to a question of the rules before the referee gets it."""

from __future__ import annotations

from typing import Any

from referee.desk.messages import QuestionAnswer


def wrong_with_answer(standing: Any, answer: QuestionAnswer) -> str | None:
    """Return what is wrong with `answer` to a question in the `standing` topic's value; None when
    nothing is.

    `answer` must be `{on, verdict}`, where the verdict is one of the question's answers. With
    `before` it also needs `other`: `on` and `other` are the two incidents in the order in which
    they happened. With `replaced` it also needs `coin`, the coin that was really flicked. `by` says
    who decides.
    """
    for asked in (standing or {}).get("questions", ()):
        if answer.verdict in asked["answers"] and _about(asked, answer):
            return None
    return "There is no such question at the moment."


def _about(asked: dict[str, Any], answer: QuestionAnswer) -> bool:
    """Return whether the answer is about this question and has all the fields that it needs and no
    others.
    """
    if answer.verdict == "before":
        both = {answer.on, answer.other} == {asked["on"], asked.get("other")}
        return both and answer.coin is None
    return (
        bool(answer.on == asked["on"])
        and answer.other is None
        and (answer.coin is not None) == (answer.verdict == "replaced")
    )

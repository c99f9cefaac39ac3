"""A player's answer to a question of the dashboard, as the ruling that goes into the record."""

from __future__ import annotations

from collections.abc import Iterable

from referee.call import Question
from referee.entry import Ruling

#: A ruling's reason, where a question was answered on the page.
SAID_ON_PAGE = "answered on the dashboard"


def ruling_on(questions: Iterable[Question], answer: object) -> Ruling | None:
    """The ruling by which `answer` settles one of the open questions; None when it settles none of them."""
    if not isinstance(answer, dict):
        return None
    on, verdict, other = (answer.get(key) for key in ("on", "verdict", "other"))
    for asked in questions:
        if verdict == "before" and "before" in asked.answers and {on, other} == {asked.on, asked.other}:
            return Ruling(on=on, verdict="before", other=other, reason=SAID_ON_PAGE)
        if verdict in ("upheld", "overturned") and verdict in asked.answers and on == asked.on:
            return Ruling(on=on, verdict=verdict, reason=SAID_ON_PAGE)
    return None

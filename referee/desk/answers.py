"""Turns a player's answer to a question of the dashboard into an entry for the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from referee.domain.call import Question
from referee.domain.declaration import Leave, Rover
from referee.domain.entry import Ruling
from referee.domain.incident import Flicked

#: A ruling's reason, where a question was answered on the page.
SAID_ON_PAGE = "answered on the dashboard"

DECLARED: dict[str, type[Rover] | type[Leave]] = {"rover": Rover, "leave": Leave}


def ruling_on(questions: Iterable[Question], answer: object) -> Ruling | None:
    """Return the ruling by which `answer` settles one of the open questions; None when it settles
    none of them.
    """
    if not isinstance(answer, dict):
        return None
    on, verdict, other, by = (answer.get(key) for key in ("on", "verdict", "other", "by"))
    for asked in questions:
        if (
            verdict == "before"
            and "before" in asked.answers
            and {on, other} == {asked.on, asked.other}
        ):
            return Ruling(on=on, verdict="before", other=other, by=by or None, reason=SAID_ON_PAGE)
        if verdict in ("upheld", "overturned") and verdict in asked.answers and on == asked.on:
            return Ruling(on=on, verdict=verdict, by=by or None, reason=SAID_ON_PAGE)
    return None


def reply_to(
    questions: Sequence[Question], answer: object, entries: Iterable[Any]
) -> Ruling | Rover | Leave | None:
    """Like `ruling_on`; also what is answered by declaring (`rover`, `leave`) or by naming the coin
    that was flicked (`replaced`, with `coin`).

    `entries` are those of the record, each with its id.
    """
    if not isinstance(answer, dict):
        return None
    on, verdict, coin, by = (answer.get(key) for key in ("on", "verdict", "coin", "by"))
    asked = next(
        (question for question in questions if question.on == on and verdict in question.answers),
        None,
    )
    if asked is not None and verdict in DECLARED and asked.coin is not None:
        return DECLARED[verdict](coin=asked.coin, player=asked.player)
    if (
        asked is not None
        and verdict == "replaced"
        and asked.what == "wrong_flick"
        and coin is not None
    ):
        flicked = next(
            (entry for entry in entries if isinstance(entry, Flicked) and entry.id == on), None
        )
        meant = None if flicked is None else msgspec.structs.replace(flicked, coin=coin, id=None)
        return (
            None
            if meant is None
            else Ruling(
                on=on, verdict="replaced", replacement=meant, by=by or None, reason=SAID_ON_PAGE
            )
        )
    return ruling_on(questions, answer)

"""Turns a player's answer to a question of the dashboard into an entry for the record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from referee.desk.messages import QuestionAnswer
from referee.domain.call import Question
from referee.domain.declaration import Leave, Rover
from referee.domain.entry import Ruling
from referee.domain.incident import Flicked

#: The reason of a ruling that answers a question on the page.
SAID_ON_PAGE: Final = "answered on the dashboard"

DECLARED: Final[dict[str, type[Rover] | type[Leave]]] = {"rover": Rover, "leave": Leave}


def reply_to(
    questions: Iterable[Question], answer: QuestionAnswer, entries: Iterable[object]
) -> Ruling | Rover | Leave | None:
    """Return the entry to record for a player's answer; None if the answer belongs to no open
    question.

    The entry is a ruling, or the declaration that was asked for (`rover`, `leave`). `entries` are
    the entries of the record, each with its id.
    """
    asked = next((one for one in questions if _is_about(answer, one)), None)
    if asked is None:
        return None
    match answer.verdict:
        case "rover" | "leave" as declared:
            coin, player = asked.coin, asked.player
            return None if coin is None else DECLARED[declared](coin=coin, player=player)
        case "replaced":
            return _other_coin(asked, answer, entries)
        case verdict:
            return _ruling(answer, verdict)


def _is_about(answer: QuestionAnswer, asked: Question) -> bool:
    if answer.verdict not in asked.answers:
        return False
    if answer.verdict == "before":
        return {answer.on, answer.other} == {asked.on, asked.other}
    return answer.on == asked.on


def _other_coin(
    asked: Question, answer: QuestionAnswer, entries: Iterable[object]
) -> Ruling | None:
    """Return the ruling that another coin was flicked. Which coins it touched is not known, with
    one exception: if the coin that seemed to be flicked touched it, it touched that coin.
    """
    if answer.coin is None:
        return None
    for entry in entries:
        if isinstance(entry, Flicked) and entry.id == answer.on:
            touching = (entry.coin,) if answer.coin in entry.touching else ()
            meant = msgspec.structs.replace(
                entry, coin=answer.coin, touching=touching, id=None, probability=None
            )
            return _ruling(answer, "replaced", meant)
    return None


def _ruling(
    answer: QuestionAnswer,
    verdict: Literal["upheld", "overturned", "before", "replaced"],
    replacement: Flicked | None = None,
) -> Ruling:
    return Ruling(
        on=answer.on,
        verdict=verdict,
        other=answer.other,
        replacement=replacement,
        by=answer.by or None,
        reason=SAID_ON_PAGE,
    )

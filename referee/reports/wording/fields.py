"""The words for the fields of standings and turns, and for their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.reports.wording.expected import Said, place, roll_in_words
from referee.reports.wording.values import in_words

#: Fields of a standing with words of their own. In all others, underscores become spaces.
STANDING: Final = {
    "progress": "steps done",
    "next": "next step",
    "at": "stands on",
    "inside": "knight inside",
    "waiting": "knight waits",
    "direction": "way through",
    "struck": "already struck",
    "pocketed": "coins down",
    "left": "coins left",
    "black_live": "black is live",
    "hoops": "hoops run",
    "special_shots": "special shots left",
}
TURN: Final = {
    "player": "whose turn",
    "coin": "coin in turn",
    "pawn": "ball in turn",
    "expects": "expected next",
    "roll": "to be rolled",
    "restore": "to be put back",
}
MATCH: Final = {"status": "it is"}
#: For a knight or its guard, where no column beside the field says which it is.
ALONE: Final = {"prisoner_of": "knight prisoner of", "on_duty": "guard on duty"}
#: What is expected next.
EXPECTED: Final = {
    "flick": "a flick",
    "rest": "everything at rest",
    "place": "a coin or ball to be placed",
    "lift": "a coin to be lifted off",
    "restore": "a tile to be put back",
    "answer": "a rover's choice",
    "roll": "a roll",
    "shot": "a shot",
    "continuation": "the continuation shot",
    "croquet": "the croquet",
    "move": "a move",
    "choice": "a choice",
    "disaster": "the opponent's decision about the disaster",
}
STATUS: Final = {"in_progress": "being played", "question": "waiting for an answer"}
#: The places that are written without a hyphen.
PLACES: Final = (
    "wicket-",
    "hoop-",
    "gate-",
    "door-",
    "tower-",
    "left-endpost",
    "right-endpost",
    "start-stake",
    "turning-stake",
)


def standing_field(field: str) -> str:
    """Return the words for a field of a standing.

    >>> standing_field("progress"), standing_field("dead_on")
    ('steps done', 'dead on')
    """
    return STANDING.get(field, field.replace("_", " "))


def standing_value(field: str, value: Any) -> str:
    """Return the value of a field of a standing in words; empty if it has none.

    >>> standing_value("next", "left-endpost"), standing_value("state", "not_entered")
    ('left endpost', 'not entered')
    >>> standing_value("dead_on", [])
    ''
    """
    if value is None or value == []:
        return ""
    if field == "next":
        return place_in_words(str(value))
    return in_words(value).replace("_", " ") if field == "state" else in_words(value)


def place_in_words(name: str) -> str:
    """Return the words for a place of a course.

    >>> place_in_words("wicket-3"), place_in_words("gate-suns"), place_in_words("peg")
    ('wicket 3', 'gate of suns', 'peg')
    """
    kind, _, of = name.partition("-")
    if not name.startswith(PLACES):
        return name
    return f"{kind} of {of}" if kind in ("gate", "door", "tower") else f"{kind} {of}"


def changed_field(of: str, field: str) -> str:
    """Return the words for a field in which two replays of a match differ. `of` says whether the
    field belongs to the match, the turn or a standing.
    """
    if of == "standing":
        return "name" if field == "player" else ALONE.get(field) or standing_field(field)
    return (TURN if of == "turn" else MATCH).get(field, field.replace("_", " "))


def changed_value(of: str, field: str, value: Any, said: Said = str) -> str:
    """Return a value in which two replays of a match differ, in words. `said` returns the words for
    a piece.

    >>> changed_value("turn", "expects", "rest"), changed_value("match", "winner", None)
    ('everything at rest', 'nobody')
    >>> changed_value("turn", "restore", {"suns": [300.0, -40.0], "2": None})
    'suns at (300, -40), 2 taken off'
    >>> changed_value("standing", "struck", ["suns"], lambda coin: "Ben's knight")
    "Ben's knight"
    """
    if value and field in PIECES:
        value = (
            {said(piece): at for piece, at in value.items()}
            if field == "restore"
            else said(value)
            if isinstance(value, str)
            else list(map(said, value))
        )
    if of == "standing":
        return standing_value(field, value) or "nothing"
    if value is not None and (of, field) in VALUES:
        return VALUES[of, field](value)
    return "nobody" if field == "winner" and not value else in_words(value)


def _restore(value: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{piece} taken off" if at is None else f"{piece} at {place(at)}"
        for piece, at in value.items()
    )


#: The fields whose values name pieces: one piece, a list of pieces, or places by piece.
PIECES: Final = ("coin", "restore", "struck")
VALUES: Final[dict[tuple[str, str], Callable[[Any], str]]] = {
    ("turn", "expects"): lambda value: EXPECTED.get(value, value),
    ("turn", "roll"): roll_in_words,
    ("turn", "restore"): _restore,
    ("match", "status"): lambda value: STATUS.get(value, value),
}

"""The fields of standings and turns as players call them, and their values in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.reports.wording.expected import Said, place, roll_in_words
from referee.reports.wording.values import in_words

#: Fields of a standing that are said in other words than their names; the rest loses its
#: underscores.
STANDING = {
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
TURN = {
    "player": "whose turn",
    "coin": "coin in turn",
    "pawn": "ball in turn",
    "expects": "expected next",
    "roll": "to be rolled",
    "restore": "to be put back",
}
MATCH = {"status": "it is"}
#: Of a knight or its guard, where no column beside it tells that.
ALONE = {"prisoner_of": "knight prisoner of", "on_duty": "guard on duty"}
#: What is expected next.
EXPECTED = {
    "flick": "a flick",
    "rest": "that all is still",
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
    "disaster": "what the opponent makes of the disaster",
}
STATUS = {"in_progress": "being played", "question": "waiting for an answer"}
#: What comes in several, or with a name, and is said without a hyphen.
PLACES = (
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
    """A field of a standing.

    >>> standing_field("progress"), standing_field("dead_on")
    ('steps done', 'dead on')
    """
    return STANDING.get(field, field.replace("_", " "))


def standing_value(field: str, value: Any) -> str:
    """The value of a field of a standing; nothing where there is none.

    >>> standing_value("next", "left-endpost"), standing_value("state", "not_entered"),
    standing_value("dead_on", []) ('left endpost', 'not entered', '')
    """
    if value is None or value == []:
        return ""
    if field == "next":
        return place_in_words(str(value))
    return in_words(value).replace("_", " ") if field == "state" else in_words(value)


def place_in_words(name: str) -> str:
    """A place of a course.

    >>> place_in_words("wicket-3"), place_in_words("gate-suns"), place_in_words("peg")
    ('wicket 3', 'gate of suns', 'peg')
    """
    kind, _, of = name.partition("-")
    if not name.startswith(PLACES):
        return name
    return f"{kind} of {of}" if kind in ("gate", "door", "tower") else f"{kind} {of}"


def changed_field(of: str, field: str) -> str:
    """A field that two readings of a match differ in: of the match, its turn or a standing."""
    if of == "standing":
        return "name" if field == "player" else ALONE.get(field) or standing_field(field)
    return (TURN if of == "turn" else MATCH).get(field, field.replace("_", " "))


def changed_value(of: str, field: str, value: Any, said: Said = str) -> str:
    """A value that two readings of a match differ in; `said` gives a piece in words.

    >>> changed_value("turn", "expects", "rest"), changed_value("match", "winner", None),
    changed_value("standing", "at", None) ('that all is still', 'nobody', 'nothing') >>>
    changed_value("turn", "restore", {"suns": [300.0, -40.0], "2": None}), changed_value("turn",
    "roll", ["die-1", "die-2"]) ('suns at (300, -40), 2 taken off', 'two dice') >>>
    changed_value("standing", "struck", ["suns"], lambda coin: "Ben's knight") "Ben's knight"
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


#: What names pieces that are said by role and owner where a player has several: one, a list, or
#: each with its place.
PIECES = ("coin", "restore", "struck")
VALUES: dict[tuple[str, str], Callable[[Any], str]] = {
    ("turn", "expects"): lambda value: EXPECTED.get(value, value),
    ("turn", "roll"): roll_in_words,
    ("turn", "restore"): _restore,
    ("match", "status"): lambda value: STATUS.get(value, value),
}

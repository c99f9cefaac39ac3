"""What is expected next in a match, in words: what must be put right first, what must be played or
rolled, and what may be declared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Turn = Mapping[str, Any]
Said = Callable[[str], str]

#: The words for an expected declaration, roll or placement of the grid games.
GRID: Final = {
    "place": "the ball placed on the lawn",
    "move": "the move",
    "croquet": "the croquet",
    "continuation": "the continuation shot",
}
#: The words for what a roll decides in Croquet for piecepack.
ROLLS: Final = {
    "shot": "the shot",
    "croquet": "the croquet",
    "direction": "the direction of the rest",
    "hoop": "going through the hoop",
    "follow": "the follow-through",
    "peg": "hitting the peg",
}
#: The shots of Croquet for piecepack that are not the first of a go.
SHOTS: Final = {
    "bonus": "the bonus shot",
    "continuation": "the continuation shot",
    "play-off": "the shot played off the other ball",
}


def expected(turn: Turn, said: Said = str) -> str:
    """Return what is expected next: sentences, each with a space before it; an empty text if only a
    flick is expected. `said` returns the words for a piece.

    >>> expected({"expects": "flick", "coin": "moons", "flick": "suns"})
    ' To be flicked: suns.'
    >>> place = {"do": "place", "coin": "suns", "back_mm": [600.0, 376.19]}
    >>> expected({"expects": "place", "before_flick": [place]})
    ' First put suns back at (600, 376.2).'
    """
    if turn.get("expects") == "nothing":
        return ""
    first = [*_restore(turn, said), *(_todo(task, said) for task in turn.get("before_flick", ()))]
    moving = turn.get("expects") == "rest"
    sentences = _next(turn, said) if moving or not first else []
    sentences += [f"{'Then' if moving else 'First'} {', then '.join(first)}."] if first else []
    return "".join(f" {sentence}" for sentence in (*sentences, *_may(turn, said)))


def _restore(turn: Turn, said: Said) -> list[str]:
    """Return what must be put in another place because a ruling took play back."""
    restore = turn.get("restore", {})
    lay = ", ".join(
        f"{said(piece)} {'off' if at is None else f'at {place(at)}'}"
        for piece, at in restore.items()
    )
    return [f"put these pieces back: {lay}"] if restore else []


def _todo(task: Mapping[str, Any], said: Said) -> str:
    match task["do"]:
        case "lift":
            return f"lift {said(task['coin'])} off the table"
        case "restore":
            return f"put the tile {task['tile']} back"
        case "answer":
            return f"choose rover or leaving for {said(task['coin'])}"
        case _:
            back = "back_mm" in task or "exit_mm" in task or task.get("why") == "penalty"
            where, coins = _where(task, said), task.get("coins", (task["coin"],))
            on = " back" if back else "" if where else " on the table"
            return f"put {' or '.join(map(said, coins))}{on}{where}"


def _where(task: Mapping[str, Any], said: Said) -> str:
    """Return where a coin must be put, as far as that is known."""
    if "back_mm" in task:
        return f" at {place(task['back_mm'])}"
    if "start_mm" in task:
        return (
            f" within {number(task['within_mm'])} mm of the left endpost, between it and wicket 1"
        )
    if "exit_mm" in task:
        return (
            f" {number(task['inset_mm'])} mm in from where it left, {place(task['exit_mm'])}"
            if task.get("inset_mm")
            else f" at {place(task['exit_mm'])}"
        )
    if "beside" in task:
        return f" within a coin width of {said(task['beside'])}"
    if "on" in task:
        return f" on {said(task['on'])}"
    if task.get("why") == "break":
        return " within one tile width of a wall"
    return f" {task['where']}" if "where" in task else ""


def _next(turn: Turn, said: Said) -> list[str]:
    expects = turn.get("expects")
    if expects == "flick":
        other = turn.get("flick")
        return [] if other in (None, turn.get("coin")) else [f"To be flicked: {said(str(other))}."]
    if expects == "rest":
        return ["Expected next: everything at rest."]
    if expects == "roll":
        return [f"Expected next: {roll_in_words(turn.get('roll'))}."]
    if expects == "disaster":
        return [f"Expected next: {turn.get('decides')} decides about the disaster."]
    if expects == "shot":
        return [f"Expected next: {SHOTS.get(str(turn.get('shot')), 'a shot')}."]
    if expects == "choice":
        return [f"Expected next: {' or '.join(turn.get('options', ()))}."]
    return [f"Expected next: {GRID[str(expects)]}."] if expects in GRID else []


def roll_in_words(roll: object) -> str:
    """Return what must be rolled: the dice by their names, or what the roll decides.

    >>> roll_in_words(["die-1", "die-2"]), roll_in_words("hoop")
    ('two dice', 'a roll for going through the hoop')
    """
    if isinstance(roll, Sequence) and not isinstance(roll, str):
        return "two dice" if len(roll) == 2 else f"a roll of {' and '.join(map(str, roll))}"
    return f"a roll for {ROLLS.get(str(roll), roll)}"


def _may(turn: Turn, said: Said) -> list[str]:
    """Return what else the player may declare or do."""
    options, found = turn.get("options"), []
    if isinstance(options, Mapping) and options.get("declared") is None:
        what = (
            "the croquet, options 1 to 5"
            if "croquet" in options
            else f"one of the four actions for {' or '.join(map(said, options['coins']))}"
        )
        found.append(f"May be declared: {what}.")
    if isinstance(options, Mapping) and "place" in options:
        found.append(_beside(said(str(turn.get("coin"))), options["place"], said))
    if isinstance(options, Sequence) and "pass" in options and turn.get("expects") != "choice":
        found.append("May pass.")
    if turn.get("may_pass") is True:
        found.append("May pass.")
    if turn.get("may_force"):
        found.append(
            f"May flick a rover to force it out: {' or '.join(map(said, turn['may_force']))}."
        )
    return found


def _beside(coin: str, spot: Mapping[str, Any], said: Said) -> str:
    other = said(spot["coin"])
    near = other if spot.get("beside_mm") is None else f"{other} at {place(spot['beside_mm'])}"
    return (
        f"{coin} may be put down with its centre up to {number(spot['within_mm'])} mm from {near}."
    )


def place(at_mm: Sequence[float]) -> str:
    """Return a place on the table in mm.

    >>> place([600.0, 376.19])
    '(600, 376.2)'
    """
    return f"({number(at_mm[0])}, {number(at_mm[1])})"


def number(value: float) -> str:
    """Return a length with one decimal place, or without it if the decimal is 0.

    >>> number(25.0), number(376.19)
    ('25', '376.2')
    """
    return f"{value:.1f}".removesuffix(".0")

"""Puts the conditions of Wickets' rules into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from referee.domain.clause import Clause, Condition
from referee.domain.declaration import Declaration
from referee.domain.incident import Incident
from referee.games.wickets.board import HEADING_NAMES, Space, Step
from referee.games.wickets.state import State, ball_name, place_name, seat_of

#: The text of a condition, and the facts that decided it.
Words = tuple[str, dict[str, Any]]

ENDS: Final = {
    "played": "with the dice used up",
    "roquet": "at another ball",
    "stake": "at a stake",
    "boundary": "at the boundary",
}
AWAITED: Final = {
    "roll": "dice",
    "move": "the move",
    "choice": "a choice",
    "croquet": "the croquet's direction",
}
#: Conditions whose text is always the same.
FIXED: Final[Mapping[str, str]] = {
    "choice_given": "Under the rulings so far, the last strike gives this choice.",
    "turn_goes_on": "Under the rulings so far, the player's turn was not over.",
    "entitled": "Under the rulings so far, the player had a right to this shot.",
    "game_goes_on": "The game is not over.",
    "continuation_earned": (
        "The last strike earned a continuation shot, and it has not been used."
    ),
    "straight_direction": "The croqueted ball goes north, east, south or west.",
    "balls_turn": "It is this ball's turn.",
    "has_player": "This ball belongs to a player.",
    "stays_on_board": (
        "The dice keep the ball on the board; else it stops at the boundary and its turn is over."
    ),
    "continuation": (
        "The ball has scored, and met no ball and no boundary after that: a continuation shot."
    ),
}
#: The conditions that decide only a step of the course. The others decide the whole call.
OF_STEPS: Final = frozenset({"comes_next", "passed_through", "may_step", "scores"})


def worded(state: State, entry: Incident | Declaration, condition: Condition) -> Clause:
    """Return one condition in words. `state` is the state just before the entry."""
    code = condition.code
    text, facts = (FIXED[code], {}) if code in FIXED else WORDS[code](state, *condition.details)
    about: Literal["call", "step"] = "step" if code in OF_STEPS else "call"
    return Clause(text=text, met=condition.met, about=about, facts=facts)


def _said_in_turn(state: State, player: str | None) -> Words:
    facts = {} if player is None else {"player": player}
    return f"The declaration comes from {seat_of(state).name}, whose turn it is.", facts


def _roqueted(state: State, met: tuple[str, ...]) -> Words:
    return "The ball was roqueted in the last strike.", {"roqueted": list(met)}


def _pass_allowed(state: State, phase: str, met: tuple[str, ...]) -> Words:
    text = (
        "The dice are not thrown yet, or they allow no move; no roquet waits for its"
        " continuation shot or its croquet."
    )
    return text, {"awaited": AWAITED[phase], "roqueted": list(met)}


def _still_plays(state: State, name: str) -> Words:
    return f"{name} is still in the game.", {}


def _die_awaited(state: State, phase: str) -> Words:
    return "A throw is expected.", {"awaited": AWAITED[phase]}


def _this_die_awaited(state: State, croquets: bool, thrown: tuple[str, ...]) -> Words:
    dice = ("die-1",) if croquets else ("die-1", "die-2")
    wanted = " or ".join(die for die in dice if croquets or die not in thrown)
    return f"This die is expected: {wanted}.", {"thrown": list(thrown)}


def _move_awaited(state: State, phase: str) -> Words:
    return "Both dice are thrown, and the move is expected.", {"awaited": AWAITED[phase]}


def _stands_as_it_must(state: State, index: int, at: Space | None) -> Words:
    text = f"{ball_name(state, index)} is put where it must stand; nothing else depends on that."
    return text, {"must_stand": "off the board" if at is None else list(at)}


def _meets_no_dead_ball(state: State, dead: frozenset[str]) -> Words:
    text = "The ball meets no ball that is dead to it, or it has scored before that."
    return text, {"dead_on": sorted(dead)} if dead else {}


def _dice_allow_path(state: State, dice: tuple[tuple[str, int], ...], end: str | None) -> Words:
    text = (
        "Each die is one straight move, and it is used up unless a roquet, a stake or the boundary"
        " ends it."
    )
    ends = {} if end is None else {"ends": ENDS[end]}
    return text, {"dice": [face for _, face in dice], **ends}


def _comes_next(state: State, index: int, place: str, following: str | None) -> Words:
    name = place_name(place)
    text = f"{name[:1].upper()}{name[1:]} is the next step of {ball_name(state, index)}."
    return text, {"next": following}


def _passed_through(
    state: State, index: int, place: str, came: str | None, heading: str | None, wanted: str | None
) -> Words:
    text = (
        f"{ball_name(state, index)} enters {place_name(place)} from its front and leaves it by the"
        f" far side{'' if wanted is None else f', to the {HEADING_NAMES[wanted]}'}."
    )
    entered = None if came is None else HEADING_NAMES[came]
    left = "not yet, the ball stays in it" if heading is None else HEADING_NAMES[heading]
    return text, {"entered_to_the": entered, "left_to_the": left}


def _may_step(state: State, index: int) -> Words:
    text = (
        f"{seat_of(state).name} had a right to this shot, so {ball_name(state, index)} may make a"
        " step in it."
    )
    return text, {}


def _roquet(state: State, met: tuple[int, ...], at: Space) -> Words:
    balls = " and ".join(ball_name(state, index) for index in met)
    text = f"The ball enters the space of {balls}, which is alive to it: a roquet."
    return text, {"at": list(at)}


def _scores(state: State, step: Step | None) -> Words:
    named = "" if step is None else f", {place_name(step.place)}"
    return f"The ball makes its next step{named}.", {}


def _picked_up_right(state: State, before: Space | None) -> Words:
    stood = "off the board" if before is None else list(before)
    return (
        "The ball was picked up where the record says it stood. Its path counts in either case.",
        {"stood": stood},
    )


def _put_down_right(state: State, ends: Space) -> Words:
    text = "The ball was put down where its path ends. The path counts in either case."
    return text, {"path_ends": list(ends)}


def _shots_used_up(state: State, player: str, pawn: str) -> Words:
    text = f"{player} had no shot left with the {pawn} ball before this one."
    return text, {}


#: For every other condition's code, the function that makes its text and facts from its details.
WORDS: Final[Mapping[str, Callable[..., Words]]] = {
    "said_in_turn": _said_in_turn,
    "roqueted": _roqueted,
    "pass_allowed": _pass_allowed,
    "still_plays": _still_plays,
    "die_awaited": _die_awaited,
    "this_die_awaited": _this_die_awaited,
    "move_awaited": _move_awaited,
    "stands_as_it_must": _stands_as_it_must,
    "meets_no_dead_ball": _meets_no_dead_ball,
    "dice_allow_path": _dice_allow_path,
    "comes_next": _comes_next,
    "passed_through": _passed_through,
    "may_step": _may_step,
    "picked_up_right": _picked_up_right,
    "put_down_right": _put_down_right,
    "roquet": _roquet,
    "shots_used_up": _shots_used_up,
    "scores": _scores,
}

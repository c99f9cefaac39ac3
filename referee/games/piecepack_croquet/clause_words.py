"""Puts the conditions of the rules of Croquet for piecepack into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from msgspec import UnsetType

from referee.domain.clause import Clause, Condition
from referee.domain.declaration import Declaration
from referee.domain.incident import Incident
from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.lawn import Point
from referee.games.piecepack_croquet.state import (
    LAST_HOOP,
    Announced,
    Ball,
    State,
    name_of,
    seat_of,
)

#: The text of a condition, and the facts that decided it.
Words = tuple[str, dict[str, Any]]

AWAITED: Final = {"place": "the placing of the ball", "nothing": "nothing, the game is over"}
ROLL_FOR: Final = {
    "shot": "the shot",
    "direction": "the direction in which the misshot goes on",
    "hoop": "the hoop that is entered diagonally",
    "peg": "whether the ball hits the peg",
    "croquet": "the croquet",
    "follow": "whether the follow-through succeeds",
}
#: Conditions whose text is always the same.
FIXED: Final[Mapping[str, str]] = {
    "croquet_earned": "Under the rulings so far, the player had to play a croquet.",
    "go_goes_on": "Under the rulings so far, the player's go was not over.",
    "entitled": "Under the rulings so far, the player had a right to this shot.",
    "passing_allowed": "Passing is allowed in this game.",
    "is_marker": "The coin is a hoop marker.",
    "route_on_lawn": "Every point of the route is on the lawn or its edge.",
    "leaves_hoops_straight": "The route leaves no hoop sideways.",
    "own_ball_at_peg": "The roll does not decide whether another ball hits the peg.",
    "no_blank": "The roll is not a blank, which would be a disaster.",
    "follow_succeeds": "The follow-through succeeds: the roll is neither a blank nor an ace.",
}
#: The conditions that decide only a step of the course. The others decide the whole call.
OF_STEPS: Final = frozenset(
    {"hoop_next", "hoop_forwards", "hoop_left", "hoop_not_from_side", "may_step"}
)


def worded(state: State, entry: Incident | Declaration, condition: Condition) -> Clause:
    """Return one condition in words. `state` is the state just before the entry."""
    code = condition.code
    text, facts = (FIXED[code], {}) if code in FIXED else WORDS[code](state, *condition.details)
    about: Literal["call", "step"] = "step" if code in OF_STEPS else "call"
    return Clause(text=text, met=condition.met, about=about, facts=facts)


def _said_in_turn(state: State, player: str | None) -> Words:
    facts = {} if player is None else {"player": player}
    return f"The declaration comes from {seat_of(state).player}, whose go it is.", facts


def _awaited(state: State, wanted: str, expects: str) -> Words:
    return f"A {wanted} was expected.", {"awaited": AWAITED.get(expects, expects)}


def _disaster_awaited(state: State, expects: str) -> Words:
    text = "A decision about a disaster was expected."
    return text, {"awaited": AWAITED.get(expects, expects)}


def _decided_by_opponent(state: State, who: str, player: str | None) -> Words:
    text = (
        f"The decision comes from {who}, the nearest opponent before {seat_of(state).player} who is"
        " still in the game."
    )
    return text, {} if player is None else {"player": player}


def _choice_allowed(state: State) -> Words:
    if isinstance(state.said, Announced):
        text = (
            "The ball goes to a point of the announced route, or its full distance straight in the"
            " first direction or 45 degrees to either side."
        )
    elif state.following is not None:
        text = "The own ball follows in its announced direction or 45 degrees to either side of it."
    else:
        text = (
            "The croqueted ball goes one step in the announced direction or 45 degrees to either"
            " side, or the full distance to either side."
        )
    return text, {}


def _still_plays(state: State, name: str) -> Words:
    return f"{name} is still in the game.", {}


def _neighbouring_points(state: State, start: Point, difficulty: int) -> Words:
    text = "Every step of the route goes to one of the eight neighbouring points."
    return text, {"start": list(start), "difficulty": difficulty}


def _two_directions(state: State, steps: tuple[int, ...]) -> Words:
    ways = [lawn.NAMES[way] for way in dict.fromkeys(steps)]
    return "The route uses at most two directions, 45 degrees apart.", {"directions": ways}


def _no_hoop_left_sideways(state: State, ball: int, at: Point | None, direction: int) -> Words:
    facts = {
        "ball": state.table.seats[ball].pawn,
        "at": list(at or ()),
        "direction": lawn.NAMES[direction],
    }
    return "No ball leaves a hoop sideways.", facts


def _follows_beside(state: State, follow: int) -> Words:
    text = (
        "The follow-through goes in the croqueted ball's direction, or 45 degrees to either side."
    )
    return text, {"follow_direction": lawn.NAMES[follow]}


def _own_special_shot(state: State) -> Words:
    seat = seat_of(state)
    return f"The coin is a special shot of {seat.player}'s {seat.pawn} ball, and not a blank.", {}


def _unused_special_shot(state: State, ranks: tuple[str, ...]) -> Words:
    left = [f"{seat_of(state).suit}-{rank}" for rank in ranks]
    return "The coin has not been used before.", {"left": left}


def _placed_well(
    state: State, to: Point | UnsetType | None, places: tuple[Point, ...], came_back: bool
) -> Words:
    text = (
        "The ball is put where it left the lawn, or on a free point beside that."
        if came_back
        else "The ball is put on a free start point."
    )
    put = list(to) if isinstance(to, tuple) else []
    return text, {"to": put, "places": [list(at) for at in places]}


def _stands_as_it_must(state: State, index: int, ball: Ball) -> Words:
    text = f"{name_of(state, index)} is put where it must stand; nothing else depends on that."
    on_lawn = ball.state == "in_play" and ball.at is not None
    return text, {"must_stand": list(ball.at or ()) if on_lawn else "off the lawn"}


def _flip_declared(state: State, declared: frozenset[str]) -> Words:
    text = (
        "A special shot with this coin was declared or taken back, and the coin has not been"
        " turned for that yet."
    )
    return text, {"declared": sorted(declared)}


def _marker_shows_hoops(state: State, hoops: int, wanted_deg: float) -> Words:
    text = "The marker is turned 45 degrees clockwise for each hoop its ball has run."
    return text, {"hoops": hoops, "wanted_deg": wanted_deg}


def _roll_awaited(state: State, expects: str, roll: str, face: str) -> Words:
    if expects != "roll":
        return "A roll was expected.", {"awaited": expects}
    return f"A roll was expected, for {ROLL_FOR[roll]}.", {"rolled": face}


def _high_enough(state: State, difficulty: int) -> Words:
    return "The roll reaches the difficulty; an ace always does.", {"difficulty": difficulty}


def _keeps_to_route(state: State, way: int, aside: int, left: int, keeps: bool) -> Words:
    text = (
        "On a blank or a 2 the ball keeps to its route and stops one short of its end. A 3 or 4"
        " turns it 45 degrees to the left, a 5 or an ace to the right."
    )
    goes = {} if keeps else {"goes": lawn.NAMES[aside]}
    return text, {"next_step": lawn.NAMES[way], "steps_left": left, **goes}


def _meant_for_peg(state: State, ball: int, hoops: int, on_route: bool) -> Words:
    text = (
        "The ball is meant for the peg: it is the active player's own ball, has run all six hoops,"
        " and its announced route contains the peg."
    )
    facts = {
        "ball": state.table.seats[ball].pawn,
        "hoops": hoops,
        "on_its_announced_route": on_route,
    }
    return text, facts


def _hits_peg(state: State, meant: bool) -> Words:
    wanted, ball = ("2 to 5", "meant") if meant else ("a blank or an ace", "not meant")
    return f"The ball hits the peg: on {wanted}, because it is {ball} for the peg.", {}


def _six_hoops_run(state: State, hoops: int) -> Words:
    text = "The ball has run all six hoops, so it is out and need not start again."
    return text, {"hoops": hoops}


def _hoop_next(state: State, index: int, hoop: int, hoops: int) -> Words:
    following = f"hoop-{hoops + 1}" if hoops < LAST_HOOP else "peg"
    return f"Hoop {hoop} is the next hoop of {name_of(state, index)}.", {"next": following}


def _hoop_forwards(state: State, index: int, hoop: int) -> Words:
    way = "upwards" if lawn.HOOPS[hoop - 1][1] > 0 else "downwards"
    return f"{name_of(state, index)} leaves hoop {hoop} by its far side, going {way}.", {}


def _hoop_left(state: State, index: int, hoop: int) -> Words:
    return (
        f"{name_of(state, index)} leaves hoop {hoop} by its far side instead of stopping on it.",
        {},
    )


def _hoop_not_from_side(state: State, index: int, at: Point) -> Words:
    text = (
        f"{name_of(state, index)} comes to hoop {lawn.HOOP_AT[at]} from the front, from behind or"
        " diagonally, not from the side."
    )
    return text, {}


def _own_ball_hits(state: State, first: int, other: int, facts: dict[str, Any]) -> Words:
    text = (
        f"{name_of(state, first)}, which hits {name_of(state, other)}, is the ball whose go it is;"
        " only this ball can roquet."
    )
    return text, dict(facts)


def _hoop_1_run(state: State, index: int, hoops: int) -> Words:
    text = f"{name_of(state, index)} has run hoop 1; a ball cannot roquet before that."
    return text, {"hoops": hoops}


def _not_roqueted_before(state: State, other: int, roqueted: frozenset[int]) -> Words:
    text = f"{name_of(state, other)} has not been roqueted yet in this go since the last hoop."
    return text, {"roqueted": [state.table.seats[index].pawn for index in sorted(roqueted)]}


def _may_step(state: State, index: int) -> Words:
    text = (
        f"{name_of(state, index)} may make a step in this shot, to which"
        f" {seat_of(state).player} had a right."
    )
    return text, {}


def _bonus_earned(state: State, kind: str, roquet: bool) -> Words:
    text = (
        "The hoop earns a bonus shot: the ball ran it on an ordinary shot, made no roquet, and"
        " ended on the lawn."
    )
    return text, {"kind_of_shot": "ordinary" if kind == "shot" else kind, "roquet": roquet}


def _shots_used_up(state: State, player: str, pawn: str, left: int) -> Words:
    text = f"{player} had no shot left with the {pawn} ball before this one."
    return text, {"shots_left": left}


#: For every other condition's code, the function that makes its text and facts from its details.
WORDS: Final[Mapping[str, Callable[..., Words]]] = {
    "said_in_turn": _said_in_turn,
    "awaited": _awaited,
    "disaster_awaited": _disaster_awaited,
    "decided_by_opponent": _decided_by_opponent,
    "choice_allowed": _choice_allowed,
    "still_plays": _still_plays,
    "neighbouring_points": _neighbouring_points,
    "two_directions": _two_directions,
    "no_hoop_left_sideways": _no_hoop_left_sideways,
    "follows_beside": _follows_beside,
    "own_special_shot": _own_special_shot,
    "unused_special_shot": _unused_special_shot,
    "placed_well": _placed_well,
    "stands_as_it_must": _stands_as_it_must,
    "flip_declared": _flip_declared,
    "marker_shows_hoops": _marker_shows_hoops,
    "roll_awaited": _roll_awaited,
    "high_enough": _high_enough,
    "keeps_to_route": _keeps_to_route,
    "meant_for_peg": _meant_for_peg,
    "hits_peg": _hits_peg,
    "six_hoops_run": _six_hoops_run,
    "hoop_next": _hoop_next,
    "hoop_forwards": _hoop_forwards,
    "hoop_left": _hoop_left,
    "hoop_not_from_side": _hoop_not_from_side,
    "own_ball_hits": _own_ball_hits,
    "hoop_1_run": _hoop_1_run,
    "not_roqueted_before": _not_roqueted_before,
    "may_step": _may_step,
    "bonus_earned": _bonus_earned,
    "shots_used_up": _shots_used_up,
}

"""The choices of an opponent after a disaster in Croquet for piecepack."""

from __future__ import annotations

from referee.domain.declaration import Choice
from referee.games.piecepack_croquet.lawn import IN_WORDS, beside, number_of
from referee.games.piecepack_croquet.rolling import straight
from referee.games.piecepack_croquet.state import Announced, Motion, State, Stroke, name_of


def ways_chosen(state: State, choice: Choice) -> tuple[Motion | None, Motion | None, str | None]:
    """Return how the roqueted ball or the player's own ball moves by the opponent's choice, how the
    own ball follows after that, and what is wrong with the choice (None if it is allowed).
    """
    said = state.said
    if isinstance(said, Announced):
        motion = _own_way(state, said, choice)
        return motion, None, None if motion is not None else _why_not_own_way(said, choice)
    assert isinstance(said, Stroke)
    follow = _follow_way(state, said, choice)
    if follow is None and said.follow is not None:
        chosen = _chosen(choice.own_direction)
        text = (
            f"{name_of(state, state.active)} is sent {chosen}: it must follow"
            f" {IN_WORDS[said.follow]} or 45 degrees to either side."
        )
        return None, None, text
    if state.following is not None:
        return follow, None, None if choice.kind == "follow" else _wrong_kind(state, choice)
    motion = _sent_way(said, choice)
    if motion is None or (said.follow is None and choice.own_direction is not None):
        return None, None, _wrong_kind(state, choice)
    return motion, follow, None


def _wrong_kind(state: State, choice: Choice) -> str:
    if state.following is not None:
        return "Only the direction of the follow-through may be decided."
    sent = f"sent {_chosen(choice.direction)} by {choice.distance}"
    return (
        f"The croqueted ball is {sent if choice.kind == 'ball' else 'not sent anywhere'}: it must"
        " go one step in the announced direction or 45 degrees to either side, or the full distance"
        " 45 degrees to either side."
    )


def _own_way(state: State, said: Announced, choice: Choice) -> Motion | None:
    if choice.kind == "stop" and choice.at in said.route:
        assert choice.at is not None
        return Motion(state.active, said.steps[: said.route.index(choice.at) + 1])
    if choice.kind == "straight" and choice.direction is not None:
        direction = number_of(choice.direction)
        return (
            straight(state.active, direction, len(said.steps))
            if direction in beside(said.steps[0])
            else None
        )
    return None


def _why_not_own_way(said: Announced, choice: Choice) -> str:
    """Return what is wrong with the choice for a ball whose shot was announced."""
    first = IN_WORDS[said.steps[0]]
    if choice.kind == "stop":
        at = "No point given" if choice.at is None else "({}, {})".format(*choice.at)
        return (
            f"{at} is not a point of the announced route: the ball must stop at one of its points."
        )
    if choice.kind == "straight":
        way = _chosen(choice.direction)
        return f"The ball is sent straight {way}: it must go {first} or 45 degrees to either side."
    return (
        "The choice is for a croqueted ball or a follow-through, but a shot was announced: the ball"
        f" must stop at a point of its route, or go straight {first} or 45 degrees to either side."
    )


def _chosen(direction: str | None) -> str:
    return "in no direction" if direction is None else IN_WORDS[number_of(direction)]


def _sent_way(stroke: Stroke, choice: Choice) -> Motion | None:
    if choice.kind != "ball" or choice.direction is None:
        return None
    direction = number_of(choice.direction)
    full = choice.distance == stroke.distance and direction != stroke.direction
    if direction not in beside(stroke.direction) or not (choice.distance == 1 or full):
        return None
    return straight(stroke.ball, direction, choice.distance or 0)


def _follow_way(state: State, stroke: Stroke, choice: Choice) -> Motion | None:
    if (
        stroke.follow is None
        or choice.own_direction is None
        or choice.kind not in ("ball", "follow")
    ):
        return None
    direction = number_of(choice.own_direction)
    return (
        straight(state.active, direction, stroke.follow_distance)
        if direction in beside(stroke.follow)
        else None
    )

"""What a strike's path came to in Wickets: wickets, stakes, balls and the boundary, and which of it
counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.domain.clause import Clause
from referee.domain.incident import Moved
from referee.games.wickets.board import HEADING_NAMES, Space, Step, ahead
from referee.games.wickets.routes import headings_of, start_of
from referee.games.wickets.state import State, ball_name, place_name, standing_on
from referee.games.wickets.striking import moved


def of_path(state: State, entry: Moved, path: tuple[Space, ...], end: str) -> tuple[Clause, ...]:
    """The clauses of a legal path that ends in this way."""
    course, points = state.table.board.course, state.balls[state.active].points
    rows: list[Clause] = []
    for place, came, heading in _through(state, path, end):
        step = course[points] if points < len(course) else None
        rows += _wicket(state, place, came, heading, step)
        points += step is not None and step.place == place and came == heading == step.heading
    after, _verdicts = moved(state, entry)
    scored = after.balls[state.active].points > state.balls[state.active].points
    rows += _end(state, path, end, course[points] if points < len(course) else None)
    if not rows and points < len(course):
        rows.append(
            Clause(
                text=f"It comes to {place_name(course[points].place)}, its next step.",
                met=False,
                about="step",
            )
        )
    if scored and after.balls[state.active].at is not None:
        text = "It has scored, and met no ball and no boundary after that: a continuation shot."
        rows.append(
            Clause(
                text=text,
                met=after.phase == "choice" and not after.met and after.active == state.active,
            )
        )
    return tuple(rows)


def _through(
    state: State, path: tuple[Space, ...], end: str
) -> Iterator[tuple[str, str | None, str | None]]:
    """The wickets on the path: each with the headings in which it is entered and left (None where
    the ball stays in it).
    """
    at, came = start_of(state), state.balls[state.active].came
    for heading in headings_of(at, path[:-1] if end in ("roquet", "stake") else path) or ():
        if at in state.table.board.wickets:
            yield state.table.board.wickets[at], came, heading
        at, came = ahead(at, heading), heading
    if at in state.table.board.wickets:
        yield state.table.board.wickets[at], came, None


def _wicket(
    state: State, place: str, came: str | None, heading: str | None, step: Step | None
) -> Iterator[Clause]:
    who, name = ball_name(state, state.active), place_name(place)
    facts: dict[str, Any] = {"next": None if step is None else step.place}
    yield Clause(
        text=f"{name.capitalize()} is the next step of {who}.",
        met=step is not None and step.place == place,
        about="step",
        facts=facts,
    )
    if step is None or step.place != place or step.heading is None:
        return
    entered, left = (None if way is None else HEADING_NAMES[way] for way in (came, heading))
    text = (
        f"{who} enters {name} from its front and leaves it by the far side, to the"
        f" {HEADING_NAMES[step.heading]}."
    )
    ways = {"entered_to_the": entered, "left_to_the": left or "not yet, it stays in it"}
    yield Clause(text=text, met=came == heading == step.heading, about="step", facts=ways)


def _end(state: State, path: tuple[Space, ...], end: str, step: Step | None) -> Iterator[Clause]:
    if end == "roquet":
        balls = " and ".join(
            ball_name(state, i) for i in standing_on(state, path[-1], state.active)
        )
        yield Clause(
            text=f"It enters the space of {balls}, which is alive to it: a roquet.",
            met=True,
            facts={"at": list(path[-1])},
        )
    elif end == "stake":
        place = state.table.board.stakes[path[-1]]
        text = f"{place_name(place).capitalize()}, which it strikes, is its next step."
        yield Clause(
            text=text,
            met=step is not None and step.place == place,
            about="step",
            facts={"next": None if step is None else step.place},
        )
    elif end == "boundary":
        yield Clause(
            text=(
                "The dice keep it on the board; else it stops at the boundary and its turn is over."
            ),
            met=False,
        )

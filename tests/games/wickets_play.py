"""Matches of Wickets for tests: setups, records, and random play that is mostly legal."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from referee.games.wickets.routes import routes
from referee.games.wickets.state import State
from referee.replay.fold import extend, fold
from tests.games.promises import Line, Lines, as_can_be_read, read, rulings

PAWNS = ("blue", "red", "black", "yellow", "green", "orange")
NAMES = ("Ann", "Ben", "Cyd", "Dee", "Eve", "Fay")
#: Seven by seven spaces, four steps: through the wicket, the turning stake, back through it, the
#: start stake.
SMALL: dict[str, Any] = {
    "cols": 7,
    "rows": 7,
    "start": [4, 2],
    "stakes": {"turning-stake": [4, 6], "start-stake": [4, 1]},
    "wickets": {"wicket-1": [4, 3]},
    "course": [["wicket-1", "n"], ["turning-stake"], ["wicket-1", "s"], ["start-stake"]],
}


def setup_line(
    game: str,
    teams: str = "",
    *,
    balls: int = 4,
    named: bool = True,
    layout: Line | None = None,
    options: Line | None = None,
) -> Line:
    """Return a setup with one player for each ball, in teams where `teams` has letters (`named`
    False: the teams have no names).
    """
    players: Lines = [
        {"name": name, "pawn": pawn} for name, pawn in zip(NAMES, PAWNS[:balls], strict=False)
    ]
    for i, player in enumerate(players):
        if teams and named:
            player["team"] = teams[i % len(teams)]
    return {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": game,
        "players": players,
        "layout": layout,
        "options": options or {},
    }


def said(kind: str, **more: Any) -> Line:
    return {"entry": "declaration", "kind": kind, **more}


def rolled(die: str, face: int) -> Line:
    return {"entry": "incident", "kind": "rolled", "die": die, "face": face}


def moved(pawn: str, from_: Any, path: list[Any]) -> Line:
    return {
        "entry": "incident",
        "kind": "moved",
        "pawn": pawn,
        "from": from_,
        "to": path[-1] if path else from_,
        "path": path,
    }


SPACES = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(list)


@cache
def anything(pawns: tuple[str, ...]) -> st.SearchStrategy[Line]:
    """Draw an entry that can be read, whatever is expected."""
    pawn = st.sampled_from(pawns)
    measured = st.fixed_dictionaries(
        {},
        optional={
            "probability": st.sampled_from([0.01, 0.5, 0.99]),
            "frames": st.sampled_from([[10, 12], [11, 13]]),
        },
    )
    roll = st.builds(rolled, st.sampled_from(["die-1", "die-2"]), st.integers(1, 6))
    somewhere, path = (
        st.one_of(st.none(), SPACES),
        st.one_of(st.none(), st.lists(SPACES, max_size=4)),
    )
    fields = {
        "entry": st.just("incident"),
        "kind": st.just("moved"),
        "pawn": pawn,
        "from": somewhere,
        "to": somewhere,
        "path": path,
    }
    move = st.fixed_dictionaries(fields)
    seen = st.tuples(st.one_of(roll, move), measured).map(lambda both: {**both[0], **both[1]})
    croquet = st.builds(
        lambda pawn, to: said("croquet", pawn=pawn, direction=to),
        pawn,
        st.sampled_from(list("nesw")),
    )
    plain = st.sampled_from(
        [
            said("continuation"),
            said("pass"),
            said("challenge", on=None),
            said("concede"),
            said("concede", player="Ann"),
            said("agreed", winner=None),
            {"entry": "incident", "kind": "renamed", "coins": {"blue": "blue"}},
            {
                "entry": "incident",
                "kind": "unseen",
                "pieces": ["die-1"],
                "from_s": 1.0,
                "to_s": 2.0,
            },
        ]
    )
    return st.one_of(seen, croquet, plain)


def legal(draw: st.DrawFn, state: State) -> Lines:
    """Draw what is expected next: two dice, a legal move, a choice or a croquet."""
    pawn = state.table.seats[state.active].pawn
    if state.phase == "roll":
        dice = ["die-1"] if state.sent is not None else ["die-1", "die-2"][len(state.dice) :]
        return [rolled(die, draw(st.integers(1, 6))) for die in dice]
    if state.phase == "move":
        ways = sorted(routes(state), key=lambda path: (len(path), path))
        if not ways:
            return [said("pass")]
        at = state.balls[state.active].at
        return [moved(pawn, at, [list(space) for space in draw(st.sampled_from(ways))])]
    if state.met and (state.phase == "croquet" or draw(st.booleans())):
        croquet = said("croquet", pawn=state.met[0], direction=draw(st.sampled_from(list("nesw"))))
        return (
            [croquet]
            if state.phase == "croquet" or draw(st.booleans())
            else [rolled("die-1", draw(st.integers(1, 6)))]
        )
    return [said("continuation")]


@st.composite
def records(draw: st.DrawFn, *, ruled: bool = True) -> Lines:
    """Draw a setup and entries that can be read, most of them legal play."""
    game = draw(st.sampled_from(["wickets-six", "wickets-nine"]))
    balls = 4 if game == "wickets-six" else draw(st.integers(1, 6))
    teams = "AB" if balls in (4, 6) and (game == "wickets-six" or draw(st.booleans())) else ""
    options = {
        "too_close": draw(st.sampled_from(["ask", "for-striker", "against-striker"])),
        "challenges": draw(st.sampled_from([None, 1])),
    }
    lines = [
        setup_line(
            game,
            teams,
            balls=balls,
            layout=draw(st.sampled_from([None, SMALL, SMALL])),
            options=options,
        )
    ]
    folded = fold(read(lines))
    for _ in range(draw(st.integers(0, 20))):
        how = draw(st.integers(0, 9))
        number = len(lines)
        if how == 0 and ruled and number > 1:
            names = [(line["id"], line["entry"]) for line in lines[1:]]
            batch = [draw(rulings(names, anything(PAWNS[:balls])))]
        elif how == 1 or folded.game.is_over(folded.state):
            batch = [draw(anything(PAWNS[:balls]))]
        else:
            batch = legal(draw, folded.state)
        for line in batch:
            lines.append(as_can_be_read(lines, {"id": f"n{len(lines)}", **line}))
            folded = (
                extend(folded, read([lines[0], *_without_rulings([lines[-1]])])[-1])
                if line["entry"] != "ruling"
                else fold(read(lines))
            )
    return lines


def _without_rulings(lines: Lines) -> Lines:
    return [line for line in lines if line["entry"] != "ruling"]

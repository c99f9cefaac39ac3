"""Lines of tiles held down in Carroms, so that a bank shot does not knock them out of place
(CA-12).
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.declaration import Hold
from referee.domain.incident import TileDisplaced
from referee.games.carroms.state import RULE, Judged, State, call_for, seat_of
from referee.games.flicking import is_displaced, refused

#: How many lines of tiles the player may hold down, and the opponent.
OWN_WALLS, OPPONENTS_WALLS = 1, 2
WALLS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def holder(state: State, name: str | None) -> int | None:
    """The place of the player named, or of the active one where nobody is; None for nobody of this
    match.
    """
    if name is None:
        return state.active
    return next((i for i, seat in enumerate(state.table.seats) if seat.name == name), None)


def most_walls(state: State, index: int) -> int:
    """How many lines of tiles a player may hold down in this turn."""
    return OWN_WALLS if index == state.active else OPPONENTS_WALLS


def held_down(state: State, entry: Hold) -> Judged:
    """A player holds lines of tiles down for the next flick, in place of those held before."""
    index, walls = holder(state, entry.player), tuple(wall for wall in WALLS if wall in entry.walls)
    wrong = None
    if index is None:
        wrong = f"{entry.player} does not play in this match."
    elif state.flick is not None:
        wrong = f"{state.table.seats[index].name} takes hold of tiles while coins are still moving."
    elif len(walls) > most_walls(state, index):
        lines = "one line" if index == state.active else "two lines"
        wrong = (
            f"{state.table.seats[index].name} may hold down at most {lines} of tiles in this flick."
        )
    if index is None or wrong is not None:
        return state, refused(
            entry, seat_of(state).name, "declaration_not_allowed", RULE, str(wrong)
        )
    name, lines = state.table.seats[index].name, " and ".join(WALLS[wall] for wall in walls)
    what = (
        f"holds down the {lines} {'lines' if len(walls) > 1 else 'line'} of tiles"
        if walls
        else "holds down no tiles"
    )
    call = call_for(
        state,
        str(entry.id),
        "walls_held",
        index,
        f"{name} {what} for this flick.",
        coin=None,
        facts={"walls": list(walls)},
    )
    return replace(
        state, holds=tuple(walls if i == index else held for i, held in enumerate(state.holds))
    ), (call,)


def not_held(state: State, entry: TileDisplaced) -> tuple[Irregularity, ...]:
    """A coin knocked a tile out of place although its line was said to be held down; the tile is
    put back as ever.
    """
    if state.flick is None or entry.by != "coin" or not is_displaced(entry):
        return ()
    names = [
        seat.name
        for seat, walls in zip(state.table.seats, state.holds, strict=True)
        if any(_of_line(entry.tile, wall) for wall in walls)
    ]
    text = (
        f"The tile {entry.tile} was knocked out of place although {' and '.join(names)} held its"
        " line down."
    )
    return (
        (
            Irregularity(
                on=str(entry.id),
                what="not_held",
                rule=RULE,
                text=text,
                player=names[0],
                facts={"tile": entry.tile},
            ),
        )
        if names
        else ()
    )


def _of_line(tile: str, wall: str) -> bool:
    return tile.startswith(f"wall-{wall.lower()}-")

"""What the `then` of a ruling does in games without flicks.

The functions find the end of the shot or move that was ruled on, and the pawns that must be put
back after `then: rewind`. Where the page on the record format says nothing, these rules apply:

- The rules know where every pawn must stand. A pawn must be put back if it stood elsewhere when the
  ruling was made. If it must be off the lawn or the board, its place is None.
- A pawn counts as put back as soon as one `moved` puts it where it must stand, or as soon as the
  rules themselves move it elsewhere.
- A shot, strike or croquet that is played before that gets an irregularity. Placing a pawn and
  choosing get none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from msgspec import UNSET
from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.declaration import Continuation, Pass
from referee.domain.geometry import Point
from referee.domain.incident import Moved
from referee.games import Game, KnowsPawns
from referee.replay.rulings.items import Fate, Item, Places, Step
from referee.replay.rulings.ruling_scope import RulingScope, begin_of

NO_SHOTS: Final = (Moved, Continuation, Pass)


def knows_pawns(game: Game) -> KnowsPawns | None:
    """Return the game if it is one without flicks, or else None."""
    return cast(KnowsPawns, game) if hasattr(game, "begins_play") else None


def end_of_shot(
    game: KnowsPawns, state_before: Callable[[int], Any], items: Sequence[Item], place: int
) -> str | None:
    """Return the id of the last item of the shot or move around item `place`. Return None if none
    had begun.

    `state_before(i)` gives the state before item i.
    """

    def begins(i: int) -> bool:
        there = items[i].fate.counts or i == place
        return there and game.begins_play(state_before(i), items[i].entry)

    if not any(begins(i) for i in range(place, -1, -1)):
        return None
    last = place
    while last + 1 < len(items) and not begins(last + 1):
        last += 1
    return items[last].id


def pawns_now(
    game: KnowsPawns, state: Any, steps: Sequence[Step], scope_of: Callable[[str], Any]
) -> Places:
    """Return where the pawns stand after `steps`.

    A pawn stands where the rules say, unless an earlier ruling wants it put back and nobody has
    done so yet. `scope_of` gives the scope of a ruling if it has a `then` in force, or else None.
    """
    found: dict[str, Point | None] = {**game.pawns(state)}
    for pawn, _ in steps[-1].restore if steps else ():
        for step in reversed(steps):
            entry, scope = step.item.entry, scope_of(step.item.id)
            if isinstance(entry, Moved) and entry.pawn == pawn and step.item.fate.counts:
                if entry.to is not UNSET:
                    found[pawn] = entry.to
                    break
            elif scope is not None:
                found[pawn] = dict(scope.stood)[pawn]
                break
    return tuple(found.items())


def with_pawns_taken_back(
    game: KnowsPawns, step: Step, items: Sequence[Item], end: int, scope: RulingScope
) -> Step:
    """Return the step of a ruling that takes play back, with the pawns that must be put back."""
    between = items[begin_of(scope, items, end) : end]
    rewound = [item.entry for item in between if item.fate is Fate.REWOUND]
    state = game.take_back(step.state, rewound)
    now = game.pawns(state)
    left = tuple((pawn, now[pawn]) for pawn, at in scope.stood if now[pawn] != at)
    return replace(step, state=state, restore=left)


def states_played_in(steps: Sequence[Step], begun: Any, behind: str | None) -> dict[str, Any]:
    """Return the state in which each entry after the item `behind` was played.

    For an entry that an earlier ruling keeps, it is the state at the time it was first played.
    """
    found: dict[str, Any] = {}
    for place in range(len(steps) - 1, -1, -1):
        item = steps[place].item
        if item.id == behind:
            break
        if item.fate.counts:
            kept = item.as_played
            before = steps[place - 1].state if place else begun
            found[item.id] = before if kept is None or kept.was is None else kept.was
    return found


def with_pawns_where_they_lie(
    game: KnowsPawns, steps: Sequence[Step], step: Step, scope: RulingScope
) -> Step:
    """Return the step of a ruling that keeps play, with the pawns where the kept shots left
    them.
    """
    for earlier in reversed(steps):
        item, kept = earlier.item, earlier.item.as_played
        if item.id == scope.behind:
            break
        if kept is not None and game.begins_play(kept.was, item.entry):
            return replace(step, state=game.as_it_lies(step.state, scope.was, scope.ended))
    return step


def with_pawns_to_put_back(step: Step, before: Step, game: KnowsPawns) -> Step:
    """Return a step with the pawns that must still be put back after it: those that had to be put
    back after the step `before`, without those that are back now.

    A shot before all are put back is an irregularity.
    """
    entry, now, counts = step.item.entry, game.pawns(step.state), step.item.fate.counts
    odd = any(isinstance(one, Irregularity) for one in step.verdicts)
    moved = isinstance(entry, Moved) and entry.to is not UNSET and counts and not odd
    back = entry.pawn if moved else None  # type: ignore[union-attr]
    left = tuple((pawn, at) for pawn, at in before.restore if pawn != back and now[pawn] == at)
    verdicts = step.verdicts
    if counts and not isinstance(entry, NO_SHOTS) and game.begins_play(before.state, entry):
        verdicts = (*(_not_put_back(step.item.id, *one) for one in before.restore), *verdicts)
    return replace(step, restore=left, verdicts=verdicts)


def _not_put_back(on: str, pawn: str, at: Point | None) -> Irregularity:
    where = "off the board" if at is None else "on ({}, {})".format(*at)
    text = (
        f"A ruling has taken play back: the {pawn} ball must stand {where}, and it was not put"
        " there before this shot."
    )
    return Irregularity(
        on=on,
        what="not_restored",
        rule="Rulings",
        text=text,
        coin=pawn,
        facts={"at": None if at is None else list(at)},
        placement=True,
    )

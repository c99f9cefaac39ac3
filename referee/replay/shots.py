"""The play between a shot or move and a ruling on it in games without flicks: where it ended, and
which pawns `then: rewind` wants elsewhere.

Readings where the record format's page is silent:

- Such a game knows where every pawn must stand, so what lies elsewhere is what stood elsewhere when
  the ruling was made; one that is off the lawn or the board is wanted off it (None).
- A pawn is back as soon as one `moved` puts it where it must stand, or the rules themselves have
  moved it on.
- What is played on before is an irregularity once a shot, strike or croquet, and on it; placing a
  pawn or a choice is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from msgspec import UNSET
from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.declaration import Continuation, Pass
from referee.domain.geometry import Point
from referee.domain.incident import Moved
from referee.games import Game, KnowsPawns
from referee.replay.items import Fate, Item, Places, Step
from referee.replay.ruling_scope import RulingScope, begin_of

NO_SHOTS = (Moved, Continuation, Pass)


def knows_pawns(game: Game) -> KnowsPawns | None:
    """The game, when it is one without flicks, which knows where its pawns stand."""
    return cast(KnowsPawns, game) if hasattr(game, "begins_play") else None


def end_of_shot(
    game: KnowsPawns, state_before: Callable[[int], Any], items: Sequence[Item], place: int
) -> str | None:
    """The id of the last item of the shot or move that item `place` stands in; None where none had
    begun. `state_before(i)` is the state before item i.
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
    """Where the pawns stand behind `steps`: as the rules have it, but for those an earlier ruling
    wants elsewhere and nobody has put there.

    `scope_of` gives the scope of a ruling with a `then` that is in force, None for anything else.
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
    """The step of a ruling that takes play back, with the pawns that stand elsewhere than the rules
    now have them.
    """
    between = items[begin_of(scope, items, end) : end]
    rewound = [item.entry for item in between if item.fate is Fate.REWOUND]
    state = game.take_back(step.state, rewound)
    now = game.pawns(state)
    left = tuple((pawn, now[pawn]) for pawn, at in scope.stood if now[pawn] != at)
    return replace(step, state=state, restore=left)


def states_played_in(steps: Sequence[Step], begun: Any, behind: str | None) -> dict[str, Any]:
    """The state in which each entry behind the item `behind` was played; of one that stays from
    before, that of its own time.
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
    """The step of a ruling that lets play stay, with the pawns where shots that stay left them."""
    for earlier in reversed(steps):
        item, kept = earlier.item, earlier.item.as_played
        if item.id == scope.behind:
            break
        if kept is not None and game.begins_play(kept.was, item.entry):
            return replace(step, state=game.as_it_lies(step.state, scope.was, scope.ended))
    return step


def with_pawns_to_put_back(step: Step, before: Step, game: KnowsPawns) -> Step:
    """A step with the pawns that still have to be put back behind it, of those behind the step
    `before`; a shot before all stand is an irregularity.
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
    where = "off the board" if at is None else f"on {list(at)}"
    text = (
        f"A ruling has taken play back: the {pawn} pawn must stand {where}, and it was not put"
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

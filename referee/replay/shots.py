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
from referee.replay.alternatives import Step
from referee.replay.effective_entries import Item

Standing = tuple[tuple[str, Point | None], ...]
NO_SHOTS = (Moved, Continuation, Pass)


def knows_pawns(game: Game) -> KnowsPawns | None:
    """The game, when it is one without flicks, which knows where its pawns stand."""
    return cast(KnowsPawns, game) if hasattr(game, "begins_play") else None


def end_of_shot(
    game: KnowsPawns, states: Callable[[int], Any], items: Sequence[Item], place: int
) -> str | None:
    """The id of the last item of the shot or move that item `place` stands in; None where none had
    begun. `states(i)` is the state before item i.
    """
    if not any(_begins(game, states, items, i, place) for i in range(place, -1, -1)):
        return None
    following = next(
        (i for i in range(place + 1, len(items)) if _begins(game, states, items, i, place)),
        len(items),
    )
    return items[following - 1].id


def _begins(
    game: KnowsPawns, states: Callable[[int], Any], items: Sequence[Item], i: int, place: int
) -> bool:
    return (items[i].counts or i == place) and game.begins_play(states(i), items[i].entry)


def behind_state(items: Sequence[Item], states: Callable[[int], Any], behind: str | None) -> Any:
    """The state behind the item called `behind` (None: before all)."""
    return states(next((i + 1 for i in reversed(range(len(items))) if items[i].id == behind), 0))


def standing_now(
    game: KnowsPawns, state: Any, steps: Sequence[Step], before: Callable[[str], Standing | None]
) -> Standing:
    """Where the pawns stand behind `steps`: as the rules have it, but for those an earlier ruling
    wants elsewhere and nobody has put there.

    `before` gives the pawns' places as they were when a ruling that took play back was made, None
    for what is no such ruling.
    """
    found: dict[str, Point | None] = {**game.pawns(state)}
    for pawn, _ in steps[-1].restore if steps else ():
        for step in reversed(steps):
            if (
                isinstance(step.item.entry, Moved)
                and step.item.counts
                and step.item.entry.pawn == pawn
                and step.item.entry.to is not UNSET
            ):
                found[pawn] = step.item.entry.to
                break
            stood = before(step.item.id)
            if stood is not None:
                found[pawn] = dict(stood)[pawn]
                break
    return tuple(found.items())


def taken_back(
    game: KnowsPawns, step: Step, items: Sequence[Item], behind: str | None, stood: Standing
) -> Step:
    """The step of a ruling that takes back the play behind the item `behind`: with the pawns that
    stand elsewhere than the rules now have them.
    """
    begin = next((i + 1 for i, item in enumerate(items) if item.id == behind), 0)
    state = game.take_back(step.state, [item.entry for item in items[begin:] if item.rewound])
    now = game.pawns(state)
    return replace(
        step, state=state, restore=tuple((pawn, now[pawn]) for pawn, at in stood if now[pawn] != at)
    )


def as_played(steps: Sequence[Step], begun: Any, behind: str | None) -> dict[str, Any]:
    """The state in which each entry behind the item `behind` was played; of one that stays from
    before, that of its own time.
    """
    found: dict[str, Any] = {}
    for place in range(len(steps) - 1, -1, -1):
        item = steps[place].item
        if item.id == behind:
            break
        if item.counts:
            kept = item.keep is not None and item.keep.was is not None
            found[item.id] = (
                item.keep.was
                if item.keep is not None and kept
                else steps[place - 1].state
                if place
                else begun
            )
    return found


def shots_kept(game: KnowsPawns, steps: Sequence[Step], behind: str | None) -> bool:
    """Whether a shot or move was begun behind the item `behind` that a ruling lets stay."""
    for step in reversed(steps):
        item = step.item
        if item.id == behind:
            return False
        if item.kept and item.keep is not None and game.begins_play(item.keep.was, item.entry):
            return True
    return False


def with_pawns_to_put_back(step: Step, before: Standing, state: Any, game: KnowsPawns) -> Step:
    """A step, played in `state`, with the pawns that still have to be put back behind it; a shot
    before all stand is an irregularity.
    """
    entry, now = step.item.entry, game.pawns(step.state)
    back = (
        entry.pawn
        if isinstance(entry, Moved)
        and entry.to is not UNSET
        and step.item.counts
        and not any(isinstance(one, Irregularity) for one in step.verdicts)
        else None
    )
    left = tuple(one for one in before if one[0] != back and now[one[0]] == one[1])
    verdicts = step.verdicts
    if step.item.counts and not isinstance(entry, NO_SHOTS) and game.begins_play(state, entry):
        verdicts = (*(_not_put_back(step.item.id, *one) for one in before), *verdicts)
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

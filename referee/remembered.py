"""What a replay must not forget when a ruling has the record read anew: placements as they were judged, and who played what in which turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from referee.between import Played, Reach, begins_turn, turn_at
from referee.call import Irregularity
from referee.declaration import Said
from referee.doubt import Step
from referee.games import Game
from referee.incident import Flicked
from referee.sequence import Item, Keep
from referee.shots import knows_pawns

#: What players do.
BY_PLAYERS = (Flicked, Said)


class Remembered:
    """`played` says of flicks and declarations when they were played; `placements` are the irregularities of placement of their own time.

    `states` are those before each entry, in games without flicks.
    """

    def __init__(self) -> None:
        self.played: dict[str, Played] = {}
        self.placements: dict[tuple[str, bool], tuple[Irregularity, ...]] = {}
        self.states: dict[str, Any] = {}

    def copy(self) -> Remembered:
        """A copy that can go on by itself."""
        twin = Remembered()
        twin.played, twin.placements, twin.states = dict(self.played), dict(self.placements), dict(self.states)
        return twin

    def remember(self, steps: list[Step], place: int, begun: Any, game: Game, asked: str | None) -> None:
        """Remember the steps from `place` on, which are about to be replayed; `asked` is the entry a question keeps from being played.

        What is kept stays as it was played before.
        """
        turn = turn_at(steps, place)[0]
        state = steps[place - 1].state if place else begun
        pawns = knows_pawns(game)
        for step in steps[place:]:
            item = step.item
            if item.counts:
                self.placements[item.id, item.given] = placements_in(step)
            if pawns is not None and item.counts and not item.kept and item.id != asked:
                self.states[item.id] = state
            if isinstance(item.entry, BY_PLAYERS) and item.counts and not item.kept and item.id != asked and not game.is_over(state):
                self.played[item.id] = Played(turn, game.active_player(state))
            turn = item.id if begins_turn(step) else turn
            state = step.state

    def keep(self, item: Item, covering: Iterable[Reach]) -> Keep | None:
        """How an item stays as it was played, in games without flicks; `covering` are the rulings that reach over it."""
        if item.id not in self.states:
            return None
        return Keep(was=self.states[item.id], ended=next((reach.ended for reach in covering if reach.ended is not None and not reach.rewinds), None))

    def rename(self, now_called: Callable[[str], str]) -> None:
        """Read the players' names as those of the setup that holds now."""
        self.played = {name: replace(played, player=now_called(played.player)) for name, played in self.played.items()}

    def restore(self, steps: list[Step], place: int) -> None:
        """Give the steps from `place` on the placements as they were judged in their own time."""
        for i in range(place, len(steps)):
            step = steps[i]
            old = self.placements.get((step.item.id, step.item.given))
            if old is not None and step.item.counts and old != placements_in(step):
                new = tuple(v for v in step.verdicts if not (isinstance(v, Irregularity) and v.placement))
                steps[i] = replace(step, verdicts=old + new)


def placements_in(step: Step) -> tuple[Irregularity, ...]:
    """The irregularities of placement of one step."""
    for verdict in step.verdicts:
        if isinstance(verdict, Irregularity) and verdict.placement:
            return tuple(v for v in step.verdicts if isinstance(v, Irregularity) and v.placement)
    return ()

"""What a replay must not forget when a ruling has the record read anew: placements as they were judged, and who played what in which turn."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from referee.between import Played, begins_turn
from referee.call import Irregularity
from referee.declaration import Said
from referee.doubt import Step
from referee.earlier import Earlier
from referee.games import Game
from referee.incident import Flicked

#: What players do.
BY_PLAYERS = (Flicked, Said)


class Remembered:
    """`played` says of flicks and declarations when they were played; `placements` are the irregularities of placement of their own time."""

    def __init__(self) -> None:
        self.played: dict[str, Played] = {}
        self.placements: dict[tuple[str, bool], tuple[Irregularity, ...]] = {}

    def copy(self) -> Remembered:
        """A copy that can go on by itself."""
        twin = Remembered()
        twin.played, twin.placements = dict(self.played), dict(self.placements)
        return twin

    def remember(self, earlier: Earlier, begin: int, end: int, game: Game) -> int:
        """Remember the steps from `begin` to `end` of an earlier replay, which are about to be played anew; gives `end`.

        What is kept stays as it was played before.
        """
        turn, state = earlier.before(begin)
        asked = None if earlier.question is None else earlier.question.on
        for step in earlier.steps[begin:end]:
            item = step.item
            if item.counts:
                self.placements[item.id, item.given] = placements_in(step)
            if isinstance(item.entry, BY_PLAYERS) and item.counts and not item.kept and item.id != asked and not game.is_over(state):
                self.played[item.id] = Played(turn, game.active_player(state))
            turn = item.id if begins_turn(step) else turn
            state = step.state
        return end

    def rename(self, now_called: Callable[[str], str]) -> None:
        """Read the players' names as those of the setup that holds now."""
        self.played = {name: replace(played, player=now_called(played.player)) for name, played in self.played.items()}

    def restore(self, steps: list[Step], place: int, end: int | None = None) -> None:
        """Give the steps from `place` on (before `end`) the placements as they were judged in their own time."""
        for i in range(place, len(steps) if end is None else end):
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

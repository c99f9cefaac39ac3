"""What a replay must not forget when a ruling has the record read anew: placements as they were
judged, and who played what in which turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.declaration import Said
from referee.domain.incident import Flicked
from referee.games import Game
from referee.replay.alternatives import Step
from referee.replay.effective_entries import Item, Played
from referee.replay.previous_replay import Known, PreviousReplay
from referee.replay.rewind_and_keep import Reach, begins_turn, turn_at

#: What players do.
BY_PLAYERS = (Flicked, Said)


class ReplayHistory:
    """What earlier replays have shown.

    `played` says of flicks and declarations when they were last played, `met` of flicks whose turn
    it was when they first came with all at rest, and `for_another` who made those of another
    player's coin; `placements` are the irregularities of placement of their own time.
    """

    def __init__(self) -> None:
        self.played: dict[str, Played] = {}
        self.met: dict[str, str] = {}
        self.for_another: dict[str, str] = {}
        self.placements: dict[tuple[str, str], tuple[Irregularity, ...]] = {}

    def copy(self) -> ReplayHistory:
        """A copy that can go on by itself."""
        twin = ReplayHistory()
        twin.played, twin.met = dict(self.played), dict(self.met)
        twin.for_another, twin.placements = dict(self.for_another), dict(self.placements)
        return twin

    def remember(self, earlier: PreviousReplay, known: Known, end: int, game: Game) -> Known:
        """Remember the steps behind the `known` ones, up to `end`, of an earlier replay, which are
        about to be played anew; gives what is known then.

        What is kept stays as it was played before; what is asked about has not been played.
        """
        begin, turn = known
        state, running = (
            (earlier.steps[begin - 1].state, earlier.steps[begin - 1].flick_from)
            if begin
            else (earlier.state, earlier.running)
        )
        asked = None if earlier.question is None else earlier.question.on
        for step in earlier.steps[begin:end]:
            item = step.item
            if item.counts:
                self.placements.setdefault((item.id, item.given), placements_in(step))
            if isinstance(item.entry, BY_PLAYERS) and item.counts and not game.is_over(state):
                player = game.active_player(state)
                if isinstance(item.entry, Flicked) and running is None:
                    self.met.setdefault(item.id, player)
                    if _flicks_for_another(step, player, game):
                        self.for_another.setdefault(item.id, player)
                if not item.kept and item.id != asked:
                    self.played[item.id] = Played(turn, player)
            turn = item.id if begins_turn(step) else turn
            state, running = step.state, step.flick_from
        return Known(end, turn)

    def keeping(
        self,
        reach: Reach,
        items: Sequence[Item],
        steps: Sequence[Step],
        asked: str | None,
        begun: Any,
        game: Game,
    ) -> Reach:
        """The reach of a ruling that lets play stay, with when the flicks and declarations in
        between were played; what does not count now, when it last was.

        What stays as it was played before does so; what is `asked` about has not been played.
        `begun` is the state before all steps.
        """
        begin = next(
            (i + 1 for i in range(len(items) - 1, -1, -1) if items[i].id == reach.behind), 0
        )
        found = {item.id: self.played[item.id] for item in items[begin:] if item.id in self.played}
        flicks = any(item.counts and isinstance(item.entry, Flicked) for item in items[begin:])
        turn, _ = turn_at(steps, min(begin, len(steps)))
        state = steps[begin - 1].state if 0 < begin <= len(steps) else begun
        for step in steps[begin:]:
            item = step.item
            if (
                isinstance(item.entry, BY_PLAYERS)
                and item.counts
                and item.id != asked
                and not game.is_over(state)
            ):
                kept = None if item.keep is None else item.keep.when
                found[item.id] = kept or Played(turn, game.active_player(state))
            turn = item.id if begins_turn(step) else turn
            state = step.state
        return replace(reach, played=found, flicks=flicks)

    def rename(self, now_called: Callable[[str], str]) -> None:
        """Read the players' names as those of the setup that holds now."""
        self.played = {
            name: replace(played, player=now_called(played.player))
            for name, played in self.played.items()
        }
        self.met = {name: now_called(player) for name, player in self.met.items()}
        self.for_another = {name: now_called(who) for name, who in self.for_another.items()}

    def flicker(self, name: str, *, anybodys: bool) -> str | None:
        """Who made a flick that does not say so, where it is not the coin's owner; `anybodys`: all
        players flick that coin.
        """
        return self.met.get(name) if anybodys else self.for_another.get(name)

    def restore(self, steps: list[Step], place: int, end: int | None = None) -> None:
        """Tell of the steps from `place` on (before `end`) only the placements that were wrong in
        their own time and still are.
        """
        for i in range(place, len(steps) if end is None else end):
            step = steps[i]
            old = self.placements.get((step.item.id, step.item.given))
            if old is not None and step.item.counts and old != (now := placements_in(step)):
                told = tuple(one for one in old if _still_told(one, now))
                rest = tuple(
                    v for v in step.verdicts if not (isinstance(v, Irregularity) and v.placement)
                )
                steps[i] = replace(step, verdicts=told + rest)


def _flicks_for_another(step: Step, player: str, game: Game) -> bool:
    """Whether the player flicked another's coin in this step, and was allowed to."""
    entry = step.item.entry
    if not isinstance(entry, Flicked) or not hasattr(game, "owner"):
        return False
    wrong = any(isinstance(one, Irregularity) and not one.placement for one in step.verdicts)
    return not wrong and game.owner(step.state, entry.coin) not in (None, player)


def _still_told(old: Irregularity, now: Sequence[Irregularity]) -> bool:
    """Whether a placement that was wrong in its own time is told: where it is wrong as the match
    now reads, too; a rest that contradicts what was seen is told as it was.
    """
    return old.what == "rest_contradicts" or _about(old) in map(_about, now)


def _about(odd: Irregularity) -> tuple[str | None, Any]:
    return odd.coin, (odd.facts or {}).get("tile")


def placements_in(step: Step) -> tuple[Irregularity, ...]:
    """The irregularities of placement of one step."""
    for verdict in step.verdicts:
        if isinstance(verdict, Irregularity) and verdict.placement:
            return tuple(v for v in step.verdicts if isinstance(v, Irregularity) and v.placement)
    return ()

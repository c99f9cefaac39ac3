"""What a replay must not forget when a ruling has part of the record played anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
from referee.domain.declaration import Said
from referee.domain.incident import Flicked
from referee.games import Game
from referee.replay.items import InTurn, Item, Step
from referee.replay.ruling_scope import RulingScope, begin_of

#: What players do.
BY_PLAYERS = (Flicked, Said)


class ReplayHistory:
    """What earlier replays have shown.

    `played` says of flicks and declarations in which turn they were last played, `first_player` of
    flicks whose turn it was when they first came with all at rest, and `for_another` who made those
    of another player's coin; `placements` are the irregularities of placement as they were first
    judged, by the entry and the ruling that put it there; `steps` are the last two of an
    entry, each with the state it was played in.
    """

    def __init__(self) -> None:
        self.played: dict[str, InTurn] = {}
        self.first_player: dict[str, str] = {}
        self.for_another: dict[str, str] = {}
        self.placements: dict[str, dict[str, tuple[Irregularity, ...]]] = {}
        self.steps: dict[str, tuple[tuple[Any, Step], ...]] = {}

    def copy(self) -> ReplayHistory:
        """A copy that can go on by itself."""
        twin = ReplayHistory()
        twin.__dict__.update({name: value.copy() for name, value in self.__dict__.items()})
        return twin

    def knows(self, name: str) -> bool:
        """Whether an earlier replay has played the entry with this id."""
        return name in self.placements

    def note(self, before: Step, step: Step, asked: str | None, game: Game) -> None:
        """Note a step that is about to be played anew, and the one before it.

        What is kept stays as it was played before; what is `asked` about has not been played.
        """
        item = step.item
        if not item.fate.counts:
            return
        first = self.placements.get(item.id, {})
        if item.given not in first:
            self.placements[item.id] = {**first, item.given: placements_in(step.verdicts)}
        if item.id != asked and not step.settled and not before.restore:
            self.steps[item.id] = (*self.steps.get(item.id, ())[-1:], (before.state, step))
        if not isinstance(item.entry, BY_PLAYERS) or game.is_over(before.state):
            return
        player = game.active_player(before.state)
        if isinstance(item.entry, Flicked) and before.flick_from is None:
            self.first_player.setdefault(item.id, player)
            if _flicks_for_another(step, player, game):
                self.for_another.setdefault(item.id, player)
        if not item.fate.kept and item.id != asked:
            self.played[item.id] = InTurn(before.turn, player)

    def with_scope_of_keep(
        self,
        scope: RulingScope,
        items: Sequence[Item],
        steps: Sequence[Step],
        begun: Step,
        asked: str | None,
        game: Game,
    ) -> RulingScope:
        """The scope of a ruling that lets play stay, with the turns in which the flicks and
        declarations in between were played; of one that does not count now, when it last was.

        `steps` are all so far, `begun` stands for the one before them.
        """
        begin = begin_of(scope, items, len(items))
        between = items[begin:]
        played = {item.id: self.played[item.id] for item in between if item.id in self.played}
        flicks = any(item.fate.counts and isinstance(item.entry, Flicked) for item in between)
        before = steps[begin - 1] if 0 < begin <= len(steps) else begun
        for step in steps[begin:]:
            item = step.item
            there = item.fate.counts and item.id != asked and isinstance(item.entry, BY_PLAYERS)
            if there and not game.is_over(before.state):
                kept = None if item.as_played is None else item.as_played.when
                now = InTurn(before.turn, game.active_player(before.state))
                played[item.id] = kept or now
            before = step
        return replace(scope, played=played, flicks=flicks)

    def played_alike(self, item: Item, before: Step) -> Step | None:
        """The step of an earlier replay in which the same was played in the very same state."""
        if before.restore or item.as_played is not None:
            return None
        for state, step in self.steps.get(item.id, ()):
            if state is before.state and step.item == item:
                return step
        return None

    def forget_steps(self) -> None:
        """Let everything be played anew."""
        self.steps = {}

    def rename(self, now_called: Callable[[str], str]) -> None:
        """Read the players' names as those of the setup that holds now."""
        self.played = {
            name: replace(played, player=now_called(played.player))
            for name, played in self.played.items()
        }
        self.first_player = {name: now_called(who) for name, who in self.first_player.items()}
        self.for_another = {name: now_called(who) for name, who in self.for_another.items()}

    def flicker(self, name: str, *, anybodys: bool) -> str | None:
        """Who made a flick that does not say so, where it is not the coin's owner; `anybodys`: all
        players flick that coin.
        """
        return (self.first_player if anybodys else self.for_another).get(name)

    def with_first_placements(self, step: Step) -> Step:
        """A step with the irregularities of placement that it had when it was first judged, and
        still has.
        """
        first = self.placements[step.item.id].get(step.item.given)
        if first is None or first == (now := placements_in(step.verdicts)):
            return step
        told = tuple(one for one in first if _is_still_told(one, now))
        others = tuple(
            one for one in step.verdicts if not (type(one) is Irregularity and one.placement)
        )
        return replace(step, verdicts=told + others)


def _flicks_for_another(step: Step, player: str, game: Game) -> bool:
    """Whether the player flicked another's coin in this step, and was allowed to."""
    entry = step.item.entry
    if not isinstance(entry, Flicked) or not hasattr(game, "owner"):
        return False
    wrong = any(isinstance(one, Irregularity) and not one.placement for one in step.verdicts)
    return not wrong and game.owner(step.state, entry.coin) not in (None, player)


def _is_still_told(first: Irregularity, now: Sequence[Irregularity]) -> bool:
    """Whether a placement that was wrong in its own time is told: where it is wrong as the match
    now reads, too; a rest that contradicts what was seen is told as it was.
    """
    return first.what == "rest_contradicts" or _about(first) in map(_about, now)


def _about(odd: Irregularity) -> tuple[str | None, Any]:
    return odd.coin, (odd.facts or {}).get("tile")


def placements_in(verdicts: Sequence[Verdict]) -> tuple[Irregularity, ...]:
    """The irregularities of placement among verdicts."""
    if not verdicts:
        return ()
    return tuple([one for one in verdicts if type(one) is Irregularity and one.placement])

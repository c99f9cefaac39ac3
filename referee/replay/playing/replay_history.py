"""What a replay has to remember when part of the record is played again after a ruling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, get_args

from msgspec.structs import replace

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.declaration import Declaration, Pass
from referee.domain.incident import Flicked
from referee.games import Game
from referee.replay.rulings.items import InTurn, Item, Step
from referee.replay.rulings.ruling_scope import RulingScope, begin_of

#: The kinds of entry that a player makes.
BY_PLAYERS: Final = frozenset((Flicked, *get_args(Declaration)))


class ReplayHistory:
    """What is known from earlier replays, by the id of the entry.

    `played` holds the turn in which a flick or declaration was last played. `first_player` holds
    whose turn it was when a flick was first played and all pieces lay still before it.
    `for_another` holds, for a flick of another player's coin, who made it. `placements` holds the
    irregularities of placement that were found when the entry was first judged, by the id of the
    ruling that wrote the entry ("" if none did). `steps` holds the last two steps of an entry, each
    with the state it was played in.
    """

    def __init__(self) -> None:
        self.played: dict[str, InTurn] = {}
        self.first_player: dict[str, str] = {}
        self.for_another: dict[str, str] = {}
        self.placements: dict[str, dict[str, tuple[Irregularity, ...]]] = {}
        self.steps: dict[str, tuple[tuple[Any, Step], ...]] = {}

    def copy(self) -> ReplayHistory:
        """Return an independent copy."""
        twin = ReplayHistory()
        twin.__dict__.update({name: value.copy() for name, value in self.__dict__.items()})
        return twin

    def note(self, before: Step, step: Step, asked: str | None, game: Game) -> None:
        """Note a step that will be played again, with the step before it.

        An entry that a ruling keeps stays as it was played before. The entry `asked` about has not
        been played.
        """
        item, name = step.item, step.item.id
        if not item.fate.counts:
            return
        first = self.placements.setdefault(name, {})
        if item.given not in first:
            self.placements[name] = {**first, item.given: placements_in(step.verdicts)}
        if name != asked and not step.settled and not before.restore:
            self.steps[name] = (*self.steps.get(name, ())[-1:], (before.state, step))
        if type(item.entry) not in BY_PLAYERS or game.is_over(before.state):
            return
        player = game.active_player(before.state)
        if type(item.entry) is Flicked and before.flick_from is None:
            self.first_player.setdefault(item.id, player)
            if _flicks_for_another(step, player, game):
                self.for_another.setdefault(item.id, player)
        if not item.fate.kept and item.id != asked:
            self.played[item.id] = InTurn(before.turn, player, _ended_by(step))

    def with_scope_of_keep(
        self,
        scope: RulingScope,
        items: Sequence[Item],
        steps: Sequence[Step],
        begun: Step,
        asked: str | None,
        game: Game,
    ) -> RulingScope:
        """Return the scope of a ruling with `then: keep`, with the turn in which each flick and
        declaration in it was played.

        For an entry that does not count now, this is the turn in which it was last played. `steps`
        are all steps so far, and `begun` is the step before them.
        """
        begin = begin_of(scope, items, len(items))
        between = items[begin:]
        played = {item.id: self.played[item.id] for item in between if item.id in self.played}
        flicks = any(item.fate.counts and type(item.entry) is Flicked for item in between)
        before = steps[begin - 1] if 0 < begin <= len(steps) else begun
        for step in steps[begin:]:
            item = step.item
            there = item.fate.counts and item.id != asked and type(item.entry) in BY_PLAYERS
            if there and not game.is_over(before.state):
                kept = None if item.as_played is None else item.as_played.when
                now = InTurn(before.turn, game.active_player(before.state), _ended_by(step))
                played[item.id] = kept or now
            before = step
        return replace(scope, played=played, flicks=flicks)

    def played_alike(self, item: Item, before: Step) -> Step | None:
        """Return the earlier step in which the same item was played in the same state."""
        if before.restore or item.as_played is not None:
            return None
        for state, step in self.steps.get(item.id, ()):
            if state is before.state and step.item == item:
                return step
        return None

    def forget_steps(self) -> None:
        """Forget the steps, so that everything is played again."""
        self.steps = {}

    def rename(self, now_called: Callable[[str], str]) -> None:
        """Replace the players' names by those of the setup in force."""
        self.played = {
            name: replace(played, player=now_called(played.player))
            for name, played in self.played.items()
        }
        self.first_player = {name: now_called(who) for name, who in self.first_player.items()}
        self.for_another = {name: now_called(who) for name, who in self.for_another.items()}

    def flicker(self, name: str, *, anybodys: bool) -> str | None:
        """Return who made a flick that does not name its player, if that is not the owner of the
        coin.

        `anybodys` says that every player flicks that coin.
        """
        return (self.first_player if anybodys else self.for_another).get(name)

    def with_first_placements(self, step: Step) -> Step:
        """Return a step in which the irregularities of placement are those that were found when its
        entry was first judged and are still reported.
        """
        first = self.placements[step.item.id].get(step.item.given)
        if first is None or first == (now := placements_in(step.verdicts)):
            return step
        still = tuple(one for one in first if _still_stands(one, now))
        others = tuple(
            one for one in step.verdicts if not (type(one) is Irregularity and one.placement)
        )
        return replace(step, verdicts=still + others)


def _ended_by(step: Step) -> str:
    """Return the coin whose play this step's pass ended; "" if the step is not a pass that ended a
    coin's play.
    """
    if type(step.item.entry) is not Pass:
        return ""
    passed = (one for one in step.verdicts if isinstance(one, Call) and one.call == "passed")
    return next((str(call.coin) for call in passed), "")


def _flicks_for_another(step: Step, player: str, game: Game) -> bool:
    """Return whether the player flicked another player's coin in this step and was allowed to."""
    entry = step.item.entry
    if not isinstance(entry, Flicked) or not hasattr(game, "owner"):
        return False
    wrong = any(isinstance(one, Irregularity) and not one.placement for one in step.verdicts)
    return not wrong and game.owner(step.state, entry.coin) not in (None, player)


def _still_stands(first: Irregularity, now: Sequence[Irregularity]) -> bool:
    """Return whether an irregularity of placement that was first judged earlier is still reported.

    `rest_contradicts` is always still reported. Any other is reported if the rules still find it.
    """
    return first.what == "rest_contradicts" or _about(first) in map(_about, now)


def _about(odd: Irregularity) -> tuple[str | None, Any]:
    return odd.coin, (odd.facts or {}).get("tile")


def placements_in(verdicts: Sequence[Verdict]) -> tuple[Irregularity, ...]:
    """Return the irregularities of placement among verdicts."""
    if not verdicts:
        return ()
    return tuple([one for one in verdicts if type(one) is Irregularity and one.placement])

"""Applies the rules of the game to the effective entries of a record, one step for each entry.

If something in a flick is in doubt, the flick is played in every way it may have gone. There is a
question only if the results differ once all pieces lie still.
"""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from referee.domain.call import Call, Question, Verdict
from referee.domain.entry import Fact, Setup, sizes_of
from referee.domain.incident import AtRest, Flicked
from referee.games import Game, KeepsTurns, game_named
from referee.replay.playing.alternatives import settle
from referee.replay.playing.judge import MOVING, Judge
from referee.replay.playing.replay_history import BY_PLAYERS, ReplayHistory
from referee.replay.playing.verdict_log import VerdictLog
from referee.replay.rulings.effective_entries import EffectiveEntries
from referee.replay.rulings.in_force import Rulings
from referee.replay.rulings.items import FLICK_BOUNDS, Item, Step
from referee.replay.rulings.rewind_and_keep import (
    coins_to_put_back,
    in_own_turn,
    with_coins_to_put_back,
)
from referee.replay.rulings.shots import (
    knows_pawns,
    with_pawns_taken_back,
    with_pawns_to_put_back,
    with_pawns_where_they_lie,
)
from referee.replay.rulings.too_close import too_close_of


class Replay:
    """One match played so far: its effective entries, and a step for each that was played."""

    def __init__(self, setup: Setup) -> None:
        """Start with the setup. Raises InputError if the rules of the game are not known."""
        self.game: Game = game_named(setup.game)
        self.question: Question | None = None
        self.steps: list[Step] = []
        too_close = too_close_of(setup)
        self._judge = Judge(self.game, too_close)
        self._effective = EffectiveEntries(setup, too_close)
        self._share()
        self._history = ReplayHistory()
        self._verdict_log = VerdictLog()
        self._unsettled: int | None = None
        self._stood = 0
        self._begin()

    def _begin(self) -> None:
        setup = self._effective.setup
        self.begun = self.game.setup(setup)
        self.opening = self.game.opening(self.begun)
        self._start = Step(Item("setup", -1, cast(Fact, setup)), self.begun, ())
        self._pawns = knows_pawns(self.game)

    def _share(self) -> None:
        #: The record's entries after the setup, each with its id.
        self.entries: list[Fact] = self._effective.entries
        #: The record's rulings.
        self.rulings: Rulings = self._effective.rulings

    @property
    def setup(self) -> Setup:
        """Return the setup in force."""
        return self._effective.setup

    @property
    def first_setup(self) -> Setup:
        """Return the setup with which the record begins."""
        return self._effective.first_setup

    @property
    def effective_entries(self) -> list[Fact]:
        """Return the entries that hold under all rulings, in order, including those after an open
        question.
        """
        return [item.entry for item in self._effective.items if item.counts]

    @property
    def state(self) -> Any:
        """Return the present state of the game. While there is a question, it is the state before
        the entry that is asked about.
        """
        return self.steps[-1].state if self.steps else self.begun

    @property
    def verdict_log(self) -> VerdictLog:
        """Return the calls and irregularities of all steps."""
        return self._verdict_log.catch_up(self.steps)

    def _before(self, place: int) -> Step:
        """Return the step before the one at `place`, or the last step if there are fewer."""
        return self.steps[min(place, len(self.steps)) - 1] if place and self.steps else self._start

    def _state_before(self, place: int) -> Any:
        return self._before(place).state

    def stood(self) -> int:
        """Return how many of the first steps are still the same as at the last call of this method.
        Only one caller may use this method, because each call begins a new count.
        """
        stood, self._stood = self._stood, len(self.steps)
        return stood

    def _cut(self, place: int) -> None:
        del self.steps[place:]
        self._stood = min(self._stood, place)
        self._verdict_log.cut(place)

    def _advance(self) -> None:
        if self._unsettled is not None:
            self._cut(self._unsettled)
            self.question, self._unsettled = None, None
        steps, items = self.steps, self._effective.items
        while len(steps) < len(items) and self.question is None:
            self._step(items[len(steps)], steps[-1] if steps else self._start)

    def _step(self, item: Item, before: Step) -> None:
        fate, alike = item.fate, None
        if not fate.counts:
            self.steps.append(self._unplayed(item, before))
            return
        if fate.kept or item.id in self._history.placements:
            item = self._by_its_player(item, before)
            alike = self._history.played_alike(item, before)
        flick, kind = before.flick_from, type(item.entry)
        if flick is not None and kind in MOVING and self._is_in_doubt(item, flick):
            self._settle(flick)
            return
        if alike is not None:
            state, verdicts, asked = alike.state, alike.verdicts, None
        else:
            state, verdicts, asked = self._judge.play(before.state, item)
        if asked is not None:
            if asked.weighed and flick is not None:
                self._settle(flick)
                return
            self.question = asked
        elif kind is Flicked:
            flick = len(self.steps)
        elif kind is AtRest:
            flick = None
        self._add_step(item, before, state, verdicts, flick)

    def _is_in_doubt(self, item: Item, flick: int) -> bool:
        earlier = self._effective.items[flick : len(self.steps)]
        return self._judge.in_doubt(item, earlier, self.rulings)

    def _by_its_player(self, item: Item, before: Step) -> Item:
        """Return a flick or declaration with the player who made it, in the turn in which the
        player made it.

        If a ruling keeps it, `in_own_turn` puts it back into that turn, or makes it void.
        """
        entry = item.entry
        if type(entry) not in BY_PLAYERS:
            return item
        if type(entry) is Flicked and entry.player is None and before.flick_from is None:
            player = self._history.flicker(item.id, anybodys=self._is_anybodys(entry, before))
            item = replace(item, entry=replace(entry, player=player))
        if item.fate.kept and hasattr(self.game, "go_on"):
            item = in_own_turn(item, before.state, self.steps, cast(KeepsTurns, self.game))
        self._effective.items[len(self.steps)] = item
        return item

    def _is_anybodys(self, entry: Flicked, before: Step) -> bool:
        """Return whether every player flicks this coin."""
        return hasattr(self.game, "owner") and self.game.owner(before.state, entry.coin) is None

    def _add_step(
        self,
        item: Item,
        before: Step,
        state: Any,
        verdicts: tuple[Verdict, ...],
        flick: int | None,
        settled: bool = False,
    ) -> None:
        turn = before.turn
        for verdict in verdicts:
            if type(verdict) is Call and verdict.call == "turn_began":
                turn = item.id
        step = Step(item, state, verdicts, flick, turn, (), settled)
        if before.restore and self._pawns is not None:
            step = with_pawns_to_put_back(step, before, self._pawns)
        elif before.restore:
            step = with_coins_to_put_back(step, before.restore, sizes_of(self.setup).coin_mm)
        if item.id in self._history.placements and item.fate.counts:
            step = self._history.with_first_placements(step)
        self.steps.append(step)

    def _unplayed(self, item: Item, before: Step) -> Step:
        """Return the step of an item that is not played. It changes something only for a ruling
        with a `then`.
        """
        step = Step(item, before.state, (), before.flick_from, before.turn, before.restore)
        scope = self._effective.scopes.of(item.id)
        if scope is None or (self._pawns is None and not scope.rewinds):
            return step
        items, end = self._effective.items, len(self.steps)
        if self._pawns is None:
            return replace(step, restore=coins_to_put_back(items, end, scope))
        if scope.rewinds:
            return with_pawns_taken_back(self._pawns, step, items, end, scope)
        return with_pawns_where_they_lie(self._pawns, self.steps, step, scope)

    def _settle(self, start: int) -> None:
        """Play the flick that begins at `start` in every way it may have gone."""
        items = self._effective.items
        end = start + 1
        while end < len(items) and not (
            items[end].fate.counts and type(items[end].entry) in FLICK_BOUNDS
        ):
            end += 1
        over = end < len(items) and type(items[end].entry) is AtRest
        flick = items[start : end + over]
        ruled = self.rulings.orders(item.id for item in flick)
        steps, question = settle(self._judge, self._before(start).state, flick, start, ruled)
        self._cut(start)
        for step in steps:
            before = self._before(len(self.steps))
            self._add_step(
                step.item, before, step.state, step.verdicts, step.flick_from, settled=True
            )
        self.question = question
        if end == len(items):
            self._unsettled = start

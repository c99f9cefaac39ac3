"""Doubt: incidents too close to call and of unknown order are played every way they may have gone;
only what matters is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from referee.domain.call import Question, Verdict
from referee.domain.geometry import Point
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    LeftTable,
    LineCrossed,
    Measured,
    Pocketed,
    Renamed,
    Rolled,
)
from referee.games import Game, KeepsTurns, KnowsPawns
from referee.replay.effective_entries import Item, Keep, Rulings
from referee.replay.ordering import Order, order_unknown

MOVING = (LineCrossed, Contact, LeftTable, Pocketed)
#: More ways than this are not played through: the first doubt is asked about instead.
MOST_WAYS = 20_000


class Step(msgspec.Struct, frozen=True, gc=False):
    """One item, the state behind it, what the rules said to it, and the place of the flick that is
    then under way.

    `restore` is what has to lie elsewhere since a ruling took play back: coins with where they lay
    (None: not on the table). `settled` when it is one of a flick in which something was in doubt.
    """

    item: Item
    state: Any
    verdicts: tuple[Verdict, ...]
    flick_from: int | None
    restore: tuple[tuple[str, Point | None], ...] = ()
    settled: bool = False


@dataclass(frozen=True)
class Judge:
    """A game with its match's too-close band (`low` to `high`, both ends in it) and what becomes of
    what lies in it.
    """

    game: Game
    low: float
    high: float
    setting: str

    def never_happened(self, item: Item) -> bool:
        """Whether a flick was so unlikely that it did not take place."""
        how = self._how(item)
        return how in ("skip", "favour")

    def happened(self, item: Item) -> bool:
        """Whether an item is applied: it is certain enough, or a ruling lets it stand."""
        return self._how(item) == "apply"

    def _how(self, item: Item) -> str:
        """Whether an item is to be applied ("apply"), left out ("skip"), is in doubt ("doubt"), or
        goes by whom it favours ("favour").
        """
        entry = item.entry
        probability = entry.probability if isinstance(entry, Measured) else None
        if probability is None or item.given or item.upheld or probability > self.high:
            return "apply"
        if probability < self.low:
            return "skip"
        return "doubt" if self.setting == "ask" or isinstance(entry, Rolled) else "favour"

    def in_doubt(self, item: Item, earlier: Sequence[Item], rulings: Rulings) -> bool:
        """Whether an item makes its flick doubtful: too close to call, or of unknown or ruled order
        with an earlier one.
        """
        entry = item.entry
        if not isinstance(entry, MOVING):
            return False
        if self._how(item) == "doubt" or rulings.is_ordered(item.id):
            return True
        if entry.t_s is None and entry.frames is None:
            return False
        return any(
            other.counts and isinstance(other.entry, MOVING) and order_unknown(other.entry, entry)
            for other in earlier
        )

    def play(
        self, state: Any, item: Item, choice: bool | None
    ) -> tuple[Any, tuple[Verdict, ...], Question | None]:
        """Apply one item: the state behind it, the verdicts but for a question that stops the play,
        and that question.

        `choice` settles a doubt; without one, a doubt that changes anything at once is asked about.
        """
        how = self._how(item)
        if how == "favour":
            good = self.game.favours(state, item.entry)  # type: ignore[arg-type]
            how = (
                "apply" if good is not None and good == (self.setting == "for-striker") else "skip"
            )
        if how == "skip" or choice is False:
            return state, (), None
        if how == "doubt" and isinstance(item.entry, Renamed):
            return state, (), None if self.game.is_over(state) else self.too_close(state, item)
        if item.keep is not None:
            after, verdicts = self._kept(state, item, item.keep)
        else:
            upheld = item.upheld or choice is True
            after, verdicts = self.game.apply(state, item.entry, upheld=upheld)[:2]  # type: ignore[arg-type]
        asked = (
            next((verdict for verdict in verdicts if isinstance(verdict, Question)), None)
            if verdicts
            else None
        )
        if asked is not None:
            return state, tuple(verdict for verdict in verdicts if verdict is not asked), asked
        if how == "doubt" and choice is None:
            return (
                state,
                (),
                (
                    self.too_close(state, item)
                    if self.game.outcome(after) != self.game.outcome(state)
                    else None
                ),
            )
        return after, verdicts, None

    def _kept(self, state: Any, item: Item, keep: Keep) -> tuple[Any, tuple[Verdict, ...]]:
        if keep.was is not None:
            return cast(KnowsPawns, self.game).play_kept(state, keep.was, keep.ended, item.entry)  # type: ignore[arg-type]
        game, verdicts = cast(KeepsTurns, self.game), list[Verdict]()
        for _ in range(keep.passes):
            state, more = game.go_on(state, item.id)
            verdicts += more
        if not keep.void:
            state, more = game.apply(state, item.entry, upheld=item.upheld)[:2]  # type: ignore[arg-type]
        elif isinstance(item.entry, Flicked):
            state, more = game.void_flick(state, item.entry)
        else:
            more = ()
        return state, (*verdicts, *more)

    def too_close(self, state: Any, item: Item) -> Question:
        """The question whether an incident happened."""
        entry = item.entry
        assert isinstance(entry, Measured)
        text = (
            f"Too close to call: {self.game.describe(state, entry)}, probability"
            f" {entry.probability:.2f}. Did it happen?"
        )
        if isinstance(entry, Renamed):
            names = " and ".join(entry.coins)
            text = f"Were {names} taken for each other? The probability is {entry.probability:.2f}."
        return Question(
            on=item.id,
            what="too_close",
            rule=self.game.DOUBTS,
            text=text,
            answers=("upheld", "overturned"),
            coin=getattr(entry, "coin", None),
        )

    def which_first(self, state: Any, first: Item, second: Item) -> Question:
        """The question which of two incidents came first."""
        one, two = (self.game.describe(state, item.entry) for item in (first, second))  # type: ignore[arg-type]
        text = f"Nobody can tell what came first: {one}, or {two}?"
        return Question(
            on=first.id,
            other=second.id,
            what="order",
            rule=self.game.DOUBTS,
            text=text,
            answers=("before",),
        )


class TooManyWaysError(Exception):
    """There are more ways a flick may have gone than can be played through."""


@dataclass(frozen=True)
class Flight:
    """One flick to settle: the state before it, its items, and which of them (`moving`, places in
    `items`) may have come in another order.
    """

    judge: Judge
    state: Any
    items: tuple[Item, ...]
    moving: tuple[int, ...]

    def lined_up(self, order: Sequence[int]) -> list[Item]:
        """The items with those that move in another order (`order` are places in `moving`),
        everything else where it stands.
        """
        line = list(self.items)
        for slot, place in zip(self.moving, order, strict=True):
            line[slot] = self.items[self.moving[place]]
        return line

    def outcomes(self, order: Order, chosen: Mapping[str, bool]) -> set[object]:
        """All that the flick may have come to, at rest. Raises TooManyWaysError."""
        done: dict[int, set[Any]] = {0: {self._through(self.state, -1)}}
        ways = 0
        for slot in range(len(self.moving)):
            following: dict[int, set[Any]] = {}
            for mask, states in done.items():
                for i in order.ready(mask):
                    ways += len(states)
                    if ways > MOST_WAYS:
                        raise TooManyWaysError
                    after = {
                        self._through(one, slot)
                        for state in states
                        for one in self._one(state, self.items[self.moving[i]], chosen)
                    }
                    following.setdefault(mask | 1 << i, set()).update(after)
            done = following
        return {self.judge.game.outcome(state) for states in done.values() for state in states}

    def _one(self, state: Any, item: Item, chosen: Mapping[str, bool]) -> Iterator[Any]:
        choices = (
            (chosen[item.id],)
            if item.id in chosen
            else (False, True)
            if self.judge._how(item) == "doubt"
            else (None,)
        )
        for choice in choices:
            after, _, asked = self.judge.play(state, item, choice)
            yield after
            if asked is not None and choice is None:
                yield self.judge.play(state, item, True)[0]

    def _through(self, state: Any, slot: int) -> Any:
        """Apply what stands between one slot and the next and keeps its place."""
        begin = self.moving[slot] + 1 if slot >= 0 else 0
        end = self.moving[slot + 1] if slot + 1 < len(self.moving) else len(self.items)
        for item in self.items[begin:end]:
            if item.counts:
                state = self.judge.play(state, item, None)[0]
        return state

    def play(
        self, line: Sequence[Item], start: int, doubtful: set[str]
    ) -> tuple[list[Step], Question | None]:
        """Play the items in one order, leaving out what is in doubt; stops at a question."""
        steps: list[Step] = []
        state, running = self.state, start if isinstance(self.items[0].entry, Flicked) else None
        for item in line:
            verdicts: tuple[Verdict, ...] = ()
            if item.counts:
                state, verdicts, asked = self.judge.play(
                    state, item, False if item.id in doubtful else None
                )
                if asked is not None:
                    return steps, asked
                running = None if isinstance(item.entry, AtRest) else running
            steps.append(Step(item, state, verdicts, running, settled=True))
        return steps, None


def settle(
    judge: Judge, state: Any, items: Sequence[Item], start: int, ruled: Sequence[tuple[str, str]]
) -> tuple[list[Step], Question | None]:
    """Play a flick in which something is in doubt: its steps, and the question where the doubt
    makes a difference at rest.

    `items` begin with the `flicked`; `start` is its place in the record as it now reads. With a
    question the steps are those before the incident asked about.
    """
    doubtful = {
        item.id: None
        for item in items
        if item.counts and isinstance(item.entry, MOVING) and judge._how(item) == "doubt"
    }
    met_again: dict[str, Question] = {}
    while True:
        flight, order = _flight(judge, state, items, ruled)
        line = flight.lined_up(order.standing())
        steps, asked = flight.play(line, start, {*doubtful, *met_again})
        if asked is None or not asked.weighed:
            break
        met_again[asked.on] = asked
    if asked is not None:
        line = line[: len(steps)]
        flight, order = _flight(judge, state, line, ruled)
    matter = first_that_matters(flight, order, {*doubtful, *met_again})
    if matter is None:
        return steps, asked
    place = next(i for i, item in enumerate(line) if item.id == matter[0].id)
    before = steps[place - 1].state if place else state
    return steps[:place], met_again.get(matter[0].id) or _question(judge, before, *matter)


def _question(judge: Judge, state: Any, item: Item, other: Item | None) -> Question:
    return judge.too_close(state, item) if other is None else judge.which_first(state, item, other)


def first_that_matters(
    flight: Flight, order: Order, doubtful: set[str]
) -> tuple[Item, Item | None] | None:
    """The first doubt of a flick that makes a difference at rest: an incident in doubt, or two
    whose order is; None when none does.
    """
    candidates = list(_candidates(flight, order, doubtful))
    if not candidates:
        return None
    try:
        if len(flight.outcomes(order, {})) == 1:
            return None
        for first, other in candidates:
            if _differs(flight, order, first, other):
                return _items(flight, first, other)
    except TooManyWaysError:
        pass
    return _items(flight, *candidates[0])


def _candidates(
    flight: Flight, order: Order, doubtful: set[str]
) -> Iterator[tuple[int, int | None]]:
    pairs = order.open_pairs()
    standing = order.standing()
    for place, i in enumerate(standing):
        if flight.items[flight.moving[i]].id in doubtful:
            yield i, None
        for j in standing[place + 1 :]:
            if (min(i, j), max(i, j)) in pairs:
                yield i, j


def _differs(flight: Flight, order: Order, first: int, other: int | None) -> bool:
    if other is None:
        name = flight.items[flight.moving[first]].id
        return flight.outcomes(order, {name: True}) != flight.outcomes(order, {name: False})
    return flight.outcomes(order.with_pair(first, other), {}) != flight.outcomes(
        order.with_pair(other, first), {}
    )


def _items(flight: Flight, first: int, other: int | None) -> tuple[Item, Item | None]:
    return flight.items[flight.moving[first]], (
        None if other is None else flight.items[flight.moving[other]]
    )


def _flight(
    judge: Judge, state: Any, items: Sequence[Item], ruled: Sequence[tuple[str, str]]
) -> tuple[Flight, Order]:
    ordered = {name for pair in ruled for name in pair}
    places = [
        place for place, item in enumerate(items) if item.counts and isinstance(item.entry, MOVING)
    ]
    if any(items[place].id not in ordered for place in places):
        flicked = judge.play(state, items[0], None)[0]
        places = [
            place
            for place in places
            if items[place].id in ordered or not judge.game.indifferent(flicked, items[place].entry)  # type: ignore[arg-type]
        ]
    moving = tuple(places)
    entries = [items[place].entry for place in moving]
    return Flight(judge, state, tuple(items), moving), Order(
        [entry for entry in entries if isinstance(entry, Measured)], ruled
    )

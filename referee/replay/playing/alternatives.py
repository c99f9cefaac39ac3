"""Plays a flick in doubt in every way it may have gone, and asks only about a doubt that makes a
difference.

A flick is in doubt if one of its incidents is too close to call, or if nobody can tell the order of
two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.domain.call import Question, Verdict
from referee.domain.incident import AtRest, Flicked, Measured
from referee.replay.playing.judge import MOVING, Judge
from referee.replay.playing.ordering import Order
from referee.replay.rulings.items import Item, Step

#: If a flick may have gone in more ways than this, the referee asks about its first doubt at once.
MOST_WAYS: Final = 20_000


class TooManyWaysError(Exception):
    """The flick may have gone in more ways than can be played through."""


@dataclass(frozen=True)
class Flight:
    """One flick in doubt: the state before it, and its items.

    `moving` gives the places in `items` of the items whose order may differ.
    """

    judge: Judge
    state: Any
    items: tuple[Item, ...]
    moving: tuple[int, ...]

    def lined_up(self, order: Sequence[int]) -> list[Item]:
        """Return the items in another order. `order` lists places in `moving`; all other items keep
        their places.
        """
        line = list(self.items)
        for slot, place in zip(self.moving, order, strict=True):
            line[slot] = self.items[self.moving[place]]
        return line

    def outcomes(self, order: Order, chosen: Mapping[str, bool]) -> set[object]:
        """Return all states that the flick may have led to once all pieces lie still. Raises
        TooManyWaysError.
        """
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
            if self.judge.too_close.certainty(item) == "in doubt"
            else (None,)
        )
        for choice in choices:
            after, _, asked = self.judge.play(state, item, choice)
            yield after
            if asked is not None and choice is None:
                yield self.judge.play(state, item, True)[0]

    def _through(self, state: Any, slot: int) -> Any:
        """Apply the items that keep their place between one moving item and the next."""
        begin = self.moving[slot] + 1 if slot >= 0 else 0
        end = self.moving[slot + 1] if slot + 1 < len(self.moving) else len(self.items)
        for item in self.items[begin:end]:
            if item.counts:
                state = self.judge.play(state, item)[0]
        return state

    def play(
        self, line: Sequence[Item], start: int, doubtful: set[str]
    ) -> tuple[list[Step], Question | None]:
        """Play the items in one order, without those in doubt. Stop at a question."""
        steps: list[Step] = []
        state, running = self.state, start if type(self.items[0].entry) is Flicked else None
        for item in line:
            verdicts: tuple[Verdict, ...] = ()
            if item.counts:
                state, verdicts, asked = self.judge.play(
                    state, item, False if item.id in doubtful else None
                )
                if asked is not None:
                    return steps, asked
                running = None if type(item.entry) is AtRest else running
            steps.append(Step(item, state, verdicts, running, settled=True))
        return steps, None


def settle(
    judge: Judge, state: Any, items: Sequence[Item], start: int, ruled: Sequence[tuple[str, str]]
) -> tuple[list[Step], Question | None]:
    """Play a flick in doubt. Return its steps, and a question if the doubt makes a difference once
    all pieces lie still.

    `items` begin with the `flicked`; `start` is the place of that item among all items. If there is
    a question, the steps end before the incident that it asks about.
    """
    doubtful = {
        item.id: None
        for item in items
        if item.counts
        and type(item.entry) in MOVING
        and judge.too_close.certainty(item) == "in doubt"
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
    return (
        judge.whether_it_happened(state, item)
        if other is None
        else judge.which_first(state, item, other)
    )


def first_that_matters(
    flight: Flight, order: Order, doubtful: set[str]
) -> tuple[Item, Item | None] | None:
    """Return the first doubt that makes a difference once all pieces lie still: one incident, or
    two whose order is not known. Return None if no doubt makes a difference.
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
        place for place, item in enumerate(items) if item.counts and type(item.entry) in MOVING
    ]
    if any(items[place].id not in ordered for place in places):
        flicked = judge.play(state, items[0])[0]
        facts: list[Any] = [item.entry for item in items]
        places = [
            place
            for place in places
            if items[place].id in ordered or not judge.game.indifferent(flicked, facts[place])
        ]
    moving = tuple(places)
    entries = [items[place].entry for place in moving]
    return Flight(judge, state, tuple(items), moving), Order(
        [entry for entry in entries if isinstance(entry, Measured)], ruled
    )

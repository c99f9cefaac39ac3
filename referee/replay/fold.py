"""The fold: a record replayed entry by entry, with every ruling applied.

After a ruling, the record is replayed from the first entry that the ruling changes. The replay
stops at the first entry from which everything would be the same as before the ruling.

An irregularity of placement is reported if the rules found it when they first judged the placement
and still find it. A later ruling never adds such an irregularity. It removes those for which there
is no longer a reason.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.domain.declaration import Said
from referee.domain.entry import Entry, Ruling, Setup, added_id, named
from referee.domain.incident import Incident, Measured, Moved
from referee.games import KnowsPawns
from referee.replay.playing.judge import Judge
from referee.replay.playing.replay import Replay
from referee.replay.previous_replay import PreviousReplay
from referee.replay.rulings.items import Item
from referee.replay.rulings.rewind_and_keep import end_of_flick
from referee.replay.rulings.ruling_scope import RulingScope
from referee.replay.rulings.shots import end_of_shot, pawns_now, states_played_in
from referee.replay.rulings.too_close import too_close_of


class Fold(Replay):
    """One match replayed so far. `push` takes the next entry. A `copy` can go on with other
    entries.
    """

    def copy(self) -> Fold:
        """Return a fold in the same state."""
        twin = object.__new__(Fold)
        twin.__dict__.update(self.__dict__)
        for name in ("steps", "_effective", "_history", "_verdict_log"):
            setattr(twin, name, getattr(self, name).copy())
        twin._share()
        return twin

    def has(self, name: str) -> bool:
        """Return whether there is an entry with this id."""
        return self._effective.has(name)

    def push(self, entry: Entry) -> None:
        """Take the next entry."""
        self._take_in(entry)
        self._advance()

    def push_all(self, entries: Sequence[Entry]) -> None:
        """Take the next entries. Entries other than rulings are only noted, and are replayed
        together before the next ruling and at the end.
        """
        for entry in entries:
            if type(entry) is Ruling:
                self._advance()
            self._take_in(entry)
        self._advance()

    def _take_in(self, entry: Entry) -> None:
        if type(entry) is Setup:
            raise ValueError("a record has one setup")
        fact = entry if entry.id is not None else named(entry, f"#{len(self.entries) + 2}")
        line = self._effective.add(fact)
        if type(fact) is Ruling:
            self._rule(line, fact)
        else:
            self._effective.read(line)

    def replay(self) -> None:
        """Replay the whole record under the present rulings. The outcome is the same as without
        this call.
        """
        if self.entries:
            self._redo(-1, len(self.entries) - 1, len(self.entries) - 1)
            self._history.forget_steps()
            self._advance()

    def _rule(self, line: int, ruling: Ruling) -> None:
        record, rulings = self._effective, self.rulings
        record.add_ruling(line, ruling)
        if ruling.then is not None:
            record.scopes.add(self._scope_of(line, ruling))
        roots = rulings.roots_of(ruling)
        lines = [-1 if root == "setup" else record.lines.get(root, line) for root in roots]
        about = rulings.entry_of(str(ruling.id))
        first = record.scopes.hold(about, rulings.thens_about(about))
        setup = rulings.setup(record.first_setup)
        if setup is not record.setup:
            self._redo(-1, line, line, setup)
        elif first is not None:
            self._redo(min(*lines, first), line, line)
        else:
            self._redo(min(lines), max(lines), line)

    def _scope_of(self, line: int, ruling: Ruling) -> RulingScope:
        record, items = self._effective, self._effective.items
        behind = self._end_of_play(ruling)
        host = -2
        if behind is not None:
            root = self.rulings.root(behind)
            host = record.lines.get(behind, record.lines.get(root, -1))
        added = ruling.verdict == "added"
        about = added_id(ruling) if added else self.rulings.entry_of(str(ruling.on))
        scope = RulingScope(str(ruling.id), about, ruling.then == "rewind", line, behind, host)
        if self._pawns is not None:
            return self._with_pawns(scope, ruling, self._pawns)
        if scope.rewinds:
            return scope
        asked = None if self.question is None else self.question.on
        return self._history.with_scope_of_keep(
            scope, items, self.steps, self._start, asked, self.game
        )

    def _with_pawns(self, scope: RulingScope, ruling: Ruling, pawns: KnowsPawns) -> RulingScope:
        items = self._effective.items
        ended = None
        if isinstance(ruling.replacement, Moved):
            places = (i + 1 for i in reversed(range(len(items))) if items[i].id == scope.behind)
            ended = self._state_before(next(places, 0))
        return replace(
            scope,
            stood=pawns_now(pawns, self.state, self.steps, self._effective.scopes.of),
            was=self.state,
            played=states_played_in(self.steps, self.begun, scope.behind),
            ended=ended,
        )

    def _end_of_play(self, ruling: Ruling) -> str | None:
        """Return the id of the last item of the flick, shot or move that a ruling is about.

        If the entry ruled on stands between flicks, this is the flick before it. Return None if
        there is no such flick.
        """
        items, about = self._effective.items, str(ruling.after)
        if ruling.verdict != "added":
            about = self.rulings.entry_of(str(ruling.on))
        place = len(items) - 1
        while place >= 0 and items[place].id != about:
            place -= 1
        if ruling.verdict != "added":
            return self._end_behind(items, place, self._state_before)
        while place + 1 < len(items) and items[place + 1].added:
            place += 1
        assert isinstance(ruling.replacement, Measured | Said)
        new = Item(added_id(ruling), 0, ruling.replacement)
        longer = [*items[: place + 1], new, *items[place + 1 :]]
        return self._end_behind(
            longer, place + 1, lambda i: self._state_before(i if i <= place + 1 else i - 1)
        )

    def _end_behind(
        self, items: Sequence[Item], place: int, state_before: Callable[[int], Any]
    ) -> str | None:
        if self._pawns is None:
            return end_of_flick(items, place)
        return end_of_shot(self._pawns, state_before, items, place)

    def _redo(self, first: int, last: int, line: int, setup: Setup | None = None) -> None:
        """Replay the record from the entry on line `first` on (-1: from the setup).

        `line` is the line of the ruling that makes this necessary. `setup` is a new setup that the
        ruling puts in force. The ruling does not change how entries after line `last` read, so the
        previous replay can be reused as soon as the states agree.
        """
        record = self._effective
        while first >= 0 and not self._can_begin_at(record.place_of(first)):
            first -= 1
        previous = self._cut_off(first)
        noted = 0
        if setup is not None:
            noted = self._note(previous, 0, len(previous.steps))
            record.setup, record.too_close = setup, too_close_of(setup)
            self._judge = Judge(self.game, record.too_close)
            self._begin()
            self._history.rename(record.now_called)
        if first < 0:
            record.read_added_to_setup()
        self._play_until_same(previous, noted, last, line)
        record.read(line)

    def _can_begin_at(self, place: int) -> bool:
        """Return whether a replay can begin at `place`: the present replay has reached that place,
        and no flick is in doubt or being taken away there.
        """
        steps = len(self.steps)
        if place == 0 or place > steps or (place == steps and self.question is not None):
            return place == 0
        before = self.steps[place - 1]
        in_doubt = before.flick_from is not None and before.settled
        return not in_doubt and self._effective.contexts[place - 1].between_flicks()

    def _cut_off(self, first: int) -> PreviousReplay:
        """Take away the replay from the entry on line `first` on, and return it."""
        record, first_kept = self._effective, max(first, 0)
        place = record.place_of(first)
        previous = PreviousReplay(
            first_kept,
            place,
            self._before(place),
            record.items[place:],
            record.contexts[place:],
            record.starts[first_kept:],
            self.steps[place:],
            self.question,
            self._unsettled,
        )
        record.cut(place, first_kept)
        self._cut(place)
        self.question, self._unsettled = None, None
        return previous

    def _play_until_same(self, previous: PreviousReplay, noted: int, last: int, line: int) -> None:
        """Read the entries before `line` again until the previous replay can be reused."""
        record = self._effective
        for number in range(previous.first, line):
            spot = None
            if number > last and not record.is_covered(number):
                spot = previous.candidate(number, record.items, self.rulings)
            if spot is not None:
                noted = self._note(previous, noted, spot)
                self._advance()
                if self._stands_as(previous, spot, number):
                    self._reuse(previous, spot, number)
                    return
            record.read(number)
        self._note(previous, noted, len(previous.steps))

    def _note(self, previous: PreviousReplay, begin: int, end: int) -> int:
        """Note the steps of a previous replay from `begin` to `end` in the history. Return how many
        of its steps are noted now.
        """
        asked = None if previous.question is None else previous.question.on
        before = previous.steps[begin - 1] if begin else previous.begin
        for step in previous.steps[begin:end]:
            self._history.note(before, step, asked, self.game)
            before = step
        return max(begin, end)

    def _stands_as(self, previous: PreviousReplay, spot: int, number: int) -> bool:
        """Return whether everything is now as it was before the item at `spot` of the previous
        replay.
        """
        record = self._effective
        if self.question is not None or self._unsettled is not None:
            return False
        if not previous.is_same(spot, record.contexts[-1], self.steps[-1]):
            return False
        if number > record.scopes.last_line() or self._pawns is not None:
            return True
        return previous.has_basis_of_later_then(spot, record.items, self.steps)

    def _reuse(self, previous: PreviousReplay, spot: int, number: int) -> None:
        """Reuse the previous replay from `spot` on, where the entry on line `number` begins."""
        if previous.unsettled is not None:
            self._note(previous, spot, len(previous.steps))
        record = self._effective
        shift = len(record.items) - previous.place - spot
        record.items += previous.items[spot:]
        record.contexts += previous.contexts[spot:]
        starts = previous.starts[number - previous.first :]
        record.starts += [start + shift for start in starts] if shift else starts
        self.steps += previous.steps_from(spot, shift)
        self.question = previous.question
        if previous.unsettled is not None:
            self._unsettled = previous.unsettled + shift


def fold(entries: Sequence[Entry]) -> Fold:
    """Replay a record, setup first. Raises InputError if the rules of the game are not known."""
    setup, *rest = entries
    if not isinstance(setup, Setup):
        raise ValueError("a record starts with its setup")
    folded = Fold(setup)
    with _collector_paused():
        folded.push_all(rest)
    return folded


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause Python's garbage collector. A fold makes no reference cycles, and looking for them took
    a tenth of the time of a long record.

    Freezing and unfreezing moves all objects to the oldest generation. Otherwise the collector
    would look at everything that the fold made as soon as it runs again.
    """
    ran = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if ran:
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def extend(folded: Fold, entry: Entry) -> Fold:
    """Return the fold with one more entry. The given fold does not change."""
    longer = folded.copy()
    longer.push(entry)
    return longer


def with_provisional(folded: Fold, incidents: Sequence[Incident]) -> Fold:
    """Return the fold as it would be with incidents that are not recorded yet.

    Incidents without an id are called `~1`, `~2` and so on.
    """
    longer = folded.copy()
    for number, entry in enumerate(incidents, start=1):
        longer.push(
            entry if entry.id is not None else msgspec.structs.replace(entry, id=f"~{number}")
        )
    return longer

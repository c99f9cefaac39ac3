"""The fold: a record replayed through the rules of its game, entry by entry, with every ruling
applied.

A flick in which something is in doubt is played in every way it may have gone; only where these
differ at rest is there a question. An irregularity of placement is told when it was one in its own
time and still is: a later ruling makes none, and unmakes those that it justifies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from referee.domain.call import Question
from referee.domain.declaration import Concede, Said
from referee.domain.entry import Entry, Ruling, Setup, named, sizes_of
from referee.domain.incident import AtRest, Flicked, Incident, Moved, Renamed, Surveyed
from referee.games import Game, KeepsTurns, game_named
from referee.games.words import option
from referee.replay.alternatives import Judge, Step, settle
from referee.replay.effective_entries import (
    NO_NAMES,
    Fact,
    Item,
    Names,
    Rulings,
    added_behind,
    added_id,
    expand,
    with_names_of,
)
from referee.replay.flick_bounds import (
    end_of_flick,
    flick_is_running,
    goes_with_flick,
    is_being_taken_away,
)
from referee.replay.previous_replay import Known, PreviousReplay
from referee.replay.replay_history import BY_PLAYERS, ReplayHistory
from referee.replay.rewind_and_keep import (
    Reach,
    as_kept,
    begins_behind,
    how_kept,
    to_restore,
    turn_at,
    with_restore,
)
from referee.replay.ruling_scope import Reaches
from referee.replay.shots import (
    as_played,
    behind_state,
    knows_pawns,
    shots_kept,
    standing_now,
    taken_back,
    with_pawns_to_put_back,
)
from referee.replay.verdict_log import VerdictLog

#: What is no play and stays when play is taken back; what stays with a flick that is taken away.
NO_PLAY = (Renamed, Surveyed)
STAYING = (Said, *NO_PLAY)


class Fold:
    """One match replayed so far. `push` takes the next entry; `copy` gives a fold that can go on by
    itself.
    """

    def __init__(self, setup: Setup) -> None:
        """Start with the record's setup. Raises InputError for a game whose rules are not known."""
        self.game: Game = game_named(setup.game)
        self.first_setup = self.setup = setup
        self.entries: list[Fact] = []
        self.rulings = Rulings()
        self.question: Question | None = None
        self.steps: list[Step] = []
        self._items: list[Item] = []
        self._starts: list[int] = []
        self._lines: dict[str, int] = {}
        self._names: list[Names] = []
        self._unsettled: int | None = None
        self._reaches = Reaches()
        self._setups = [setup]
        self._covering: tuple[Reach, ...] = ()
        self._remembered = ReplayHistory()
        self._told = VerdictLog()
        self._begin()

    def _begin(self) -> None:
        self.begun = self.game.setup(self.setup)
        self.opening = self.game.opening(self.begun)
        options = self.setup.options
        low, high = option(options, self.setup.game, "too_close_band")
        self._judge = Judge(
            self.game, float(low), float(high), option(options, self.setup.game, "too_close")
        )

    def copy(self) -> Fold:
        """A fold in the same state."""
        twin = object.__new__(Fold)
        twin.__dict__.update(self.__dict__)
        for name in (
            "entries",
            "steps",
            "rulings",
            "_items",
            "_starts",
            "_lines",
            "_names",
            "_reaches",
            "_setups",
            "_remembered",
            "_told",
        ):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    @property
    def state(self) -> Any:
        """The game's state as it now is; while there is a question, the one just before what is
        asked about.
        """
        return self.steps[-1].state if self.steps else self.begun

    @property
    def told(self) -> VerdictLog:
        """The calls and irregularities of all steps."""
        return self._told.catch_up(self.steps)

    def _cut(self, place: int) -> None:
        del self.steps[place:]
        self._told.cut(place)

    def has(self, name: str) -> bool:
        """Whether there is an entry with this id."""
        return name in self._lines or any(item.id == name for item in self._items)

    def push(self, entry: Entry) -> None:
        """Take the next entry."""
        if isinstance(entry, Setup):
            raise ValueError("a record has one setup")
        line = len(self.entries)
        fact = entry if entry.id is not None else named(entry, f"#{line + 2}")
        self.entries.append(fact)
        self._lines[str(fact.id)] = line
        if isinstance(fact, Ruling):
            self.rulings.add(line, fact)
            if isinstance(fact.replacement, Setup):
                self._setups.append(fact.replacement)
            if fact.then is not None:
                self._reaches.add(self._reach_of(line, fact))
            self._rule(line, fact)
        else:
            self._append(line)
        self._advance()

    def replay(self) -> None:
        """Play the whole record anew, as the rulings now are. Nothing comes out differently."""
        if self.entries:
            self._redo(-1, len(self.entries) - 1, len(self.entries) - 1, self.setup)

    def _reach_of(self, line: int, ruling: Ruling) -> Reach:
        behind = begins_behind(self._items, ruling, self.rulings, self.game, self._state_before)
        host = (
            -2
            if behind is None
            else self._lines.get(behind, self._lines.get(self.rulings.root(behind), -1))
        )
        on = (
            added_id(ruling) if ruling.verdict == "added" else self.rulings.entry_of(str(ruling.on))
        )
        reach, pawns = (
            Reach(str(ruling.id), on, ruling.then == "rewind", line, behind, host),
            knows_pawns(self.game),
        )
        if pawns is None and reach.rewinds:
            return reach
        if pawns is None:
            asked = None if self.question is None else self.question.on
            return self._remembered.keeping(
                reach, self._items, self.steps, asked, self.begun, self.game
            )
        stood = standing_now(pawns, self.state, self.steps, self._reaches.stood)
        ended = (
            behind_state(self._items, self._state_before, behind)
            if isinstance(ruling.replacement, Moved)
            else None
        )
        return replace(
            reach,
            stood=stood,
            was=self.state,
            played=as_played(self.steps, self.begun, behind),
            ended=ended,
        )

    def _state_before(self, place: int) -> Any:
        return (
            self.steps[min(place, len(self.steps)) - 1].state
            if place and self.steps
            else self.begun
        )

    def _append(self, line: int) -> None:
        self._starts.append(len(self._items))
        if self._covering:
            self._covering = tuple(reach for reach in self._covering if reach.line > line)
        entry = self.entries[line]
        if self.setup is not self.first_setup:
            entry = with_names_of(entry, self.setup, self._setups)
        for item in expand(line, entry, self.rulings):
            self._take(item)

    def _take(self, item: Item) -> None:
        names = self._names[-1] if self._names else NO_NAMES
        if names is not NO_NAMES and not item.given:
            item = replace(item, entry=names.read(item.entry))
        if goes_with_flick(item, self._items, self._judge.never_happened):
            stays = isinstance(item.entry, STAYING) or (
                isinstance(item.entry, AtRest) and flick_is_running(self._items)
            )
            item = replace(item, counts=item.counts and stays, gone=True)
        if self._covering and item.counts and not isinstance(item.entry, NO_PLAY):
            rewound = any(reach.takes_away(item) for reach in self._covering)
            kept = not rewound and any(reach.keeps(item) for reach in self._covering)
            item = replace(
                item,
                counts=not rewound,
                rewound=rewound,
                kept=kept,
                keep=how_kept(item, self._covering, self._now_called) if kept else None,
            )
        if self._reaches:
            self._covering += self._reaches.behind(item.id, item.line)
        self._items.append(item)
        if isinstance(item.entry, Renamed) and not self._judge.happened(item):
            item = replace(item, counts=False)
        self._names.append(
            names.after(item) if names is not NO_NAMES or isinstance(item.entry, Renamed) else names
        )

    def _rule(self, line: int, ruling: Ruling) -> None:
        setup = self.rulings.setup(self.first_setup)
        lines = [
            -1 if root == "setup" else self._lines.get(root, line)
            for root in self.rulings.roots_of(ruling)
        ]
        entry = self.rulings.entry_of(str(ruling.id))
        reached = self._reaches.anew(
            entry, (str(one.id) for one in self.rulings.thens_about(entry))
        )
        if setup is not self.setup:
            self._redo(-1, line, line, setup)
        elif reached is not None:
            self._redo(min(*lines, reached), line, line, setup)
        else:
            self._redo(min(lines), max(lines), line, setup)

    def _redo(self, first: int, last: int, line: int, setup: Setup) -> None:
        """Read the record anew from entry `first` (-1: from the setup) on; entry `line` is the
        ruling that calls for it.

        Behind entry `last` everything reads as before, so that the earlier replay holds from where
        all stands as it stood.
        """
        while first >= 0 and not self._can_go_on_from(self._place(first)):
            first -= 1
        place, first_kept = self._place(first), max(first, 0)
        parts = (
            self._items[place:],
            self._names[place:],
            self._starts[first_kept:],
            self.steps[place:],
        )
        running = self.steps[place - 1].flick_from if place else None
        earlier = PreviousReplay(
            first_kept,
            place,
            self._state_before(place),
            running,
            *parts,
            self.question,
            self._unsettled,
        )
        known = Known(0, turn_at(self.steps, place)[0])
        if setup is not self.setup:
            known = self._remembered.remember(earlier, known, len(earlier.steps), self.game)
            self.setup = setup
            self._begin()
            self._remembered.rename(self._now_called)
        self._covering = self._reaches.over(first)
        del self._items[place:], self._names[place:], self._starts[first_kept:]
        self._cut(place)
        self.question, self._unsettled = None, None
        if first < 0:
            for item in added_behind("setup", self.rulings):
                self._take(item)
        end = self._play_on(earlier, known, last, line)
        self._append(line)
        self._advance()
        self._told.cut(place)
        self._remembered.restore(self.steps, place, end)

    def _play_on(self, earlier: PreviousReplay, known: Known, last: int, line: int) -> int | None:
        """Read the entries before `line` anew until the earlier replay holds (gives the place),
        remembering its steps but for the `known` ones.
        """
        for number in range(earlier.first, line):
            reached = number <= last or (
                self._covering and any(reach.line >= number for reach in self._covering)
            )
            spot = None if reached else earlier.met_at(number, self._items, self.rulings)
            if spot is not None:
                known = self._remembered.remember(earlier, known, spot, self.game)
                self._advance()
                back = number <= self._reaches.last_line() and knows_pawns(self.game) is None
                if (
                    self.question is None
                    and self._unsettled is None
                    and earlier.meets(
                        spot, self._items, self.steps, self._names[-1], looks_back=back
                    )
                ):
                    return self._take_up(earlier, number, known)
            self._append(number)
        self._remembered.remember(earlier, known, len(earlier.steps), self.game)
        return None

    def _take_up(self, earlier: PreviousReplay, number: int, known: Known) -> int:
        """Let the earlier replay hold from its entry `number` on, up to which it is remembered;
        gives the place where that now is.
        """
        if earlier.unsettled is not None:
            self._remembered.remember(earlier, known, len(earlier.steps), self.game)
        spot = known.steps
        place = len(self._items)
        shift = place - earlier.place - spot
        self._items += earlier.items[spot:]
        self._names += earlier.names[spot:]
        self._starts += [start + shift for start in earlier.starts[number - earlier.first :]]
        self.steps += earlier.steps_from(spot, shift)
        self.question = earlier.question
        self._unsettled = None if earlier.unsettled is None else earlier.unsettled + shift
        return place

    def _place(self, line: int) -> int:
        """Where the items of an entry of the record begin."""
        if line < 0:
            return 0
        return self._starts[line] if line < len(self._starts) else len(self._items)

    def _can_go_on_from(self, place: int) -> bool:
        """Whether at `place` no flick is being settled or taken away, and the replay has come so
        far.
        """
        if (
            place == 0
            or place > len(self.steps)
            or (self.question is not None and place == len(self.steps))
        ):
            return place == 0
        before = self.steps[place - 1]
        gone = is_being_taken_away(self._items, place) or is_being_taken_away(
            self._items, place, but_added=True
        )
        return not gone and (before.flick_from is None or not before.settled)

    def _advance(self) -> None:
        if self._unsettled is not None:
            self._cut(self._unsettled)
            self.question, self._unsettled = None, None
        while len(self.steps) < len(self._items) and self.question is None:
            self._step()

    def _step(self) -> None:
        place = len(self.steps)
        item = self._items[place]
        before = self.steps[-1] if self.steps else None
        state, running = (self.begun, None) if before is None else (before.state, before.flick_from)
        if not item.counts:
            self.steps.append(self._rewound(Step(item, state, (), running)))
            return
        if isinstance(item.entry, BY_PLAYERS) and (item.kept or item.id in self._remembered.met):
            item = self._items[place] = self._as_played(item, state, running)
        if (
            running is not None
            and not isinstance(item.entry, Flicked)
            and self._judge.in_doubt(item, self._items[running:place], self.rulings)
        ):
            self._settle(running)
            return
        judged, verdicts, asked = self._judge.play(state, item, None)
        if asked is not None and asked.weighed and running is not None:
            self._settle(running)
            return
        if asked is not None:
            self.question = asked
            self._add_step(Step(item, state, verdicts, running))
            return
        if isinstance(item.entry, Flicked):
            running = place
        elif isinstance(item.entry, AtRest):
            running = None
        self._add_step(Step(item, judged, verdicts, running))

    def _as_played(self, item: Item, state: Any, running: int | None) -> Item:
        """A flick or declaration made before a ruling, as far as that lets it stay with its
        player.
        """
        entry = item.entry
        if running is None and isinstance(entry, Flicked) and entry.player is None:
            anybodys = self._anybodys(state, entry.coin)
            player = self._remembered.flicker(item.id, anybodys=anybodys)
            item = self._items[len(self.steps)] = replace(item, entry=replace(entry, player=player))
        if item.kept and hasattr(self.game, "go_on"):
            return as_kept(self._items, state, self.steps, cast(KeepsTurns, self.game))
        return item

    def _now_called(self, player: str) -> str:
        return str(
            getattr(
                with_names_of(Concede(player=player), self.setup, self._setups), "player", player
            )
        )

    def _anybodys(self, state: Any, coin: str) -> bool:
        return hasattr(self.game, "owner") and self.game.owner(state, coin) is None

    def _add_step(self, step: Step) -> None:
        if self.steps and (restore := self.steps[-1].restore):
            pawns, coin_mm = knows_pawns(self.game), sizes_of(self.setup).coin_mm
            step = (
                with_restore(step, restore, coin_mm)
                if pawns is None
                else with_pawns_to_put_back(step, restore, self.state, pawns)
            )
        self.steps.append(step)

    def _rewound(self, step: Step) -> Step:
        """A step that changes nothing; behind a ruling that takes play back there is something to
        restore.
        """
        reach, pawns = self._reaches.of(step.item.id), knows_pawns(self.game)
        if reach is not None and reach.rewinds:
            if pawns is not None:
                return taken_back(pawns, step, self._items, reach.behind, reach.stood)
            return replace(step, restore=to_restore(self._items, len(self.steps), reach))
        if reach is not None and pawns is not None and shots_kept(pawns, self.steps, reach.behind):
            step = replace(step, state=pawns.as_it_lies(step.state, reach.was, reach.ended))
        return (
            replace(step, restore=self.steps[-1].restore)
            if self.steps and self.steps[-1].restore
            else step
        )

    def _settle(self, start: int) -> None:
        end = end_of_flick(self._items, start)
        before = self.steps[start - 1].state if start else self.begun
        items = self._items[start:end]
        steps, question = settle(
            self._judge, before, items, start, self.rulings.orders(item.id for item in items)
        )
        self._cut(start)
        for step in steps:
            self._add_step(step)
        self._remembered.restore(self.steps, start)
        self.question = question
        over = (
            end > start
            and isinstance(self._items[end - 1].entry, AtRest)
            and self._items[end - 1].counts
        )
        if not over and end == len(self._items):
            self._unsettled = start


def fold(entries: Sequence[Entry]) -> Fold:
    """Replay a record, setup first. Raises InputError for a game whose rules are not known."""
    setup, *rest = entries
    if not isinstance(setup, Setup):
        raise ValueError("a record starts with its setup")
    folded = Fold(setup)
    for entry in rest:
        folded.push(entry)
    return folded


def extend(folded: Fold, entry: Entry) -> Fold:
    """The fold with one more entry; the one given stays as it is."""
    longer = folded.copy()
    longer.push(entry)
    return longer


def with_provisional(folded: Fold, incidents: Sequence[Incident]) -> Fold:
    """The fold as it would be with incidents that are not recorded yet; those without an id are
    called `~1`, `~2`, ...
    """
    longer = folded.copy()
    for number, entry in enumerate(incidents, start=1):
        longer.push(
            entry if entry.id is not None else msgspec.structs.replace(entry, id=f"~{number}")
        )
    return longer

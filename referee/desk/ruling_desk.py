"""Explains the calls of a running match and takes rulings on them. The record is kept either by the
session or by a program that follows it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from referee.desk.entry_by_hand import (
    MISTAKE,
    TABLE_KINDS,
    NotAllowedError,
    last_to_take_back,
    rest_before,
    routes_found,
)
from referee.desk.evidence import MEASURED
from referee.desk.messages import (
    Correction,
    Explained,
    OptionOffered,
    RouteAsked,
    RoutesFound,
    SetupShown,
    Weighed,
)
from referee.domain.declaration import Declaration, Said
from referee.domain.entry import Entry, Fact, Ruling, Setup, added_id, named, plain
from referee.domain.errors import InputError
from referee.domain.incident import Incident, Measured
from referee.games.players import FieldError
from referee.games.words import words_of
from referee.record.reading import decode_entry
from referee.record.setup_checks import check_setup
from referee.record.soundness import Soundness
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, extend
from referee.reports.difference import difference_by_ruling
from referee.reports.explanation import explain

#: The kinds of incident that people may enter in a game on a lawn or a board.
GRID_KINDS: Final = ("rolled", "moved")
#: The fields that say when an entry was and which clip shows it. They also hold for what really
#: happened then.
MOMENT: Final = ("t_s", "frames", "clip")
GONE_ON: Final = "The match has gone on meanwhile. Check the present state first."


class RulingDesk(ABC):
    """Explains calls, computes what rulings would change, and writes rulings.

    Any thread may call `explain`, `weigh` and `rule`. The code that keeps the record must hold
    `lock` while it changes the fold or writes.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()

    @property
    @abstractmethod
    def folded(self) -> Fold | None:
        """Return the match as far as it is known; None before it has begun."""

    @abstractmethod
    def take_in(self) -> None:
        """Read what others have written to the record. Raises InputError for entries that cannot be
        read.
        """

    @abstractmethod
    def write(self, decided: Fact) -> None:
        """Append a decision, a declaration or an incident. Raises InputError if the record cannot
        hold the entry, or if nothing may be written now.
        """

    def explain(self, on: str) -> Explained:
        """Return, as plain values, why the rules decided an entry as they did. Raises
        InputError.
        """
        why = explain(self._entries(), on)
        return Explained(on=why.on, flick=why.flick, clauses=list(why.clauses))

    def corrected_incident(self, on: str, instead: Correction) -> Incident:
        """Return the incident `on` with the fields that a person corrected. The result has no
        measured fields.

        Raises InputError if `on` is not an incident of the record, and for impossible fields.
        """
        first, seen = self._entries()[0], self._fact(on)
        if not isinstance(seen, Measured) or not isinstance(first, Setup):
            raise InputError(f"{on} is not an incident of the record.")
        kept = {name: value for name, value in plain(seen).items() if name not in (*MEASURED, "id")}
        meant = decode_entry(msgspec.json.encode(kept | msgspec.to_builtins(instead)), first.game)
        assert isinstance(meant, Measured)
        return meant

    def corrected_fact(self, on: str, fields: Mapping[str, Any]) -> Incident | Declaration:
        """Return the incident or declaration, of any kind, that really took place instead of the
        entry `on` and at the same time. `fields` are its fields, including `entry`.

        Raises InputError in the same cases as `missed`.
        """
        seen = self._fact(on)
        moment = (
            {}
            if seen is None
            else {name: value for name, value in plain(seen).items() if name in MOMENT}
        )
        return self.missed({**moment, **fields})

    def setup_choices(self) -> SetupShown:
        """Return the parts of the setup that people can correct: names of players, and options with
        their choices. Raises InputError if the match has not begun.
        """
        self._entries()
        assert self.folded is not None
        setup = self.folded.setup
        options = [
            OptionOffered(
                name=name,
                meaning=one.meaning,
                value=setup.options.get(name, one.default),
                choices=list(one.choices),
            )
            for name, one in words_of(setup.game).options.items()
            if one.choices
        ]
        return SetupShown(players=[player.name for player in setup.players], options=options)

    def corrected(self, names: Sequence[str], options: Mapping[str, Any]) -> Setup:
        """Return the setup with other names, one for each player, and other options. Raises
        InputError for a setup that is not allowed.
        """
        self._entries()
        assert self.folded is not None
        setup = self.folded.setup
        if len(names) != len(setup.players):
            raise InputError(f"There are {len(setup.players)} players, but {len(names)} names.")
        players = tuple(
            msgspec.structs.replace(player, name=name.strip())
            for player, name in zip(setup.players, names, strict=True)
        )
        other = msgspec.structs.replace(
            setup, players=players, options={**setup.options, **options}
        )
        check_setup(other)
        return other

    def weigh(self, ruling: Ruling) -> Weighed:
        """Return what a ruling would change, as plain values. Its field `entries` is the number of
        entries that the match has now. Raises InputError if the ruling is not possible.
        """
        entries = self._entries()
        made = msgspec.structs.asdict(difference_by_ruling(entries, _sound(entries, ruling)))
        return msgspec.convert(made | {"entries": len(entries) - 1}, Weighed, from_attributes=True)

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Append a ruling. `entries` is the number of entries that the match had when the ruling's
        effect was computed. Raises InputError if the match has more by now, or if the ruling is not
        possible.
        """
        with self.lock:
            self.take_in()
            if len(self._entries()) - 1 != entries:
                raise InputError(
                    "The match has gone on meanwhile. Check again what the ruling would change."
                )
            self.write(ruling)

    def declare(self, said: Mapping[str, Any], entries: int) -> None:
        """Append a declaration, given by its fields. `entries` is the number of entries that the
        match had when the player made it.

        Raises InputError in the same cases as `rule`. If the rules do not allow the declaration
        now, the error has the rules' text, and nothing is written.
        """
        self._append("declaration", said, entries)

    def play(self, done: Mapping[str, Any], entries: int, *, anyway: bool = False) -> None:
        """Append a roll, a move, or what a coin did, in a match without a camera. It is given by
        its fields. Raises InputError in the same cases as `declare`.

        If a coin did something against the rules, NotAllowedError is raised. With `anyway` it is
        written instead: it happened, and the rules decide what follows.
        """
        if done.get("kind") not in (*GRID_KINDS, *TABLE_KINDS):
            kinds = ", ".join((*GRID_KINDS, *TABLE_KINDS))
            raise InputError(f"You can enter only these kinds of entries: {kinds}.")
        self._append(
            "incident",
            done,
            entries,
            (None if anyway else NotAllowedError) if done["kind"] in TABLE_KINDS else InputError,
        )

    def routes(self, asked: RouteAsked) -> RoutesFound:
        """Return how the route of the ball in turn may continue. Nothing is written. Raises
        InputError if the match has gone on in the meantime, or has no pawns.
        """
        with self.lock:
            self.take_in()
            if len(self._entries()) - 1 != asked.entries or self.folded is None:
                raise InputError(GONE_ON)
            return routes_found(self.folded, asked.route, asked.to)

    def take_back(self, on: str, entries: int, by: str | None = None) -> None:
        """Overturn the entry `on`, because it was entered by mistake: the last entry that counts,
        or the ruling made after it. Raises InputError if another entry is the last one by now.
        """
        with self.lock:
            self.take_in()
            known = self._entries()
            last = None if self.folded is None else last_to_take_back(self.folded)
            if len(known) - 1 != entries or last is None or last.id != on:
                raise InputError(GONE_ON)
            ruling = Ruling(on=on, verdict="overturned", by=by, reason=MISTAKE)
            _take(_soundness(known), ruling)
            self.write(ruling)

    def missed(self, fields: Mapping[str, Any]) -> Incident | Declaration:
        """Return an incident or declaration that is missing in the record. `fields` are its fields,
        including `entry`. Raises InputError for fields that cannot be read.
        """
        first, *_ = self._entries()
        assert isinstance(first, Setup)
        read = decode_entry(msgspec.json.encode(fields), first.game)
        if not isinstance(read, Said | Measured):
            raise InputError("Only an incident or a declaration can be added.")
        return msgspec.structs.replace(read, id=None)

    def _append(
        self,
        what: str,
        fields: Mapping[str, Any],
        entries: int,
        refused: type[InputError] | None = InputError,
    ) -> None:
        """Append an entry. `refused` is the error to raise if the rules do not allow the entry. If
        `refused` is None, the entry is written even then.
        """
        with self.lock:
            self.take_in()
            first, *known = self._entries()
            assert isinstance(first, Setup) and self.folded is not None
            if len(known) != entries:
                raise InputError(GONE_ON)
            read = decode_entry(msgspec.json.encode({**fields, "entry": what}), first.game)
            assert isinstance(read, Said | Measured)
            new = msgspec.structs.replace(
                read, id=None, **({"guessed": False} if isinstance(read, Said) else {})
            )
            _take(_soundness([first, *known]), new)
            rest = rest_before(self.folded, new)
            wrong = (
                None
                if refused is None
                else _not_allowed(self.folded if rest is None else extend(self.folded, rest), new)
            )
            if refused is not None and wrong is not None:
                raise refused(wrong)
            for fact in (rest, new) if rest is not None else (new,):
                self.write(fact)

    def _fact(self, on: str) -> Incident | Declaration | None:
        """Return the incident or declaration with this id, including those that a ruling added;
        None if there is none.
        """
        for entry in self._entries()[1:]:
            if (
                isinstance(entry, Ruling)
                and entry.verdict == "added"
                and added_id(entry) == on
                and isinstance(entry.replacement, Measured | Said)
            ):
                return entry.replacement
            if isinstance(entry, Measured | Said) and entry.id == on:
                return entry
        return None

    def _entries(self) -> list[Entry]:
        """Return the setup and all the entries after it."""
        with self.lock:
            if self.folded is None:
                raise InputError("The match has not begun.")
            return [self.folded.first_setup, *self.folded.entries]


def _soundness(entries: Sequence[Entry]) -> Soundness:
    first, *rest = entries
    assert isinstance(first, Setup)
    sound = Soundness(first)
    for entry in rest:
        sound.add(entry)
    return sound


def _take(sound: Soundness, new: Entry) -> None:
    """Add an entry to a record. Raises FieldError if the record does not hold everything that the
    entry names.
    """
    sound.add(new)
    for wrong in sound.unmet():
        if wrong.line == sound.lines:
            raise FieldError(wrong.field, wrong.what)


def _not_allowed(folded: Fold, new: Fact) -> str | None:
    """Return the rules' text if they do not allow the entry in the present state; None if they
    allow it.
    """
    tried = named(new, "~")
    return next(
        (odd.text for odd in summary(extend(folded, tried)).irregularities if odd.on == tried.id),
        None,
    )


def _sound(entries: Sequence[Entry], ruling: Ruling) -> Ruling:
    """Return the ruling with an id, after checking that it is possible after these entries. Raises
    InputError.
    """
    sound = _soundness(entries)
    number = len(entries) + 1
    while sound.has(f"r{number}"):
        number += 1
    named = msgspec.structs.replace(ruling, id=f"r{number}")
    _take(sound, named)
    return named

"""Explains the calls of a match that goes on and takes rulings on them, whoever keeps its
record.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee.desk.entry_by_hand import TOLD, NotAllowedError, last_fact, rest_before
from referee.desk.game_topics import StandingTopic
from referee.desk.messages import Correction, Explained, OptionOffered, SetupShown, Weighed
from referee.desk.topics import IrregularityShown, RecordTopic, RulingMade
from referee.domain.call import Irregularity
from referee.domain.declaration import Declaration, PiecepackCroquet, Said, Shot
from referee.domain.entry import Entry, Fact, Ruling, Setup, named, plain
from referee.domain.errors import InputError
from referee.domain.incident import Incident, Measured
from referee.games.players import FieldError
from referee.games.words import words_of
from referee.record.reading import decode_entry
from referee.record.setup_checks import check_setup
from referee.record.soundness import Soundness
from referee.replay.adjudication import Adjudication, summary
from referee.replay.fold import Fold, extend
from referee.replay.rulings import added_id
from referee.reports.difference import difference_by_ruling
from referee.reports.explanation import explain

#: What people enter of a game on a lawn or a board; of one on a table without a camera it is what
#: coins do.
PLAYED = ("rolled", "moved")
#: What is measured of the incident that was seen, and so says nothing of another one.
MEASURED = ("margin_mm", "sigma_mm", "probability")
#: What says when an entry was, and where it can be looked at: also so of what truly happened then.
MOMENT = ("t_s", "frames", "clip")
GONE_ON = "The match has gone on meanwhile: look again how it stands."


class RulingDesk(ABC):
    """Explains calls, weighs rulings and writes them.

    Any thread may call `explain`, `weigh` and `rule`. Whoever keeps the record holds `lock` while
    changing the fold or writing.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()

    @property
    @abstractmethod
    def folded(self) -> Fold | None:
        """The match as far as it is known; None before it has begun."""

    @abstractmethod
    def take_in(self) -> None:
        """Read what others have written meanwhile. Raises InputError for what cannot be read."""

    @abstractmethod
    def write(self, decided: Fact) -> None:
        """Append what people decided, said or did to the record. Raises InputError where it cannot
        stand, or nothing may be written now.
        """

    def explain(self, on: str) -> Explained:
        """Explain why the rules decided an entry as they did. Raises InputError."""
        why = explain(self._entries(), on)
        return Explained(on=why.on, flick=why.flick, clauses=list(why.clauses))

    def meant(self, on: str, instead: Correction) -> Incident:
        """Return what truly happened where `on` was seen: that incident with other fields, which a
        person says and no camera measured.

        Raises InputError where `on` is no incident of the record, and for fields that cannot be.
        """
        first, seen = self._entries()[0], self._fact(on)
        if not isinstance(seen, Measured) or not isinstance(first, Setup):
            raise InputError(f"{on} is no incident of the record.")
        told = {name: value for name, value in plain(seen).items() if name not in (*MEASURED, "id")}
        meant = decode_entry(msgspec.json.encode(told | msgspec.to_builtins(instead)), first.game)
        assert isinstance(meant, Measured)
        return meant

    def truly(self, on: str, told: Mapping[str, Any]) -> Incident | Declaration:
        """What truly happened or was said where `on` stands, and then: of whatever kind, given by
        its fields with `entry`. Raises InputError like `missed`.
        """
        seen = self._fact(on)
        moment = (
            {}
            if seen is None
            else {name: value for name, value in plain(seen).items() if name in MOMENT}
        )
        return self.missed({**moment, **told})

    def beginning(self) -> SetupShown:
        """What of the setup people can correct. Raises InputError before the match has begun."""
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
        InputError for what cannot be.
        """
        self._entries()
        assert self.folded is not None
        setup = self.folded.setup
        if len(names) != len(setup.players):
            raise InputError(f"There are {len(setup.players)} players, and {len(names)} names.")
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
        """Work out what a ruling would change. Raises InputError."""
        entries = self._entries()
        made = msgspec.structs.asdict(difference_by_ruling(entries, _sound(entries, ruling)))
        return msgspec.convert(made | {"entries": len(entries) - 1}, Weighed, from_attributes=True)

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Append a ruling that was weighed against `entries` entries. Raises InputError where there
        are more by now, or where the ruling cannot stand.
        """
        with self.lock:
            self.take_in()
            if len(self._entries()) - 1 != entries:
                raise InputError(
                    "The match has gone on meanwhile: see again what the ruling would change."
                )
            self.write(ruling)

    def declare(self, said: Mapping[str, Any], entries: int) -> None:
        """Append a declaration, given by its fields, that was made when there were so many
        `entries`.

        Raises InputError like `rule`, and in the rules' own words for what may not be said now:
        that is not written.
        """
        self._append("declaration", said, entries)

    def play(self, done: Mapping[str, Any], entries: int, *, anyway: bool = False) -> None:
        """Append a roll, a move, or what a coin did, of a match that no camera follows, given by
        its fields. Raises InputError like `declare`.

        What a coin did against the rules is written `anyway`: it happened, and the rules say what
        becomes of it. Else it raises NotAllowedError.
        """
        if done.get("kind") not in (*PLAYED, *TOLD):
            raise InputError(f"Only what is {', '.join((*PLAYED, *TOLD))} is entered here.")
        self._append(
            "incident",
            done,
            entries,
            (None if anyway else NotAllowedError) if done["kind"] in TOLD else InputError,
        )

    def take_back(self, on: str, entries: int, by: str | None = None) -> None:
        """Overturn `on`, the last entry that counts: it was entered by mistake. Raises InputError
        where it is another one by now.
        """
        with self.lock:
            self.take_in()
            known = self._entries()
            last = None if self.folded is None else last_fact(self.folded)
            if len(known) - 1 != entries or last is None or last.id != on:
                raise InputError(GONE_ON)
            ruling = Ruling(on=on, verdict="overturned", by=by, reason="entered by mistake")
            _take(_soundness(known), ruling)
            self.write(ruling)

    def missed(self, told: Mapping[str, Any]) -> Incident | Declaration:
        """What happened or was said and is not in the record, given by its fields with `entry`.
        Raises InputError for what cannot be read.
        """
        first, *_ = self._entries()
        assert isinstance(first, Setup)
        read = decode_entry(msgspec.json.encode(told), first.game)
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
        """`refused` is raised for what the rules do not allow; None where it is written all the
        same.
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
        """The incident or declaration that is called so in the record, also one that a ruling
        added; None where there is none.
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
        """The setup and all that came behind it."""
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
    """Add an entry to a record that has all that the entry names. Raises FieldError."""
    sound.add(new)
    for wrong in sound.unmet():
        if wrong.line == sound.lines:
            raise FieldError(wrong.field, wrong.what)


def _not_allowed(folded: Fold, new: Fact) -> str | None:
    """What the rules say of what they do not allow as the match stands; None where they allow
    it.
    """
    tried = named(new, "~")
    return next(
        (odd.text for odd in summary(extend(folded, tried)).irregularities if odd.on == tried.id),
        None,
    )


def _sound(entries: Sequence[Entry], ruling: Ruling) -> Ruling:
    """The ruling with an id, where it can stand behind these entries. Raises InputError."""
    sound = _soundness(entries)
    number = len(entries) + 1
    while sound.has(f"r{number}"):
        number += 1
    named = msgspec.structs.replace(ruling, id=f"r{number}")
    _take(sound, named)
    return named


def standing_topic(adjudication: Adjudication) -> StandingTopic:
    """The `standing` topic. Raises ValidationError for a field of a game that is not declared."""
    told = {
        name: getattr(adjudication, name)
        for name in ("game", "status", "winner", "questions", "turn", "standings")
    }
    return msgspec.convert(  # type: ignore[no-any-return]
        told, StandingTopic, from_attributes=True
    )


def irregularities_topic(adjudication: Adjudication) -> list[IrregularityShown]:
    """The `irregularities` topic."""
    return msgspec.convert(
        adjudication.irregularities, list[IrregularityShown], from_attributes=True
    )


def rulings_topic(folded: Fold) -> list[RulingMade]:
    """The rulings of a record in their order, each with `holds`: whether no later one on it says
    that it does not.
    """
    made = [entry for entry in folded.entries if isinstance(entry, Ruling)]
    return [
        msgspec.convert(plain(ruling) | {"holds": folded.rulings.in_force(ruling)}, RulingMade)
        for ruling in made
    ]


def record_topic(path: Path, folded: Fold) -> RecordTopic:
    """How a ruling on the record is typed in a command line, and how far the record has come."""
    last = next(
        (entry.id for entry in reversed(folded.entries) if not isinstance(entry, Ruling)), "setup"
    )
    turn = folded.game.turn(folded.state)
    waits = turn.get("expects") == "disaster" or turn.get("roll") in ("shot", "croquet")
    return RecordTopic(
        program=program(),
        typed=typed(str(path.absolute())),
        last=str(last),
        entries=len(folded.entries),
        announced=_announced(folded) if waits else None,
    )


def _announced(folded: Fold) -> Shot | PiecepackCroquet | None:
    for step in reversed(folded.steps):
        entry = step.item.entry
        if (
            isinstance(entry, Shot | PiecepackCroquet)
            and step.item.counts
            and not any(isinstance(told, Irregularity) for told in step.verdicts)
        ):
            return msgspec.structs.replace(entry, id=None, t_s=None, player=None)
    return None


def program() -> str:
    """How this program is called in a command line here: by its name where that is found, else by
    where it lies.
    """
    if shutil.which("referee") is not None:
        return "referee"
    beside = Path(sys.executable).with_name("referee.exe" if sys.platform == "win32" else "referee")
    return typed(str(beside)) if beside.exists() else f"{typed(sys.executable)} -m referee"


def typed(word: str) -> str:
    """A word as it is typed in a command line here."""
    return subprocess.list2cmdline([word]) if sys.platform == "win32" else shlex.quote(word)

"""An entry of a record as its rulings leave it, what became of it, and what playing it came to."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec

from referee.domain.call import Verdict
from referee.domain.entry import Fact
from referee.domain.geometry import Point
from referee.domain.incident import AtRest, Flicked

#: Pieces with where each lies; None where it is not on the table.
Places = tuple[tuple[str, Point | None], ...]

#: What begins and ends flicks.
FRAMING = (Flicked, AtRest)


class Fate(Enum):
    """What became of an entry. `counts`: it is played; `kept`: as it was played before a ruling;
    `void`: without effect for its player; `flick_is_gone`: its flick was taken away.
    """

    STANDS = "stands"
    SPARED = "its flick was taken away, but it stays"
    KEPT = "a later ruling lets it stay as it was played"
    VOID = "a later ruling lets it stay, but its player had no right to it"
    TOO_LATE = "void, because the player's turn was over"
    RULING = "it is a ruling"
    OVERTURNED = "a ruling overturned it"
    TAKEN_AWAY = "it was taken away with its flick"
    REWOUND = "a later ruling took back the play it was part of"

    counts: bool
    kept: bool
    void: bool
    flick_is_gone: bool

    def __init__(self, _meaning: str) -> None:
        """Set what follows from the fate."""
        self.void = self.name in ("VOID", "TOO_LATE")
        self.kept = self.void or self.name == "KEPT"
        self.flick_is_gone = self.name in ("SPARED", "TAKEN_AWAY")
        self.counts = self.kept or self.name in ("STANDS", "SPARED")


class InTurn(msgspec.Struct, frozen=True, gc=False):
    """When something was played: the entry that began the turn, and whose turn it was."""

    turn: str
    player: str


class AsPlayed(msgspec.Struct, frozen=True, gc=False):
    """How a kept entry was played: `when`, and whether flicks were made between it and the ruling.

    The game ends `passes` turns before it, because play had gone on from them. In games without
    flicks `was` is the state in which it was played, and `ended` that of its `RulingScope`.
    """

    when: InTurn | None = None
    flicks: bool = False
    passes: int = 0
    was: Any = None
    ended: Any = None


class Item(msgspec.Struct, frozen=True, gc=False):
    """One entry as it now reads. `line` numbers the entry of the record that put it here (of an
    added one the ruling).

    `given` is the ruling that put it here (its names are true ones and it is certain), "" where
    none did; `upheld` when a ruling lets it stand; `added` when it is no entry of the record;
    `as_played` says of a kept one how it was played.
    """

    id: str
    line: int
    entry: Fact
    fate: Fate = Fate.STANDS
    given: str = ""
    upheld: bool = False
    added: bool = False
    as_played: AsPlayed | None = None

    @property
    def counts(self) -> bool:
        """Whether it is played."""
        return self.fate.counts


class Step(msgspec.Struct, frozen=True, gc=False):
    """One item played: the state behind it, what the rules said to it, the place of the flick that
    is then under way, and the entry with which the turn then under way began.

    `restore` is what has to lie elsewhere since a ruling took play back: coins with where they lay
    (None: not on the table). `settled` when it is one of a flick in which something was in doubt.
    """

    item: Item
    state: Any
    verdicts: tuple[Verdict, ...]
    flick_from: int | None = None
    turn: str = "setup"
    restore: Places = ()
    settled: bool = False

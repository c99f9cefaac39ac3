"""What the replay works on: items (entries as they read after all rulings), and steps (items that
were played).
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import msgspec

from referee.domain.call import Verdict
from referee.domain.entry import Fact
from referee.domain.geometry import Point
from referee.domain.incident import AtRest, Flicked

#: Pieces, each with its place; None for one that is off the table.
Places = tuple[tuple[str, Point | None], ...]

#: The incidents that begin and end a flick.
FLICK_BOUNDS: Final = (Flicked, AtRest)


class Fate(Enum):
    """What became of an entry under the rulings.

    `counts`: it is played. `kept`: it is played as it was before a ruling. `void`: it gains nothing
    for its player. `flick_is_gone`: the flick that it belonged to was taken away.
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
        """Set the properties that follow from the fate."""
        self.void = self.name in ("VOID", "TOO_LATE")
        self.kept = self.void or self.name == "KEPT"
        self.flick_is_gone = self.name in ("SPARED", "TAKEN_AWAY")
        self.counts = self.kept or self.name in ("STANDS", "SPARED")


class InTurn(msgspec.Struct, frozen=True, gc=False):
    """When something was played: the entry that began the turn, and whose turn it was. For a pass,
    `ended` is the coin whose play it ended.
    """

    turn: str
    player: str
    ended: str = ""


class AsPlayed(msgspec.Struct, frozen=True, gc=False):
    """How an entry that a ruling keeps was played before.

    `when` is its turn, and `flicks` says whether the ruling keeps any flicks. Before the entry is
    played, the game ends the `passes` turns that were over when the entry was made. In those turns
    players gave up the play of the coins in `given_up`. In games without flicks, `was` is the state
    in which the entry was played, and `ended` is the field `ended` of the ruling's `RulingScope`.
    """

    when: InTurn | None = None
    flicks: bool = False
    passes: int = 0
    given_up: tuple[str, ...] = ()
    was: Any = None
    ended: Any = None


class Item(msgspec.Struct, frozen=True, gc=False):
    """One entry as it reads under all rulings.

    `line` is the line of the record that put it here: its own, or that of the ruling that added it.
    `given` is the id of the ruling that wrote it ("" if none did); such an entry is certain and has
    true names. `upheld` is True if a ruling lets the entry stand, and `added` is True if a ruling
    added the entry. `as_played` says how a kept entry was played before.
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
        """Whether the item is played."""
        return self.fate.counts


class Step(msgspec.Struct, frozen=True, gc=False):
    """One item played: the state after it, and the verdicts of the rules.

    `flick_from` is the place of the item that began the flick under way, and `turn` the entry that
    began the present turn. `restore` lists the pieces that must be put back after a ruling, each
    with its place (None: off the table). `settled` says that the item belongs to a flick in doubt.
    """

    item: Item
    state: Any
    verdicts: tuple[Verdict, ...]
    flick_from: int | None = None
    turn: str = "setup"
    restore: Places = ()
    settled: bool = False

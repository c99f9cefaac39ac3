"""The entries of a match record (`piecepack-match/1`): the setup, incidents, declarations and
rulings.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, final

import msgspec

from referee.domain.declaration import Declaration, Said
from referee.domain.geometry import Point
from referee.domain.incident import Incident, Measured
from referee.domain.layout import Course, course_from_layout, template_course
from referee.domain.pieces import PieceSizes

GameName = Literal[
    "tabletop-croquet",
    "castle-croquetnole",
    "carroms",
    "piecepack-croquet",
    "wickets-six",
    "wickets-nine",
]
Positive = Annotated[float, msgspec.Meta(gt=0)]


class Player(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player. The flicking games use `coin`, and the other games `pawn` or `pawns`. In Tabletop
    Croquet, `progress` is the number of steps already made.
    """

    name: str
    coin: str | None = None
    pawn: str | None = None
    pawns: tuple[str, ...] | None = None
    team: str | None = None
    progress: Annotated[int, msgspec.Meta(ge=0, le=15)] | None = None


def _none_given() -> dict[str, Any]:
    """Return an empty dictionary, the default of `options`. It is written to the record because it
    comes from a function; msgspec would leave out a plain default.
    """
    return {}


@final
class Setup(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", tag="setup", omit_defaults=True
):
    """The record's first entry: the game, its players in order of play, the options that were
    given, the sizes of the pieces, and the course as measured.
    """

    format: Literal["piecepack-match/1"]
    game: GameName
    players: tuple[Player, ...]
    options: dict[str, Any] = msgspec.field(default_factory=_none_given)
    tile_mm: Positive | None = None
    coin_mm: Positive | None = None
    layout: dict[str, Any] | None = None
    table_edge_mm: tuple[Point, ...] | None = None


class Decided(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The fields of a ruling, without its replacement. Only the verdict `before` uses `other`, and
    only the verdict `added` uses `after`.
    """

    verdict: Literal["upheld", "overturned", "replaced", "added", "before"]
    id: str | None = None
    t_s: float | None = None
    on: str | None = None
    by: str | None = None
    reason: str | None = None
    after: str | None = None
    other: str | None = None
    then: Literal["rewind", "keep"] | None = None


@final
class Ruling(Decided, frozen=True, kw_only=True, tag_field="entry", tag="ruling"):
    """A person's decision about an earlier entry. `replacement` is the entry that the ruling adds,
    or puts in the earlier entry's place.
    """

    replacement: Incident | Declaration | Setup | None = None


def added_id(ruling: Ruling, name: str | None = None) -> str:
    """Return the id of the entry that a ruling adds: the entry's own id, or else the ruling's id
    with a `+`.

    `name` is the ruling's id if the ruling is written without an id.
    """
    own = getattr(ruling.replacement, "id", None)
    return f"{name or ruling.id}+" if own is None else own


Fact = Incident | Declaration | Ruling
Entry = Setup | Fact


def plain(entry: Entry) -> dict[str, Any]:
    """Return the entry as the JSON object on its line of the record."""
    values: dict[str, Any] = msgspec.to_builtins(entry)
    if isinstance(entry, Ruling) and entry.replacement is not None:
        values["replacement"] = plain(entry.replacement)
    if isinstance(entry, Measured):
        return {"entry": "incident", **values}
    if isinstance(entry, Said):
        return {"entry": "declaration", **values}
    return values


def named(entry: Incident | Declaration | Ruling, name: str) -> Incident | Declaration | Ruling:
    """Return the entry with an id: its own, or `name` if it has none."""
    return entry if entry.id is not None else msgspec.structs.replace(entry, id=name)


def sizes_of(setup: Setup) -> PieceSizes:
    """Return the sizes of the match's pieces. A size that the setup does not give is that of the
    usual piecepack.
    """
    usual = PieceSizes()
    return PieceSizes(
        tile_mm=setup.tile_mm or usual.tile_mm, coin_mm=setup.coin_mm or usual.coin_mm
    )


def course_of(setup: Setup) -> Course:
    """Return the course that the match is played on: the measured one, or else the game's template.

    Raises KeyError, TypeError or ValueError for a bad layout.
    """
    tile_mm = sizes_of(setup).tile_mm
    return (
        template_course(setup.game, tile_mm)
        if setup.layout is None
        else course_from_layout(setup.layout, tile_mm)
    )

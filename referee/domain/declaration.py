"""Declarations: the entries of the match record that hold what a player said. Each kind has a class
of its own. A field with its default value is left out when the declaration is written.

A `croquet` has different fields in three of the games, so it has three classes. The game of the
match decides which one applies.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Direction = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]
Space = tuple[int, int]


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The fields that any declaration may have. Without `player`, the declaration is the active
    player's. `guessed` says that the program inferred the declaration from what hands did.
    """

    id: str | None = None
    t_s: float | None = None
    player: str | None = None
    guessed: bool = False


class AfterHit(Said, frozen=True, kw_only=True, tag_field="kind", tag="after_hit"):
    """Tabletop Croquet's four actions after hitting `coin`: 1 go on, 2 move beside it, 3 flick it,
    4 move beside it and flick it.
    """

    option: Literal[1, 2, 3, 4]
    coin: str


class Rover(Said, frozen=True, kw_only=True, tag_field="kind", tag="rover"):
    """The owner of `coin` makes it a rover."""

    coin: str


class Leave(Said, frozen=True, kw_only=True, tag_field="kind", tag="leave"):
    """The owner of `coin` goes for the endpost instead of becoming a rover."""

    coin: str


class CastleCroquet(Said, frozen=True, kw_only=True, tag_field="kind", tag="croquet"):
    """Castle Croquetnole: the player chooses one of the five croquets."""

    option: Literal[1, 2, 3, 4, 5]


class PiecepackCroquet(Said, frozen=True, kw_only=True, tag_field="kind", tag="croquet"):
    """Croquet for piecepack: the player chooses a croquet stroke. A `play-off` has no other field.
    Only a `follow-through` has `follow_direction`.
    """

    stroke: Literal["play-off", "stop-shot", "follow-through"]
    direction: Direction | None = None
    distance: int | None = None
    follow_direction: Direction | None = None


class WicketsCroquet(Said, frozen=True, kw_only=True, tag_field="kind", tag="croquet"):
    """Wickets: the player sends the roqueted ball (`pawn`, or `coin`) in a straight line."""

    pawn: str | None = None
    coin: str | None = None
    direction: Direction


class Continuation(Said, frozen=True, kw_only=True, tag_field="kind", tag="continuation"):
    """Wickets: the player takes the continuation shot instead of the croquet."""


class Shot(Said, frozen=True, kw_only=True, tag_field="kind", tag="shot"):
    """Croquet for piecepack: the player announces a route. `route` leaves out its start."""

    route: tuple[Space, ...]


class SpecialShot(Said, frozen=True, kw_only=True, tag_field="kind", tag="special_shot"):
    """Croquet for piecepack: the player spends a special-shot coin instead of rolling the die."""

    coin: str


class Disaster(Said, frozen=True, kw_only=True, tag_field="kind", tag="disaster"):
    """Croquet for piecepack: the opponent decides what happens after a disaster. `choice.kind` says
    which other fields `choice` has.
    """

    choice: Choice


class Choice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a ball goes after a disaster.

    `stop`: the ball stops at a point of its route. `straight`: it goes straight in a given
    direction. `ball`: the croqueted ball goes in a given direction. `follow`: only the
    follow-through failed, and the player's own ball goes in a given direction.
    """

    kind: Literal["stop", "straight", "ball", "follow"]
    at: Space | None = None
    direction: Direction | None = None
    distance: int | None = None
    own_direction: Direction | None = None


class Hold(Said, frozen=True, kw_only=True, tag_field="kind", tag="hold"):
    """Carroms: the player holds down some lines of tiles during the next flick."""

    walls: tuple[Literal["N", "S", "E", "W"], ...]


class Pass(Said, frozen=True, kw_only=True, tag_field="kind", tag="pass"):
    """The player passes."""


class Concede(Said, frozen=True, kw_only=True, tag_field="kind", tag="concede"):
    """The player concedes."""


class Agreed(Said, frozen=True, kw_only=True, tag_field="kind", tag="agreed"):
    """The players end the match: `winner` is a player, a team's players, or None for a draw."""

    winner: str | tuple[str, ...] | None = msgspec.field()


class Challenge(Said, frozen=True, kw_only=True, tag_field="kind", tag="challenge"):
    """A player wants people to check the entry `on`. `on` is None if the player says that the
    referee missed something.
    """

    on: str | None


Declaration = (
    AfterHit
    | Rover
    | Leave
    | CastleCroquet
    | PiecepackCroquet
    | WicketsCroquet
    | Continuation
    | Shot
    | SpecialShot
    | Disaster
    | Hold
    | Pass
    | Concede
    | Agreed
    | Challenge
)

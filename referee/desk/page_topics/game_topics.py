"""How a match stands, in the form in which pages get it: for each game, whose turn it is and how
far everybody has come. A field that is `UNSET` is left out.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Point = tuple[float, float]
Square = tuple[int, int]


class Shape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base of every part of a topic: plain values. Values that are not known are left out."""


class Task(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that must be done on the table before the next flick, and where."""

    do: Literal["place", "lift", "restore", "answer"]
    coin: str | UnsetType = UNSET
    coins: list[str] | UnsetType = UNSET
    tile: str | UnsetType = UNSET
    why: str | UnsetType = UNSET
    where: str | UnsetType = UNSET
    on: str | UnsetType = UNSET
    beside: str | UnsetType = UNSET
    within_mm: float | UnsetType = UNSET
    back_mm: Point | UnsetType = UNSET
    start_mm: Point | UnsetType = UNSET
    exit_mm: Point | UnsetType = UNSET
    inset_mm: float | UnsetType = UNSET
    tower_mm: Point | UnsetType = UNSET


class Beside(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The region beside a coin in which another coin may be put down."""

    coin: str
    beside_mm: Point | None
    within_mm: float


class Options(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices for a declaration after a hit: the `coins` that were hit, or the numbers of the
    croquets (`croquet`).
    """

    coins: list[str] | UnsetType = UNSET
    croquet: list[int] | UnsetType = UNSET
    declared: int | None
    on: str | None = None
    place: Beside | UnsetType = UNSET


class FlickTurn(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose turn it is in a flicking game, and what is expected."""

    player: str
    coin: str
    flicks_left: int
    expects: str
    flick: str
    before_flick: list[Task]
    may_flick: list[str] | UnsetType = UNSET
    may_force: list[str] | UnsetType = UNSET
    may_pass: bool | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    rack_mm: dict[str, Point] | UnsetType = UNSET
    held: dict[str, list[Literal["N", "E", "S", "W"]]] | UnsetType = UNSET
    restore: dict[str, Point | None] | UnsetType = UNSET


class LawnTurn(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose go it is in Croquet for piecepack, and what is expected."""

    player: str
    pawn: str
    expects: str
    roll: str | UnsetType = UNSET
    decides: str | UnsetType = UNSET
    places: list[Square] | UnsetType = UNSET
    croquet: str | UnsetType = UNSET
    shot: str | UnsetType = UNSET
    roqueted: list[str] | UnsetType = UNSET
    restore: dict[str, Square | None] | UnsetType = UNSET


class WicketsTurn(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose turn it is in Wickets, and what is expected."""

    player: str
    pawn: str
    expects: str
    options: list[str] | UnsetType = UNSET
    dice: dict[str, int] | UnsetType = UNSET
    roll: list[str] | UnsetType = UNSET
    paths: int | UnsetType = UNSET
    roqueted: list[str] | UnsetType = UNSET
    restore: dict[str, Square | None] | UnsetType = UNSET


class Row(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a player or a ball stands, in any game."""

    player: str
    conceded: bool | UnsetType = UNSET
    challenges_left: int | UnsetType = UNSET


class TabletopCroquetRow(Row, frozen=True, kw_only=True):
    """Where a player stands in Tabletop Croquet."""

    coin: str
    progress: int
    next: str | None
    state: str
    dead_on: list[str]
    team: str | None = None


class CastleCroquetnoleRow(Row, frozen=True, kw_only=True):
    """Where a player stands in Castle Croquetnole."""

    coin: str
    knight: str
    guard: str
    progress: int
    next: str | None
    direction: Literal["in", "out"] | None
    inside: str
    guard_inside: str
    on_duty: bool
    prisoner_of: str | None
    waiting: bool
    struck: list[str]


class CarromsRow(Row, frozen=True, kw_only=True):
    """Where a player stands in Carroms."""

    coin: str
    pocketed: int
    left: int
    black_live: bool


class PiecepackCroquetRow(Row, frozen=True, kw_only=True):
    """Where a ball stands in Croquet for piecepack."""

    pawn: str
    team: str
    hoops: int
    at: Square | None
    state: str
    special_shots: list[str]


class WicketsRow(Row, frozen=True, kw_only=True):
    """Where a ball stands in Wickets."""

    pawn: str
    at: Square | None
    points: int
    next: str | None
    label: str | None
    state: str
    dead_on: list[str]
    team: str | None = None


class QuestionShown(Shape, frozen=True, kw_only=True):
    """A question that people must answer. `answers` are the verdicts or declarations among which
    they choose.
    """

    on: str
    what: str
    rule: str
    text: str
    answers: list[str]
    other: str | None = None
    coin: str | None = None
    player: str | None = None


class Outcome(Shape, frozen=True, kw_only=True):
    """How a match of any game stands."""

    status: Literal["in_progress", "question", "won"]
    winner: str | list[str] | None
    questions: list[QuestionShown]


class TabletopCroquetStanding(
    Outcome, frozen=True, kw_only=True, tag_field="game", tag="tabletop-croquet"
):
    """How a match of Tabletop Croquet stands."""

    turn: FlickTurn
    standings: list[TabletopCroquetRow]


class CastleCroquetnoleStanding(
    Outcome, frozen=True, kw_only=True, tag_field="game", tag="castle-croquetnole"
):
    """How a match of Castle Croquetnole stands."""

    turn: FlickTurn
    standings: list[CastleCroquetnoleRow]


class CarromsStanding(Outcome, frozen=True, kw_only=True, tag_field="game", tag="carroms"):
    """How a match of Carroms stands."""

    turn: FlickTurn
    standings: list[CarromsRow]


class PiecepackCroquetStanding(
    Outcome, frozen=True, kw_only=True, tag_field="game", tag="piecepack-croquet"
):
    """How a match of Croquet for piecepack stands."""

    turn: LawnTurn
    standings: list[PiecepackCroquetRow]


class WicketsSixStanding(Outcome, frozen=True, kw_only=True, tag_field="game", tag="wickets-six"):
    """How a match of Wickets with six wickets stands."""

    turn: WicketsTurn
    standings: list[WicketsRow]


class WicketsNineStanding(Outcome, frozen=True, kw_only=True, tag_field="game", tag="wickets-nine"):
    """How a match of Wickets with nine wickets stands."""

    turn: WicketsTurn
    standings: list[WicketsRow]


StandingTopic = (
    TabletopCroquetStanding
    | CastleCroquetnoleStanding
    | CarromsStanding
    | PiecepackCroquetStanding
    | WicketsSixStanding
    | WicketsNineStanding
)

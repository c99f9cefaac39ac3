"""What a running match shows its pages, as types: the value of each topic of the feed.

The page's own declarations are generated from these (`web_ui/types/contract.d.ts`). Places are in
the table frame: mm, x right, y up; of a game on points or spaces `at` is one of those. A field that
is `UNSET` is left out.

Topics are of two kinds. Those of a moment are replaced whole: `match`, `doing`, `table`, `coins`,
`path`, `standing`, `record`, `hand`, `naming`, `provisional`. Those of the record have a part for
each entry, which carries the entry's id: `evidence`, `calls`, `irregularities`, `rulings`. A new
entry adds its part behind the others, so that this part can be sent by itself; a ruling on an
earlier entry may change what stands behind that.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.desk.game_topics import Point, Shape, StandingTopic
from referee.domain.call import Call
from referee.domain.declaration import PiecepackCroquet, Shot
from referee.domain.incident import TileDisplaced

Phase = Literal["setting_up", "naming", "watching", "following", "finished", "failed"]


class Player(Shape, frozen=True, kw_only=True):
    """Somebody who plays, with a coin, a ball or several."""

    name: str
    coin: str | UnsetType = UNSET
    pawn: str | UnsetType = UNSET
    pawns: tuple[str, ...] | UnsetType = UNSET
    team: str | UnsetType = UNSET


class MatchTopic(Shape, frozen=True, kw_only=True):
    """Who plays what. `tints` are the colours of the set on the table, as far as they are known."""

    game: str
    players: list[Player]
    options: dict[str, Any]
    tints: dict[str, str]


class DoingTopic(Shape, frozen=True, kw_only=True):
    """What the program is doing; `share`, of 1, says how far it has come."""

    phase: Phase
    text: str
    t_s: float | None
    share: float | None
    source: str


class Side(Shape, frozen=True, kw_only=True):
    """A side of the table; `seen` are the two shares of its length between which it is refereed."""

    begin_mm: Point
    end_mm: Point
    seen: tuple[float, float]


class TilePlaced(Shape, frozen=True, kw_only=True):
    """A tile, or a stack of them, where it lies."""

    centre_mm: Point
    rotation_deg: float
    stack: int | UnsetType = UNSET


class LinePlaced(Shape, frozen=True, kw_only=True):
    """A wicket's, door's or gate's line, or a pocket's mouth."""

    left_mm: Point
    right_mm: Point


class Spot(Shape, frozen=True, kw_only=True):
    """A hoop or a post of a board."""

    name: str
    at_mm: Point


class CourseStep(Shape, frozen=True, kw_only=True):
    """A step of the course on a board: its place, and the heading in which a hoop is passed."""

    place: str
    heading: str | None
    label: str | None


class Board(Shape, frozen=True, kw_only=True):
    """The lawn (`points`) or the board (`spaces`) of a game with pawns."""

    kind: Literal["points", "spaces"]
    unit_mm: float
    width: int
    height: int
    hoops: list[Spot]
    posts: list[Spot]
    starts_mm: list[Point]
    course: list[CourseStep]


class TableTopic(Shape, frozen=True, kw_only=True):
    """The table from above; a game with pawns has a `board` and neither tiles nor lines."""

    edge_mm: list[Point]
    sides: list[Side]
    tiles: dict[str, TilePlaced]
    lines: dict[str, LinePlaced]
    tile_mm: float
    coin_mm: float
    rack_mm: list[Point]
    board: Board | UnsetType = UNSET


class Lie(Shape, frozen=True, kw_only=True):
    """Where a coin is, as far as it is known; `moved`: no longer where it was last seen lying."""

    at_mm: Point | None
    state: Literal["rest", "sliding", "hidden", "in_hand", "off_table", "moved", "off_lawn"]


class CoinsTopic(Shape, frozen=True, kw_only=True):
    """Where the coins are; `hand`: one is over the table."""

    t_s: float
    coins: dict[str, Lie]
    hand: bool


class PathTopic(Shape, frozen=True, kw_only=True):
    """The ways of the flick being drawn; they stay until the next one begins."""

    flick: int
    coins: dict[str, list[Point]]


class ProvisionalCall(Call, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A call made while coins still move, with how far its incident is from going the other way."""

    margin_mm: float | UnsetType = UNSET
    sigma_mm: float | UnsetType = UNSET
    probability: float | UnsetType = UNSET


class IrregularityShown(Shape, frozen=True, kw_only=True):
    """What the rules do not allow but happened all the same."""

    on: str
    what: str
    rule: str
    text: str
    coin: str | None = None
    player: str | None = None
    facts: dict[str, Any] | None = None


class Evidence(Shape, frozen=True, kw_only=True):
    """What a page needs to know of an incident, or (`entry` says so) of a declaration.

    `flick` is the number under which the match folder has the flick's paths; the clip begins at
    `clip_from_s`.
    """

    entry: Literal["incident", "declaration"] | UnsetType = UNSET
    kind: str
    t_s: float | UnsetType = UNSET
    player: str | UnsetType = UNSET
    guessed: bool | UnsetType = UNSET
    option: int | UnsetType = UNSET
    coin: str | UnsetType = UNSET
    with_: str | UnsetType = msgspec.field(default=UNSET, name="with")
    line: str | UnsetType = UNSET
    at_mm: Point | UnsetType | None = UNSET
    tile: str | UnsetType = UNSET
    pocket: str | UnsetType = UNSET
    die: str | UnsetType = UNSET
    face: str | int | UnsetType = UNSET
    pawn: str | UnsetType = UNSET
    pieces: tuple[str, ...] | UnsetType = UNSET
    from_s: float | UnsetType = UNSET
    to_s: float | UnsetType = UNSET
    margin_mm: float | UnsetType = UNSET
    sigma_mm: float | UnsetType = UNSET
    probability: float | UnsetType = UNSET
    flick: int | UnsetType = UNSET
    clip: str | UnsetType = UNSET
    clip_from_s: float | UnsetType = UNSET


class RulingMade(Shape, frozen=True, kw_only=True):
    """A ruling; `holds`: no later one says that it does not."""

    id: str
    on: str | UnsetType = UNSET
    after: str | UnsetType = UNSET
    other: str | UnsetType = UNSET
    verdict: str
    by: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    then: str | UnsetType = UNSET
    holds: bool


class RecordTopic(Shape, frozen=True, kw_only=True):
    """The record: how this `program` and the file are `typed` in a command line, the `last` entry
    that is no ruling, and how many `entries` there are. `announced` until the die has decided it.
    """

    program: str
    typed: str
    last: str
    entries: int
    announced: Shot | PiecepackCroquet | None = None


class LastEntry(Evidence, frozen=True, kw_only=True):
    """The last entry that counts, `on`, which can be taken back."""

    on: str


class HandTopic(Shape, frozen=True, kw_only=True):
    """What is entered by hand: what was told of the flick under way, its beginning first; the tiles
    pushed and not put back; the coins `down` in pockets; whether a camera saw the last flick.
    """

    flick: list[Evidence]
    back: LastEntry | None
    displaced: dict[str, TileDisplaced]
    down: list[str]
    camera: bool


class CoinAsked(Shape, frozen=True, kw_only=True):
    """A coin whose name is asked. `odds` are the candidates' probabilities; what they lack of 1 is
    that of being nobody's. `face` names a picture.
    """

    id: str
    at_mm: Point
    guess: str | None
    probability: float
    candidates: list[str]
    odds: list[float]
    face: str | None


class NamingTopic(Shape, frozen=True, kw_only=True):
    """Which coin is which? `picture`: there is one of the table."""

    coins: list[CoinAsked]
    picture: bool


class Topics(Shape, frozen=True, kw_only=True):
    """Every topic of a feed. One that is withdrawn is null; one never published is left out.

    There are `rulings` only where the page may rule, and a `hand` where what happens on the table
    may be entered.
    """

    match: MatchTopic | UnsetType | None = UNSET
    doing: DoingTopic | UnsetType | None = UNSET
    table: TableTopic | UnsetType | None = UNSET
    coins: CoinsTopic | UnsetType | None = UNSET
    path: PathTopic | UnsetType | None = UNSET
    standing: StandingTopic | UnsetType | None = UNSET
    record: RecordTopic | UnsetType | None = UNSET
    hand: HandTopic | UnsetType | None = UNSET
    naming: NamingTopic | UnsetType | None = UNSET
    provisional: list[ProvisionalCall] | UnsetType | None = UNSET
    evidence: dict[str, Evidence] | UnsetType | None = UNSET
    calls: list[Call] | UnsetType | None = UNSET
    irregularities: list[IrregularityShown] | UnsetType | None = UNSET
    rulings: list[RulingMade] | UnsetType | None = UNSET

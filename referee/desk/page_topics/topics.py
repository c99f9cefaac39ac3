"""The types of the topics of a feed, which are what a running match shows on its pages.

The page's declarations are generated from these types (`web_ui/types/contract.d.ts`). Places are in
the table frame: mm, x right, y up. In a game on points or spaces, `at` is one of those. A field
that is `UNSET` is left out.

There are two kinds of topic. `match`, `doing`, `table`, `coins`, `path`, `standing`, `record`,
`hand`, `naming`, `missing`, `castle` and `provisional` are replaced as a whole. `evidence`,
`calls`, `irregularities` and `rulings` belong to the record and have a part for each entry, which
carries the entry's id. A new entry adds its parts at the end, so that only these must be sent.
Earlier parts change in two cases. A ruling may change all parts from the ruled entry on. A new
entry of the current flick may change other parts of that flick, if the order of its incidents was
asked.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.desk.page_topics.game_topics import Point, Shape, StandingTopic
from referee.desk.page_topics.opening_questions import CastleTopic, MissingTopic, NamingTopic
from referee.domain.call import Call
from referee.domain.declaration import PiecepackCroquet, Shot
from referee.domain.incident import TileDisplaced

Phase = Literal["setting_up", "naming", "watching", "following", "finished", "failed"]


class Player(Shape, frozen=True, kw_only=True):
    """A player with a coin, a ball or several balls."""

    name: str
    coin: str | UnsetType = UNSET
    pawn: str | UnsetType = UNSET
    pawns: tuple[str, ...] | UnsetType = UNSET
    team: str | UnsetType = UNSET


class MatchTopic(Shape, frozen=True, kw_only=True):
    """The game, the players with their coins or balls, and the options. `tints` are the colours of
    the suits of the set on the table, as far as they are known.
    """

    game: str
    players: list[Player]
    options: dict[str, Any]
    tints: dict[str, str]


class DoingTopic(Shape, frozen=True, kw_only=True):
    """What the program is doing. `share` says how much of it is done, from 0 to 1."""

    phase: Phase
    text: str
    t_s: float | None
    share: float | None
    source: str


class Side(Shape, frozen=True, kw_only=True):
    """A side of the table. The referee judges the part of it between the two shares of its length
    in `seen`.
    """

    begin_mm: Point
    end_mm: Point
    seen: tuple[float, float]


class TilePlaced(Shape, frozen=True, kw_only=True):
    """A tile, or a stack of tiles, and its place."""

    centre_mm: Point
    rotation_deg: float
    stack: int | UnsetType = UNSET


class LinePlaced(Shape, frozen=True, kw_only=True):
    """The line of a wicket, a door or a gate, or the mouth of a pocket."""

    left_mm: Point
    right_mm: Point


class Spot(Shape, frozen=True, kw_only=True):
    """A hoop or a post of a board."""

    name: str
    at_mm: Point


class CourseStep(Shape, frozen=True, kw_only=True):
    """A step of the course on a board: its place, and the heading in which a ball must pass it."""

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
    """The table from above. A game with pawns has a `board`, and no tiles or lines. `notes` tell
    what the camera found about the tiles, and what happened to the camera itself.
    """

    edge_mm: list[Point]
    sides: list[Side]
    tiles: dict[str, TilePlaced]
    lines: dict[str, LinePlaced]
    tile_mm: float
    coin_mm: float
    rack_mm: list[Point]
    board: Board | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class Lie(Shape, frozen=True, kw_only=True):
    """Where a coin is, as far as it is known. `moved` says that the coin has moved since it was
    last seen at rest.
    """

    at_mm: Point | None
    state: Literal["rest", "sliding", "hidden", "in_hand", "off_table", "moved", "off_lawn"]


class CoinsTopic(Shape, frozen=True, kw_only=True):
    """Where the coins are. `hand` says that a hand is over the table."""

    t_s: float
    coins: dict[str, Lie]
    hand: bool


class PathTopic(Shape, frozen=True, kw_only=True):
    """The paths of the last flick. They are drawn until the next flick begins."""

    flick: int
    coins: dict[str, list[Point]]


class ProvisionalCall(Call, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A call that was made while coins still move, with the measured margin of its incident."""

    margin_mm: float | UnsetType = UNSET
    sigma_mm: float | UnsetType = UNSET
    probability: float | UnsetType = UNSET


class IrregularityShown(Shape, frozen=True, kw_only=True):
    """Something that happened although the rules do not allow it."""

    on: str
    what: str
    rule: str
    text: str
    coin: str | None = None
    player: str | None = None
    facts: dict[str, Any] | None = None


class Evidence(Shape, frozen=True, kw_only=True):
    """What a page must know about an incident, or about a declaration, if `entry` says that it is
    one.

    `flick` is the number of the flick under which the match folder holds its paths. The clip begins
    at `clip_from_s`.
    """

    entry: Literal["incident", "declaration"] | UnsetType = UNSET
    kind: str
    t_s: float | UnsetType = UNSET
    player: str | UnsetType = UNSET
    on: str | UnsetType | None = UNSET
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
    """A ruling. `holds` says whether no later ruling overturns or replaces it."""

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
    """The record. `program` and `typed` are the program and the record's file as they must be typed
    in a command line. `last` is the last entry that is not a ruling, and `entries` the number of
    entries. `announced` is the shot that was announced, until the die has decided it.
    """

    program: str
    typed: str
    last: str
    entries: int
    announced: Shot | PiecepackCroquet | None = None


class LastEntry(Evidence, frozen=True, kw_only=True):
    """The last entry that counts, which can be taken back; `on` is its id."""

    on: str


class HandTopic(Shape, frozen=True, kw_only=True):
    """What the page needs for entries by hand: the entries of the current `flick`, the tiles that
    are `displaced`, the coins that are `down` in pockets, and whether a `camera` saw the last
    flick.

    Either the last entry that counts (`back`) can be taken back, or the ruling that somebody made
    after it (`ruled`).

    Of the coins in play, some lie `on_table`, and the others are `off_table`. Coins that are out of
    the game are in neither list.
    """

    flick: list[Evidence]
    back: LastEntry | None
    ruled: RulingMade | None
    displaced: dict[str, TileDisplaced]
    down: list[str]
    on_table: list[str]
    off_table: list[str]
    camera: bool


class AccessTopic(Shape, frozen=True, kw_only=True):
    """A count of how often sessions were closed or the PIN was changed. Whenever it changes, each
    page asks what it may do. A feed never contains a secret.
    """

    changes: int


class Topics(Shape, frozen=True, kw_only=True):
    """Every topic of a feed. A withdrawn topic is null; a topic that was never published is left
    out.

    There are `rulings` only if the page may make rulings, and a `hand` only if people may enter
    what happens.
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
    missing: MissingTopic | UnsetType | None = UNSET
    castle: CastleTopic | UnsetType | None = UNSET
    provisional: list[ProvisionalCall] | UnsetType | None = UNSET
    evidence: dict[str, Evidence] | UnsetType | None = UNSET
    calls: list[Call] | UnsetType | None = UNSET
    irregularities: list[IrregularityShown] | UnsetType | None = UNSET
    rulings: list[RulingMade] | UnsetType | None = UNSET
    access: AccessTopic | UnsetType | None = UNSET

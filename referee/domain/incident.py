"""Incidents: the physical facts of a match, measured or seen, as the match record holds them.

One class a kind. A field that carries its default is left out when an incident is written, but for
those that every incident of its kind has. UNSET stands for a place that the record does not tell.
Units are in the names; the meaning of each field is the record format's (`piecepack-match/1`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

PointMm = tuple[float, float]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Spread = Annotated[float, msgspec.Meta(ge=0)]


class Measured(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What any incident may carry: its name, its time and how sure it is. A missing `probability`
    means certain.
    """

    id: str | None = None
    t_s: float | None = None
    margin_mm: float | None = None
    sigma_mm: Spread | None = None
    probability: Share | None = None
    frames: tuple[int, int] | None = None
    clip: str | None = None


class TilePlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a tile lies: its centre and its rotation counter-clockwise."""

    centre_mm: PointMm
    rotation_deg: float


def _nobody() -> tuple[str, ...]:
    """No coin: what a function gives is no default that would be left out."""
    return ()


class Flicked(Measured, frozen=True, kw_only=True, tag_field="kind", tag="flicked"):
    """A player flicked `coin`; `touching` are the coins in contact with it just before. Begins a
    flick.
    """

    coin: str
    touching: tuple[str, ...] = msgspec.field(default_factory=_nobody)
    player: str | None = None


class LineCrossed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="line_crossed"):
    """The centre of `coin` crossed `line`, within its two ends."""

    coin: str
    line: str
    direction: Literal["outward", "homeward", "out", "in"]


class Contact(Measured, frozen=True, kw_only=True, tag_field="kind", tag="contact"):
    """The rim of `coin` met `with_` (a coin, a place or a tile), `coin` being the faster along the
    line of centres.
    """

    coin: str
    with_: str = msgspec.field(name="with")


class LeftTable(Measured, frozen=True, kw_only=True, tag_field="kind", tag="left_table"):
    """The centre of `coin` crossed the table's edge at `at_mm`."""

    coin: str
    at_mm: PointMm


class Pocketed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="pocketed"):
    """The centre of `coin` went past the mouth of `pocket`."""

    coin: str
    pocket: str


class TileDisplaced(Measured, frozen=True, kw_only=True, tag_field="kind", tag="tile_displaced"):
    """`tile` was moved out of place by a coin or a hand."""

    tile: str
    moved_mm: float
    turned_deg: float
    by: Literal["coin", "hand"]
    from_: TilePlace | UnsetType = msgspec.field(name="from", default=UNSET)
    to: TilePlace | UnsetType = UNSET


class TileRestored(Measured, frozen=True, kw_only=True, tag_field="kind", tag="tile_restored"):
    """`tile` was put back where it belongs."""

    tile: str
    moved_mm: float
    turned_deg: float
    by: Literal["coin", "hand"]
    from_: TilePlace | UnsetType = msgspec.field(name="from", default=UNSET)
    to: TilePlace | UnsetType = UNSET


class AtRest(Measured, frozen=True, kw_only=True, tag_field="kind", tag="at_rest"):
    """Everything is still; `coins` are where the coins on the table lie. Ends a flick."""

    coins: dict[str, PointMm]


class Placed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="placed"):
    """A hand put `coin` down at `at_mm`, or lifted it off the table for good (None)."""

    coin: str
    at_mm: PointMm | None


class Unseen(Measured, frozen=True, kw_only=True, tag_field="kind", tag="unseen"):
    """The camera could not see `pieces` in between, and what they did cannot be told from before
    and after.
    """

    pieces: tuple[str, ...]
    from_s: float
    to_s: float


class Rolled(Measured, frozen=True, kw_only=True, tag_field="kind", tag="rolled"):
    """A die came to rest on a face."""

    die: str
    face: str | int


class Moved(Measured, frozen=True, kw_only=True, tag_field="kind", tag="moved"):
    """A pawn was moved on the grid; `from_` None when placed on the board, `to` None when taken
    off.
    """

    pawn: str
    from_: tuple[int, int] | UnsetType | None = msgspec.field(name="from", default=UNSET)
    to: tuple[int, int] | UnsetType | None = UNSET
    path: tuple[tuple[int, int], ...] | None = None


class CoinFlipped(Measured, frozen=True, kw_only=True, tag_field="kind", tag="coin_flipped"):
    """A special-shot coin was turned over."""

    coin: str


class CoinTurned(Measured, frozen=True, kw_only=True, tag_field="kind", tag="coin_turned"):
    """A hoop marker's tick now stands at `angle_deg` clockwise from up."""

    coin: str
    angle_deg: float


class Renamed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="renamed"):
    """Pieces were taken for each other: later incidents, up to `until`, are read with these names
    exchanged.
    """

    coins: dict[str, str]
    until: str | None = None


class Surveyed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="surveyed"):
    """The course or the camera was measured again: lines and posts are these from here on.

    `moved_px` is how far the picture moved, where it was the camera.
    """

    layout: dict[str, object] | None = None
    table_edge_mm: tuple[PointMm, ...] | None = None
    moved_px: Spread | None = None


Incident = (
    Flicked
    | LineCrossed
    | Contact
    | LeftTable
    | Pocketed
    | TileDisplaced
    | TileRestored
    | AtRest
    | Placed
    | Unseen
    | Rolled
    | Moved
    | CoinFlipped
    | CoinTurned
    | Renamed
    | Surveyed
)

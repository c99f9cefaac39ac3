"""Incidents: the entries of the match record that hold physical facts, measured or seen.

Each kind has a class of its own. A field with its default value is left out when an incident is
written, except for fields that every incident of its kind has. UNSET stands for a place that the
record does not give. Names of fields end in their units. What each field means is defined by the
record format (`piecepack-match/1`).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

PointMm = tuple[float, float]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Spread = Annotated[float, msgspec.Meta(ge=0)]
#: Which way a line was crossed: outward or homeward through a wicket, out or in through a gate or a
#: door.
Direction = Literal["outward", "homeward", "out", "in"]

# Rule: the record's format. A tile that was moved or turned by less counts as not displaced.
DISPLACED_MM: Final = 2.0
DISPLACED_DEG: Final = 2.0  # Rule: the record's format
# A less probable incident is not reported. The record treats probabilities from 0.05 to 0.95 as too
# close to call. Tuned on our own clips.
LEAST_CHANCE: Final = 0.02
# An incident with a higher probability is written without one, and so counts as certain. Tuned on
# our own clips.
CERTAIN: Final = 0.9995
# The probability of the likelier of two explanations if neither can be excluded. The referee asks
# about such an incident. Tuned on our own clips.
LIKELIER: Final = 0.8
# By definition: the upper end of the probabilities that are too close to call. The lower end is 1
# minus this value.
SURE: Final = 0.95
# By definition: the probability of each of two explanations if neither is likelier.
EITHER: Final = 0.5
# By definition: incidents at one instant are written a microsecond apart, in order of cause and
# effect.
TICK_S: Final = 1e-6


class Measured(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The fields that any incident may have: its id, its time and the probability that it happened.
    Without `probability`, the incident is certain.
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
    """Return no coins, the default of `touching`. It is written to the record because it comes from
    a function; msgspec would leave out a plain default.
    """
    return ()


class Flicked(Measured, frozen=True, kw_only=True, tag_field="kind", tag="flicked"):
    """A player flicked `coin`, and a flick begins. `touching` are the coins that touched `coin`
    just before.
    """

    coin: str
    touching: tuple[str, ...] = msgspec.field(default_factory=_nobody)
    player: str | None = None


class LineCrossed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="line_crossed"):
    """The centre of `coin` crossed `line` between the line's two ends."""

    coin: str
    line: str
    direction: Direction


class Contact(Measured, frozen=True, kw_only=True, tag_field="kind", tag="contact"):
    """The rim of `coin` met `with_`, which is a coin, a place or a tile. Of two coins, `coin` is
    the one that moved faster towards the other.
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
    """Everything lies still, and the flick ends. `coins` gives the place of every coin on the
    table.
    """

    coins: dict[str, PointMm]


class Placed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="placed"):
    """A hand put `coin` down at `at_mm`. If `at_mm` is None, a hand took the coin off the table for
    good.
    """

    coin: str
    at_mm: PointMm | None


class Unseen(Measured, frozen=True, kw_only=True, tag_field="kind", tag="unseen"):
    """The camera could not see `pieces` from `from_s` to `to_s`. What was seen before and after
    does not show what these pieces did in between.
    """

    pieces: tuple[str, ...]
    from_s: float
    to_s: float


class Rolled(Measured, frozen=True, kw_only=True, tag_field="kind", tag="rolled"):
    """A die came to rest and shows `face`."""

    die: str
    face: str | int


class Moved(Measured, frozen=True, kw_only=True, tag_field="kind", tag="moved"):
    """A hand moved a pawn on the grid. `from_` is None when the pawn was placed on the board, and
    `to` is None when it was taken off.
    """

    pawn: str
    from_: tuple[int, int] | UnsetType | None = msgspec.field(name="from", default=UNSET)
    to: tuple[int, int] | UnsetType | None = UNSET
    path: tuple[tuple[int, int], ...] | None = None


class CoinFlipped(Measured, frozen=True, kw_only=True, tag_field="kind", tag="coin_flipped"):
    """A special-shot coin was turned over."""

    coin: str


class CoinTurned(Measured, frozen=True, kw_only=True, tag_field="kind", tag="coin_turned"):
    """The mark on a hoop marker now points in the direction `angle_deg`, clockwise from up."""

    coin: str
    angle_deg: float


class Renamed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="renamed"):
    """The camera confused pieces. In later incidents, up to and including `until`, each name in
    `coins` is read as the name it is paired with.
    """

    coins: dict[str, str]
    until: str | None = None


class Surveyed(Measured, frozen=True, kw_only=True, tag_field="kind", tag="surveyed"):
    """The course was measured again: from this entry on, lines and posts are where it says.

    `moved_px` is how far the picture moved, if the camera was moved.
    """

    layout: dict[str, Any] | None = None
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


def worth_saying(chance: float) -> bool:
    """Return whether an incident with this probability is reported at all."""
    return chance >= LEAST_CHANCE


def as_written(chance: float) -> float | None:
    """Return the probability in the form in which an incident stores it: four decimals, or None if
    it is certain.
    """
    return None if chance > CERTAIN else round(chance, 4)

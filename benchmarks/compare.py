"""Compares what a run recorded of a clip with what truly happened in it.

Every clear true incident must be in the record as certain, and nothing that did not happen may be
certain there. Coins, order and times must be right. The limits are the constants below. True
incidents that are too close to call may be missing. Something that came within 2 mm of happening
may be recorded, but not as certain. For tiles, the comparison covers which of them moved and by how
much, but not the order, because tiles are measured only when nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.pairing import closest_first

Entry = Mapping[str, Any]

CERTAIN = 0.95  # with a probability above this, or without one, an incident is recorded as certain
DENIED = 0.05  # below this the record says that it did not happen
CLEAR_MM = 2.0  # an incident with at least this margin must be recorded
CLEAR_CONTACT_MM_S = 80.0  # a slower touch moves the struck coin by less than a pixel
CLEAR_TILE_MM, CLEAR_TILE_DEG = 2.0, 3.0

#: The kinds that are compared, and the fields that make two incidents of a kind the same. A
#: contact's coins may be given in either order.
IDENTITY: Mapping[str, tuple[str, ...]] = {
    "flicked": ("coin",),
    "line_crossed": ("coin", "line", "direction"),
    "contact": ("coin", "with"),
    "left_table": ("coin",),
    "pocketed": ("coin", "pocket"),
    "placed": ("coin",),
    "tile_displaced": ("tile",),
    "tile_restored": ("tile",),
}
TILES = ("tile_displaced", "tile_restored")
# kinds with an instant, which must be right to the frame
EXACT = ("line_crossed", "contact", "left_table", "pocketed")
MOST_FRAMES = 1.0
MOST_HAND_S = 0.15  # flicks and placements begin and end under a hand
#: How far apart in time two incidents may be and still be taken for the same.
SAME_WITHIN_S = {
    **dict.fromkeys(EXACT, 0.25),
    "flicked": 0.6,
    "placed": 1.5,
    **dict.fromkeys(TILES, 3.0),
}


@dataclass(frozen=True)
class Found:
    """A true incident and the recorded incident for it. `off_s` is the recorded time less the true
    time.
    """

    true: Entry
    given: Entry
    place: int
    """The recorded incident's index in the record."""

    @property
    def off_s(self) -> float:
        return float(self.given["t_s"] - self.true["t_s"])


@dataclass(frozen=True)
class Compared:
    """How well a record agrees with the truth: counts, times, and a description of everything that
    falls short.
    """

    demanded: int
    certain: int
    invented: int
    excused: int
    off_frames: tuple[float, ...]
    hand_off_s: tuple[float, ...]
    shortfalls: tuple[str, ...]


def compare(truth: Mapping[str, Any], record: Sequence[Entry], frame_s: float) -> Compared:
    """Compare a record's entries with a clip's truth. Raises KeyError if an incident lacks a
    field that it must have.
    """
    true = sorted((*truth["incidents"], *truth.get("tile_restored", ())), key=lambda t: t["t_s"])
    given = [
        (place, e)
        for place, e in enumerate(record)
        if e.get("kind") in IDENTITY and e.get("probability", 1.0) >= DENIED
    ]
    found, missing, extra = match(true, given)
    extra = [e for e in extra if not touched_tile(e, truth)]
    invented = [e for e in extra if not _nearly(e, truth["near_misses"])]
    demanded = [t for t in true if is_demanded(t)]
    short = [f"missing: {describe(t)}" for t in missing if is_demanded(t)]
    short += [
        f"invented: {describe(e)}, probability {e.get('probability', 1.0):g}" for e in invented
    ]
    for f in found:
        short += _wrong_with(f, frame_s)
    short += _out_of_order(found)
    return Compared(
        demanded=len(demanded),
        certain=sum(is_demanded(f.true) and is_certain(f.given) for f in found),
        invented=len(invented),
        excused=len(extra) - len(invented),
        off_frames=tuple(abs(f.off_s) / frame_s for f in found if f.true["kind"] in EXACT),
        hand_off_s=tuple(abs(f.off_s) for f in found if f.true["kind"] in ("flicked", "placed")),
        shortfalls=tuple(short),
    )


def is_certain(given: Entry) -> bool:
    """Return whether an incident was recorded as certain."""
    return bool(given.get("probability", 1.0) > CERTAIN)


def is_demanded(true: Entry) -> bool:
    """Return whether a true incident is so clear that it must be recorded."""
    if true["kind"] == "contact":
        return bool(true["closing_mm_s"] >= CLEAR_CONTACT_MM_S)
    if true["kind"] in TILES:
        return bool(true["moved_mm"] >= CLEAR_TILE_MM or abs(true["turned_deg"]) >= CLEAR_TILE_DEG)
    return bool(true.get("margin_mm", float("inf")) > CLEAR_MM)


def is_reversed(f: Found) -> bool:
    """Return whether the record says of a contact that the other coin moved into this one."""
    return bool(
        f.true["kind"] == "contact"
        and not f.true.get("both_moving")
        and str(f.given["coin"]) != str(f.true["coin"])
    )


def match(
    true: Sequence[Entry], given: Sequence[tuple[int, Entry]]
) -> tuple[list[Found], list[Entry], list[Entry]]:
    """Match true incidents with recorded ones, the closest in time first. Return the pairs in the
    order of the truth, the missing incidents, and the extra ones.
    """
    taken = closest_first(
        (abs(e["t_s"] - t["t_s"]), i, place)
        for i, t in enumerate(true)
        for place, e in given
        if identity(t) == identity(e) and abs(e["t_s"] - t["t_s"]) <= SAME_WITHIN_S[t["kind"]]
    )
    entries = dict(given)
    found = [Found(t, entries[taken[i]], taken[i]) for i, t in enumerate(true) if i in taken]
    used = set(taken.values())
    return (
        found,
        [t for i, t in enumerate(true) if i not in taken],
        [e for place, e in given if place not in used],
    )


def identity(incident: Entry) -> tuple[Any, ...]:
    """Return what must be equal for two incidents to count as the same, apart from their time."""
    kind = incident["kind"]
    fields = tuple(str(incident[key]) for key in IDENTITY[kind])
    return (kind, *(sorted(fields) if kind == "contact" else fields))


def describe(incident: Entry) -> str:
    """Return an incident in a few words with its time."""
    names = " ".join(str(incident[key]) for key in IDENTITY[incident["kind"]])
    return f"{incident['kind']} {names} at {incident['t_s']:.3f} s"


def touched_tile(extra: Entry, truth: Mapping[str, Any]) -> bool:
    """Return whether the extra incident is a true contact with a tile, which a record may have."""
    return extra["kind"] == "contact" and any(
        t["coin"] == extra["coin"]
        and t["tile"] == extra["with"]
        and abs(t["t_s"] - extra["t_s"]) <= SAME_WITHIN_S["contact"]
        for t in truth["tile_contacts"]
    )


def _nearly(extra: Entry, near_misses: Iterable[Entry]) -> bool:
    """Return whether the extra incident came within `CLEAR_MM` of happening and is recorded as
    unsure.
    """
    if is_certain(extra):
        return False
    pieces = {
        str(extra.get(key)) for key in ("coin", "with", "line", "pocket", "tile") if key in extra
    }
    for near in near_misses:
        named = {str(near[key]) for key in ("coin", "with", "line", "pocket") if key in near}
        by_mm = near.get("gap_mm", near.get("short_by_mm", float("inf")))
        if near["kind"] == extra["kind"] and named <= pieces and by_mm <= CLEAR_MM:
            return True
    return False


def _wrong_with(f: Found, frame_s: float) -> list[str]:
    """Return what is wrong with how a true incident was recorded."""
    wrong = []
    if is_demanded(f.true) and not is_certain(f.given):
        wrong.append(
            f"unsure: {describe(f.true)}, probability {f.given['probability']:g}, margin"
            f" {_mm(f.given)}, truly {_mm(f.true)}"
        )
    if f.true["kind"] in EXACT and abs(f.off_s) > MOST_FRAMES * frame_s:
        wrong.append(f"{f.off_s / frame_s:+.1f} frames off: {describe(f.true)}")
    if f.true["kind"] in ("flicked", "placed") and abs(f.off_s) > MOST_HAND_S:
        wrong.append(f"{f.off_s:+.2f} s off: {describe(f.true)}")
    if is_reversed(f):
        wrong.append(f"wrong way round: {describe(f.true)}")
    if f.true["kind"] in TILES and (
        abs(f.given["moved_mm"] - f.true["moved_mm"]) > CLEAR_TILE_MM or _turned_wrong(f)
    ):
        wrong.append(f"moved {_moved(f.given)}: {describe(f.true)}, truly {_moved(f.true)}")
    return wrong


def _moved(tile: Entry) -> str:
    return f"{tile['moved_mm']:.1f} mm, {tile['turned_deg']:.1f} degrees"


def _turned_wrong(f: Found) -> bool:
    """Return whether the recorded rotation is wrong. A square tile turned by 90 degrees looks the
    same.
    """
    off: float = (f.given["turned_deg"] - f.true["turned_deg"] + 45.0) % 90.0 - 45.0
    return abs(off) > CLEAR_TILE_DEG


def _mm(incident: Entry) -> str:
    return f"{incident['margin_mm']:.1f} mm" if incident.get("margin_mm") is not None else "unknown"


def _out_of_order(found: Sequence[Found]) -> list[str]:
    """Return in words the pairs of successive true incidents that are in the opposite order in the
    record, unless the record says that their order is unknown.
    """
    ordered = [f for f in found if f.true["kind"] not in TILES]
    return [
        f"order: {describe(later.true)} stands before {describe(first.true)}"
        for first, later in pairwise(ordered)
        if later.place < first.place
        and later.true["t_s"] > first.true["t_s"]
        and not _order_unknown(first.given, later.given)
    ]


def _order_unknown(one: Entry, other: Entry) -> bool:
    """Return whether the record says that the order is unknown: by equal times, or by frames that
    overlap (record.md).
    """
    if one["t_s"] == other["t_s"]:
        return True
    if "frames" not in one or "frames" not in other:
        return False
    (a, b), (c, d) = one["frames"], other["frames"]
    return bool(min(b, d) > max(a, c) or ((a == b or c == d) and min(b, d) >= max(a, c)))

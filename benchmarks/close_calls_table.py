"""The table of close calls: ten bins of stated probability, and what happened in each."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.close_truth import NEAR_MM
from benchmarks.compare import CERTAIN
from benchmarks.runs import aligned

BINS = 10
LEAST_CALLS, MOST_POINTS = 150, 5.0  # the bars of a bin
CLOSE_SIGMAS = 3.0
PICTURE_WIDE = 40  # characters of the picture for 100 %
WORDS = {"line_crossed": "line", "contact": "contact", "left_table": "fall"}


@dataclass(frozen=True)
class Stated:
    """A close call and what the record says about it. `chance` is None if the coin was `unseen`,
    `sigma_mm` if the record does not mention the call, and `margin_mm` if nothing was close.
    """

    kind: str
    chance: float | None
    happened: bool
    margin_mm: float | None
    sigma_mm: float | None
    where: str


@dataclass
class Row:
    """The result of one scene: its stated calls (each as plain fields), and the seconds of CPU time
    that it took. `note` says why the scene failed, if it did.
    """

    seed: int
    calls: list[dict[str, Any]] = field(default_factory=list)
    took_s: float = 0.0
    note: str = ""


@dataclass(frozen=True)
class Bin:
    """The calls whose stated probability lies between two neighbouring tenths."""

    count: int
    stated: float
    happened: float

    @property
    def off_points(self) -> float:
        """Return the mean stated probability less the share of calls that happened, in percentage
        points.
        """
        return 100.0 * (self.stated - self.happened)


def close_only(calls: Sequence[Stated]) -> list[Stated]:
    """Return the calls that are close within three standard errors, and the statements about things
    that were not close at all.
    """
    usual = {
        kind: statistics.median([c.sigma_mm for c in calls if c.kind == kind and c.sigma_mm] or [0])
        for kind in WORDS
    }
    return [
        c
        for c in calls
        if c.margin_mm is None
        or abs(c.margin_mm) <= CLOSE_SIGMAS * (c.sigma_mm or usual[c.kind] or NEAR_MM)
    ]


def bins_of(calls: Sequence[Stated]) -> list[Bin | None]:
    """Return the ten bins; None for an empty one. A tenth belongs to the upper bin, 1 to the
    last.
    """
    of: list[list[Stated]] = [[] for _ in range(BINS)]
    for call in calls:
        if call.chance is not None:
            of[min(BINS - 1, int(BINS * call.chance + 1e-9))].append(call)
    return [
        Bin(
            len(held),
            statistics.fmean(c.chance or 0.0 for c in held),
            statistics.fmean(c.happened for c in held),
        )
        if held
        else None
        for held in of
    ]


def as_text(rows: Sequence[Row], heading: str) -> str:
    """Return the table: the ten bins, for all calls and for each kind, and what falls short."""
    stated = [Stated(**call) for row in rows for call in row.calls]
    calls = close_only(stated)
    head = ("stated", "calls", "mean", "happened", "points off", *WORDS.values())
    parts = [bins_of([c for c in calls if c.kind == kind]) for kind in WORDS]
    lines = [head]
    pictures = [f"0 % {'happened: #   stated: |':<{PICTURE_WIDE - 4}} 100 %"]
    for number, every in enumerate(bins_of(calls)):
        span = f"{number / BINS:.1f}-{(number + 1) / BINS:.1f}"
        cells = ("0", "", "", "") if every is None else _cells(every)
        lines.append((span, *cells, *(_part(part[number]) for part in parts)))
        pictures.append(picture(every))
    text = aligned(lines, (0,))
    table = [
        f"{line:<{max(map(len, text))}}   {drawn}"
        for line, drawn in zip(text, pictures, strict=True)
    ]
    return "\n".join([heading, "", *table, "", *_said_of(rows, calls), *shortfalls(calls), ""])


def _cells(of: Bin) -> tuple[str, ...]:
    return (
        str(of.count),
        f"{100 * of.stated:.1f}",
        f"{100 * of.happened:.1f}",
        f"{of.off_points:+.1f} ±{100 * chance_error(of):.1f}",
    )


def chance_error(of: Bin) -> float:
    """Return the standard error of the share that happened in a bin."""
    return math.sqrt(max(of.stated * (1.0 - of.stated), 1e-4) / of.count)


def _part(of: Bin | None) -> str:
    return "-" if of is None else f"{of.count}: {100 * of.stated:.0f} {100 * of.happened:.0f}"


def picture(of: Bin | None) -> str:
    """Return a bar, drawn in text, for the share that happened in a bin, with a mark at the mean
    stated probability.
    """
    if of is None:
        return ""
    bar = "#" * round(PICTURE_WIDE * of.happened)
    at = min(PICTURE_WIDE - 1, round(PICTURE_WIDE * of.stated))
    return f"{bar[:at]:<{at}}|{bar[at + 1 :]}".rstrip()


def _said_of(rows: Sequence[Row], calls: Sequence[Stated]) -> list[str]:
    sure = [c for c in calls if c.chance is not None]
    wrong = [c for c in sure if abs((c.chance or 0.0) - c.happened) > CERTAIN]
    score = statistics.fmean((c.chance - c.happened) ** 2 for c in sure if c.chance is not None)
    asked = sum(c.chance is None for c in calls)
    invented = sum(c.margin_mm is None for c in sure)
    failed = [f"seed {row.seed}: {row.note}" for row in rows if row.note]
    return [
        f"{len(sure)} calls from {sum(bool(r.calls) for r in rows)} scenes; {asked} more in flicks"
        f" or of coins that were asked about or missed; {invented} stated that were not close",
        f"certain and wrong: {len(wrong)}; mean squared error {score:.4f}",
        *failed,
    ]


def shortfalls(calls: Sequence[Stated]) -> list[str]:
    """Return in words which bins miss the required values."""
    short = []
    for number, of in enumerate(bins_of(calls)):
        name = f"{number / BINS:.1f}-{(number + 1) / BINS:.1f}"
        if of is None or of.count < LEAST_CALLS:
            short.append(f"short: {name} has {of.count if of else 0} calls of {LEAST_CALLS}")
        if of is not None and abs(of.off_points) > MOST_POINTS:
            short.append(f"short: {name} is {of.off_points:+.1f} points off")
    return short

"""Prints the table of all clips: with colours on a terminal, as plain text elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.measured import Measured, pooled
from benchmarks.places import Points

COLUMNS = (
    "clip",
    "fps",
    "certain",
    "invented",
    "frames off",
    "hand s",
    "at rest mm",
    "moving mm",
    "nes",
    "seen %",
    "scale %",
    "course mm",
    "edge mm",
    "took s",
    "",
)
LEGEND = """\
certain      true incidents given as certain, of those demanded
invented     incidents given that never happened (+n: unsure ones within 2 mm of happening, which
             is allowed)
frames off   times of crossings, contacts and falls: mean and max; hand s: of flicks and placements,
             max
at rest mm   centres of coins at rest, mean and max; moving mm: RMS of those moving at up to 3 m/s
nes          normalised error squared of moving coins: 1 when the stated sigma is honest
seen %       of the frames in which a moving coin was in sight
scale %      by how much the survey is too large (of all clips the worst)
course mm    centres of tiles after a rigid fit, mean and max; edge mm: of the edge that can be
             refereed, mean and max"""


def cells(row: Measured) -> tuple[str, ...]:
    """Return one line of the table."""
    c = row.compared
    if not row.ran:
        return (row.name, *([""] * 12), f"{row.took_s:.0f}", "FAILED")
    return (
        row.name,
        f"{row.frames_a_second}" if row.frames_a_second else "",
        f"{c.certain}/{c.demanded}",
        f"{c.invented}" + (f" +{c.excused}" if c.excused else ""),
        _mean_max(np.array(c.off_frames)),
        f"{max(c.hand_off_s):.2f}" if c.hand_off_s else "-",
        _mean_max(row.rest_mm),
        _number(row.moving_rms_mm),
        _number(row.normalised),
        _number(100 * row.seen_share, 0),
        _scale(row),
        _mean_max(row.course_mm),
        _mean_max(row.edge_mm),
        f"{row.took_s:.0f}",
        "SHORT" if row.shortfalls() else "ok",
    )


def shortfall_lines(rows: Sequence[Measured]) -> list[str]:
    """Return what falls short, one line each."""
    return [f"{row.name}: {what}" for row in (*rows, pooled(rows)) for what in row.shortfalls()]


def as_text(rows: Sequence[Measured], heading: str) -> str:
    """Return the whole table as plain text."""
    lines = [COLUMNS, *(cells(row) for row in rows), summary_cells(rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(COLUMNS))]
    text = [
        "  ".join(
            f"{cell:{'<' if k == 0 else '>'}{width}}"
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    short = shortfall_lines(rows) or ["nothing falls short"]
    return "\n".join(
        [
            heading,
            "",
            text[0],
            "-" * len(text[0]),
            *text[1:-1],
            "-" * len(text[0]),
            text[-1],
            "",
            *short,
            "",
            LEGEND,
            "",
        ]
    )


def summary_cells(rows: Sequence[Measured]) -> tuple[str, ...]:
    """Return the last line: all clips together."""
    good = not any(row.shortfalls() for row in rows) and not pooled(rows).shortfalls()
    return (*cells(pooled(rows))[:-1], "ok" if good else "SHORT")


def show(rows: Sequence[Measured], heading: str) -> None:
    """Print the table: with colours on a terminal, as plain text elsewhere."""
    if not sys.stdout.isatty():
        print(as_text(rows, heading))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=heading, show_footer=True)
    for k, (name, footer) in enumerate(zip(COLUMNS, summary_cells(rows), strict=True)):
        table.add_column(name, footer, justify="left" if k == 0 else "right")
    for row in rows:
        table.add_row(*cells(row), style="red" if row.shortfalls() else None)
    console = Console()
    console.print(table)
    for line in shortfall_lines(rows):
        console.print(line, style="red", markup=False, highlight=False)
    console.print(LEGEND, style="dim", markup=False, highlight=False)


def _mean_max(values: Points) -> str:
    return f"{np.mean(values):.2f} {np.max(values):.2f}" if len(values) else "-"


def _scale(row: Measured) -> str:
    return f"{100 * max(row.scale_errors, key=abs):+.2f}" if len(row.scale_errors) else "-"


def _number(value: float, places: int = 2) -> str:
    return "-" if np.isnan(value) else f"{value:.{places}f}"

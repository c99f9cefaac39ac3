"""The table of clips that were refereed under several conditions: a line for each run, and a total
for each condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.runs import aligned

COLUMNS = ("condition", "clip", "right", "asked", "silent", "wrong", "needless", "s", "")
LEGEND = """\
right        demanded incidents given as certain, and right, of those demanded
asked        demanded ones given with a probability of 0.95 or less, or covered by "unseen"
silent       demanded ones of which nothing was said
wrong        what was certain and wrong: invented, the wrong way round, a sliding coin at rest, a
             place of rest more than 5 mm off
needless     questions about what was not so; asking for names counts as one
A refused survey and a failed command leave every demanded incident silent."""


@dataclass(frozen=True)
class Row:
    """What the judge counted in one run. `failed` is 1 if a command failed or refused the clip.
    `note` holds anything else to know.
    """

    condition: str
    clip: str
    right: int
    wanted: int
    asked: int
    silent: int
    wrong: int
    needless: int
    took_s: float
    failed: int = 0
    note: str = ""


def total(rows: Sequence[Row]) -> Row:
    """Return the sum of one condition's runs. `needless` is that of the worst clip."""
    counts = [
        sum(getattr(row, name) for row in rows)
        for name in ("right", "wanted", "asked", "silent", "wrong")
    ]
    most = max(row.needless for row in rows)
    took_s, failed = sum(row.took_s for row in rows), sum(row.failed for row in rows)
    return Row(rows[0].condition, "all", *counts, most, took_s, failed)


def shortfalls(summed: Row, share: float) -> list[str]:
    """Return in words which requirements a condition's total misses: no failure, nothing certain
    and wrong, no incident without a mention, `share` certain and right, at most one needless
    question per clip.
    """
    right = summed.right / summed.wanted if summed.wanted else 1.0
    return [
        text
        for text, short in (
            (f"{summed.failed} failed", summed.failed > 0),
            (f"{summed.wrong} certain and wrong", summed.wrong > 0),
            (f"{summed.silent} silent", summed.silent > 0),
            (f"{100 * right:.0f} % right, {100 * share:.0f} % demanded", right < share),
            (f"{summed.needless} needless questions about one clip", summed.needless > 1),
        )
        if short
    ]


def cells(row: Row, note: str) -> tuple[str, ...]:
    """Return one line of the table."""
    counts = (row.asked, row.silent, row.wrong, row.needless)
    right = f"{row.right}/{row.wanted}"
    return (row.condition, row.clip, right, *map(str, counts), f"{row.took_s:.0f}", note)


def as_text(rows: Sequence[Row], shares: dict[str, float], heading: str) -> str:
    """Return the table: the runs of each condition, and its total compared with the required share
    in `shares`, by the condition's name.
    """
    lines: list[tuple[str, ...]] = [COLUMNS]
    totals: list[tuple[str, ...]] = []
    for name, share in shares.items():
        of_it = [row for row in rows if row.condition == name]
        if of_it:
            lines += [cells(row, row.note) for row in of_it]
            summed = total(of_it)
            totals.append(cells(summed, "; ".join(shortfalls(summed, share)) or "ok"))
    text = aligned(lines + totals, (0, 1, len(COLUMNS) - 1))
    rule = "-" * len(text[0])
    runs = text[1 : len(lines)]
    return "\n".join([heading, "", text[0], rule, *runs, rule, *text[len(lines) :], "", LEGEND, ""])

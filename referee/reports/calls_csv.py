"""The result of a match as one table of comma-separated values: a row for each call, then a row for
each standing.

The column `table` says whether a row is a `call` or a `standing`. Columns that do not belong to a
row are empty. A list is written in one cell, with spaces between its parts.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from referee.domain.call import plain
from referee.replay.adjudication import Adjudication

#: The columns that every such table has, in this order. Those that a game adds come after them.
COLUMNS: Final = (
    "table",
    "on",
    "call",
    "player",
    "coin",
    "with",
    "place",
    "flicks",
    "rule",
    "text",
)


def as_csv(adjudication: Adjudication) -> str:
    """Return the table with its heading."""
    rows: list[Mapping[str, Any]] = [
        {"table": "call", **plain(call)} for call in adjudication.calls
    ]
    rows += [{"table": "standing", **row} for row in adjudication.standings]
    columns = list(dict.fromkeys([*COLUMNS, *(name for row in rows for name in row)]))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    """Return a value as one cell: empty for null, a list's parts with spaces between them, and
    nested values as JSON.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple) and all(
        isinstance(part, str | int | float) for part in value
    ):
        return " ".join(map(str, value))
    return msgspec.json.encode(value).decode() if isinstance(value, dict | list | tuple) else value

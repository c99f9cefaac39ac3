"""An adjudication as one table of comma-separated values: a row for each call, then one for each
standing.

The column `table` says which a row is (`call` or `standing`); columns that do not belong to a row
are empty. Lists stand in one cell, their parts separated by blanks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import msgspec

from referee.domain.call import plain
from referee.replay.adjudication import Adjudication

#: The columns every such table has, in this order; those a game adds stand behind them.
COLUMNS = ("table", "on", "call", "player", "coin", "with", "place", "flicks", "rule", "text")


def as_csv(adjudication: Adjudication) -> str:
    """The table, with its heading."""
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
    """A value in one cell: nothing for null, a list's parts apart by blanks, anything deeper as
    JSON.
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

"""Renames coins of a record that look alike to their true names, by their first places. A record
cannot be wrong about which of six equal red coins is number 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.pairing import closest_first

Entry = dict[str, Any]


def true_numbers(record: Sequence[Entry], true_mm: Mapping[str, Sequence[float]]) -> dict[str, str]:
    """Return the true name for each name in the record's first `at_rest`. Names are paired by
    distance, the nearest pairs first. `true_mm` are the true places at that time. In the record and
    in the truth, the origin is the middle of the board.
    """
    first: Entry = next((e["coins"] for e in record if e.get("kind") == "at_rest"), {})
    return closest_first(
        (float(np.hypot(*np.subtract(at, there))), seen, true)
        for seen, at in first.items()
        for true, there in true_mm.items()
        if seen.split("-")[0] == true.split("-")[0]
    )


def with_true_numbers(record: Sequence[Entry], names: Mapping[str, str]) -> list[Entry]:
    """Return the record of a match of Carroms under the true names, without contacts: no rule asks
    about them.
    """
    renamed = []
    for entry in record:
        own = {k: names.get(v, v) if k == "coin" else v for k, v in entry.items()}
        if own.get("kind") == "at_rest":
            own["coins"] = {names.get(coin, coin): at for coin, at in own["coins"].items()}
        if own.get("kind") != "contact":
            renamed.append(own)
    return renamed


def without_contacts(truth: Mapping[str, Any]) -> Entry:
    """Return a truth without contacts, like the record."""
    return {
        **truth,
        "incidents": [i for i in truth["incidents"] if i["kind"] != "contact"],
        "near_misses": [i for i in truth["near_misses"] if i["kind"] != "contact"],
    }

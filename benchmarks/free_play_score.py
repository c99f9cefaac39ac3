"""Compares what `referee paths` wrote about a drawn video with the video's truth."""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.compare import CERTAIN

KINDS: Final = {"flick": "flicked", "contact": "contact", "line_crossed": "line_crossed"}
#: By definition: what is certain of these and is not in the truth is wrong. No hand in a drawn
#: video puts a disc down or takes one away.
JUDGED: Final = frozenset({*KINDS.values(), "placed"})
WORTH: Final = 0.05  # Chosen: less likely is not said
# As the bars of the other benchmarks: slower hits, and lines passed this near to an end, may be
# found or not.
LEAST_CLOSING_MM_S: Final = 80.0
LEAST_MARGIN_MM: Final = 2.0
MOST_LENGTH_OFF, MOST_SPEED_OFF = 0.03, 0.1  # the bars, as shares
NEAR_FRAMES: Final = 1.5  # Chosen: so much may the time of an event be off
MOVES_PX: Final = 3.0  # Chosen: from frame to frame; slower, a disc hardly moves
SAME_DISC: Final = 0.5  # Chosen: of a disc's width

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """How a run compares with the truth. It counts discs (found, in all), events (certain and
    right, unsure, in all, certain and wrong) and moving marks (seen, in all). It has the 95th
    percentile of the marks' errors, px; the largest errors of a disc's width, of a flicked disc's
    way and of its top speed, as shares; and, in words, what was missing or invented.
    """

    discs: tuple[int, int]
    right: int
    unsure: int
    events: int
    wrong: int
    marks: tuple[int, int]
    p95_px: float
    width_off: float | None
    length_off: float | None
    speed_off: float | None
    words: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether everything was found and nothing invented."""
        seen, marks = self.marks
        return (
            self.right == self.events
            and not self.wrong
            and self.discs[0] == self.discs[1]
            and seen >= 0.8 * marks
            and self.p95_px <= 3.0
            and (self.length_off is None or self.length_off <= MOST_LENGTH_OFF)
            and (self.speed_off is None or self.speed_off <= MOST_SPEED_OFF)
        )


def score(truth: Mapping[str, Any], out: Path) -> Score:
    """Compare a folder that `referee paths` wrote with a drawn video's truth."""
    rows = _rows(out / "paths.csv")
    names = _names(truth, rows)
    said = [
        e
        for line in (out / "incidents.jsonl").read_text().splitlines()
        if (e := json.loads(line))["kind"] in JUDGED and e.get("probability", 1) >= WORTH
    ]
    free, words, right, unsure, demanded = list(said), [], 0, 0, 0
    for event in sorted(truth["events"], key=lambda e: not _is_demanded(e)):
        match = next((e for e in free if _is_told(e, event, names, truth["fps"])), None)
        if match is not None:
            free.remove(match)
        if not _is_demanded(event):
            continue
        demanded += 1
        sure = match is not None and match.get("probability", 1) > CERTAIN
        right, unsure = right + sure, unsure + (match is not None and not sure)
        if not sure:
            words.append(f"{'unsure' if match else 'MISSING'} {_words(event)}")
    wrong = [e for e in free if e.get("probability", 1) > CERTAIN]
    words += [f"INVENTED {_words(e, names)}" for e in wrong]
    seen, marks, p95 = _marks(truth, rows, names)
    return Score(
        (len(names), len(truth["discs"])), right, unsure, demanded, len(wrong), (seen, marks), p95,
        _width_off(truth, out, names), *_figures_off(truth, out, names, said), tuple(words),
    )  # fmt: skip


def _rows(path: Path) -> dict[str, dict[int, tuple[float, float, bool]]]:
    rows: dict[str, dict[int, tuple[float, float, bool]]] = defaultdict(dict)
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            place = (float(row["x_px"]), float(row["y_px"]), row["seen"] == "1")
            rows[row["coin"]][int(row["frame"])] = place
    return rows


def _names(truth: Mapping[str, Any], rows: Mapping[str, Mapping[int, Any]]) -> dict[str, str]:
    """Return the true disc for each letter in the results, by the first place that the results give
    for the letter.
    """
    names: dict[str, str] = {}
    for coin, places in rows.items():
        frame, (x, y, _) = min(places.items())
        apart = {
            name: math.dist((x, y), track[min(frame, len(track) - 1)])
            for name, track in truth["tracks"].items()
            if name not in names.values()
        }
        nearest = min(apart, key=lambda name: apart[name], default=None)
        if nearest is not None and apart[nearest] < SAME_DISC * truth["widths_px"][nearest]:
            names[coin] = nearest
    return names


def _is_demanded(event: Event) -> bool:
    if event["type"] == "contact":
        return bool(event["closing_mm_s"] > LEAST_CLOSING_MM_S)
    if event["type"] == "line_crossed":
        return bool(event["margin_mm"] > LEAST_MARGIN_MM and event["ends_lie"])
    return True


def _is_told(said: Event, event: Event, names: Mapping[str, str], fps: float) -> bool:
    if said["kind"] != KINDS[event["type"]] or _discs(said, names) != _discs(event, {}):
        return False
    # the record has the time of a frame's beginning and an exposure's middle alike
    return abs(said["t_s"] - event["t_s"]) <= NEAR_FRAMES / fps


def _discs(event: Event, names: Mapping[str, str]) -> tuple[str, frozenset[str]]:
    """Return the disc of an event ("" for a contact), and the other discs that take part in it."""
    line = event.get("line", ())
    others = line.split("-") if isinstance(line, str) else line
    if "with" in event:
        return "", frozenset(names.get(c, c) for c in (event["coin"], event["with"]))
    return names.get(event["coin"], event["coin"]), frozenset(names.get(c, c) for c in others)


def _words(event: Event, names: Mapping[str, str] | None = None) -> str:
    names = names or {}
    line = event.get("line", [event["with"]] if "with" in event else [])
    coins = [event["coin"], *(line.split("-") if isinstance(line, str) else line)]
    told = " ".join(names.get(c, c) for c in coins).replace("disc-", "")
    return f"{event.get('type', event.get('kind'))} {told} at {event['t_s']:.2f} s"


def _marks(
    truth: Mapping[str, Any], rows: Mapping[str, Mapping[int, Any]], names: Mapping[str, str]
) -> tuple[int, int, float]:
    letters = {name: coin for coin, name in names.items()}
    errors, wanted = [], 0
    for name, track in truth["tracks"].items():
        own = rows.get(letters.get(name, ""), {})
        for frame in range(1, len(track)):
            if math.dist(track[frame], track[frame - 1]) > MOVES_PX:
                wanted += 1
                if frame in own and own[frame][2]:
                    errors.append(math.dist(own[frame][:2], track[frame]))
    return len(errors), wanted, float(np.percentile(errors, 95)) if errors else math.inf


def _figures_off(
    truth: Mapping[str, Any], out: Path, names: Mapping[str, str], said: Sequence[Event]
) -> tuple[float | None, float | None]:
    """Return the largest error of a flicked disc's way and that of its top speed, as shares, over
    the flicks in the results; None if the results give no lengths in mm.
    """
    with (out / "flicks.csv").open(newline="", encoding="utf-8") as file:
        rows = {(row["flick"], row["coin"]): row for row in csv.DictReader(file)}
    told = [e for e in said if e["kind"] == "flicked"]
    off: dict[str, list[float]] = {"length_mm": [], "top_speed_mm_s": []}
    for event in (e for e in truth["events"] if e["type"] == "flick" and e.get("length_mm")):
        for number, flick in enumerate(told, start=1):
            row = rows.get((str(number), flick["coin"]), {})
            if _is_told(flick, event, names, truth["fps"]):
                for key, true in (("length_mm", "length_mm"), ("top_speed_mm_s", "top_mm_s")):
                    off[key] += [abs(float(row[key]) / event[true] - 1)] if row.get(key) else []
    length, speed = (max(values, default=None) for values in off.values())
    return length, speed


def _width_off(truth: Mapping[str, Any], out: Path, names: Mapping[str, str]) -> float | None:
    """Return the largest error of a disc's width, as a share of the width."""
    if not (out / "discs.csv").exists():
        return None
    with (out / "discs.csv").open(newline="", encoding="utf-8") as file:
        off = [
            abs(float(row["width_mm"]) / truth["discs"][names[row["coin"]]]["width_mm"] - 1)
            for row in csv.DictReader(file)
            if row["coin"] in names and row["width_mm"]
        ]
    return max(off, default=None)

"""Referees clips that end or have gaps while coins slide, and counts claims about things that
nobody could see.

Usage: python -m benchmarks.ends_and_gaps FOLDER ... [--every N] [--only NAME ...] [--jobs N]
[--keep FOLDER] [--again] [--write FILE]

FOLDER is a clip with a facts.yaml, or holds such clips (see benchmarks/clip_folder.py). The table
is surveyed once, from the whole clip. Each clip is then watched cut at every Nth frame (default 3)
in which a coin slides, and, in the middle of its first slide, with 2 s missing (`missing`), one
packet or three lost (`lost-1`, `lost-3`), and the lower half of three pictures grey (`grey`).
`--only` takes these names, or `cut`. The players stand in the order of the clip's flicks, so that
each flick is somebody's turn.

The requirements: no sliding coin is recorded at rest; no turn ends on the flick that was cut, nor
on a flick with a gap unless everything that happened in it is certain and right; nothing certain
that did not happen; 90 % of what happened three frames or more before a cut certain and right. With
`--keep` a run goes on where it was stopped; `--again` referees anew. The exit status is 1 when a
bar is missed, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import av
import numpy as np
import yaml

from benchmarks.arguments import Arguments, positive
from benchmarks.clip_folder import ReadyClip, made_ready
from benchmarks.clips import (
    INTERRUPTED,
    CommandError,
    Runner,
    calibrate_pieces,
    survey_table,
    watch_clip,
)
from benchmarks.compare import IDENTITY, is_certain, is_demanded, is_reversed, match, touched_tile
from benchmarks.gap_clips import SLIDES_MM_S, Gap, cuts, gaps
from benchmarks.machine import machine
from benchmarks.places import frame_time_s, true_tracks
from benchmarks.runs import aligned, once, run_each
from benchmarks.worsened import filmed
from referee.domain.errors import InputError
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate

SETTLED_FRAMES = 3  # so long before the end an incident must be told
SHARE = 0.9  # of those incidents
COLUMNS = ("clip", "gap", "right", "sliding", "turns", "invented", "")
LEGEND = """\
right     demanded incidents three frames or more before the end or the gap that are certain and
          right, of all of them
sliding   coins that slid and stand in an "at rest"
turns     turns passed on a flick of which not all was seen
invented  certain incidents that did not happen, or the wrong way round"""

Truth = Mapping[str, Any]
Record = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Row:
    """What was counted in one run. `note` says why it failed, if it did."""

    clip: str
    gap: str
    right: int = 0
    wanted: int = 0
    sliding: int = 0
    turns: int = 0
    invented: int = 0
    note: str = ""


def counted(clip: ReadyClip, gap: Gap, record: Record, turns: int) -> Row:
    """Compare a record with the truth. `turns` is how many turns ended on the flick with the gap.
    Raises KeyError if an entry lacks a field.
    """
    truth = clip.truth
    before_s = gap.from_s - SETTLED_FRAMES * frame_time_s(truth)
    wanted = [t for t in truth["incidents"] if is_demanded(t) and t["t_s"] <= before_s]
    right, invented = certain_and_right(truth, record)
    told = sum(any(t is one for one in right) for t in wanted)
    due = [t for t in truth["incidents"] if is_demanded(t) and t["t_s"] < flick_end_s(truth, gap)]
    whole = not gap.end and all(any(t is one for one in right) for t in due)
    sliding = sliding_at_rest(truth, record)
    return Row(clip.name, gap.name, told, len(wanted), sliding, 0 if whole else turns, invented)


def certain_and_right(truth: Truth, record: Record) -> tuple[list[Mapping[str, Any]], int]:
    """Return the true incidents that the record holds as certain with the coins in the right roles,
    and the number of its certain incidents that are not in the truth or have the coins' roles
    exchanged.
    """
    sure = [(n, e) for n, e in enumerate(record) if e.get("kind") in IDENTITY and is_certain(e)]
    found, _, extra = match(truth["incidents"], sure)
    reverse = sum(map(is_reversed, found))
    lacked = sum(not touched_tile(entry, truth) for entry in extra)
    return [f.true for f in found if not is_reversed(f)], reverse + lacked


def sliding_at_rest(truth: Truth, record: Record) -> int:
    """Return how often the record says in an "at rest" entry where a coin lies that truly slid at
    that time.
    """
    tracks = true_tracks(truth)
    return sum(
        bool(track.speed_mm_s[np.abs(track.t_s - entry["t_s"]).argmin()] >= SLIDES_MM_S)
        for entry in record
        if entry.get("kind") == "at_rest"
        for coin, track in tracks.items()
        if entry["coins"].get(coin) is not None
    )


def flick_start_s(truth: Truth, gap: Gap) -> float:
    """Return when the flick with the gap began."""
    flicks = (float(t["t_s"]) for t in truth["incidents"] if t["kind"] == "flicked")
    return max(t_s for t_s in flicks if t_s <= gap.from_s)


def flick_end_s(truth: Truth, gap: Gap) -> float:
    """Return when the flick after the one with the gap began; infinity if there is none."""
    flicks = (float(t["t_s"]) for t in truth["incidents"] if t["kind"] == "flicked")
    return min((t_s for t_s in flicks if t_s > gap.from_s), default=float("inf"))


def turns_ended(path: Path, from_s: float, to_s: float) -> int:
    """Return how many turns the record at `path` ends between two times. Raises InputError."""
    entries = read_record(path)
    times = {getattr(entry, "id", None): getattr(entry, "t_s", None) for entry in entries}
    ended = (times.get(call.on) for call in adjudicate(entries).calls if call.call == "turn_ended")
    return sum(t_s is not None and from_s <= t_s < to_s for t_s in ended)


def match_in_turn(match_file: Path, truth: Truth, out: Path) -> Path:
    """Write a match whose players stand in the order in which their coins are flicked, with coins
    that are in play already. Return its path.
    """
    given = yaml.safe_load(match_file.read_text(encoding="utf-8"))
    flicked = [str(t["coin"]) for t in truth["incidents"] if t["kind"] == "flicked"]
    players = sorted(
        given["players"],
        key=lambda player: flicked.index(player["coin"]) if player["coin"] in flicked else 99,
    )
    given["players"] = [{**player, "progress": 1} for player in players]
    out.write_text(yaml.safe_dump(given, sort_keys=False), encoding="utf-8")
    return out


@dataclass(frozen=True)
class Surveyed:
    """A clip with the folder of its calibration, and its facts."""

    clip: ReadyClip
    work: Path
    facts: Mapping[str, Any]


def surveyed(folder: Path, work: Path, runner: Runner) -> Surveyed:
    """Survey the whole clip in `folder`, unless an earlier run did. Raises CommandError, OSError,
    KeyError or ValueError.
    """
    work.mkdir(parents=True, exist_ok=True)
    clip = made_ready(folder, work)
    clip = replace(clip, match=match_in_turn(clip.match, clip.truth, work / "in-turn.yaml"))
    if not (work / "table.yaml").exists():
        calibrate_pieces(clip, work, runner)
        survey_table(clip, work, runner)
    facts = yaml.safe_load((folder / "facts.yaml").read_text(encoding="utf-8"))
    return Surveyed(clip, work, facts)


def run(of: Surveyed, gap: Gap, again: bool, runner: Runner) -> Row:
    """Referee a clip with a gap, or read what an earlier run found."""
    work = of.work / gap.name
    return once(work / "result.json", again, Row, lambda: watched(of, gap, work, runner), is_sound)


def is_sound(row: Row) -> bool:
    """Return whether a run did not fail. Failed runs are repeated next time."""
    return not row.note


def watched(of: Surveyed, gap: Gap, work: Path, runner: Runner) -> Row:
    """Make the video with the gap and referee it. Any error becomes a part of the row."""
    work.mkdir(parents=True, exist_ok=True)
    truth, video = of.clip.truth, work / of.clip.video.name
    record = work / "out" / "record.jsonl"
    try:
        gap.make(of.clip.video, video, filmed(truth, of.facts))
        for name in ("pieces.yaml", "table.yaml"):
            (work / name).write_bytes((of.work / name).read_bytes())
        watch_clip(replace(of.clip, video=video), work, runner)
        turns = turns_ended(record, flick_start_s(truth, gap), flick_end_s(truth, gap))
        lines = record.read_text(encoding="utf-8").splitlines()
        return counted(of.clip, gap, [json.loads(line) for line in lines], turns)
    except (CommandError, InputError, OSError, KeyError, ValueError, av.FFmpegError) as error:
        return Row(of.clip.name, gap.name, note=f"{type(error).__name__}: {error}")


def shortfalls(rows: Sequence[Row]) -> list[str]:
    """Return in words which requirements the runs miss."""
    told = [row for row in rows if row.gap.startswith("cut")]
    right, wanted = sum(row.right for row in told), sum(row.wanted for row in told)
    sums = {
        "sliding coins at rest": sum(row.sliding for row in rows),
        "turns passed": sum(row.turns for row in rows),
        "certain that did not happen": sum(row.invented for row in rows),
        "runs failed": sum(bool(row.note) for row in rows),
    }
    short = [f"{number} {what}" for what, number in sums.items() if number]
    if right < SHARE * wanted:
        short.append(
            f"{right} of {wanted} before a cut certain and right, {100 * SHARE:.0f} % demanded"
        )
    return short


def said(row: Row) -> str:
    """Return one finished run in a line."""
    return "  ".join(filter(None, cells(row)))


def cells(row: Row) -> tuple[str, ...]:
    """Return one line of the table."""
    counts = (row.sliding, row.turns, row.invented)
    return (row.clip, row.gap, f"{row.right}/{row.wanted}", *map(str, counts), row.note)


def as_text(rows: Sequence[Row], heading: str) -> str:
    """Return the table, and below it what falls short."""
    text = aligned([COLUMNS, *map(cells, rows)], (0, 1, len(COLUMNS) - 1))
    short = "; ".join(shortfalls(rows)) or "nothing falls short"
    return "\n".join(
        [heading, "", text[0], "-" * len(text[0]), *text[1:], "", short, "", LEGEND, ""]
    )


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Arguments("ends_and_gaps", __doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a clip, or clips")
    parser.add_argument("--every", type=positive, default=3, help="cut at every Nth sliding frame")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="cut, missing, lost-1 and so on")
    parser.add_argument("--jobs", type=positive, default=1, help="runs at a time (default 1)")
    parser.add_argument("--keep", type=Path, help="where to keep videos and results")
    parser.add_argument("--again", action="store_true", help="referee anew what is kept")
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    options = parser.parse_args(arguments)
    options.folders = parser.clips(options.folders)
    return options


def bench(folders: Sequence[Path], options: argparse.Namespace, work: Path) -> int:
    """Run, print the table, and write it to a file if one was given and the table is complete.
    Return the exit status.
    """
    tasks = []
    for folder in folders:
        of = surveyed(folder, work / folder.name, Runner())
        tasks += [
            partial(run, of, gap, options.again)
            for gap in (*cuts(of.clip.truth, options.every), *gaps(of.clip.truth))
            if options.only is None or gap.name in options.only or gap.name[:3] in options.only
        ]
    rows, interrupted = run_each(tasks, options.jobs, said)
    text = as_text(rows, f"{date.today().isoformat()} on {machine()}") if rows else ""
    print(text)
    if interrupted:
        return INTERRUPTED
    if options.write is not None:
        options.write.write_text(text, encoding="utf-8")
    return int(bool(shortfalls(rows)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the clips named in the arguments. Return the exit status."""
    options = parsed(arguments)
    try:
        if options.keep is not None:
            return bench(options.folders, options, options.keep)
        with tempfile.TemporaryDirectory(prefix="ends-") as work:
            return bench(options.folders, options, Path(work))
    except (CommandError, OSError, KeyError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())

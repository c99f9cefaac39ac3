"""Referees random scenes made of close calls, and compares the probabilities in the record with
what happened.

Usage: python -m benchmarks.close_calls FIRST LAST [--keep FOLDER] [--again] [--write FILE]

For each seed from FIRST to LAST a scene is drawn and filmed (benchmarks/close_scenes.py): flicks
after which a coin lies within 0.9 mm of a wicket's line or of the table's edge, or passes a coin or
an endpost as closely; every other table has a printed cloth. The table comes from the truth, so
that no survey's error counts. Each thing that was close (benchmarks/close_truth.py) is matched with
what the record says of it in that flick. Something that the record does not mention counts as
stated with probability 0, and something that it mentions without a probability as stated with 1.
Something that is stated and was not even close counts as false. Some close calls are counted apart,
because the record states nothing about them: those of a coin that is `unseen` in that flick or was
never found, of coins that touched before the flick, and of a flick that is missing from the record,
not certain, or taken for another coin's. A call is close within three of its stated standard
errors. If it is not mentioned, the median error of its kind is taken.

The commands run in this process, and get the coins' names as options: starting processes and
reading faces would take more time than the flicks. Two runs may use the same folder for half of the
seeds each; a third run then prints the table.

The bars: in each of ten bins of probability, at least 150 calls, and a share that happened within 5
points of the mean stated. With --keep, a new run continues an interrupted one. The exit status is 1
where a bar is missed, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from datetime import date
from functools import partial
from io import StringIO
from operator import attrgetter
from pathlib import Path
from typing import Any

import yaml

from benchmarks.arguments import Arguments
from benchmarks.clips import INTERRUPTED, name_options
from benchmarks.close_calls_table import WORDS, Row, Stated, as_text, close_only, shortfalls
from benchmarks.close_scenes import close_scene
from benchmarks.close_truth import CloseCall, Flick, flicks_of, margin_of, pair
from benchmarks.compare import CERTAIN
from benchmarks.machine import machine
from benchmarks.runs import once
from benchmarks.true_survey import true_survey
from calibration.store.store import write_table
from referee.cli import run as referee
from referee.synthetic.clip import match_file, video_writer
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.synthetic.scenario.timeline import Timeline
from referee.synthetic.truth import frame_truth, truth_of

HAND_S = 0.5  # a flick may be told so long before it was

Entry = Mapping[str, Any]


def stated_of(flick: Flick, record: Sequence[Entry]) -> list[Stated]:
    """Return each close call of a flick with what the record states about it. Add what the record
    states about things that were not even close.
    """
    within = (flick.begin_s - HAND_S, flick.end_s - HAND_S)
    during = [e for e in record if within[0] <= e.get("t_s", math.inf) < within[1]]
    told = [e for e in during if e.get("kind") in WORDS]
    found = []
    for call in flick.close_calls():
        entry = nearest(call, told)
        if entry is not None:
            told = [e for e in told if e is not entry]
        found.append(_stated(call, entry, is_open(call, flick.coin, record, within)))
    return [*found, *(_invented(e) for e in told if not _is_true(e, flick))]


def is_open(
    call: CloseCall, flicked: str, record: Sequence[Entry], within: tuple[float, float]
) -> bool:
    """Return whether the record says nothing about a call for a reason that counts apart: the flick
    of the coin `flicked` is asked about, missing, or another coin's; a coin is unseen or was never
    found; or the coins touched before the flick.
    """
    coins = {call.coin, call.what} if call.kind == "contact" else {call.coin}
    coins = {coin for coin in coins if not coin.endswith("-endpost")}
    flicks = [e for e in record if e.get("kind") == "flicked" and within[0] <= e["t_s"] < within[1]]
    if not flicks or any(e["coin"] != flicked or chance_of(e) <= CERTAIN for e in flicks):
        return True
    known = {coin for e in record if e.get("kind") == "at_rest" for coin in e["coins"]}
    unseen = {
        coin
        for e in record
        if e.get("kind") == "unseen" and e["from_s"] < within[1] and e["to_s"] >= within[0]
        for coin in e["pieces"]
    }
    touching = any({flicked, other} == coins for e in flicks for other in e.get("touching", ()))
    return touching or bool(coins & unseen or coins - known)


def key_of(entry: Entry) -> tuple[str, str, str]:
    """Return what happened by an entry, without the time: its kind, the coin, and the line with the
    direction, or what the coin met.
    """
    if entry["kind"] == "line_crossed":
        return entry["kind"], entry["coin"], f"{entry['line']} {entry['direction']}"
    return entry["kind"], *pair(entry)


def nearest(call: CloseCall, told: Sequence[Entry]) -> Entry | None:
    """Return the entry about a call, the nearest in time if there are several; None if there is
    none.
    """
    about = [e for e in told if key_of(e) == (call.kind, call.coin, call.what)]
    return min(about, key=lambda e: abs(e["t_s"] - call.t_s), default=None)


def _stated(call: CloseCall, entry: Entry | None, asked: bool) -> Stated:
    where = f"{call.coin} {call.what} at {call.t_s:.2f} s"
    sigma = entry.get("sigma_mm") if entry is not None else None
    chance = None if asked and entry is None else 0.0 if entry is None else chance_of(entry)
    margin = round(call.margin_mm, 3)
    return Stated(call.kind, chance, call.margin_mm > 0.0, margin, sigma, where)


def chance_of(entry: Entry) -> float:
    """Return the probability that an entry states, or 1 if it states none."""
    chance = entry.get("probability")
    return 1.0 if chance is None else float(chance)


def _invented(entry: Entry) -> Stated:
    where = f"{' '.join(key_of(entry)[1:])} at {entry['t_s']:.2f} s"
    return Stated(entry["kind"], chance_of(entry), False, None, entry.get("sigma_mm"), where)


def _is_true(entry: Entry, flick: Flick) -> bool:
    """Return whether an entry is about something that was not close because it clearly happened.
    Contacts with wickets' tiles count as true, because nothing is known about them.
    """
    kind, coin, what = key_of(entry)
    if kind == "line_crossed":
        return (coin, what) in flick.crossed()
    met = [f for f in flick.facts if f["kind"] == kind and pair(f) == (coin, what)]
    return "wicket" in what or any(margin_of(f) > 0.0 for f in met)


def filmed_and_stated(seed: int, work: Path) -> Row:
    """Draw a scene, film it and referee it. A failure becomes the row's note. Raises
    KeyboardInterrupt.
    """
    began = time.process_time()
    folder = work / f"close-{seed:04d}"
    scene = scene_of(close_scene(seed))
    timeline = play_scene(scene)
    folder.mkdir(parents=True, exist_ok=True)
    note = watched(scene, film(scene, timeline, folder), folder)
    if note:
        return Row(seed, note=note)
    lines = (folder / "out" / "record.jsonl").read_text(encoding="utf-8").splitlines()
    record = [json.loads(line) for line in lines]
    flicks = flicks_of(scene, timeline)
    calls = [asdict(stated) for flick in flicks for stated in stated_of(flick, record)]
    return Row(seed, calls, round(time.process_time() - began, 1))


def film(scene: Scene, timeline: Timeline, folder: Path) -> dict[str, Any]:
    """Film a scene into a folder, as a webcam's MJPEG. Return its truth, with the first frame
    only.
    """
    studio = Studio(scene, timeline)
    first: list[dict[str, Any]] = []
    with video_writer(folder / "clip.avi", studio.size, scene.fps, scene.crf) as append:
        for frame in studio.frames():
            append(frame.picture)
            first = first or [frame_truth(frame)]
    return truth_of(scene, timeline, first)


def watched(scene: Scene, truth: Mapping[str, Any], work: Path) -> str:
    """Referee a clip with the true table and the true names. Return why it failed; an empty text
    where it did not. Raises KeyboardInterrupt.
    """
    table, match = work / "table.yaml", work / "match.yaml"
    write_table(table, true_survey(truth, scene.camera, truth["sizes"]))
    match.write_text(yaml.safe_dump(match_file(scene), sort_keys=False), encoding="utf-8")
    files = ("--match", match, "--table", table, "--out", work / "out")
    names = name_options(truth, table)
    command = ("watch", work / "clip.avi", *files, "--overwrite", "--no-ui", *names)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        status = referee([str(word) for word in command])
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    return f"watch: status {status}: {said.getvalue().strip()}" if status else ""


def rows_of(seeds: Sequence[int], work: Path, again: bool) -> tuple[list[Row], bool]:
    """Referee the scenes, or read what an earlier run found, and print a line for each. Return the
    rows, and whether the user interrupted the run.
    """
    rows: list[Row] = []
    try:
        for number, seed in enumerate(seeds, 1):
            result = work / f"close-{seed:04d}" / "calls.json"
            sound, make = attrgetter("calls"), partial(filmed_and_stated, seed, work)
            rows.append(once(result, again, Row, make, sound))
            print(f"[{number}/{len(seeds)}] {said(rows[-1])}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def said(row: Row) -> str:
    """Return one finished scene in a line."""
    return f"seed {row.seed}: {len(row.calls)} calls in {row.took_s:.0f} s {row.note}"


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Arguments("close_calls", __doc__)
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the last seed")
    parser.add_argument("--keep", type=Path, help="where to keep clips and results")
    parser.add_argument("--again", action="store_true", help="referee anew what is kept")
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    return parser.parse_args(arguments)


def bench(options: argparse.Namespace, work: Path) -> int:
    """Run, print the table, and write it to a file if one was given and the run is complete. Return
    the exit status.
    """
    seeds = range(options.first, options.last + 1)
    rows, interrupted = rows_of(seeds, work, options.again)
    if not rows:
        return INTERRUPTED
    heading = f"{date.today().isoformat()} on {machine()}, seeds {options.first} to {options.last}"
    text = as_text(rows, heading)
    print(text)
    if interrupted:
        return INTERRUPTED
    if options.write is not None:
        options.write.write_text(text, encoding="utf-8")
    return int(bool(shortfalls(close_only([Stated(**c) for r in rows for c in r.calls]))))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the seeds given in the arguments. Return the exit status."""
    options = parsed(arguments)
    if options.keep is not None:
        return bench(options, options.keep)
    with tempfile.TemporaryDirectory(prefix="close-") as work:
        return bench(options, Path(work))


if __name__ == "__main__":
    raise SystemExit(main())

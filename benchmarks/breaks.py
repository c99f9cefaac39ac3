"""Runs the referee's real commands on clips of Carroms or of castles and tells for each clip
whether the record is right, says what it does not know, or is wrong.

Usage: python -m benchmarks.breaks FOLDER ... [--true-survey] [--keep FOLDER] [--again]
[--write FILE]

FOLDER is a clip or holds clips, as `python -m benchmarks.carroms_scenes` and `castle_scenes` write
them. A record is wrong if it holds something as certain that did not happen, if it gives a wrong
place for a coin, or if it does not mention something that happened. It is right if it holds
everything that happened as certain, and nothing else. Otherwise it asks, or says what it does not
know. If it says or asks that coins that look alike may have been taken for each other, either name
is right. The last line counts the incidents that had to be found. `--again` judges the runs in the
kept folder without running them again. The exit status is 1 where fewer than 90 % are right or more
than 1 % are wrong.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.alike_coins import true_numbers, with_true_numbers, without_contacts
from benchmarks.arguments import Arguments
from benchmarks.clip_folder import made_ready
from benchmarks.clips import CommandError, Runner, referee_clip
from benchmarks.compare import (
    CERTAIN,
    DENIED,
    IDENTITY,
    SAME_WITHIN_S,
    Entry,
    Found,
    describe,
    identity,
    is_certain,
    is_demanded,
    match,
    touched_tile,
)
from benchmarks.pairing import closest_first
from benchmarks.places import rigid_of_most, true_tracks

RIGHT, UNKNOWN, WRONG = "right", "says what it does not know", "wrong"
LEAST_RIGHT, MOST_WRONG = 0.9, 0.01  # the bars, as shares of the clips
FAR_MM = 5.0  # a place of rest so far off is a wrong fact, not an inexact one
LEAST_NAMED = 3  # so many coins whose names are sure tell how the two frames lie to each other
UNSEEN_WITHIN_S = 0.1  # an unseen covers what happened so long before and after it, too


@dataclass(frozen=True)
class Verdict:
    """Whether a record is right, asks or is wrong, and the reasons if it is not right. `demanded`
    is how many incidents had to be found, and `certain` how many of them are certain and right.
    """

    clip: str
    outcome: str
    reasons: tuple[str, ...]
    demanded: int = 0
    certain: int = 0


def judged(clip: str, truth: Mapping[str, Any], record: Sequence[Entry]) -> Verdict:
    """Compare a record of Carroms or of Castle Croquetnole with the truth of its clip."""
    names: dict[str, str] = {}
    if truth["game"] == "carroms":
        lay = {coin: row["mm"] for coin, row in truth["frames"][0]["coins"].items()}
        entries = [dict(e) for e in record]
        names = true_numbers(entries, lay)
        record, truth = with_true_numbers(entries, names), without_contacts(truth)
    unseen = [
        {**e, "pieces": [names.get(piece, piece) for piece in e["pieces"]]}
        for e in record
        if e.get("kind") == "unseen"
    ]
    unseen += [
        {**e, "pieces": [names.get(coin, coin) for coin in e["coins"]], "to_s": np.inf}
        for e in record
        if e.get("kind") == "renamed"
    ]
    given = [
        (place, e)
        for place, e in enumerate(record)
        if e.get("kind") in IDENTITY and e.get("probability", 1.0) >= DENIED
    ]
    happened = [*truth["incidents"], *truth.get("tile_restored", ())]
    found, missing, extra = match(happened, given)
    other = _by_other_names(missing, extra, unseen)
    found += [Found(t, e, next(n for n, g in given if g is e)) for t, e in other]
    missing = [t for t in missing if is_demanded(t) and all(t is not f for f, _ in other)]
    extra = [e for e in extra if not touched_tile(e, truth) and all(e is not g for _, g in other)]
    wrong = [f"certain and wrong: {describe(e)}" for e in extra if is_certain(e)]
    wrong += [f"silent: {describe(t)}" for t in missing if not _asked(t, given, unseen)]
    wrong += list(_misplaced(record, truth, unseen))
    unsure = [f"asked: {describe(e)}" for e in extra if not is_certain(e)]
    unsure += [
        f"asked: {describe(f.true)}"
        for f in found
        if is_demanded(f.true) and not is_certain(f.given)
    ]
    unsure += [f"unseen: {', '.join(sorted(e['pieces']))}" for e in unseen]
    outcome = WRONG if wrong else UNKNOWN if unsure else RIGHT
    certain = sum(is_demanded(f.true) and is_certain(f.given) for f in found)
    demanded = sum(is_demanded(t) for t in happened)
    return Verdict(clip, outcome, (*wrong, *unsure), demanded, certain)


def _alike(unseen: Entry) -> bool:
    """Return whether an entry says that several coins may have been taken for each other: an
    `unseen` of coins that look alike, or a question about names.
    """
    if unseen["kind"] == "renamed":
        return True
    faces = {str(piece).split("-", maxsplit=1)[0] for piece in unseen["pieces"]}
    return len(faces) == 1 and len(unseen["pieces"]) > 1


def _group(coin: str, unseen: Sequence[Entry]) -> frozenset[str]:
    """Return every name that, by the record, a coin may truly have."""
    names = {coin}
    for _ in unseen:  # at most so many steps from one name to another
        for entry in unseen:
            if _alike(entry) and names & set(entry["pieces"]):
                names |= set(entry["pieces"])
    return frozenset(names)


def _other_name(given: Entry, true: Entry, unseen: Sequence[Entry]) -> bool:
    """Return whether a recorded incident equals a true one, if its coins may have other names. Only
    names that the record itself calls possible count.
    """
    if "coin" not in given:
        return False
    names = _group(str(given["coin"]), unseen)
    if given["kind"] != true["kind"] or true.get("coin") not in names:
        return False
    near = abs(given["t_s"] - true["t_s"]) <= SAME_WITHIN_S[true["kind"]]
    return near and identity({**given, "coin": true["coin"]}) == identity(true)


def _by_other_names(
    missing: Sequence[Entry], extra: Sequence[Entry], unseen: Sequence[Entry]
) -> list[tuple[Entry, Entry]]:
    """Return pairs of a missing true incident and an extra recorded one that differ only in coins
    which may have been taken for each other. The closest in time are paired first.
    """
    pairs = closest_first(
        (abs(e["t_s"] - t["t_s"]), i, k)
        for i, t in enumerate(missing)
        for k, e in enumerate(extra)
        if _other_name(e, t, unseen)
    )
    return [(missing[i], extra[k]) for i, k in sorted(pairs.items())]


def _asked(true: Entry, given: Sequence[tuple[int, Entry]], unseen: Sequence[Entry]) -> bool:
    """Return whether the record asks about a true incident or says that it was not seen, under any
    name that the coin may have.
    """
    piece = str(true.get("coin", true.get("tile")))
    either = (piece, str(true.get("with", piece)))  # what was not seen of either is a contact, too
    pieces = {name for one in either for name in _group(one, unseen)}
    if any(
        e["kind"] == true["kind"]
        and piece in (e.get("coin"), e.get("tile"))
        and e.get("probability", 1.0) <= CERTAIN
        for _, e in given
    ):
        return True
    return any(
        pieces & set(e["pieces"])
        and e.get("from_s", e["t_s"]) - UNSEEN_WITHIN_S
        <= true["t_s"]
        <= e.get("to_s", e["t_s"]) + UNSEEN_WITHIN_S
        for e in unseen
    )


def _misplaced(
    record: Sequence[Entry], truth: Mapping[str, Any], unseen: Sequence[Entry]
) -> Iterator[str]:
    """Yield the coins for which the record gives a wrong place."""
    tracks = true_tracks(truth)
    for entry in record:
        if entry.get("kind") != "at_rest":
            continue
        true = {
            coin: track.at_mm[int(np.argmin(np.abs(track.t_s - entry["t_s"])))]
            for coin, track in tracks.items()
        }
        coins = [coin for coin in entry["coins"] if coin in true]
        if not coins:
            continue
        places = np.array([entry["coins"][coin] for coin in coins])
        named = [n for n, coin in enumerate(coins) if len(_group(coin, unseen)) == 1]
        fitted = named if len(named) >= LEAST_NAMED else list(range(len(coins)))
        there = np.array([true[coin] for coin in coins])
        aligned = rigid_of_most(places[fitted], there[fitted])(places)
        for coin, at in zip(coins, aligned, strict=True):
            names = [name for name in _group(coin, unseen) if name in true]
            off = min(float(np.hypot(*(at - true[name]))) for name in names)
            if off > FAR_MM:
                yield f"misplaced: {coin} at {entry['t_s']:.2f} s, {off:.0f} mm off"


def run(folder: Path, work: Path, *, surveyed: bool, again: bool) -> Verdict:
    """Referee one clip in `work` and judge its record. If a command fails, the clip counts as one
    about which the referee says what it does not know, with the command's message as the reason.
    """
    work.mkdir(parents=True, exist_ok=True)
    clip = made_ready(folder, work)
    asked: tuple[str, ...] = ()
    if not (again and (work / "out" / "record.jsonl").exists()):
        try:
            asked = referee_clip(clip, work, Runner(), surveyed)
        except CommandError as error:
            return Verdict(folder.name, UNKNOWN, (str(error),))
    lines = (work / "out" / "record.jsonl").read_text(encoding="utf-8").splitlines()
    verdict = judged(folder.name, clip.truth, [json.loads(line) for line in lines])
    if asked and verdict.outcome == RIGHT:
        return replace(verdict, outcome=UNKNOWN, reasons=asked)
    return verdict


def as_text(verdicts: Sequence[Verdict]) -> str:
    """Return the table: a line for each clip, the reasons, and the sums."""
    lines = []
    for verdict in verdicts:
        lines.append(f"{verdict.clip:16} {verdict.outcome}")
        lines += [f"    {reason}" for reason in verdict.reasons]
    sums = ", ".join(f"{_count(verdicts, o)} {o}" for o in (RIGHT, UNKNOWN, WRONG))
    demanded, certain = (sum(getattr(v, k) for v in verdicts) for k in ("demanded", "certain"))
    silent, wrong = (_with_reason(verdicts, kind) for kind in ("silent: ", "certain and wrong: "))
    lines += [
        f"{len(verdicts)} clips: {sums}",
        f"{demanded} demanded incidents: {certain} certain and right,"
        f" {demanded - certain - silent} asked about, {silent} silent; {wrong} others certain",
        "",
    ]
    return "\n".join(lines)


def _with_reason(verdicts: Sequence[Verdict], kind: str) -> int:
    return sum(reason.startswith(kind) for v in verdicts for reason in v.reasons)


def _count(verdicts: Sequence[Verdict], outcome: str) -> int:
    return sum(verdict.outcome == outcome for verdict in verdicts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the clips that the arguments name. Return the exit status."""
    parser = Arguments("breaks", __doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--true-survey", action="store_true", help="the table from the truth")
    parser.add_argument("--keep", type=Path, help="where to keep what the commands wrote")
    parser.add_argument("--again", action="store_true", help="judge the kept runs only")
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    options = parser.parse_args(arguments)
    verdicts = []
    with tempfile.TemporaryDirectory() as temporary:
        work = options.keep or Path(temporary)
        for folder in parser.clips(options.folders):
            verdict = run(
                folder, work / folder.name, surveyed=not options.true_survey, again=options.again
            )
            print(as_text([verdict]).partition("\n1 clips")[0], file=sys.stderr, flush=True)
            verdicts.append(verdict)
    table = as_text(verdicts)
    print(table)
    if options.write is not None:
        options.write.write_text(table, encoding="utf-8")
    right = _count(verdicts, RIGHT) >= LEAST_RIGHT * len(verdicts)
    return 0 if right and _count(verdicts, WRONG) <= MOST_WRONG * len(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main())

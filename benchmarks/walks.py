"""Follows four call sequences ("ways") through the code, and counts how often each goes back up to
a higher layer ("climbs").

  python -m benchmarks.walks > benchmarks/walks.txt

A way runs from a frame to sightings, from sightings to paths, from an incident to a call, or from a
ruling on the page to the record. The program takes it on a bundled clip or a short record, and each
call from one part into another is noted. A part is a package right below `referee`, or `web_ui`.
Not noted are calls into `calibration`, `referee.domain`, `referee.library` and the words of the
games: every part asks these about geometry, files and what may be said.

A way climbs when a part has got its answer from below and calls down again, and when a part calls
one above it. Calls from one function into the same part count once if nothing lies between them,
and each line of a loop counts once. The second figure does not depend on parts: the modules in the
order in which the way first enters them, and how many of these lie higher than the one before. A
module lies higher than all that it imports.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

from benchmarks.arguments import Arguments
from benchmarks.long_matches import long_match
from calibration.store.store import read_camera
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.domain.entry import plain
from referee.domain.incident import LineCrossed
from referee.replay.fold import fold
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.tracking.trajectory.smooth import smooth_episode
from referee.vision.sources.video import open_source
from tests.clips.bundled import CLIPS, true_table
from tests.module_imports import MODULES, ours, within
from web_ui.access import Access
from web_ui.pages import create_app

NO_STATIONS: Final = (
    "calibration",
    "referee.domain",
    "referee.library",
    "referee.games.words",
    "referee.games.players",
)
#: How often each way may climb at most; None where nothing limits it.
BARS: Final[dict[str, int | None]] = {
    "frame to sightings": 6,
    "sightings to paths": None,
    "incident to call": 1,
    "ruling to record": 2,
}
CLIP: Final = "pass-and-hit"
ENTRIES: Final = 40  # of the record on which the last two ways are taken

_MODULE_OF: Final = {str(path): module for module, path in MODULES.items()}


def part_of(module: str) -> str:
    return ".".join(module.split(".")[: 2 if module.startswith("referee.") else 1])


@cache
def height(module: str) -> int:
    """Return how many modules the longest chain of imports below a module has."""
    below = (height(other) for other in ours(MODULES[module]) if other in MODULES)
    return 1 + max(below, default=-1)


@cache
def part_height(part: str) -> int:
    """Return how many parts the longest chain of imports below a part has."""
    inside = [module for module in MODULES if part_of(module) == part]
    named = {name for module in inside for name in ours(MODULES[module])}
    others = {part_of(name) for name in named} - {part, *NO_STATIONS}
    return 1 + max((part_height(other) for other in others), default=-1)


@dataclass
class Way:
    """The calls between parts, in order, and the modules in the order in which they are entered.

    `calls` holds the calling part, function and line, and the part that is called. `until` is the
    module and function with which the way ends.
    """

    until: tuple[str, str] | None = None
    calls: dict[tuple[str, str, int, str], None] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    _stack: list[tuple[FrameType, str, str]] = field(default_factory=list)
    _skipped: list[bool] = field(default_factory=list)
    _ended: bool = False

    def follow(self, run: Callable[[], Any]) -> Any:
        """Run something and note its way."""
        sys.setprofile(self._note)
        try:
            return run()
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            self._enter(frame)
        elif event == "return" and self._skipped and not self._skipped.pop():
            left, _, module = self._stack.pop()
            self._ended = self._ended or (module, left.f_code.co_name) == self.until

    def _enter(self, frame: FrameType) -> None:
        module = _MODULE_OF.get(frame.f_code.co_filename)
        passed_by = module is None or any(within(module, part) for part in NO_STATIONS)
        self._skipped.append(passed_by)
        if passed_by or module is None:
            return
        if not self._ended:
            if module not in self.modules:
                self.modules.append(module)
            part = part_of(module)
            if self._stack and self._stack[-1][1] != part:
                caller, above, _ = self._stack[-1]
                self.calls[above, caller.f_code.co_name, caller.f_lineno, part] = None
        self._stack.append((frame, part_of(module), module))

    def steps(self) -> Iterator[tuple[bool, str]]:
        """Yield for each call whether the way climbed there, and the call in words."""
        last = step = ""
        for caller, function, _, callee in self.calls:
            before, step = step, f"{caller} {function} -> {callee}"
            if step != before:
                upwards = part_height(callee) > part_height(caller)
                yield upwards or last not in ("", caller), step
            last = callee

    def climbs(self) -> int:
        return sum(climbed for climbed, _ in self.steps())

    def module_climbs(self) -> int:
        """Return how often the way enters a module that lies higher than the one that it entered
        before.
        """
        pairs = zip(self.modules, self.modules[1:], strict=False)
        return sum(height(after) > height(before) for before, after in pairs)


def seeing_ways() -> tuple[Way, Way]:
    """Return the way of the frame that climbs most often, among those of a clip's first flick, and
    the way of that flick's sightings.
    """
    exposure_s = read_camera(CLIPS / CLIP / "camera.yaml").exposure_s or 0.0
    builder, ways = EpisodeBuilder(true_table(CLIP), exposure_s), list[Way]()
    with open_source(str(CLIPS / CLIP / "clip.mp4")) as source:
        for frame in source:
            moving = any(coin.sightings for coin in builder.tracker.coins.values())
            way = Way(until=("referee.tracking.identity.tracker", "update"))
            episode = way.follow(lambda f=frame: builder.take(f)) if moving else builder.take(frame)
            ways += [way] if moving else []
            if episode is not None and any(track.sightings for track in episode.tracks):
                break
    assert episode is not None
    paths = Way()
    paths.follow(lambda: smooth_episode(episode))
    return max(ways, key=Way.climbs), paths


def deciding_ways(folder: Path) -> tuple[Way, Way]:
    """Return the way of a line crossing, the last entry of a record, and that of a ruling on it."""
    entries = long_match("tabletop-croquet", ENTRIES, "plain")
    last = max(i for i, entry in enumerate(entries) if isinstance(entry, LineCrossed))
    folded, incident = fold(entries[:last]), entries[last]
    assert isinstance(incident, LineCrossed)
    call = Way()
    call.follow(lambda: folded.push(incident))
    record = folder / "record.jsonl"
    lines = [json.dumps(plain(entry)) for entry in entries[: last + 1]]
    record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    following = FollowedRecord(record, feed := Feed())
    following.look()
    client = create_app(feed, desk=following, access=(access := Access())).test_client()
    client.get(access.entry_path())
    said = {"on": incident.id or f"#{last + 1}", "verdict": "overturned", "by": "Ann"}
    asked = {**said, "reason": "it was 2 mm short", "entries": last}
    ruling = Way()
    origin = {"Origin": "http://localhost"}
    answer = ruling.follow(lambda: client.post("/rulings", json=asked, headers=origin))
    assert answer.status_code == 204, answer.get_data()
    return call, ruling


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the ways. The status is 1 if a way climbs more often than allowed."""
    Arguments("walks", __doc__).parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        ways = dict(zip(BARS, (*seeing_ways(), *deciding_ways(Path(folder))), strict=True))
    for name, way in ways.items():
        bar = BARS[name]
        limit = "" if bar is None else f" (at most {bar})"
        print(f"{name}: climbs {way.climbs()} times{limit}")
        for climbed, step in way.steps():
            print(f"  {'^' if climbed else ' '} {step}")
        higher = way.module_climbs()
        print(f"    {len(way.modules)} modules, {higher} of them above the one before\n")
    return int(any(bar is not None and ways[name].climbs() > bar for name, bar in BARS.items()))


if __name__ == "__main__":
    raise SystemExit(main())

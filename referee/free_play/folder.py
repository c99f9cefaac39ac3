"""Writes the results of free play to a folder: tables of paths, incidents and figures, a picture of
each flick, and a page.
"""

from __future__ import annotations

import csv
import json
import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import msgspec

from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.incident import AtRest, Incident, Unseen
from referee.free_play.flick_report import UNKNOWN, FlickReport
from referee.free_play.page import page
from referee.free_play.play import FreePlay
from referee.vision.overlay.path_drawing import Bytes, draw_paths, save_picture
from referee.vision.sources.frame import VideoFrame

PATHS: Final = "paths.csv"
INCIDENTS: Final = "incidents.jsonl"
FIGURES: Final = "flicks.csv"
NEAR_MISSES: Final = "near-misses.csv"
DISCS: Final = "discs.csv"
PAGE: Final = "index.html"
#: The files that `referee paths` writes, beside a picture of each flick.
WRITTEN: Final = (PATHS, INCIDENTS, FIGURES, NEAR_MISSES, DISCS, PAGE)
PATH_COLUMNS: Final = (
    "flick", "coin", "frame", "t_s", "x_px", "y_px", "x_mm", "y_mm", "sigma_px", "seen",
)  # fmt: skip
FIGURE_COLUMNS: Final = (
    "flick", "coin", "length_px", "length_mm", "top_speed_px_s", "top_speed_mm_s",
    "slowing_px_s2", "slowing_mm_s2", "deflection_deg",
)  # fmt: skip
DISC_COLUMNS: Final = ("coin", "x_px", "y_px", "width_px", "width_mm")
NEAR_COLUMNS: Final = ("flick", "coin", "other", "gap_px", "sigma_px", "gap_mm", "sigma_mm")
# Chosen: seconds between the frames that are kept, and how many are kept.
EVERY_S: Final = 0.5
MOST_FRAMES: Final = 24
#: Fields of incidents in mm, which are written in px as well.
LENGTHS: Final = ("margin_mm", "sigma_mm")


@dataclass
class FreePlayFolder:
    """Writes to a folder what `play` finds, each flick as soon as it has ended. `others` are the
    incidents that belong to no flick.
    """

    path: Path
    play: FreePlay
    reports: list[FlickReport] = field(default_factory=list)
    others: list[Incident] = field(default_factory=list)
    _all_at_rest: VideoFrame | None = None  # the last frame in which every disc lay still
    _last: VideoFrame | None = None
    #: Frames since the last flick that was written, to draw several flicks of one episode.
    _lately: deque[VideoFrame] = field(default_factory=lambda: deque(maxlen=MOST_FRAMES))

    def begin(self) -> None:
        """Make the folder and its files. Raises InputError if one of the files exists already, or
        if the folder cannot be written.
        """
        taken = [name for name in WRITTEN if (self.path / name).exists()]
        if taken:
            raise InputError(f"{self.path / taken[0]}: exists already; name another folder")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._append(PATHS, [PATH_COLUMNS])
            self._append(FIGURES, [FIGURE_COLUMNS])
            self._append(NEAR_MISSES, [NEAR_COLUMNS])
            (self.path / INCIDENTS).touch()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror})") from error

    def take(self, frame: VideoFrame) -> None:
        """Take one frame, and write the flicks that ended with it. Raises InputError if the source
        shows no discs that can be followed.
        """
        self._last = frame
        if not self._lately or frame.t_s - self._lately[-1].t_s >= EVERY_S:
            self._lately.append(frame)
        self._add(*self.play.take(frame))
        if self.play.all_at_rest:
            self._all_at_rest = frame

    def finish(self, *, interrupted: bool = False) -> None:
        """Write the last flick, which may not have ended, and the page: the source has ended.
        Raises InputError if no disc was found, unless the user `interrupted` the search.
        """
        if self.play.ready or not interrupted:
            self._add(*self.play.finish())
        self.write_page()

    def withdraw(self) -> None:
        """Delete all files that were written, because the source was refused and its results are
        not reliable. Also delete the folder if it is empty then.
        """
        pictures = [picture_name(report) for report in self.reports]
        for name in (*WRITTEN, *pictures):
            (self.path / name).unlink(missing_ok=True)
        with suppress(OSError):  # other files are in it
            self.path.rmdir()

    def _write_discs(self) -> None:
        """Write where each disc was first seen lying still, and how wide it is."""
        rows: list[Sequence[object]] = [DISC_COLUMNS]
        lay_mm = {c: at for report in reversed(self.reports) for c, at in report.start_mm.items()}
        for coin, at_mm in sorted({**lay_mm, **self.play.opening_mm}.items()):
            width = self.play.widths_mm.get(coin, 0.0)
            x_px, y_px = self.play.at_px(at_mm)
            mm = f"{width:.2f}" if self.play.disc_mm else ""
            width_px = width * self.play.px_per_mm(at_mm)
            rows.append((coin, f"{x_px:.2f}", f"{y_px:.2f}", f"{width_px:.1f}", mm))
        (self.path / DISCS).unlink(missing_ok=True)
        self._append(DISCS, rows)

    def _add(self, reports: Sequence[FlickReport], others: Iterable[Incident]) -> None:
        self.others += (beside := [*others])
        self._write_incidents(beside, None)
        for report, following in zip_longest(reports, reports[1:]):
            self.reports.append(report)
            self._append(PATHS, self._path_rows(report))
            self._append(FIGURES, self._figure_rows(report))
            self._append(NEAR_MISSES, self._near_rows(report))
            self._write_incidents(report.incidents, report)
            shown = self._after(following)
            if shown is not None:
                save_picture(self.path / picture_name(report), self._drawn(report, shown.bgr()))
        if reports or beside:
            self._all_at_rest = None
            self._lately.clear()
            self.write_page()

    def _after(self, following: FlickReport | None) -> VideoFrame | None:
        """Return the frame in which to draw a flick: one that shows the discs as they lie after the
        flick, and before the `following` flick of the same episode began. If there is none, perhaps
        because a disc is never in full view, return the last frame.
        """
        if following is None:
            return self._all_at_rest or self._last
        begun_s = min((ps[0].t_s for ps in following.points.values()), default=math.inf)
        before = [frame for frame in self._lately if frame.t_s < begun_s]
        return before[-1] if before else self._last

    def write_page(self) -> None:
        """Write the page and the list of discs again, with all flicks so far."""
        self._write_discs()
        (self.path / PAGE).write_text(page(self.play, self.reports, self.others), encoding="utf-8")

    def _append(self, name: str, rows: Iterable[Sequence[object]]) -> None:
        with (self.path / name).open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    def _path_rows(self, report: FlickReport) -> Iterable[Sequence[object]]:
        for coin, points in {**report.points, **report.resting}.items():
            for point in points:
                x_px, y_px = self.play.at_px(point.at_mm)
                sigma_px = point.sigma_mm * self.play.px_per_mm(point.at_mm)
                mm = [f"{v:.2f}" for v in point.at_mm] if self.play.disc_mm else ["", ""]
                place = (f"{x_px:.2f}", f"{y_px:.2f}", *mm)
                yield (
                    report.number, coin, point.frame, f"{point.t_s:.4f}", *place,
                    f"{sigma_px:.2f}", int(point.seen),
                )  # fmt: skip

    def _figure_rows(self, report: FlickReport) -> Iterable[Sequence[object]]:
        for one in report.figures:
            px = self.play.px_per_mm(report.points[one.coin][0].at_mm)
            row: list[object] = [report.number, one.coin]
            for value in (one.length_mm, one.top_speed_mm_s, one.slowing_mm_s2):
                row.append("" if value is None else f"{value * px:.1f}")
                row.append("" if value is None or not self.play.disc_mm else f"{value:.1f}")
            row.append("" if one.deflection_deg is None else f"{one.deflection_deg:.1f}")
            yield row

    def _near_rows(self, report: FlickReport) -> Iterable[Sequence[object]]:
        for near in report.near_misses:
            px = self.play.px_per_mm(report.points[near.coin][0].at_mm)
            mm = [near.gap_mm, near.sigma_mm]
            texts = [f"{v * px:.1f}" for v in mm]
            texts += [f"{v:.2f}" for v in mm] if self.play.disc_mm else ["", ""]
            yield (report.number, near.coin, near.other, *texts)

    def _write_incidents(self, incidents: Iterable[Incident], report: FlickReport | None) -> None:
        with (self.path / INCIDENTS).open("a", encoding="utf-8") as file:
            for incident in incidents:
                file.write(json.dumps(self._as_json(incident, report), ensure_ascii=False) + "\n")

    def _as_json(self, incident: Incident, report: FlickReport | None) -> dict[str, Any]:
        """Return the fields of an incident as in a match's record, with lengths and places in px as
        well. If the width of the discs was not given, leave out those in mm.
        """
        fields: dict[str, Any] = msgspec.to_builtins(incident)
        coin: str | None = getattr(incident, "coin", None)
        at_mm = None
        if report is not None and coin is not None and incident.t_s is not None:
            at_mm = report.place_of(coin, incident.t_s)
        scale = self.play.px_per_mm(at_mm or (0.0, 0.0))
        for name in LENGTHS:
            if name in fields:
                fields[name.replace("_mm", "_px")] = round(fields[name] * scale, 2)
        if at_mm is not None:
            fields["at_px"] = self._px(at_mm)
        if isinstance(incident, AtRest):
            fields["coins_px"] = {c: self._px(at) for c, at in incident.coins.items()}
        if isinstance(incident, Unseen) and UNKNOWN in incident.pieces:
            fields["at_px"] = [self._px(at) for at in self.play.unknown_mm]
        if not self.play.disc_mm:
            for name in (*LENGTHS, "at_mm", "coins"):
                fields.pop(name, None)
        fields.pop("direction", None)  # a line of free play has no outward side
        return fields

    def _px(self, at_mm: Point) -> list[float]:
        return [round(v, 2) for v in self.play.at_px(at_mm)]

    def _drawn(self, report: FlickReport, bgr: Bytes) -> Bytes:
        at_px = self.play.at_px
        middle = next(iter(report.points.values()))[0].at_mm if report.points else (0.0, 0.0)
        lines: Mapping[str, tuple[Point, Point]] = {
            name: (at_px(line.left_mm), at_px(line.right_mm)) for name, line in report.lines.items()
        }
        return draw_paths(
            bgr,
            {c: [(at_px(p.at_mm), p.seen) for p in ps] for c, ps in report.points.items()},
            sorted({*report.start_mm, *report.points}),
            lines,
            {c: 0.5 * w * self.play.px_per_mm(middle) for c, w in self.play.widths_mm.items()},
            {c: at_px(at) for c, at in report.start_mm.items() if c not in report.points},
        )


def picture_name(report: FlickReport) -> str:
    """Return the name of the file with a flick's picture."""
    return f"flick-{report.number:03d}.png"

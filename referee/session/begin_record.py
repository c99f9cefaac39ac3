"""Begins the record of a match, or continues it. First it notes which part of the record this run
makes.
"""

from __future__ import annotations

import time

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Course
from referee.library.archive import MatchFolder
from referee.session.recording.match_recorder import MatchRecorder
from referee.session.recording.resuming import Part, note, part_of
from referee.session.watch_options import WatchOptions


def begin_record(
    options: WatchOptions,
    folder: MatchFolder,
    course: Course,
    table: SurveyedTable,
    part: Part | None,
) -> tuple[MatchRecorder, float | None]:
    """Return the recorder of a match on a course. If a camera continues the match, also return the
    time, s in the match, since which nobody has seen the table.

    `part` is the part of the record that was made from this source before; None if this is a new
    part. Raises InputError if the folder cannot be written or read.
    """
    coins, source, sigma_mm = options.match.coins, options.source, table.sigma_mm
    if not folder.resumed:
        note(folder, part_of(source, 0, 0.0))
        setup = options.match.setup(table.sizes, course, table.edge_mm)
        return MatchRecorder.begin(folder, setup, course, coins, sigma_mm), None
    recorder = MatchRecorder.resume(folder, course, coins, sigma_mm, part)
    if part is not None:
        note(folder, part)
        return recorder, None
    left_s, entries = recorder.begun_s, len(recorder.fold.entries) + 1
    new = part_of(source, entries, left_s)
    note(folder, new)
    if new.bytes is not None or entries == 1:
        return recorder, None
    recorder.begun_s += _pause_s(folder)
    return recorder, left_s


def _pause_s(folder: MatchFolder) -> float:
    """Return how many seconds ago something was last written to a record, by the clock of the
    machine.
    """
    return max(0.0, time.time() - folder.record.stat().st_mtime)

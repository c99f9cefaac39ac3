"""A match on disk: a folder with the record, the paths of all flicks, and the clips."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from referee.domain.errors import InputError
from referee.library.whole_file import write_whole

RECORD: Final = "record.jsonl"
PATHS: Final = "paths.csv"
CLIPS: Final = "clips"
#: The suffix of the file beside a clip that says where things are in its pictures.
OUTLINES: Final = ".outlines.json"
PART: Final = "source.json"  # names the video from which the last part of the record was made
COLUMNS: Final = ("flick", "coin", "t_s", "x_mm", "y_mm", "sigma_mm", "seen")
HEADING: Final = ",".join(COLUMNS) + "\n"
#: Chosen: no setup is longer than this, so a longer file is more than an unfinished setup.
_LONGEST_SETUP_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class PathPoint:
    """One line of `paths.csv`: where a coin's centre was at one time of one flick.

    `flick` counts from 1 through the match. `seen` is False if the place was computed and not
    measured.
    """

    flick: int
    coin: str
    t_s: float
    x_mm: float
    y_mm: float
    sigma_mm: float
    seen: bool


@dataclass(frozen=True, slots=True)
class MatchFolder:
    """The folder of one match. `resumed` says that it already held a record, which is continued.
    `made` lists the folders that were created for it, the outer one first.
    """

    path: Path
    resumed: bool = False
    made: tuple[Path, ...] = ()

    @property
    def record(self) -> Path:
        """Return the record, `record.jsonl`."""
        return self.path / RECORD

    @property
    def paths(self) -> Path:
        """Return the paths of all flicks, `paths.csv`."""
        return self.path / PATHS

    def clip(self, name: str, suffix: str) -> Path:
        """Return the path of the clip with this name, whether it exists or not. `suffix` begins
        with a dot.
        """
        return self.path / CLIPS / f"{name}{suffix}"

    def outlines(self, clip: str) -> Path:
        """Return the path of the outlines that belong to the clip with this file name, whether they
        exist or not.
        """
        return (self.path / CLIPS / clip).with_suffix(OUTLINES)

    def put_paths(self, flick: int, points: Iterable[PathPoint]) -> None:
        """Write the lines of one flick to `paths.csv`, in place of lines that it holds of that
        flick. If the file cannot be written, leave it as it was and raise OSError.
        """
        text = self.paths.read_text("utf-8", "surrogateescape") if self.paths.exists() else ""
        own = io.StringIO()
        csv.writer(own, lineterminator="\n").writerows(_row(p) for p in points)
        heading, *lines = (text or HEADING).splitlines(keepends=True)
        begin = next((i for i, line in enumerate(lines) if _flick_of(line) >= flick), len(lines))
        after = [line for line in lines[begin:] if _flick_of(line) != flick]
        new = "".join((heading, *lines[:begin], own.getvalue(), *after))
        if new != text:
            write_whole(self.paths, new.encode("utf-8", "surrogateescape"))

    def paths_of(self, flick: int) -> tuple[PathPoint, ...]:
        """Return the lines of one flick in `paths.csv`, in their order; empty if there are none.

        Raises InputError, with the file, where it or one of these lines cannot be read.
        """
        if not self.paths.exists():
            return ()
        try:
            with self.paths.open(encoding="utf-8", newline="") as lines:
                rows = csv.reader(lines)
                next(rows, None)
                own = (row for row in rows if row[:1] == [str(flick)])
                return tuple(_point(self.paths, rows.line_num, row) for row in own)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise InputError(f"{self.paths}: cannot be read ({error})") from error

    def remove_if_unused(self) -> None:
        """Remove what was created for a match that never began. A folder that holds a record or
        anything else stays.
        """
        if self.record.exists():
            return
        if self.paths.exists() and self.paths.read_text(encoding="utf-8") == HEADING:
            self.paths.unlink()
        for folder in (self.path / CLIPS, *reversed(self.made)):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def _flick_of(line: str) -> int:
    number = line.partition(",")[0]
    return int(number) if number.isdecimal() else 0


def _row(point: PathPoint) -> tuple[str, ...]:
    return (
        str(point.flick),
        point.coin,
        f"{point.t_s:.6f}",
        f"{point.x_mm:.3f}",
        f"{point.y_mm:.3f}",
        f"{point.sigma_mm:.3f}",
        str(int(point.seen)),
    )


def _point(path: Path, line: int, row: list[str]) -> PathPoint:
    try:
        flick, coin, *numbers, seen = row
        t_s, x_mm, y_mm, sigma_mm = map(float, numbers)
        return PathPoint(int(flick), coin, t_s, x_mm, y_mm, sigma_mm, bool(int(seen)))
    except ValueError as error:
        raise InputError(
            f"{path}: line {line}: must have the columns {','.join(COLUMNS)}"
        ) from error


def open_folder(path: Path, *, resume: bool = False, overwrite: bool = False) -> MatchFolder:
    """Return the folder for a match. Create it where it is missing, with an empty `paths.csv` where
    there is none.

    A folder that holds a record is refused unless it is to be resumed or overwritten. Overwriting
    removes the record, the paths and the clips, and nothing else. Raises InputError, which names
    the folder.
    """
    if resume and overwrite:
        raise InputError("--resume and --overwrite: use only one of them")
    try:
        return _prepared(path, resume, overwrite)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error


def _prepared(path: Path, resume: bool, overwrite: bool) -> MatchFolder:
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file, not a folder")
    if resume:
        _set_aside_unbegun(path / RECORD)
    held = (path / RECORD).exists()
    if held and not (resume or overwrite):
        raise InputError(
            f"{path}: already holds a match record; continue it with --resume, or replace it with"
            " --overwrite"
        )
    if held and overwrite:
        _remove(path)
    made = tuple(folder for folder in (*reversed(path.parents), path) if not folder.exists())
    (path / CLIPS).mkdir(parents=True, exist_ok=True)
    folder = MatchFolder(path, resumed=held and resume, made=made)
    _begin_paths(folder)
    return folder


def _set_aside_unbegun(record: Path) -> None:
    """If not even the setup of a record is complete, because the program was killed while writing
    it, move the record out of the way. Such a record holds nothing of use.
    """
    if not record.is_file() or record.stat().st_size > _LONGEST_SETUP_BYTES:
        return
    content = record.read_bytes()
    if b"\n" in content or _is_json(content):
        return
    if content:
        record.replace(record.with_name(f"{RECORD}.cut"))
    else:
        record.unlink()


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def _remove(path: Path) -> None:
    (path / RECORD).unlink()
    (path / PATHS).unlink(missing_ok=True)
    (path / PART).unlink(missing_ok=True)
    if (path / CLIPS).is_dir():
        shutil.rmtree(path / CLIPS)


def _begin_paths(folder: MatchFolder) -> None:
    """Write the heading of a new `paths.csv`. If the file exists, remove a last line that was cut
    off.
    """
    if not folder.resumed or not folder.paths.exists():
        write_whole(folder.paths, HEADING.encode())
        return
    try:
        text = folder.paths.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{folder.paths}: cannot be read (not UTF-8 text)") from error
    if HEADING.startswith(text):  # the program was killed while it began the file
        text = HEADING
    if not text.startswith(HEADING):
        raise InputError(f"{folder.paths}: line 1: the columns should be {HEADING.strip()}")
    write_whole(folder.paths, text[: text.rindex("\n") + 1].encode())


def new_folder_name(game: str, now: datetime) -> str:
    """Return a folder name for a match that begins now: date, time and game. Sorted by name, the
    folders are in order of time.
    """
    return f"{now:%Y-%m-%d-%H%M%S}-{game}"

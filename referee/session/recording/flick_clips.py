"""Keeps a clip of every flick, and with each clip the outlines to draw over its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from referee.domain.episode import Episode
from referee.domain.incident import Measured
from referee.domain.path import Path
from referee.library.archive import CLIPS, MatchFolder, PathPoint
from referee.library.clips import ClipError, ClipKeeper, SavedClip
from referee.library.whole_file import write_whole
from referee.session.recording.clip_outlines import ClipPictures, SeenViews, clip_outlines
from referee.session.recording.disk_room import Troubles

# Chosen: nothing was measured for these.

CLIP_LEAD_S: Final = 0.7  # a clip begins this long before the flick
# a clip ends this long after the last slide, or after the last frame if nothing slid
CLIP_TAIL_S: Final = 0.4


class FlickClips:
    """Saves clips in a match's folder. `begin_s` has the times in the match at which clips begin,
    by name. If a clip or its outlines cannot be saved, `troubles` reports it.
    """

    def __init__(self, folder: MatchFolder, troubles: Troubles) -> None:
        """Begin without a clip. Outlines are saved only if `views` are known."""
        self.folder, self.troubles = folder, troubles
        self.views = SeenViews()
        self.begin_s: dict[str, float] = {}
        self._saved: SavedClip | None = None

    def save(
        self, flick: int, episode: Episode, paths: Sequence[Path], held: ClipKeeper, begun_s: float
    ) -> str | None:
        """Save a flick's clip. Return its name within the folder; None if it cannot be saved, or if
        its frames are no longer in memory.
        """
        runs = [r for p in paths for r in p.runs]
        begin = min((r.begin_s for r in runs), default=episode.frames[0].t_s)
        end = max((min(r.end_s, r.stop_s) for r in runs), default=episode.frames[-1].t_s)
        target = self.folder.clip(f"flick-{flick:04d}", held.format.suffix)
        try:
            self._saved = held.save(begin - CLIP_LEAD_S, end + CLIP_TAIL_S, target)
        except ClipError as error:
            self._saved = None
            self.troubles.met("clips", f"Clips cannot be saved ({error}). The record goes on")
            return None
        self.troubles.over("clips", "Clips are saved again")
        if self._saved is None:
            return None
        name = f"{CLIPS}/{target.name}"
        self.begin_s[name] = round(self._saved.zero_s + begun_s, 6)
        return name

    def outline(
        self,
        clip: str,
        episode: Episode,
        paths: Sequence[Path],
        points: Sequence[PathPoint],
        incidents: Sequence[Measured],
        begun_s: float,
    ) -> None:
        """Save the outlines for the clip that was saved last. `incidents` are the recorded
        incidents of its flick.
        """
        saved = self._saved
        if saved is None or not (views := self.views.between(saved.from_s, saved.to_s)):
            return
        pictures = ClipPictures(saved.zero_s, saved.frames_s, views)
        drawn = clip_outlines(pictures, episode, paths, points, incidents, begun_s)
        try:
            write_whole(self.folder.outlines(saved.path.name), msgspec.json.encode(drawn))
        except OSError as error:
            self.troubles.met("outlines", f"What is drawn over {clip} is lost ({error.strerror})")
        else:
            self.troubles.over("outlines", "What is drawn over clips is saved again")

    def drop(self, clip: str) -> None:
        """Remove a clip to free space on the disk."""
        self._saved = None
        with suppress(OSError):
            (self.folder.path / clip).unlink(missing_ok=True)

"""Writes notes about the camera: that it was moved, or that it does not show the table."""

from __future__ import annotations

from dataclasses import dataclass

Lines = tuple[str, ...]


@dataclass
class CameraNotes:
    """The notes about the camera. `shown` is the last note, if there was one."""

    shown: Lines = ()
    _waits_since_s: float | None = None

    def moved(self, moved_px: float, at_s: float) -> Lines:
        """Return how far the camera was moved, and when.

        >>> CameraNotes().moved(7.2, 41.3)
        ('camera moved 7 px at 0:41',)
        """
        self.shown = (f"camera moved {moved_px:.0f} px at {_clock(at_s)}",)
        return self.shown

    def waits(self, since_s: float | None, t_s: float) -> Lines:
        """Return the note to show at `t_s`, if there is one. The picture has not fitted the table
        since `since_s` (None: it fits). One note says that the referee waits, and a later one that
        it goes on.

        >>> notes = CameraNotes()
        >>> [notes.waits(since_s, 12.6) for since_s in (None, 12.0, 12.0)]
        [(), ('the picture does not fit the table since 0:12: waiting until it does',), ()]
        >>> notes.waits(None, 75.0)
        ('the picture did not fit the table from 0:12 to 1:15: what moved then was not seen',)
        """
        before_s, self._waits_since_s = self._waits_since_s, since_s
        if since_s == before_s:
            return ()
        self.shown = (
            (f"the picture does not fit the table since {_clock(since_s)}: waiting until it does",)
            if since_s is not None
            else (
                f"the picture did not fit the table from {_clock(before_s or 0.0)} to"
                f" {_clock(t_s)}: what moved then was not seen",
            )
        )
        return self.shown


def _clock(t_s: float) -> str:
    minutes, seconds = divmod(int(t_s), 60)
    return f"{minutes}:{seconds:02d}"

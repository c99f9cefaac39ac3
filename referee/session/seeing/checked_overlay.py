"""Writes an overlay whose errors never end a match: if it cannot be written, this is reported once,
and the overlay is given up.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.domain.errors import InputError
from referee.vision.overlay.video_overlay import Marks, OverlayWriter
from referee.vision.sources.frame import Picture


class CheckedOverlay:
    """Writes an overlay until writing fails. Use it in a `with` statement; `close` makes the file
    playable before the statement ends.
    """

    def __init__(self, writer: OverlayWriter, say: Callable[[str], None]) -> None:
        self._writer: OverlayWriter | None = writer
        self._say = say

    def __enter__(self) -> CheckedOverlay:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def write(self, bgr: Picture, marks: Marks, t_s: float) -> None:
        """Add a frame, uint8 (height, width, 3), at its time."""
        if self._writer is None:
            return
        try:
            self._writer.write(bgr, marks, t_s)
        except InputError as error:
            self._say(f"{error}; the match goes on without it")
            self.close()

    def close(self) -> None:
        """End the file."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        try:
            writer.__exit__(None, None, None)
        except InputError as error:
            self._say(str(error))

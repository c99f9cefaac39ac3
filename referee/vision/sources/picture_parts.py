"""Reads a stream of pictures part by part, and continues after a part that is not a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from av.error import ArgumentError, InvalidDataError

if TYPE_CHECKING:
    import av

    Packet = av.Packet[av.VideoStream]

#: Chosen: the demuxer looks for the next part line by line. A picture of some megabytes, whose
#: stated length was wrong, has fewer lines than this.
MOST_LINES: Final = 50_000


class PictureParts:
    """The packets of a stream of pictures. Iterate over it once. `left_out` counts the parts that
    were not pictures.

    `demux` reads packets from where the last reading ended. The iteration raises the error of
    `demux` if no picture follows.
    """

    def __init__(self, demux: Callable[[], Iterator[Packet]]) -> None:
        self._demux = demux
        self.left_out = 0

    def __iter__(self) -> Iterator[Packet]:
        lines = 0
        while True:
            try:
                for packet in self._without_empty_parts():
                    lines = 0
                    yield packet
                return
            except (ArgumentError, InvalidDataError):
                self.left_out += lines == 0
                lines += 1
                if lines > MOST_LINES:
                    raise

    def _without_empty_parts(self) -> Iterator[Packet]:
        """Yield packets. An empty packet tells the decoder that the stream has ended, so only the
        last packet may be empty.
        """
        empty = None
        for packet in self._demux():
            self.left_out += empty is not None
            empty = None if packet.size else packet
            if empty is None:
                yield packet
        if empty is not None:
            yield empty

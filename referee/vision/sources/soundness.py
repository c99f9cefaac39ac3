"""Decides which decoded pictures may be measured.

A damaged picture must not be measured. A picture that the decoder predicted from a damaged or
missing one must not be measured either, because it looks wrong wherever something moved. From the
next complete picture on, pictures are sound again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.vision.sources.h264_order import PictureOrder

if TYPE_CHECKING:
    import av

# Chosen: the ratio of width to height may differ by this share from the first picture's, because
# sizes are rounded to blocks.
_SAME_SHAPE: Final = 0.01
# Chosen: fewer successive pictures of another shape than this count as damage. From this many on,
# the camera has changed.
_OTHER_SHAPE_STAYS: Final = 30


class Soundness:
    """Follows the damage in one stream. Call `add_packet` for every packet before it is decoded,
    `add_damage` if it could not be decoded, and `is_sound` for every picture in the order in which
    they are shown.
    """

    def __init__(self, stream: av.VideoStream) -> None:
        """Begin with a stream that has not been decoded yet."""
        context = stream.codec_context
        self._order = PictureOrder(context.extradata) if context.name == "h264" else None
        self._lost_before: set[int | None] = set()
        self._next_is_broken = self._broken = False
        self._size: tuple[int, int] | None = None
        self._other_size: str | None = None
        self._damaged = self._unsound = self._resized = self._misshapen = 0

    def add_packet(self, packet: av.Packet[av.VideoStream]) -> None:
        """Record whether a picture is missing before this packet."""
        skips = self._order is not None and packet.size > 0 and self._order.skips(bytes(packet))
        if packet.size and (skips or self._next_is_broken):
            self._lost_before.add(packet.pts)
            self._next_is_broken = False

    def add_damage(self) -> None:
        """Record that the last packet could not be decoded."""
        self._damaged += 1
        self._next_is_broken = True

    def is_sound(self, picture: av.VideoFrame) -> bool:
        """Return whether a picture is neither damaged nor predicted from a damaged one."""
        # The decoder may also leave out the picture that follows a missing one. So every gap up to
        # this picture counts.
        lost = {pts for pts in self._lost_before if _is_reached(pts, picture.pts)}
        self._lost_before -= lost
        self._broken = picture.is_corrupt or (
            (self._broken or bool(lost)) and not picture.key_frame
        )
        self._unsound += self._broken
        return not self._broken

    def fits(self, picture: av.VideoFrame) -> bool:
        """Return whether a picture has the same ratio of width to height as the first picture. Its
        size may differ.
        """
        width, height = self._size = self._size or (picture.width, picture.height)
        if (picture.width, picture.height) == self._size:
            self._misshapen = 0
            return True
        self._resized += 1
        self._other_size = f"from {width}x{height} to {picture.width}x{picture.height}"
        alike = abs(picture.width * height / (picture.height * width) - 1) < _SAME_SHAPE
        self._misshapen = 0 if alike else self._misshapen + 1
        return alike

    @property
    def unusable(self) -> str | None:
        """Return the reason why no more pictures can be measured, as part of a line; None if they
        can.
        """
        if self._misshapen < _OTHER_SHAPE_STAYS:
            return None
        return f"its pictures changed {self._other_size}: survey the table again in that size"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes on what was left out or changed, one line each."""
        lines = (
            (self._damaged, "damaged packets left out"),
            (
                self._unsound,
                "pictures left out, because they or those that they build on were damaged",
            ),
            (self._resized, f"pictures in another size, {self._other_size}"),
        )
        return tuple(f"{line}: {count}" for count, line in lines if count)


def _is_reached(pts: int | None, shown: int | None) -> bool:
    return pts is None or shown is None or pts <= shown

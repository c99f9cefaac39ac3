"""A picture that is computed from another one, part by part."""

from __future__ import annotations

from functools import cached_property

from referee.vision.image.picture import Bytes, Picture, Rect


class ComputedPicture(Picture):
    """A picture that is computed from another one. A method that takes a rectangle computes only
    that rectangle. A whole plane is computed when a caller reads it.

    A subclass must define `width`, `height`, `has_colour`, `luma_in` and `planes`.
    """

    @cached_property
    def luma(self) -> Bytes:
        """Return the luminance, uint8 (h, w)."""
        return self.luma_in(Rect(0, 0, self.width, self.height))

    @cached_property
    def u(self) -> Bytes | None:
        """Return the colour difference U, uint8; None without colour."""
        return self._whole[1] if self.has_colour else None

    @cached_property
    def v(self) -> Bytes | None:
        """Return the colour difference V, uint8; None without colour."""
        return self._whole[2] if self.has_colour else None

    @cached_property
    def _whole(self) -> tuple[Bytes, ...]:
        return self.planes(Rect(0, 0, self.width, self.height))

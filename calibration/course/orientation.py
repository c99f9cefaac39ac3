"""How a course lies for the players. A picture of the course alone does not show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The sides of the picture at which the left endpost may be.
SIDES: Final = ("left", "right", "top", "bottom")


@dataclass(frozen=True)
class Orientation:
    """How the players see the course: at which of the picture's `SIDES` the left endpost is, and
    whether wicket 3 is on the side away from the camera. If the course runs up or down the picture,
    `wicket_3_far` says instead that wicket 3 is to the left of somebody who goes from the left to
    the right endpost.

    For a course without endposts, the layout's `facing` names a part of the course and the side of
    the table at which it lies. If `facing_side` is given, the part lies at this side instead, as
    the camera sees it (`near`, `far`, `left`, `right`).
    """

    left_endpost: str = "left"
    wicket_3_far: bool = False
    facing_side: str | None = None

    def __post_init__(self) -> None:
        if self.left_endpost not in SIDES:
            raise ValueError(f"left_endpost must be one of {SIDES}, not {self.left_endpost!r}")

    @property
    def upright(self) -> bool:
        """Whether the course runs up or down the picture."""
        return self.left_endpost in ("top", "bottom")

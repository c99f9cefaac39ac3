"""The colours of everything that is drawn over a picture: blue, green, red, as OpenCV has them."""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]

# Chosen: colours that differ for most eyes, on wood and on cloth.

RED: Final[Colour] = (0, 114, 240)
BLUE: Final[Colour] = (178, 114, 0)
GREEN: Final[Colour] = (115, 158, 0)
PINK: Final[Colour] = (167, 121, 204)
YELLOW: Final[Colour] = (66, 228, 240)
SKY: Final[Colour] = (233, 180, 86)
GREY: Final[Colour] = (190, 190, 190)
WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)

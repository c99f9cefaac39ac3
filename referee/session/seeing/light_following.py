"""Lets the background follow the light while nothing happens."""

from __future__ import annotations

from collections.abc import Mapping

from referee.domain.episode import Rest
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture


def follow_light(analysis: FrameAnalysis, picture: Picture, resting: Mapping[str, Rest]) -> None:
    """Make a frame the background if its light differs much from the background's. Call this when
    nothing has happened for a while; `resting` are the coins on the table.
    """
    if analysis.light.changed:
        analysis.refresh(picture)
        for name, rest in resting.items():
            analysis.lay(name, rest.at_mm)

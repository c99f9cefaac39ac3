"""Saves work while nothing happens, and updates the background when the light changes."""

from __future__ import annotations

from collections.abc import Mapping

from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.picture import Picture
from referee.vision.sources.frame import VideoFrame


def shows_the_same(
    analysis: FrameAnalysis | None, before: FrameObservation | None, taken: VideoFrame
) -> bool:
    """Return whether nothing moved in the previous frame (`before`) and the frame `taken`, before
    any correction, looks the same. Then neither the camera's motion nor the light need be measured.
    """
    if analysis is None or before is None or before.changing:
        return False
    return analysis.light.unchanged(taken.luma, analysis.noise.step)


def follow_light(analysis: FrameAnalysis, picture: Picture, resting: Mapping[str, Rest]) -> None:
    """Make a frame the background if its light differs much from the background's. Call this when
    nothing has happened for a while; `resting` are the coins on the table.
    """
    if analysis.light.changed:
        analysis.refresh(picture)
        for name, rest in resting.items():
            analysis.lay(name, rest.at_mm)

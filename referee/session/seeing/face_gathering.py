"""Gathers patches of the coins' faces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.domain.episode import Rest
from referee.domain.pieces import PieceSizes
from referee.vision.faces.face_patch import gather, gather_part
from referee.vision.faces.identification import FaceEvidence
from referee.vision.image.picture import Picture
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.sources.frame import VideoFrame

# Tuned on our own clips: with so many patches a face is known as well as possible.
FACE_PATCHES: Final = 12


def gather_faces(
    faces: dict[str, FaceEvidence],
    lying: Mapping[str, Rest],
    most: int,
    picture: Picture,
    frame: VideoFrame,
    projections: ProjectionCache,
    sizes: PieceSizes,
) -> None:
    """Add a patch to each face of which there are fewer than `most`, of coins lying in full view
    in a frame (also given as `picture`).
    """
    view = projections.view
    for name, rest in lying.items():
        seen = faces.setdefault(name, FaceEvidence())
        if len(seen.patches) >= most:
            continue
        if not picture.has_colour:
            seen.add(gather(frame.bgr(), view, rest.at_mm, sizes))
        else:
            seen.add(gather_part(picture, view, projections.at(rest.at_mm), sizes))

"""Gathers patches of the coins' faces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.domain.episode import Rest
from referee.vision.faces.face_patch import FaceCutter, gather
from referee.vision.faces.identification import FaceEvidence
from referee.vision.image.picture import Picture
from referee.vision.sources.frame import VideoFrame

# Tuned on our own clips: with so many patches a face is known as well as possible.
FACE_PATCHES: Final = 12


def gather_faces(
    faces: dict[str, FaceEvidence],
    lying: Mapping[str, Rest],
    most: int,
    picture: Picture,
    frame: VideoFrame,
    cutter: FaceCutter,
) -> None:
    """Add a patch to each face of which there are fewer than `most`, of coins lying in full view
    in a frame (also given as `picture`).
    """
    for name, rest in lying.items():
        seen = faces.setdefault(name, FaceEvidence())
        if len(seen.patches) >= most:
            continue
        if not picture.has_colour:
            seen.add(gather(frame.bgr(), cutter.view, rest.at_mm, cutter.sizes))
        else:
            seen.add(cutter.cut(picture, rest.at_mm))

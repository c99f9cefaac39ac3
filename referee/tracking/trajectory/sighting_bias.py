"""Corrects the bias of a moving coin's sightings. The coin's last sightings show it at rest, and
its place of rest is measured better, so the difference between the two is the bias.

While a coin may move, its disc is fitted in each frame separately. Shadow, side wall and face shift
all these fits in much the same way. The measurement of a coin at rest corrects the effects of
shadow, side wall and face. Measured over 11 slides whose true paths are known: sightings during the
slide were off by 0.1 to 1.1 mm, and after the correction by 0.06 to 0.3 mm.

After the correction, all sightings share the error of the place of rest. Measured over 372 places
of 15 clips with the true survey: the normalised error squared of moving coins is 1.04 if each
coin's own error of its place of rest is used, and 1.34 if 0.15 mm is used for all coins.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.domain.episode import LIES_MM, CoinTrack
from referee.domain.geometry import Point, distance, subtract
from referee.domain.sighting import TELLING_SIGHTINGS


def without_offset(track: CoinTrack) -> CoinTrack:
    """Return the track with the bias, measured from its last sightings, subtracted from all
    sightings. Return the track unchanged if the bias cannot be measured.
    """
    off = None if track.after is None else _offset(track, track.after.at_mm)
    if track.after is None or off is None:
        return track
    shared_mm = track.after.sigma_mm
    return replace(
        track,
        sightings=tuple(
            replace(s, at_mm=subtract(s.at_mm, off), bias_sigma_mm=shared_mm)
            for s in track.sightings
        ),
    )


def _offset(track: CoinTrack, rest_mm: Point) -> Point | None:
    last = [s.at_mm for s in track.sightings if s.frame not in track.hand_frames]
    end = last[-1] if last else rest_mm
    standing = [at for at in last if distance(at, end) < LIES_MM]
    if len(standing) < TELLING_SIGHTINGS:
        return None
    middle = np.median(np.array(standing), axis=0)
    off = (float(middle[0]) - rest_mm[0], float(middle[1]) - rest_mm[1])
    return off if np.hypot(*off) < LIES_MM else None

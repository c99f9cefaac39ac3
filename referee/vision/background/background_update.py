"""Finds parts of the background that show a hand which has since left.

Every later frame differs from the background there, so it looks as if a hand stayed and never
moved. The program decides that a hand has left only if its outline and the colours both show it.
The background has an edge along the outline, and the frame has none. The frame has colours that the
table also has elsewhere, and the background has those of skin and sleeves. If a hand is there now
instead, both tests show the opposite. On a chequered cloth only the colours help, because a hand
hides as many edges as it adds.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.background.background import Background
from referee.vision.background.foreground import Foreground
from referee.vision.image.picture import Bytes, ChannelMix, Floats, Picture

# By definition: the luminance, and each of the two colour differences, as a mix of one channel.
CHANNELS: Final = (ChannelMix(1.0), ChannelMix(0.0, 1.0), ChannelMix(0.0, 0.0, 1.0))
# Chosen: the numbers of histogram bins of the luminance and of the two colour differences.
COLOUR_BINS: Final = (8, 32, 32)
# Chosen: the least difference of the mean log shares, in nats, between frame and background.
# Measured on 30 clips: the difference is above 1.6 where a hand has left, below -0.9 where a hand
# is there, and up to 0.5 in regions of less than 25 pixels.
CLEARLY: Final = 1.0
LEAST_PX: Final = 20  # Chosen: pixels of the small copy; smaller regions are not judged
# Where a hand has left, at least this share of the outline has lost its edge. Measured: 0.34 to 0.8
# where a hand has left.
LEAST_GONE: Final = 0.15
# Where a hand has left, at least this many times as much of the outline has lost its edge as has
# gained one. Measured: 1.8 and more where a hand has left; 0.4 and less where a hand is there.
GONE_OVER_COME: Final = 1.5
# Tuned on our own clips: at an edge, the output of Sobel's operator, which is eight times the
# slope, is at least this many noise steps.
EDGE_STEPS: Final = 10.0
BORDER_PX: Final = 2  # Chosen: an outline this near the mask's border belongs to the mask
MARGIN_PX: Final = 2  # Chosen: the margin around a hand in the background, for its blurred rim


def left_behind(
    foreground: Foreground,
    picture: Picture,
    background: Background,
    mask: Bytes,
    now: Bytes,
    step: float,
) -> Bytes | None:
    """Find where the background still shows a hand that has left. Return a mask of the foreground's
    box (255 there, with a small margin); None if the background shows no such hand.

    `picture` is the frame, `now` its small copy, and `mask` marks the part of the small copy that
    shows the bare table. Differences smaller than `step` grey levels are noise.
    """
    if not foreground.has_hand:
        return None
    box, hand = foreground.box, foreground.hand > 0
    elsewhere = mask.copy()
    box.of(elsewhere)[hand] = 0
    if np.count_nonzero(elsewhere) < LEAST_PX:
        return None
    more = _slope(box.of(now)) - _slope(box.of(background.small))
    inner = box.of(cv2.erode(mask, np.ones((2 * BORDER_PX + 1,) * 2, np.uint8), borderValue=0)) > 0
    regions = (foreground.labels == k for k in np.unique(foreground.labels[hand]).tolist())
    lost = [r for r in regions if _edge_gone(more[_outline(r) & inner], EDGE_STEPS * step)]
    # edges are compared first, because it takes less time and most hands are really there
    if not lost:
        return None
    seen, was = (_small_channels(p, background.shrink) for p in (picture, background.picture))
    shares = _log_shares(was, elsewhere)
    gain = _looked_up(shares, box.of(seen)) - _looked_up(shares, box.of(was))
    judged = box.of(mask) > 0
    behind = np.zeros(hand.shape, np.uint8)
    for region in lost:
        bare = gain[region & judged]
        if bare.size >= LEAST_PX and float(bare.mean()) > CLEARLY:
            behind[region] = 255
    return (
        np.asarray(
            cv2.dilate(behind, np.ones((3, 3), np.uint8), iterations=MARGIN_PX), dtype=np.uint8
        )
        if behind.any()
        else None
    )


def _outline(region: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the outline of a region, leaving out parts of the region that are less than three
    pixels wide.
    """
    square = np.ones((3, 3), np.uint8)
    smooth = cv2.morphologyEx(region.astype(np.uint8), cv2.MORPH_OPEN, square)
    return np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, square) > 0, dtype=np.bool_)


def _slope(small: Bytes) -> Floats:
    """Return the size of the brightness gradient at every pixel, multiplied by eight."""
    return np.asarray(
        cv2.magnitude(cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)),
        dtype=np.float32,
    )


def _edge_gone(more: Floats, edge: float) -> bool:
    """Return whether an outline belongs to something that has left. `more` is how much steeper the
    brightness is in the frame than in the background, for each pixel of the outline.
    """
    if more.size < LEAST_PX:
        return False
    gone, come = (
        float(np.count_nonzero(more < -edge)) / more.size,
        float(np.count_nonzero(more > edge)) / more.size,
    )
    return gone >= LEAST_GONE and gone > GONE_OVER_COME * come


def _small_channels(picture: Picture, shrink: int) -> Bytes:
    """Return luminance and, where the picture has colour, both colour differences of the small copy
    (rows, columns, 1 or 3).
    """
    mixes = CHANNELS if picture.has_colour else CHANNELS[:1]
    small = [picture.small(mix, shrink) for mix in mixes]
    return np.asarray(cv2.merge(small), dtype=np.uint8).reshape(*small[0].shape, -1)


def _log_shares(channels: Bytes, mask: Bytes) -> Floats:
    """Return the logarithm of each colour's share of the pixels of a mask. Every colour is counted
    once more than it occurs, so that a colour that does not occur has a share, too.
    """
    kinds = channels.shape[2]
    bins = COLOUR_BINS[:kinds]
    counts = cv2.calcHist([channels], [*range(kinds)], mask, [*bins], [0, 256] * kinds) + 1.0
    return np.asarray(np.log(counts / counts.sum()), dtype=np.float32).reshape(bins)


def _looked_up(shares: Floats, channels: Bytes) -> Floats:
    """Return the log share of the colour of every pixel (rows, columns)."""
    bins = np.array(shares.shape)
    places = channels.astype(np.int32) * bins // 256
    return np.asarray(shares[tuple(np.moveaxis(places, -1, 0))], dtype=np.float32)

"""Measures the centre of a coin at rest to a fraction of a pixel, from its rim.

Brightness is read along rays from a first estimate of the centre, on the plane of the coin's top
face. On each ray, the rim is the point near the known radius at which brightness falls most
steeply. A circle is fitted to these points with robust weights (Geman-McClure), so that a shadow, a
neighbour or wood grain on some rays does not shift the circle.

The fitted circle encloses the whole visible coin, face and side wall. On the side towards the
camera, the wall shows below the face. On that side the steepest fall may be at the foot of the
wall, or, if face and wall blur together, anywhere down the wall. The last fit finds how far down
the wall it is, together with the place of the face itself. Without this last fit, every coin would
be measured 0.4 to 0.8 mm too close to the camera.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, add, distance, scale
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS
from referee.vision.coins.circle_fit import (
    CIRCLE,
    RAYS,
    RIM_SCATTER_MM,
    WAYS,
    fit_circle,
    wall_on_rays,
)
from referee.vision.coins.local_contrast import (
    AROUND,
    FACE,
    FaceSimilarity,
    face_similarity,
    local_contrast,
)
from referee.vision.coins.rim_circle import OUTER_RADII, find_circle, softened
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

# A shadow, a bevel or the side wall shifts a rim as a whole, and also bends it. So the scatter of
# the rim's points about the circle shows how far the circle may be from the coin: by this many
# times the scatter. Measured: over 344 coins at rest in 33 clips, from both renderers, with the
# true survey.
SIGMA_OF_SCATTER: Final = 1.25
LEAST_SUPPORT: Final = 0.5  # the least share of rays that agree with the circle
# How much the certainty grows with the share of the rim that is seen, per whole rim. Tuned together
# with `LEAST_SUPPORT` on pictures of nine tables, with coins repainted pale, dark, black, blue and
# in the table's grain: five of 191 coins have a certainty below 0, and none of 1778 bare places has
# one above -5.
FOR_SUPPORT: Final = 100.0
# At a sharp rim, brightness falls by a tenth of the usual contrast in one step. With a limit lower
# than this share, the grain of bare wood would be measured as a rim.
STEEP_OF_CONTRAST: Final = 0.06
OPEN_SIDE: Final = 0.2  # a share of the rim; a second coin that touches this one hides less of it
# how much the longest gap, less `OPEN_SIDE`, lowers the certainty, per whole rim
ONE_SIDED: Final = 50.0
# The least fall of a rim, in grey levels for a step along a ray. Noise causes less.
LEAST_RIM_FALL: Final = 0.25
MIX_ROUNDS: Final = 3
SAME_MIX_MM: Final = 0.3  # if the guess is this close to the coin, the mix measured there is right
FARTHEST_MM: Final = 4.0  # the coin is at most this far from the guess
# the fit starts from the guess, and from this many places around it, `FARTHEST_MM` away
STARTS: Final = 6
PLAIN_SUPPORT: Final = 0.93  # a rim with more support than this is plain, and ends the search
# how much the certainty falls for each mm by which a rim is wider or narrower than a coin
SWELL_COST: Final = 15.0

# Falls of brightness on a bare table follow Student's t distribution with two degrees of freedom:
# the logarithm of its density falls by (nu + 1) / 2 times log(1 + fall^2 / nu). An edge may have
# any fall up to about 20 times the usual one.
TAIL: Final = 1.5
EDGE_PRIOR: Final = 1.5
MOST_FOR_ONE: Final = 3.0  # the most that one direction counts, however steep its fall is
DIRECTIONS: Final = 32  # the rays count like this many independent directions

LUMINANCE: Final = ChannelMix()
EITHER_SIGN: Final = (ChannelMix(1.0, contrast=8.0), ChannelMix(-1.0, contrast=8.0))

Array = NDArray[np.float64]
Measure = ChannelMix | FaceSimilarity
# Where the steepest fall usually is: this many wall heights below the face. Measured: over coins
# with known places, from two renderers.
_USUAL_DOWN: Final = 0.6
_DOWN_SIGMA: Final = 0.25
_BEVEL_HELD: Final = 1.0  # a prior with the weight of this many rays holds the bevel near 0
_TOGETHER: Final = 4.0  # this many neighbouring rays share their pixels


@dataclass(frozen=True, slots=True)
class RimFit:
    """A measured centre, its standard uncertainty along each axis, and the share of the rim that
    supports that centre (0 to 1).

    `open_mm` is a place beyond the rim, on a side where the rim is missing and the face plainly
    continues, as a fingertip does (None: there is no such side). `gap` is the longest missing piece
    of the rim, as a share of the rim. `channel_mix` is the mix in which the coin stands out from
    the table. `evidence` is the log likelihood ratio of "there is this rim" to "there is only the
    table around". `swell_mm` is how much larger the radius of the visible rim is than the coin's:
    below 0 if the rim is bevelled and dark, above 0 if it reflects light. `bevel_mm` is the same
    for the face alone, without the wall. `by_face` says that the rim is the outline of the pixels
    that are like the face, not of those that are lighter than the table; the side wall may then be
    inside it. `by_regions` says that no rim was seen, and that the place is the centre of the
    regions (see `region_fit.py`). `log_odds` are the network's log odds of a coin here (0 if the
    network was not used). `width_mm` is the width of coin that was searched for, None for the usual
    width.
    """

    at_mm: Point
    sigma_mm: float
    support: float
    swell_mm: float = 0.0
    bevel_mm: float = 0.0
    open_mm: Point | None = None
    channel_mix: ChannelMix = LUMINANCE
    evidence: float = 0.0
    gap: float = 0.0
    by_face: bool = False
    by_regions: bool = False
    log_odds: float = 0.0
    width_mm: float | None = None

    @property
    def certainty(self) -> float:
        """Return how strong the evidence for a coin is. A value above 0 is more than any bare table
        shows.
        """
        return self.evidence + self.shape

    @property
    def shape(self) -> float:
        """Return the part of `certainty` that depends on how much of the rim is seen, and on which
        sides.
        """
        one_sided = max(self.gap - OPEN_SIDE, 0.0)
        return FOR_SUPPORT * (self.support - LEAST_SUPPORT) - ONE_SIDED * one_sided

    @property
    def goodness(self) -> float:
        """Return one number for choosing between fits of the same coin."""
        return self.shape - SWELL_COST * abs(self.swell_mm)


def fit_rim(picture: Picture, view: TableView, guess_mm: Point, sizes: PieceSizes) -> RimFit | None:
    """Find the coin within about 3 mm of `guess_mm`; None when no rim is visible there.

    The rim is measured in the channel mix in which this coin stands out from its surroundings. If
    the face hardly differs from the table, that mix shows only the print, and on a table of several
    colours there is no such mix. So two other measures are tried: the luminance, with either sign,
    and the similarity of each pixel to the face.
    """
    search = _RimSearch(picture, view, sizes)
    own = search.in_own_mix(guess_mm)
    fits = [own]
    if own is None or own.support <= PLAIN_SUPPORT:
        fits += [search.fit(guess_mm, mix) for mix in EITHER_SIGN]
        fits.append(search.by_face(guess_mm))
    seen = [
        fit
        for fit in fits
        if fit is not None and fit.certainty > 0 and distance(fit.at_mm, guess_mm) <= FARTHEST_MM
    ]
    return max(seen, key=lambda fit: fit.goodness, default=None)


def find_rim(
    picture: Picture,
    view: TableView,
    guess_mm: Point,
    sizes: PieceSizes,
    farthest_mm: float = 2 * FARTHEST_MM,
) -> RimFit | None:
    """Find the coin with the best rim within several mm of `guess_mm`. The guess may be that far
    off, because a coin of the table's colour shows its shadow and its side wall more plainly than
    its face. A rim more than `farthest_mm` away counts only if it is plain.
    """
    turns = np.arange(STARTS) * (2 * np.pi / STARTS)
    around = [
        (guess_mm[0] + FARTHEST_MM * float(np.cos(a)), guess_mm[1] + FARTHEST_MM * float(np.sin(a)))
        for a in turns
    ]
    best = None
    for at_mm in (guess_mm, *around):
        fit = fit_rim(picture, view, at_mm, sizes)
        if fit is None or _is_far(fit, guess_mm, farthest_mm):
            continue
        if best is None or fit.goodness > best.goodness:
            best = fit
        if best.support > PLAIN_SUPPORT:
            break
    return best


def _is_far(fit: RimFit, guess_mm: Point, farthest_mm: float) -> bool:
    """Return whether a rim is not plain and lies more than `farthest_mm` from a guess."""
    return fit.support <= PLAIN_SUPPORT and distance(fit.at_mm, guess_mm) > farthest_mm


@dataclass(frozen=True, slots=True)
class _RimSearch:
    """A picture of a table in which rims are searched for."""

    picture: Picture
    view: TableView
    sizes: PieceSizes

    def in_own_mix(self, guess_mm: Point) -> RimFit | None:
        """Find the coin in the mix in which it stands out."""
        return self._again(guess_mm, local_contrast)

    def by_face(self, guess_mm: Point) -> RimFit | None:
        """Find the coin as the outline of the pixels that are like its face."""
        fit = self._again(guess_mm, face_similarity)
        if fit is None:
            return None
        mix = local_contrast(self.picture, self.view, fit.at_mm, self.sizes)
        return replace(fit, channel_mix=mix or LUMINANCE, by_face=True)

    def _again(
        self,
        guess_mm: Point,
        measure_at: Callable[[Picture, TableView, Point, PieceSizes], Measure | None],
    ) -> RimFit | None:
        """Find the coin by the measure that `measure_at` returns for its place. A guess beside the
        coin gives a poor measure, so the fit is repeated from the place at which the previous fit
        ended.
        """
        fit, at_mm = None, guess_mm
        for _ in range(MIX_ROUNDS):
            measure = measure_at(self.picture, self.view, at_mm, self.sizes)
            again = None if measure is None else self.fit(at_mm, measure)
            if again is None or (fit is not None and again.support < fit.support):
                break
            moved_mm, fit, at_mm = distance(again.at_mm, at_mm), again, again.at_mm
            if moved_mm < SAME_MIX_MM:
                break
        return fit

    def fit(self, guess_mm: Point, measure: Measure) -> RimFit | None:
        """Find the coin near a place by one measure."""
        radius = self.sizes.coin_mm / 2
        spot = spot_at(self.view, guess_mm, self.sizes.coin_thickness_mm)
        rect = spot.rect(radius * OUTER_RADII + FARTHEST_MM)
        if rect.within(self.picture.width, self.picture.height) != rect:
            return None
        values = _values(self.picture, rect, measure)
        steep = STEEP_OF_CONTRAST * measure.contrast
        found = find_circle(values, rect, spot, radius, steep)
        if found is None or found.support < LEAST_SUPPORT:
            return None
        agree, support, reach = found.agree, found.support, found.reach
        missing = _missing(agree > 0)
        scatter = float(np.sqrt((agree * found.miss * found.miss).sum() / agree.sum()))
        design = np.column_stack((CIRCLE, wall_on_rays(self.view, guess_mm, self.sizes)))
        usual = np.array([0.0, 0.0, 0.0, _USUAL_DOWN])
        held = np.array([1e-6, 1e-6, _BEVEL_HELD, _TOGETHER * (scatter / _DOWN_SIGMA) ** 2])
        (*shift, bevel, _), miss = fit_circle(
            found.rim - radius, found.trust, design, usual, usual, held
        )
        x, y = (float(v) for v in found.seen_from + shift)
        at_mm = add(guess_mm, (x, y))
        off = np.minimum(np.abs(miss), 2 * RIM_SCATTER_MM)
        sigma = SIGMA_OF_SCATTER * float(np.sqrt(found.trust @ off**2 / found.trust.sum()))
        profile = found.profile
        way = _goes_on(profile.astype(np.float64), reach / radius, agree > 0, missing)
        return RimFit(
            at_mm,
            sigma,
            support,
            found.swell,
            bevel,
            None
            if way is None
            else add(at_mm, scale((float(way[0]), float(way[1])), 1.4 * radius)),
            measure if isinstance(measure, ChannelMix) else LUMINANCE,
            _evidence(profile, reach, radius + found.swell),
            len(missing) / RAYS,
        )


def _values(picture: Picture, rect: Rect, measure: Measure) -> Floats:
    """Return the values of a rectangle's pixels by a measure (rows, columns)."""
    if isinstance(measure, ChannelMix):
        return picture.mixed(rect, measure)
    return measure.values(picture, rect)


def _evidence(profile: Floats, reach: Array, radius_mm: float) -> float:
    """Return the log likelihood ratio of "there is a rim of this radius" to "there is only the
    table around".
    """
    smooth = softened(profile, cv2.BORDER_DEFAULT)
    falls = 0.5 * (smooth[:, :-2] - smooth[:, 2:])
    at = np.abs(reach[1:-1] - radius_mm) < 2 * RIM_SCATTER_MM
    # in a heap, a rim may be so wide that only the outermost ring is left for the table
    around = falls[:, reach[1:-1] > min(AROUND[0] * radius_mm, reach[-3])]
    usual = float(np.mean(np.square(around))) + LEAST_RIM_FALL**2
    best = np.maximum(falls[:, at].max(axis=1), 0.0)
    each = np.minimum(TAIL * np.log1p(best * best / (2 * usual)) - EDGE_PRIOR, MOST_FOR_ONE)
    return float(each.sum()) * DIRECTIONS / RAYS


def _missing(agree: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the indices of the longest unbroken row of rays that do not agree with the circle."""
    agreeing = np.flatnonzero(agree)
    steps = np.diff(np.append(agreeing, agreeing[0] + RAYS))
    longest = int(steps.argmax())
    row = (agreeing[longest] + np.arange(1, steps[longest])) % RAYS
    return np.asarray(row, dtype=np.intp)


def _goes_on(
    profile: Array, radii: Array, agree: NDArray[np.bool_], missing: NDArray[np.intp]
) -> Array | None:
    """Return the direction, a unit vector, in which the look of the face plainly continues beyond
    the rim, on a side where much of the rim is missing; None if there is no such side. `profile`
    (rays, radii) are the values along the rays, and `radii` their distances in coin radii.
    """
    if len(missing) < OPEN_SIDE * RAYS:
        return None
    inside = float(np.median(profile[:, (radii > FACE[0]) & (radii < FACE[1])]))
    outside = profile[:, radii > AROUND[0]]
    table, there = float(np.median(outside[agree])), float(np.median(outside[missing]))
    scatter = float(np.median(np.abs(outside[agree] - table)))
    plain = abs(inside - table) > SEEN_SIGMAS * scatter
    goes_on = plain and abs(there - inside) < abs(there - table)
    return WAYS[missing[len(missing) // 2]] if goes_on else None

"""Estimates by how much all tiles of a picture look too large or too small, from all their rims
together.

A tile is about fifty pixels wide. Its rim, the inked line beside the rim and the shadow at its foot
blur into one another, and a single profile cannot distinguish a rim farther out from a line farther
in. But all tiles of a set are printed alike. So each profile is explained as a sum of face, line,
margin, wall, table and shadow, each with its usual strength and spread (a Bayesian linear model
with a normal prior that is integrated out). All profiles share several values: how far out the rims
are, the blur, the place and width of the line, and a shift of all tiles from their places, because
a shadow on one side of a tile shifts the match of its face. The values that make all profiles
together most likely are used.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MOST_STEPS, SETTLED
from calibration.lens.camera import TableView
from calibration.tiles.bundle import Adjusted
from calibration.tiles.rim_model import (
    EVIDENCE_SHARE,
    LEARNT,
    POWER,
    STRENGTH_SPREAD,
    Common,
    Parts,
    Seen,
    explained,
    parts_of,
    side_by_side,
    usual_means,
)
from calibration.tiles.rims import STEP_MM, even_light, tile_profiles, touches
from referee.domain.geometry import Point, add, scale
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

#: Rims are rounded and worn. The rim that all tiles have in common lies this far inside the true
#: one, after the spread of light is subtracted. Measured: over 63 pictures of known scale (59
#: drawn, 4 path-traced; 0.5 to 1.2 px a millimetre). Over nine of them it leaves an error of 0.03
#: mm rms; with 0.02 mm the error would be 0.22 mm.
COMMON_EASED_MM: Final = 0.24
#: A lens blurs light. In stored values, which are not linear in light, bright parts then grow by
#: this share of a pixel. Measured: over the same pictures, together with `COMMON_EASED_MM`.
SPREAD_PX: Final = 0.16
#: Bright parts grow more in a picture out of focus: by this many px for each px^2 by which the
#: square of its blur exceeds that of sharp pictures. Measured: over 6 pictures blurred in light
#: (0.13 to 0.30 px more at a blur of 1.4 px) and blurred as stored (0.0 to 0.26 px). So half of it
#: is uncertain.
SOFTER_PX: Final = 0.25
SHARP_PX: Final = 1.05
_SOFT_UNSURE: Final = 0.5

# The error of a rim, mm. A second error of the same size at 1 px per mm grows with the square of a
# pixel's size, because line and rim blur into one another. With both, the stated uncertainty of a
# scale is right. Measured: 0.16 % rms over 77 clips of known scale, 0.6 % over 3 clips with 0.45 px
# per mm.
_EASED_SIGMA_MM: Final = 0.02
# A factor on the error that the likelihood's curvature and the sides' disagreement give, because
# only a share of the evidence is counted.
_FORMAL: Final = 0.5
# The standard error, as a share, of a scale from tiles that are darker than the table, for each
# multiple of the tiles' brightness by which the table is brighter. Walls and shadows of such tiles
# look like rims. Measured: eight drawn tables 1.8 to 2.5 times as bright as their tiles are 1.0 to
# 3.3 % too small, with 0.3 % stated; with this their mean normalised error squared is 1.1.
_DARKER_SIGMA: Final = 0.02
# A rim farther than this from its expected place is not the right one.
_REACH_MM: Final = 1.6
_LEAST_LINE_MM: Final = 0.1  # the least amount of ink in a line: its darkness times its width
# The standard error, as a share, of a scale from tiles that are bleached in most colours. Measured
# with the true view: five clips in which one colour is not bleached are -1.1, -0.2, +0.7, +1.0 and
# +1.0 % off.
_BLEACHED_SIGMA: Final = 0.009
# The standard deviation of a set's usual ink and margin. Ink differs between sets, and the margin
# has the colour of the face.
_LEARNT_SIGMA: Final = np.array([0.3, 0.1])
# This many common values, the first ones, change all sides of a tile alike. A shift changes
# opposite sides in opposite ways.
_ALIKE_ON_ALL_SIDES: Final = 4
_STEPS: Final = {
    "offset_mm": 0.06,
    "blur_px": 0.03,
    "inset_mm": 0.06,
    "width_mm": 0.1,
    "east_mm": 0.06,
    "north_mm": 0.06,
}
#: The usual values that all rims share, and their standard deviations.
USUAL: Final = {
    "offset_mm": (0.0, 0.5),
    "blur_px": (0.9, 0.5),
    "inset_mm": (0.036, 0.004),
    "width_mm": (0.017, 0.006),
    "east_mm": (0.0, 0.5),
    "north_mm": (0.0, 0.5),
}  # inset and width as shares of a tile's width
_LONGEST: Final = 3.0  # the longest step of a search, in units of `_STEPS`
# Profiles are sampled around the expected rim. Each new measurement starts closer to it, so it is
# more accurate.
_MEASURINGS: Final = 4


@dataclass(frozen=True)
class ScaleEstimate:
    """By how much each side of all tiles appears farther out than that of a square of the known
    size: `larger_mm`, with its standard error `sigma_mm`. `common` are all values that the rims
    share, estimated together with it.
    """

    larger_mm: float
    sigma_mm: float
    common: Common


def estimate_scale(
    picture: Picture,
    view: TableView,
    tiles: Collection[Tile],
    sizes: PieceSizes,
    begin: Common | None = None,
) -> ScaleEstimate | None:
    """Estimate by how much all single tiles in a picture (h, w, 3) appear larger than they are.
    `view` must place each of their rims to about a millimetre.

    `begin` is the result of an earlier measurement. Without it, the search for the rims starts from
    the most likely of several values. Return None if too few rims are seen, if faces that are not
    bleached show no line, or if the common rim is not near its expected place. Stacks do not count,
    because the rims of their tiles are never flush.
    """
    light = even_light(picture, POWER)
    seen = side_by_side(
        [
            p
            for tile in tiles
            if tile.stack == 1
            for p in tile_profiles(light, view, tile, sizes, _REACH_MM)
            if not touches(p, tiles, sizes.tile_mm)
        ],
        sizes.tile_mm,
    )
    if seen is None:
        return None
    common, mean, sigma = _learn(seen, begin)
    ink_mm = abs(float(mean[LEARNT[0], seen.sound.any(axis=0)].mean())) * common.width_mm
    if ink_mm < _LEAST_LINE_MM or abs(common.offset_mm) > _REACH_MM:
        return None
    px_per_mm = float(np.median(seen.px_per_mm))
    softer_mm = SOFTER_PX * max(0.0, common.blur_px**2 - SHARP_PX**2) / px_per_mm
    larger_mm = common.offset_mm + COMMON_EASED_MM - SPREAD_PX / px_per_mm - softer_mm
    errors_mm = (
        _EASED_SIGMA_MM,
        _EASED_SIGMA_MM / px_per_mm**2,
        _FORMAL * sigma,
        _SOFT_UNSURE * softer_mm,
        seen.bleached * _BLEACHED_SIGMA / 2 * sizes.tile_mm,
        max(0.0, seen.table_light - 1.0) * _DARKER_SIGMA / 2 * sizes.tile_mm,
    )
    return ScaleEstimate(larger_mm, float(np.linalg.norm(errors_mm)), common)


def at_true_size(
    picture: Picture, adjusted: Adjusted, sizes: PieceSizes
) -> tuple[Adjusted, Common]:
    """Move the tiles closer together or farther apart until all tiles of a picture have their true
    size, and shift them until opposite rims are equally far out. Return the view and the tiles. For
    bleached tiles this may not converge, so the last step counts as a part of the error.

    Also return the values that all rims share at the end; the usual values if the rims could not be
    compared.
    """
    common: Common | None = None
    for _ in range(_MEASURINGS):
        ruler = estimate_scale(picture, adjusted.view, adjusted.tiles.values(), sizes, common)
        if ruler is None:
            return adjusted, common or _usual_common(sizes.tile_mm)
        adjusted = resized(
            adjusted,
            sizes.tile_mm / (sizes.tile_mm + 2 * ruler.larger_mm),
            2 * float(np.hypot(ruler.sigma_mm, ruler.larger_mm)) / sizes.tile_mm,
            (ruler.common.east_mm, ruler.common.north_mm),
        )
        common = replace(
            ruler.common,
            offset_mm=ruler.common.offset_mm - ruler.larger_mm,
            east_mm=0.0,
            north_mm=0.0,
        )
        if 10 * abs(ruler.larger_mm) < ruler.sigma_mm:
            break
    assert common is not None
    return adjusted, common


def resized(adjusted: Adjusted, factor: float, sigma: float, by_mm: Point = (0.0, 0.0)) -> Adjusted:
    """Return the tiles, shifted `by_mm`, `factor` times as far from the origin, and the view that
    shows them as before. `sigma` is the relative standard error of the new scale.
    """
    tiles = {
        name: replace(tile, centre_mm=scale(add(tile.centre_mm, by_mm), factor))
        for name, tile in adjusted.tiles.items()
    }
    view = replace(adjusted.view, t_camera_table_mm=adjusted.view.t_camera_table_mm * factor)
    return replace(
        adjusted,
        view=view,
        tiles=tiles,
        residual_mm=adjusted.residual_mm * factor,
        off_mm={name: off_mm * factor for name, off_mm in adjusted.off_mm.items()},
        field=adjusted.field.scaled(factor),
        scale_sigma=sigma,
    )


def _usual_common(tile_mm: float) -> Common:
    return Common(
        *(mean * size for (mean, _), size in zip(USUAL.values(), _units(tile_mm), strict=True))
    )


def _units(tile_mm: float) -> tuple[float, ...]:
    return (1.0, 1.0, tile_mm, tile_mm, 1.0, 1.0)


def _usual_strengths(seen: Seen, parts: Parts, mean: Array, usual: Array) -> Array:
    """Return the means (parts, c), with those of ink and margin replaced by the most likely
    strengths in this picture: by weighted least squares over all profiles.

    Let P be the parts' prior covariance and N the normal matrix of `explained`. Then S' V^-1 S =
    P^-1 - P^-1 N^-1 P^-1, and S' V^-1 r is P^-1 times the strengths.
    """
    fit = explained(seen, parts, mean)
    sure, prior = 1.0 / STRENGTH_SPREAD[LEARNT] ** 2, np.diag(1.0 / _LEARNT_SIGMA**2)
    inverse = np.linalg.inv(fit.unknown)[:, LEARNT[:, None], LEARNT]
    weight = np.diag(sure) - sure[:, None] * inverse * sure
    learnt = mean.copy()
    for colour in range(mean.shape[1]):
        trust = EVIDENCE_SHARE * fit.trust[:, colour]
        square = (trust[:, None, None] * weight).sum(axis=0) + prior
        pull = (trust[:, None] * sure * fit.beyond[:, LEARNT, colour]).sum(axis=0) + prior @ (
            usual - mean
        )[LEARNT, colour]
        learnt[LEARNT, colour] += np.linalg.solve(square, pull)
    return learnt


def _costs(seen: Seen, common: Common, parts: Parts, mean: Array, usual: Array) -> Array:
    """Return the five costs (5,) that add up to the cost of `common` values: those of the profiles
    on each of the four sides, and that of how unusual the values are. `parts` are those of the
    profiles with these values.
    """
    mean = _usual_strengths(seen, parts, mean, usual)
    rims = EVIDENCE_SHARE * explained(seen, parts, mean).costs.sum(axis=1) @ seen.on_side
    unusual = sum(
        ((getattr(common, name) / size - middle) / sigma) ** 2
        for (name, (middle, sigma)), size in zip(USUAL.items(), _units(seen.tile_mm), strict=True)
    )
    odd = (((mean[LEARNT] - usual[LEARNT]) / _LEARNT_SIGMA[:, None]) ** 2).sum()
    return np.append(rims, 0.5 * float(unusual + odd))


def _start(seen: Seen, begin: Common | None) -> tuple[Common, Array]:
    """Return the common values and the strengths (parts, c) with which the search starts. They are
    the most likely of several combinations: `begin` or, without it, the usual values with different
    offsets and two blurs, each with the usual strengths of a dark and of a pale line.
    """
    usual, (blur_px, softer_px) = _usual_common(seen.tile_mm), USUAL["blur_px"]
    starts = (
        [begin]
        if begin
        else [
            replace(usual, offset_mm=float(off_mm), blur_px=blur)
            for off_mm in np.arange(-_REACH_MM, _REACH_MM + 1e-9, STEP_MM)
            for blur in (blur_px, blur_px + softer_px)
        ]
    )
    with_parts = [(common, parts_of(seen, common)) for common in starts]
    _, common, mean = min(
        (
            (float(_costs(seen, common, parts, mean, mean).sum()), common, mean)
            for mean in usual_means(seen)
            for common, parts in with_parts
        ),
        key=itemgetter(0),
    )
    return common, mean


def _learn(seen: Seen, begin: Common | None) -> tuple[Common, Array, float]:
    """Find the most likely common values by Newton's method. Return them, the usual strengths
    (parts, c) that fit best, and the standard error of the offset, mm.
    """
    (common, usual), sigma = _start(seen, begin), np.inf
    mean = usual
    for _ in range(MOST_STEPS):
        mean = _usual_strengths(seen, parts_of(seen, common), mean, usual)
        common, moved, sigma = _newton(seen, common, mean, usual)
        if moved < SETTLED:
            break
    return common, mean, sigma


def _newton(seen: Seen, common: Common, mean: Array, usual: Array) -> tuple[Common, float, float]:
    """Take one step of Newton's method with numerical derivatives, halved until it no longer raises
    the cost. Return the new common values, the length of the step in units of `_STEPS`, and the
    standard error of the offset, mm.

    The error has these sources: the curvature of the cost; how far the offset would move without
    each of the four sides (the infinitesimal jackknife), because a shadow or a wall that the parts
    do not explain is only on one side; and a step that the slope demands but that lowers the cost
    at no length.
    """
    base, size = np.array([(getattr(common, name), step) for name, step in _STEPS.items()]).T

    def costs(steps: Array) -> Array:
        moved = Common(*(base + steps * size))
        return _costs(seen, moved, parts_of(seen, moved), mean, usual)

    unit = np.eye(len(base))
    slopes = np.array([(costs(u), costs(-u)) for u in unit])
    here, (after, before) = costs(0 * base).sum(), slopes.sum(axis=2).T
    bend = np.diag(after - 2 * here + before)
    for i, j in combinations(range(_ALIKE_ON_ALL_SIDES), 2):
        bend[i, j] = bend[j, i] = costs(unit[i] + unit[j]).sum() - after[i] - after[j] + here
    values, ways = np.linalg.eigh(bend)
    inverse = ways / np.maximum(np.abs(values), 1e-3) @ ways.T
    whole = -inverse @ (after - before) / 2
    whole *= min(1.0, _LONGEST / float(np.abs(whole).max()))
    halves = 0.5 ** np.arange(MOST_STEPS)
    step = next((half * whole for half in halves if costs(half * whole).sum() <= here), 0 * whole)
    stuck = 0.0 if step.any() else whole[0]
    by_side = inverse[0] @ (slopes[:, 0] - slopes[:, 1])[:, :-1] / 2
    sigma = float(size[0] * np.sqrt(inverse[0, 0] + (by_side**2).sum() + stuck**2))
    return Common(*(base + step * size)), float(np.abs(step).max()), sigma

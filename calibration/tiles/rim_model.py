"""Models the light across the rims of tiles. The model has a part for face, line, margin, rim,
wall, table and shadow, each with its usual strength and spread, and values that all rims of a
picture share.

It is a Bayesian linear model: the strengths have a normal prior and are integrated out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from calibration.tiles.rims import INSIDE_MM, NORMALS, OUTSIDE_MM, SHADOW_MM, Profile

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Tuned on our own clips, except where a comment gives another source for a number.

#: The power that converts stored values to light. The last blur (scaling, compression) acts on
#: stored values. With this power, edges of every contrast are measured at their true places.
POWER: Final = 1.1
_FEWEST_PROFILES: Final = 24  # with fewer, nothing is estimated
# The share of the evidence that counts, because neighbouring samples, colours and sides have the
# same errors. Measured: on 44 traced towers, with this share, the errors are 0.7 times the stated
# ones. With twice the share, twelve towers are placed better and the others worse.
EVIDENCE_SHARE: Final = 0.1
# A face with more light than this is bleached: its brightness is lost, and its light has spread
# over the rim.
BLEACHED_FACE: Final = 1.3
LEAST_WALL_MM: Final = 0.3  # a wall that appears narrower is not modelled
_NOISE: Final = 0.012  # as a share of a face's brightness: wood grain and compression
#: Residuals follow Student's distribution with this many degrees of freedom, so that large
#: residuals count less.
TAIL: Final = 4.0
_PARTS: Final = (
    "face",
    "shading",
    "ink",
    "margin",
    "table",
    "ramp",
    "shadow",
    "wall",
    "wall shading",
)
# the usual strengths of the parts, as shares of a face's brightness
_MEAN: Final = np.array([1.0, 0.0, -0.5, 0.0, 0.6, 0.0, -0.2, 0.4, 0.0])
#: How much the strengths of the parts differ between profiles.
STRENGTH_SPREAD: Final = np.array([0.04, 0.10, 0.12, 0.10, 1.0, 0.75, 0.5, 1.0, 0.15])
#: The parts whose usual strengths are learnt from each picture.
LEARNT: Final = np.array([_PARTS.index("ink"), _PARTS.index("margin")])
#: The parts that lie on the table, and those of the side wall.
OUTSIDE_PARTS: Final = [_PARTS.index(part) for part in ("table", "ramp", "shadow")]
WALL_PARTS: Final = [_PARTS.index(part) for part in ("wall", "wall shading")]


@dataclass(frozen=True)
class Common:
    """The values that all rims of a picture share.

    `offset_mm` is how far outside a square of the known size the rims appear, and `blur_px` the
    blur. `inset_mm` says how far inside the rim the inked line lies, and `width_mm` how wide it is.
    `east_mm` and `north_mm` are how far all tiles are shifted from their places.
    """

    offset_mm: float
    blur_px: float
    inset_mm: float
    width_mm: float
    east_mm: float = 0.0
    north_mm: float = 0.0


@dataclass(frozen=True)
class Seen:
    """Arrays of p profiles of light across rims, each with n samples in c colours.

    `at_mm` (p, n) are the samples' distances from the expected rim, and `light` (p, n, c) is the
    light relative to that of the tile's face. `kept` (p, n) says which samples count, and `sound`
    (p, c) which colours of a profile are not bleached. `wall_mm` (p,) is how wide the wall appears,
    `px_per_mm` (p,) the picture's scale, `normal` (p, 2) the direction outwards, `tile_mm` a tile's
    width, and `stack` how many tiles lie on one another.
    """

    at_mm: Array
    light: Array
    kept: Flags
    sound: Flags
    wall_mm: Array
    px_per_mm: Array
    normal: Array
    tile_mm: float
    stack: int = 1

    @cached_property
    def side(self) -> NDArray[np.intp]:
        """Return for each profile (p,) the side of its tile: 0 east, 1 north, 2 west, 3 south."""
        return np.asarray(np.argmax(self.normal @ np.array(NORMALS).T, axis=1), dtype=np.intp)

    @property
    def on_side(self) -> Array:
        """Return for each profile a row that is 1 for the side of its tile on which it is, and 0
        for the others (p, 4): east, north, west, south.
        """
        return np.asarray(np.eye(len(NORMALS))[self.side])

    def rows(self, chosen: NDArray[np.intp]) -> Seen:
        """Return the profiles with the indices `chosen`."""
        return replace(
            self,
            at_mm=self.at_mm[chosen],
            light=self.light[chosen],
            kept=self.kept[chosen],
            sound=self.sound[chosen],
            wall_mm=self.wall_mm[chosen],
            px_per_mm=self.px_per_mm[chosen],
            normal=self.normal[chosen],
        )

    @property
    def bleached(self) -> float:
        """Return the share of the profiles in which most colours are bleached."""
        return float((np.median(self.sound, axis=1) == 0).mean())

    @property
    def table_light(self) -> float:
        """Return how bright the table around the tiles is, relative to the faces: the median of the
        samples that lie beyond most of the contact shadow.
        """
        beyond = np.maximum(self.wall_mm, 0.0)[:, None] + OUTSIDE_MM - SHADOW_MM
        outside = (self.kept & (self.at_mm > beyond))[:, :, None] & self.sound[:, None, :]
        return float(np.median(self.light[outside])) if outside.any() else 0.0


def side_by_side(profiles: Iterable[Profile], tile_mm: float) -> Seen | None:
    """Return the profiles as arrays, each divided by the brightness of its face. Profiles that are
    bleached in all colours are left out. None if fewer than `_FEWEST_PROFILES` remain.
    """
    chosen = [(p, face_of(p)) for p in profiles if is_sound(p)]
    if len(chosen) < _FEWEST_PROFILES:
        return None
    faces = [face for _, face in chosen]
    seen = profiles_seen([p for p, _ in chosen], faces, tile_mm)
    return replace(seen, sound=np.array([face <= BLEACHED_FACE for face in faces]))


def profiles_seen(
    profiles: Sequence[Profile],
    faces: Sequence[Array],
    tile_mm: float,
    reach_mm: float = 0.0,
    stack: int = 1,
) -> Seen:
    """Return the profiles as arrays, each divided by the brightness (c,) of its face in `faces`.
    They reach as far inside and outside as is needed for a rim up to `reach_mm` from its expected
    place.
    """
    longest = max(len(p.at_mm) for p in profiles)
    at = np.array(
        [np.pad(p.at_mm, (0, longest - len(p.at_mm)), constant_values=np.inf) for p in profiles]
    )
    light = np.array(
        [
            np.pad(p.light / face, ((0, longest - len(p.at_mm)), (0, 0)))
            for p, face in zip(profiles, faces, strict=True)
        ]
    )
    wall = np.array([p.wall_mm for p in profiles])
    outmost = np.maximum(wall, 0.0)[:, None] + OUTSIDE_MM + reach_mm
    kept = (at >= -INSIDE_MM - reach_mm) & (at <= outmost)
    return Seen(
        np.where(kept, at, 0.0),
        light * kept[:, :, None],
        kept,
        np.ones((len(profiles), light.shape[2]), dtype=np.bool_),
        wall,
        np.array([p.px_per_mm for p in profiles]),
        np.array([p.normal for p in profiles]),
        tile_mm,
        stack,
    )


def is_sound(profile: Profile) -> bool:
    """Return whether at least one colour of a profile's face is not bleached."""
    return bool(0 < face_of(profile).min() <= BLEACHED_FACE)


def face_of(profile: Profile) -> Array:
    """Return the light (c,) where a profile shows nothing but face, from `INSIDE_MM` inside the rim
    to half of that. All brightness is measured against it.
    """
    share = -profile.at_mm / INSIDE_MM
    inner = (share > 0.5) & (share <= 1.0)
    return np.asarray(profile.light[inner].mean(axis=0), dtype=np.float64)


def _shapes(seen: Seen, common: Common) -> Array:
    """Return the shapes of the model's parts (p, n, parts), in the order of `_PARTS`."""
    z = (
        seen.at_mm
        - common.offset_mm
        - (seen.normal @ np.array([common.east_mm, common.north_mm]))[:, None]
    )
    blur = (common.blur_px / seen.px_per_mm)[:, None]
    wall = np.maximum(seen.wall_mm, 0.0)[:, None]
    rim, foot = ndtr(z / blur), (z - wall) / blur
    table = ndtr(foot)
    ramp = 0.1 * blur * (foot * table + np.exp(-foot * foot / 2) / np.sqrt(2 * np.pi))
    shadow_mm = SHADOW_MM * seen.stack
    ratio = blur / shadow_mm
    shadow = np.exp(ratio * ratio / 2 - (z - wall) / shadow_mm + log_ndtr(foot - ratio))
    within = z + common.inset_mm
    margin = ndtr(within / blur) - rim
    ink = ndtr((within + common.width_mm / 2) / blur) - ndtr((within - common.width_mm / 2) / blur)
    side = (rim - table) * (seen.wall_mm > LEAST_WALL_MM)[:, None]
    shading = 0.1 * (z + OUTSIDE_MM) * (1.0 - rim)
    parts = [1.0 - rim, shading, ink, margin, table, ramp, shadow, side, (z - wall / 2) * side]
    return np.asarray(np.stack(parts, axis=-1) * seen.kept[:, :, None], dtype=np.float64)


@dataclass(frozen=True)
class Explained:
    """How well a model explains each profile and colour.

    `costs` (p, c) are minus the log-likelihoods. `beyond` (p, parts, c) are the parts' strengths
    minus their usual strengths, and `unknown` (p, parts, parts) the inverse covariances of what
    remains uncertain about them. `trust` (p, c) is the weight of each profile and colour.
    """

    costs: Array
    beyond: Array
    unknown: Array
    trust: Array


@dataclass(frozen=True)
class Parts:
    """The parts of the model for p profiles, if all rims share some common values: their `shapes`
    (p, n, parts), these divided by the noise's variance and transposed (p, parts, n), the inverse
    covariances `normal` (p, parts, parts) of their strengths, and the logarithms of these matrices'
    determinants (p,).
    """

    shapes: Array
    turned: Array
    normal: Array
    log_det: Array

    @staticmethod
    def of(shapes: Array, spread: Array) -> Parts:
        """Return parts with these shapes, whose strengths have the standard deviation `spread`,
        (parts,) or (p, parts).
        """
        turned = np.swapaxes(shapes, 1, 2) / _NOISE**2
        normal = turned @ shapes + (1.0 / spread**2)[..., None] * np.eye(shapes.shape[2])
        return Parts(shapes, turned, normal, np.linalg.slogdet(normal)[1])


def parts_of(seen: Seen, common: Common, spread: Array = STRENGTH_SPREAD) -> Parts:
    """Return the parts of profiles whose rims share the `common` values."""
    return Parts.of(_shapes(seen, common), spread)


def explained(seen: Seen, parts: Parts, mean: Array, table: Array | None = None) -> Explained:
    """Explain the light by parts. Their usual strengths are `mean`, (parts, c), or (p, parts, c) if
    each profile has its own. `table` (p, n, c) is the usual light of the table, if it is known
    better than from `mean`.

    Residuals that no part explains have a Student distribution, so that one unusual profile does
    not outweigh the others.
    """
    usual = parts.shapes @ mean
    if table is not None:
        usual = usual + parts.shapes[:, :, OUTSIDE_PARTS[0], None] * table
    return _explained(seen, parts, seen.light - usual * seen.kept[:, :, None])


def plain_costs(seen: Seen) -> Array:
    """Return minus the log-likelihood (p,) of each profile, assuming that it crosses no rim: its
    light is then nearly as bright as the face, and changes evenly from one end to the other.
    """
    shapes = np.stack((np.ones_like(seen.at_mm), 0.1 * seen.at_mm), axis=-1)
    shapes *= seen.kept[:, :, None]
    left = seen.light - seen.kept[:, :, None]
    costs = _explained(seen, Parts.of(shapes, np.ones(shapes.shape[2])), left).costs
    return np.asarray(costs.sum(axis=1), dtype=np.float64)


def _explained(seen: Seen, parts: Parts, left: Array) -> Explained:
    """Explain the part `left` (p, n, c) of the light by parts whose mean strengths are 0."""
    pull = parts.turned @ left
    beyond = np.asarray(np.linalg.solve(parts.normal, pull), dtype=np.float64)
    misfit = np.maximum((left**2).sum(axis=1) / _NOISE**2 - (pull * beyond).sum(axis=1), 0.0)
    freedom = seen.kept.sum(axis=1)[:, None] + TAIL
    costs = 0.5 * parts.log_det[:, None] + 0.5 * freedom * np.log1p(misfit / freedom)
    return Explained(
        costs * seen.sound, beyond, parts.normal, freedom / (freedom + misfit) * seen.sound
    )


def usual_means(seen: Seen) -> tuple[Array, Array]:
    """Return the usual strengths (parts, c) to begin with, twice: with a printed line that is
    darker than the face, and with a line that is paler by the same amount.
    """
    dark = np.repeat(_MEAN[:, None], seen.light.shape[2], axis=1)
    pale = dark.copy()
    pale[LEARNT[0]] *= -1.0
    return dark, pale

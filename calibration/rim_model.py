"""What all edges of a picture share, learnt from the picture: its blur, the line inked inside the rims, and by how much all tiles look larger or smaller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter1d

from calibration.rims import Profile, RimModel, rim_costs
from referee.geometry import Point

Array = NDArray[np.float64]

_LEAN_STEP_MM = 0.2
_SLACK_STEPS = 5  # of 0.1 mm: a single rim may lie a quarter of a millimetre off the common offset
_BLURS_PX = (0.7, 0.9, 1.15, 1.5)
_INSETS = (0.026, 0.034, 0.041, 0.05, 0.062)  # of a tile's width
_USUAL_INSET = 0.041  # most backs have their border about two millimetres inside the rim of a two-inch tile
_INSET_SPREAD = 0.004
_INSET_WEIGHT = 0.35  # of a profile's logarithm of likelihood, at that spread: enough to choose among what the picture hardly tells apart
_LINE_GAIN = 8.0  # a line must make each profile likelier by this much (natural logarithm) to be believed
_PROFILES = 72
#: How much further outwards profiles must reach than usual.
OUTWARD_MM = 1.5


@dataclass(frozen=True)
class Learnt:
    """The shared model, and how much further out than expected rims lie: an amount and its slopes along x and y, from a middle, mm and mm per mm."""

    model: RimModel
    grown_mm: float
    slopes: tuple[float, float]
    middle_mm: Point

    def at(self, place_mm: Point) -> float:
        """How much further out a rim at a place is than expected, mm."""
        return self.grown_mm + self.slopes[0] * (place_mm[0] - self.middle_mm[0]) + self.slopes[1] * (place_mm[1] - self.middle_mm[1])


def _tables(profiles: Sequence[Profile], model: RimModel, reach_mm: float, outward_mm: float) -> tuple[Array, Array]:
    """Offsets (n,), and each profile's cost (profiles, n) of a rim within a quarter of a millimetre of each."""
    offsets: Array = np.zeros(1)
    rows = []
    for profile in profiles:
        offsets, costs = rim_costs(profile, model, reach_mm, outward_mm)
        rows.append(minimum_filter1d(costs, _SLACK_STEPS, mode="nearest"))
    return offsets, np.array(rows)


def _unusual(model: RimModel, tile_mm: float) -> float:
    """What speaks against a line's inset before the picture is looked at, per profile (logarithm of likelihood)."""
    return 0.0 if model.inset_mm is None else _INSET_WEIGHT * ((model.inset_mm / tile_mm - _USUAL_INSET) / _INSET_SPREAD) ** 2


def _field(profiles: Sequence[Profile], model: RimModel, reach_mm: float, lean_mm: float) -> tuple[float, float, tuple[float, float], Point]:
    """The least cost over offsets that change evenly over the table, by up to `lean_mm` at its ends; the amount, the slopes and the middle."""
    offsets, tables = _tables(profiles, model, reach_mm, OUTWARD_MM)
    places = np.array([p.middle_mm for p in profiles])
    middle = places.mean(axis=0)
    ends = np.maximum(np.abs(places - middle).max(axis=0), 1.0)
    shares = (places - middle) / ends
    leans = np.linspace(-lean_mm, lean_mm, 2 * round(lean_mm / _LEAN_STEP_MM) + 1)
    count = len(offsets)
    rows = np.arange(len(profiles))[:, None]
    best = (np.inf, 0.0, 0.0, 0.0)
    for along in leans:
        for across in leans:
            lean = np.rint((shares @ np.array([along, across])) / (offsets[1] - offsets[0])).astype(int)
            index = np.clip(np.arange(count)[None, :] + lean[:, None], 0, count - 1)
            total = tables[rows, index].sum(axis=0)
            k = int(np.argmin(total))
            if total[k] < best[0]:
                best = (float(total[k]), float(offsets[k]), float(along), float(across))
    return best[0], best[1], (best[2] / float(ends[0]), best[3] / float(ends[1])), (float(middle[0]), float(middle[1]))


def learn_rim_model(profiles: Sequence[Profile], tile_mm: float, reach_mm: float, lean_mm: float) -> Learnt:
    """The likeliest model for profiles sampled `reach_mm` and `OUTWARD_MM` further, together with how rims are off over the table (a rough view's fault).

    A line inside the rims is believed only where it makes the profiles much likelier than none.
    """
    some = profiles[:: max(1, len(profiles) // _PROFILES)]
    if not some:
        return Learnt(RimModel(), 0.0, (0.0, 0.0), (0.0, 0.0))

    def cost(model: RimModel) -> float:
        return _field(some, model, reach_mm, lean_mm)[0] + len(some) * _unusual(model, tile_mm)

    plain = min((RimModel(b) for b in _BLURS_PX), key=cost)
    lined = min((RimModel(plain.blur_px if plain.blur_px < 1.0 else 0.9, i * tile_mm) for i in _INSETS), key=cost)
    lined = min((RimModel(b, lined.inset_mm) for b in _BLURS_PX), key=cost)
    best = lined if cost(plain) - cost(lined) > _LINE_GAIN * len(some) else plain
    return Learnt(best, *_field(profiles, best, reach_mm, lean_mm)[1:])

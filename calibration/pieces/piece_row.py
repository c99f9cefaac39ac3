"""Finds round things of one size that lie in a row, in any colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.even_row import OFF_LINE, Disc, alike, gap, longest_row, unlikeness
from referee.domain.pieces import COINS

Picture = NDArray[np.uint8]
Lengths = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

# Larger pictures are searched at this width. A coin is then some 20 to 100 px wide.
_WORKING_PX: Final = 1280
# Height over width of a coin seen from straight above down to 45 degrees. By definition: the sine
# of the camera's angle above the table.
_FLATTENINGS: Final = (1.0, 0.9, 0.8, 0.7)
_SMALLEST_PX: Final = 8.0
_LARGEST_SHARE: Final = 0.12  # of the picture's width, for a coin's radius
_ROUND_RAYS: Final = 48
_LEAST_UNIFORM: Final = 0.88
_FAINT_UNIFORM: Final = 0.84  # the same at a place where the row says that there should be a coin
# Where most rays show at least this share of the change that the rims of a row usually show, there
# is a rim. Measured: 0.94 to 1 of the rays of walnut coins on a chequered cloth, and 0.3 to 0.6 of
# the rays of circles that the cloth itself suggests.
_FAINT_SHARE: Final = 0.25
_MOST_RAYS: Final = 0.8
_FINEST_PX: Final = 0.5
_FAINT_GREY: Final = 2.0
_TELLING: Final = 4  # with so many discs, the spacing of a row can be trusted
_MOST_MISSED: Final = 10
# A row with a lower unlikeness has no gaps. Measured: 0.01 to 0.25 in complete rows, 0.3 to 0.9 in
# rows in which a coin was missed.
_EVEN: Final = 0.25


def find_row(picture: Picture, wanted: int) -> list[Disc]:
    """Find the coins of the longest row of equal discs in a BGR picture (h, w, 3), left to right;
    empty when there is no row.

    Among rows of at least `wanted` discs, an even row comes before a row with gaps. Among even
    rows, the longest comes first (up to the length of a whole set), then the one whose discs are
    more alike. Discs beyond `wanted` are returned too, so that they can be shown. A row is not cut
    to the number wanted, nor chosen by it. Otherwise a row with missed coins could look complete.
    """
    shrink = max(1.0, picture.shape[1] / _WORKING_PX)
    small = _resized(picture, 1 / shrink, 1 / shrink) if shrink > 1 else picture
    best: tuple[tuple[float, ...], list[Disc]] = ((0.0,), [])
    for planes_of in (_lightness, _colour):
        for flattening in _FLATTENINGS:
            row = longest_row(_circles(small, planes_of, flattening))
            row = _completed(small, row, flattening, wanted)
            if len(row) >= 2:
                best = max(best, (_rank(row, wanted), row), key=lambda found: found[0])
        if len(best[1]) >= max(wanted, len(COINS)):
            break
    return [
        Disc(
            (d.x_px + 0.5) * shrink - 0.5,
            (d.y_px + 0.5) * shrink - 0.5,
            d.radius_px * shrink,
            d.flattening,
        )
        for d in best[1]
    ]


def _rank(row: list[Disc], wanted: int) -> tuple[float, ...]:
    """Return what makes one row better than another, the most important first."""
    uneven = unlikeness(row)
    return (
        float(min(len(row), wanted)),
        float(min(len(row), len(COINS))) if uneven < _EVEN else 0.0,
        -uneven,
    )


def _resized(picture: Picture, across: float, down: float) -> Picture:
    """Resize a picture by these factors."""
    how = cv2.INTER_AREA if across < 1 else cv2.INTER_LINEAR
    return np.asarray(
        cv2.resize(picture, None, fx=across, fy=down, interpolation=how), dtype=np.uint8
    )


def _softened(picture: Picture) -> Picture:
    """Remove the sharpest noise from a picture."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), dtype=np.uint8)


def _lightness(picture: Picture) -> list[Picture]:
    """Return the picture in grey."""
    return [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)]


def _colour(picture: Picture) -> list[Picture]:
    """Return the two colour axes and the saturation, each stretched over all grey levels. They show
    coins that are as light as the table.
    """
    lab, hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    return [_spread(plane) for plane in (lab[..., 1], lab[..., 2], hsv[..., 1])]


def _spread(plane: NDArray[np.generic]) -> Picture:
    """Stretch a plane's values over all grey levels."""
    values = plane.astype(np.float64)
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) * (255 / max(high - low, 1.0)), dtype=np.uint8)


def _circles(
    picture: Picture, planes_of: Callable[[Picture], list[Picture]], flattening: float
) -> list[Disc]:
    """Find all circles of the picture after stretching it so that flattened coins are round. Places
    are those before the stretch.
    """
    stretched = _resized(picture, 1.0, 1 / flattening)
    smooth = _softened(stretched)
    largest = round(_LARGEST_SHARE * picture.shape[1])
    rough: list[Disc] = []
    for plane in planes_of(smooth):
        found = cv2.HoughCircles(
            plane,
            cv2.HOUGH_GRADIENT_ALT,
            1.5,
            _SMALLEST_PX,
            param1=150,
            param2=0.5,
            minRadius=round(_SMALLEST_PX),
            maxRadius=largest,
        )
        if found is not None:
            rough += [
                Disc(float(x), float(y), float(r))
                for x, y, r in np.asarray(found).reshape(-1, found.shape[-1])[:, :3]
            ]
    discs = [
        disc
        for disc, uniform in (_measured(smooth, circle) for circle in rough)
        if uniform >= _LEAST_UNIFORM
    ]
    return [Disc(d.x_px, (d.y_px + 0.5) * flattening - 0.5, d.radius_px, flattening) for d in discs]


def _measured(
    picture: Picture, rough: Disc, smallest: float = 0.6, largest: float = 1.5
) -> tuple[Disc, float]:
    """Find the circle near a rough one whose rim has the largest and most uniform change of colour.
    Also return how uniform the change is, 0 to 1.

    At a coin's rim the colour changes in the same direction all around. Wood grain, however sharp,
    changes it in different directions.
    """
    best, step = rough, max(1.0, rough.radius_px / 8)
    uniform = 0.0
    spread = 3
    while True:
        offsets = np.arange(-spread, spread + 1, dtype=np.float64) * step
        reaches = np.asarray(
            np.clip(
                best.radius_px + offsets, smallest * rough.radius_px, largest * rough.radius_px
            ),
            dtype=np.float64,
        )
        change, evenness = _rim_change(picture, best, offsets, reaches)
        row, column, reach = np.unravel_index(int(np.argmax(change * evenness)), change.shape)
        best = Disc(
            best.x_px + float(offsets[column]),
            best.y_px + float(offsets[row]),
            float(reaches[reach]),
        )
        uniform = float(evenness[row, column, reach])
        if step <= _FINEST_PX:
            return best, uniform
        step, spread = max(_FINEST_PX, step / 2), 2


def _rim_change(
    picture: Picture, about: Disc, offsets: Lengths, reaches: Lengths
) -> tuple[Lengths, Lengths]:
    """Return the mean change across the rim, and its ratio to the mean size of the changes. The
    centres are off `about` by (offsets, offsets), and the radii are `reaches`.

    Both results are (offsets in y, offsets in x, reaches).
    """
    change = _across_rim(picture, about, offsets, reaches)
    mean = np.linalg.norm(change.mean(axis=3), axis=-1)
    size = np.linalg.norm(change, axis=-1).mean(axis=3)
    return mean, mean / (size + _FAINT_GREY)


def _across_rim(picture: Picture, about: Disc, offsets: Lengths, reaches: Lengths) -> Lengths:
    """Return the change of colour along each ray across the rims of these circles, as
    `_rim_change` numbers them: (offsets in y, offsets in x, reaches, rays, 3).
    """
    angles = np.linspace(0, 2 * np.pi, _ROUND_RAYS, endpoint=False)
    half = 1.0
    around = np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    centres = np.stack(np.meshgrid(about.x_px + offsets, about.y_px + offsets), axis=-1)[
        :, :, None, None, :
    ]
    outer, inner = (centres + around * (reaches + side * half)[:, None, None] for side in (1, -1))
    return np.asarray(_values(picture, outer) - _values(picture, inner), dtype=np.float64)


def _values(picture: Picture, at_px: Lengths) -> Lengths:
    """Return the picture's colours at places (..., 2), px. A place outside gets the colour of the
    border.
    """
    flat = at_px.reshape(-1, _ROUND_RAYS, 2).astype(np.float32)
    found = cv2.remap(
        picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return found.reshape(*at_px.shape[:-1], 3).astype(np.float64)


def _completed(picture: Picture, row: list[Disc], flattening: float, wanted: int) -> list[Disc]:
    """Return a row of evenly spaced discs with the missed ones added, within it and at its ends,
    where a fainter circle is found in their place. Beyond a row of as many as are `wanted`, only a
    circle as plain as theirs is added: print suggests fainter ones.
    """
    if len(row) < _TELLING:
        return row
    gaps = np.diff([d.x_px for d in row])
    step = float(np.median(gaps))
    numbers = np.concatenate(([0], np.cumsum(np.maximum(1, np.rint(gaps / step)))))
    bent = min(2, len(row) - 1)
    x_of, y_of = (
        np.polynomial.Polynomial.fit(numbers, [getattr(d, axis) for d in row], bent)
        for axis in ("x_px", "y_px")
    )
    radius = float(np.median([d.radius_px for d in row]))
    usual = float(np.median([_seen_near(picture, disc).change for disc in row]))
    found = dict(zip(numbers.astype(int).tolist(), row, strict=True))
    for number in (
        *range(int(numbers[-1])),
        *range(-1, -_MOST_MISSED, -1),
        *range(int(numbers[-1]) + 1, int(numbers[-1]) + _MOST_MISSED),
    ):
        if number in found:
            continue
        if (number < 0 and number + 1 not in found) or (
            number > numbers[-1] and number - 1 not in found
        ):
            continue
        guess = Disc(float(x_of(number)), float(y_of(number)), radius, flattening)
        seen = _seen_near(picture, guess)
        beyond = not 0 <= number <= numbers[-1] and len(found) >= wanted
        is_coin = seen.is_coin(usual) and not (beyond and seen.uniform < _LEAST_UNIFORM)
        if is_coin and alike(seen.disc, guess) and gap(seen.disc, guess) < OFF_LINE:
            found[number] = seen.disc
    return [found[number] for number in sorted(found)]


@dataclass(frozen=True, slots=True)
class _Seen:
    """The best circle near a place: how uniform the change of colour across its rim is, and the
    size of the change along each ray (n,).
    """

    disc: Disc
    uniform: float
    changes: Lengths

    @property
    def change(self) -> float:
        return float(np.median(self.changes))

    def is_coin(self, usual: float) -> bool:
        """Return whether this may be a coin of a row whose coins' rims have a `usual` change. On a
        patterned cloth a rim's change may differ all around, but it is nowhere missing.
        """
        there = float(np.mean(self.changes >= _FAINT_SHARE * usual))
        return there >= _MOST_RAYS or (self.uniform >= _FAINT_UNIFORM and there >= 0.5)


def _seen_near(picture: Picture, guess: Disc) -> _Seen:
    """Return the best circle of about the size and the place of a guess."""
    reach = 2.5 * guess.radius_px
    left, top = int(max(0, guess.x_px - reach)), int(max(0, guess.y_px - reach))
    cut = picture[top : int(guess.y_px + reach) + 1, left : int(guess.x_px + reach) + 1]
    if min(cut.shape[:2]) < 2 * guess.radius_px:
        return _Seen(guess, 0.0, np.zeros(_ROUND_RAYS))
    flattening = guess.flattening
    stretched = _softened(_resized(cut, 1.0, 1 / flattening))
    y = (guess.y_px - top + 0.5) / flattening - 0.5
    disc, uniform = _measured(stretched, Disc(guess.x_px - left, y, guess.radius_px), 0.85, 1.2)
    change = _across_rim(stretched, disc, np.zeros(1), np.array([disc.radius_px]))
    return _Seen(
        Disc(
            disc.x_px + left, (disc.y_px + 0.5) * flattening - 0.5 + top, disc.radius_px, flattening
        ),
        uniform,
        np.linalg.norm(change[0, 0, 0], axis=-1),
    )

"""The opening arrangement of Carroms: the black in the middle, a ring of six coins around it, and a
second ring of six in the gaps. Red and blue alternate in each ring.

The rack may be turned by any angle about the centre, and the numbers of the coins do not matter.
The referee judges it at the break if the places of all thirteen coins were seen or entered. Each
coin must lie within a quarter of a coin width of its place.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from referee.domain.geometry import Point, add, distance, subtract
from referee.domain.pieces import STRIKER, face_of
from referee.games.carroms.board import NEAR
from referee.games.carroms.state import BLACK, COINS, SUITS, in_words

#: Each ring has six coins. The second ring is turned by half a step, so its coins lie in the gaps
#: of the first.
RING: Final = 6
STEP: Final = math.tau / RING
#: For each ring, its distance from the black in coin widths, and the angle of its first coin.
RINGS: Final = ((1.0, 0.0), (math.sqrt(3.0), STEP / 2))
#: Chosen: how many misplaced coins are named at most, the one farthest from its place first.
TOLD: Final = 2
RACKED: Final = tuple(coin for coin in COINS if coin != STRIKER)


def rack_mm(centre: Point, coin_mm: float) -> dict[str, Point]:
    """Return a place for each coin at the break. The rack may also be turned by any angle about the
    centre.
    """
    places = {BLACK: centre}
    numbers = {suit: iter(range(1, RING + 1)) for suit in SUITS}
    for ring in range(len(RINGS)):
        for k in range(RING):
            suit = SUITS[k % 2]
            places[f"{suit}-{next(numbers[suit])}"] = _slot(centre, coin_mm, ring, k, 0.0)
    return places


def _slot(black: Point, coin_mm: float, ring: int, k: int, turned: float) -> Point:
    reach, first = RINGS[ring]
    angle = turned + first + k * STEP
    return add(black, (reach * coin_mm * math.cos(angle), reach * coin_mm * math.sin(angle)))


def rack_faults(lying: Mapping[str, Point], centre: Point, coin_mm: float) -> tuple[str, ...]:
    """Return what is wrong with a rack, each fault in words; nothing if the place of any of the
    thirteen coins is unknown.
    """
    if any(coin not in lying for coin in RACKED):
        return ()
    black = lying[BLACK]
    off_mm = {BLACK: distance(black, centre)}
    others = sorted(
        (coin for coin in RACKED if coin != BLACK), key=lambda coin: distance(lying[coin], black)
    )
    rings = (others[:RING], others[RING:])
    turned, mixed = _turned(lying, black, rings), False
    for ring, coins in enumerate(rings):
        slots = _slots(lying, black, coins, ring, turned)
        off_mm |= {
            coin: distance(lying[coin], _slot(black, coin_mm, ring, k, turned))
            for coin, k in slots.items()
        }
        mixed = mixed or not _alternates(
            [coin.partition("-")[0] for coin in sorted(coins, key=slots.__getitem__)]
        )
    off = sorted(
        ((gap, coin) for coin, gap in off_mm.items() if gap > NEAR * coin_mm), reverse=True
    )
    faults = [
        f"{in_words(coin)} lies {gap_mm:.0f} mm from its place" for gap_mm, coin in off[:TOLD]
    ]
    if len(off) > TOLD:
        faults.insert(0, f"{len(off)} coins are off their places")
    return (*faults, "the colours do not alternate in each ring") if mixed else tuple(faults)


def racked_faces(lying: Mapping[str, Point], coin_mm: float) -> tuple[dict[str, str], ...]:
    """Return the possible faces of the coins in a rack. Each result gives a face to every coin of
    the rack, as the rules allow, and to a striker that lies elsewhere. `lying` are the places of
    all coins on the board, under any names. Empty if the coins do not lie like a rack.
    """
    if len(lying) != len(COINS):
        return ()
    among = _nearest(lying)
    black = min(lying, key=lambda coin: sum(distance(lying[coin], lying[o]) for o in among[coin]))
    others = among[black]
    rings = (others[:RING], others[RING:])
    turned = _turned(lying, lying[black], rings)
    faces = dict.fromkeys(lying, face_of(STRIKER)) | {black: face_of(BLACK)}
    slots = [_slots(lying, lying[black], coins, ring, turned) for ring, coins in enumerate(rings)]
    for ring, of_coin in enumerate(slots):
        places = {c: _slot(lying[black], coin_mm, ring, k, turned) for c, k in of_coin.items()}
        far = any(distance(lying[c], at) > NEAR * coin_mm for c, at in places.items())
        if far or len(set(of_coin.values())) < RING:
            return ()
    return tuple(
        faces
        | {
            coin: SUITS[(k + first) % len(SUITS)]
            for of_coin, first in zip(slots, firsts, strict=True)
            for coin, k in of_coin.items()
        }
        for firsts in product(range(len(SUITS)), repeat=len(rings))
    )


def _nearest(lying: Mapping[str, Point]) -> dict[str, list[str]]:
    """Return for each coin its nearest other coins, the nearest first: as many as a rack has around
    the black.
    """
    return {
        coin: sorted(
            (other for other in lying if other != coin),
            key=lambda other: distance(lying[coin], lying[other]),
        )[: RING * len(RINGS)]
        for coin in lying
    }


def _slots(
    lying: Mapping[str, Point], black: Point, coins: Sequence[str], ring: int, turned: float
) -> dict[str, int]:
    """Return, for each coin of a ring, the number of the place nearest to the coin by angle."""
    return {
        coin: round((_angle(lying[coin], black) - turned - RINGS[ring][1]) / STEP) % RING
        for coin in coins
    }


def _angle(at: Point, black: Point) -> float:
    x, y = subtract(at, black)
    return math.atan2(y, x)


def _turned(lying: Mapping[str, Point], black: Point, rings: Sequence[Sequence[str]]) -> float:
    """Return the angle by which the rack is turned, in radians. It is the circular mean of the
    coins' angles, modulo a sixth of a circle.
    """
    votes = (
        cmath.rect(1.0, RING * (_angle(lying[coin], black) - RINGS[ring][1]))
        for ring, coins in enumerate(rings)
        for coin in coins
    )
    return cmath.phase(sum(votes)) / RING


def _alternates(suits: Sequence[str]) -> bool:
    return all(suits[k] != suits[k - 1] for k in range(len(suits)))

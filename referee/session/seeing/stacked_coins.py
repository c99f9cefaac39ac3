"""Keeps track of the coins on top of stacks of tiles: prisoners, which hands put on towers and take
from there. The place of such a coin is known, and no other coin can hit it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation, Presence
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Tile, shows_face
from referee.session.seeing.reacquisition import SAME_PLACE_MM
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.image.picture import Floats, Picture
from referee.vision.tiles.coin_on_stack import STEP_MM, face_above
from referee.vision.tiles.stack_top import SeenTop, Top, misfit_on, place_on_top, seen_top, top_of


@dataclass
class StackTops:
    """Stores how the tops of those stacks look on which hands put coins. A stack in `_loaded` is
    stored with the coin that lay on it from the beginning, any other stack without a coin. `_faces`
    is how each coin's face looked where the coin last lay on the table.
    """

    table: SurveyedTable
    _loaded: set[str] = field(default_factory=set)
    _tops: dict[str, Floats] = field(default_factory=dict)
    _faces: dict[str, Floats] = field(default_factory=dict)

    def learn(
        self,
        picture: Picture,
        course: Course,
        tracker: Tracker,
        observation: FrameObservation | None = None,
    ) -> None:
        """Store how the stacks without a coin, and the coins on the table, look now, while no hand
        is there. Coins that are not plainly seen in the `observation` are left out, because
        something else may be seen in their place.
        """
        hidden = {*observation.presence, *observation.covered} if observation else frozenset()
        has_towers = any(shows_face(name) for name in course.posts)
        for coin in tracker.coins.values():
            seen = coin.state is State.REST and coin.coin not in hidden
            if seen and coin.rest is not None and has_towers:
                at_mm = coin.rest.at_mm
                face = face_above(picture, self.table.view, at_mm, self.table.sizes)
                self._faces |= {} if face is None else {coin.coin: face}
        loaded = {_stack_of(coin, course) for coin in tracker.coins.values()}
        for name, tile in course.posts.items():
            if shows_face(name) and name not in loaded:
                top = top_of(picture, self.table.view, tile, self.table.sizes)
                self._tops |= {} if top is None else {name: top}

    def add_given_coin(self, coin: TrackedCoin, course: Course) -> None:
        """Record that, as people say, a coin has been lying on a stack from the beginning."""
        if coin.rest is not None and (stack := course.tower_at(coin.rest.at_mm)) is not None:
            lay_on_stack(coin, coin.rest)
            self._loaded.add(stack)

    def take_in(
        self,
        picture: Picture,
        course: Course,
        touched: Callable[[Tile], bool],
        tracker: Tracker,
        observation: FrameObservation,
    ) -> None:
        """Find the coins that hands took from stacks, and the coin that they put on a stack. Call
        this when nothing moves. Only stacks that look `touched` are examined.
        """
        tops = self._changed(picture, course, touched)
        coins = list(tracker.coins.values())
        for coin in coins:
            if (stack := _stack_of(coin, course)) in tops and tops[stack].top is Top.BARE:
                coin.state = State.HIDDEN
                coin.hand_frames |= tracker.hand_frames
        put(coins, tops, course, observation)
        for coin in coins:
            stack = _stack_of(coin, course)
            if stack is not None and stack in tops and coin.rest is tops[stack].rest:
                coin.rest = self._by_face(coin, picture, stack, course.tiles[stack])

    def likeliest(
        self, picture: Picture, course: Course, face: Floats, at_mm: Point | None = None
    ) -> tuple[str, Rest] | None:
        """Return the tower on whose top the picture looks most like a coin's face, and the place
        there. `face` reaches `face_steps` from its middle. With `at_mm`, only the tower at this
        place counts. None if no tower is completely in the picture. The function does not decide
        whether the coin really lies on a tower.
        """
        view, sizes = self.table.view, self.table.sizes
        told = {
            name: seen
            for name, tile in course.posts.items()
            if shows_face(name)
            and (at_mm is None or course.tower_at(at_mm) == name)
            and (seen := place_on_top(picture, view, tile, sizes, face)) is not None
        }
        best = max(told, key=lambda name: told[name][0], default=None)
        return None if best is None else (best, told[best][1])

    @property
    def face_steps(self) -> int:
        """Return how many steps a face reaches from its middle (`laid_on_grid`)."""
        return int(self.table.sizes.coin_mm / 2 / STEP_MM)

    def rename(self, names: Mapping[str, str]) -> None:
        """Give coins their names (`?1` to `suns`)."""
        self._faces = {names.get(name, name): face for name, face in self._faces.items()}

    def _by_face(self, coin: TrackedCoin, picture: Picture, stack: str, tile: Tile) -> Rest | None:
        """Return where a coin lies on a stack, measured by its face if that was seen before. The
        result with the face is used only if its error is smaller: if not, the stored face is that
        of another coin, or a hand.
        """
        view, sizes = self.table.view, self.table.sizes
        face, top = self._faces.get(coin.coin), top_of(picture, view, tile, sizes)
        if face is None or top is None:
            return coin.rest
        misfit = misfit_on(picture, view, tile, sizes, face)
        told = seen_top(top, self._tops[stack], tile, sizes, misfit).rest
        return min((rest for rest in (told, coin.rest) if rest is not None), key=_sigma_mm)

    def _changed(
        self, picture: Picture, course: Course, touched: Callable[[Tile], bool]
    ) -> dict[str | None, SeenTop]:
        """Return what now lies on each stack that looks touched."""
        view, sizes = self.table.view, self.table.sizes
        found: dict[str | None, SeenTop] = {}
        for name, known in self._tops.items():
            tile = course.tiles[name]
            top = top_of(picture, view, tile, sizes) if touched(tile) else None
            if top is None:
                continue
            seen = seen_top(top, known, tile, sizes)
            if name not in self._loaded:
                found[name] = seen
            elif seen.top is Top.COIN:  # the top looks different because the coin is gone
                found[name] = SeenTop(Top.BARE)
                self._loaded.discard(name)
                self._tops[name] = top
        return found


def _sigma_mm(rest: Rest) -> float:
    return rest.sigma_mm


def put(
    coins: Sequence[TrackedCoin],
    tops: Mapping[str | None, SeenTop],
    course: Course,
    observation: FrameObservation,
) -> None:
    """Record that a coin lies on a stack, if it is the only coin that hands took and the stack the
    only one on which something new lies. If hands took several coins, it is not known which of them
    lies there.
    """
    taken = {_stack_of(coin, course) for coin in coins}
    new = [top.rest for name, top in tops.items() if top.rest is not None and name not in taken]
    away = [coin for coin in coins if coin.hand_frames and _is_away(coin, observation)]
    if len(new) == 1 and len(away) == 1:
        coin = away[0]
        rested = coin.rest is not None and coin.rest != coin.before
        if rested and not any(_lies_at(other, coin.rest) for other in coins if other is not coin):
            coin.sightings = [s for s in coin.sightings if s.t_s <= coin.last_there_s]
        else:
            coin.sightings = []
        lay_on_stack(coin, new[0])


def _is_away(coin: TrackedCoin, observation: FrameObservation) -> bool:
    """Return whether a coin has clearly left its place, and is not known to lie at another
    place.
    """
    gone = observation.presence.get(coin.coin) is Presence.GONE
    return coin.state in (State.HIDDEN, State.SLIDING) or (coin.state is State.REST and gone)


def _lies_at(coin: TrackedCoin, rest: Rest | None) -> bool:
    """Return whether a coin is at rest at a place, so that no other coin can lie there."""
    if coin.lies is None or rest is None:
        return False
    return distance(coin.lies.at_mm, rest.at_mm) < SAME_PLACE_MM


def lay_on_stack(coin: TrackedCoin, rest: Rest) -> None:
    """Record that a coin lies on a stack."""
    coin.state, coin.rest = State.ON_STACK, rest


def _stack_of(coin: TrackedCoin, course: Course) -> str | None:
    """Return the stack on which a coin lies; None if it lies on no stack."""
    if coin.state is not State.ON_STACK or coin.rest is None:
        return None
    return course.tower_at(coin.rest.at_mm)

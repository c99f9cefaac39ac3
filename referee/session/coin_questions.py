"""Asks people what the coins' faces and number do not show: which coin is which, and where coins
are that were not seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calibration.store.piece_store import PieceSet
from referee.domain.episode import Rest
from referee.domain.geometry import Point, distance
from referee.domain.pieces import face_of
from referee.session.live_view import LiveView
from referee.session.match_file import Match
from referee.session.naming.coin_naming import CoinNaming, missing_line, name_coins
from referee.session.naming.given_places import GIVEN_WITHIN_MM, named_by_place
from referee.session.naming.naming_pictures import table_picture
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.vision.faces.face_patch import laid_on_grid


@dataclass
class CoinQuestions:
    """The questions about coins in one run. Without `ui`, nobody can be asked. `off_table` are the
    coins that, as people said, are not on the table.
    """

    match: Match
    pieces: PieceSet | None
    builder: EpisodeBuilder
    show: LiveView
    ui: bool
    off_table: set[str] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the coins that the match's file says are not on the table."""
        self.off_table = set(self.match.off_table)

    def ask_names(
        self,
        lying: Mapping[str, Rest],
        free: Sequence[str],
        told: Mapping[str, str],
        elsewhere: Collection[str] = (),
        ruled: Sequence[Mapping[str, str]] = (),
    ) -> CoinNaming:
        """Ask which coin is which until no name is unsure. `told` are the names that people gave,
        by number. The coins `elsewhere` need not lie on the table. Every answer helps to name the
        other coins, and so do the layouts that the rules allow, `ruled`.
        """
        faces, pieces = self.builder.faces, self.pieces
        while (naming := name_coins(lying, faces, pieces, free, told, elsewhere, ruled)).unsure:
            self.show.naming(naming, self.builder, free)
            answer = self._answer("naming", "Which coin is which? Please say on this page.")
            if answer is None:  # nobody reads the page any more
                return CoinNaming(naming.names, (), {})
            told = {**told, **answer}
        return naming

    def name_given_places(
        self, given_mm: Mapping[str, Point], named: Collection[str] = ()
    ) -> dict[str, str]:
        """Return the names, by number, of the coins whose places people gave. At a place where no
        coin was seen, a coin is added. Coins that are `named` already, by number, keep their names.
        Raises InputError if one coin gets two names.
        """
        lying = {n: rest for n, rest in self.builder.known().items() if n not in named}
        names, unseen = named_by_place(lying, given_mm)
        for coin, at_mm in unseen.items():
            rest = self._on_tower(coin, at_mm) or Rest(at_mm, GIVEN_WITHIN_MM)
            others_mm = [place for other, place in unseen.items() if other != coin]
            name = self.builder.add_given_coin(rest.at_mm, rest.sigma_mm, others_mm)
            names[name] = coin
        return names

    def _on_tower(self, coin: str, at_mm: Point) -> Rest | None:
        """Return the place of a coin that, as people say, lies on a tower, measured with its face
        in the set. None if the place is not on a tower, if the face is not known, or if the coin is
        not found near there.
        """
        if self.builder.course.tower_at(at_mm) is None:
            return None
        found = self._likeliest(coin, at_mm)
        near = found is not None and distance(found[1].at_mm, at_mm) < GIVEN_WITHIN_MM
        return found[1] if found is not None and near else None

    def _likeliest(self, coin: str, at_mm: Point | None = None) -> tuple[str, Rest] | None:
        """Return the tower on which a coin would lie if it lay on one, and the place (see
        `StackTops.likeliest`).
        """
        face = None if self.pieces is None else self.pieces.faces.get(face_of(coin))
        picture, builder = self.builder.last_picture(), self.builder
        if face is None or picture is None or not picture.has_colour:
            return None
        laid = laid_on_grid(face, builder.tops.face_steps)
        return builder.tops.likeliest(picture, builder.course, laid, at_mm)

    def missing_words(self, missing: Sequence[str]) -> str:
        """Describe in words which coins are not seen, and on which towers they may lie."""
        line = missing_line(missing, len(self.match.coins) - len(self.off_table))
        for coin in missing:
            if (found := self._likeliest(coin)) is not None:
                suit, (x, y) = found[0].removeprefix("tower-"), found[1].at_mm
                line += (
                    f". If {coin} lies on a tower, that tower belongs to {suit}:"
                    f" {coin}={x:.0f},{y:.0f}"
                )
        return line

    def find_missing(self, names: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
        """Ask where those coins of the match are that have no place. Return the names with those
        that people added, and, if nobody can be asked, the coins that are missing.

        `names` are the names of the coins seen, by number. A coin that begins off the table is not
        missing.
        """
        missing = self.missing(names)
        if not missing or not self.ui:
            return dict(names), missing
        line = self.missing_words(missing)
        lying = {names.get(n, n): rest.at_mm for n, rest in self.builder.known().items()}
        self.show.missing(line, missing, lying, table_picture(self.builder))
        answer = self._answer("missing", f"{line}. Please say on this page.")
        if answer is None:
            return dict(names), missing
        self.off_table |= {coin for coin, at_mm in answer.items() if at_mm is None}
        shown = self.name_given_places(
            {c: at_mm for c, at_mm in answer.items() if at_mm is not None}, names
        )
        return {**names, **shown}, ()

    def missing(
        self, names: Mapping[str, str], among: Collection[str] | None = None
    ) -> tuple[str, ...]:
        """Return the coins of the match that have no place; with `among`, only those of them that
        `among` contains. `names` are the names of the coins seen, by number.
        """
        there = {*names.values(), *self.off_table}
        coins = self.match.coins if among is None else [c for c in self.match.coins if c in among]
        return tuple(coin for coin in coins if coin not in there)

    def _answer(self, topic: str, text: str) -> Any | None:
        """Wait for the answer to a topic that is shown. Return None if the page is closed."""
        self.show.doing("naming", text)
        answer = self.show.feed.wait_for_answer(topic, None)
        self.show.feed.publish(topic, None)
        self.show.doing("watching", "Watching.")
        return answer

"""Checks the coins' names whenever everything is at rest, and asks if faces and names disagree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field

import msgspec

from calibration.store.piece_store import FacePatch, PieceSet
from referee.domain.entry import Fact, Ruling
from referee.domain.episode import Episode, Rest
from referee.domain.incident import EITHER, AtRest, Incident, Renamed
from referee.vision.faces.coin_colour import of_another_colour
from referee.vision.faces.exchange import Exchange, exchange_log_odds, find_exchange
from referee.vision.faces.identification import FaceEvidence, shows_a_face


@dataclass
class NameCheck:
    """Compares the coins' faces with their names during one match.

    `coins` are the match's coins, and `band` is the range of probabilities that are too close to
    call. `asked` are the exchanges that were recorded, by the id of the entry. What people say
    about names is taken as right: the faces of coins in `contradicted` are not used against their
    names again. `legible` are the coins whose faces could be read when play began, and `looked` is
    how the coins looked then.
    """

    pieces: PieceSet | None
    coins: Sequence[str]
    band: tuple[float, float]
    asked: dict[str, Exchange] = field(default_factory=dict)
    contradicted: set[str] = field(default_factory=set)
    legible: set[str] = field(default_factory=set)
    looked: dict[str, FacePatch] = field(default_factory=dict)

    def begin(self, lying: Collection[str], faces: Mapping[str, FaceEvidence]) -> None:
        """Take the names at the beginning of play as right. Faces that contradict them now are not
        used against them later.
        """
        read = ((name, faces[name].face) for name in lying if name in faces and name in self.coins)
        self.looked = {name: face for name, face in read if face is not None}
        self.legible = {
            name for name, face in self.looked.items() if self._shows_a_face(face, self.coins)
        }
        while found := self._found(lying, faces, set()):
            if self.contradicted >= set(found.names):
                return
            self.contradicted |= set(found.names)

    def shows_coin(self, name: str, lying: Set[str], seen: FacePatch) -> bool:
        """Return whether the thing seen under a name may be a coin. It is none if its colour
        clearly differs from that of all coins, or if the coin's face could be read when play began
        and no face of the match shows now. (If another coin's face shows, the program asks people.)
        A thing without a name may be any coin that is not `lying`; if all coins lie on the table,
        it may be any of them.
        """
        absent = [coin for coin in self.coins if coin not in lying] or self.coins
        among = self.coins if name in self.coins else absent
        may_be = [
            coin
            for coin in among
            if coin not in self.looked or not of_another_colour(seen, self.looked[coin])
        ]
        if not may_be:
            return False
        if not self.legible.issuperset([name] if name in self.coins else may_be):
            return True
        return self._shows_a_face(seen, may_be)

    def _shows_a_face(self, seen: FacePatch, names: Sequence[str]) -> bool:
        """Return whether the face of one of the names is seen. False if no faces are known."""
        known = self.pieces is not None and bool(self.pieces.faces)
        return known and shows_a_face(seen, self.pieces, names)

    def disagreement(
        self,
        lying: Collection[str],
        faces: Mapping[str, FaceEvidence],
        guessed: Set[str],
        entries: Sequence[Fact],
    ) -> Exchange | None:
        """Return the exchange of names that people should be asked about; None if names and faces
        agree.

        `lying` are the coins on the table, by the names under which they are followed. `guessed`
        are names that were never certain. `entries` are the entries of the record, with the answers
        to earlier questions.
        """
        believed = self.believed(entries)

        def true(name: str) -> str:
            return believed.get(name, name)

        return self._found(
            [true(name) for name in lying],
            {true(name): face for name, face in faces.items()},
            {true(name) for name in guessed},
        )

    def exchange_log_odds(
        self,
        names: Mapping[str, str],
        lying: Mapping[str, Rest],
        faces: Mapping[str, FaceEvidence],
        entries: Sequence[Fact],
    ) -> float:
        """Return the log-odds (natural logarithm) of an exchange of names, from the faces that the
        coins show where they rest. They are 0 if people said one of the names, or if a coin is
        unknown.
        """
        believed = self.believed(entries)
        true = {seen: believed.get(seen, seen) for seen in names}
        if not set(true.values()) <= set(self.coins) - self.contradicted:
            return 0.0
        shown = {
            true[seen]: faces[seen]
            for seen in names
            if seen in faces and seen in lying and faces[seen].lies_at(lying[seen])
        }
        return exchange_log_odds(
            {true[seen]: true[other] for seen, other in names.items()},
            shown,
            self.pieces,
            self.coins,
        )

    def ask(self, recorded: Sequence[Incident], exchange: Exchange) -> None:
        """Remember that people were asked about an exchange, under the id of its entry. If a match
        is watched again, its record may hold no such entry.
        """
        for incident in recorded:
            if isinstance(incident, Renamed) and incident.id is not None:
                self.asked[incident.id] = exchange

    def believed(self, entries: Sequence[Fact]) -> dict[str, str]:
        """Return the true name of each coin that is followed under another name: the name that
        people gave, or, until they answer, the more probable one.
        """
        if not self.asked:
            return {}
        names = {coin: coin for coin in self.coins}
        verdicts = {e.on: e.verdict for e in entries if isinstance(e, Ruling)}
        for asked, exchange in self.asked.items():
            verdict = verdicts.get(asked)
            if verdict == "overturned":
                self.contradicted |= set(exchange.names)
            elif verdict is not None or exchange.probability >= 0.5:
                names = {seen: exchange.names.get(true, true) for seen, true in names.items()}
        return {seen: true for seen, true in names.items() if seen != true}

    def in_question(self, entries: Sequence[Fact]) -> dict[str, float]:
        """Return the coins of those exchanges that nobody has answered yet, each with the
        probability that the name under which it is followed is right.
        """
        answered = {e.on for e in entries if isinstance(e, Ruling)}
        right = dict[str, float]()
        for asked, exchange in self.asked.items():
            if asked not in answered:
                for name in exchange.names:
                    right[name] = right.get(name, 1.0) * (1.0 - exchange.probability)
        return right

    def _found(
        self, lying: Collection[str], faces: Mapping[str, FaceEvidence], guessed: Set[str]
    ) -> Exchange | None:
        known = {name: face for name, face in faces.items() if name not in self.contradicted}
        own = [name for name in lying if name in self.coins]
        found = find_exchange(own, known, self.pieces, self.coins, guessed)
        if found is None or found.probability < self.band[0]:
            return None
        return Exchange(found.names, min(found.probability, self.band[1]))


def mistakable(episode: Episode) -> set[str]:
    """Return the coins that may have been taken for each other in an episode: all that moved, if a
    coin in the episode was never seen before.
    """
    if all(track.before is not None for track in episode.tracks):
        return set()
    return {t.coin for t in episode.tracks if t.sightings or t.before != t.after}


def without_rests(incidents: Sequence[Incident], doubted: Set[str]) -> list[Incident]:
    """Return the incidents with the rests of `doubted` coins left out."""
    return [
        msgspec.structs.replace(i, coins={c: at for c, at in i.coins.items() if c not in doubted})
        if isinstance(i, AtRest)
        else i
        for i in incidents
    ]


def with_unsure_names(incidents: Sequence[Incident], right: Mapping[str, float]) -> list[Incident]:
    """Return the incidents. Limit the probability of each incident of a coin whose name is in
    question to the probability that the name is `right`. The limit is at least one half, because
    one of the two coins did it.
    """
    return [_with_unsure_name(incident, right) for incident in incidents]


def _with_unsure_name(incident: Incident, right: Mapping[str, float]) -> Incident:
    named = {getattr(incident, part, None) for part in ("coin", "with_")}
    shares = [share for coin, share in right.items() if coin in named]
    if not shares:
        return incident
    own = 1.0 if incident.probability is None else incident.probability
    probability = min(own, max(min(shares), EITHER))
    return msgspec.structs.replace(incident, probability=round(probability, 4))


def renamed_by(exchange: Exchange, t_s: float) -> Renamed:
    """Return the incident that asks about an exchange of names. It is always a question, however
    probable the exchange, because nobody saw when the names became wrong.
    """
    return Renamed(
        coins=dict(exchange.names), probability=round(exchange.probability, 4), t_s=round(t_s, 6)
    )

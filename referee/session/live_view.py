"""Publishes the topics of a running match: the table, the coins, the path of the current flick, the
calls and the standings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from msgspec import UNSET

from calibration.store.piece_store import PieceSet
from calibration.table.surveyed_table import SurveyedTable
from referee.desk.evidence import provisional
from referee.desk.feed import Feed, Picture
from referee.desk.match_topics import record_topic, standing_topic
from referee.desk.page_topics.opening_questions import (
    CastleTopic,
    CoinAsked,
    MissingTopic,
    NamingTopic,
)
from referee.desk.page_topics.playing_area import lines_of, tiles_of
from referee.desk.page_topics.topics import (
    CoinsTopic,
    DoingTopic,
    Lie,
    MatchTopic,
    PathTopic,
    Phase,
    Player,
    Side,
    TableTopic,
    Topics,
)
from referee.desk.record_log import RecordLog
from referee.domain.call import Call
from referee.domain.entry import Setup
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.incident import Incident
from referee.domain.layout import Course
from referee.domain.pieces import COINS
from referee.replay.adjudication import summary
from referee.replay.fold import Fold
from referee.session.match_file import Match
from referee.session.naming.coin_naming import CoinNaming
from referee.session.naming.naming_pictures import face_picture, seen_in, table_picture
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.tracking.identity.tracked_coin import State
from referee.vision.faces.mark_colour import mark_colour_of

# Chosen: nothing was measured for these, except where a comment says so.

SUITS: Final = COINS[:4]  # ranks are printed in black, or in a colour without meaning
COINS_EVERY_S: Final = 0.05  # the drawing is updated twenty times a second
PROGRESS_EVERY_S: Final = 0.5


class LiveView:
    """Publishes a match to a feed. A call that changes nothing takes almost no time."""

    def __init__(
        self,
        feed: Feed,
        match: Match,
        table: SurveyedTable,
        source: str,
        pieces: PieceSet | None = None,
    ) -> None:
        """Show which match is played, on which table and, if it is known, with which set."""
        self.feed = feed
        self.source = source
        self._last_coins_s = self._last_progress_s = -1.0
        self._phase: Phase = "setting_up"
        self._table = table
        self._suit_colours = suit_colours(pieces)
        self._match(match)
        if table.castle_assumed is None:
            self.course(table.course)

    def _match(self, match: Match | Setup) -> None:
        """Show who plays which coin."""
        players = [
            Player(name=p.name, coin=p.coin or UNSET, team=p.team or UNSET) for p in match.players
        ]
        options = dict(match.options)
        topic = MatchTopic(
            game=match.game, players=players, options=options, tints=self._suit_colours
        )
        self.feed.show(Topics(match=topic))

    def doing(
        self, phase: Phase, text: str, t_s: float | None = None, share: float | None = None
    ) -> None:
        """Show what the program is doing."""
        self._phase = phase
        topic = DoingTopic(phase=phase, text=text, t_s=t_s, share=share, source=self.source)
        self.feed.show(Topics(doing=topic))

    def castle(self, asked: CastleTopic, jpeg: bytes) -> None:
        """Ask which castle is Moons', with a picture of the table. Nothing else of the table is
        shown before that is known.
        """
        self.feed.publish_picture("castle", Picture("image/jpeg", jpeg))
        self.feed.show(Topics(castle=asked))

    def lies(self, table: SurveyedTable) -> None:
        """Show the table, after people have said which castle is Moons'."""
        self._table = table
        self.course(table.course)
        self.feed.show(Topics(castle=None))

    def course(self, course: Course, notes: Sequence[str] = ()) -> None:
        """Show the table with the course as it lies now, and `notes` about the tiles and the
        camera.
        """
        sides = [
            Side(begin_mm=s.begin_mm, end_mm=s.end_mm, seen=(s.from_share, s.to_share))
            for s in self._table.edge
        ]
        sizes = self._table.sizes
        topic = TableTopic(
            edge_mm=list(self._table.edge_mm),
            sides=sides,
            tiles=tiles_of(course),
            lines=lines_of(course),
            tile_mm=sizes.tile_mm,
            coin_mm=sizes.coin_mm,
            rack_mm=[],
            notes=list(notes),
        )
        self.feed.show(Topics(table=topic))

    def coins(
        self,
        builder: EpisodeBuilder,
        t_s: float,
        flick: int,
        names: Mapping[str, str] | None = None,
        *,
        now: bool = False,
    ) -> None:
        """Show where the coins are and the paths of those that move, at most twenty times a second.
        `names` maps names under which coins are followed to their true names.
        """
        if not now and t_s - self._last_coins_s < COINS_EVERY_S:
            return
        self._last_coins_s = t_s
        coins: dict[str, Lie] = {}
        ways: dict[str, list[Point]] = {}
        for seen, coin in builder.tracker.coins.items():
            name = (names or {}).get(seen, seen)
            at = (
                coin.sightings[-1].at_mm
                if coin.sightings
                else (coin.rest.at_mm if coin.rest else None)
            )
            if coin.lies is not None:
                at = coin.lies.at_mm
            at_mm = None if coin.state is State.OFF_TABLE else at
            lies = State.REST if coin.state is State.ON_STACK else coin.state
            coins[name] = Lie(at_mm=at_mm, state=lies.value)
            if len(coin.sightings) > 1:
                ways[name] = [
                    *([coin.before.at_mm] if coin.before else []),
                    *(s.at_mm for s in coin.sightings),
                ]
        hand = builder.observation is not None and builder.observation.hand
        self.feed.show(Topics(coins=CoinsTopic(t_s=t_s, coins=coins, hand=hand)))
        if ways:
            self.feed.show(Topics(path=PathTopic(flick=flick, coins=ways)))

    def failure(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Show why the program stops. Register this with an `ExitStack`, which passes the exception
        to it.
        """
        if isinstance(error, InputError):
            self.doing("failed", str(error))
        elif error is not None and self._phase != "finished":
            self.doing(
                "failed",
                (
                    "The program was stopped."
                    if isinstance(error, KeyboardInterrupt)
                    else f"The program failed ({type(error).__name__})."
                ),
            )

    def progress(self, t_s: float, share: float | None) -> None:
        """Show how much of the source has been read, at most twice a second. `share` is None for a
        source without an end.
        """
        if self._phase != "watching" or 0 <= t_s - self._last_progress_s < PROGRESS_EVERY_S:
            return
        self._last_progress_s = t_s
        self.doing("watching", "Watching.", t_s, share)

    def standing(self, folded: Fold, log: RecordLog, record: Path) -> None:
        """Show the standings, the evidence for the calls, and the rulings; remove the provisional
        calls. `log` must have read the fold, and `record` is the record's file.
        """
        self._match(folded.setup)
        adjudication = summary(folded)
        self.feed.show(
            Topics(
                evidence=log.evidence,
                rulings=log.rulings(folded),
                record=record_topic(record, folded),
                standing=standing_topic(adjudication),
                calls=list(adjudication.calls),
                irregularities=log.irregularities(adjudication.irregularities),
                provisional=[],
            )
        )

    def provisional(self, calls: Sequence[Call], incidents: Sequence[Incident]) -> None:
        """Show the calls so far while coins still move, each with the margin of its incident."""
        rests_on = {
            incident.id or f"~{number}": incident
            for number, incident in enumerate(incidents, start=1)
        }
        made = [provisional(call, rests_on.get(call.on)) for call in calls]
        self.feed.show(Topics(provisional=made))

    def naming(self, naming: CoinNaming, builder: EpisodeBuilder, free: Sequence[str]) -> None:
        """Ask which coin is which, with a picture of the table taken while the coins lay still, and
        a picture of each coin if there is one.
        """
        if (jpeg := table_picture(builder)) is not None:
            self.feed.publish_picture("naming", Picture("image/jpeg", jpeg))
        still, known = builder.gathered.still, builder.known()
        asked = [self._asked(naming, number, builder, free) for number in naming.unsure]
        others = [
            seen_in(still, rest.at_mm, self._table.sizes)
            for number, rest in known.items()
            if still is not None and number not in naming.unsure
        ]
        size_px = None if still is None else still.size_px
        self.feed.show(Topics(naming=NamingTopic(coins=asked, others=others, picture_px=size_px)))

    def missing(
        self, text: str, coins: Sequence[str], lying: Mapping[str, Point], jpeg: bytes | None
    ) -> None:
        """Ask where the coins are that were not seen. `lying` are the places of the coins that were
        seen.
        """
        if jpeg is not None:
            self.feed.publish_picture("missing", Picture("image/jpeg", jpeg))
        asked = MissingTopic(
            text=text, coins=list(coins), lying=dict(lying), picture=jpeg is not None
        )
        self.feed.show(Topics(missing=asked))

    def _asked(
        self, naming: CoinNaming, number: str, builder: EpisodeBuilder, free: Sequence[str]
    ) -> CoinAsked:
        """Return the question about one coin, and publish the picture of its face."""
        odds, face = naming.odds.get(number, ()), face_picture(builder, number)
        topic = f"face-{number.removeprefix('?')}"
        if face is not None:
            self.feed.publish_picture(topic, Picture("image/jpeg", face))
        at_mm, still = builder.known()[number].at_mm, builder.gathered.still
        return CoinAsked(
            id=number,
            at_mm=at_mm,
            in_picture=None if still is None else seen_in(still, at_mm, self._table.sizes),
            guess=naming.names.get(number),
            probability=odds[0][1] if odds else 0.0,
            candidates=[name for name, _ in odds] or list(free),
            odds=[share for _, share in odds],
            face=topic if face is not None else None,
        )


def suit_colours(pieces: PieceSet | None) -> dict[str, str]:
    """Return the colours of a set's suits, one word each. Suits whose face was not learnt are left
    out.
    """
    found = {
        suit: mark_colour_of(pieces.faces[suit])
        for suit in SUITS
        if pieces is not None and suit in pieces.faces
    }
    return {suit: word for suit, word in found.items() if word is not None}

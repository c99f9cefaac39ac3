"""The types of the topics that ask what only people know, before play begins."""

from __future__ import annotations

from referee.desk.page_topics.game_topics import Point, Shape


class InPicture(Shape, frozen=True, kw_only=True):
    """Where a coin's face is in a picture, and half the face's width there."""

    at_px: Point
    radius_px: float


class CoinAsked(Shape, frozen=True, kw_only=True):
    """A coin whose name is asked. `odds` are the probabilities of the possible names; 1 minus their
    sum is the probability that the coin is nobody's. `face` is the name of a picture of its face.
    `in_picture` is where the coin lies in the picture of the table.
    """

    id: str
    at_mm: Point
    in_picture: InPicture | None
    guess: str | None
    probability: float
    candidates: list[str]
    odds: list[float]
    face: str | None


class NamingTopic(Shape, frozen=True, kw_only=True):
    """The question which coin is which. `picture_px` is the width and height of the picture of the
    table with the coins at rest; None if there is no picture. `others` are the other coins in that
    picture.
    """

    coins: list[CoinAsked]
    others: list[InPicture]
    picture_px: tuple[int, int] | None


class MissingTopic(Shape, frozen=True, kw_only=True):
    """The question where the `coins` are that should lie on the table but were not seen. `lying`
    are the places of the coins that were seen. `picture` says whether there is a picture of the
    table.
    """

    text: str
    coins: list[str]
    lying: dict[str, Point]
    picture: bool


class CastleAsked(Shape, frozen=True, kw_only=True):
    """A castle that may be Moons': the side of the table at which it is, as the camera sees it, in
    the survey's word (`side`) and in players' words, and where its tower is in the picture.
    """

    side: str
    words: str
    in_picture: InPicture


class CastleTopic(Shape, frozen=True, kw_only=True):
    """The question which castle is Moons', where the survey could not tell. `picture_px` is the
    width and height of the picture of the table.
    """

    castles: list[CastleAsked]
    picture_px: tuple[int, int]

"""The types of a page's requests and of the server's answers.

The server decodes each request and encodes each answer with these structs. The page's own
declarations are generated from the same structs (`web_ui/types/contract.d.ts`). `Requests` and
`Answers` list them by address.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.desk.page_topics.game_topics import Point, QuestionShown, Shape, Square
from referee.desk.page_topics.topic_splices import Earlier
from referee.desk.page_topics.topics import IrregularityShown
from referee.domain.call import Call
from referee.domain.clause import Clause
from referee.reports.difference import Change, ChangeInWords
from referee.reports.flick_explanation import InFlick


def _one_of(kinds: str) -> msgspec.Meta:
    """Return the metadata for the fields of an entry of one of some kinds: the name of the page's
    declaration for them. The server decodes the fields later, when the game is known.
    """
    return msgspec.Meta(extra_json_schema={"$ref": f"#/definitions/{kinds}"})


class Request(Shape, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every request. A field that the server does not know is refused."""


class Declared(Request, frozen=True, kw_only=True):
    """A player makes the declaration `said`. `entries` is the number of entries that the page
    showed. If the record has more by now, nothing is written.
    """

    said: Annotated[dict[str, Any], _one_of("Declaration")]
    entries: int


class Played(Request, frozen=True, kw_only=True):
    """A roll, a move, or what a coin did (`done`). With `anyway` it is written even if the rules do
    not allow it.
    """

    done: Annotated[dict[str, Any], _one_of("Incident")]
    entries: int
    anyway: bool = False


class TakenBack(Request, frozen=True, kw_only=True):
    """The entry with the id `on` was a mistake: the last entry that counts, or a ruling made after
    it. `by`, who says so, may be empty.
    """

    on: str
    entries: int
    by: str = ""


class RouteAsked(Request, frozen=True, kw_only=True):
    """Asks which routes the ball in turn may take. `route` is the part entered so far: the points
    or spaces in order. With `to`, the ball is to go on to that place.
    """

    route: list[Square]
    to: Square | None = None
    entries: int


class Correction(Request, frozen=True, kw_only=True):
    """The fields of an incident in which it really differed from what was seen."""

    coin: str | UnsetType = UNSET
    with_: str | UnsetType = msgspec.field(default=UNSET, name="with")
    line: str | UnsetType = UNSET
    direction: str | UnsetType = UNSET
    pocket: str | UnsetType = UNSET
    face: str | int | UnsetType = UNSET


class SetupCorrection(Request, frozen=True, kw_only=True):
    """The setup as it should have been: the players' names in their order, and the options."""

    names: list[str]
    options: dict[str, Any]


class RulingAsked(Request, frozen=True, kw_only=True):
    """A ruling. `entries` is the number of entries that the record had when the page showed the
    ruling's effect.

    The verdict `replaced` needs one of `instead` (the changed fields of the incident), `told` (an
    entry that takes its place) and `setup` (for the first entry). The verdict `added` needs `told`
    (an entry that is added after `on`).
    """

    on: str
    verdict: Literal["upheld", "overturned", "replaced", "added"]
    instead: Correction | None = None
    told: dict[str, Any] | None = None
    setup: SetupCorrection | None = None
    then: Literal["keep", "rewind"] | None = None
    by: str = ""
    reason: str = ""
    entries: int | None = None


class QuestionAnswer(Request, frozen=True, kw_only=True):
    """A player's answer to a question. `verdict` is one of the question's answers.

    The verdict `before` needs `other`: `on` and `other` are the two incidents of the question, in
    the order in which they happened. The verdict `replaced` needs `coin`, the coin that was really
    flicked. `by` says who decides.
    """

    on: str
    verdict: Literal["upheld", "overturned", "before", "replaced", "rover", "leave"]
    other: str | None = None
    coin: str | None = None
    by: str | None = None


class PinEntered(Shape, frozen=True, kw_only=True):
    """The PIN that somebody entered; it may have spaces."""

    pin: str


class SessionsClosed(Shape, frozen=True, kw_only=True):
    """Asks to close all sessions except the one at the table."""


class Requests(Shape, frozen=True, kw_only=True):
    """The requests that the page sends, by address."""

    declarations: Declared = msgspec.field(name="/declarations")
    plays: Played = msgspec.field(name="/plays")
    plays_back: TakenBack = msgspec.field(name="/plays/back")
    routes: RouteAsked = msgspec.field(name="/routes")
    rulings: RulingAsked = msgspec.field(name="/rulings")
    rulings_weighed: RulingAsked = msgspec.field(name="/rulings/weighed")
    answers_question: QuestionAnswer = msgspec.field(name="/answers/question")
    answers_naming: dict[str, str] = msgspec.field(name="/answers/naming")
    answers_missing: dict[str, Point | None] = msgspec.field(name="/answers/missing")
    answers_castle: str = msgspec.field(name="/answers/castle")
    access_pin: PinEntered = msgspec.field(name="/access/pin")
    access_closed: SessionsClosed = msgspec.field(name="/access/closed")


class Problem(Shape, frozen=True, kw_only=True):
    """What is wrong with a request. If `anyway` is set, the page may send the request again with
    `anyway`, and it is then carried out.
    """

    error: str
    anyway: bool = False


class Weighed(Shape, frozen=True, kw_only=True):
    """What a ruling would change in a record with `entries` entries: in words for players (`told`)
    and field by field (`changes`). `played_on` are flicks that players then made without the right
    to, or turns that then ended too early.
    """

    entries: int
    changes: list[Change]
    told: list[ChangeInWords]
    calls_gone: list[Call]
    calls_new: list[Call]
    irregularities_gone: list[IrregularityShown]
    irregularities_new: list[IrregularityShown]
    questions_gone: list[QuestionShown]
    questions_new: list[QuestionShown]
    played_on: list[IrregularityShown]


class Explained(Shape, frozen=True, kw_only=True):
    """Why the rules decided the entry `on` as they did. `flick` explains first what must be known
    about the flick to which the entry belongs.
    """

    on: str
    flick: InFlick | None
    clauses: list[Clause]


class RouteFound(Shape, frozen=True, kw_only=True):
    """A route as far as it was entered, and the place where the ball is put down at its end. `told`
    says what the ball passes and hits, and `ready` whether the route can be entered as it is.
    `left` is how many steps the dice still allow (None without dice), and `next` are the places to
    which one more step may lead.
    """

    route: list[Square]
    down: Square
    told: list[str]
    ready: bool
    left: int | None
    next: list[Square]


class RoutesFound(Shape, frozen=True, kw_only=True):
    """The routes that the rules allow, at most two. If there is none, `why` says why."""

    routes: list[RouteFound]
    why: str


class OptionOffered(Shape, frozen=True, kw_only=True):
    """An option of the game: what it means, its `value` in this match, and all its `choices`."""

    name: str
    meaning: str
    value: Any
    choices: list[Any]


class SetupShown(Shape, frozen=True, kw_only=True):
    """The parts of the setup that people can correct: the players' names, and options."""

    players: list[str]
    options: list[OptionOffered]


#: Time, x and y in mm of the table frame, standard uncertainty in mm, and whether the coin was seen
#: there (0: the place was computed).
FlickPoint = tuple[float, float, float, float, Literal[0, 1]]


class FlickPaths(Shape, frozen=True, kw_only=True):
    """The path of every coin in one flick, by the coin's name."""

    flick: int
    coins: dict[str, list[FlickPoint]]


class AccessShown(Shape, frozen=True, kw_only=True):
    """What a device may do in this `run` of the program. Only the session at the table gets the
    `pin`. `addresses` are the addresses of the page for other devices.
    """

    run: str
    may: Literal["look", "rule"]
    pin: str | None
    addresses: list[str]


#: A pixel, x to the right and y down from the centre of the top left pixel of the clip's pictures.
Pixel = tuple[float, float]
#: Time in s since the clip begins, x and y in px, and whether the coin was seen there.
PathPixel = tuple[float, float, float, Literal[0, 1]]


class CoinOutline(Shape, frozen=True, kw_only=True):
    """A coin in a picture: the circle on which it stands, the rim of its upper side, and its centre
    on the table. Each is empty if it is not in front of the camera.
    """

    foot: list[Pixel]
    rim: list[Pixel]
    centre: list[Pixel]


class ViewOutlines(Shape, frozen=True, kw_only=True):
    """The table as the camera sees it from `from_s` on (in s since the beginning of the clip): the
    lines and the tiles of the course by name, and the table's outline, all bent by the lens.
    """

    from_s: float
    lines: dict[str, list[Pixel]]
    tiles: dict[str, list[Pixel]]
    edge: list[Pixel]


class ClipOutlines(Shape, frozen=True, kw_only=True):
    """The outlines that can be drawn over the pictures of a clip, whose size is `width_px` by
    `height_px`.

    The clip begins at `from_s` of the match. `frames_s` says when each of its pictures was taken,
    in s since the beginning of the clip. `incidents` has, by the id of an entry, the coins that the
    entry names, at the places where they were at its time.
    """

    width_px: int
    height_px: int
    from_s: float
    frames_s: list[float]
    views: list[ViewOutlines]
    paths: dict[str, list[PathPixel]]
    incidents: dict[str, dict[str, CoinOutline]]


class Answers(Shape, frozen=True, kw_only=True):
    """The server's answers, by the address of the request. Other requests get an empty answer.
    Every request may get a `problem` instead.
    """

    problem: Problem
    explained: Explained = msgspec.field(name="/explained")
    beginning: SetupShown = msgspec.field(name="/beginning")
    earlier: Earlier = msgspec.field(name="/earlier")
    flicks: FlickPaths = msgspec.field(name="/flicks")
    access: AccessShown = msgspec.field(name="/access")
    outlines: ClipOutlines = msgspec.field(name="/outlines")
    rulings_weighed: Weighed = msgspec.field(name="/rulings/weighed")
    routes: RoutesFound = msgspec.field(name="/routes")

"""The live page of a running match: the table from above, the calls, and the questions that only
players can answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from referee.desk.feed import Feed
from referee.desk.messages import QuestionAnswer
from referee.desk.page_topics.parts import PART_TOPICS
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.pieces import NOBODY
from web_ui.reading import answer_input_errors, check_length, read_as

#: How many earlier calls a page gets at once: as many as it draws.
EARLIER_CALLS: Final = 80


def pages(feed: Feed) -> Blueprint:
    """Return the blueprint of the live page, which shows what `feed` publishes."""
    live = Blueprint("live", __name__)
    answer_input_errors(live)

    @live.get("/")
    def page() -> ResponseReturnValue:
        return render_template("live.html")

    @live.get("/earlier")
    def earlier() -> ResponseReturnValue:
        """Return the calls before those that the page has, with their evidence. For each topic with
        parts, the request gives the number of the first part that the page has.
        """
        known_from = {name: request.args.get(name, 0, int) for name in PART_TOPICS}
        return Response(
            feed.earlier(known_from, EARLIER_CALLS),
            mimetype="application/json",
            headers={"Cache-Control": "no-store"},
        )

    @live.get("/pictures/<topic>")
    def picture(topic: str) -> ResponseReturnValue:
        shown = feed.picture(topic)
        if shown is None:
            abort(404)
        return Response(
            shown.content, mimetype=shown.media_type, headers={"Cache-Control": "no-store"}
        )

    _take_answers(live, feed)
    return live


def _take_answers(live: Blueprint, feed: Feed) -> None:
    """Let players answer what is asked."""

    @live.post("/answers/naming")
    def name_coins() -> ResponseReturnValue:
        names: dict[str, str] = read_as(dict[str, str], "naming of coins")
        return _taken("naming", names, _wrong_with_naming(feed.latest("naming"), names))

    @live.post("/answers/missing")
    def place_coins() -> ResponseReturnValue:
        places: dict[str, Point | None] = read_as(dict[str, Point | None], "answer")
        return _taken("missing", places, _wrong_with_places(feed.latest("missing"), places))

    @live.post("/answers/castle")
    def tell_castle() -> ResponseReturnValue:
        side: str = read_as(str, "answer")
        return _taken("castle", side, _wrong_with_castle(feed.latest("castle"), side))

    @live.post("/answers/question")
    def answer_question() -> ResponseReturnValue:
        answer: QuestionAnswer = read_as(QuestionAnswer, "answer")
        check_length(answer.by)
        wrong = _wrong_with_answer(feed.latest("standing"), answer)
        return _taken("standing", answer, wrong)

    def _taken(topic: str, answer: object, wrong: str | None) -> ResponseReturnValue:
        if wrong is None and not feed.answer(topic, answer):
            wrong = "Nothing is asked any more."
        if wrong is not None:
            raise InputError(wrong)
        return "", 204


def _wrong_with_answer(standing: Any, answer: QuestionAnswer) -> str | None:
    """Return what is wrong with `answer` to a question in the `standing` topic's value; None when
    nothing is.

    `answer` must be `{on, verdict}`, where the verdict is one of the question's answers. With
    `before` it also needs `other`: `on` and `other` are the two incidents in the order in which
    they happened. With `replaced` it also needs `coin`, the coin that was really flicked. `by` says
    who decides.
    """
    for asked in (standing or {}).get("questions", ()):
        if answer.verdict in asked["answers"] and _is_about(asked, answer):
            return None
    return "There is no such question at the moment."


def _is_about(asked: dict[str, Any], answer: QuestionAnswer) -> bool:
    """Return whether the answer is about this question and has all the fields that it needs and no
    others.
    """
    if answer.verdict == "before":
        both = {answer.on, answer.other} == {asked["on"], asked.get("other")}
        return both and answer.coin is None
    return (
        bool(answer.on == asked["on"])
        and answer.other is None
        and (answer.coin is not None) == (answer.verdict == "replaced")
    )


def _wrong_with_naming(asked: Any, names: Mapping[str, str]) -> str | None:
    """Return what is wrong with `names` as an answer to `asked`, the value of the `naming` topic;
    None when nothing is.

    `names` must be `{id: coin}` with every coin that is asked about. Each name must be one of the
    coin's candidates and given only once, or `nobody`.
    """
    if not asked or not asked.get("coins"):
        return "Nothing is asked at the moment."
    candidates = {str(coin["id"]): coin["candidates"] for coin in asked["coins"]}
    if set(names) != set(candidates):
        return f"The answer must name {_listed(sorted(candidates))} and nothing else."
    for key, name in names.items():
        if name not in (*candidates[key], NOBODY):
            return f"Coin {key} can only be {_listed([*candidates[key], NOBODY])}."
    given = [name for name in names.values() if name != NOBODY]
    if len(set(given)) < len(given):
        return "Two coins were given the same name."
    return None


def _wrong_with_places(asked: Any, places: Mapping[str, Point | None]) -> str | None:
    """Return what is wrong with `places` as an answer to `asked`, the value of the `missing` topic;
    None when nothing is.

    Every missing coin needs a place on the table, or None where it is not on the table yet. No two
    coins can lie in one place.
    """
    if not asked:
        return "Nothing is asked at the moment."
    if set(places) != set(asked["coins"]):
        return f"The answer must place {_listed(asked['coins'])} and nothing else."
    taken: dict[str, Sequence[float]] = {}
    for coin, at_mm in places.items():
        if at_mm is None:
            continue
        if not all(map(math.isfinite, at_mm)):
            return f"The place of {coin} must be two numbers."
        near = next((c for c, at in taken.items() if math.dist(at, at_mm) < 1), None)
        if near is not None:
            return f"{coin} and {near} cannot lie in one place."
        taken[coin] = at_mm
    return None


def _wrong_with_castle(asked: Any, side: str) -> str | None:
    """Return what is wrong with `side` as an answer to `asked`, the value of the `castle` topic;
    None when nothing is.
    """
    if not asked:
        return "Nothing is asked at the moment."
    sides = [castle["side"] for castle in asked["castles"]]
    return None if side in sides else f"The castle can only be at one of these: {_listed(sides)}."


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)

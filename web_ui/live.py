"""The live page of a running match: the table from above, the calls, and the questions that only
players can answer.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from referee.desk.feed import Feed
from referee.desk.messages import QuestionAnswer
from referee.desk.page_topics.parts import PART_TOPICS
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from web_ui.answering import wrong_with_answer
from web_ui.naming import wrong_with_naming, wrong_with_places
from web_ui.reading import check_length, read_as, tell_what_is_wrong

#: How many earlier calls a page gets at once: as many as it draws.
EARLIER_CALLS: Final = 80


def pages(feed: Feed) -> Blueprint:
    """Return the blueprint of the live page, which shows what `feed` publishes."""
    live = Blueprint("live", __name__)
    tell_what_is_wrong(live)

    @live.get("/")
    def page() -> ResponseReturnValue:
        return render_template("live.html")

    @live.get("/earlier")
    def earlier() -> ResponseReturnValue:
        """Answer the calls before those that the page knows, and what belongs to them. For each
        topic with parts, the page names the place from which on it knows them.
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
        return _taken("naming", names, wrong_with_naming(feed.latest("naming"), names))

    @live.post("/answers/missing")
    def place_coins() -> ResponseReturnValue:
        places: dict[str, Point | None] = read_as(dict[str, Point | None], "answer")
        return _taken("missing", places, wrong_with_places(feed.latest("missing"), places))

    @live.post("/answers/question")
    def answer_question() -> ResponseReturnValue:
        answer: QuestionAnswer = read_as(QuestionAnswer, "answer")
        check_length(answer.by)
        wrong = wrong_with_answer(feed.latest("standing"), answer)
        return _taken("standing", answer, wrong)

    def _taken(topic: str, answer: object, wrong: str | None) -> ResponseReturnValue:
        if wrong is None and not feed.answer(topic, answer):
            wrong = "Nothing is asked any more."
        if wrong is not None:
            raise InputError(wrong)
        return "", 204

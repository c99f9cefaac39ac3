"""The live page of a running match: the table from above, the calls, and what only players can
answer.
"""

from __future__ import annotations

import threading
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from referee.desk.feed import Feed
from web_ui.answering import wrong_with_answer
from web_ui.naming import wrong_with_naming
from web_ui.stream import events


def pages(feed: Feed, listeners: int) -> Blueprint:
    """The blueprint of the live page over `feed`; at most `listeners` browsers hear of changes at
    the same time.
    """
    live = Blueprint("live", __name__)
    free_places = threading.BoundedSemaphore(listeners)

    @live.get("/")
    def page() -> ResponseReturnValue:
        return render_template("live.html")

    @live.get("/events")
    def stream() -> ResponseReturnValue:
        if not free_places.acquire(blocking=False):
            return jsonify(error="Too many pages are open already."), 503
        response = Response(
            events(
                feed.subscribe(),
                feed,
                gone=request.environ.get("waitress.client_disconnected", lambda: False),
            ),
            mimetype="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        response.call_on_close(free_places.release)
        return response

    @live.get("/pictures/<topic>")
    def picture(topic: str) -> ResponseReturnValue:
        shown = feed.picture(topic)
        if shown is None:
            abort(404)
        return Response(
            shown.content, mimetype=shown.media_type, headers={"Cache-Control": "no-store"}
        )

    @live.post("/answers/naming")
    def name_coins() -> ResponseReturnValue:
        names: Any = request.get_json(silent=True)
        wrong = wrong_with_naming(feed.snapshot().get("naming"), names)
        if wrong is None and not feed.answer("naming", names):
            wrong = "Nothing is asked any more."
        return (jsonify(error=wrong), 400) if wrong else ("", 204)

    @live.post("/answers/question")
    def answer_question() -> ResponseReturnValue:
        answer: Any = request.get_json(silent=True)
        wrong = wrong_with_answer(feed.snapshot().get("standing"), answer)
        if wrong is None and not feed.answer("standing", answer):
            wrong = "Nothing is asked any more."
        return (jsonify(error=wrong), 400) if wrong else ("", 204)

    return live

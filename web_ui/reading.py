"""Reads what the pages send, and checks its type. An error is one line that says what is wrong."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from referee.desk.messages import Problem
from referee.domain.errors import InputError
from referee.record.decode_errors import check_json, decode_as

LONGEST: Final = 200


def read_as(wanted: Any, what: str) -> Any:
    """Return what this request sent, as the type `wanted`. Raises InputError if it has another
    type; in the message, `what` names the thing expected.
    """
    body = request.get_data()
    try:
        read = decode_as(body, wanted)
        check_json(body)
    except InputError as error:
        raise InputError(f"This {what} cannot be used: {error}") from error
    return read


def check_length(*texts: str | None) -> None:
    """Refuse names and reasons that are too long. Raises InputError."""
    if any(text is not None and len(text) > LONGEST for text in texts):
        raise InputError(f"A name or reason may have at most {LONGEST} characters.")


def written(answer: msgspec.Struct, cache: str = "no-store") -> Response:
    """Return an answer as JSON. `cache` is the Cache-Control header."""
    body = msgspec.json.encode(answer)
    return Response(body, mimetype="application/json", headers={"Cache-Control": cache})


def problem(text: str, status: int = 400, *, anyway: bool = False) -> ResponseReturnValue:
    """Return the answer that says what is wrong."""
    return written(Problem(error=text, anyway=anyway)), status


def answer_input_errors(pages: Blueprint) -> None:
    """Answer a request that raises InputError with the error's text, which is one line."""

    @pages.errorhandler(InputError)
    def refused(error: InputError) -> ResponseReturnValue:
        return problem(str(error))

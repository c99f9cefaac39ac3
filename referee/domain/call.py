"""The verdicts of the rules: calls, irregularities and questions. They are computed from the record
and never stored.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Call(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One verdict of the rules. `on` is the entry that caused it, and `rule` the section of the
    rules text that it follows from.

    `coin` is the coin that gained or lost something, and `player` its owner. If the call is about
    two coins, `with_` is the other one; for a hit, `coin` is the coin that hit. `flicks` is the
    number of flicks earned, negative when flicks are lost, and None for a call that cannot earn or
    lose flicks. `facts` are further fields of the call, as plain values (for instance places in
    mm).
    """

    on: str
    call: str
    player: str | None = None
    coin: str | None = None
    with_: str | None = msgspec.field(default=None, name="with")
    place: str | None = None
    flicks: int | None = None
    rule: str
    text: str
    facts: dict[str, Any] | None = None


class Irregularity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Something that happened although the rules do not allow it. It never changes the score by
    itself.

    `placement` is True for a piece that was put down in a wrong place, and for an `at_rest` that
    contradicts what was seen. A ruling that changes earlier entries never adds such an irregularity
    to play that was already judged.
    """

    on: str
    what: str
    rule: str
    text: str
    coin: str | None = None
    player: str | None = None
    facts: dict[str, Any] | None = None
    placement: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What the referee must ask before it can go on.

    `what` is `too_close`, `order` (`other` is the second incident), `wrong_flick`, `met_again`,
    `unseen` or `rover`. `answers` are the verdicts that a ruling may give to answer the question;
    for `rover`, they are the declarations that answer it. A `weighed` question is only asked if its
    two answers lead to different standings, a different turn or a different winner once all pieces
    lie still. Play can go on before an `open` question is answered.
    """

    on: str
    what: str
    rule: str
    text: str
    answers: tuple[str, ...]
    other: str | None = None
    coin: str | None = None
    player: str | None = None
    weighed: bool = False
    open: bool = False


Verdict = Call | Irregularity | Question


def plain(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as a plain dictionary, as `referee adjudicate --json` prints it."""
    values: dict[str, Any] = msgspec.to_builtins(verdict)
    for inner in ("placement", "weighed", "open"):
        values.pop(inner, None)
    values.update(values.pop("facts", None) or {})
    if "answers" in values:
        values["answers"] = list(values["answers"])
    return values

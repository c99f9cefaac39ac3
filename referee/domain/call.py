"""What the rules make of a record: calls, irregularities and questions. Derived, never stored."""

from __future__ import annotations

from typing import Any

import msgspec


class Call(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One verdict of the rules: `on` is the entry that caused it, `rule` the section of the rules
    text it rests on.

    `coin` and `player` are the coin that gained or suffered and its owner (of a hit: the
    striker's), `with_` the other one. `flicks` is what was earned, negative what was lost; None
    where no flicks can be meant. `facts` are added fields, as plain values (places in mm, for
    instance).
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
    """What the rules do not allow but the table did; it never changes the score by itself.

    `placement` marks what no later ruling makes wrong: placements, and rests that contradict.
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

    `what`: `too_close`, `order` (then `other` is the second incident), `wrong_flick`, `met_again`,
    `unseen`, `rover`. `answers` are the rulings' verdicts (or, of `rover`, the declarations) that
    answer it. `weighed` questions are only asked when the two answers differ in standings, turn or
    winner at rest; `open` ones do not keep the play from going on.
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
    """The verdict as adjudication prints it."""
    values: dict[str, Any] = msgspec.to_builtins(verdict)
    for inner in ("placement", "weighed", "open"):
        values.pop(inner, None)
    values.update(values.pop("facts", None) or {})
    if "answers" in values:
        values["answers"] = list(values["answers"])
    return values

"""What the stream sends to pages: whole topics, and for topics with a part for each entry only the
changes (see `referee.desk.page_topics.parts`).
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from referee.desk.page_topics.game_topics import Shape
from referee.desk.page_topics.topics import Evidence, IrregularityShown, RulingMade, Topics
from referee.domain.call import Call


class CallSplices(Shape, frozen=True, kw_only=True):
    """An update of a topic with a part for each entry: splices `[at, drop, parts]`. At place `at`,
    `drop` parts are removed and `parts` are put in. With `whole` there is one splice: it has the
    last parts, and replaces all parts that the page has. `edition` changes when an earlier part
    changes.
    """

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[Call]]]


class EvidenceSplices(Shape, frozen=True, kw_only=True):
    """An update of the evidence, like `CallSplices`. Each part is an entry's id with its
    evidence.
    """

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[tuple[str, Evidence]]]]


class IrregularitySplices(Shape, frozen=True, kw_only=True):
    """An update of the irregularities, like `CallSplices`."""

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[IrregularityShown]]]


class RulingSplices(Shape, frozen=True, kw_only=True):
    """An update of the rulings, like `CallSplices`."""

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[RulingMade]]]


class Earlier(Shape, frozen=True, kw_only=True):
    """Parts that are earlier than those that a page has: one splice for each topic, which removes
    nothing. They are the last calls before the page's first call, and the parts of other topics for
    the same entries.
    """

    calls: CallSplices | UnsetType = UNSET
    evidence: EvidenceSplices | UnsetType = UNSET
    irregularities: IrregularitySplices | UnsetType = UNSET
    rulings: RulingSplices | UnsetType = UNSET


class TopicsSent(Topics, frozen=True, kw_only=True):
    """What the stream sends: whole topics, and for topics with a part for each entry only the
    changes.
    """

    calls: CallSplices | UnsetType | None = UNSET  # type: ignore[assignment]
    evidence: EvidenceSplices | UnsetType | None = UNSET  # type: ignore[assignment]
    irregularities: IrregularitySplices | UnsetType | None = UNSET  # type: ignore[assignment]
    rulings: RulingSplices | UnsetType | None = UNSET  # type: ignore[assignment]

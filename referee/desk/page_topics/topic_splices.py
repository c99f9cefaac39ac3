"""What the stream sends to pages: the topics, and of those with a part for each entry what changes
(`referee.desk.page_topics.parts`).
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from referee.desk.page_topics.game_topics import Shape
from referee.desk.page_topics.topics import Evidence, IrregularityShown, RulingMade, Topics
from referee.domain.call import Call


class CallSplices(Shape, frozen=True, kw_only=True):
    """What a page is sent of a topic with a part for each entry: splices `[at, drop, parts]`. At
    place `at`, `drop` parts go and `parts` come. With `whole` there is one, which has the last
    parts and replaces all that the page knew. `edition` changes when an earlier part does.
    """

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[Call]]]


class EvidenceSplices(Shape, frozen=True, kw_only=True):
    """The same of evidence. Each part is an entry's id with its evidence."""

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[tuple[str, Evidence]]]]


class IrregularitySplices(Shape, frozen=True, kw_only=True):
    """The same of irregularities."""

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[IrregularityShown]]]


class RulingSplices(Shape, frozen=True, kw_only=True):
    """The same of rulings."""

    edition: int
    whole: bool
    splices: list[tuple[int, int, list[RulingMade]]]


class Earlier(Shape, frozen=True, kw_only=True):
    """Parts that are earlier than those a page knows: one splice of each topic, which takes nothing
    out. There are the last calls before, and what belongs to the same entries.
    """

    calls: CallSplices | UnsetType = UNSET
    evidence: EvidenceSplices | UnsetType = UNSET
    irregularities: IrregularitySplices | UnsetType = UNSET
    rulings: RulingSplices | UnsetType = UNSET


class TopicsSent(Topics, frozen=True, kw_only=True):
    """What the stream sends: topics whole, and of those with a part for each entry what changes."""

    calls: CallSplices | UnsetType | None = UNSET  # type: ignore[assignment]
    evidence: EvidenceSplices | UnsetType | None = UNSET  # type: ignore[assignment]
    irregularities: IrregularitySplices | UnsetType | None = UNSET  # type: ignore[assignment]
    rulings: RulingSplices | UnsetType | None = UNSET  # type: ignore[assignment]

"""What is wrong with a live source is said while it runs."""

from __future__ import annotations

from referee.session.source_notes import SourceNotes


def test_each_kind_of_trouble_is_said_once_however_far_it_counts() -> None:
    said: list[str] = []
    notes = SourceNotes(said.append)
    notes.tell(["camera 0: 1 damaged packets were left out"])
    notes.tell(["camera 0: 7 damaged packets were left out"])
    notes.tell(["camera 0: 8 damaged packets were left out", "camera 0: 2 pictures came in"])
    assert said == ["camera 0: 1 damaged packets were left out", "camera 0: 2 pictures came in"]

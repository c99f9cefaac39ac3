"""Each flick is drawn where the discs lie after it, also if the next one began under the hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from referee.free_play.folder import FreePlayFolder


def flick(number: int, begun_s: float) -> Any:
    points = {"A": (SimpleNamespace(t_s=begun_s),)}
    return SimpleNamespace(number=number, points=points, incidents=())


@pytest.mark.parametrize("rest_seen", [True, False])
def test_two_flicks_of_one_report_are_drawn_in_frames_of_their_own(
    tmp_path, monkeypatch: pytest.MonkeyPatch, rest_seen: bool
) -> None:
    """The flicks begin after 1.2 s and 4.3 s. A frame is kept every half second."""
    drawn: dict[str, float] = {}
    monkeypatch.setattr(
        "referee.free_play.folder.save_picture", lambda path, t_s: drawn.update({path.name: t_s})
    )
    for part in ("_append", "_path_rows", "_figure_rows", "_near_rows", "_write_incidents"):
        monkeypatch.setattr(FreePlayFolder, part, lambda *_: ())
    monkeypatch.setattr(FreePlayFolder, "write_page", lambda _: None)
    monkeypatch.setattr(FreePlayFolder, "_drawn", lambda _, report, bgr: bgr)
    frames = [SimpleNamespace(t_s=k / 10, bgr=lambda t_s=k / 10: t_s) for k in range(61)]
    play: Any = SimpleNamespace(
        take=lambda f: ([flick(1, 1.2), flick(2, 4.3)] if f is frames[-1] else [], []),
        all_at_rest=False,
    )
    folder = FreePlayFolder(tmp_path, play)
    for frame in frames:
        play.all_at_rest = rest_seen and frame.t_s == 5.5
        folder.take(frame)  # type: ignore[arg-type]
    assert drawn == {"flick-001.png": 4.0, "flick-002.png": 5.5 if rest_seen else 6.0}

"""A clip stored again shows the same frames at the same times with other pixels."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.refilmed import STORINGS, main, store
from referee.vision.sources.video import open_source

CLIP = Path(__file__).parents[2] / "fixtures" / "clips" / "touching" / "clip.mp4"


@pytest.mark.parametrize(("name", "brighter"), [("mjpeg", 0.0), ("dark", -20.0), ("bright", 15.0)])
def test_frames_stay_and_their_light_changes(tmp_path: Path, name: str, brighter: float) -> None:
    path = tmp_path / f"clip.{STORINGS[name].suffix}"
    store(CLIP, path, STORINGS[name])
    with open_source(str(CLIP)) as before, open_source(str(path)) as after:
        pairs = [
            (a.t_s, b.t_s, float(b.bgr().mean()) - float(a.bgr().mean()))
            for a, b in zip(before, after, strict=True)
        ]
    assert len(pairs) > 30
    assert all(a == pytest.approx(b, abs=0.002) for a, b, _ in pairs)
    change = float(np.mean([c for _, _, c in pairs]))
    assert abs(change) < 2.0 if brighter == 0.0 else change * np.sign(brighter) > abs(brighter)


def test_a_folder_without_a_clip_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "truth.json").write_text("{}")
    assert main([str(tmp_path / "out"), str(tmp_path)]) == 2
    assert str(tmp_path / "clip.mp4") in capsys.readouterr().err

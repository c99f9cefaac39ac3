"""What a run of free play said is compared with a drawn video's truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.free_play_score import score


@pytest.mark.parametrize(("chance", "wrong"), [(1.0, 1), (0.5, 0)])
def test_a_disc_that_nobody_took_away_is_wrong_where_it_is_certain(
    tmp_path: Path, chance: float, wrong: int
) -> None:
    (tmp_path / "paths.csv").write_text("coin,frame,x_px,y_px,seen\n")
    (tmp_path / "flicks.csv").write_text("flick,coin\n")
    (tmp_path / "incidents.jsonl").write_text(
        f'{{"kind": "placed", "t_s": 1.2, "coin": "E", "at_mm": null, "probability": {chance}}}\n'
    )
    truth = {"fps": 30, "discs": {}, "widths_px": {}, "events": [], "tracks": {}}
    assert score(truth, tmp_path).wrong == wrong

"""`referee paths` takes streams and cameras, too, and keeps what it has when it is interrupted."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.cli import cli, run
from referee.free_play import run as free_play_run
from referee.vision.sources.video import open_source
from tests.free_play.drawn_video import Slide, Table, lying, write_video
from tests.vision.sources.serving import sent

FLICK_S = 1.2
TABLE = Table(
    {"A": Slide((-150.0, -20.0), FLICK_S, (792.0, 113.0)), "B": lying((60.0, 60.0))},
    finger_mm=(-164.0, -30.0),
    finger_s=FLICK_S,
)


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    path = tmp_path_factory.mktemp("stream") / "play.mkv"
    write_video(path, TABLE, [k / 30 for k in range(69)], 30)
    return path


def flicked(out):
    facts = [json.loads(line) for line in (out / "incidents.jsonl").read_text().splitlines()]
    return [fact["coin"] for fact in facts if fact["kind"] == "flicked"]


def test_a_stream_is_followed_to_its_end(video, tmp_path):
    with sent(video.read_bytes()) as address:
        result = CliRunner().invoke(cli, ["paths", address, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert flicked(tmp_path / "out") == ["A"]
    assert address in (tmp_path / "out" / "index.html").read_text()


def test_a_camera_is_followed_by_its_number_until_it_is_interrupted(video, tmp_path, monkeypatch):
    """Ctrl-C is how a camera's run ends: what it saw until then is written."""

    class Camera:
        def __init__(self, number):
            self.number, self.source = number, open_source(str(video))

        def __getattr__(self, name):
            return getattr(self.source, name)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.source.__exit__(*error)

        def __iter__(self):
            yield from self.source
            raise KeyboardInterrupt

    monkeypatch.setattr(free_play_run, "open_source", Camera)
    out = tmp_path / "out"
    assert run(["paths", "0", "--out", str(out)]) == 130
    assert flicked(out) == ["A"]
    assert "camera 0" in (out / "index.html").read_text()
    assert len((out / "discs.csv").read_text().splitlines()) == 3  # the head, A and B


def test_a_stream_that_nobody_sends_is_refused_in_one_line(capsys, tmp_path):
    with pytest.raises(SystemExit) as ended:
        run(["paths", "http://127.0.0.1:9/live", "--out", str(tmp_path / "out")])
    error = capsys.readouterr().err
    assert ended.value.code == 2 and error.count("\n") == 1 and "127.0.0.1:9" in error

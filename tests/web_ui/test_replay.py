"""Looking again at a flick: its clip as a browser plays it, the clip as it was recorded, and its
paths.
"""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from flask.testing import FlaskClient

from referee.desk.feed import Feed
from referee.library.archive import MatchFolder, PathPoint, open_folder
from web_ui.pages import create_app


@pytest.fixture
def folder(tmp_path: Path) -> MatchFolder:
    return open_folder(tmp_path / "match")


@pytest.fixture
def replay(feed: Feed, folder: MatchFolder) -> FlaskClient:
    return create_app(feed, folder).test_client()


def write_clip(path: Path, codec: str = "mjpeg", pixels: str = "yuvj422p") -> bytes:
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=30)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pixels
        for i in range(5):
            frame = av.VideoFrame.from_ndarray(
                np.full((48, 64, 3), 40 * i, np.uint8), format="bgr24"
            ).reformat(format=pixels)
            frame.pts = i
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path.read_bytes()


def test_a_webcams_clip_is_made_to_play_and_can_be_had_as_it_was_recorded(
    replay: FlaskClient, folder: MatchFolder
) -> None:
    recorded = write_clip(folder.clip("flick-0001", ".mkv"))
    shown = replay.get("/clips/flick-0001.mkv", buffered=True)
    assert (shown.status_code, shown.mimetype) == (200, "video/mp4")
    assert shown.data[4:8] == b"ftyp"
    assert b"avc1" in shown.data
    original = replay.get("/clips/flick-0001.mkv/original", buffered=True)
    assert original.data == recorded
    assert original.headers["Content-Disposition"] == "attachment; filename=flick-0001.mkv"


def test_a_clip_that_plays_is_given_as_it_is_and_in_parts(
    replay: FlaskClient, folder: MatchFolder
) -> None:
    recorded = write_clip(folder.clip("flick-0001", ".mp4"), "libx264", "yuv420p")
    assert replay.get("/clips/flick-0001.mp4", buffered=True).data == recorded
    part = replay.get("/clips/flick-0001.mp4", buffered=True, headers={"Range": "bytes=4-7"})
    assert (part.status_code, part.data) == (206, b"ftyp")
    assert [path.name for path in folder.clip("", "").iterdir()] == ["flick-0001.mp4"]


def test_a_clip_that_cannot_be_read_is_said_to_be(replay: FlaskClient, folder: MatchFolder) -> None:
    folder.clip("flick-0001", ".mkv").write_bytes(b"no video")
    refused = replay.get("/clips/flick-0001.mkv", buffered=True)
    assert refused.status_code == 415
    assert "flick-0001.mkv: cannot be converted for a browser" in refused.get_json()["error"]


@pytest.mark.parametrize(
    "name",
    [
        "none.mp4",
        "..%2Frecord.jsonl",
        "%2e%2e%2Frecord.jsonl",
        "..",
        "%2Fetc%2Fpasswd",
        "for-browsers",
        "%00",
        "a%00.mp4",
        "x" * 5000,
    ],
)
def test_nothing_but_clips_is_given(replay: FlaskClient, folder: MatchFolder, name: str) -> None:
    folder.record.write_text("{}")
    assert replay.get(f"/clips/{name}", buffered=True).status_code in (404, 308)
    assert replay.get(f"/clips/{name}/original", buffered=True).status_code in (404, 308)


def test_the_paths_of_one_flick(replay: FlaskClient, folder: MatchFolder) -> None:
    folder.put_paths(1, [PathPoint(1, "suns", 1.0, 2.0, 3.0, 0.25, True)])
    folder.put_paths(
        2,
        [
            PathPoint(2, "suns", 5.0, 6.0, 7.0, 0.5, True),
            PathPoint(2, "null", 5.0, 1.5, -1.5, 2.0, False),
        ],
    )
    assert replay.get("/flicks/2").get_json() == {
        "flick": 2,
        "coins": {"suns": [[5.0, 6.0, 7.0, 0.5, 1]], "null": [[5.0, 1.5, -1.5, 2.0, 0]]},
    }
    assert replay.get("/flicks/3").status_code == 404
    assert replay.get("/flicks/-1").status_code == 404


@pytest.mark.parametrize(
    "line",
    [
        b"1,suns,x,1,1,1,1\n",
        b"1,suns\n",
        b"1,su\xffns,1,1,1,1,1\n",
        b"1," + b"x" * 200_000 + b",1,1,1,1,1\n",
    ],
)
def test_paths_that_cannot_be_read_are_said_in_a_line(
    replay: FlaskClient, folder: MatchFolder, line: bytes
) -> None:
    with folder.paths.open("ab") as out:
        out.write(line)
    answer = replay.get("/flicks/1")
    assert answer.status_code == 400
    assert answer.json is not None and answer.json["error"].startswith(str(folder.paths))

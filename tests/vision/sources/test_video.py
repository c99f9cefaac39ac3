"""Files, streams and their times, with videos drawn for each test."""

from __future__ import annotations

import contextlib
import http.server
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import av
import numpy as np
import pytest

from referee.domain.errors import InputError
from referee.vision.sources.address import without_password
from referee.vision.sources.video import open_source

Video = Callable[..., Path]
EVEN_MS = [33 * i for i in range(20)]
UNEVEN_MS = [0, 33, 67, 200, 233, 240, 500, 1500, 1520]


def number_in(luma: np.ndarray) -> int:
    """Return the number of the frame that a drawn picture shows, from where its bar begins."""
    return int(np.argmax(luma[30:60].mean(axis=0) > 130)) // 4


def test_every_frame_comes_once_in_order_with_its_own_pixels(video: Video) -> None:
    with open_source(str(video("even.avi", EVEN_MS))) as source:
        assert [number_in(frame.luma) for frame in source] == list(range(20))
        assert source.shortfall is None
        assert source.notes == ()


@pytest.mark.parametrize(
    ("name", "codec"), [("uneven.mp4", "libx264"), ("uneven.mkv", "mjpeg"), ("uneven.mp4", "mjpeg")]
)
def test_times_are_the_streams_own_under_a_variable_frame_rate(
    video: Video, name: str, codec: str
) -> None:
    path = video(
        name, UNEVEN_MS, codec=codec, pixel_format="yuv420p" if codec == "libx264" else "yuvj420p"
    )
    with open_source(str(path)) as source:
        frames = [(number_in(f.luma), f.number, f.t_s) for f in source]
        assert source.shortfall is None
    assert [f[0] for f in frames] == list(range(len(UNEVEN_MS)))
    assert [f[1] for f in frames] == list(range(len(UNEVEN_MS)))
    assert [f[2] for f in frames] == pytest.approx([t / 1000 for t in UNEVEN_MS], abs=1e-4)


def test_time_counts_from_the_first_frame_when_the_stream_begins_later(video: Video) -> None:
    with open_source(str(video("late.mkv", [5000, 5040, 5100]))) as source:
        assert [f.t_s for f in source] == pytest.approx([0.0, 0.04, 0.1], abs=1e-4)


@pytest.mark.parametrize("pixel_format", ["yuvj420p", "yuvj422p", "yuvj444p"])
def test_luminance_is_a_view_without_the_decoders_padding(video: Video, pixel_format: str) -> None:
    with open_source(str(video("wide.avi", EVEN_MS[:3], pixel_format=pixel_format))) as source:
        frame = next(iter(source))
        assert (source.properties.width, source.properties.height) == (150, 90)
        assert source.properties.full_range
    assert frame.luma.shape == (90, 150)
    assert (
        frame.luma.strides[0] > 150
    )  # 150 is not a multiple of the decoder's alignment, so rows are padded
    assert frame.luma.base is not None
    assert abs(int(frame.luma[80, 140]) - 60) <= 4
    assert abs(int(frame.luma[45, 4]) - 200) <= 6


@pytest.mark.parametrize(
    ("codec", "pixel_format", "dark"),
    [
        ("ffv1", "gray", 60),  # full range, as drawn
        (
            "rawvideo",
            "yuyv422",
            round(16 + 60 * 219 / 255),
        ),  # limited range is left unchanged: BT.601
        ("rawvideo", "uyvy422", round(16 + 60 * 219 / 255)),
        ("rawvideo", "nv12", round(16 + 60 * 219 / 255)),
        ("ffv1", "yuv420p10le", round(16 + 60 * 219 / 255)),
        ("ffv1", "bgr0", 60),
    ],
)
def test_luminance_of_unusual_pixel_formats(
    video: Video, codec: str, pixel_format: str, dark: int
) -> None:
    with open_source(
        str(video("odd.nut", EVEN_MS[:4], codec=codec, pixel_format=pixel_format))
    ) as source:
        frames = list(source)
    assert [number_in(f.luma) for f in frames] == [0, 1, 2, 3]
    assert frames[0].luma.dtype == np.uint8
    assert abs(float(frames[0].luma[80:, 100:].mean()) - dark) <= 1.5


def test_colour_is_converted_when_it_is_asked_for(video: Video) -> None:
    with open_source(str(video("colour.avi", EVEN_MS[:2]))) as source:
        bgr = next(iter(source)).bgr()
    assert bgr.shape == (90, 150, 3)
    assert np.abs(bgr[45, 4].astype(int) - 200).max() <= 8


@pytest.mark.parametrize(
    ("degrees", "shape", "bar"),
    [(90, (150, 90), (145, 45)), (180, (90, 150), (45, 145)), (-90, (150, 90), (4, 45))],
)
def test_pictures_are_turned_upright_as_the_file_says(
    video: Video, degrees: int, shape: tuple[int, int], bar: tuple[int, int]
) -> None:
    path = video(
        "phone.mp4", EVEN_MS[:3], codec="libx264", pixel_format="yuv420p", rotation_deg=degrees
    )
    with open_source(str(path)) as source:
        frame = next(iter(source))
        assert (source.properties.height, source.properties.width) == shape
        assert source.properties.rotation_deg == degrees % 360
    assert frame.luma.shape == shape
    assert frame.luma[bar] > 150
    assert frame.bgr()[bar].min() > 150


def test_a_file_that_is_cut_short_gives_what_it_holds_and_says_so(video: Video) -> None:
    whole = video("cut.avi", [33 * i for i in range(30)])
    cut = whole.with_name("short.avi")
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with open_source(str(cut)) as source:
        seen = [number_in(f.luma) for f in source]
        shortfall = source.shortfall
    assert seen == list(range(len(seen)))
    assert 8 <= len(seen) <= 20
    assert shortfall is not None
    assert shortfall.startswith(f"{cut}: cut short: it breaks off after ")
    assert "\n" not in shortfall


def test_an_mp4_with_its_index_in_front_that_is_cut_short_says_so(video: Video) -> None:
    whole = video(
        "cut.mp4",
        [33 * i for i in range(30)],
        codec="libx264",
        pixel_format="yuv420p",
        options={"g": "5", "bf": "0"},
        container_options={"movflags": "faststart"},
    )
    cut = whole.with_name("short.mp4")
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * 0.7)])
    with open_source(str(cut)) as source:
        seen = [number_in(f.luma) for f in source]
        assert source.shortfall is not None
    assert seen == list(range(len(seen)))
    assert 0 < len(seen) < 30


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.mp4: no such file$"):
        open_source(str(tmp_path / "nowhere.mp4"))


def test_a_folder_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder, not a video"):
        open_source(str(tmp_path))


@pytest.mark.parametrize(
    "content", [b"", b"game: tabletop-croquet\n" * 200, bytes(range(256)) * 40]
)
def test_other_files_are_no_video(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "match.mp4"
    path.write_bytes(content)
    with pytest.raises(InputError) as wrong:
        open_source(str(path))
    assert str(wrong.value).startswith(f"{path}: ")
    assert "\n" not in str(wrong.value)


def test_text_is_not_taken_for_a_video(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Ann passes wicket 3.\n" * 100)
    with pytest.raises(InputError):
        open_source(str(path))


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(
            np.zeros((1, 800), dtype=np.int16), format="s16", layout="mono"
        )
        frame.rate = 8000
        out.mux(stream.encode(frame))
    with pytest.raises(InputError, match="holds no video"):
        open_source(str(path))


def test_a_camera_that_is_not_there() -> None:
    with pytest.raises(InputError, match="camera 97: "):
        open_source("97")


def test_a_stream_that_nobody_serves() -> None:
    with pytest.raises(
        InputError, match=r"^http://127\.0\.0\.1:9/live: the stream cannot be read \(.*\)$"
    ):
        open_source("http://ann:secret@127.0.0.1:9/live")


def test_passwords_are_not_shown() -> None:
    assert without_password("rtsp://ann:secret@10.0.0.5:554/live") == "rtsp://10.0.0.5:554/live"
    assert without_password("http://10.0.0.5/a@b") == "http://10.0.0.5/a@b"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the folder on localhost and give its address."""
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_Quiet, directory=str(folder))
    ) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.parametrize("name", ["stream.mkv", "stream.ts"])
def test_a_stream_on_localhost_gives_the_same_frames_as_the_file(video: Video, name: str) -> None:
    path = video(name, UNEVEN_MS, codec="libx264", pixel_format="yuv420p", options={"bf": "0"})
    with open_source(str(path)) as source:
        from_file = [(f.t_s, f.luma.tobytes()) for f in source]
    with served(path.parent) as address, open_source(f"{address}/{name}") as source:
        from_stream = [(f.t_s, f.luma.tobytes()) for f in source]
    assert len(from_file) == len(UNEVEN_MS)
    assert from_stream == from_file


def test_a_stream_that_is_missing_on_the_server(tmp_path: Path) -> None:
    with (
        served(tmp_path) as address,
        pytest.raises(InputError, match=r"the stream cannot be read \(.*404"),
    ):
        open_source(f"{address}/none.mp4")


def test_realtime_plays_at_the_streams_speed(video: Video) -> None:
    path = video("slow.avi", [33 * i for i in range(10)])
    began_s = time.monotonic()
    with open_source(str(path), realtime=True) as source:
        last_s = [f.t_s for f in source][-1]
    assert time.monotonic() - began_s >= last_s > 0.25


def test_frames_outlive_their_source(video: Video) -> None:
    with open_source(str(video("kept.avi", EVEN_MS[:6]))) as source:
        frames = list(source)
    assert [number_in(f.luma) for f in frames] == list(range(6))


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_the_number_of_threads_changes_nothing(video: Video, threads: int) -> None:
    path = video("threads.mp4", EVEN_MS, codec="libx264", pixel_format="yuv420p")
    with open_source(str(path), threads=threads) as source:
        assert [number_in(f.luma) for f in source] == list(range(20))

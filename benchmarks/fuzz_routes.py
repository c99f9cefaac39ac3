"""Sends odd requests to the pages of a record of each game: `python -m benchmarks.fuzz_routes
[--requests N] [--seed S] [--write FILE]`. Each must be answered, without status 500 and without a
traceback.
"""

from __future__ import annotations

import http.client
import json
import logging
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final
from urllib.parse import quote

from benchmarks.arguments import Arguments, positive
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.desk.serving.server import serve
from referee.library.archive import MatchFolder
from web_ui.access import Access, cookie_name
from web_ui.pages import create_app

REQUESTS: Final = 12_000
LONGEST_S: Final = 10.0  # a request must be answered within this time
SAMPLES: Final = Path(__file__).resolve().parent.parent / "fixtures" / "matches"
#: A folder of clips, for the requests that ask for one.
CLIP: Final = SAMPLES.parent / "clips" / "demo" / "clip.mp4"
READING: Final = (
    "/", "/tv", "/overlay", "/pictures/naming", "/clips/flick-0001.mp4",
    "/clips/flick-0001.mp4/original", "/flicks/1", "/explained?on=i1", "/beginning",
    "/static/page.css", "/favicon.ico", "/entries?before=3", "/events?after=1", "/access",
    "/access/code/0", "/enter/secret",
)  # fmt: skip
WRITING: Final = (
    "/answers/naming", "/answers/missing", "/answers/question", "/rulings", "/rulings/weighed",
    "/declarations", "/plays", "/plays/back", "/routes", "/access/pin", "/access/closed",
)  # fmt: skip
#: What is written into a path or a body in the place of something else.
SPLINTERS: Final = (
    "%00", "%2e%2e%2f", "../", "..\\", "%ff", "%", "%zz", "é", "\u202e", "a" * 300, "a" * 5_000,
    "/", "//", "?", "&on=", "#", ";", "'", '"', "<b>", "{{7*7}}", "-1", "0", "9" * 30, "1e999",
    "NaN", "null", "true", "[]", "{}", "[" * 200, "\\u0000", "\\ud800", "con", "nul:", "~", "\x7f",
)  # fmt: skip
BODIES: Final = (
    {"on": "i1", "verdict": "overturned", "by": "Ann", "reason": "x", "entries": 3},
    {"on": "setup", "verdict": "replaced", "by": "Ann", "reason": "x", "entries": 3},
    {"said": {"kind": "pass", "player": "Ann"}, "entries": 3},
    {"done": {"kind": "flicked", "coin": "suns"}, "entries": 3, "anyway": True},
    {"on": "i1", "entries": 3, "by": "Ann"},
    {"names": {"?1": "suns"}},
    {"on": "i1", "verdict": "upheld"},
    {"pin": "000000"},
    {},
)


def odd(text: str, chance: random.Random) -> str:
    """Return a text with up to three places changed."""
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        begin = chance.randrange(len(text) + 1)
        end = min(len(text), begin + chance.choice((0, 0, 1, 4, 20)))
        text = text[:begin] + chance.choice(SPLINTERS) + text[end:]
    return text


def body_of(chance: random.Random, entries: int) -> bytes:
    """Return the body of a request: a message about a record of so many entries, as pages send it
    or with odd changes; a message that is far too long or too deeply nested; or random bytes.
    """
    how = chance.random()
    if how < 0.03:
        return b"x" * chance.choice((65_536, 65_537, 200_000))
    if how < 0.06:
        return b"[" * 5_000 + b"]" * 5_000
    if how < 0.1:
        return chance.randbytes(chance.randrange(200))
    message = {**chance.choice(BODIES), "entries": entries}
    if "on" in message and chance.random() < 0.7:
        message["on"] = chance.choice(("setup", *(f"#{line}" for line in range(2, entries + 1))))
    return odd(json.dumps(message), chance).encode("utf-8", "surrogatepass")


def target_of(path: str, chance: random.Random) -> str:
    """Return an odd path as a request contains it, with spaces and unusual letters escaped."""
    new = path if chance.random() < 0.6 else odd(path, chance)
    return "/" + quote(new.lstrip("/"), safe="/?&=%#;:@!$'()*,[]{}<>\"\\^`|~+-._")


def send(port: int, cookie: str, chance: random.Random, entries: int) -> str:
    """Send one request, usually as a device at the table. Return the status, or what happened
    instead of an answer.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_S)
    here = f"http://127.0.0.1:{port}"
    writes = chance.random() < 0.5
    method = chance.choice(("POST", "POST", "POST", "PUT", "DELETE")) if writes else "GET"
    method = method if chance.random() < 0.95 else chance.choice(("HEAD", "OPTIONS", "TRACE", "X"))
    headers = {"Origin": here, "Content-Type": "application/json"} if writes else {}
    if chance.random() < 0.8:
        headers["Cookie"] = cookie
    if chance.random() < 0.1:
        name = chance.choice(("Host", "Origin", "Range", "Cookie", "Last-Event-ID", "Accept"))
        headers[name] = chance.choice(("", "x", "bytes=9-1", "bytes=-0", "a" * 3_000, "=;=", "é"))
    if chance.random() < 0.05:
        headers["Content-Type"] = chance.choice(("text/plain", "application/json; charset=x", ""))
    try:
        path = target_of(chance.choice(WRITING if writes else READING), chance)
        connection.request(method, path, body_of(chance, entries) if writes else None, headers)
        answer = connection.getresponse()
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            return f"{answer.status} stream"
        answer.read()
    except TimeoutError:
        return f"WRONG no answer to {method} {path[:200]!r}"
    except (http.client.HTTPException, OSError) as error:
        return f"closed ({type(error).__name__})"
    finally:
        connection.close()
    if answer.status >= 500:
        return f"WRONG {answer.status} to {method} {path[:200]!r}"
    return str(answer.status)


class Errors(logging.Handler):
    """Collects what the server and the pages log as errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record, with its traceback."""
        self.lines.append(logging.Formatter().format(record))


def _send_all(record: Path, requests: int, chance: random.Random, counts: Counter[str]) -> float:
    """Send requests to the pages of a copy of a record, and count their answers. Return how long
    the slowest took, s.
    """
    longest_s = 0.0
    with tempfile.TemporaryDirectory() as work:
        folder = MatchFolder(Path(work))
        (folder.path / "clips").mkdir()
        shutil.copy(record, folder.record)
        shutil.copy(CLIP, folder.clip("flick-0001", ".mp4"))
        feed = Feed()
        following = FollowedRecord(folder.record, feed)
        following.look()
        access = Access()
        server = serve(create_app(feed, folder, following, access=access))
        token = access.enter(access.entry_path().rpartition("/")[2])
        cookie = f"{cookie_name(server.port)}={token}"
        for _ in range(requests):
            began_s = time.monotonic()
            entries = folder.record.read_bytes().count(b"\n")
            counts[send(server.port, cookie, chance, entries)] += 1
            longest_s = max(longest_s, time.monotonic() - began_s)
            following.listen(0.0)
            following.look()
        feed.close()
        server.close()
    return longest_s


def main() -> int:
    """Send all requests, and print how they were answered. Return 1 if a request was not answered
    properly.
    """
    parser = Arguments("fuzz_routes", __doc__)
    parser.add_argument("--requests", type=positive, default=REQUESTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    chance, counts, errors = random.Random(given.seed), Counter[str](), Errors()
    for name in (None, "web_ui", "uvicorn.error", "asyncio"):
        logging.getLogger(name).addHandler(errors)
    records = [
        sorted(game.glob("*.jsonl"))[0] for game in sorted(SAMPLES.iterdir()) if game.is_dir()
    ]
    longest_s = 0.0
    for number, record in enumerate(records):
        share = range(number, given.requests, len(records))
        longest_s = max(longest_s, _send_all(record, len(share), chance, counts))
    lines = [f"{given.requests} requests of seed {given.seed}; the longest took {longest_s:.1f} s"]
    lines += [f"{count:6} {outcome}" for outcome, count in sorted(counts.items())]
    lines += [f"{len(errors.lines):6} errors logged", *errors.lines[:3]]
    print("\n".join(lines))
    if given.write:
        given.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(bool(errors.lines) or any(outcome.startswith("WRONG") for outcome in counts))


if __name__ == "__main__":
    sys.exit(main())

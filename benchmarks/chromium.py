"""Controls a real browser without further packages: Chromium, over a pair of pipes (Chrome DevTools
Protocol).

POSIX only: the browser reads commands from file descriptor 3 and answers on 4
(`--remote-debugging-pipe`).
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

#: Resolves when every element is where it was two animation frames before, or after some ms.
SETTLED = """new Promise((told) => {
  const end = performance.now() + LIMIT_MS;
  let before = "";
  const look = () => {
    const now = [...document.querySelectorAll("body *")]
      .map((one) => Object.values(one.getBoundingClientRect().toJSON()).join()).join(";");
    if (now === before || performance.now() > end) return told(now === before);
    before = now;
    requestAnimationFrame(() => requestAnimationFrame(look));
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
})"""

#: The first is the same browser without windows. It needs a quarter less of the processor.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--mute-audio",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)

#: How long the browser may take to answer a command, s. It may load a page or paint a picture
#: meanwhile.
ANSWER_S = 30.0


def browser() -> str | None:
    """Return the path of a Chromium on this machine, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One page in a headless browser of its own. A context manager that ends the browser."""

    def __init__(
        self,
        url: str = "about:blank",
        width: int = 1366,
        height: int = 768,
        *,
        dark: bool = False,
        phone: bool = False,
    ) -> None:
        self._numbers = itertools.count(1)
        self._unread = b""
        self._home = tempfile.TemporaryDirectory(prefix="page-", ignore_cleanup_errors=True)
        self.profile = Path(self._home.name)
        self._start()
        # A context keeps its caches in memory. On disk they grow to a file for each script of each
        # server, and take minutes to remove where many tests share a browser.
        context = self._send("Target.createBrowserContext")["browserContextId"]
        target = self._send("Target.createTarget", url="about:blank", browserContextId=context)[
            "targetId"
        ]
        self._session: str | None = self._send(
            "Target.attachToTarget", targetId=target, flatten=True
        )["sessionId"]
        self.resize(width, height, phone=phone)
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        self.open(url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._to_browser.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from_browser.close()
        self._home.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command for the page, and return the browser's result. Raises RuntimeError when
        the browser refuses.
        """
        return self._send(method, self._session, **parameters)

    def open(self, url: str) -> None:
        """Go to an address. Returns when the new page has begun to load, not when it has
        finished.
        """
        self.send("Page.navigate", url=url)

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Set the size of the window, in CSS pixels. With `phone`, behave like a telephone with a
        high-resolution display.
        """
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )

    def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression in the page. If the value is a promise, wait
        for the promise and return its value.
        """
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def until(self, condition: str, timeout_s: float = 20.0) -> None:
        """Wait until a JavaScript expression is true in the page. An expression that raises an
        error counts as not true yet: it may be about an element that the page has not drawn yet.
        Raises TimeoutError.
        """
        end_s = time.monotonic() + timeout_s
        while (missing := self._missing(condition)) is not None:
            if time.monotonic() > end_s:
                raise TimeoutError(
                    f"this never became true on the page: {condition} {missing}".rstrip()
                )
            time.sleep(0.01)

    def _missing(self, condition: str) -> str | None:
        """Return None if an expression is true. Otherwise return the error that it raised, or an
        empty text if it raised none.
        """
        try:
            return None if self.run(f"Boolean({condition})") else ""
        except RuntimeError as error:
            return f"({error})"

    def settle(self, timeout_s: float = 20.0) -> None:
        """Wait until every element stays in its place for two animation frames. Raises
        TimeoutError.
        """
        if not self.run(SETTLED.replace("LIMIT_MS", f"{timeout_s * 1000:.0f}")):
            raise TimeoutError("the elements of the page never stopped moving")

    def picture(self) -> bytes:
        """Return what the page looks like now, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def _start(self) -> None:
        shell = ["/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null', "sh"]
        self._process = subprocess.Popen(
            [*shell, str(browser()), *FLAGS, f"--user-data-dir={self._home.name}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the browser has no pipes")
        self._to_browser, self._from_browser = self._process.stdin, self._process.stdout

    def _send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        command = {
            "id": number,
            "method": method,
            "params": parameters,
            **({"sessionId": session} if session else {}),
        }
        self._to_browser.write(json.dumps(command).encode() + b"\0")
        self._to_browser.flush()
        end_s = time.monotonic() + ANSWER_S
        while True:
            message = self._read(end_s)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result

    def _read(self, end_s: float) -> dict[str, Any]:
        while b"\0" not in self._unread:
            left_s = max(end_s - time.monotonic(), 0.0)
            if not select.select([self._from_browser], [], [], left_s)[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self._from_browser.fileno(), 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._unread += chunk
        message, self._unread = self._unread.split(b"\0", 1)
        decoded: dict[str, Any] = json.loads(message)
        return decoded

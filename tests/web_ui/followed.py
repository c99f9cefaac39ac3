"""A record followed on its page in a real browser: how the tests begin, and what they read from the
page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.chromium import Page

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
PHONE, LAPTOP, TELEVISION = (390, 844), (1280, 800), (1920, 1080)
Show = Callable[[Path], Page]

NOTE_PROBLEMS = """
window.problems = [];
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  window.addEventListener(kind, (event) => {
    const what = event.message ?? event.reason ?? event.violatedDirective ?? event.target;
    window.problems.push(`${kind}: ${what}`);
  }, true);
}
"""


def record(tmp_path: Path, game: str, name: str, lines: int | None = None) -> Path:
    """Write the beginning of a scripted match."""
    path = tmp_path / "record.jsonl"
    path.write_text(
        "".join((MATCHES / game / f"{name}.jsonl").read_text().splitlines(keepends=True)[:lines])
    )
    return path


def count(page: Page, selector: str) -> int:
    return int(page.run(f"document.querySelectorAll({selector!r}).length"))


def text(page: Page, selector: str) -> str:
    return str(page.run(f"document.querySelector({selector!r})?.innerText ?? ''"))

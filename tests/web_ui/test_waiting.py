"""A test waits for what the page has still to draw."""

from __future__ import annotations

import pytest

from benchmarks.chromium import Page

MARK = "document.querySelector('#mark').attributes.x.value"


def test_an_element_that_comes_later_is_waited_for(window: Page) -> None:
    window.open("about:blank")
    window.run('setTimeout(() => { document.body.innerHTML = \'<p id="mark" x="3"></p>\' }, 200)')
    window.until(f"{MARK} === '3'")


def test_what_never_comes_is_told_with_what_failed(window: Page) -> None:
    window.open("about:blank")
    with pytest.raises(TimeoutError, match=r"this never became true on the page: .*TypeError"):
        window.until(f"{MARK} === '3'", timeout_s=0.1)

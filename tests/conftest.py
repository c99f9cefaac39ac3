"""Makes every run try the same examples of property tests, on slow machines too, so that a change
alone decides the result. At the end, the run says how to run what was skipped.
"""

import importlib
import os
from operator import itemgetter
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# Loaded before any test loads numpy: it limits numpy and OpenCV to one thread each, as in a match.
importlib.import_module("referee")

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# Hypothesis also tries constants from whatever code is loaded, which differs between workers and
# runs.
if hasattr(providers, "_get_local_constants"):
    no_constants = providers.Constants()
    providers._get_local_constants = lambda: no_constants

#: Set where every test must run. A skipped test then fails the run.
SKIPS_FAIL = "SKIPS_FAIL"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files with tests of pages evenly among the others. These tests wait for a browser,
    which leaves time for other tests; several browsers at once only slow each other down.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    pages = [own for path, own in files.items() if "web_ui" in path.parts]
    others = [own for path, own in files.items() if "web_ui" not in path.parts]
    shares = [
        ((k + 0.5) / len(group), own) for group in (pages, others) for k, own in enumerate(group)
    ]
    items[:] = [item for _, own in sorted(shares, key=itemgetter(0)) for item in own]


def skipped(config: pytest.Config) -> list[pytest.TestReport]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return reporter.stats.get("skipped", []) if reporter else []


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get(SKIPS_FAIL) and skipped(session.config) and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how many tests were skipped, why, and how to run them."""
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in skipped(config)]
    for reason in sorted(set(reasons)):
        terminalreporter.write_line(f"{reasons.count(reason)} tests skipped: {reason}")

"""For all tests: Hypothesis repeats itself and has no clock; a run says at its end what it did not try."""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings
from promises import ONLY_FOR_ROOT, PROMISES, promise_of

settings.register_profile("peloarena", deadline=None, database=None, derandomize=True)
settings.load_profile("peloarena")

# In the background of a script Ctrl-C is ignored, and what tests start and interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

HERE = Path(__file__).parent
REAL_TIME = ("referee/sandbox", "referee/test_processes.py", "referee/test_standstill.py")
"""Their limits are seconds of a real clock, or they count what is left on the machine: never two of them at a time."""

FORBID_SKIPS = "PELOARENA_FORBID_SKIPS"
"""What fails a run: `1` every skip; `but root` all but the promises that only root can try; `unnamed` a skip that names
no promise."""


ALLOWED = {"but root": ONLY_FOR_ROOT, "unnamed": set(PROMISES)}
"""The promises that a run of each policy may skip."""

HOW_TO_GET_THEM = "As root on Debian `make tools` installs programs that are missing."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a file stay together: what its fixtures play once, two processes would play twice."""
    for item in items:
        real_time = any(item.path.is_relative_to(HERE / place) for place in REAL_TIME)
        item.add_marker(pytest.mark.xdist_group("real time" if real_time else str(item.path)))


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    detail = report.longrepr
    return detail[2].removeprefix("Skipped: ") if isinstance(detail, tuple) else str(detail)


def forbidden(reporter: pytest.TerminalReporter) -> list[str]:
    """One line for each skipped test that this run forbids: what, and why."""
    policy = os.environ.get(FORBID_SKIPS, "")
    if policy in ("", "0"):
        return []
    allowed = ALLOWED.get(policy, set())
    reports = reporter.stats.get("skipped", [])
    return [f"{report.nodeid}: {reason(report)}" for report in reports if promise_of(reason(report)) not in allowed]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and reporter and forbidden(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def cure(promise: str) -> str:
    return f": needs {PROMISES[promise]}" if promise in PROMISES else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if untried := Counter(promise_of(reason(report)) for report in terminalreporter.stats.get("skipped", [])):
        rows = [f"{promise} ({tests}{cure(promise)})" for promise, tests in untried.most_common()]
        terminalreporter.line(f"Not tried here, with the number of tests skipped: {', '.join(rows)}. {HOW_TO_GET_THEM}")
    if lines := forbidden(terminalreporter):
        terminalreporter.section(
            f"{FORBID_SKIPS}: this run fails, for it skipped {len(lines)} tests", sep="=", red=True
        )
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def little_tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament played once by the real code: see little_tournament.py."""
    import little_tournament

    return little_tournament.played(tmp_path_factory.mktemp("night"))

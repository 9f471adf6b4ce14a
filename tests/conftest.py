"""For all tests: Hypothesis repeats itself exactly and has no clock; a run can forbid skipped tests."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("peloarena", deadline=None, database=None, derandomize=True)
settings.load_profile("peloarena")

# In the background of a script Ctrl-C is ignored, and what tests start and interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

FORBID_SKIPS = "PELOARENA_FORBID_SKIPS"


def skips_forbidden() -> bool:
    return os.environ.get(FORBID_SKIPS, "") not in ("", "0")


def skipped_lines(reporter: pytest.TerminalReporter) -> list[str]:
    """One line for each skipped test: what, and why."""
    return [f"{report.nodeid}: {reason(report)}" for report in reporter.stats.get("skipped", [])]


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    detail = report.longrepr
    return detail[2].removeprefix("Skipped: ") if isinstance(detail, tuple) else str(detail)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With PELOARENA_FORBID_SKIPS=1 a run that skipped a test has failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and skips_forbidden() and reporter and skipped_lines(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = skipped_lines(terminalreporter)
    if lines and skips_forbidden():
        terminalreporter.section(
            f"{FORBID_SKIPS}: this run fails, for it skipped {len(lines)} tests", sep="=", red=True
        )
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def little_night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a night played once by the real code: see little_night.py."""
    import little_night

    return little_night.played(tmp_path_factory.mktemp("night"))

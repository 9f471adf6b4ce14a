"""Progress while bots are built in parallel: a line on stderr for each that is done.

In a terminal the last line shows which bots are being built and for how long; elsewhere a line appears now and then if
it takes long.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Iterator

from ..game.texts import plural
from ..referee.bot_builder import BuildFinished, BuildNews, BuildPlanned, BuildProgress, OnBuildNews, ignore_build_news
from .common import to_plain_text

MIN_COPIES_REPORTED = 4
"""From this many bots on, compiling Python bots is reported: one takes half a second."""
REMINDER_SECONDS = 10.0
"""Seconds without output, if there is no terminal."""
ERASE_LINE = "\r\x1b[2K"
WORK_VERBS = {"build": "building", "compile": "compiling"}


@contextlib.contextmanager
def show_build_progress(quiet: bool = False) -> Iterator[OnBuildNews]:
    """Yields the function that receives news of builds."""
    if quiet:
        yield ignore_build_news
        return
    view = _BuildProgress(sys.stderr.isatty())
    try:
        yield view.update
    finally:
        view.erase()


class _BuildProgress:
    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self._current_plan = BuildPlanned("build", (), 0)
        self._done = 0
        self._has_progress_line = False
        """Whether a progress line is shown and must be erased."""
        self._last_printed = time.monotonic()
        """When the last line was printed."""

    def update(self, news: BuildNews) -> None:
        match news:
            case BuildPlanned():
                self._show_plan(news)
            case BuildProgress():
                self._show_work(news)
            case BuildFinished():
                self._show_result(news)

    def _show_plan(self, news: BuildPlanned) -> None:
        self._current_plan, self._done = news, 0
        count = len(news.names)
        at_once = f", {news.at_once} at a time" if 1 < news.at_once < count else ""
        if news.kind == "build":
            self._print_line(f"Building {plural(count, 'bot') if count > 1 else news.names[0]}{at_once}.")
        elif count >= MIN_COPIES_REPORTED:
            self._print_line(f"Compiling the copies of {count} bots in Python{at_once}.")

    def _show_work(self, news: BuildProgress) -> None:
        works = ", ".join(f"{name} {build_time_text(seconds)}" for name, seconds in news.works)
        text = f"{WORK_VERBS[self._current_plan.kind]} {works} ({self._done} of {len(self._current_plan.names)} done)"
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            self._write(ERASE_LINE + to_plain_text(text)[:width], is_progress_line=True)
        elif time.monotonic() - self._last_printed >= REMINDER_SECONDS:
            self._print_line(f"  {text}")

    def _show_result(self, news: BuildFinished) -> None:
        self._done += not news.again
        if news.kind == "compile":
            self.erase()  # the progress line is printed again within half a second
            if news.problem:
                self._print_line(f"  {news.name}: plays from source, because it could not be compiled: {news.problem}")
            return
        count = f" ({self._done} of {len(self._current_plan.names)})" if len(self._current_plan.names) > 1 else ""
        if news.again:
            self._print_line(
                f"  {news.name}: not built after {build_time_text(news.seconds)} in parallel with others; trying "
                f"again alone"
            )
        elif news.problem:
            self._print_line(f"  {news.name}: its build failed after {build_time_text(news.seconds)}{count}")
        else:
            self._print_line(f"  {news.name}: built in {build_time_text(news.seconds)}{count}")

    def _print_line(self, text: str) -> None:
        self.erase()
        self._write(f"{to_plain_text(text)}\n", is_progress_line=False)
        self._last_printed = time.monotonic()

    def erase(self) -> None:
        if self._has_progress_line:
            self._write(ERASE_LINE, is_progress_line=False)

    def _write(self, text: str, *, is_progress_line: bool) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
        self._has_progress_line = is_progress_line


def build_time_text(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"

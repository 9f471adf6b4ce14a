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
from ..referee.workshop import Made, MakingNews, Planned, TellMaking, Working, nobody
from .common import plain

MANY_COPIES = 4
"""From this many bots on, compiling Python bots is reported: one takes half a second."""
REMIND_EVERY = 10.0
"""Seconds without output, if there is no terminal."""
ERASE = "\r\x1b[2K"
WORDS = {"build": "building", "compile": "compiling"}


@contextlib.contextmanager
def making_view(quiet: bool = False) -> Iterator[TellMaking]:
    """The receiver of a workshop's news."""
    if quiet:
        yield nobody
        return
    view = _MakingView(sys.stderr.isatty())
    try:
        yield view.tell
    finally:
        view.erase()


class _MakingView:
    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self._doing = Planned("build", (), 0)
        self._done = 0
        self._shown = False
        """Whether a progress line is shown and must be erased."""
        self._said = time.monotonic()
        """When the last line was printed."""

    def tell(self, news: MakingNews) -> None:
        match news:
            case Planned():
                self._plan(news)
            case Working():
                self._work(news)
            case Made():
                self._made(news)

    def _plan(self, news: Planned) -> None:
        self._doing, self._done = news, 0
        count = len(news.names)
        at_once = f", {news.at_once} at a time" if 1 < news.at_once < count else ""
        if news.kind == "build":
            self._say(f"Building {plural(count, 'bot') if count > 1 else news.names[0]}{at_once}.")
        elif count >= MANY_COPIES:
            self._say(f"Compiling the copies of {count} bots in Python{at_once}.")

    def _work(self, news: Working) -> None:
        works = ", ".join(f"{name} {duration(seconds)}" for name, seconds in news.works)
        text = f"{WORDS[self._doing.kind]} {works} ({self._done} of {len(self._doing.names)} done)"
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            self._write(ERASE + plain(text)[:width], shown=True)
        elif time.monotonic() - self._said >= REMIND_EVERY:
            self._say(f"  {text}")

    def _made(self, news: Made) -> None:
        self._done += not news.again
        if news.kind == "compile":
            self.erase()  # the progress line is printed again within half a second
            if news.problem:
                self._say(f"  {news.name}: plays from source, for it has no bytecode: {news.problem}")
            return
        count = f" ({self._done} of {len(self._doing.names)})" if len(self._doing.names) > 1 else ""
        if news.again:
            self._say(
                f"  {news.name}: not built after {duration(news.seconds)} in parallel with others; trying again alone"
            )
        elif news.problem:
            self._say(f"  {news.name}: its build failed after {duration(news.seconds)}{count}")
        else:
            self._say(f"  {news.name}: built in {duration(news.seconds)}{count}")

    def _say(self, text: str) -> None:
        self.erase()
        self._write(f"{plain(text)}\n", shown=False)
        self._said = time.monotonic()

    def erase(self) -> None:
        if self._shown:
            self._write(ERASE, shown=False)

    def _write(self, text: str, *, shown: bool) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
        self._shown = shown


def duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"

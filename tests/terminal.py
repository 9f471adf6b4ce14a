"""A real terminal for tests: the command runs on a pty, keys go in, what it draws comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType
from typing import Self

from patience import PATIENCE

MAIN = "from peloarena.cli.main import main; main()"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """`with Terminal("play") as terminal:`; whatever happens, the command is gone afterwards."""

    def __init__(self, *args: str, columns: int = 120, lines: int = 50, main: str = MAIN) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        unset = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
        env = {name: value for name, value in os.environ.items() if name not in unset}
        self._process = subprocess.Popen(
            [sys.executable, "-c", main, *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**env, "TERM": "xterm"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
        )
        os.close(theirs)
        self._drawn = ""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def wait_for(self, words: str) -> str:
        """What was drawn before these words, colours apart; what is after them is awaited next."""
        deadline = time.monotonic() + PATIENCE
        while (place := self._text().find(words, self._seen)) < 0:
            assert self._read(deadline - time.monotonic()), f"{words!r} never came, but {self._text()[self._seen :]}"
        seen, self._seen = self._text()[self._seen : place], place + len(words)
        return seen

    def ends(self) -> int:
        """The exit code."""
        while self._read(PATIENCE):
            pass
        return self._process.wait(PATIENCE)

    def _text(self) -> str:
        return ESCAPES.sub("", self._drawn)

    def _read(self, patience: float) -> bool:
        if not select.select([self._ours], [], [], max(0.0, patience))[0]:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # Linux says so when the last one has closed the other end
            return False
        self._drawn += data.decode("utf-8", "replace")
        return bool(data)

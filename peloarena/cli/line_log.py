"""`--log`: a file with every line between the referee and the bots, and their stderr. Also what --stderr shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO

import click

from ..game import ConfigError
from ..referee.members import Log
from .common import escaped, plain

STDERR = "!"


class StderrLines:
    """Joins pieces of stderr into lines; passes on an unfinished line when the bot sends something else."""

    def __init__(self, tell: Callable[[str, bytes], None]) -> None:
        self._tell = tell
        self._begun: dict[str, bytes] = {}

    def hear(self, name: str, data: bytes) -> None:
        *lines, self._begun[name] = (self._begun.get(name, b"") + data).split(b"\n")
        for line in lines:
            self._tell(name, line)

    def flush(self, name: str) -> None:
        if begun := self._begun.pop(name, b""):
            self._tell(name, begun)

    def flush_all(self) -> None:
        for name in list(self._begun):
            self.flush(name)


class LineLog:
    """`--log`: every line in both directions and of stderr, with the time and the seat's name. `--stderr`: the lines of
    the bots' stderr, on our stderr."""

    def __init__(self, path: str | None, show_stderr: bool = False) -> None:
        self._file: IO[bytes] | None = None
        self._show_stderr = show_stderr
        self._stderr = StderrLines(self._tell_stderr)
        if path is not None:
            try:
                self._file = Path(path).open("wb")  # noqa: SIM115 - closed on the way out of `with`
            except OSError as error:
                raise ConfigError(f"--log {path!r}: {error.strerror}") from None

    def __enter__(self) -> Log | None:
        return self.hear if self._file is not None or self._show_stderr else None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stderr.flush_all()
        if self._file is not None:
            self._file.close()

    def hear(self, name: str, way: str, data: bytes) -> None:
        if way == STDERR:
            self._stderr.hear(name, data)
            return
        self._stderr.flush(name)
        self._write(name, way, data)

    def _tell_stderr(self, name: str, line: bytes) -> None:
        self._write(name, STDERR, line)
        if self._show_stderr:
            click.secho(f"{plain(name)} {STDERR} {plain(line.decode('utf-8', 'replace'))}", dim=True, err=True)

    def _write(self, name: str, way: str, line: bytes) -> None:
        if self._file is None:
            return
        text = escaped(line.decode("utf-8", "backslashreplace").removesuffix("\n"))
        self._file.write(f"{time.time():.6f} {plain(name)} {way} {text}\n".encode())

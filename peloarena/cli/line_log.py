"""`--log`: a file with every line between the referee and the bots, and their stderr. Also what --stderr shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO

import click

from ..game import ConfigError
from ..referee.bot_pool import LogCallback
from .common import escape_for_json, to_plain_text

STDERR_MARK = "!"


class StderrLineBuffer:
    """Joins pieces of stderr into lines; passes on an unfinished line when the bot sends something else."""

    def __init__(self, emit: Callable[[str, bytes], None]) -> None:
        self._emit = emit
        self._unfinished: dict[str, bytes] = {}

    def feed(self, name: str, data: bytes) -> None:
        *lines, self._unfinished[name] = (self._unfinished.get(name, b"") + data).split(b"\n")
        for line in lines:
            self._emit(name, line)

    def flush(self, name: str) -> None:
        if unfinished := self._unfinished.pop(name, b""):
            self._emit(name, unfinished)

    def flush_all(self) -> None:
        for name in list(self._unfinished):
            self.flush(name)


class LineLog:
    """`--log`: every line in both directions and of stderr, with the time and the seat's name. `--stderr`: the lines of
    the bots' stderr, on our stderr."""

    def __init__(self, path: str | None, show_stderr: bool = False) -> None:
        self._file: IO[bytes] | None = None
        self._show_stderr = show_stderr
        self._stderr = StderrLineBuffer(self._write_stderr_line)
        if path is not None:
            try:
                self._file = Path(path).open("wb")  # noqa: SIM115 - closed on the way out of `with`
            except OSError as error:
                raise ConfigError(f"--log {path!r}: {error.strerror}") from None

    def __enter__(self) -> LogCallback | None:
        return self.log_data if self._file is not None or self._show_stderr else None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stderr.flush_all()
        if self._file is not None:
            self._file.close()

    def log_data(self, name: str, direction: str, data: bytes) -> None:
        if direction == STDERR_MARK:
            self._stderr.feed(name, data)
            return
        self._stderr.flush(name)
        self._write(name, direction, data)

    def _write_stderr_line(self, name: str, line: bytes) -> None:
        self._write(name, STDERR_MARK, line)
        if self._show_stderr:
            click.secho(
                f"{to_plain_text(name)} {STDERR_MARK} {to_plain_text(line.decode('utf-8', 'replace'))}",
                dim=True,
                err=True,
            )

    def _write(self, name: str, direction: str, line: bytes) -> None:
        if self._file is None:
            return
        text = escape_for_json(line.decode("utf-8", "backslashreplace").removesuffix("\n"))
        self._file.write(f"{time.time():.6f} {to_plain_text(name)} {direction} {text}\n".encode())

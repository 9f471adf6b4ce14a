"""The file of --log: every line between the referee and the bots."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import IO

from ..game import ConfigError
from ..referee.members import Log
from .common import escaped, plain


class LineLog:
    """--log: every line both ways, with the time and the seat's name."""

    def __init__(self, path: str | None) -> None:
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                self._file = Path(path).open("wb")  # noqa: SIM115 - closed on the way out of `with`
            except OSError as error:
                raise ConfigError(f"--log {path!r}: {error.strerror}") from None

    def __enter__(self) -> Log | None:
        return None if self._file is None else self.write

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, name: str, way: str, line: bytes) -> None:
        assert self._file is not None
        text = escaped(line.decode("utf-8", "backslashreplace").removesuffix("\n"))
        self._file.write(f"{time.time():.6f} {plain(name)} {way} {text}\n".encode())

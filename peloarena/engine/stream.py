"""The service on two descriptors: reads what is available, answers it, then writes. So a pipeline costs few calls."""

from __future__ import annotations

import os

from .service import EngineService
from .service_messages import MAX_REQUEST_BYTES

READ_CHUNK_BYTES = 256 * 1024


class RequestLines:
    """Bytes in, whole lines out; skips the rest of a line that is too long."""

    def __init__(self) -> None:
        self._bytes = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that are complete now; None for each that is too long, as soon as that is known."""
        *lines, self._bytes = (self._bytes + data).split(b"\n")
        complete: list[bytes | None] = []
        for line in lines:
            if self._skipping:
                self._skipping = False
            else:
                complete.append(line if len(line) <= MAX_REQUEST_BYTES else None)
        if self._skipping or len(self._bytes) > MAX_REQUEST_BYTES:
            complete += [] if self._skipping else [None]
            self._skipping, self._bytes = True, b""
        return complete


def serve(source: int, target: int) -> None:
    """Runs until the source ends; text without a final line feed is no request."""
    service, lines = EngineService(), RequestLines()
    while data := os.read(source, READ_CHUNK_BYTES):
        answers = [service.too_long_reply() if line is None else service.answer(line) for line in lines.feed(data)]
        write_all(target, b"".join(answers))


def write_all(target: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(target, left) :]

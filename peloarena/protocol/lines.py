"""Line framing with limits: bytes in, whole lines out. Knows neither JSON nor where the bytes come from."""

from .errors import BotError
from .excerpt_lengths import EVIDENCE_LINE_LENGTH, FLOOD_QUOTE_BYTES

MAX_LINE_BYTES = 64 * 1024


class LineBuffer:
    """Collects bytes until a line is complete. A line longer than the limit is a flood, long before it fills memory."""

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self.limit = limit
        self._buffer = b""
        """Nearly always one whole line, which is then cut and never copied. A bot that writes byte by byte makes us
        copy at most 64 KiB for each, at the cost of its own clock."""
        self._searched = 0

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next_line(self) -> bytes | None:
        """The next whole line without its newline, or None."""
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            if self._searched > self.limit:
                raise self._flood_error()
            return None
        if end > self.limit:
            raise self._flood_error()
        line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
        self._searched = 0
        return line

    def _flood_error(self) -> BotError:
        return BotError("flooded", f"a line longer than {self.limit} bytes; it begins {self.quoted_beginning()}")

    @property
    def pending_bytes(self) -> int:
        """Bytes that are not part of a returned line yet."""
        return len(self._buffer)

    def peek(self) -> bytes:
        """The beginning of an unfinished line."""
        return self._buffer[:EVIDENCE_LINE_LENGTH]

    def quoted_beginning(self) -> str:
        return repr(self._buffer[:FLOOD_QUOTE_BYTES])

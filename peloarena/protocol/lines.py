"""Line framing with limits: bytes in, whole lines out. Knows neither JSON nor where the bytes come from."""

from .errors import BotError
from .shown import EVIDENCE_LINE, FLOOD

LONGEST_LINE = 64 * 1024


class LineBuffer:
    """Collects bytes until a line is complete. A line longer than the limit is a flood, long before it fills memory."""

    def __init__(self, limit: int = LONGEST_LINE) -> None:
        self.limit = limit
        self._bytes = b""
        """Nearly always one whole line, which is then cut and never copied. A bot that writes byte by byte makes us
        copy at most 64 KiB for each, at the cost of its own clock."""
        self._searched = 0

    def feed(self, data: bytes) -> None:
        self._bytes += data

    def next_line(self) -> bytes | None:
        """The next whole line without its newline, or None."""
        end = self._bytes.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._bytes)
            if self._searched > self.limit:
                raise self._flood()
            return None
        if end > self.limit:
            raise self._flood()
        line, self._bytes = self._bytes[:end], self._bytes[end + 1 :]
        self._searched = 0
        return line

    def _flood(self) -> BotError:
        return BotError("flooded", f"a line longer than {self.limit} bytes; it begins {self.begins()}")

    @property
    def pending(self) -> int:
        """Bytes not yet handed out."""
        return len(self._bytes)

    def peek(self) -> bytes:
        """The beginning of an unfinished line."""
        return self._bytes[:EVIDENCE_LINE]

    def begins(self) -> str:
        return repr(self._bytes[:FLOOD])

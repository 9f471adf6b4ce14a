"""What bots write to stderr: how much of it is kept, and for how long. Knows bytes and text; no pipe, no game."""

from __future__ import annotations

from ..protocol.excerpt_lengths import DECISION_STDERR_LENGTH, GAME_STDERR_LENGTH

TAIL_BYTES = 64 * 1024
"""Bytes kept from the end of all output, as evidence."""
MAX_UTF8_BYTES = 4
"""Bytes of the longest character."""
HALF_CHARACTERS = DECISION_STDERR_LENGTH // 2


class StderrBuffer:
    """What one bot has written: the end of it, and what is new since the last `take`. Bounded, whatever a bot does."""

    def __init__(self) -> None:
        self.tail = bytearray()
        self.last_game = ""
        self.unread = bytearray()
        """Output that was not taken yet; the end of its first half and the beginning of its second may be far apart."""
        self._dropped = 0
        """Bytes removed from the middle of the new output."""

    def add(self, data: bytes) -> None:
        self.tail += data
        del self.tail[:-TAIL_BYTES]
        self.unread += data
        if (excess := len(self.unread) - 2 * HALF_CHARACTERS * MAX_UTF8_BYTES) > 0:
            del self.unread[HALF_CHARACTERS * MAX_UTF8_BYTES : HALF_CHARACTERS * MAX_UTF8_BYTES + excess]
            self._dropped += excess

    def take(self) -> str:
        """Returns the new output, with its middle cut if it is long."""
        text = self.unread.decode("utf-8", "replace")
        if self._dropped or len(text) > DECISION_STDERR_LENGTH:
            start, end = text[:HALF_CHARACTERS], text[-HALF_CHARACTERS:]
            cut = len(self.unread) + self._dropped - len(start.encode()) - len(end.encode())
            text = f"{start}\n[{cut} bytes cut]\n{end}"
        self.unread.clear()
        self._dropped = 0
        return text

    def begin_game(self) -> None:
        """Starts again, but keeps the end of the last game: a bot that fails at that end may have written why."""
        self.last_game = self.tail.decode("utf-8", "replace")
        self.tail.clear()
        self.unread.clear()
        self._dropped = 0


class GameStderr:
    """A seat's stderr in a game, by decision. `bounded_texts`: from a flood the first and the last
    decisions stay."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._last = 0

    def add(self, decision: int, text: str) -> None:
        self._last = decision
        if text:
            self._texts[decision] = text

    def add_to_last(self, text: str) -> None:
        """Adds output after its last answer to that answer; before any answer, it can only be evidence."""
        if self._last and text:
            self._texts[self._last] = self._texts.get(self._last, "") + text

    def bounded_texts(self) -> dict[int, str]:
        texts = self._texts
        if sum(map(len, texts.values())) <= GAME_STDERR_LENGTH:
            return texts
        first = _decisions_that_fit(list(texts), texts, GAME_STDERR_LENGTH // 2)
        last = _decisions_that_fit(list(reversed(texts)), texts, GAME_STDERR_LENGTH // 2)
        cut = [decision for decision in texts if decision not in first and decision not in last]
        notice = f"[cut: {sum(len(texts[one]) for one in cut)} characters from here to decision {cut[-1]}]\n"
        return {one: notice if one == cut[0] else text for one, text in texts.items() if one not in cut[1:]}


def _decisions_that_fit(decisions: list[int], texts: dict[int, str], max_characters: int) -> set[int]:
    """The first decisions, in this order, whose texts fit together."""
    fitting, total = set(), 0
    for decision in decisions:
        total += len(texts[decision])
        if total > max_characters:
            break
        fitting.add(decision)
    return fitting

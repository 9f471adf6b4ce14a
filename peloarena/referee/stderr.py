"""What bots write to stderr: how much of it is kept, and for how long. Knows bytes and text; no pipe, no game."""

from __future__ import annotations

from ..protocol.shown import DECISION_STDERR, GAME_STDERR

TAIL = 64 * 1024
"""Bytes of the end of it all: for evidence."""
UTF8 = 4
"""Bytes of the longest character."""
HALF = DECISION_STDERR // 2


class Stderr:
    """What one bot has written: the end of it, and what is new since somebody took it. Bounded, whatever a bot does."""

    def __init__(self) -> None:
        self.tail = bytearray()
        self.last_game = ""
        self.news = bytearray()
        """What nobody took yet; the end of its first half and the beginning of its second may be far apart."""
        self._dropped = 0
        """Bytes taken out of the middle of what is new."""

    def add(self, data: bytes) -> None:
        self.tail += data
        del self.tail[:-TAIL]
        self.news += data
        if (excess := len(self.news) - 2 * HALF * UTF8) > 0:
            del self.news[HALF * UTF8 : HALF * UTF8 + excess]
            self._dropped += excess

    def take(self) -> str:
        """What is new, its middle cut if it is long."""
        text = self.news.decode("utf-8", "replace")
        if self._dropped or len(text) > DECISION_STDERR:
            start, end = text[:HALF], text[-HALF:]
            cut = len(self.news) + self._dropped - len(start.encode()) - len(end.encode())
            text = f"{start}\n[{cut} bytes cut]\n{end}"
        self.news.clear()
        self._dropped = 0
        return text

    def begin_game(self) -> None:
        """Forgets the game before; but one that is dying of its end may have said why already."""
        self.last_game = self.tail.decode("utf-8", "replace")
        self.tail.clear()
        self.news.clear()
        self._dropped = 0


class GameStderr:
    """What a seat wrote in a game, by decision. `kept` is bounded: of a flood the first and the last decisions stay."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._last = 0

    def add(self, decision: int, text: str) -> None:
        self._last = decision
        if text:
            self._texts[decision] = text

    def add_to_last(self, text: str) -> None:
        """What came after its last answer stands with that answer; without any it is evidence, if of anything."""
        if self._last and text:
            self._texts[self._last] = self._texts.get(self._last, "") + text

    def kept(self) -> dict[int, str]:
        texts = self._texts
        if sum(map(len, texts.values())) <= GAME_STDERR:
            return texts
        first = _fitting(list(texts), texts, GAME_STDERR // 2)
        last = _fitting(list(reversed(texts)), texts, GAME_STDERR // 2)
        cut = [decision for decision in texts if decision not in first and decision not in last]
        said = f"[cut: {sum(len(texts[one]) for one in cut)} characters from here to decision {cut[-1]}]\n"
        return {one: said if one == cut[0] else text for one, text in texts.items() if one not in cut[1:]}


def _fitting(order: list[int], texts: dict[int, str], most: int) -> set[int]:
    """As many decisions, in this order, as have room together."""
    fitting, total = set(), 0
    for decision in order:
        total += len(texts[decision])
        if total > most:
            break
        fitting.add(decision)
    return fitting

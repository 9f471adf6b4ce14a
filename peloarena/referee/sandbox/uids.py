"""Uids for bots when the host is root: one per living cage, so that bots cannot signal or trace each other.

Distinct between workers too, by their pids, without asking anyone. Knows no cages.
"""

import heapq
import os
from pathlib import Path

SLOTS = 64
"""Cages alive at once in one process, those of dying trees included."""
HIGH = (0x4000_0000, 0x1000_0000)
"""First uid and span: there is room for every pid there can be (2**22) times the slots."""
LOW = (20_000, 40_000)
"""Inside a container that maps 65,536 uids: collisions are possible, and rare."""


class Uids:
    def __init__(self) -> None:
        self._first, self._span = _range(Path("/proc/self/uid_map").read_text())
        self._free = list(range(SLOTS))
        """A heap: the lowest that is free comes next, whatever the order in which they came back."""

    def take(self) -> int:
        if not self._free:
            raise RuntimeError(f"more than {SLOTS} cages open at once: close those that are done with")
        return self._first + (os.getpid() * SLOTS + heapq.heappop(self._free)) % self._span

    def give_back(self, uid: int) -> None:
        heapq.heappush(self._free, (uid - self._first - os.getpid() * SLOTS) % self._span)


def _range(uid_map: str) -> tuple[int, int]:
    first, span = HIGH
    for line in uid_map.splitlines():
        inside, _, count = map(int, line.split())
        if inside <= first and first + span <= inside + count:
            return HIGH
    return LOW

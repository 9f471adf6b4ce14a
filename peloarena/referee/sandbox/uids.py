"""Uids for bots when the host is root: one per living sandbox, so that bots cannot signal or trace each other.

Workers use distinct uids without asking anyone, because these are computed from their pids. Knows no sandboxes.
"""

import heapq
import os
from pathlib import Path

SLOTS = 64
"""Sandboxes alive at once in one process, those of terminating trees included."""
HIGH = (0x4000_0000, 0x1000_0000)
"""First uid and span: enough for every possible pid (2**22) times the slots."""
LOW = (20_000, 40_000)
"""Inside a container that maps 65,536 uids: collisions are possible, and rare."""


class Uids:
    def __init__(self) -> None:
        self._first, self._span = _range(Path("/proc/self/uid_map").read_text())
        self._free = list(range(SLOTS))
        """A heap: the lowest free uid comes next, whatever the order in which they came back."""

    def take(self) -> int:
        if not self._free:
            raise RuntimeError(f"more than {SLOTS} sandboxes open at once: close those that are finished")
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

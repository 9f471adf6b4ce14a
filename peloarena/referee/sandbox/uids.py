"""Uids for bots when the host is root: one per living sandbox, so that bots cannot signal or trace each other.

Workers use distinct uids without asking anyone, because these are computed from their pids. Knows no sandboxes.
"""

import heapq
import os
from pathlib import Path

MAX_SANDBOXES = 64
"""Sandboxes alive at once in one process, those of terminating trees included."""
HIGH_UID_RANGE = (0x4000_0000, 0x1000_0000)
"""First uid and span: enough for every possible pid (2**22) times the slots."""
LOW_UID_RANGE = (20_000, 40_000)
"""Inside a container that maps 65,536 uids: collisions are possible, and rare."""


class UidPool:
    def __init__(self) -> None:
        self._first, self._span = _choose_uid_range(Path("/proc/self/uid_map").read_text())
        self._free = list(range(MAX_SANDBOXES))
        """A heap: the lowest free uid comes next, whatever the order in which they came back."""

    def take_uid(self) -> int:
        if not self._free:
            raise RuntimeError(f"more than {MAX_SANDBOXES} sandboxes open at once: close those that are finished")
        return self._first + (os.getpid() * MAX_SANDBOXES + heapq.heappop(self._free)) % self._span

    def return_uid(self, uid: int) -> None:
        heapq.heappush(self._free, (uid - self._first - os.getpid() * MAX_SANDBOXES) % self._span)


def _choose_uid_range(uid_map: str) -> tuple[int, int]:
    first, span = HIGH_UID_RANGE
    for line in uid_map.splitlines():
        inside, _, count = map(int, line.split())
        if inside <= first and first + span <= inside + count:
            return HIGH_UID_RANGE
    return LOW_UID_RANGE

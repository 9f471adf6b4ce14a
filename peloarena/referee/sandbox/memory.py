"""How much memory bots may have together: what the machine, or our own group, can give.

Numbers only: this module decides how much each bot gets, and the groups enforce it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from . import cgroup
from .limits import MIB

BOT_MEMORY_SHARE = 0.8
"""The rest is for the referee, its workers, the kernel and whatever else runs."""
MIN_BOT_MIB = 32
LIMIT_FILES = {1: "memory.limit_in_bytes", 2: "memory.max"}


def usable_mib() -> int:
    """For all bots that run at the same time."""
    return int(min([_machine_mib(), *_group_limits_mib()]) * BOT_MEMORY_SHARE)


def _machine_mib() -> int:
    first = Path("/proc/meminfo").read_text().splitlines()[0]
    return int(first.split()[1]) // 1024


def _group_limits_mib() -> Iterable[int]:
    """Limits of our own group and those above it, up to the highest that we can see; a container's is among them."""
    mountinfo, membership = Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text()
    for base in cgroup.own_base_groups(mountinfo, membership):
        for folder in (base.folder, *base.folder.parents):
            try:
                text = (folder / LIMIT_FILES[base.version]).read_text().strip()
            except OSError:
                continue
            if text.isdigit():
                yield int(text) // MIB


def memory_warning(requested: Mapping[str, int], seats: int, slots: int) -> str:
    """The warning for the host if the bots with the largest limits meet and this machine has less memory, at each of
    the tables that run at once; "" when there is enough. By name, in MiB."""
    most = sorted(requested.items(), key=lambda item: -item[1])[:seats]
    available = usable_mib() // slots
    granted = share_memory([mib for _, mib in most], available)
    less = [f"{name} gets {given}" for (name, mib), given in zip(most, granted, strict=True) if given < mib]
    if not less:
        return ""
    total, tables = sum(mib for _, mib in most), "a table" if slots == 1 else f"each of {slots} tables"
    return f"memory: bots ask for {total} MiB, but {tables} can have only {available}: {', '.join(less)}"


def share_memory(requested: Sequence[int], available: int) -> list[int]:
    """Gives each bot what it asks for, if there is enough; otherwise lowers the largest requests to one common
    value."""
    granted = list(requested)
    left, waiting = available, sorted(range(len(requested)), key=lambda number: requested[number])
    while waiting:
        even = max(left // len(waiting), MIN_BOT_MIB)
        number = waiting.pop(0)
        granted[number] = min(requested[number], even)
        left -= granted[number]
    return granted

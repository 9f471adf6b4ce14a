"""How much memory bots may have together: what the machine, or our own group, can give.

Numbers only: this module decides how much each bot gets, and the groups enforce it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from . import cgroup
from .limits import MIB

SHARE = 0.8
"""The rest is for the referee, its workers, the kernel and whatever else runs."""
LEAST_MIB = 32
LIMIT_FILES = {1: "memory.limit_in_bytes", 2: "memory.max"}


def usable_mib() -> int:
    """For all bots that run at the same time."""
    return int(min([_machine_mib(), *_group_limits()]) * SHARE)


def _machine_mib() -> int:
    first = Path("/proc/meminfo").read_text().splitlines()[0]
    return int(first.split()[1]) // 1024


def _group_limits() -> Iterable[int]:
    """Limits of our own group and those above it, up to the highest that we can see; a container's is among them."""
    mountinfo, membership = Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text()
    for base in cgroup.own_bases(mountinfo, membership):
        for folder in (base.folder, *base.folder.parents):
            try:
                text = (folder / LIMIT_FILES[base.version]).read_text().strip()
            except OSError:
                continue
            if text.isdigit():
                yield int(text) // MIB


def lowered(asked: Mapping[str, int], seats: int, places: int) -> str:
    """The warning for the host if the bots with the largest limits meet and this machine has less memory, at each of
    the tables that run at once; "" when there is enough. By name, in MiB."""
    most = sorted(asked.items(), key=lambda item: -item[1])[:seats]
    available = usable_mib() // places
    granted = shared_out([mib for _, mib in most], available)
    less = [f"{name} gets {given}" for (name, mib), given in zip(most, granted, strict=True) if given < mib]
    if not less:
        return ""
    total, tables = sum(mib for _, mib in most), "a table" if places == 1 else f"each of {places} tables"
    return f"memory: bots ask for {total} MiB and there are {available} for {tables}: {', '.join(less)}"


def shared_out(asked: Sequence[int], available: int) -> list[int]:
    """Gives each bot what it asks for, if there is enough; otherwise lowers the largest requests to one common
    value."""
    granted = list(asked)
    left, waiting = available, sorted(range(len(asked)), key=lambda number: asked[number])
    while waiting:
        even = max(left // len(waiting), LEAST_MIB)
        number = waiting.pop(0)
        granted[number] = min(asked[number], even)
        left -= granted[number]
    return granted

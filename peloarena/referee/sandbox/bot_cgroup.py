"""One bot's control group, and the weights of bots and referee. Standard library only (see guardian.py).

cgroup.py finds out where groups can be made; this module makes, reads, freezes, empties and removes them.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import signal
import time
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from . import processes
from .cgroup import (
    REFEREE_LEAF,
    ROLE_FILES,
    Hierarchy,
    group_name,
    parse_counters,
    pid_namespace_id,
    read_pids,
    write_control_file,
)

GROUP_NAME_PATTERN = re.compile(r"peloarena-(?P<space>\d+)-(?P<pid>\d+)-(?P<start>\d+)-\w+")
CPUSET_FILES = {1: ("cpuset.effective_cpus", "cpuset.cpus"), 2: ("cpuset.cpus.effective", "cpuset.cpus")}
"""The files that list the cores of our own group; older kernels have only the second."""
SOCKET_BYTES = 32 * 1024 * 1024
"""Limit for the buffers of a bot's sockets, in v1. Without it 200 connections to itself held 750 MiB of the machine's
memory, and a third of its TCP memory."""
OOM_SLACK_BYTES = 1024 * 1024
"""v1 kills a group that cannot get the memory it asks for, so its peak may end a little below its limit."""
CPU_FILES = ("cpuacct.usage", "cpu.stat")
CPU_USAGE_READ_BYTES = 32
"""Enough for the v1 file, which holds one number and a line feed."""
CGROUP_KILL_TIMEOUT_SECONDS = 2.0
KILL_POLL_SECONDS = 0.001

_group_numbers = itertools.count(1)


class CpuWeight(NamedTuple):
    """A share of the CPU when others want it too, in the units of v1 (`cpu.shares`) and v2 (`cpu.weight`)."""

    v1: int
    v2: int


REFEREE_WEIGHT = CpuWeight(4096, 400)
"""More than a bot in a game has: the referee must see an answer when it comes, whatever else is running."""
BOT_WEIGHT = CpuWeight(1024, 100)
"""The kernels' own default, so that a bot competes with other work on the machine as any program does."""
MIN_WEIGHT = CpuWeight(2, 1)
"""The smallest possible: for bots that ponder while another bot is asked."""
TERMINATING_WEIGHT = CpuWeight(128, 12)
"""A tree that takes long to die uses CPU time in the kernel. With the least weight it would hardly die on a busy
machine, and would keep its memory."""


def enter_referee_group(hierarchy: Hierarchy) -> None:
    """Moves this process, and so its later children, into a leaf that weighs more than any bot's group."""
    base = hierarchy.base_of_role["weight"]
    name = ROLE_FILES[base.version]["weight"]
    with contextlib.suppress(OSError):  # another referee may be removing the leaf: then we go on without it
        leaf = base.folder / REFEREE_LEAF
        leaf.mkdir(exist_ok=True)
        write_control_file(leaf / name, str(REFEREE_WEIGHT[base.version - 1]))
        write_control_file(leaf / "cgroup.procs", str(os.getpid()))


def leave_referee_group(hierarchy: Hierarchy) -> None:
    """Moves back to the original group; the last referee removes the leaf. In v2 we may have to stay, which is
    harmless."""
    base = hierarchy.base_of_role["weight"]
    with contextlib.suppress(OSError):
        write_control_file(base.folder / "cgroup.procs", str(os.getpid()))
        (base.folder / REFEREE_LEAF).rmdir()


def _first_line(folder: Path, *names: str) -> str:
    """Returns the first line of the first of these files that exists."""
    return next(path.read_text().strip() for name in names if (path := folder / name).exists())


class BotCgroup:
    """One bot's group: the same name in every base folder of the hierarchy."""

    def __init__(self, hierarchy: Hierarchy, name: str) -> None:
        self._hierarchy = hierarchy
        self.name = name
        self.folders = tuple(base_folder / name for base_folder in hierarchy.base_folders)
        v2_bases = {base.folder for base in hierarchy.base_of_role.values() if base.version == 2}
        self.v2_folder = next((folder for folder in self.folders if folder.parent in v2_bases), None)
        """The group's v2 folder, in which a process can be born. A process joins this folder first."""
        self._cpu_base = hierarchy.base_of_role.get("cpu")
        self._descriptors: dict[str, int] = {}

    @classmethod
    def make(cls, hierarchy: Hierarchy, *, memory_bytes: int, processes: int, cores: Collection[int] = ()) -> BotCgroup:
        """`cores` are the only cores that the bot may run on; none named means all."""
        group = cls(hierarchy, group_name(str(next(_group_numbers))))
        try:
            for folder in group.folders:
                folder.mkdir()
            group._limit_memory(memory_bytes)
            group._limit_processes(processes)
            group._limit_cores(cores)
            group.set_weight(BOT_WEIGHT)
        except OSError:
            group.remove()
            raise
        return group

    @property
    def join_files(self) -> list[Path]:
        """The files into which a process writes itself to be inside."""
        return [folder / "cgroup.procs" for folder in self.folders]

    @property
    def v1_task_files(self) -> list[Path]:
        """The v1 files for a process without other threads: joining by them does not wait for the whole kernel."""
        return [folder / "tasks" for folder in self.folders if folder != self.v2_folder]

    def supports(self, role: str) -> bool:
        return self._hierarchy.supports(role)

    def _role_file(self, role: str, *names: str) -> Path:
        """The role's file: the first name is v1's, the second v2's."""
        base = self._hierarchy.base_of_role[role]
        return base.folder / self.name / names[base.version - 1]

    def _limit_memory(self, size: int) -> None:
        if not self.supports("memory"):
            return
        write_control_file(self._role_file("memory", "memory.limit_in_bytes", "memory.max"), str(size))
        # No swap on top of the limit, and v2 kills the whole tree, not only its largest process. v2 counts socket
        # memory; v1 counts it separately, and only with a limit of its own. Kernels may be built without any of these.
        extras = {
            "memory.memsw.limit_in_bytes": size,
            "memory.kmem.tcp.limit_in_bytes": SOCKET_BYTES,
            "memory.swap.max": 0,
            "memory.oom.group": 1,
        }
        for name, value in extras.items():
            path = self._role_file("memory", name, name)
            if path.exists():
                write_control_file(path, str(value))

    def _limit_processes(self, count: int) -> None:
        if self.supports("pids"):
            write_control_file(self._role_file("pids", "pids.max", "pids.max"), str(count))

    def _limit_cores(self, cores: Collection[int]) -> None:
        if not self.supports("cores"):
            return
        base = self._hierarchy.base_of_role["cores"]
        named = ",".join(map(str, sorted(cores))) if cores else _first_line(base.folder, *CPUSET_FILES[base.version])
        write_control_file(self._role_file("cores", "cpuset.cpus", "cpuset.cpus"), named)
        if base.version == 1:  # no process can join a v1 group that has no memory nodes
            nodes = _first_line(base.folder, "cpuset.effective_mems", "cpuset.mems")
            write_control_file(base.folder / self.name / "cpuset.mems", nodes)

    def set_weight(self, weight: CpuWeight) -> None:
        """Called around decisions, so the file stays open: 2 µs."""
        if self.supports("weight"):
            text = weight[self._hierarchy.base_of_role["weight"].version - 1]
            os.pwrite(self._cached_descriptor("weight", os.O_WRONLY, "cpu.shares", "cpu.weight"), b"%d" % text, 0)

    def members(self) -> list[int]:
        """Returns the pids in the v2 folder; without one, those in any folder, because a process that is still joining
        is in only some of them. Called many times while a tree ends: 20 µs for each folder."""
        folders = self.folders if self.v2_folder is None else (self.v2_folder,)
        return sorted({pid for folder in folders for pid in read_pids(folder / "cgroup.procs")})

    def cpu_ns(self) -> int | None:
        """Called around every decision, so the file stays open: 1 µs instead of 70."""
        base = self._cpu_base
        if base is None:
            return None
        kept = self._descriptors.get("cpu")
        if kept is None:
            kept = self._cached_descriptor("cpu", os.O_RDONLY, *CPU_FILES)
        if base.version == 1:
            return int(os.pread(kept, CPU_USAGE_READ_BYTES, 0))
        return parse_counters(os.pread(kept, 4096, 0).decode())["usage_usec"] * 1000

    def _cached_descriptor(self, role: str, mode: int, *names: str) -> int:
        if role not in self._descriptors:
            self._descriptors[role] = os.open(self._role_file(role, *names), mode | os.O_CLOEXEC)
        return self._descriptors[role]

    def close_descriptors(self) -> None:
        """Closes the files that were kept open."""
        while self._descriptors:
            os.close(self._descriptors.popitem()[1])

    def oom_kills(self) -> int:
        return self._memory_events().get("oom_kill", 0)

    def _memory_events(self) -> dict[str, int]:
        if not self.supports("memory"):
            return {}
        return parse_counters(self._role_file("memory", "memory.oom_control", "memory.events").read_text())

    def reached_memory_limit(self) -> bool:
        """True when the group reached its own limit. A process killed without that died because the machine, or a group
        above ours, ran out of memory. v1 reports its peak; v2 counts `oom` in the group whose limit was reached, not in
        a group that another group's limit hit."""
        if self._hierarchy.base_of_role["memory"].version == 2:
            return self._memory_events().get("oom", 0) > 0
        limit, peak = (
            int((self._role_file("memory", name)).read_text())
            for name in ("memory.limit_in_bytes", "memory.max_usage_in_bytes")
        )
        return peak + OOM_SLACK_BYTES >= limit

    def memory_used(self) -> int:
        if not self.supports("memory"):
            return 0
        return int(self._role_file("memory", "memory.usage_in_bytes", "memory.current").read_text())

    def freeze(self) -> None:
        """Returns at once; `is_frozen` is true when the last process has stopped (tens of microseconds later)."""
        os.pwrite(self._cached_descriptor("freeze", os.O_WRONLY, "", "cgroup.freeze"), b"1", 0)

    def thaw(self) -> None:
        os.pwrite(self._cached_descriptor("freeze", os.O_WRONLY, "", "cgroup.freeze"), b"0", 0)

    def is_frozen(self) -> bool:
        return parse_counters(self._role_file("freeze", "", "cgroup.events").read_text())["frozen"] == 1

    def kill(self, patience: float = CGROUP_KILL_TIMEOUT_SECONDS) -> bool:
        """True when no process is left inside."""
        deadline = time.monotonic() + patience
        while members := self.members():
            self.kill_members()
            processes.send_signal(members, signal.SIGKILL)
            if time.monotonic() > deadline:
                return False
            time.sleep(KILL_POLL_SECONDS)
        return True

    def kill_members(self) -> None:
        """Kills all members at once, new forks included, where the kernel can (v2 since Linux 5.14); otherwise does
        nothing."""
        if self.v2_folder is not None and (self.v2_folder / "cgroup.kill").exists():
            write_control_file(self.v2_folder / "cgroup.kill", "1")

    def remove(self, patience: float = CGROUP_KILL_TIMEOUT_SECONDS) -> bool:
        """True when no folder is left within `patience`."""
        deadline = time.monotonic() + patience
        while not self.try_remove():
            if time.monotonic() > deadline:
                return False
            time.sleep(KILL_POLL_SECONDS)
        return True

    def try_remove(self) -> bool:
        """True when no folder is left. The last processes may hold theirs for a moment after they have left the
        list."""
        self.close_descriptors()
        left = [folder for folder in self.folders if not _try_rmdir(folder)]
        return not left


def _try_rmdir(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno == errno.EBUSY:
            return False
        raise
    return True


def remove_stale_groups(hierarchy: Hierarchy, patience: float = CGROUP_KILL_TIMEOUT_SECONDS) -> list[str]:
    """Kills and removes the groups whose owner is dead; returns their names. `patience` applies to each of them."""
    stale = sorted(
        {folder.name for base in hierarchy.base_folders for folder in base.iterdir() if _is_stale(folder.name)}
    )
    for name in stale:
        group = BotCgroup(hierarchy, name)
        group.kill(patience)
        group.remove(patience)
    return stale


def _is_stale(name: str) -> bool:
    match = GROUP_NAME_PATTERN.fullmatch(name)
    if match is None or int(match["space"]) != pid_namespace_id():
        return False
    return not processes.is_alive(int(match["pid"]), int(match["start"]))

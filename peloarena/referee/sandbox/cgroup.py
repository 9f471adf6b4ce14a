"""Control groups, v1, v2 or both at once: one group per bot. Standard library only (see keeper.py).

Groups are made below the group that we are in, so that whatever limits us limits the bots too. Never the v1
freezer: its tasks survive SIGKILL. A group's name tells its owner, so that a later run can sweep what a referee
killed with SIGKILL left behind. Does not know bots, bubblewrap or policies.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import processes

ROLES = ("memory", "pids", "cpu", "freeze")
# What a child group must contain for a role to be played there, by cgroup version.
ROLE_FILES = {
    1: {"memory": "memory.limit_in_bytes", "pids": "pids.max", "cpu": "cpuacct.usage"},
    2: {"memory": "memory.max", "pids": "pids.max", "cpu": "cpu.stat", "freeze": "cgroup.freeze"},
}
V1_CONTROLLERS = frozenset({"memory", "pids", "cpuacct"})
V2_CONTROLLERS = ("memory", "pids")
LEAF = "peloarena-referee"
NAME = re.compile(r"peloarena-(?P<space>\d+)-(?P<pid>\d+)-(?P<start>\d+)-\w+")
KILL_PATIENCE = 2.0
PAUSE = 0.001

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Base:
    """A folder of ours in one hierarchy, below which we may hope to make groups."""

    folder: Path
    version: int


@dataclass(frozen=True)
class Hierarchy:
    """Where each role is played. The homes are all folders that a bot's process has to join, v2 first."""

    homes: tuple[Path, ...]
    where: Mapping[str, Base]

    def plays(self, role: str) -> bool:
        return role in self.where


def find(mountinfo: str | None = None, membership: str | None = None) -> Hierarchy | None:
    """What is writable here, tried for real; None when no role can be played."""
    mountinfo = Path("/proc/self/mountinfo").read_text() if mountinfo is None else mountinfo
    membership = Path("/proc/self/cgroup").read_text() if membership is None else membership
    bases = list(own_bases(mountinfo, membership))
    where: dict[str, Base] = {}
    for base in sorted(bases, key=lambda base: base.version):
        for role in _roles(base):
            where.setdefault(role, base)
    used = sorted(set(where.values()), key=lambda base: (-base.version, str(base.folder)))
    return Hierarchy(tuple(base.folder for base in used), where) if where else None


def own_bases(mountinfo: str, membership: str) -> Iterator[Base]:
    """Our own folder in every mounted hierarchy that has a role to play."""
    paths = _memberships(membership)
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        root, point = (_unescape(field) for field in before.split()[3:5])
        kind, _, options = after.split(" ", 2)
        version = {"cgroup": 1, "cgroup2": 2}.get(kind)
        if version is None:
            continue
        keys = V1_CONTROLLERS & set(options.rpartition(" ")[2].split(",")) if version == 1 else {""}
        path = next((paths[key] for key in sorted(keys) if key in paths), None)
        if path is not None and (folder := _below(point, root, path)) is not None:
            yield Base(folder, version)


def _memberships(text: str) -> dict[str, str]:
    """By controller; the empty name is v2's."""
    found = {}
    for line in text.splitlines():
        _, names, path = line.split(":", 2)
        found.update(dict.fromkeys(names.split(","), path))
    return found


def _unescape(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)


def _below(point: str, root: str, path: str) -> Path | None:
    """None when the mount shows a part of the hierarchy that we are not in."""
    if path.startswith("/..") or not Path(path).is_relative_to(root):
        return None
    folder = Path(point) / Path(path).relative_to(root)
    return folder.parent if folder.name == LEAF else folder


def _roles(base: Base) -> list[str]:
    """Makes a group and looks at what it can do."""
    probe = base.folder / group_name("probe")
    try:
        if base.version == 2:
            _enable(base.folder)
        probe.mkdir()
    except OSError:
        return []
    try:
        return [role for role, name in ROLE_FILES[base.version].items() if os.access(probe / name, os.R_OK)]
    finally:
        probe.rmdir()


def _enable(folder: Path) -> None:
    """Hands the controllers on to our children, where we have them to hand on."""
    missing = set(_words(folder / "cgroup.controllers")) - set(_words(folder / "cgroup.subtree_control"))
    wanted = " ".join(f"+{name}" for name in V2_CONTROLLERS if name in missing)
    if not wanted:
        return
    try:
        write(folder / "cgroup.subtree_control", wanted)
    except OSError as error:
        # A v2 group with controllers for its children may hold no process itself: move down into a leaf, if all
        # who are here are ours to move. What is not writable stays off, and its role is found missing.
        if error.errno == errno.EBUSY and _move_down(folder):
            write(folder / "cgroup.subtree_control", wanted)


def _move_down(folder: Path) -> bool:
    members = set(_numbers_in(folder / "cgroup.procs"))
    if not members <= {os.getpid(), *processes.descendants(os.getpid())}:
        return False
    (folder / LEAF).mkdir(exist_ok=True)
    for pid in sorted(members):
        write(folder / LEAF / "cgroup.procs", str(pid))
    return True


def write(path: Path, text: str) -> None:
    """Without creating or truncating, which a control file has no use for."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _words(path: Path) -> list[str]:
    return path.read_text().split()


def _numbers_in(path: Path) -> list[int]:
    """Empty when the group is gone. 0 stands for a process outside our PID namespace: not ours to signal."""
    try:
        return [pid for word in _words(path) if (pid := int(word)) > 0]
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENODEV):
            return []
        raise


def _counters(text: str) -> dict[str, int]:
    pairs = (line.split() for line in text.splitlines())
    return {name: int(value) for name, value in pairs}


def group_name(suffix: str) -> str:
    """The PID namespace is named too: another container's pids would look dead to our sweep."""
    pid = os.getpid()
    return f"peloarena-{_pid_space()}-{pid}-{processes.start_time(pid)}-{suffix}"


def _pid_space() -> int:
    return os.stat("/proc/self/ns/pid").st_ino


class Group:
    """One bot's group: the same name in every home of the hierarchy."""

    def __init__(self, hierarchy: Hierarchy, name: str) -> None:
        self._hierarchy = hierarchy
        self.name = name
        self.folders = tuple(home / name for home in hierarchy.homes)
        self._descriptors: dict[str, int] = {}

    @classmethod
    def make(cls, hierarchy: Hierarchy, *, memory_bytes: int, processes: int) -> Group:
        group = cls(hierarchy, group_name(str(next(_numbers))))
        try:
            for folder in group.folders:
                folder.mkdir()
            group._limit_memory(memory_bytes)
            group._limit_processes(processes)
        except OSError:
            group.remove()
            raise
        return group

    @property
    def joins(self) -> list[Path]:
        """The files into which a process writes itself to be inside."""
        return [folder / "cgroup.procs" for folder in self.folders]

    def plays(self, role: str) -> bool:
        return self._hierarchy.plays(role)

    def _file(self, role: str, *names: str) -> Path:
        """The role's file: the first name is v1's, the second v2's."""
        base = self._hierarchy.where[role]
        return base.folder / self.name / names[base.version - 1]

    def _limit_memory(self, size: int) -> None:
        if not self.plays("memory"):
            return
        write(self._file("memory", "memory.limit_in_bytes", "memory.max"), str(size))
        # No swap on top, and v2 takes the whole tree, not its fattest process. Kernels may be built without either.
        extras = (("memory.memsw.limit_in_bytes", str(size)), ("memory.swap.max", "0"), ("memory.oom.group", "1"))
        for name, value in extras:
            path = self._file("memory", name, name)
            if path.exists():
                write(path, value)

    def _limit_processes(self, count: int) -> None:
        if self.plays("pids"):
            write(self._file("pids", "pids.max", "pids.max"), str(count))

    def members(self) -> list[int]:
        """Over all homes: a process that is just joining stands in some of them only."""
        return sorted({pid for path in self.joins for pid in _numbers_in(path)})

    def cpu_ns(self) -> int | None:
        """Asked for around every decision, hence the file is kept open: 5 µs and not 70."""
        if not self.plays("cpu"):
            return None
        text = os.pread(self._kept("cpu", os.O_RDONLY, "cpuacct.usage", "cpu.stat"), 4096, 0)
        if self._hierarchy.where["cpu"].version == 1:
            return int(text)
        return _counters(text.decode())["usage_usec"] * 1000

    def _kept(self, role: str, mode: int, *names: str) -> int:
        if role not in self._descriptors:
            self._descriptors[role] = os.open(self._file(role, *names), mode | os.O_CLOEXEC)
        return self._descriptors[role]

    def release(self) -> None:
        """Closes the files kept open."""
        while self._descriptors:
            os.close(self._descriptors.popitem()[1])

    def oom_kills(self) -> int:
        if not self.plays("memory"):
            return 0
        return _counters(self._file("memory", "memory.oom_control", "memory.events").read_text()).get("oom_kill", 0)

    def freeze(self) -> None:
        """Returns at once; `frozen` tells when the last one stands still (tens of microseconds later)."""
        os.pwrite(self._kept("freeze", os.O_WRONLY, "", "cgroup.freeze"), b"1", 0)

    def thaw(self) -> None:
        os.pwrite(self._kept("freeze", os.O_WRONLY, "", "cgroup.freeze"), b"0", 0)

    def frozen(self) -> bool:
        return _counters(self._file("freeze", "", "cgroup.events").read_text())["frozen"] == 1

    def kill(self, patience: float = KILL_PATIENCE) -> bool:
        """True when nobody is left inside."""
        deadline = time.monotonic() + patience
        while members := self.members():
            self.kill_members()
            processes.send(members, signal.SIGKILL)
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE)
        return True

    def kill_members(self) -> None:
        """One blow, new forks included, where the kernel has it (v2 since Linux 5.14); nothing where it has not."""
        for folder in self.folders:
            if (folder / "cgroup.kill").exists():
                write(folder / "cgroup.kill", "1")

    def remove(self, patience: float = KILL_PATIENCE) -> bool:
        """True when no folder is left, within patience."""
        deadline = time.monotonic() + patience
        while not self.removed():
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE)
        return True

    def removed(self) -> bool:
        """True when no folder is left. The last to die may hold theirs for a moment after they left the list."""
        self.release()
        left = [folder for folder in self.folders if not _removed(folder)]
        return not left


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno == errno.EBUSY:
            return False
        raise
    return True


def sweep(hierarchy: Hierarchy, patience: float = KILL_PATIENCE) -> list[str]:
    """Ends and removes the groups whose owner is dead; returns their names. Patience is for each of them."""
    stale = sorted({folder.name for home in hierarchy.homes for folder in home.iterdir() if _is_stale(folder.name)})
    for name in stale:
        group = Group(hierarchy, name)
        group.kill(patience)
        group.remove(patience)
    return stale


def _is_stale(name: str) -> bool:
    match = NAME.fullmatch(name)
    if match is None or int(match["space"]) != _pid_space():
        return False
    return not processes.alive(int(match["pid"]), int(match["start"]))

"""Control groups, v1, v2 or both at once: one group per bot. Standard library only (see guardian.py).

Groups are made below our own group, so that our limits also apply to the bots. Never the v1 freezer: its tasks survive
SIGKILL. A group's name contains its owner, so that a later run can sweep what a referee killed with SIGKILL left
behind. Does not know bots, bubblewrap or policies.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import processes

ROLES = ("memory", "pids", "cpu", "freeze", "weight", "cores")
ROLE_FILES = {
    1: {
        "memory": "memory.limit_in_bytes",
        "pids": "pids.max",
        "cpu": "cpuacct.usage",
        "weight": "cpu.shares",
        "cores": "cpuset.cpus",
    },
    2: {
        "memory": "memory.max",
        "pids": "pids.max",
        "cpu": "cpu.stat",
        "freeze": "cgroup.freeze",
        "weight": "cpu.weight",
        "cores": "cpuset.cpus",
    },
}
"""What a child group must contain for a role to be played there, by cgroup version."""
V1_CONTROLLERS = frozenset({"memory", "pids", "cpuacct", "cpu", "cpuset"})
V2_CONTROLLERS = ("memory", "pids", "cpu", "cpuset")
REFEREE_LEAF = "peloarena-referee"


@dataclass(frozen=True)
class BaseGroup:
    """Our own folder in one hierarchy, below which we may be able to make groups."""

    folder: Path
    version: int


@dataclass(frozen=True)
class Hierarchy:
    """Where each role is played. The base folders are all those that a bot's process has to join, v2 first."""

    base_folders: tuple[Path, ...]
    base_of_role: Mapping[str, BaseGroup]

    def supports(self, role: str) -> bool:
        return role in self.base_of_role

    def without(self, role: str) -> Hierarchy:
        """Returns the hierarchy without this role and without the folders that only this role needs."""
        return _make_hierarchy({name: base for name, base in self.base_of_role.items() if name != role})


def _make_hierarchy(base_of_role: Mapping[str, BaseGroup]) -> Hierarchy:
    used = sorted(set(base_of_role.values()), key=lambda base: (-base.version, str(base.folder)))
    return Hierarchy(tuple(base.folder for base in used), base_of_role)


def find(mountinfo: str | None = None, membership: str | None = None) -> Hierarchy | None:
    """Finds out by trying what is writable here; None when no role can be played."""
    mountinfo = Path("/proc/self/mountinfo").read_text() if mountinfo is None else mountinfo
    membership = Path("/proc/self/cgroup").read_text() if membership is None else membership
    bases = list(own_base_groups(mountinfo, membership))
    base_of_role: dict[str, BaseGroup] = {}
    for base in sorted(bases, key=lambda base: base.version):
        for role in _probe_roles(base):
            base_of_role.setdefault(role, base)
    return _make_hierarchy(base_of_role) if base_of_role else None


def own_base_groups(mountinfo: str, membership: str) -> Iterator[BaseGroup]:
    """Our own folder in every mounted hierarchy that has a role to play."""
    paths = _paths_by_controller(membership)
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        root, point = (_unescape(field) for field in before.split()[3:5])
        kind, _, options = after.split(" ", 2)
        version = {"cgroup": 1, "cgroup2": 2}.get(kind)
        if version is None:
            continue
        keys = V1_CONTROLLERS & set(options.rpartition(" ")[2].split(",")) if version == 1 else {""}
        path = next((paths[key] for key in sorted(keys) if key in paths), None)
        if path is not None and (folder := _folder_in_mount(point, root, path)) is not None:
            yield BaseGroup(folder, version)


def _paths_by_controller(text: str) -> dict[str, str]:
    """Our group in each hierarchy, by controller; the empty name is v2's."""
    paths = {}
    for line in text.splitlines():
        _, names, path = line.split(":", 2)
        paths.update(dict.fromkeys(names.split(","), path))
    return paths


def _unescape(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)


def _folder_in_mount(mount_point: str, root: str, path: str) -> Path | None:
    """None when the mount shows a part of the hierarchy that we are not in."""
    if path.startswith("/..") or not Path(path).is_relative_to(root):
        return None
    folder = Path(mount_point) / Path(path).relative_to(root)
    return folder.parent if folder.name == REFEREE_LEAF else folder


def _probe_roles(base: BaseGroup) -> list[str]:
    """Makes a group and checks what it can do."""
    probe = base.folder / group_name("probe")
    try:
        if base.version == 2:
            _enable_controllers(base.folder)
        probe.mkdir()
    except OSError:
        return []
    try:
        accepts = base.version == 1 or _accepts_processes(probe)
        return [role for role, name in ROLE_FILES[base.version].items() if accepts and os.access(probe / name, os.R_OK)]
    except OSError:
        return []
    finally:
        probe.rmdir()


def _accepts_processes(group: Path) -> bool:
    """False below a v2 group that has processes and also controllers for its children: only threads may join there."""
    return read_words(group / "cgroup.type") == ["domain"]


def _enable_controllers(folder: Path) -> None:
    """Enables for our children the controllers that we have ourselves, if no process is left in our group itself.

    With processes in it the kernel refuses memory but accepts pids, cpu and cpuset, and then no process can join a
    group below: a bot would not start. This is how a login's shell and its programs live: in one group.
    """
    missing = set(read_words(folder / "cgroup.controllers")) - set(read_words(folder / "cgroup.subtree_control"))
    wanted = [name for name in V2_CONTROLLERS if name in missing]
    if not wanted or not (_is_root_group(folder) or _move_into_leaf(folder)):
        return
    for name in wanted:
        # One at a time: a controller that is unavailable here (`cpu` with real-time tasks) must not block the others.
        # It stays off, and its role is found missing.
        with contextlib.suppress(OSError):
            write_control_file(folder / "cgroup.subtree_control", f"+{name}")


def _is_root_group(folder: Path) -> bool:
    """The machine's root group, which has no type, may hold processes and enable controllers as well."""
    return not (folder / "cgroup.type").exists()


def _move_into_leaf(folder: Path) -> bool:
    """Moves the processes of the group down into a leaf if all are ours. True when none is left in the group itself."""
    members = set(map(int, read_words(folder / "cgroup.procs")))  # 0: a process outside our PID namespace
    if not members <= {os.getpid(), *processes.descendants(os.getpid())}:
        return False
    if members:
        (folder / REFEREE_LEAF).mkdir(exist_ok=True)
    for pid in sorted(members):
        write_control_file(folder / REFEREE_LEAF / "cgroup.procs", str(pid))
    return True


def write_control_file(path: Path, text: str) -> None:
    """Writes without creating or truncating, which a control file does not support."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def read_words(path: Path) -> list[str]:
    return path.read_text().split()


def read_pids(path: Path) -> list[int]:
    """Empty when the group is gone. 0 means a process outside our PID namespace, which we cannot signal."""
    try:
        return [pid for word in read_words(path) if (pid := int(word)) > 0]
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENODEV):
            return []
        raise


def parse_counters(text: str) -> dict[str, int]:
    pairs = (line.split() for line in text.splitlines())
    return {name: int(value) for name, value in pairs}


def group_name(suffix: str) -> str:
    """Includes the PID namespace: another container's pids would look dead to our sweep."""
    pid = os.getpid()
    return f"peloarena-{pid_namespace_id()}-{pid}-{processes.start_time(pid)}-{suffix}"


def pid_namespace_id() -> int:
    return os.stat("/proc/self/ns/pid").st_ino

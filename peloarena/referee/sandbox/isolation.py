"""The referee's interface: prepare once per run, then one sandbox per bot. Decides which protections are used.

The parts (cgroup, bubblewrap, launcher) do not know each other; this module chooses and combines them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec
from msgspec.structs import replace

from . import bubblewrap, cgroup, keeper, memory, processes, seccomp, show, tools
from .bot_group import Group, give_up_precedence, sweep, take_precedence
from .cage import Cage
from .errors import SandboxError
from .launch import MARK, Starter, Tenant
from .limits import Limits
from .linux import check_linux
from .opening import PROCESSES, Opener
from .reaper import Reaper
from .uids import Uids

Policy = Literal["auto", "strict", "off"]
Style = Literal["root", "userns", "none"]

LAST_PATIENCE = 120.0
"""Seconds that the end of a run waits for trees that do not die."""


class Lack(msgspec.Struct, frozen=True):
    """One thing that the sandbox lacks on this machine."""

    what: str
    """A short description, without output of other programs."""
    means: str
    details: str = ""
    """The other program's output."""

    def __str__(self) -> str:
        return f"{self.what}{f' ({self.details})' if self.details else ''}: {self.means}"


EXPOSED = "bots see the host's files, processes and network"
LACKS = {
    "bwrap": Lack("no bubblewrap", f"{EXPOSED} (install the package bubblewrap)"),
    "room": Lack("bubblewrap cannot make a sandbox here", EXPOSED),
    "size": Lack("this bubblewrap is older than 0.7", "the private /tmp has no bound of its own"),
    "userns": Lack("this bubblewrap is older than 0.8", "bots may make user namespaces of their own"),
    "seccomp": Lack(
        "no list of system calls for this processor",
        "bots may use the kernel's keyrings and make namespaces of their own",
    ),
    "memory": Lack("no writable memory cgroup", "memory is bounded per process only, not per bot"),
    "pids": Lack("no writable pids cgroup", "the number of processes is bounded by rlimit only, or not at all"),
    "cpu": Lack("no writable cgroup that counts CPU", "CPU time of children that nobody waited for is lost"),
    "freeze": Lack("no writable cgroup2", "bots are held between decisions with SIGSTOP, which they can notice"),
    "weight": Lack("no writable cpu cgroup", "a bot with many processes takes CPU time from the bot that is asked"),
    "cores": Lack("no writable cpuset cgroup", "games that run at the same time share all cores"),
}
"""Missing parts, and the consequences."""
OPTIONAL = ("cores",)
"""Roles that `strict` does not require: groups delegated to a user seldom have a cpuset."""
NEEDED = tuple(role for role in cgroup.ROLES if role not in OPTIONAL)


class Place(msgspec.Struct, frozen=True):
    """A slot: room for one game at a time. Each has cores of its own, if there are enough."""

    number: int = 0
    of: int = 1

    def cores(self, available: Collection[int]) -> tuple[int, ...]:
        cores = sorted(available)
        if self.of >= len(cores):
            return (cores[self.number % len(cores)],)
        return tuple(cores[self.number * len(cores) // self.of : (self.number + 1) * len(cores) // self.of])

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Place:
        """Reads the form in which a worker gets it on its command line."""
        number, of = map(int, text.split("/"))
        return cls(number, of)


WHOLE_MACHINE = Place()


def prepare(policy: Policy = "auto", *, runtimes: tuple[Path, ...] = (), place: Place = WHOLE_MACHINE) -> Isolation:
    """Finds out what this machine has; call it once per run. `runtimes` are folders that bots may read in addition to
    those that the host shows."""
    _check_machine()
    hierarchy = cgroup.find()
    if hierarchy is not None:
        sweep(hierarchy)
    found, style, lacks = (None, "none", []) if policy == "off" else _room_style()
    lacks += _missing_roles(hierarchy)
    if policy == "strict" and lacks:
        raise SandboxError("sandbox = strict is not possible here: " + "; ".join(map(str, lacks)))
    return Isolation(policy, style, found, hierarchy, tuple(lacks), (*show.shown_folders(), *runtimes), place)


def missing() -> tuple[Lack, ...]:
    """What `auto` would lack on this machine, found without preparing anything. Empty: `strict` is possible."""
    _check_machine()
    return (*_room_style()[2], *_missing_roles(cgroup.find()))


def lacking() -> tuple[str, ...]:
    """The same in words."""
    return tuple(map(str, missing()))


def _check_machine() -> None:
    """Without /proc we can find out nothing and watch no process: a chroot may have none."""
    check_linux()
    if not Path("/proc/self/mountinfo").exists():
        raise SandboxError("bots cannot be started without /proc: mount it with `mount -t proc proc /proc`")


def in_short(lacks: Collection[Lack]) -> str:
    """The missing parts, short enough for a sentence."""
    needed = {LACKS[role] for role in NEEDED}
    if needed <= set(lacks):
        return ", ".join([*(lack.what for lack in lacks if lack not in needed), "no writable cgroups"])
    return ", ".join(lack.what for lack in lacks)


def _missing_roles(hierarchy: cgroup.Hierarchy | None) -> list[Lack]:
    return [LACKS[role] for role in NEEDED if hierarchy is None or not hierarchy.plays(role)]


def _room_style() -> tuple[bubblewrap.Tools | None, Style, list[Lack]]:
    found = tools.find()
    if found is None:
        return None, "none", [LACKS["bwrap"]]
    style: Style = "root" if os.geteuid() == 0 else "userns"
    complaint = tools.complaint(found, Uids().take() if style == "root" else None)
    if complaint is not None:
        return None, "none", [replace(LACKS["room"], details=complaint)]
    lacks = [] if found.sizes else [LACKS["size"]]
    if seccomp.program() is None:
        lacks.append(replace(LACKS["seccomp"], details=os.uname().machine))
    if style == "userns" and not found.locks_userns:
        lacks.append(LACKS["userns"])
    return found, style, lacks


class Isolation:
    """The protections for every bot of this run. Close it (or leave its `with`) after the last sandbox."""

    def __init__(
        self,
        policy: Policy,
        style: Style,
        found: bubblewrap.Tools | None,
        hierarchy: cgroup.Hierarchy | None,
        missing: tuple[Lack, ...],
        runtimes: tuple[Path, ...],
        place: Place,
    ) -> None:
        self.policy = policy
        self.style = style
        self.missing = missing
        self.tools = found
        self.runtimes = runtimes
        self.cores = place.cores(os.sched_getaffinity(0))
        """The cores that the bots of this run may use."""
        self.memory_mib = memory.usable_mib() // place.of
        """For all bots that run here at the same time."""
        self.hierarchy = _without_idle_cpuset(hierarchy, self.cores)
        self._uids = Uids()
        self.opener = Opener(runtimes) if style == "root" and _bounds_bots(hierarchy) else None
        """The zygote that makes sandboxes for bots; None: bubblewrap does."""
        self._reaper = Reaper()
        if self.hierarchy is not None and self.hierarchy.plays("weight"):
            take_precedence(self.hierarchy)
        self._oom_score = processes.spare_from_oom()
        self._keeper: subprocess.Popen[bytes] | None = keeper.start(f"{MARK}={cgroup.group_name('')}")

    @property
    def lacks(self) -> tuple[str, ...]:
        """The missing parts, in words."""
        return tuple(map(str, self.missing))

    def cage(
        self,
        bot_dir: Path,
        limits: Limits | None = None,
        *,
        writable: Path | None = None,
        network: bool = False,
        single_file: Path | None = None,
    ) -> Cage:
        """`writable` is for builds: bot_dir, a folder inside it, or one elsewhere, which is then mounted at /out. A bot
        that is a single file sees no other file."""
        if self.style != "none":
            show.check_still_there(self.runtimes)
        bot_dir = bot_dir.resolve(strict=True)
        writable = None if writable is None else writable.resolve(strict=True)
        if self.style == "root":
            _check_readable(single_file or bot_dir)
        return self._make_cage(Tenant(bot_dir, limits or Limits(), writable, network, single_file))

    def _make_cage(self, tenant: Tenant) -> Cage:
        opener = self._opener_for(tenant)
        group = self._make_group(tenant.limits, self._own_processes(opener))
        uid = self._uids.take() if self.style == "root" else None
        owner = None if uid is None or tenant.writable is None else tenant.writable.stat()
        if uid is not None and tenant.writable is not None:
            _hand_over(tenant.writable, uid, uid)

        def give_back() -> bool:
            if group is not None and not group.removed():
                return False
            if group is None and uid is not None and processes.are_left_of(uid):
                return False  # closed, but the next sandbox with this uid would have their number on its limit
            if owner is not None and tenant.writable is not None:
                _hand_over(tenant.writable, owner.st_uid, owner.st_gid)
            if uid is not None:
                self._uids.give_back(uid)
            return True

        return Cage(Starter(tenant, self.tools, self.runtimes, group, uid, opener), group, self._reaper, give_back)

    def _opener_for(self, tenant: Tenant) -> Opener | None:
        """The zygote is for bots. Builds, which write or use the network, have time for bubblewrap."""
        if self.opener is None or tenant.writable is not None or tenant.network:
            return None
        return self.opener if self.opener.ready() else None

    def _own_processes(self, opener: Opener | None) -> int:
        """Processes of the sandbox itself, in addition to the bot's."""
        if self.tools is None:
            return 0
        return bubblewrap.PROCESSES if opener is None else PROCESSES

    def _make_group(self, limits: Limits, own: int) -> Group | None:
        if self.hierarchy is None:
            return None
        processes = limits.processes + own
        try:
            return Group.make(self.hierarchy, memory_bytes=limits.memory_bytes, processes=processes, cores=self.cores)
        except OSError as error:
            raise SandboxError(f"no cgroup for a bot: {error}") from error

    def stay_with_bots(self) -> None:
        """Pins this process to the cores of its bots, where they have cores of their own. Waking a bot on another core
        costs more than its answer: two workers on two cores played 1.15 times as many games with C bots that answer at
        once, and 1.24 times with bots/random."""
        if self.hierarchy is not None and self.hierarchy.plays("cores"):
            os.sched_setaffinity(0, self.cores)

    @property
    def dying(self) -> int:
        """Trees that were killed and are not gone yet."""
        return self._reaper.left

    def close(self) -> None:
        """Waits for the terminating trees. Leaves any that outlast the wait, or an interrupt, to the guardian."""
        if self.opener is not None:
            self.opener.close()
        if self._keeper is not None and self._reaper.wait(LAST_PATIENCE):
            self._keeper.kill()
            self._keeper.wait()
            if self.hierarchy is not None and self.hierarchy.plays("weight"):
                give_up_precedence(self.hierarchy)
            processes.set_oom_score(self._oom_score)
        self._keeper = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _bounds_bots(hierarchy: cgroup.Hierarchy | None) -> bool:
    """Whether groups limit memory and processes. Otherwise rlimits have to, and they would also apply to the zygote's
    process 1; and without a group only process 1 leads to its bot."""
    return hierarchy is not None and hierarchy.plays("memory") and hierarchy.plays("pids")


def _without_idle_cpuset(hierarchy: cgroup.Hierarchy | None, cores: Collection[int]) -> cgroup.Hierarchy | None:
    """Where bots may use every core, a cpuset would divide nothing and cost 0.2 ms a start."""
    if hierarchy is None or not hierarchy.plays("cores") or len(cores) < (os.cpu_count() or 1):
        return hierarchy
    return hierarchy.without("cores")


def _check_readable(place: Path) -> None:
    if place.stat().st_mode & 0o005 != 0o005:
        raise SandboxError(f"{place}: bots run as a user of their own here and cannot read it (chmod -R o+rX)")


def _hand_over(folder: Path, uid: int, gid: int) -> None:
    """Does not follow links; no process may be alive inside meanwhile. The kernel clears set-uid bits on the way.

    Uses chown: os.walk gives up in folders nested a thousand deep, which a build can make. A folder that is gone needs
    no owner: it belonged to an abandoned build whose processes outlasted our patience.
    """
    if not folder.exists():
        return
    subprocess.run(["chown", "--recursive", "--no-dereference", f"{uid}:{gid}", "--", str(folder)], check=True)

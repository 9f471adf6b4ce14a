"""The referee's interface: prepare once per run, then one sandbox per bot. Decides which protections are used.

The parts (cgroup, bubblewrap, launch) do not know each other; this module chooses and combines them.
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

from . import bubblewrap, cgroup, guardian, memory, processes, sandbox_tools, seccomp, show_option
from .bot_cgroup import BotCgroup, enter_referee_group, leave_referee_group, remove_stale_groups
from .errors import SandboxError
from .launch import MARK_VARIABLE, LaunchBuilder, SandboxSpec
from .limits import Limits
from .linux import check_linux
from .reaper import Reaper
from .sandbox import Sandbox
from .uids import UidPool
from .zygote_client import INIT_PROCESS_COUNT, ZygoteClient

SandboxPolicy = Literal["auto", "strict", "off"]
SandboxStyle = Literal["root", "userns", "none"]

CLOSE_TIMEOUT_SECONDS = 120.0
"""Seconds that the end of a run waits for trees that do not die."""


class MissingPart(msgspec.Struct, frozen=True):
    """One thing that the sandbox lacks on this machine."""

    what: str
    """A short description, without output of other programs."""
    means: str
    details: str = ""
    """The other program's output."""

    def __str__(self) -> str:
        return f"{self.what}{f' ({self.details})' if self.details else ''}: {self.means}"


NO_SANDBOX_CONSEQUENCE = "bots see the host's files, processes and network"
MISSING_PARTS = {
    "bwrap": MissingPart("no bubblewrap", f"{NO_SANDBOX_CONSEQUENCE} (install the package bubblewrap)"),
    "sandbox": MissingPart("bubblewrap cannot make a sandbox here", NO_SANDBOX_CONSEQUENCE),
    "size": MissingPart("this bubblewrap is older than 0.7", "the private /tmp has no bound of its own"),
    "userns": MissingPart("this bubblewrap is older than 0.8", "bots may make user namespaces of their own"),
    "seccomp": MissingPart(
        "no list of system calls for this processor",
        "bots may use the kernel's keyrings and make namespaces of their own",
    ),
    "memory": MissingPart("no writable memory cgroup", "memory is bounded per process only, not per bot"),
    "pids": MissingPart("no writable pids cgroup", "the number of processes is bounded by rlimit only, or not at all"),
    "cpu": MissingPart("no writable cgroup that counts CPU", "CPU time of children that nobody waited for is lost"),
    "freeze": MissingPart("no writable cgroup2", "bots are held between decisions with SIGSTOP, which they can notice"),
    "weight": MissingPart(
        "no writable cpu cgroup", "a bot with many processes takes CPU time from the bot that is asked"
    ),
    "cores": MissingPart("no writable cpuset cgroup", "games that run at the same time share all cores"),
}
"""Missing parts, and the consequences."""
OPTIONAL_ROLES = ("cores",)
"""Roles that `strict` does not require: groups delegated to a user seldom have a cpuset."""
REQUIRED_ROLES = tuple(role for role in cgroup.ROLES if role not in OPTIONAL_ROLES)


class GameSlot(msgspec.Struct, frozen=True):
    """A slot: room for one game at a time. Each has cores of its own, if there are enough."""

    number: int = 0
    total: int = 1

    def cores(self, available: Collection[int]) -> tuple[int, ...]:
        cores = sorted(available)
        if self.total >= len(cores):
            return (cores[self.number % len(cores)],)
        return tuple(cores[self.number * len(cores) // self.total : (self.number + 1) * len(cores) // self.total])

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    @classmethod
    def parse(cls, text: str) -> GameSlot:
        """Reads the form in which a worker gets it on its command line."""
        number, of = map(int, text.split("/"))
        return cls(number, of)


WHOLE_MACHINE = GameSlot()


def prepare(
    policy: SandboxPolicy = "auto", *, runtimes: tuple[Path, ...] = (), slot: GameSlot = WHOLE_MACHINE
) -> Isolation:
    """Finds out what this machine has; call it once per run. `runtimes` are folders that bots may read in addition to
    those that the host shows."""
    _check_machine()
    hierarchy = cgroup.find()
    if hierarchy is not None:
        remove_stale_groups(hierarchy)
    tools, style, missing = (None, "none", []) if policy == "off" else _find_sandbox_style()
    missing += _missing_roles(hierarchy)
    if policy == "strict" and missing:
        raise SandboxError("sandbox = strict is not possible here: " + "; ".join(map(str, missing)))
    return Isolation(policy, style, tools, hierarchy, tuple(missing), (*show_option.shown_folders(), *runtimes), slot)


def find_missing_parts() -> tuple[MissingPart, ...]:
    """What `auto` would lack on this machine, found without preparing anything. Empty: `strict` is possible."""
    _check_machine()
    return (*_find_sandbox_style()[2], *_missing_roles(cgroup.find()))


def missing_part_texts() -> tuple[str, ...]:
    """The same in words."""
    return tuple(map(str, find_missing_parts()))


def _check_machine() -> None:
    """Without /proc we can find out nothing and watch no process: a chroot may have none."""
    check_linux()
    if not Path("/proc/self/mountinfo").exists():
        raise SandboxError("bots cannot be started without /proc: mount it with `mount -t proc proc /proc`")


def summarize_missing_parts(missing_parts: Collection[MissingPart]) -> str:
    """The missing parts, short enough for a sentence, after the commonest cause."""
    needed = {MISSING_PARTS[role] for role in REQUIRED_ROLES}
    cause = [] if os.geteuid() == 0 else ["not root"]
    if needed <= set(missing_parts):
        return ", ".join([*cause, *(part.what for part in missing_parts if part not in needed), "no writable cgroups"])
    return ", ".join([*cause, *(part.what for part in missing_parts)])


def _missing_roles(hierarchy: cgroup.Hierarchy | None) -> list[MissingPart]:
    return [MISSING_PARTS[role] for role in REQUIRED_ROLES if hierarchy is None or not hierarchy.supports(role)]


def _find_sandbox_style() -> tuple[bubblewrap.SandboxTools | None, SandboxStyle, list[MissingPart]]:
    tools = sandbox_tools.find()
    if tools is None:
        return None, "none", [MISSING_PARTS["bwrap"]]
    style: SandboxStyle = "root" if os.geteuid() == 0 else "userns"
    complaint = sandbox_tools.bwrap_problem(tools, UidPool().take_uid() if style == "root" else None)
    if complaint is not None:
        return None, "none", [replace(MISSING_PARTS["sandbox"], details=complaint)]
    missing = [] if tools.has_size_option else [MISSING_PARTS["size"]]
    if seccomp.program() is None:
        missing.append(replace(MISSING_PARTS["seccomp"], details=os.uname().machine))
    if style == "userns" and not tools.has_disable_userns_option:
        missing.append(MISSING_PARTS["userns"])
    return tools, style, missing


class Isolation:
    """The protections for every bot of this run. Close it (or leave its `with`) after the last sandbox."""

    def __init__(
        self,
        policy: SandboxPolicy,
        style: SandboxStyle,
        available_tools: bubblewrap.SandboxTools | None,
        hierarchy: cgroup.Hierarchy | None,
        missing_parts: tuple[MissingPart, ...],
        runtimes: tuple[Path, ...],
        slot: GameSlot,
    ) -> None:
        self.policy = policy
        self.style = style
        self.missing_parts = missing_parts
        self.tools = available_tools
        self.runtimes = runtimes
        self.cores = slot.cores(os.sched_getaffinity(0))
        """The cores that the bots of this run may use."""
        self.memory_mib = memory.usable_mib() // slot.total
        """For all bots that run here at the same time."""
        self.hierarchy = _without_unneeded_cpuset(hierarchy, self.cores)
        self._uids = UidPool()
        self.zygote = ZygoteClient(runtimes) if style == "root" and _can_limit_bots(hierarchy) else None
        """The zygote that makes sandboxes for bots; None: bubblewrap does."""
        self._reaper = Reaper()
        if self.hierarchy is not None and self.hierarchy.supports("weight"):
            enter_referee_group(self.hierarchy)
        self._oom_score = processes.spare_from_oom()
        self._guardian: subprocess.Popen[bytes] | None = guardian.start(f"{MARK_VARIABLE}={cgroup.group_name('')}")

    @property
    def missing_part_texts(self) -> tuple[str, ...]:
        """The missing parts, in words."""
        return tuple(map(str, self.missing_parts))

    def make_sandbox(
        self,
        bot_dir: Path,
        limits: Limits | None = None,
        *,
        writable: Path | None = None,
        network: bool = False,
        single_file: Path | None = None,
    ) -> Sandbox:
        """`writable` is for builds: bot_dir, a folder inside it, or one elsewhere, which is then mounted at /out. A bot
        that is a single file sees no other file."""
        if self.style != "none":
            show_option.check_still_there(self.runtimes)
        bot_dir = bot_dir.resolve(strict=True)
        writable = None if writable is None else writable.resolve(strict=True)
        if self.style == "root":
            _check_readable(single_file or bot_dir)
        return self._build_sandbox(SandboxSpec(bot_dir, limits or Limits(), writable, network, single_file))

    def _build_sandbox(self, spec: SandboxSpec) -> Sandbox:
        zygote = self._zygote_for(spec)
        group = self._make_group(spec.limits, self._overhead_processes(zygote))
        uid = self._uids.take_uid() if self.style == "root" else None
        owner = None if uid is None or spec.writable is None else spec.writable.stat()
        if uid is not None and spec.writable is not None:
            _change_owner(spec.writable, uid, uid)

        def try_release() -> bool:
            if group is not None and not group.try_remove():
                return False
            if group is None and uid is not None and processes.user_has_processes(uid):
                return False  # closed, but the next sandbox with this uid would have their number on its limit
            if owner is not None and spec.writable is not None:
                _change_owner(spec.writable, owner.st_uid, owner.st_gid)
            if uid is not None:
                self._uids.return_uid(uid)
            return True

        return Sandbox(
            LaunchBuilder(spec, self.tools, self.runtimes, group, uid, zygote), group, self._reaper, try_release
        )

    def _zygote_for(self, spec: SandboxSpec) -> ZygoteClient | None:
        """The zygote is for bots. Builds, which write or use the network, have time for bubblewrap."""
        if self.zygote is None or spec.writable is not None or spec.network:
            return None
        return self.zygote if self.zygote.ensure_running() else None

    def _overhead_processes(self, zygote: ZygoteClient | None) -> int:
        """Processes of the sandbox itself, in addition to the bot's."""
        if self.tools is None:
            return 0
        return bubblewrap.BWRAP_PROCESS_COUNT if zygote is None else INIT_PROCESS_COUNT

    def _make_group(self, limits: Limits, overhead_processes: int) -> BotCgroup | None:
        if self.hierarchy is None:
            return None
        processes = limits.processes + overhead_processes
        try:
            return BotCgroup.make(
                self.hierarchy, memory_bytes=limits.memory_bytes, processes=processes, cores=self.cores
            )
        except OSError as error:
            raise SandboxError(f"no cgroup for a bot: {error}") from error

    def pin_to_bot_cores(self) -> None:
        """Pins this process to the cores of its bots, where they have cores of their own. Waking a bot on another core
        costs more than its answer: two workers on two cores played 1.15 times as many games with C bots that answer at
        once, and 1.24 times with bots/random."""
        if self.hierarchy is not None and self.hierarchy.supports("cores"):
            os.sched_setaffinity(0, self.cores)

    @property
    def terminating_count(self) -> int:
        """Trees that were killed and are not gone yet."""
        return self._reaper.pending_count

    def close(self) -> None:
        """Waits for the terminating trees. Leaves any that outlast the wait, or an interrupt, to the guardian."""
        if self.zygote is not None:
            self.zygote.close()
        if self._guardian is not None and self._reaper.wait(CLOSE_TIMEOUT_SECONDS):
            self._guardian.kill()
            self._guardian.wait()
            if self.hierarchy is not None and self.hierarchy.supports("weight"):
                leave_referee_group(self.hierarchy)
            processes.set_oom_score(self._oom_score)
        self._guardian = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _can_limit_bots(hierarchy: cgroup.Hierarchy | None) -> bool:
    """Whether groups limit memory and processes. Otherwise rlimits have to, and they would also apply to the zygote's
    process 1; and without a group only process 1 leads to its bot."""
    return hierarchy is not None and hierarchy.supports("memory") and hierarchy.supports("pids")


def _without_unneeded_cpuset(hierarchy: cgroup.Hierarchy | None, cores: Collection[int]) -> cgroup.Hierarchy | None:
    """Where bots may use every core, a cpuset would divide nothing and cost 0.2 ms a start."""
    if hierarchy is None or not hierarchy.supports("cores") or len(cores) < (os.cpu_count() or 1):
        return hierarchy
    return hierarchy.without("cores")


def _check_readable(path: Path) -> None:
    if path.stat().st_mode & 0o005 != 0o005:
        raise SandboxError(f"{path}: bots run as a user of their own here and cannot read it (chmod -R o+rX)")


def _change_owner(folder: Path, uid: int, gid: int) -> None:
    """Does not follow links; no process may be alive inside meanwhile. The kernel clears set-uid bits on the way.

    Uses chown: os.walk gives up in folders nested a thousand deep, which a build can make. A folder that is gone needs
    no owner: it belonged to an abandoned build whose processes outlasted our patience.
    """
    if not folder.exists():
        return
    subprocess.run(["chown", "--recursive", "--no-dereference", f"{uid}:{gid}", "--", str(folder)], check=True)

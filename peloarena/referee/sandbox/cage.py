"""What the referee calls: prepare once, one cage per bot, a Launch for Popen, and the tree's end.

Decides which protections are used; the parts (cgroup, bubblewrap, launcher) know nothing of each other. Starts no
bot by itself: the referee calls `cage.command(words).start(...)` from the main thread, and then
`cage.watch(process.pid)`.
"""

import functools
import os
import secrets
import signal
import subprocess
import time
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Literal, Self

import msgspec

from . import bubblewrap, cgroup, keeper, launcher, processes, seccomp, tools
from .errors import SandboxError
from .limits import MIB, Limits
from .uids import Uids

Policy = Literal["auto", "strict", "off"]
Style = Literal["root", "userns", "none"]
MARK = "PELOARENA_CAGE"
BLOCK = 512  # what ulimit -f counts in
STOP_ROUNDS = 20
# From Linux 5.14 on, RLIMIT_NPROC counts inside the user namespace; before, all that the host's user runs.
NPROC_PER_USERNS = (5, 14)
# RLIMIT_DATA is per process and counts thread stacks, 8 MiB each, touched or not.
DATA_FACTOR = 2

LACKS = {
    "bwrap": "no bubblewrap: bots see the host's files, processes and network (install the package bubblewrap)",
    "room": "bubblewrap cannot open a room here ({}): bots see the host's files, processes and network",
    "size": "this bubblewrap is older than 0.7: the private /tmp has no bound of its own",
    "userns": "this bubblewrap is older than 0.8: bots may make user namespaces of their own",
    "seccomp": "no list of system calls for {}: bots may use the kernel's keyrings and make namespaces of their own",
    "memory": "no writable memory cgroup: memory is bounded per process only, not per bot",
    "pids": "no writable pids cgroup: the number of processes is bounded by rlimit only, or not at all",
    "cpu": "no writable cgroup that counts CPU: CPU time of children that nobody waited for is lost",
    "freeze": "no writable cgroup2: bots are held between decisions with SIGSTOP, which they can notice",
}


class Launch(msgspec.Struct, frozen=True):
    """What to give to Popen."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    pass_fds: tuple[int, ...] = ()

    def start(self, *, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
        """In a session of its own, unbuffered. From the main thread: a death signal follows the thread that forked."""
        return subprocess.Popen(
            self.argv,
            env=self.env,
            cwd=self.cwd,
            pass_fds=self.pass_fds,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            bufsize=0,
        )


def prepare(policy: Policy = "auto", *, runtimes: tuple[Path, ...] = ()) -> "Isolation":
    """Finds out what this machine has; once per run. Runtimes are more folders that bots may read, /opt/go say."""
    hierarchy = cgroup.find()
    if hierarchy is not None:
        cgroup.sweep(hierarchy)
    found, style, lacks = (None, "none", []) if policy == "off" else _room_style()
    lacks += _missing_roles(hierarchy)
    if policy == "strict" and lacks:
        raise SandboxError("sandbox = strict is not possible here: " + "; ".join(lacks))
    return Isolation(policy, style, found, hierarchy, tuple(lacks), runtimes)


def lacking() -> tuple[str, ...]:
    """What `auto` would lack on this machine, without preparing anything. Empty: `strict` is possible."""
    return (*_room_style()[2], *_missing_roles(cgroup.find()))


def _missing_roles(hierarchy: cgroup.Hierarchy | None) -> list[str]:
    return [LACKS[role] for role in cgroup.ROLES if hierarchy is None or not hierarchy.plays(role)]


def _room_style() -> tuple[bubblewrap.Tools | None, Style, list[str]]:
    found = tools.find()
    if found is None:
        return None, "none", [LACKS["bwrap"]]
    style: Style = "root" if os.geteuid() == 0 else "userns"
    complaint = tools.complaint(found, Uids().take() if style == "root" else None)
    if complaint is not None:
        return None, "none", [LACKS["room"].format(complaint)]
    lacks = [] if found.sizes else [LACKS["size"]]
    if seccomp.program() is None:
        lacks.append(LACKS["seccomp"].format(os.uname().machine))
    if style == "userns" and not found.locks_userns:
        lacks.append(LACKS["userns"])
    return found, style, lacks


class Isolation:
    """What is used for every bot of this run. Close it (or leave its `with`) after the last cage."""

    def __init__(
        self,
        policy: Policy,
        style: Style,
        found: bubblewrap.Tools | None,
        hierarchy: cgroup.Hierarchy | None,
        lacks: tuple[str, ...],
        runtimes: tuple[Path, ...],
    ) -> None:
        self.policy = policy
        self.style = style
        self.lacks = lacks
        self.tools = found
        self.hierarchy = hierarchy
        self.runtimes = runtimes
        self.uids = Uids()
        self._keeper: subprocess.Popen[bytes] | None = keeper.start(f"{MARK}={cgroup.group_name('')}")

    def cage(
        self,
        bot_dir: Path,
        limits: Limits | None = None,
        *,
        writable: Path | None = None,
        network: bool = False,
        single_file: Path | None = None,
    ) -> "Cage":
        """Writable is for builds: bot_dir or a folder inside it. A single file sees no other of bot_dir."""
        bot_dir = bot_dir.resolve(strict=True)
        writable = None if writable is None else writable.resolve(strict=True)
        if writable is not None and not writable.is_relative_to(bot_dir):
            raise ValueError(f"{writable} is not inside {bot_dir}")
        if self.style == "root":
            _check_readable(bot_dir if single_file is None else single_file)
        return Cage(self, bot_dir, limits or Limits(), writable, network, single_file)

    def close(self) -> None:
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.wait()
            self._keeper = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _waiting_in(pipe: int) -> bytes:
    try:
        return os.read(pipe, 65_536)
    except BlockingIOError:
        return b""


def _check_readable(folder: Path) -> None:
    if folder.stat().st_mode & 0o005 != 0o005:
        raise SandboxError(f"{folder}: bots run as a user of their own here and cannot read it (chmod -R o+rX)")


class Cage:
    """One bot's process tree, from its first process to its last."""

    def __init__(
        self,
        isolation: Isolation,
        bot_dir: Path,
        limits: Limits,
        writable: Path | None,
        network: bool,
        single_file: Path | None = None,
    ) -> None:
        self._isolation = isolation
        self._bot_dir = bot_dir
        self._limits = limits
        self._writable = writable
        self._network = network
        self._single_file = single_file
        self._failure_token = f"peloarena: not started {secrets.token_hex(8)}"
        self._status: int | None = None
        self._mark = f"{MARK}={cgroup.group_name(f'{id(self):x}')}="
        self._watched: dict[int, int] = {}
        self._descriptors: list[int] = []
        self._last_cpu: int | None = None
        self._last_oom = False
        self._closed = False
        self._group = self._make_group()
        self._uid = isolation.uids.take() if isolation.style == "root" else None
        self._owner: os.stat_result | None = None
        if writable is not None and self._uid is not None:
            self._owner = writable.stat()
            _hand_over(writable, self._uid, self._uid)

    def _make_group(self) -> cgroup.Group | None:
        hierarchy = self._isolation.hierarchy
        if hierarchy is None:
            return None
        limits = self._limits
        try:
            return cgroup.Group.make(hierarchy, memory_bytes=limits.memory_bytes, processes=limits.processes)
        except OSError as error:
            raise SandboxError(f"no cgroup for a bot: {error}") from error

    # -- starting ---------------------------------------------------------------------------------------------

    def command(self, argv: list[str], cwd_in_bot: str = ".") -> Launch:
        """For Popen, once per call, from this very process: the start is refused when its parent is another."""
        if PurePosixPath(cwd_in_bot).is_absolute() or ".." in PurePosixPath(cwd_in_bot).parts:
            raise ValueError(f"{cwd_in_bot!r} leads out of the bot's folder")
        if self._isolation.tools is None:
            return self._open_command(argv, cwd_in_bot)
        return self._room_command(self._isolation.tools, argv, cwd_in_bot)

    def _room_command(self, found: bubblewrap.Tools, argv: list[str], folder: str) -> Launch:
        room = self._room()
        # Always something of ours first, setpriv or this shell: a program that cannot be run must be the bot's failure.
        inside = launcher.launch(argv, rlimits=self._inner_rlimits()) if self._uid is None else argv
        wrapped = bubblewrap.command(found, room, inside, folder)
        limits = self._outer_rlimits()
        argv = launcher.launch(
            wrapped, joins=self._joins(), rlimits=limits, parent=os.getpid(), failure_token=self._failure_token
        )
        return Launch(argv, {"PATH": tools.HOST_PATH, "LANG": "C.UTF-8", **self._marking()}, "/", room.descriptors)

    def _room(self) -> bubblewrap.Room:
        calls = seccomp.program()
        return bubblewrap.Room(
            bot_dir=self._bot_dir,
            tmp_mib=self._limits.tmp_mib,
            memory_mib=self._limits.memory_mib,
            uid=self._uid,
            writable=self._writable,
            network=self._network,
            extra=self._isolation.runtimes,
            names_fd=self._lend("passwd", bubblewrap.passwd(os.geteuid() if self._uid is None else self._uid)),
            filter_fd=None if calls is None else self._lend("seccomp", calls),
            status_fd=self._open_status(),
            single_file=self._single_file,
        )

    def _open_status(self) -> int:
        """A pipe from bubblewrap to us; both ends are closed with the cage."""
        self._status, write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._descriptors += [self._status, write_end]
        return write_end

    def never_started(self, status: int, stderr: bytes) -> bool:
        """True when the start failed before the bot's own program ran: the machine's fault. For one that has ended.

        Bubblewrap tells an exit code only for a program that it came to start. A status alone proves nothing: a bot
        could use it to have its lost games played again. Nor does a death by memory, whose bubblewrap tells nothing.
        """
        if self._status is None:
            return self._failure_token.encode() in stderr
        return status > 0 and not self.oom() and b"exit-code" not in _waiting_in(self._status)

    def _lend(self, name: str, content: bytes) -> int:
        """For one start; closed with the cage."""
        descriptor = bubblewrap.memory_file(name, content)
        self._descriptors.append(descriptor)
        return descriptor

    def _open_command(self, argv: list[str], folder: str) -> Launch:
        """Without a room: own group and death signal, the host's files."""
        limits = {"core_blocks": 0}
        started = launcher.launch(
            argv, joins=self._joins(), rlimits=limits, parent=os.getpid(), failure_token=self._failure_token
        )
        setpriv = _setpriv()
        fatal = [] if setpriv is None else [setpriv, "--pdeathsig", "KILL", "--"]
        return Launch([*fatal, *started], self._open_environment(), str(self._bot_dir / folder))

    def _open_environment(self) -> dict[str, str]:
        """The same short list, with the host's own places in it."""
        variables = bubblewrap.environment(self._limits.memory_mib)
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        return {**variables, "TMPDIR": "/tmp", **kept, **self._marking()}

    def _marking(self) -> dict[str, str]:
        """By this, strays are found where there is no group. Inside a room only bubblewrap itself carries it."""
        name, _, value = self._mark.partition("=")
        return {name: value}

    def _joins(self) -> list[Path]:
        return [] if self._group is None else self._group.joins

    def _plays(self, role: str) -> bool:
        return self._group is not None and self._group.plays(role)

    def _outer_rlimits(self) -> dict[str, int]:
        """Root is exempt from the process count, so it may be set before root is given up."""
        limits = self._limits
        chosen = {"core_blocks": 0, "file_blocks": limits.file_mib * MIB // BLOCK, "open_files": limits.open_files}
        if not self._plays("memory"):
            chosen["data_kib"] = limits.memory_mib * DATA_FACTOR * MIB // 1024
        if not self._plays("pids") and self._uid is not None:
            chosen["processes"] = limits.processes
        return chosen

    def _inner_rlimits(self) -> dict[str, int]:
        needed = self._uid is None and not self._plays("pids") and tools.kernel() >= NPROC_PER_USERNS
        return {"processes": self._limits.processes} if needed else {}

    def watch(self, pid: int) -> None:
        """Tells the cage which process Popen started."""
        started = processes.start_time(pid)
        if started is not None:
            self._watched[pid] = started

    # -- the living tree --------------------------------------------------------------------------------------

    def pids(self) -> list[int]:
        """The living. Without room and group, strays are looked for only when it comes to killing."""
        roots = [pid for pid, start in self._watched.items() if processes.alive(pid, start)]
        if self._group is not None:
            return sorted({*roots, *self._group.members()})
        return sorted({*roots, *(pid for root in roots for pid in processes.descendants(root))})

    def cpu_ns(self) -> int | None:
        """CPU used by the whole tree so far, its start included; differences are what counts."""
        if not self._closed:
            self._last_cpu = self._read_cpu()
        return self._last_cpu

    def _read_cpu(self) -> int | None:
        counted = None if self._group is None else self._group.cpu_ns()
        if counted is not None:
            return counted
        return processes.cpu_ns(self.pids()) if self._watched else None

    def oom(self) -> bool:
        """True when the kernel killed something inside for its memory."""
        if not self._closed and self._group is not None:
            self._last_oom = self._group.oom_kills() > 0
        return self._last_oom

    def freeze(self) -> None:
        if self._closed:
            return
        if self._group is not None and self._group.plays("freeze"):
            self._group.freeze()
        else:
            self._stop_all()

    def _stop_all(self) -> None:
        """Until a look around finds nobody new: one may have forked while its parent was being stopped."""
        stopped: set[int] = set()
        for _ in range(STOP_ROUNDS):
            fresh = set(self.pids()) - stopped
            if not fresh:
                return
            processes.send(fresh, signal.SIGSTOP)
            stopped |= fresh

    def thaw(self) -> None:
        if self._closed:
            return
        if self._group is not None and self._group.plays("freeze"):
            self._group.thaw()
        else:
            processes.send(self.pids(), signal.SIGCONT)

    # -- the end ----------------------------------------------------------------------------------------------

    def kill(self, patience: float = cgroup.KILL_PATIENCE) -> bool:
        """Ends the whole tree; True when nobody is left. Any number of times; the referee still waits for its child."""
        if self._closed:
            return True
        deadline = time.monotonic() + patience
        while living := self._to_kill():
            self._kill_once(living)
            if time.monotonic() > deadline:
                return False
            time.sleep(cgroup.PAUSE)
        return True

    def _to_kill(self) -> list[int]:
        """Without a group they are stopped first, so that none forks between being looked for and being killed:
        a bubblewrap killed while it opens the room would leave an orphan that has no death signal yet."""
        if self._group is not None:
            return self.pids()
        self._stop_all()
        return sorted({*self.pids(), *processes.marked(self._mark)})

    def _kill_once(self, living: list[int]) -> None:
        if self._group is not None:
            self._group.kill_members()
        processes.send(living, signal.SIGKILL)

    def close(self) -> None:
        """Ends the tree and removes what was made for it. Any number of times."""
        if self._closed:
            return
        if not self.kill():
            raise SandboxError(f"processes {self.pids()} of a bot do not die")
        self.cpu_ns()
        self.oom()
        self._closed = True
        self._give_back()

    def _give_back(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.pop())
        if self._owner is not None and self._writable is not None:
            _hand_over(self._writable, self._owner.st_uid, self._owner.st_gid)
        if self._uid is not None:
            self._isolation.uids.give_back(self._uid)
        if self._group is not None and not self._group.remove():
            raise SandboxError(f"cgroup {self._group.name} cannot be removed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@functools.cache
def _setpriv() -> str | None:
    return tools.setpriv()


def _hand_over(folder: Path, uid: int, gid: int) -> None:
    """Links are not followed; nobody may be alive inside meanwhile. The kernel clears set-uid bits on the way.

    By chown: os.walk gives up in folders that are nested a thousand deep, which a build can make.
    """
    subprocess.run(["chown", "--recursive", "--no-dereference", f"{uid}:{gid}", "--", str(folder)], check=True)

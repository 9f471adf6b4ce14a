"""How a bot is started: its command line, with or without a sandbox, and what it borrows until the sandbox is closed.

Knows bubblewrap and the launcher's shell; does not know what happens to the processes afterwards.
"""

from __future__ import annotations

import functools
import os
import secrets
import subprocess
from pathlib import Path, PurePosixPath

import msgspec

from . import bubblewrap, cgroup, launcher, seccomp, streams, tools
from .bot_group import Group
from .limits import MIB, Limits
from .opening import Opener, Opening
from .room import READY, RoomOrder
from .show import search_path

MARK = "PELOARENA_CAGE"
"""The variable that marks strays where there is no group."""
BLOCK = 512
"""The unit of `ulimit -f`."""
NPROC_PER_USERNS = (5, 14)
"""From this Linux on, RLIMIT_NPROC counts inside the user namespace; before, it counts all that the user runs."""
DATA_FACTOR = 2
"""RLIMIT_DATA is per process and counts thread stacks, 8 MiB each, whether touched or not."""


class Tenant(msgspec.Struct, frozen=True):
    """The bot or build that a sandbox is made for."""

    bot_dir: Path
    limits: Limits = Limits()
    writable: Path | None = None
    """For builds: bot_dir, a folder inside it, or one elsewhere."""
    network: bool = False
    single_file: Path | None = None
    """The one file of bot_dir that it sees, if it is not a folder."""


class Launch(msgspec.Struct, frozen=True):
    """The arguments for Popen."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    pass_fds: tuple[int, ...] = ()

    def start(self, *, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
        """Starts it in a session of its own, unbuffered. Call from the main thread: the death signal is tied to the
        thread that forked."""
        with streams.opened(stdin, stdout, stderr) as handed:
            process = subprocess.Popen(
                self.argv,
                env=self.env,
                cwd=self.cwd,
                pass_fds=self.pass_fds,
                stdin=handed.theirs[0],
                stdout=handed.theirs[1],
                stderr=handed.theirs[2],
                start_new_session=True,
            )
        process.stdin, process.stdout, process.stderr = handed.ours
        return process


class Starter:
    """Makes the launches of one sandbox. `close` takes back the descriptors that it lent to them."""

    def __init__(
        self,
        tenant: Tenant,
        found: bubblewrap.Tools | None,
        runtimes: tuple[Path, ...],
        group: Group | None,
        uid: int | None,
        opener: Opener | None = None,
    ) -> None:
        """With a zygote, that makes the sandbox; otherwise bubblewrap does."""
        self._tenant = tenant
        self._tools = found
        self._runtimes = runtimes
        self._group = group
        self._uid = uid
        self._opener = opener
        self._failure_token = f"peloarena: not started {secrets.token_hex(8)}"
        self._status: int | None = None
        self._lent: list[int] = []
        self.mark = f"{MARK}={cgroup.group_name(f'{id(self):x}')}="

    def launch(self, argv: list[str], folder: str) -> Launch | Opening:
        if PurePosixPath(folder).is_absolute() or ".." in PurePosixPath(folder).parts:
            raise ValueError(f"{folder!r} leads out of the bot's folder")
        if self._tools is None:
            return self._in_the_open(argv, folder)
        if self._opener is not None and self._uid is not None:
            return self._by_the_opener(self._opener, self._uid, argv, folder)
        return self._in_a_room(self._tools, argv, folder)

    def _in_a_room(self, found: bubblewrap.Tools, argv: list[str], folder: str) -> Launch:
        room = self._room()
        # The first program inside is always ours, setpriv or this shell: bubblewrap then always has something to start,
        # and a bot's program that cannot be run counts as the bot's failure.
        inside = launcher.launch(argv, rlimits=self._inner_rlimits()) if self._uid is None else argv
        wrapped = self._joined(bubblewrap.command(found, room, inside, folder), self._outer_rlimits())
        return Launch(wrapped, {"PATH": tools.HOST_PATH, "LANG": "C.UTF-8", **self._marking()}, "/", room.descriptors)

    def _by_the_opener(self, opener: Opener, uid: int, argv: list[str], folder: str) -> Opening:
        tenant, cwd = self._tenant, os.path.normpath(f"{bubblewrap.BOT}/{folder}")
        variables = bubblewrap.environment(tenant.limits.memory_mib, search_path(self._runtimes))
        file = tenant.single_file
        order = RoomOrder(
            argv=argv,
            env={**variables, "PWD": cwd},
            cwd=cwd,
            uid=uid,
            tmp_bytes=tenant.limits.tmp_mib * MIB,
            rlimits=launcher.rlimits(self._outer_rlimits()),
            single_file="" if file is None else file.name,
        )
        self._status, told = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._lent.append(self._status)
        joins, unified = ([], None) if self._group is None else (self._group.tasks, self._group.unified)
        return Opening(opener, order, file or tenant.bot_dir, told, joins, unified)

    def _in_the_open(self, argv: list[str], folder: str) -> Launch:
        """Without a sandbox: own group and death signal, the host's files."""
        setpriv = _setpriv()
        fatal = [] if setpriv is None else [setpriv, "--pdeathsig", "KILL", "--"]
        started = self._joined(argv, {"core_blocks": 0})
        return Launch([*fatal, *started], self._open_environment(), str(self._tenant.bot_dir / folder))

    def _joined(self, argv: list[str], rlimits: dict[str, int]) -> list[str]:
        """The start fails if its parent is not this very process, because then the death signal would not come."""
        joins = [] if self._group is None else self._group.joins
        token = self._failure_token
        return launcher.launch(argv, joins=joins, rlimits=rlimits, parent=os.getpid(), failure_token=token)

    def _room(self) -> bubblewrap.Room:
        calls = seccomp.program()
        tenant = self._tenant
        return bubblewrap.Room(
            bot_dir=tenant.bot_dir,
            tmp_mib=tenant.limits.tmp_mib,
            memory_mib=tenant.limits.memory_mib,
            uid=self._uid,
            writable=tenant.writable,
            network=tenant.network,
            extra=self._runtimes,
            names_fd=self._lend("passwd", bubblewrap.passwd(os.geteuid() if self._uid is None else self._uid)),
            filter_fd=None if calls is None else self._lend("seccomp", calls),
            status_fd=self._open_status(),
            single_file=tenant.single_file,
        )

    def _lend(self, name: str, content: bytes) -> int:
        descriptor = bubblewrap.memory_file(name, content)
        self._lent.append(descriptor)
        return descriptor

    def _open_status(self) -> int:
        """A pipe from bubblewrap to us."""
        self._status, write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._lent += [self._status, write_end]
        return write_end

    def _open_environment(self) -> dict[str, str]:
        """The same short list, with the host's own places in it."""
        variables = bubblewrap.environment(self._tenant.limits.memory_mib)
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        return {**variables, "TMPDIR": "/tmp", **kept, **self._marking()}

    def _marking(self) -> dict[str, str]:
        """Inside a sandbox only bubblewrap itself carries the mark."""
        name, _, value = self.mark.partition("=")
        return {name: value}

    def _plays(self, role: str) -> bool:
        return self._group is not None and self._group.plays(role)

    def _outer_rlimits(self) -> dict[str, int]:
        """Root is exempt from the process count, so it can be set before root is given up."""
        limits = self._tenant.limits
        chosen = {"core_blocks": 0, "file_blocks": limits.file_mib * MIB // BLOCK, "open_files": limits.open_files}
        if not self._plays("memory"):
            chosen["data_kib"] = limits.memory_mib * DATA_FACTOR * MIB // 1024
        if not self._plays("pids") and self._uid is not None:
            chosen["processes"] = limits.processes
        return chosen

    def _inner_rlimits(self) -> dict[str, int]:
        needed = self._uid is None and not self._plays("pids") and tools.kernel() >= NPROC_PER_USERNS
        return {"processes": self._tenant.limits.processes} if needed else {}

    def never_started(self, status: int, stderr: bytes, *, out_of_memory: bool) -> bool:
        """True when the start failed before the bot's own program ran: the machine's fault. Call it after the process
        has ended.

        Bubblewrap reports an exit code only for a program that it started, and the zygote's sandboxes report that they
        are ready. An exit status alone proves nothing: a bot could choose it to have its lost games played again. Nor
        does a missing report, if bubblewrap itself was killed for its bot's memory.
        """
        if self._status is None:
            return self._failure_token.encode() in stderr
        proof = b"exit-code" if self._opener is None else READY
        return status > 0 and not out_of_memory and proof not in _waiting_in(self._status)

    def close(self) -> None:
        while self._lent:
            os.close(self._lent.pop())
        self._status = None


def _waiting_in(pipe: int) -> bytes:
    try:
        return os.read(pipe, 65_536)
    except BlockingIOError:
        return b""


@functools.cache
def _setpriv() -> str | None:
    return tools.setpriv()

"""How a bot is started: its command line, with or without a sandbox, and what it borrows until the sandbox is closed.

Knows bubblewrap and the launch script; does not know what happens to the processes afterwards.
"""

from __future__ import annotations

import functools
import os
import secrets
import subprocess
from pathlib import Path, PurePosixPath

import msgspec

from . import bubblewrap, cgroup, launch_script, sandbox_tools, seccomp, streams
from .bot_cgroup import BotCgroup
from .limits import MIB, Limits
from .sandbox_init import READY, SandboxRequest
from .show_option import search_path
from .zygote_client import ZygoteClient, ZygoteLaunch

MARK_VARIABLE = "PELOARENA_CAGE"
"""The variable that marks strays where there is no group."""
ULIMIT_BLOCK_BYTES = 512
"""The unit of `ulimit -f`."""
NPROC_PER_USERNS_SINCE = (5, 14)
"""From this Linux on, RLIMIT_NPROC counts inside the user namespace; before, it counts all that the user runs."""
RLIMIT_DATA_FACTOR = 2
"""RLIMIT_DATA is per process and counts thread stacks, 8 MiB each, whether touched or not."""


class SandboxSpec(msgspec.Struct, frozen=True):
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
        with streams.open_streams(stdin, stdout, stderr) as opened:
            process = subprocess.Popen(
                self.argv,
                env=self.env,
                cwd=self.cwd,
                pass_fds=self.pass_fds,
                stdin=opened.theirs[0],
                stdout=opened.theirs[1],
                stderr=opened.theirs[2],
                start_new_session=True,
            )
        process.stdin, process.stdout, process.stderr = opened.ours
        return process


class LaunchBuilder:
    """Makes the launches of one sandbox. `close` takes back the descriptors that it lent to them."""

    def __init__(
        self,
        spec: SandboxSpec,
        available_tools: bubblewrap.SandboxTools | None,
        runtimes: tuple[Path, ...],
        group: BotCgroup | None,
        uid: int | None,
        zygote: ZygoteClient | None = None,
    ) -> None:
        """With a zygote, that makes the sandbox; otherwise bubblewrap does."""
        self._spec = spec
        self._tools = available_tools
        self._runtimes = runtimes
        self._group = group
        self._uid = uid
        self._zygote = zygote
        self._failure_token = f"peloarena: not started {secrets.token_hex(8)}"
        self._status_fd: int | None = None
        self._lent_descriptors: list[int] = []
        self.mark = f"{MARK_VARIABLE}={cgroup.group_name(f'{id(self):x}')}="

    def make_launch(self, argv: list[str], cwd_in_bot: str) -> Launch | ZygoteLaunch:
        if PurePosixPath(cwd_in_bot).is_absolute() or ".." in PurePosixPath(cwd_in_bot).parts:
            raise ValueError(f"{cwd_in_bot!r} leads out of the bot's folder")
        if self._tools is None:
            return self._unsandboxed_launch(argv, cwd_in_bot)
        if self._zygote is not None and self._uid is not None:
            return self._zygote_launch(self._zygote, self._uid, argv, cwd_in_bot)
        return self._bwrap_launch(self._tools, argv, cwd_in_bot)

    def _bwrap_launch(self, available_tools: bubblewrap.SandboxTools, argv: list[str], cwd_in_bot: str) -> Launch:
        options = self._bwrap_options()
        # The first program inside is always ours, setpriv or this shell: bubblewrap then always has something to start,
        # and a bot's program that cannot be run counts as the bot's failure.
        inside = launch_script.shell_command(argv, rlimits=self._inner_rlimits()) if self._uid is None else argv
        wrapped = self._shell_argv(
            bubblewrap.command(available_tools, options, inside, cwd_in_bot), self._outer_rlimits()
        )
        return Launch(
            self._shell_argv(wrapped, self._outer_rlimits()),
            {"PATH": sandbox_tools.HOST_PATH, "LANG": "C.UTF-8", **self._mark_variable()},
            "/",
            options.descriptors,
        )

    def _zygote_launch(self, zygote: ZygoteClient, uid: int, argv: list[str], cwd_in_bot: str) -> ZygoteLaunch:
        spec, cwd = self._spec, os.path.normpath(f"{bubblewrap.BOT_MOUNT}/{cwd_in_bot}")
        variables = bubblewrap.bot_environment(spec.limits.memory_mib, search_path(self._runtimes))
        file = spec.single_file
        request = SandboxRequest(
            argv=argv,
            env={**variables, "PWD": cwd},
            cwd=cwd,
            uid=uid,
            tmp_bytes=spec.limits.tmp_mib * MIB,
            rlimits=launch_script.resource_limits(self._outer_rlimits()),
            single_file="" if file is None else file.name,
        )
        self._status_fd, status_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._lent_descriptors.append(self._status_fd)
        group_files, v2_folder = (
            ([], None) if self._group is None else (self._group.v1_task_files, self._group.v2_folder)
        )
        return ZygoteLaunch(zygote, request, file or spec.bot_dir, status_write, group_files, v2_folder)

    def _unsandboxed_launch(self, argv: list[str], cwd_in_bot: str) -> Launch:
        """Without a sandbox: own group and death signal, the host's files."""
        setpriv = _setpriv_path()
        fatal = [] if setpriv is None else [setpriv, "--pdeathsig", "KILL", "--"]
        started = self._shell_argv(argv, {"core_blocks": 0})
        return Launch([*fatal, *started], self._unsandboxed_environment(), str(self._spec.bot_dir / cwd_in_bot))

    def _shell_argv(self, argv: list[str], rlimits: dict[str, int]) -> list[str]:
        """The start fails if its parent is not this very process, because then the death signal would not come."""
        joins = [] if self._group is None else self._group.join_files
        token = self._failure_token
        return launch_script.shell_command(argv, joins=joins, rlimits=rlimits, parent=os.getpid(), failure_token=token)

    def _bwrap_options(self) -> bubblewrap.BwrapOptions:
        calls = seccomp.program()
        spec = self._spec
        return bubblewrap.BwrapOptions(
            bot_dir=spec.bot_dir,
            tmp_mib=spec.limits.tmp_mib,
            memory_mib=spec.limits.memory_mib,
            uid=self._uid,
            writable=spec.writable,
            network=spec.network,
            extra_runtimes=self._runtimes,
            passwd_fd=self._lend_file(
                "passwd", bubblewrap.passwd_content(os.geteuid() if self._uid is None else self._uid)
            ),
            filter_fd=None if calls is None else self._lend_file("seccomp", calls),
            status_fd=self._open_status_pipe(),
            single_file=spec.single_file,
        )

    def _lend_file(self, name: str, content: bytes) -> int:
        descriptor = bubblewrap.open_memory_file(name, content)
        self._lent_descriptors.append(descriptor)
        return descriptor

    def _open_status_pipe(self) -> int:
        """A pipe from bubblewrap to us."""
        self._status_fd, write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._lent_descriptors += [self._status_fd, write_end]
        return write_end

    def _unsandboxed_environment(self) -> dict[str, str]:
        """The same short list, with the host's own paths in it."""
        variables = bubblewrap.bot_environment(self._spec.limits.memory_mib)
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        return {**variables, "TMPDIR": "/tmp", **kept, **self._mark_variable()}

    def _mark_variable(self) -> dict[str, str]:
        """Inside a sandbox only bubblewrap itself carries the mark."""
        name, _, value = self.mark.partition("=")
        return {name: value}

    def _group_supports(self, role: str) -> bool:
        return self._group is not None and self._group.supports(role)

    def _outer_rlimits(self) -> dict[str, int]:
        """Root is exempt from the process count, so it can be set before root is given up."""
        limits = self._spec.limits
        chosen = {
            "core_blocks": 0,
            "file_blocks": limits.file_mib * MIB // ULIMIT_BLOCK_BYTES,
            "open_files": limits.open_files,
        }
        if not self._group_supports("memory"):
            chosen["data_kib"] = limits.memory_mib * RLIMIT_DATA_FACTOR * MIB // 1024
        if not self._group_supports("pids") and self._uid is not None:
            chosen["processes"] = limits.processes
        return chosen

    def _inner_rlimits(self) -> dict[str, int]:
        needed = (
            self._uid is None
            and not self._group_supports("pids")
            and sandbox_tools.kernel_version() >= NPROC_PER_USERNS_SINCE
        )
        return {"processes": self._spec.limits.processes} if needed else {}

    def never_started(self, status: int, stderr: bytes, *, out_of_memory: bool) -> bool:
        """True when the start failed before the bot's own program ran: the machine's fault. Call it after the process
        has ended.

        Bubblewrap reports an exit code only for a program that it started, and the zygote's sandboxes report that they
        are ready. An exit status alone proves nothing: a bot could choose it to have its lost games played again. Nor
        does a missing report, if bubblewrap itself was killed for its bot's memory.
        """
        if self._status_fd is None:
            return self._failure_token.encode() in stderr
        proof = b"exit-code" if self._zygote is None else READY
        return status > 0 and not out_of_memory and proof not in _read_pending(self._status_fd)

    def close(self) -> None:
        while self._lent_descriptors:
            os.close(self._lent_descriptors.pop())
        self._status_fd = None


def _read_pending(pipe: int) -> bytes:
    try:
        return os.read(pipe, 65_536)
    except BlockingIOError:
        return b""


@functools.cache
def _setpriv_path() -> str | None:
    return sandbox_tools.find_setpriv()

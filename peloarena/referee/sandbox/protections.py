"""Which protections hold on this machine, each tested by a program inside a sandbox. Data only; prints nothing."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from . import probe_programs, remedies, runtimes
from .isolation import MISSING_PARTS, OPTIONAL_ROLES, GameSlot, Isolation, MissingPart, SandboxPolicy, prepare
from .limits import Limits
from .remedies import HostFacts
from .sandbox import Sandbox
from .show_option import shown_folders
from .zygote_client import StartedProcess

PROBE_TIMEOUT_SECONDS = 30.0
"""Seconds for a start, an output or a death. All take milliseconds, but much longer on a machine that is busy with
games. A probe that lingers lives for a minute, which distinguishes a tree that is not killed from one that dies late.
"""
QUIET_SECONDS = 0.1
CPU_POLL_SECONDS = 0.01
MIN_COUNTED_CPU_SHARE = 0.8
"""Of 100 ms burnt; without a cgroup it is counted in ticks of 10 ms."""
CPU_SAMPLE_SECONDS = 0.3
MIN_CPU_RATIO = 5
"""The weights differ by 100 or more; a few milliseconds at the start are no more than a fifth."""
MIN_CPU_NS = 200_000_000
"""Nanoseconds of CPU time of both together: enough slices that an even share cannot look like this by chance."""
PROBE_TMP_MIB = 4
PROBE_LIMITS = Limits(memory_mib=64, processes=16, tmp_mib=PROBE_TMP_MIB)
MEMORY_PROBE_MIB = 160
FORK_PROBE_COUNT = 32


class Protection(msgspec.Struct, frozen=True):
    """One protection: whether it holds, what it means when it does not, and how to get it."""

    name: str
    holds: bool
    promise: str
    means: str
    remedy: str
    strict: bool = True
    """`--sandbox strict` needs it."""


PROTECTION_TEXTS = {
    "loopback": ("no way to services of this machine", "bots can talk to services of this machine"),
    "outside": (
        "no network interface but its own loopback",
        "bots can reach the network, so they could leak a game or get help",
    ),
    "abstract": (
        "no abstract unix sockets of the host",
        "bots can talk to each other and the host over abstract unix sockets",
    ),
    "processes": ("no process but its own is seen", "bots can see, and perhaps signal, the host's processes"),
    "files": ("the host's files are not there", "bots can read the host's files"),
    "home": (
        "the home is hidden, except for the interpreter if it is installed there",
        "bots can look into the home of the host's user",
    ),
    "environment": ("a short list of variables", "bots inherit the referee's environment, secrets included"),
    "uid": ("no privileges, and none to gain", "bots keep privileges of the host's user"),
    "own_uid": ("not root", "bots run as root"),
    "namespaces": ("no namespaces of its own", "bots can make namespaces of their own and reach more of the kernel"),
    "folder": ("its own folder is read-only", "bots can change their own folder between games"),
    "tmp": ("a private /tmp of bounded size", "bots can fill the disk or the memory through /tmp"),
    "memory": ("bounded for the whole tree", "a bot can take all memory of the machine"),
    "process count": ("bounded for the whole tree", "a fork bomb can take the machine down"),
    "freeze": ("held while others are to move", "bots can think while others are to move"),
    "cpu": ("counted for the whole tree, strays included", "CPU time of a bot's stray children is not counted"),
    "cpu share": (
        "the bot that is asked comes first",
        "a bot with many processes takes CPU time from the bot that is asked",
    ),
    "cores": (
        "games at the same time have cores of their own",
        "a bot takes CPU time from games that run at the same time (play with jobs = 1)",
    ),
    "kill": ("the whole tree ends, strays included", "a bot that double-forks leaves processes behind"),
    "dies with referee": (
        "ends even when the referee is killed with SIGKILL",
        "bots live on when the referee is killed",
    ),
}
"""By name of the protection: what it promises, and what its absence means."""

ROLE_OF_PROTECTION = {
    "memory": "memory",
    "process count": "pids",
    "freeze": "freeze",
    "cpu": "cpu",
    "cpu share": "weight",
    "cores": "cores",
}
"""Protections that need a cgroup, and the role that it plays for them."""
PARTS_OF_PROTECTION = {"tmp": ("size",), "namespaces": ("userns", "seccomp")}
"""Protections that a sandbox may be without, and what it lacks then."""


def examine_protections(policy: SandboxPolicy = "auto") -> list[Protection]:
    """Takes about a second. A probe that cannot run counts as a protection that does not hold. A probe that needs
    something the sandbox lacks is skipped, because it could only time out."""
    with tempfile.TemporaryDirectory(prefix="peloarena-doctor-") as name, prepare(policy) as isolation:
        folder = Path(name)
        folder.chmod(0o755)
        seen = _run_visibility_probe(isolation, folder)
        tried = [
            key
            for key in PROTECTION_TESTS
            if MISSING_PARTS.get(ROLE_OF_PROTECTION.get(key, "")) not in isolation.missing_parts
        ]
        trials = {key: PROTECTION_TESTS[key](isolation, folder) for key in tried}
    holds = {**seen, **trials}
    machine = remedies.inspect_host()
    return [make_protection(key, holds.get(key, False), isolation.missing_parts, machine) for key in PROTECTION_TEXTS]


def make_protection(name: str, held: bool, missing: Collection[MissingPart], machine: HostFacts) -> Protection:
    """One process cannot show that a limit is only per process, so a protection that the sandbox lacks does not
    hold."""
    promise, means = PROTECTION_TEXTS[name]
    role = ROLE_OF_PROTECTION.get(name, "")
    strict = role not in OPTIONAL_ROLES
    if MISSING_PARTS.get(role) in missing:
        held, means = False, str(MISSING_PARTS[role])
    return Protection(name, held, promise, means, "" if held else choose_remedy(name, missing, machine), strict)


def choose_remedy(name: str, missing: Collection[MissingPart], machine: HostFacts) -> str:
    """Chosen by what is missing on this machine."""
    if name in ROLE_OF_PROTECTION:
        known = ROLE_OF_PROTECTION[name] in OPTIONAL_ROLES or MISSING_PARTS[ROLE_OF_PROTECTION[name]] in missing
        return remedies.cgroup_remedy(machine, ROLE_OF_PROTECTION[name]) if known else remedies.UNKNOWN_REMEDY
    kinds = {part.what: part for part in missing}
    for key in ("bwrap", "sandbox"):  # without a sandbox, everything that it provides is missing
        if MISSING_PARTS[key].what in kinds:
            return remedies.sandbox_remedy(machine, kinds[MISSING_PARTS[key].what].details)
    part = next((key for key in PARTS_OF_PROTECTION.get(name, ()) if MISSING_PARTS[key].what in kinds), "")
    return remedies.REMEDY_OF_PART.get(part, remedies.UNKNOWN_REMEDY)


# -- what a bot sees ------------------------------------------------------------------------------------------


def _run_visibility_probe(isolation: Isolation, folder: Path) -> dict[str, bool]:
    with ExitStack() as stack, isolation.make_sandbox(folder, PROBE_LIMITS) as sandbox:
        bait = _lay_bait(stack)
        output = _probe_output(sandbox, probe_programs.VISIBILITY_PROBE, json.dumps(bait))
    try:
        return msgspec.json.decode(output, type=dict[str, bool])
    except msgspec.DecodeError:
        return {}


def _lay_bait(stack: ExitStack) -> dict[str, object]:
    """Things that a bot must not find: listeners, a process, a file, a variable."""
    token = uuid.uuid4().hex
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
    abstract.bind("\0peloarena-" + token[:8])
    abstract.listen()
    secret = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="peloarena-secret-"))) / "secret"
    secret.write_text("secret")
    stack.enter_context(_victim_process(token))
    stack.enter_context(_secret_variable("PELOARENA_DOCTOR"))
    home = Path.home()
    return {
        "port": listener.getsockname()[1],
        "abstract": "peloarena-" + token[:8],
        "nekot": token[::-1],  # backwards: the probe's own command line must not be what it finds
        "secret": str(secret),
        "home": str(home),
        "shown": _visible_entries(home),
        "variable": "PELOARENA_DOCTOR",
        "uid": os.geteuid(),
        "tmp_mib": PROBE_TMP_MIB,
    }


@contextmanager
def _victim_process(token: str) -> Iterator[None]:
    """A process of the host that waits on its stdin."""
    with subprocess.Popen(["/bin/sh", "-c", "read line", "victim", token], stdin=subprocess.PIPE):
        yield


@contextmanager
def _secret_variable(name: str) -> Iterator[None]:
    os.environ[name] = "secret"
    try:
        yield
    finally:
        del os.environ[name]


def _visible_entries(home: Path) -> list[str]:
    """The parts of the home that are visible on purpose: for the interpreter, or because the host shows them."""
    paths = [*(path for _, path in runtimes.interpreter_mounts()), *shown_folders()]
    return sorted({path.relative_to(home).parts[0] for path in paths if path.is_relative_to(home)})


# -- what a bot can do ----------------------------------------------------------------------------------------


def _memory_is_bounded(isolation: Isolation, folder: Path) -> bool:
    with isolation.make_sandbox(folder, PROBE_LIMITS) as sandbox:
        return "survived" not in _probe_output(sandbox, probe_programs.MEMORY_PROBE, str(MEMORY_PROBE_MIB))


def _processes_are_bounded(isolation: Isolation, folder: Path) -> bool:
    with isolation.make_sandbox(folder, PROBE_LIMITS) as sandbox:
        born = _probe_output(sandbox, probe_programs.FORK_PROBE, str(FORK_PROBE_COUNT)).strip()
    return born.isdigit() and int(born) < PROBE_LIMITS.processes


def _freeze_works(isolation: Isolation, folder: Path) -> bool:
    with isolation.make_sandbox(folder) as sandbox, _running_probe(sandbox, probe_programs.TICK_PROBE) as process:
        ticking = _has_output(process, PROBE_TIMEOUT_SECONDS)
        sandbox.freeze()
        still = _falls_silent(process)
        sandbox.thaw()
        again = _has_output(process, PROBE_TIMEOUT_SECONDS)
        sandbox.kill()
    return ticking and still and again


def _cpu_is_counted(isolation: Isolation, folder: Path) -> bool:
    with isolation.make_sandbox(folder) as sandbox, _running_probe(sandbox, probe_programs.CPU_PROBE) as process:
        burnt = int(_read_output(process, PROBE_TIMEOUT_SECONDS) or 0)
        return burnt > 0 and _cpu_reaches(sandbox, int(burnt * MIN_COUNTED_CPU_SHARE))


def _cpu_reaches(sandbox: Sandbox, nanoseconds: int) -> bool:
    """The stray's time may be counted only after it is reaped: a moment after its output."""
    deadline = time.monotonic() + PROBE_TIMEOUT_SECONDS
    while (sandbox.cpu_ns() or 0) < nanoseconds:
        if time.monotonic() > deadline:
            return False
        time.sleep(CPU_POLL_SECONDS)
    return True


def _asked_bot_gets_cpu_first(isolation: Isolation, folder: Path) -> bool:
    """Both have a process for each core, so how they share does not depend on what else the machine does."""
    cores = str(os.cpu_count() or 1)
    with (
        isolation.make_sandbox(folder) as asked,
        isolation.make_sandbox(folder) as other,
        _running_probe(other, probe_programs.SPIN_PROBE, cores) as spinning,
        _running_probe(asked, probe_programs.SPIN_PROBE, cores) as thinking,
    ):
        ready = _has_output(spinning, PROBE_TIMEOUT_SECONDS) and _has_output(thinking, PROBE_TIMEOUT_SECONDS)
        other.lower_priority()
        return ready and _gets_more_cpu(asked, other)


def _gets_more_cpu(asked: Sandbox, other: Sandbox) -> bool:
    """Compares after both have used enough CPU time. On a busy machine a single look may fall on a slice of the wrong
    one, so it looks repeatedly; two that share evenly never reach such a difference."""
    before = [sandbox.cpu_ns() or 0 for sandbox in (asked, other)]
    deadline = time.monotonic() + PROBE_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        time.sleep(CPU_SAMPLE_SECONDS)
        mine, its = ((sandbox.cpu_ns() or 0) - then for sandbox, then in zip((asked, other), before, strict=True))
        if mine + its > MIN_CPU_NS and mine > its * MIN_CPU_RATIO:
            return True
    return False


def _cores_are_divided(isolation: Isolation, folder: Path) -> bool:
    with prepare(isolation.policy, slot=GameSlot(0, 2)) as half, half.make_sandbox(folder) as sandbox:
        taken = _probe_output(sandbox, probe_programs.CORES_PROBE).split()
        return bool(taken) and {int(core) for core in taken} == set(half.cores)


def _tree_is_killed(isolation: Isolation, folder: Path) -> bool:
    with isolation.make_sandbox(folder) as sandbox, _running_probe(sandbox, probe_programs.LINGER_PROBE) as process:
        ready = _has_output(process, PROBE_TIMEOUT_SECONDS)
        sandbox.kill()
        return ready and _closes_output(process)


def _dies_with_referee(isolation: Isolation, folder: Path) -> bool:
    """The bot and its stray child hold the pipe, so the pipe ends when both are dead."""
    argv = [
        sys.executable,
        "-P",
        "-c",
        probe_programs.FAKE_REFEREE,
        isolation.policy,
        str(folder),
        probe_programs.LINGER_PROBE,
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as referee:
        ready = _has_output(referee, PROBE_TIMEOUT_SECONDS)
        referee.send_signal(signal.SIGKILL)
        return ready and _closes_output(referee)


PROTECTION_TESTS: dict[str, Callable[[Isolation, Path], bool]] = {
    "memory": _memory_is_bounded,
    "process count": _processes_are_bounded,
    "freeze": _freeze_works,
    "cpu": _cpu_is_counted,
    "cpu share": _asked_bot_gets_cpu_first,
    "cores": _cores_are_divided,
    "kill": _tree_is_killed,
    "dies with referee": _dies_with_referee,
}


# -- starting and listening -----------------------------------------------------------------------------------


@contextmanager
def _running_probe(sandbox: Sandbox, program: str, *arguments: str) -> Iterator[StartedProcess]:
    launch = sandbox.command([sys.executable, "-c", program, *arguments])
    with launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        sandbox.track(process)
        try:
            yield process
        finally:
            sandbox.kill()


def _probe_output(sandbox: Sandbox, program: str, *arguments: str) -> str:
    """What it printed; empty when it did not finish."""
    with _running_probe(sandbox, program, *arguments) as process:
        output, deadline = b"", time.monotonic() + PROBE_TIMEOUT_SECONDS
        while data := _read_output(process, max(0.0, deadline - time.monotonic())):
            output += data
        return "" if data is None else output.decode(errors="replace")


def _has_output(process: StartedProcess, seconds: float) -> bool:
    return _read_output(process, seconds) not in (None, b"")


def _read_output(process: StartedProcess, seconds: float) -> bytes | None:
    """None when nothing came in time, b"" at the end of the stream."""
    assert process.stdout is not None
    if not select.select([process.stdout], [], [], seconds)[0]:
        return None
    return os.read(process.stdout.fileno(), 65_536)


def _falls_silent(process: StartedProcess) -> bool:
    """Allows one more read: output that was under way when the bot was frozen."""
    return any(_read_output(process, QUIET_SECONDS) is None for _ in range(2))


def _closes_output(process: StartedProcess) -> bool:
    while (data := _read_output(process, PROBE_TIMEOUT_SECONDS)) is not None:
        if data == b"":
            return True
    return False

"""A bot's process tree: bounded, held, counted, and gone at the end, whichever way it is run."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sandbox_helpers import PATIENCE, eventually, finish, start_python

from peloarena.referee.sandbox import bubblewrap, cgroup, probe_programs, processes, zygote_client
from peloarena.referee.sandbox.isolation import Isolation
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.sandbox.sandbox import Sandbox
from peloarena.referee.sandbox.zygote_client import StartedProcess

# Off and without cgroups nothing bounds memory and processes, and a stray's time is lost: `lacks` says so.
bounded = pytest.mark.parametrize("anyhow", ["sandbox", "sandbox without cgroups", "off"], indirect=True)


def read(process: StartedProcess, seconds: float = PATIENCE) -> bytes | None:
    """None when nothing comes in time; b"" when nobody holds the other end any more."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return os.read(process.stdout.fileno(), 65_536) if ready else None


def hangs_up(process: StartedProcess) -> bool:
    deadline = time.monotonic() + PATIENCE
    while (data := read(process, max(0.0, deadline - time.monotonic()))) is not None:
        if data == b"":
            return True
    return False


def bury(process: StartedProcess) -> None:
    finish(process)


def zombies() -> list[int]:
    return [one.pid for one in processes.all_processes() if one.parent == os.getpid() and one.state == "Z"]


# -- the end --------------------------------------------------------------------------------------------------


def test_kill_ends_a_tree_that_ignores_sigterm_and_double_forks(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, probe_programs.LINGER_PROBE)
        assert read(process) == b"ready\n"
        assert eventually(sandbox.kill)
        assert hangs_up(process)
        assert sandbox.pids() == []
        bury(process)
    assert zombies() == []


def test_kill_and_close_may_be_called_again_and_in_any_state(anyhow: Isolation, bot_dir: Path) -> None:
    sandbox = anyhow.make_sandbox(bot_dir)
    assert eventually(sandbox.kill)
    process = start_python(sandbox, "import time; time.sleep(60)")
    assert eventually(sandbox.kill)
    assert eventually(sandbox.kill)
    bury(process)
    sandbox.close()
    sandbox.close()
    assert eventually(sandbox.kill)
    sandbox.freeze()
    sandbox.thaw()


def test_a_bot_killed_at_any_moment_of_its_start_leaves_nobody(anyhow: Isolation, bot_dir: Path) -> None:
    """A sandbox takes some 8 ms to open; the first half a millisecond after Popen, the last when the bot runs."""
    for delay in range(0, 12_000, 1_000):
        with anyhow.make_sandbox(bot_dir) as sandbox:
            process = start_python(sandbox, "import time; time.sleep(60)")
            read(process, delay / 1e6)
            assert eventually(sandbox.kill)
            assert hangs_up(process), delay
            bury(process)


def test_nothing_is_left_of_a_closed_sandbox(anyhow: Isolation, bot_dir: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with anyhow.make_sandbox(bot_dir) as sandbox:
        finish(start_python(sandbox, "pass"))
    assert len(os.listdir("/proc/self/fd")) == before
    assert own_groups(anyhow) == []


def own_groups(isolation: Isolation) -> list[str]:
    homes = isolation.hierarchy.base_folders if isolation.hierarchy else ()
    return [folder.name for home in homes for folder in home.glob(f"{cgroup.group_name('')}*")]


def test_a_frozen_tree_can_be_killed(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, probe_programs.TICK_PROBE)
        assert read(process)
        sandbox.freeze()
        assert eventually(sandbox.kill)
        assert hangs_up(process)
        bury(process)


def test_a_tree_that_stopped_itself_can_be_killed(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, "import os; os.write(1, b'x'); os.kill(os.getpid(), 19)")
        assert read(process) == b"x"
        assert eventually(sandbox.kill)
        assert hangs_up(process)
        bury(process)


@pytest.mark.parametrize("policy", ["auto", "off"])
def test_the_tree_dies_with_a_referee_killed_by_sigkill(policy: str, isolation: Isolation, bot_dir: Path) -> None:
    """The bot's stray child holds the pipe too; the group is gone soon after."""
    argv = [sys.executable, "-c", probe_programs.FAKE_REFEREE, policy, str(bot_dir), probe_programs.LINGER_PROBE]
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as referee:
        start = processes.start_time(referee.pid)
        assert read(referee) == b"ready\n"
        referee.send_signal(signal.SIGKILL)
        assert hangs_up(referee)
    homes = isolation.hierarchy.base_folders if isolation.hierarchy else ()
    pattern = f"peloarena-*-{referee.pid}-{start}-*"
    assert eventually(lambda: not any(list(home.glob(pattern)) for home in homes))


FREEZES = """
import os
sys.stdin.readline()
sandbox.freeze()
os.write(1, b"frozen\\n")
sys.stdin.readline()
"""


def test_a_frozen_tree_dies_with_its_referee_too(isolation: Isolation, bot_dir: Path) -> None:
    program = probe_programs.FAKE_REFEREE.replace("process.wait()", FREEZES)
    argv = [sys.executable, "-c", program, "auto", str(bot_dir), probe_programs.LINGER_PROBE]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as referee:
        assert referee.stdin is not None
        assert read(referee) == b"ready\n"
        os.write(referee.stdin.fileno(), b"\n")
        assert read(referee) == b"frozen\n"
        referee.send_signal(signal.SIGKILL)
        assert hangs_up(referee)


# -- held -----------------------------------------------------------------------------------------------------


def test_a_frozen_bot_is_silent_and_a_thawed_one_goes_on(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, probe_programs.TICK_PROBE)
        assert read(process)
        sandbox.freeze()
        assert eventually(lambda: read(process, 0.05) is None)
        sandbox.thaw()
        assert read(process)
        sandbox.kill()
        bury(process)


def test_a_bot_frozen_before_its_question_answers_after_the_thaw(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, "import os; os.write(1, b'up'); os.write(1, os.read(0, 9))")
        assert read(process) == b"up"
        assert process.stdin is not None
        sandbox.freeze()
        os.write(process.stdin.fileno(), b"question")
        sandbox.thaw()
        assert read(process) == b"question"
        bury(process)


A_TICK_OR_TWO = 20_000_000
"""Nanoseconds. Without a group CPU time is told in ticks of 10 ms, of which one may have begun before the freeze."""
WAKE_EACH_OTHER = """
import os, signal, time
end = time.monotonic() + 60
for _ in range(40):
    if os.fork() == 0:
        os.setsid()
        break
else:
    os.write(1, b"x")
while time.monotonic() < end:
    for pid in range(2, 60):
        try:
            os.kill(pid, signal.SIGCONT)
        except OSError:
            pass
"""


@pytest.mark.parametrize("anyhow", ["sandbox", "sandbox without cgroups"], indirect=True)
def test_processes_that_wake_each_other_are_held_all_the_same(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir, Limits(processes=128)) as sandbox:
        process = start_python(sandbox, WAKE_EACH_OTHER)
        assert read(process) == b"x"
        sandbox.freeze()
        before = sandbox.cpu_ns()
        assert read(process, 1.0) is None
        after = sandbox.cpu_ns()
        assert before is not None
        assert after is not None
        assert after - before < A_TICK_OR_TWO, "one that runs wakes all the others"
        eventually(sandbox.kill)
        bury(process)


# -- bounded --------------------------------------------------------------------------------------------------


def test_memory_without_end_is_killed_inside_and_told(grouped: Isolation, bot_dir: Path) -> None:
    with grouped.make_sandbox(bot_dir, Limits(memory_mib=64)) as hungry, grouped.make_sandbox(bot_dir) as other:
        found = finish(start_python(hungry, probe_programs.MEMORY_PROBE, "160"))
        assert (found.code == 0, found.out, hungry.was_oom_killed()) == (False, "", True)
        assert finish(start_python(other, "print('fine')")).out == "fine\n"
        assert not other.was_oom_killed()
        hungry.close()
        assert hungry.was_oom_killed()


@bounded
def test_memory_has_a_bound_without_cgroups_too(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir, Limits(memory_mib=64)) as sandbox:
        assert finish(start_python(sandbox, probe_programs.MEMORY_PROBE, "160")).out == ""


@bounded
def test_the_number_of_processes_has_a_bound(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir, Limits(processes=16)) as sandbox:
        born = int(finish(start_python(sandbox, probe_programs.FORK_PROBE, "32")).out)
    assert 8 <= born < 16


FILL_SOCKETS = """
import socket
server, kept, total = socket.create_server(("127.0.0.1", 0)), [], 0
for _ in range(40):
    kept += [sender := socket.create_connection(server.getsockname()), server.accept()[0]]
    sender.setblocking(False)
    try:
        while True:
            total += sender.send(bytes(65536))
    except BlockingIOError:
        pass
print(total >> 20)
"""


def test_what_sockets_hold_is_bounded_too(grouped: Isolation, bot_dir: Path) -> None:
    """Forty connections to itself held 150 MiB that were counted nowhere."""
    with grouped.make_sandbox(bot_dir, Limits(memory_mib=64)) as sandbox:
        held = finish(start_python(sandbox, FILL_SOCKETS)).out
    assert held == "" or int(held) <= 64


def test_a_bot_may_be_a_single_process(anyhow: Isolation, bot_dir: Path) -> None:
    """And no more: what it is refused is its own fault, the sandbox's processes are not counted."""
    program = """
import os
print("started", flush=True)
os.fork()
print("forked")
"""
    with anyhow.make_sandbox(bot_dir, Limits(processes=1)) as sandbox:
        process = start_python(sandbox, program)
        found = finish(process)
        assert found.out.startswith("started\n"), found.err
        assert not sandbox.never_started(found.code, found.err.encode())
        if anyhow.hierarchy is not None:
            assert "BlockingIOError" in found.err


BOMB = """
import os, time
end = time.monotonic() + 60
os.write(1, b"x")
while time.monotonic() < end:
    try:
        os.fork()
    except OSError:
        pass
"""


def test_a_fork_bomb_is_contained_and_ends_when_killed(grouped: Isolation, bot_dir: Path) -> None:
    with grouped.make_sandbox(bot_dir, Limits(processes=24)) as sandbox:
        process = start_python(sandbox, BOMB)
        most = 24 + (bubblewrap.BWRAP_PROCESS_COUNT if grouped.zygote is None else zygote_client.INIT_PROCESS_COUNT)
        assert eventually(lambda: len(sandbox.pids()) >= most)
        assert len(sandbox.pids()) <= most
        assert eventually(sandbox.kill)
        assert hangs_up(process)
        bury(process)


def test_one_file_has_a_bound(isolation: Isolation, bot_dir: Path) -> None:
    with isolation.make_sandbox(bot_dir, Limits(file_mib=1), writable=bot_dir) as sandbox:
        found = finish(start_python(sandbox, "open('big', 'wb').write(bytes(3 << 20))"))
    assert found.code != 0
    assert (bot_dir / "big").stat().st_size <= 1 << 20


# -- counted --------------------------------------------------------------------------------------------------

BUSY_CHILD = """
import os, time
if os.fork() == 0:
    while time.process_time_ns() < 60_000_000:
        pass
    os.write(1, b"done")
time.sleep(60)
"""


def test_the_cpu_of_a_living_child_is_counted(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, BUSY_CHILD)
        assert read(process) == b"done"
        assert (sandbox.cpu_ns() or 0) >= 60_000_000
        sandbox.kill()
        bury(process)


@bounded
def test_the_cpu_of_a_stray_that_is_dead_is_counted(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, probe_programs.CPU_PROBE)
        burnt = int(read(process) or 0)
        assert burnt >= 100_000_000
        assert eventually(lambda: (sandbox.cpu_ns() or 0) >= burnt * 0.8)
        sandbox.kill()
        bury(process)


def read_then(process: StartedProcess, sandbox: Sandbox) -> int | None:
    """The CPU time after 50 ms in which the bot has said nothing."""
    assert read(process, 0.05) is None
    return sandbox.cpu_ns()


def test_a_frozen_bot_uses_no_cpu(grouped: Isolation, bot_dir: Path) -> None:
    with grouped.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, "import os, time; os.write(1, b'x')\nwhile time.process_time() < 20: pass")
        assert read(process) == b"x"
        sandbox.freeze()
        assert eventually(lambda: sandbox.cpu_ns() == read_then(process, sandbox))
        sandbox.kill()
        bury(process)


def test_the_cpu_of_a_closed_sandbox_is_still_known(grouped: Isolation, bot_dir: Path) -> None:
    with grouped.make_sandbox(bot_dir) as sandbox:
        finish(start_python(sandbox, "pass"))
    assert (sandbox.cpu_ns() or 0) > 1_000_000

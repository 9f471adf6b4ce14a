"""The streams of bots and builds are unix sockets with one direction: they end as pipes do, and pass bytes alone."""

import os
import select
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sandbox_helpers import Outcome, eventually, finish, start_python

from peloarena.referee.sandbox import streams
from peloarena.referee.sandbox.isolation import Isolation
from peloarena.referee.transport import PipeTransport

Inside = Callable[..., Outcome]
EXAMINED = """
import os, stat
def attempt(action):
    try:
        return action()
    except OSError as error:
        return error.errno
print([stat.S_ISSOCK(os.fstat(number).st_mode) for number in range(3)])
print(attempt(lambda: os.write(0, b"x")), attempt(lambda: os.read(1, 1)), attempt(lambda: os.read(2, 1)))
print(os.read(0, 100), os.read(0, 100))
"""


def test_each_stream_of_a_bot_is_a_socket_with_one_direction(anyhow: Isolation, bot_dir: Path) -> None:
    """Writing to its input fails with EPIPE (32), reading from its outputs finds their end."""
    with anyhow.make_sandbox(bot_dir) as sandbox:
        found = finish(start_python(sandbox, EXAMINED), b"said")
    assert found == (0, "[True, True, True]\n32 b'' b''\nb'said' b''\n", "")


def test_the_output_of_a_build_is_a_socket(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir, writable=bot_dir) as sandbox:
        launch = sandbox.command([sys.executable, "-c", "import os; os.system('stat -Lc %F /proc/self/fd/[12]')"])
        with launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            sandbox.track(process)
            assert process.stdout is not None
            assert stat.S_ISSOCK(os.fstat(process.stdout.fileno()).st_mode)
            assert process.stdout.read() == b"socket\nsocket\n"


def test_a_bot_that_ends_with_its_input_unread_leaves_its_answer_and_its_status(
    anyhow: Isolation, bot_dir: Path
) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, "import os; os.read(0, 1); os.write(1, b'answer\\n'); os._exit(3)")
        assert process.stdin is not None
        assert process.stdout is not None
        transport = PipeTransport(process.stdin.fileno(), process.stdout.fileno())
        assert transport.write_now(b"question\n") == 9
        assert process.wait(30) == 3
        assert eventually(lambda: transport.write_now(b"question\n") == -1), "process 1 of a room may end after it"
        assert [transport.read_now(30), transport.read_now(30)] == [b"answer\n", b""]


@pytest.mark.parametrize(("number", "found"), [(0, (None, -1)), (1, (b"", 9))])
def test_a_bot_that_shuts_a_stream_down_has_closed_it(
    anyhow: Isolation, bot_dir: Path, number: int, found: tuple[bytes | None, int]
) -> None:
    """As `close` does where nobody but the bot holds the stream; in a sandbox process 1 holds it, too."""
    program = f"import socket, time; socket.socket(fileno={number}).shutdown(2); print(file=__import__('sys').stderr)"
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, program + "; time.sleep(60)")
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert select.select([process.stderr], [], [], 30)[0], "it is done"
        transport = PipeTransport(process.stdin.fileno(), process.stdout.fileno())
        assert (transport.read_now(0), transport.write_now(b"question\n")) == found


# ---- descriptors

PASS = """
import socket, sys
for number in (1, 2):
    with socket.socket(fileno=number) as stream:
        try:
            socket.send_fds(stream, [b"x"], [0, 0])
        except OSError as error:
            stream.send(str(error.errno).encode())
        stream.detach()
"""


def test_the_kernel_refuses_descriptors_where_it_can(anyhow: Isolation, bot_dir: Path) -> None:
    """Linux 6.16 and later; the tests below are for the others, and hold for all."""
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, PASS)
        if streams.KERNEL_REFUSES_DESCRIPTORS:
            assert finish(process) == (0, "1", "1")
        else:
            assert process.stdout is not None
            assert process.wait(30) == 0
            with pytest.raises(streams.DescriptorsPassed, match="passed 2 open file descriptors"):
                streams.read(process.stdout.fileno(), 100)


@pytest.fixture
def older_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One that cannot refuse descriptors."""
    monkeypatch.setattr(streams, "KERNEL_REFUSES_DESCRIPTORS", False)
    monkeypatch.setattr(streams, "read", streams._read_without_descriptors)
    yield
    for thread in closing():
        thread.join(30)


def closing() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == streams.CLOSER_THREAD_NAME]


def open_files() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


@pytest.mark.usefixtures("older_kernel")
def test_an_older_kernel_lets_descriptors_through_and_none_is_kept(anyhow: Isolation, bot_dir: Path) -> None:
    with anyhow.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, PASS)
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.wait(30) == 0
        before = open_files()
        for stream in (process.stdout, process.stderr):
            with pytest.raises(streams.DescriptorsPassed, match=r"passed 2 open file descriptors"):
                streams.read(stream.fileno(), 100)
            assert streams.read(stream.fileno(), 100) == b""
        for thread in closing():
            thread.join(30)
        assert open_files() == before


LINGER = """
import os, socket, struct
with socket.create_server(("127.0.0.1", 0)) as server:
    sender = socket.create_connection(server.getsockname())
    receiver, _ = server.accept()
sender.setblocking(False)
try:
    while True:
        sender.send(bytes(65536))
except BlockingIOError:
    pass
sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 60))
socket.send_fds(socket.socket(fileno=1), [b"x"], [sender.fileno()])
os.close(sender.detach())
os.write(2, b".")
os.read(0, 1)
"""


@pytest.mark.usefixtures("older_kernel")
@pytest.mark.parametrize("way", ["read", "unread"])
def test_a_descriptor_that_takes_long_to_close_holds_up_another_thread(
    isolation: Isolation, bot_dir: Path, way: str
) -> None:
    """A socket with unsent data that lingers for a minute. Whoever drops it closes it, by a plain read, or by closing
    the stream in which it lies. It lets go when the bot ends: then nobody is left who could receive the data."""
    with isolation.make_sandbox(bot_dir) as sandbox:
        process = start_python(sandbox, LINGER)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert select.select([process.stderr], [], [], 30)[0], "it has sent the descriptor and closed its own"
        if way == "read":
            with pytest.raises(streams.DescriptorsPassed):
                streams.read(process.stdout.fileno(), 100)
        else:
            streams.close(process.stdout)
        assert [thread.is_alive() for thread in closing()] == [True]
        process.stdin.write(b"x")
        assert process.wait(30) == 0
        for thread in closing():
            thread.join(30)
        assert closing() == []

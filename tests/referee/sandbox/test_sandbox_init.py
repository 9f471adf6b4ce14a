"""What a bot in the sandbox sees and reaches: its folder, its runtimes, itself."""

import errno
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from promises import EVERY_PROTECTION, JAVA, NODE, SANDBOX, UIDS, needs, untried
from sandbox_helpers import Outcome, by_bubblewrap, finish, start, start_python

from peloarena.referee.sandbox import runtimes
from peloarena.referee.sandbox.errors import SandboxError
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.launch import Launch
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.sandbox.sandbox import Sandbox

Inside = Callable[..., Outcome]

TRY = """
import sys
def attempt(action):
    try:
        action()
    except OSError as error:
        print(type(error).__name__, error.errno)
    else:
        print("done")
"""


def test_the_bots_folder_is_at_bot_and_read_only(inside: Inside, bot_dir: Path) -> None:
    (bot_dir / "bot.toml").write_text("name = 'x'")
    found = inside(TRY + "import os; print(os.getcwd(), os.listdir()); attempt(lambda: open('new', 'w'))")
    assert found.out == "/bot ['bot.toml']\nOSError 30\n"


def test_a_bot_starts_in_the_folder_that_it_names(sandbox: Sandbox, bot_dir: Path) -> None:
    (bot_dir / "deep" / "er").mkdir(parents=True)
    assert finish(start(sandbox, ["pwd"], "deep/er")).out == "/bot/deep/er\n"


@pytest.mark.parametrize("folder", ["..", "/etc", "a/../../b"])
def test_a_start_outside_the_bots_folder_is_refused(sandbox: Sandbox, folder: str) -> None:
    with pytest.raises(ValueError, match="leads out"):
        sandbox.command(["true"], folder)


def test_the_hosts_files_and_the_other_bot_are_not_there(inside: Inside, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret").write_text("x")
    places = [str(tmp_path / "other" / "secret"), "/etc/shadow", "/var/log", "/run", "/sys", str(Path(__file__))]
    found = inside("import os, sys; print([os.path.exists(path) for path in sys.argv[1:]])", *places)
    assert found.out == f"{[False] * len(places)}\n"


def test_beside_the_interpreter_and_the_package_nothing_is_shown(inside: Inside) -> None:
    """The folder above the package is the project's, with its bots, tests and stores, or a site-packages."""
    above = runtimes.PACKAGES[0].parent
    found = json.loads(inside("import json, os, sys; print(json.dumps(os.listdir(sys.argv[1])))", str(above)).out)
    needed = [place for _, place in runtimes.interpreter_mounts() if place.is_relative_to(above)]
    assert set(found) == {place.relative_to(above).parts[0] for place in needed}
    assert "tests" not in found


@pytest.mark.parametrize("folder", [Path.home(), Path("/home")], ids=["the host's", "everybody's"])
def test_a_home_is_shown_only_as_far_as_the_interpreter_lies_in_it(inside: Inside, folder: Path) -> None:
    """Who clones into a home has the venv there, too: the way to it is seen, and nothing beside it."""
    program = "import json, os, sys; h = sys.argv[1]; print(json.dumps(os.listdir(h) if os.path.exists(h) else []))"
    found = json.loads(inside(program, str(folder)).out)
    needed = [place for _, place in runtimes.interpreter_mounts() if place.is_relative_to(folder)]
    assert set(found) == {place.relative_to(folder).parts[0] for place in needed}


def test_the_python_of_the_referee_imports_peloarena_inside(inside: Inside) -> None:
    found = inside("import peloarena, msgspec, sys; print(sys.executable)")
    assert found == (0, f"{sys.executable}\n", "")


@needs(UIDS, os.geteuid() == 0)
def test_a_file_for_root_alone_stays_closed_even_where_it_is_shown(bot_dir: Path) -> None:
    (bot_dir / "secret").write_text("x")
    (bot_dir / "secret").chmod(0o600)
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
        with isolation.make_sandbox(bot_dir) as sandbox:
            assert finish(start_python(sandbox, TRY + "attempt(lambda: open('secret'))")).out == "PermissionError 13\n"


def test_the_environment_is_a_short_list(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    found = set(json.loads(inside("import json, os; print(json.dumps(list(os.environ)))").out))
    wanted = {"PATH", "HOME", "TMPDIR", "LANG", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "NODE_OPTIONS"}
    assert wanted <= found <= wanted | {"PWD", "PYTHONPATH", "LC_CTYPE"}


def test_the_bot_inherits_no_descriptor_but_the_three(inside: Inside) -> None:
    found = inside("import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))")
    assert found.out == "[0, 1, 2, 3]\n", "3 is the listing itself"


def test_the_bot_sees_no_process_but_its_own(inside: Inside) -> None:
    found = inside("import os; print([int(name) for name in os.listdir('/proc') if name.isdigit()], os.getpid())")
    assert found.out == "[1, 2] 2\n"


def test_the_bot_cannot_signal_the_referee(inside: Inside) -> None:
    found = inside(TRY + "import os; attempt(lambda: os.kill(int(sys.argv[1]), 0))", str(os.getpid()))
    assert found.out == "ProcessLookupError 3\n"


def test_the_bot_has_no_privileges_and_gains_none(inside: Inside) -> None:
    program = "print(*[line.split()[1] for line in open('/proc/self/status') if line.startswith(('Cap', 'NoNew'))])"
    *capabilities, no_new = inside(program).out.split()
    assert no_new == "1"
    kept = capabilities if os.geteuid() == 0 else capabilities[:3] + capabilities[4:]
    assert {int(one, 16) for one in kept} == {0}


@needs(UIDS, os.geteuid() == 0)
def test_two_bots_have_two_uids_and_neither_is_the_hosts(isolation: Isolation, bot_dir: Path) -> None:
    with isolation.make_sandbox(bot_dir) as one, isolation.make_sandbox(bot_dir) as other:
        uids = [int(finish(start(sandbox, ["id", "-u"])).out) for sandbox in (one, other)]
    assert len({0, *uids}) == 3


def test_only_tmp_is_writable_and_it_fills_up_at_its_size(inside: Inside) -> None:
    program = """
import os
def fill(path):
    with open(path, "wb", buffering=0) as file:
        for _ in range(8):
            file.write(bytes(1 << 20))
for folder in ("/", "/dev", "/etc", "/usr", "/proc", "/bot", "/tmp", "/dev/shm"):
    attempt(lambda: fill(os.path.join(folder, "file")))
"""
    refused, full = inside(TRY + program).out.splitlines()[:6], inside(TRY + program).out.splitlines()[6:]
    assert "done" not in refused
    assert full == ["OSError 28", "OSError 28"]


def test_each_start_has_a_fresh_tmp(inside: Inside) -> None:
    """Whatever else is shown there: where this package itself lies below /tmp, its folder is."""
    program = "import os; print('mark' in os.listdir('/tmp')); open('/tmp/mark', 'w')"
    assert [inside(program).out, inside(program).out] == ["False\n", "False\n"]


def test_the_loopback_of_the_host_is_out_of_reach(inside: Inside) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        program = "import socket; attempt(lambda: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 2))"
        found = inside(TRY + program, str(server.getsockname()[1]))
    assert found.out.startswith(("ConnectionRefusedError", "OSError"))


def test_there_is_no_way_outside(inside: Inside) -> None:
    program = "import socket; attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 9)))"
    assert inside(TRY + program).out == "OSError 101\n"


def test_abstract_sockets_of_the_host_are_out_of_reach(inside: Inside) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0peloarena-test-{os.getpid()}")
        server.listen()
        program = "import socket; attempt(lambda: socket.socket(socket.AF_UNIX).connect('\\0' + sys.argv[1]))"
        found = inside(TRY + program, f"peloarena-test-{os.getpid()}")
    assert found.out == "ConnectionRefusedError 111\n"


def test_namespaces_keyrings_and_tracing_are_refused(inside: Inside) -> None:
    program = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(function, *arguments):
    print(function(*arguments), ctypes.get_errno())
call(libc.unshare, 0x10000000)
call(libc.syscall, {"x86_64": 250, "aarch64": 219}[os.uname().machine], 0, -3, 1)
call(libc.ptrace, 16, 1, 0, 0)
"""
    assert inside(program).out == "-1 1\n-1 1\n-1 1\n"


CALLS = """
import ctypes, errno, os, socket, struct, fcntl, mmap
libc = ctypes.CDLL(None, use_errno=True)
intel = os.uname().machine == "x86_64"
def name(number):
    return errno.errorcode.get(number, number) if number else "done"
def call(*arguments):
    ctypes.set_errno(0)
    return name(ctypes.get_errno()) if libc.syscall(*arguments) < 0 else "done"
def attempt(action):
    try:
        action()
    except OSError as error:
        return name(error.errno)
    return "done"
"""
POOLS = {
    "a filter on a socket": (
        "socket.socketpair()[0].setsockopt(1, 26, struct.pack('HxxxxxxP', 1, ctypes.addressof(one)))",
        "EPERM",
    ),
    "a seccomp filter": ("call(317 if intel else 277, 1, 0, filters)", "ENOSYS"),
    "a seccomp filter by prctl": ("libc.prctl(22, 2, filters) and name(ctypes.get_errno())", "EINVAL"),
    "asynchronous I/O": ("call(206 if intel else 0, 64, ctypes.byref(ctypes.c_ulong(0)))", "ENOSYS"),
    "watching files": ("call(294 if intel else 26, 0)", "ENOSYS"),
    "watching file systems": ("call(300 if intel else 262, 0, 0)", "EPERM"),
    "the kernel's log": ("call(103 if intel else 116, 3, 0, 0)", "EPERM"),
    "being told of changes": ("fcntl.fcntl(os.open('/tmp', os.O_RDONLY), 1026, 1)", "EINVAL"),
    "a lease": ("fcntl.fcntl(os.open('/tmp/own', os.O_CREAT), 1024, 0)", "EINVAL"),
    "huge pages": ("mmap.mmap(-1, 2 << 20, flags=0x40022)", "ENOMEM"),
    "huge pages in a file": ("os.memfd_create('x', 4)", "ENOMEM"),
    "a socket to the hypervisor": ("socket.socket(40, socket.SOCK_STREAM)", "EAFNOSUPPORT"),
    "a raw packet socket": ("socket.socket(17, socket.SOCK_RAW)", "EAFNOSUPPORT"),
    "the kernel's ciphers": ("socket.socket(38, socket.SOCK_SEQPACKET)", "EAFNOSUPPORT"),
    "a pseudo-terminal": ("os.openpty()", "ENOENT"),
    "the maker of pseudo-terminals": ("os.open('/dev/ptmx', os.O_RDWR)", "ENOENT"),
    "the folder of pseudo-terminals": ("os.listdir('/dev/pts')", "ENOENT"),
    "a terminal": ("os.open('/dev/tty', os.O_RDWR)", "ENXIO"),
    "a local socket": ("socket.socket(socket.AF_UNIX)", "done"),
    "a socket of the internet": ("socket.socket(socket.AF_INET)", "done"),
    "one for both internets": ("socket.socket(socket.AF_INET6).setsockopt(socket.IPPROTO_IPV6, 26, 0)", "done"),
    "a socket to the network's settings": ("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "done"),
    "a thread that waits for all others": ("os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))", "EPERM"),
    "a thread for batches": ("os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))", "EPERM"),
    "a thread like any other": ("os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))", "done"),
    "scheduling by attributes": ("call(314 if intel else 274, 0, ctypes.create_string_buffer(48), 0)", "ENOSYS"),
    "a lower priority, on paper": (
        "str(os.getpriority(0, 0) == (os.setpriority(0, 0, 19) or os.getpriority(0, 0)))",
        "True",
    ),
    "nice, on paper": ("str(os.nice(0) == os.nice(10))", "True"),
    "the other end's credentials": ("socket.socket(fileno=os.dup(1)).getsockopt(1, 17)", "ENOPROTOOPT"),
    "the other end's label": ("socket.socket(fileno=os.dup(1)).getsockopt(1, 31, 100)", "ENOPROTOOPT"),
    "the other end's groups": ("socket.socket(fileno=os.dup(1)).getsockopt(1, 59, 100)", "ENOPROTOOPT"),
    "the other end's process": ("socket.socket(fileno=os.dup(1)).getsockopt(1, 77)", "ENOPROTOOPT"),
    "the writer's credentials": ("socket.socket(fileno=0).setsockopt(1, 16, 1)", "ENOPROTOOPT"),
    "the writer's process": ("socket.socket(fileno=0).setsockopt(1, 76, 1)", "ENOPROTOOPT"),
    "the kind of a socket": ("socket.socketpair()[0].getsockopt(1, 3)", "done"),
    "a lock": ("fcntl.lockf(open('/tmp/own', 'w'), fcntl.LOCK_EX)", "done"),
}
FILTERS = """
one = (ctypes.c_uint64 * 1)(6 | 0x7fff0000 << 32)
filters = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 1, ctypes.addressof(one)))
"""


@pytest.mark.parametrize("what", POOLS)
def test_of_the_machines_pools_and_watchers_there_is(inside: Inside, what: str) -> None:
    """The kernel's answer to each; what bots need works."""
    action, expected = POOLS[what]
    found = inside(
        f"{CALLS}{FILTERS}result = []\nsaid = attempt(lambda: result.append({action}))\n"
        "print(said if said != 'done' or not isinstance(result[0], str) else result[0])"
    )
    assert found.out == f"{expected}\n", found.err


PAGE_CACHE = {
    "asking which pages are there": ("call(27 if intel else 232, page, 4096, answer)", "ENOSYS"),
    "asking how many are there": ("call(451, notebook, ctypes.byref(whole), answer, 0)", "ENOSYS"),
    "a read that does not wait": ("os.preadv(notebook, [bytearray(1)], 0, os.RWF_NOWAIT)", "ENOTSUP"),
    "a read that leaves nothing": ("os.preadv(notebook, [bytearray(1)], 0, 0x80)", "ENOTSUP"),
    "advice for another process": ("call(440, os.pidfd_open(os.getpid()), page, 1, 20, 0)", "ENOSYS"),
    "a read of several parts": ("os.preadv(notebook, [bytearray(1)], 0)", "done"),
    "memory given back": ("anonymous.madvise(mmap.MADV_DONTNEED)", "done"),
}
NOTEBOOK = """
import sys
notebook = os.open(sys.executable, os.O_RDONLY)
anonymous = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
libc.mmap.restype = ctypes.c_void_p
page = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(4096), 1, 2, notebook, ctypes.c_long(0)))
whole, answer = (ctypes.c_uint64 * 2)(0, 0), (ctypes.c_uint64 * 5)()
"""


@pytest.mark.parametrize("what", PAGE_CACHE)
def test_of_the_page_cache_there_is(inside: Inside, what: str) -> None:
    """Which pages are in memory is the same for all sandboxes, and stays when a process has ended."""
    action, expected = PAGE_CACHE[what]
    program = f"result = []\nsaid = attempt(lambda: result.append({action}))\n"
    found = inside(
        f"{CALLS}{NOTEBOOK}{program}print(said if said != 'done' or not isinstance(result[0], str) else result[0])"
    )
    assert found.out == f"{expected}\n", found.err


def bytes_in_memory(file: int) -> int:
    """Of its first MiB. A tmpfs, which /tmp is on Debian 13, does not tell, but has its files nowhere else."""
    try:
        return os.preadv(file, [bytearray(1 << 20)], 0, os.RWF_NOWAIT)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        return min(os.fstat(file).st_size, 1 << 20)


@pytest.mark.parametrize("how", ["posix_fadvise", "madvise"])
def test_advice_about_pages_is_not_followed(inside: Inside, bot_dir: Path, how: str) -> None:
    """It succeeds, for programs give it without a care. The file is asked from outside, where that is possible."""
    advice = {
        "posix_fadvise": "os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)",
        "madvise": "[mmap.mmap(file, 0, prot=mmap.PROT_READ).madvise(advice) for advice in (3, 20, 21, 22)]",
    }
    (bot_dir / "book").write_bytes(bytes(1 << 20))
    with (bot_dir / "book").open("rb") as book:
        os.fsync(book.fileno())
        book.read()
        found = inside(f"import mmap, os\nfile = os.open('book', os.O_RDONLY)\n{advice[how]}\nprint('done')")
        assert found.out == "done\n", found.err
        assert bytes_in_memory(book.fileno()) == 1 << 20


def test_a_read_changes_no_time_of_access(inside: Inside, bot_dir: Path) -> None:
    """It would be a note for the next process: read-only mounts keep none."""
    (bot_dir / "book").write_text("x")
    os.utime(bot_dir / "book", (1, 2))  # older than the last change: elsewhere a read sets it
    program = """
import os
before = os.stat("book").st_atime, os.stat("/usr/lib").st_atime
open("book").read(), os.listdir("/usr/lib"), os.listdir("/bot")
print(before == (os.stat("book").st_atime, os.stat("/usr/lib").st_atime), before[0])
"""
    assert inside(program).out == "True 1.0\n"


def test_no_more_sockets_are_in_flight_than_a_bot_may_have_open_files(inside: Inside) -> None:
    """The kernel counts them for each user, and looks through all of them whenever one is closed."""
    program = f"""{CALLS}
import array
kept, sent = [], 0
while sent < 20_000:
    kept.append(socket.socketpair())
    kept[-1][0].setblocking(False)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [kept[-1][1].fileno()]))]
    try:
        while kept[-1][0].sendmsg([b"x"], rights):
            sent += 1
    except BlockingIOError:
        pass  # its queue is full
    except OSError as error:
        print(name(error.errno), sent <= {Limits().open_files} + 1)
        break
"""
    assert inside(program).out == "ETOOMANYREFS True\n"


def test_of_the_kernels_own_sockets_there_are_the_networks_settings_alone(inside: Inside) -> None:
    """Protocol 15 tells of devices that come and go on the whole machine; 0 is what runtimes list interfaces with."""
    program = f"""{CALLS}
for number in range(32):
    print(number, attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, number).bind((0, 1))))
print(socket.if_nameindex(), len(socket.getaddrinfo("127.0.0.1", 80)) > 0)
"""
    refused = [f"{number} EPROTONOSUPPORT" for number in range(1, 32)]
    assert inside(program).out.splitlines() == ["0 done", *refused, "[(1, 'lo')] True"]


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_sqlite_works_in_the_private_tmp(inside: Inside, mode: str) -> None:
    program = """
import sqlite3, sys
one, two = (sqlite3.connect("/tmp/x.sqlite") for _ in range(2))
print(one.execute(f"pragma journal_mode={sys.argv[1]}").fetchone()[0])
one.execute("create table t (a)")
one.execute("insert into t values (1)")
one.commit()
print(two.execute("select a from t").fetchall())
"""
    assert inside(program, mode).out == f"{mode}\n[(1,)]\n"


def test_the_memory_of_the_sandboxs_own_process_is_out_of_reach(inside: Inside) -> None:
    """Root's bots have another uid than process 1; an ordinary user's have the same, and find the file empty."""
    program = """
for path in ("/proc/1/mem", "/proc/1/task/1/mem"):
    try:
        with open("/proc/1/maps") as maps:
            start = int((maps.readline() or "0-").split("-")[0], 16)
        with open(path, "r+b", buffering=0) as memory:
            memory.seek(start)
            print(memory.read(16))
    except OSError as error:
        print("refused")
"""
    assert set(inside(program).out.splitlines()) <= {"refused", "b''"}


def test_the_locks_of_other_sandboxes_are_not_listed(isolation: Isolation, bot_dir: Path) -> None:
    """Those that belong to an open file and not to a process are shown by the kernel to everybody."""
    take = "import fcntl, os, struct; file = open('/tmp/x', 'w'); "
    take += "fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 1, 0)); print(1, flush=True); input()"
    with isolation.make_sandbox(bot_dir) as one, isolation.make_sandbox(bot_dir) as other:
        holder = start_python(one, take)
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"1\n"
        listed = finish(start_python(other, "print(open('/proc/locks').read())"))
        finish(holder)
    assert listed.out == ""
    assert "Permission denied" in listed.err, "a device on a mount without devices"


def test_the_hostname_tells_nothing(inside: Inside) -> None:
    assert inside("import socket; print(socket.gethostname())").out == "arena\n"


def test_without_network_asked_for_there_is_no_resolver_and_with_it_there_is(
    isolation: Isolation, bot_dir: Path
) -> None:
    program = "import os; print(os.readlink('/proc/self/ns/net'))"
    with isolation.make_sandbox(bot_dir) as closed, isolation.make_sandbox(bot_dir, network=True) as opened:
        spaces = [finish(start_python(sandbox, program)).out.strip() for sandbox in (closed, opened)]
    host = os.readlink("/proc/self/ns/net")
    assert [space == host for space in spaces] == [False, True]


def test_a_build_writes_where_it_may_and_leaves_the_files_to_the_host(isolation: Isolation, bot_dir: Path) -> None:
    (bot_dir / "out").mkdir()
    (bot_dir / "source").write_text("x")
    owner = (bot_dir / "out").stat().st_uid
    with isolation.make_sandbox(bot_dir, writable=bot_dir / "out") as sandbox:
        done = finish(start(sandbox, ["sh", "-c", "cp source out/built && mkdir out/more && ! touch source"]))
        assert done.code == 0, done.err
    assert (bot_dir / "out" / "built").read_text() == "x"
    assert {path.stat().st_uid for path in (bot_dir / "out").rglob("*")} == {owner}


def test_a_build_may_have_the_whole_folder(isolation: Isolation, bot_dir: Path) -> None:
    with isolation.make_sandbox(bot_dir, writable=bot_dir) as sandbox:
        assert finish(start(sandbox, ["touch", "built"])).code == 0
    assert (bot_dir / "built").exists()


def test_a_link_in_a_build_does_not_change_what_it_points_to(
    isolation: Isolation, bot_dir: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("x")
    before = outside.stat().st_uid
    with isolation.make_sandbox(bot_dir, writable=bot_dir) as sandbox:
        assert finish(start(sandbox, ["ln", "-s", str(outside), "link"])).code == 0
        assert outside.stat().st_uid == before
    assert outside.stat().st_uid == before


def test_a_writable_folder_outside_the_bots_is_shown_at_out(
    isolation: Isolation, bot_dir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "elsewhere"
    out.mkdir()
    owner = out.stat().st_uid
    with isolation.make_sandbox(bot_dir, writable=out) as sandbox:
        done = finish(start(sandbox, ["sh", "-c", "touch /out/made && ! touch /bot/made"]))
        assert done.code == 0, done.err
    assert [path.name for path in out.iterdir()] == ["made"]
    assert (out / "made").stat().st_uid == owner


JAVA_PROGRAM = """
public class Bot {
    public static void main(String[] words) {
        long total = 0;
        for (int i = 0; i < 1500; i++) total += new byte[1 << 20].length;
        System.out.println(total + " " + (Runtime.getRuntime().maxMemory() <= (1L << 29)));
    }
}
"""


@needs(JAVA, shutil.which("java") is not None)
def test_java_runs_in_the_default_limits_and_sizes_its_heap_by_them(anyhow: Isolation, bot_dir: Path) -> None:
    (bot_dir / "Bot.java").write_text(JAVA_PROGRAM)
    with anyhow.make_sandbox(bot_dir, Limits()) as sandbox:
        found = finish(start(sandbox, ["java", "Bot.java"]))
        assert (found.code, found.out, sandbox.was_oom_killed()) == (0, "1572864000 true\n", False), found.err


@needs(NODE, shutil.which("node") is not None)
def test_node_runs_in_the_default_limits(anyhow: Isolation, bot_dir: Path) -> None:
    program = "let n = 0; for (let i = 0; i < 300; i++) n += new Array(1 << 17).fill(i).length; console.log(n)"
    with anyhow.make_sandbox(bot_dir, Limits()) as sandbox:
        found = finish(start(sandbox, ["node", "-e", program]))
        assert (found.code, found.out, sandbox.was_oom_killed()) == (0, "39321600\n", False), found.err


def test_a_folder_that_the_bots_uid_cannot_read_is_named(isolation: Isolation, bot_dir: Path) -> None:
    if isolation.style != "root":
        untried(UIDS, "bots have the host's own uid here")
    bot_dir.chmod(0o700)
    with pytest.raises(SandboxError, match="chmod"):
        isolation.make_sandbox(bot_dir)


def test_stderr_stdin_and_the_exit_code_pass_through(sandbox: Sandbox) -> None:
    process = start(sandbox, ["sh", "-c", "read line; echo $line; echo $line >&2; exit 7"])
    assert finish(process, b"hello\n") == (7, "hello\n", "hello\n")


def test_a_program_that_is_not_there_fails_with_words(sandbox: Sandbox) -> None:
    found = finish(start(sandbox, ["./no-such-bot"]))
    assert found.code != 0
    assert "no-such-bot" in found.err


def test_strict_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxError, match="install the package bubblewrap"):
        prepare("strict")


def test_auto_says_what_it_lacks_and_goes_on(monkeypatch: pytest.MonkeyPatch, bot_dir: Path) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with prepare("auto") as isolation, isolation.make_sandbox(bot_dir) as sandbox:
        assert "no bubblewrap" in isolation.missing_part_texts[0]
        assert finish(start(sandbox, ["/bin/echo", "hi"])).out == "hi\n"


def test_strict_is_content_with_this_machine_when_auto_lacks_nothing(isolation: Isolation) -> None:
    if isolation.missing_part_texts:
        untried(EVERY_PROTECTION, "; ".join(isolation.missing_part_texts))
    with prepare("strict") as strict:
        assert strict.missing_part_texts == ()


def test_a_start_from_another_process_than_the_referees_is_refused(bot_dir: Path) -> None:
    with prepare("auto") as isolation, by_bubblewrap(isolation).make_sandbox(bot_dir) as sandbox:
        launch = sandbox.command(["echo", "started"])
        assert isinstance(launch, Launch)
        between = _started_in_between(launch)
    assert (between.returncode, between.stdout) == (98, b"")


def _started_in_between(launch: Launch) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["/bin/sh", "-c", '"$@"; exit $?', "between", *launch.argv],
        env=launch.env,
        cwd=launch.cwd,
        pass_fds=launch.pass_fds,
        capture_output=True,
        check=False,
    )


def test_the_zygote_makes_no_sandbox_for_another_process(isolation: Isolation, sandbox: Sandbox) -> None:
    launch = sandbox.command(["echo", "started"])
    if isolation.zygote is None:
        untried(UIDS, "sandboxes are bubblewrap's here")
    child = os.fork()
    if child == 0:
        try:
            launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except SandboxError:
            os._exit(3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3

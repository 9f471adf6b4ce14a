"""The zygote's sandboxes: the same sandbox as bubblewrap's, seen from inside, whoever opened it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from promises import UIDS, untried
from sandbox_helpers import by_bubblewrap, eventually, finish, start, start_python

from peloarena.referee.sandbox import base_mounts, seccomp
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.sandbox.zygote_client import ZygoteClient

SEEN = r"""
import json, os, resource, socket

def status(pid):
    with open(f"/proc/{pid}/status") as file:
        lines = dict(line.rstrip("\n").split(":\t", 1) for line in file)
    names = "Uid Gid Groups CapInh CapPrm CapEff CapBnd CapAmb NoNewPrivs Seccomp SigBlk Umask"
    ignored = int(lines["SigIgn"], 16) & ~(3 << 31)  # 32 and 33 are the C library's, whose posix_spawn ignores them
    return {"ignored": ignored, **{name: lines[name].split() for name in names.split()}}

def mounts():
    with open("/proc/self/mountinfo") as file:
        rows = [line.split(" - ") for line in file]
    return {row[0].split()[4]: sorted(set(row[0].split()[5].split(",")) - {"relatime"}) for row in rows}

def modes(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        found[path] = oct(os.lstat(path).st_mode), os.readlink(path) if os.path.islink(path) else ""
    return found

def opened(path):
    try:
        return open(path).read()
    except OSError as error:
        return error.errno

def writable(path):
    try:
        os.mkdir(os.path.join(path, "x"))
    except OSError as error:
        return error.errno
    os.rmdir(os.path.join(path, "x"))
    return 0

print(json.dumps({
    "own status": status("self"),
    "environment": dict(os.environ),
    "limits": {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name[:7] == "RLIMIT_"},
    "hostname": socket.gethostname(),
    "folder": os.getcwd(),
    "open files": sorted(os.listdir("/proc/self/fd"))[:3],
    "processes": sorted(name for name in os.listdir("/proc") if name.isdigit()),
    "session": [os.getsid(0) == os.getpid(), os.getppid()],
    "mounts": mounts(),
    "root": modes("/"),
    "devices": modes("/dev"),
    "etc": modes("/etc"),
    "passwd": open("/etc/passwd").read(),
    "locks": opened("/proc/locks"),
    "oom": open("/proc/self/oom_score_adj").read(),
    "written": {path: writable(path) for path in ("/", "/dev", "/etc", "/usr", "/bot", "/tmp", "/dev/shm", "/proc")},
    "networks": sorted(os.listdir("/proc/sys/net/ipv4/conf")),
    "loopback": [line.split()[:3] for line in open("/proc/net/route")],
    "group": open("/proc/self/cgroup").read().split()[-1],
    "spaces": sorted(os.listdir("/proc/self/ns")),
}))
"""
"""All that a bot can tell of its sandbox."""


@pytest.fixture
def opened() -> Iterator[Isolation]:
    """With sandboxes of the zygote's."""
    with prepare("auto") as isolation:
        if isolation.zygote is None or not isolation.zygote.ensure_running():
            untried(UIDS, "no house can be built here: rooms are bubblewrap's")
        yield isolation


def seen(isolation: Isolation, folder: Path, single_file: Path | None = None) -> dict[str, object]:
    with isolation.make_sandbox(folder, Limits(tmp_mib=4), single_file=single_file) as sandbox:
        found = finish(start_python(sandbox, SEEN))
    assert (found.code, found.err) == (0, "")
    told = json.loads(found.out)
    told["uid"] = told["own status"].pop("Uid")
    return dict(told)


def mounts(told: dict[str, object]) -> dict[str, object]:
    found = told["mounts"]
    assert isinstance(found, dict)
    return found


NO_MOUNT = {"/dev"}
"""Bubblewrap's /dev is a mount of its own, sealed; the zygote's is part of the root, which is sealed."""
WRITTEN = {"/tmp", "/dev/shm", "/proc"}
"""Mounted for writing, in both; of /proc a bot may write what is its own."""
SEALED = {f"/dev/{name}" for name in base_mounts.DEVICES}
"""Read-only in the zygote's sandboxes, which says nothing about what is written to a device."""


@pytest.mark.parametrize("single", [False, True])
def test_a_sandbox_of_the_zygote_is_the_sandbox_that_bubblewrap_makes(
    opened: Isolation, bot_dir: Path, single: bool
) -> None:
    file = bot_dir / "file"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    ours = seen(opened, bot_dir, file if single else None)
    theirs = seen(by_bubblewrap(opened), bot_dir, file if single else None)
    assert {key: ours[key] for key in ours if key != "mounts"} == {key: theirs[key] for key in ours if key != "mounts"}
    expected = {place: flags for place, flags in mounts(theirs).items() if place not in NO_MOUNT}
    found = {place: flags for place, flags in mounts(ours).items() if place not in {"/proc/sys", "/bot"} - {*expected}}
    assert found == expected | {place: ["nosuid", "ro"] for place in SEALED}
    assert all("ro" in str(flags) for place, flags in mounts(ours).items() if place not in WRITTEN)


TOUCHES_PROCESS_1 = r"""
import json, os, time

def tried(act, *words):
    try:
        return str(act(*words))
    except OSError as error:
        return type(error).__name__

while "\nUid:\t0\t0\t0\t0" not in (status := open("/proc/1/status").read()):  # its real uid was ours, for us to have it
    time.sleep(0.01)
files = ("mem", "environ", "maps", "auxv", "syscall")
print(json.dumps({
    "status": dict(line.split(":\t", 1) for line in status.splitlines()),
    "done": [tried(os.kill, 1, 9), tried(os.listdir, "/proc/1/root"), tried(os.listdir, "/proc/1/fd")]
    + [tried(open, f"/proc/1/{name}", "rb") for name in files],
}))
"""


def test_process_1_of_a_sandbox_has_no_capability_and_is_not_the_bots(opened: Isolation, bot_dir: Path) -> None:
    with opened.make_sandbox(bot_dir) as sandbox:
        told = json.loads(finish(start_python(sandbox, TOUCHES_PROCESS_1)).out)
    status = told["status"]
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"], status["Groups"].strip()) == ("1", "2", "")
    assert status["Gid"].split() == ["0"] * 4
    assert set(told["done"]) == {"PermissionError"}


FROM_THE_FIRST_MOMENT = r"""
import os, sys
for number in range(1, 65):
    for _ in range(20):
        try:
            os.kill(1, number)
        except PermissionError:
            pass
sys.exit(7)
"""
"""Process 1 needs a moment to be all root again."""


def test_no_signal_of_a_bots_ends_or_stops_process_1(opened: Isolation, bot_dir: Path) -> None:
    with opened.make_sandbox(bot_dir) as sandbox:
        assert finish(start_python(sandbox, FROM_THE_FIRST_MOMENT)).code == 7


def test_a_bot_does_not_reach_the_zygote(opened: Isolation, bot_dir: Path) -> None:
    """Not by its number, nor by a signal to everybody whom it may send one."""
    assert opened.zygote is not None
    assert opened.zygote._process is not None
    pid = opened.zygote._process.pid
    tries = f"import os; print(os.path.exists('/proc/{pid}')); os.kill({pid}, 0)"
    with opened.make_sandbox(bot_dir) as sandbox:
        named = finish(start_python(sandbox, tries))
        finish(start(sandbox, ["/bin/sh", "-c", "kill -9 -1"]))
    assert (named.out, "ProcessLookupError" in named.err) == ("False\n", True)
    assert opened.zygote._process.poll() is None


def test_bytes_that_are_no_text_may_be_in_a_path(opened: Isolation, bot_dir: Path) -> None:
    odd = bot_dir / os.fsdecode(b"caf\xe9")
    odd.mkdir(mode=0o755)
    file = odd / os.fsdecode(b"\xff")
    file.write_text("here")
    file.chmod(0o755)
    with opened.make_sandbox(odd) as sandbox:
        assert finish(start(sandbox, ["cat", file.name])).out == "here"
    with opened.make_sandbox(odd, single_file=file) as sandbox:
        assert finish(start(sandbox, ["cat", file.name])).out == "here"
    with opened.make_sandbox(bot_dir) as sandbox:
        assert finish(start(sandbox, ["cat", file.name], odd.name)).out == "here"


def test_sandboxes_open_at_the_same_time_do_not_see_each_others_files(opened: Isolation, bot_dir: Path) -> None:
    writes = "import os; open('/tmp/note', 'w').close(); open('/dev/shm/note', 'w').close(); print('written'); input()"
    with opened.make_sandbox(bot_dir) as one, opened.make_sandbox(bot_dir) as other:
        first = start_python(one, writes)
        assert first.stdout is not None
        assert b"written" in first.stdout.readline()
        found = finish(start_python(other, "import os; print(os.listdir('/tmp'), os.listdir('/dev/shm'))"))
        finish(first)
    assert "note" not in found.out


@pytest.mark.parametrize(("ends", "code"), [("exit 7", 7), ("kill -9 $$", 128 + signal.SIGKILL), ("exit 0", 0)])
def test_the_end_of_the_bot_is_the_end_of_the_sandbox_and_its_code(
    opened: Isolation, bot_dir: Path, ends: str, code: int
) -> None:
    with opened.make_sandbox(bot_dir) as sandbox, start(sandbox, ["/bin/sh", "-c", f"sleep 1000 & {ends}"]) as process:
        assert process.wait(30) == code
        assert eventually(lambda: sandbox.pids() == [], 30)
        assert not sandbox.never_started(code, b"")


@pytest.mark.parametrize("words", [["./missing"], ["no-such-program"], ["./text"], ["sh", "a\0b"]])
def test_a_program_that_cannot_be_run_is_the_bots_failure(opened: Isolation, bot_dir: Path, words: list[str]) -> None:
    (bot_dir / "text").write_text("not to be run: no mode says so")
    with opened.make_sandbox(bot_dir) as sandbox:
        found = finish(start(sandbox, words))
        assert found.code == 127
        assert f"failed to execute {words[0]}" in found.err
        assert not sandbox.never_started(found.code, found.err.encode())


@pytest.mark.parametrize("by", [lambda isolation: isolation, by_bubblewrap], ids=["zygote", "bubblewrap"])
def test_a_text_that_may_be_run_and_names_no_interpreter_is_a_script_for_the_shell(
    opened: Isolation, bot_dir: Path, by: Callable[[Isolation], Isolation]
) -> None:
    (bot_dir / "script").write_text('echo "$0" "$1"')
    (bot_dir / "script").chmod(0o755)
    with by(opened).make_sandbox(bot_dir) as sandbox:
        assert finish(start(sandbox, ["./script", "word"])).out == "./script word\n"


def test_a_folder_that_is_a_link_to_an_open_file_of_the_zygote_does_not_lead_out(
    opened: Isolation, bot_dir: Path
) -> None:
    """One of them is the folder of its group, above which lies the host's root."""
    for number in range(32):
        (bot_dir / str(number)).symlink_to(f"/proc/self/fd/{number}")
    for number in range(32):
        with opened.make_sandbox(bot_dir) as sandbox:
            found = finish(start(sandbox, ["pwd"], str(number)))
            assert (found.code, found.out) == (1, "")
            assert "the sandbox could not be opened" in found.err
            assert sandbox.never_started(found.code, found.err.encode())


@pytest.mark.parametrize("open_files", [4, 8, 1024])
def test_a_bot_inherits_its_three_streams_and_no_other_file(opened: Isolation, bot_dir: Path, open_files: int) -> None:
    """However few it may open itself, which must not void its games either. The zygote's socket would open any
    sandbox."""
    with opened.make_sandbox(bot_dir, Limits(open_files=open_files)) as sandbox:
        found = finish(start(sandbox, ["/bin/sh", "-c", "echo /proc/self/fd/*"]))
    assert found.out.split() == [f"/proc/self/fd/{number}" for number in range(4)], "the fourth is the look itself"


def test_the_zygote_dies_with_its_referee_and_with_its_isolation(opened: Isolation) -> None:
    script = (
        "import os, sys\n"
        "from peloarena.referee.sandbox.isolation import prepare\n"
        "isolation = prepare('auto')\n"
        "isolation.zygote.ensure_running()\n"
        "print(isolation.zygote._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    orphan = int(done.stdout)
    assert eventually(lambda: not Path(f"/proc/{orphan}/cwd").exists(), 30)
    assert opened.zygote is not None
    own = opened.zygote._process
    assert own is not None
    opened.close()
    assert own.poll() is not None


def test_the_host_is_not_reached_through_the_zygotes_root(opened: Isolation) -> None:
    """It holds what sandboxes show, and nothing else of the host."""
    assert opened.zygote is not None
    assert opened.zygote._process is not None
    root = Path(f"/proc/{opened.zygote._process.pid}/root")
    assert not (root / "sys").exists()
    assert sorted(os.listdir(root / "proc")) == []
    assert not {"shadow", "hosts", "ssl"} & {*os.listdir(root / "etc")}


def test_where_the_base_mounts_stand_and_no_sandbox_opens_there_is_no_zygote(
    opened: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the user namespace of a container, where base mounts without /proc get none: else every game would be
    void."""
    monkeypatch.setattr(seccomp, "program", lambda: bytes(8))  # no program: the kernel refuses it to each sandbox
    refused = ZygoteClient(opened.runtimes)
    assert not refused.ensure_running()
    assert refused._process is None


ON_A_HOST_THAT_SHARES_ITS_MOUNTS = """
import subprocess, sys
from pathlib import Path
from peloarena.referee.sandbox import syscalls
from peloarena.referee.sandbox.isolation import prepare
syscalls.unshare(syscalls.CLONE_NEWNS)
syscalls.mount("", "/", flags=syscalls.MS_REC | 1 << 20)
print("shared:" in Path("/proc/self/mountinfo").read_text(), flush=True)
with prepare("auto") as isolation, isolation.make_sandbox(Path(sys.argv[1])) as sandbox:
    print(isolation.zygote.ensure_running(), flush=True)
    launch = sandbox.command(["cat", "/proc/self/mountinfo"])
    sandbox.track(process := launch.start(stdin=subprocess.DEVNULL, stdout=1, stderr=2))
    process.wait()
"""


def test_nothing_that_the_host_mounts_later_comes_into_a_sandbox(opened: Isolation, bot_dir: Path) -> None:
    """Systemd makes all mounts shared; a copy of one would go on sharing what is mounted below it."""
    words = [sys.executable, "-c", ON_A_HOST_THAT_SHARES_ITS_MOUNTS, str(bot_dir)]
    shared, by_zygote, *mounted = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert (shared, by_zygote) == ("True", "True")
    assert any(" /bot " in line for line in mounted)
    assert not [line for line in mounted if "shared:" in line or "master:" in line]

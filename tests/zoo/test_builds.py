"""Builds are strangers' programs, too: bounded like the bots, ended like them, and never scored."""

import os
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_bots import wait_until
from promises import EVERY_PROTECTION, UIDS, needs, untried
from zookeeper import BEASTS, Zoo

from peloarena.game import ConfigError
from peloarena.referee import build, build_watch
from peloarena.referee.bot_finder import Bot, find_bot
from peloarena.referee.build import build_bot_sync, builds_folder
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.protections import examine_protections

GUARD = "import os\nif os.getcwd() != '/bot': os._exit(99)\n"
"""What follows is done in a sandbox only."""


@pytest.fixture(scope="module")
def isolation() -> Iterator[Isolation]:
    missing = [protection.name for protection in examine_protections() if not protection.holds]
    if missing:
        untried(EVERY_PROTECTION, f"{', '.join(missing)} do not hold here (peloarena doctor)")
    with prepare("auto") as made:
        yield made


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds get no more than the bot asks for, so that a bomb may be small."""
    monkeypatch.setattr(build, "build_limits", lambda limits: limits)


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Zoo:
    """And a cache of the test's own, where nothing unfinished may be left."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Zoo(tmp_path / "bots")


def run(zoo: Zoo, isolation: Isolation, program: str, **limits: int) -> Bot:
    place = zoo.lay_out("beast", "", build=GUARD + program, limits=limits)
    try:
        return build_bot_sync(find_bot(place), isolation)
    finally:
        assert zoo.living() == []
        assert list(builds_folder().glob("building-*")) == []


def refused(zoo: Zoo, isolation: Isolation, program: str, **limits: int) -> str:
    with pytest.raises(ConfigError) as caught:
        run(zoo, isolation, program, **limits)
    assert not any(builds_folder().iterdir()), "nothing usable is left behind"
    return f"{caught.value}\n{caught.value.details}".strip()


def test_a_build_sees_what_a_bot_sees_and_writes_its_own_copy_alone(zoo: Zoo, isolation: Isolation) -> None:
    bot = run(
        zoo,
        isolation,
        f"""
import socket
def attempt(action):
    try:
        return action() and "got it"
    except OSError:
        return "refused"
found = [
    attempt(lambda: os.listdir({str(zoo.good)!r})),
    attempt(lambda: os.kill({os.getpid()}, 0) is None),
    attempt(lambda: open("/usr/was-here", "w")),
    attempt(lambda: [name for _, name in socket.if_nameindex()] != ["lo"]) or "refused",
]
print(found, file=open("report", "w"))
""",
    )
    assert (bot.folder / "report").read_text() == "['refused', 'refused', 'refused', 'refused']\n"
    assert (bot.folder / "report").stat().st_uid == os.geteuid(), "what it made belongs to the host"
    assert not (bot.source / "report").exists()


def test_pipes_sockets_and_devices_are_not_copied_into_a_build(zoo: Zoo, isolation: Isolation) -> None:
    """Reading /dev/zero, or a pipe that nobody writes to, would never end."""
    place = zoo.lay_out("beast", "", build=GUARD + "print(sorted(os.listdir()))")
    os.mkfifo(place / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "socket"))
    if os.geteuid() == 0:
        os.mknod(place / "endless", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    home = build_bot_sync(find_bot(place), isolation).folder
    assert sorted(path.name for path in home.iterdir()) == [
        "bot.toml",
        "build.py",
        "main.py",
        "manners.py",
        "targets.json",
    ]


def test_a_build_that_fills_the_disk_is_ended(zoo: Zoo, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_watch, "MAX_DISK_MIB", 20)
    program = """
import time
for number in range(40):
    with open(f"filler{number}", "wb") as file:
        file.write(bytes(1 << 20))
time.sleep(20)
"""
    assert refused(zoo, isolation, program) == "beast: its build takes more than 20 MiB of the disk"


def test_files_without_a_name_count_too(zoo: Zoo, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_watch, "MAX_DISK_MIB", 20)
    program = """
import time
kept = []
for number in range(40):
    kept.append(open("filler", "wb", buffering=0))
    kept[-1].write(bytes(1 << 20))
    os.unlink("filler")
time.sleep(20)
"""
    assert "takes more than 20 MiB" in refused(zoo, isolation, program)


@pytest.mark.usefixtures("tight")
def test_a_single_file_is_bounded_by_the_bots_own_limit(zoo: Zoo, isolation: Isolation) -> None:
    program = """
with open("filler", "wb", buffering=0) as file:
    for _ in range(40):
        file.write(bytes(1 << 20))
"""
    assert "File too large" in refused(zoo, isolation, program, file_mib=8)


def test_a_build_that_makes_files_without_number_is_ended(
    zoo: Zoo, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_watch, "MAX_BUILD_FILES", 200)
    program = "for n in range(500): open(f'file{n}', 'w').close()"
    assert refused(zoo, isolation, program) == "beast: its build makes more than 200 files"


def test_a_build_that_digs_3000_folders_deep_is_refused_and_removed(zoo: Zoo, isolation: Isolation) -> None:
    """Python's own os.walk and shutil.rmtree fail there, after a thousand."""
    program = "for _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"
    assert refused(zoo, isolation, program) == "beast: its build makes folders nested more than 64 deep"


def test_a_build_that_prints_without_end_costs_no_memory(
    zoo: Zoo, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "BUILD_SECONDS", 1)
    before = peak_kib()
    assert "took longer than 1 s" in refused(zoo, isolation, "while True: os.write(1, b'noise ' * 10_000)")
    assert peak_kib() - before < 10 * 1024


def peak_kib() -> int:
    text = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM"))


@pytest.mark.usefixtures("tight")
def test_a_build_that_takes_memory_without_end_is_told_so(zoo: Zoo, isolation: Isolation) -> None:
    program = "eaten = [bytearray(b'x' * (1 << 20)) for _ in range(400)]"
    assert "its build failed because it ran out of memory" in refused(zoo, isolation, program, memory_mib=64)


def test_a_fork_bomb_in_a_build_stays_within_its_number(zoo: Zoo, isolation: Isolation) -> None:
    program = """
import sys, time
first = os.getpid()
try:
    while True:
        os.fork()
except OSError:
    pass
if os.getpid() != first:
    time.sleep(20)
    os._exit(0)
sys.exit(f"processes: {sum(name.isdigit() for name in os.listdir('/proc')) - 1}")
"""
    said = refused(zoo, isolation, program).rsplit("processes: ", 1)[1]
    assert 10 < int(said) <= 64


def test_what_a_build_leaves_running_is_ended_with_it(zoo: Zoo, isolation: Isolation) -> None:
    program = """
import time
if os.fork() == 0:
    os.setsid()
    time.sleep(20)
"""
    started = time.monotonic()
    run(zoo, isolation, program)
    assert time.monotonic() - started < 15


# -- who may read a bot -------------------------------------------------------------------------------------------

root_only = needs(UIDS, os.geteuid() == 0)


@root_only
@pytest.mark.parametrize("closed", [".", "main.py"])
def test_a_bot_that_its_own_uid_cannot_read_is_named_before_any_game(
    zoo: Zoo, isolation: Isolation, closed: str
) -> None:
    place = zoo.lay_out("beast", "")
    (place / closed).chmod(0o700)
    with pytest.raises(ConfigError, match=r"may not read 'beast.*': chmod -R o\+rX beast"):
        build_bot_sync(find_bot(place), isolation)


@root_only
def test_a_built_copy_is_opened_for_its_bot(zoo: Zoo, isolation: Isolation) -> None:
    bot = run(
        zoo, isolation, "os.mkdir('inner', 0o700)\nopen('inner/data', 'w').close()\nos.chmod('inner/data', 0o600)"
    )
    assert (bot.folder / "inner").stat().st_mode & 0o777 == 0o755
    assert (bot.folder / "inner" / "data").stat().st_mode & 0o777 == 0o644


def test_a_build_that_does_not_die_is_refused_and_the_reaper_goes_on(
    zoo: Zoo, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is removed while it is dying: then nobody has to own it, and others are reaped as before."""
    monkeypatch.setattr(build_watch, "KILL_TIMEOUT_SECONDS", 0.05)
    beast = (BEASTS / "takes_long_to_die.py").read_text()
    program = beast[: beast.index("sandboxed()\n")].replace("from manners import", "# ")
    program += "alive, born = os.pipe()\nhold(2, 3_000, 900, 40)\n"
    with pytest.raises(ConfigError, match="does not end within"):
        build_bot_sync(find_bot(zoo.lay_out("beast", "", build=GUARD + program)), isolation)
    deadline = time.monotonic() + 120
    while isolation.terminating_count and time.monotonic() < deadline:
        time.sleep(0.02)
    assert isolation.terminating_count == 0


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_build_that_holds_its_output_does_not_hold_the_runner(
    zoo: Zoo, isolation: Isolation, monkeypatch: pytest.MonkeyPatch, attempt: int
) -> None:
    """What it prints must come from the disk, and its process gets no CPU time. With a pipe it did in two of three."""
    monkeypatch.setattr(build, "BUILD_SECONDS", 8)
    program = (BEASTS / "holds_its_stream.py").read_text()
    aim = {"stream": 1, "seconds": 40.0, "builds": True}
    place = zoo.lay_out("beast", "", build=program, limits={"processes": 100}, targets=aim)
    (place / "blanks").write_bytes(b" " * 2**16)
    dropping = threading.Thread(target=drop_blanks)
    dropping.start()
    began = time.monotonic()
    with pytest.raises(ConfigError, match="took longer than 8 s"):
        build_bot_sync(find_bot(place), isolation)
    assert time.monotonic() - began < 30.0
    dropping.join()
    assert zoo.living() == []


def drop_blanks() -> None:
    """Of the copy that is built. What was not written to the disk yet cannot be dropped."""
    wait_until(lambda: any(builds_folder().glob("building-*/bot/waits")))
    (waits,) = builds_folder().glob("building-*/bot/waits")
    with (waits.parent / "blanks").open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    waits.unlink()

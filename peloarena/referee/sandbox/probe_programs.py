"""The programs that protections.py starts inside a sandbox. Text only: each is plain Python and ends by itself."""

VISIBILITY_PROBE = r"""
import ctypes, errno, json, os, socket, sys
bait = json.loads(sys.argv[1])

def refused(attempt):
    try:
        attempt()
    except OSError:
        return True
    return False

def connect(kind, address):
    with socket.socket(kind, socket.SOCK_STREAM) as one:
        one.settimeout(2)
        one.connect(address)

def commands():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                yield file.read()
        except OSError:
            pass

def status(name):
    with open("/proc/self/status") as file:
        return next(line.split()[1] for line in file if line.startswith(name + ":"))

def interfaces():
    with open("/proc/net/dev") as file:
        return {line.split(":")[0].strip() for line in file if ":" in line}

def listed(folder):
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()

def write_in(folder):
    path = os.path.join(folder, "peloarena-probe")
    with open(path, "w"):
        pass
    os.unlink(path)

def fills_up(folder, mib):
    path = os.path.join(folder, "peloarena-probe")
    try:
        with open(path, "wb", buffering=0) as file:
            for _ in range(mib):
                file.write(bytes(1 << 20))
    except OSError as error:
        return error.errno == errno.ENOSPC
    finally:
        os.unlink(path)
    return False

CLONE_NEWUSER = 0x10000000

print(json.dumps({
    "loopback": refused(lambda: connect(socket.AF_INET, ("127.0.0.1", bait["port"]))),
    "outside": interfaces() <= {"lo"},
    "abstract": refused(lambda: connect(socket.AF_UNIX, "\0" + bait["abstract"])),
    "processes": not any(bait["nekot"][::-1].encode() in one for one in commands()),
    "files": refused(lambda: open(bait["secret"])),
    "home": listed(bait["home"]) <= set(bait["shown"]),
    "environment": bait["variable"] not in os.environ,
    "uid": os.getuid() != 0 and int(status("CapEff"), 16) == 0 and status("NoNewPrivs") == "1",
    "own_uid": os.getuid() != bait["uid"] or bait["uid"] != 0,
    "namespaces": ctypes.CDLL(None).unshare(CLONE_NEWUSER) != 0,
    "folder": refused(lambda: write_in(os.getcwd())),
    "tmp": fills_up(os.environ["TMPDIR"], bait["tmp_mib"] * 2),
}))
"""
"""Argument: a JSON object with the bait that a bot must not find. Prints a JSON object: protection -> it holds."""

MEMORY_PROBE = r"""
import sys
eaten = [bytearray(b"x" * (1 << 20)) for _ in range(int(sys.argv[1]))]
print("survived")
"""
"""Takes memory, one MiB at a time, up to its argument; then says so."""

FORK_PROBE = r"""
import os, sys
inlet, outlet = os.pipe()
born = 0
for _ in range(int(sys.argv[1])):
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        os.close(outlet)
        os.read(inlet, 1)
        os._exit(0)
    born += 1
print(born)
"""
"""Forks children that wait for it to end; prints how many it got."""

TICK_PROBE = r"""
import os, time
for _ in range(10_000):
    os.write(1, b".")
    time.sleep(0.001)
"""
"""Prints a dot a millisecond, for ten seconds at most."""

SPIN_PROBE = r"""
import os, sys, time
end = time.monotonic() + 20
for _ in range(int(sys.argv[1]) - 1):
    if os.fork() == 0:
        break
else:
    os.write(1, b"x")
while time.monotonic() < end:
    pass
"""
"""Uses all the CPU it gets, with the number of processes in its argument, for 20 seconds at most."""

CORES_PROBE = r"""
import os
try:
    os.sched_setaffinity(0, range(os.cpu_count()))
except OSError:
    pass
print(*os.sched_getaffinity(0))
"""
"""Tries to run on every core; prints those that it got."""

CPU_PROBE = r"""
import os, time
inlet, outlet = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        while time.process_time_ns() < 100_000_000:
            pass
        os.write(outlet, str(time.process_time_ns()).encode())
        os._exit(0)
    os._exit(0)
os.write(1, os.read(inlet, 99))
time.sleep(60)
"""
"""A grandchild in a session of its own, whose parent does not wait for it, burns CPU; prints how much (ns) and lives
for at most a minute more."""

LINGER_PROBE = r"""
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
inlet, outlet = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.write(outlet, b"x")
    time.sleep(60)
    os._exit(0)
os.read(inlet, 1)
os.write(1, b"ready\n")
time.sleep(60)
"""
"""Leaves a double-forked child in a session of its own; both hold stdout open for at most a minute."""

FAKE_REFEREE = r"""
import sys
from pathlib import Path
from peloarena.referee.sandbox.isolation import prepare
isolation = prepare(sys.argv[1])
sandbox = isolation.make_sandbox(Path(sys.argv[2]))
launch = sandbox.command([sys.executable, "-c", sys.argv[3]])
process = launch.start(stdin=0, stdout=1, stderr=2)
sandbox.track(process)
process.wait()
"""
"""Stands in for a referee: starts the bot of its arguments (policy, folder, program) in a sandbox, waits to be
killed."""

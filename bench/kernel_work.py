"""How long do threads of the kernel work for a bot, beside its own time? `python bench/kernel_work.py [--seconds 8]`.

What they do is in no control group and runs on any core (spec/SECURITY.md, Pools). Each program runs in the sandbox
that bots get on this machine. The threads work for everybody else, too: so their time before the start is
printed as well.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.limits import Limits

TERMINALS = """
import os, sys, time

end = time.monotonic() + float(sys.argv[1])
masters = []
try:
    for _ in range(24):
        master, slave = os.openpty()
        os.set_blocking(master, False)
        os.write(master, b"x" * 4000)
        masters.append(master)
except OSError as error:
    print(f"no pseudo-terminal: {error.strerror}; ", end="")
while masters and time.monotonic() < end:
    for master in masters:
        try:
            os.write(master, b"\\x12" * 64)  # each of these has the kernel echo the whole line again
            while os.read(master, 1 << 16):
                pass
        except BlockingIOError:
            pass
    time.sleep(0.005)
print(f"own CPU time {time.process_time():.2f} s, ", end="")
"""
SOCKETS = """
import array, socket, sys, time

end = time.monotonic() + float(sys.argv[1])

def send(over, *sockets):
    rights = array.array("i", [one.fileno() for one in sockets])
    over.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])

kept, sent = [], 0
try:
    while True:
        if len(kept) < 100:
            kept.append(socket.socketpair())
        for one, other in kept:
            send(one, one, other)
            sent += 2
except OSError as error:
    print(f"{sent} in flight: {error.strerror}; ", end="")
while time.monotonic() < end:
    for one in socket.socketpair():
        one.close()  # each has the kernel look through all that is in flight
    time.sleep(0.0002)
print(f"own CPU time {time.process_time():.2f} s, ", end="")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0)
    words = parser.parse_args()
    tried = [("terminals", TERMINALS, 1024), *(("sockets", SOCKETS, most) for most in (256, 1024, 4096))]
    with tempfile.TemporaryDirectory(prefix="peloarena-bench-") as folder, prepare("auto") as isolation:
        Path(folder).chmod(0o755)
        for name, program, open_files in tried:
            print(f"{name}, {open_files} open files: ", end="", flush=True)
            print(measured(isolation, Path(folder), program, open_files, words.seconds), flush=True)


def measured(isolation: Isolation, folder: Path, program: str, open_files: int, seconds: float) -> str:
    before = kernel_seconds()
    time.sleep(seconds)
    others = kernel_seconds() - before
    with isolation.make_sandbox(folder, Limits(open_files=open_files)) as sandbox:
        before = kernel_seconds()
        command = sandbox.command([sys.executable, "-c", program, str(seconds)])
        process = command.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        sandbox.track(process)
        assert process.stdout is not None
        assert process.stderr is not None
        output = process.stdout.read().decode() + process.stderr.read().decode()
        spent = kernel_seconds() - before
        process.wait()
    return f"{output}kernel threads {spent:.2f} s ({others:.2f} s before)"


def kernel_seconds() -> float:
    """CPU time of all threads of the kernel: children of process 2."""
    ticks = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if fields[1] == "2":
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

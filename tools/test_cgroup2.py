"""`make test-cgroup2`: the tests of the sandbox on a kernel that has control groups of version 2 and no others.

    python3 tools/test_cgroup2.py                               doctor and tests/referee/sandbox, as root and as a user
    python3 tools/test_cgroup2.py --users root --tests PATH     other tests, as root alone

The machines that we test on have both versions, and a running kernel does not give its version 1 up. So this boots
another kernel: a bare Debian root with a kernel and QEMU in it becomes a disk, and what is tested runs below its
process 1, in groups as systemd delegates them. Where the processor does not virtualize it is emulated, which takes
about four minutes for each user. Nothing is installed on this machine. Needs root.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from bare_root import USER, BareRoot, BareRootError, bare_root, environment, run_or_raise

PROJECT = Path(__file__).resolve().parent.parent
SUITE = "trixie"
TESTS = "tests/referee/sandbox"
PACKAGES = "linux-image-cloud-amd64 initramfs-tools qemu-system-x86 iproute2"
DISK_GIB = 8
LIMIT = 3600
"""Seconds until the machine counts as hanging."""
RESULT = re.compile(r"^RESULT (\w+) (\d+)", re.MULTILINE)

INIT = """#!/bin/sh
# Process 1 of the machine. It mounts what systemd mounts, but /tmp stays on the disk: of a tmpfs the kernel does not
# tell which pages are in memory, which a test asks.
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/shm /dev/pts
mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=755 tmpfs /run
mount -t cgroup2 -o nsdelegate cgroup2 /sys/fs/cgroup
ip link set lo up
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8
echo "+cpu +cpuset +memory +pids" >/sys/fs/cgroup/cgroup.subtree_control
for user in USERS; do
    home=$(getent passwd "$user" | cut -d: -f6)
    group=/sys/fs/cgroup/$user
    # The group and three files in it are the user's, and no limit of the group itself: so systemd delegates a group.
    mkdir "$group"
    chown "$user" "$group" "$group/cgroup.procs" "$group/cgroup.subtree_control" "$group/cgroup.threads"
    become=
    [ "$user" = root ] || become="setpriv --reuid $user --regid $user --init-groups --inh-caps=-all"
    cd "$home/peloarena" && HOME=$home USER=$user LOGNAME=$user \\
        sh -c 'echo 0 >"$0/cgroup.procs" && exec "$@"' "$group" $become sh /test-cgroup2 "$group"
    echo "RESULT $user $?"
done
echo o >/proc/sysrq-trigger
sleep 60
"""
TEST = """# As the user, in the delegated group that is named.
group=$1
code=0
check() { "$@" || { echo "failed: $*"; code=1; }; }
# Runs a command in a group below.
in_group() { sh -c 'echo 0 >"$0/cgroup.procs" && exec "$@"' "$group/$@"; }
# Runs a command alone in a new group, as `systemd-run --scope -p Delegate=yes` does.
in_own_group() { number=$((number + 1)); mkdir "$group/$number.scope" && in_group "$number.scope" "$@"; }
uname -sr
[ "$(cut -d: -f1,2 /proc/self/cgroup)" = 0: ] || { echo "not cgroup v2 alone:"; cat /proc/self/cgroup; exit 3; }
mkdir "$group/login" && echo $$ >"$group/login/cgroup.procs" || exit 3
echo "+cpu +cpuset +memory +pids" >"$group/cgroup.subtree_control" || exit 3
# A user may skip what only root can try. That groups count as this is no gap: doctor has just found them all.
export PELOARENA_FORBID_SKIPS=1
[ "$(id -u)" = 0 ] || PELOARENA_FORBID_SKIPS="but root"

echo "== alone in a group with all controllers"
check in_own_group .venv/bin/peloarena doctor
check in_own_group .venv/bin/python -m pytest -p no:cacheprovider ARGUMENTS

echo "== in one group with the shell, as after a login: without controllers, but bots start and are held"
missing=$(in_group login .venv/bin/peloarena doctor --json | .venv/bin/python -c "NAME_MISSING")
echo "missing: $missing"
check [ "$missing" = "memory, process count, cpu share, cores" ]
check in_group login .venv/bin/peloarena match --quiet bots/greedy bots/random

if [ "$(id -u)" = 0 ]; then
    echo "== in the root group, with the kernel's threads"
    check in_group .. .venv/bin/peloarena doctor
fi
exit $code
"""
NAME_MISSING = (
    "import json, sys; print(', '.join(one['name'] for one in json.load(sys.stdin)['protections'] if not one['holds']))"
)


def prepare(root: BareRoot, users: list[str], tests: str) -> None:
    root.run_once("root", f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {PACKAGES}")
    root.run_once("root", "make tools")
    for user in users:
        root.run_once(user, "make .venv/.develops")
    scripts = {
        "init-cgroup2": INIT.replace("USERS", " ".join(users)),
        "test-cgroup2": TEST.replace("ARGUMENTS", tests).replace("NAME_MISSING", NAME_MISSING),
    }
    for name, text in scripts.items():
        script = root.folder / name
        script.write_text(text)
        script.chmod(0o755)


def boot(root: BareRoot) -> str:
    """Boot the root as a disk, print its console, and return it."""
    disk = root.folder.with_suffix(".disk")
    try:
        run_or_raise("mke2fs", "-q", "-t", "ext4", "-d", str(root.folder), str(disk), f"{DISK_GIB}G")
        disk.rename(root.folder / "disk")
    finally:
        disk.unlink(missing_ok=True)
    line = "root=/dev/vda rw console=ttyS0 quiet loglevel=1 cgroup_no_v1=all init=/init-cgroup2"
    is_virtualizing = re.search(r"\b(vmx|svm)\b", Path("/proc/cpuinfo").read_text()) and Path("/dev/kvm").exists()
    speed = "-accel kvm -cpu host" if is_virtualizing else "-accel tcg,thread=multi -cpu max"
    command = (
        f"exec qemu-system-x86_64 {speed} -smp 2 -m 3072 -nodefaults -nographic -no-reboot -serial stdio "
        f"-kernel /vmlinuz -initrd /initrd.img -append '{line}' -drive file=/disk,format=raw,if=virtio,cache=unsafe"
    )
    argv = ["timeout", str(LIMIT), *root.argv("root", command)]
    shown = []
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(argv, env=environment(), stdin=nothing, stdout=pipe, text=True) as machine:
        assert machine.stdout is not None
        for text in machine.stdout:
            print(text, end="", flush=True)
            shown.append(text)
    return "".join(shown)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", default=f"root {USER}", help="Separated by spaces.")
    parser.add_argument("--tests", default=TESTS, help="What pytest runs.")
    parser.add_argument("--mirror", help="Where to get Debian's packages.")
    given = parser.parse_args()
    users = given.users.split()
    try:
        with bare_root(SUITE, PROJECT, given.mirror) as root:
            prepare(root, users, given.tests)
            console = boot(root)
    except BareRootError as error:
        print(error, file=sys.stderr)
        return 2
    results = dict(RESULT.findall(console.replace("\r", "")))
    for user in users:
        print(f"{user}: {'passed' if results.get(user) == '0' else 'failed' if user in results else 'did not finish'}")
    return 0 if all(results.get(user) == "0" for user in users) else 1


if __name__ == "__main__":
    sys.exit(main())

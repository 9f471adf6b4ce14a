"""`make test-cgroup2`: the tests of the sandbox on a kernel that has control groups of version 2 and no others.

    python3 tools/test_cgroup2.py                               doctor and tests/referee/sandbox, as root and as a user
    python3 tools/test_cgroup2.py --users root --tests PATH     other tests, as root alone

The machines that we test on have both versions, and a running kernel does not give its version 1 up. So this boots
another kernel: a bare Debian root with a kernel and QEMU in it becomes a disk, and what is tested runs as its process 1.
The ordinary user has a delegated group, as systemd gives one to every user who logs in. Where the processor does
not virtualize it is emulated, which takes twenty times as long. Nothing is installed on this machine. Needs root.
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
PACKAGES = "linux-image-cloud-amd64 qemu-system-x86 bubblewrap gcc libc6-dev iproute2"
DISK_GIB = 8
LIMIT = 3600
"""Seconds until the machine counts as hanging."""
RESULT = re.compile(r"^RESULT (\w+) (\d+)", re.MULTILINE)

INIT = """#!/bin/sh
# Process 1 of the machine. `cgroup_no_v1=all` leaves every controller to version 2.
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/shm /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs tmpfs /run
mount -t cgroup2 -o nsdelegate cgroup2 /sys/fs/cgroup
ip link set lo up
groups=/sys/fs/cgroup
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8
for user in USERS; do
    if [ "$user" = root ]; then
        cd /root/peloarena && HOME=/root USER=root sh /test-cgroup2
        echo "RESULT root $?"
    else
        # The kernel lets a group pass controllers on only while no process is in it: ours wait in one below.
        mkdir -p $groups/machine $groups/delegated/shell
        for one in $(cat $groups/cgroup.procs); do echo "$one" > $groups/machine/cgroup.procs 2>/dev/null; done
        echo "+cpu +cpuset +memory +pids" > $groups/cgroup.subtree_control
        echo "+cpu +cpuset +memory +pids" > $groups/delegated/cgroup.subtree_control
        chown -R "$user" $groups/delegated
        echo $$ > $groups/delegated/shell/cgroup.procs
        cd "/home/$user/peloarena" && HOME=/home/$user USER=$user \\
            setpriv --reuid "$user" --regid "$user" --init-groups --inh-caps=-all sh /test-cgroup2
        echo "RESULT $user $?"
    fi
done
echo o > /proc/sysrq-trigger
sleep 60
"""
TEST = """grep -q '^0::' /proc/self/cgroup && [ "$(wc -l < /proc/self/cgroup)" = 1 ] || { cat /proc/self/cgroup; exit 3; }
.venv/bin/peloarena doctor
.venv/bin/python -m pytest -p no:cacheprovider TESTS
"""


def prepare(root: BareRoot, users: list[str], tests: str) -> None:
    root.run_once(
        "root", f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {PACKAGES} initramfs-tools"
    )
    for user in users:
        root.run_once(user, "make .venv/.develops")
    for name, text in (
        ("init-cgroup2", INIT.replace("USERS", " ".join(users))),
        ("test-cgroup2", TEST.replace("TESTS", tests)),
    ):
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
    line = "root=/dev/vda rw console=ttyS0 quiet cgroup_no_v1=all init=/init-cgroup2"
    is_virtualizing = re.search(r"\b(vmx|svm)\b", Path("/proc/cpuinfo").read_text()) and Path("/dev/kvm").exists()
    speed = "-accel kvm -cpu host" if is_virtualizing else "-accel tcg,thread=multi -cpu max"
    command = (
        f"exec qemu-system-x86_64 {speed} -smp 2 -m 3072 -nodefaults -nographic -no-reboot -serial stdio "
        f"-kernel /vmlinuz -initrd /initrd.img -append '{line}' -drive file=/disk,format=raw,if=virtio,cache=unsafe"
    )
    argv = ["timeout", str(LIMIT), *root.argv("root", command)]
    shown = []
    with subprocess.Popen(
        argv, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as machine:
        assert machine.stdout is not None
        for text in machine.stdout:
            print(text, end="", flush=True)
            shown.append(text)
    return "".join(shown)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", default=f"root,{USER}", help="Comma-separated.")
    parser.add_argument("--tests", default=TESTS, help="What pytest runs.")
    parser.add_argument("--mirror", help="Where to get Debian's packages.")
    given = parser.parse_args()
    users = given.users.split(",")
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

"""Why a protection is missing on this machine, and what to do about it: two tables of causes, the first match counts.

Looks at the machine, changes nothing. Container options are Docker's, which Podman shares unless noted otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from . import cgroup, sandbox_tools

CgroupAccess = Literal["absent", "read-only", "writable"]

CAP_NET_ADMIN, CAP_SYS_ADMIN = 1 << 12, 1 << 21
CONTAINER_FILES = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/run/systemd/container"))
"""Left by Docker, by Podman, and by systemd inside of nspawn, LXC and others."""
PROC_SYS = Path("/proc/sys")


class HostFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What decides whether bubblewrap works and cgroups are writable."""

    is_root: bool = False
    in_container: bool = False
    is_chrooted: bool = False
    has_systemd: bool = False
    has_bwrap: bool = True
    has_setpriv: bool = True
    is_admin: bool = False
    """Has the capabilities to make namespaces and to set up a network in them."""
    is_filtered: bool = False
    """A seccomp filter is on, as in every container that does not disable it."""
    user_namespaces: int | None = None
    """user.max_user_namespaces; None: this kernel has no such setting. The same holds for the next two."""
    userns_clone: int | None = None
    apparmor: int | None = None
    cgroups: CgroupAccess = "writable"
    """How they are mounted, regardless of who may write there."""


class Cause(msgspec.Struct, frozen=True):
    applies: Callable[[HostFacts], bool]
    why: str
    cure: str


OR_PRIVILEGED = "or with `--privileged`"
ROOT_CONTAINER_REMEDY = (
    "start the container with `--cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined "
    f"--security-opt apparmor=unconfined`, {OR_PRIVILEGED}"
)
USER_CONTAINER_REMEDY = (
    "start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined` (Podman: `--security-opt unmask=ALL` for the last one), "
    f"{OR_PRIVILEGED}"
)
CGROUP_CONTAINER_REMEDY = (
    "start the container with `--cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup:rw`, " + OR_PRIVILEGED
)

SANDBOX_CAUSES = (
    Cause(
        lambda here: not here.has_bwrap,
        "bubblewrap is not installed",
        "install it, 0.8 or newer (Debian, Ubuntu: `apt install bubblewrap`)",
    ),
    Cause(
        lambda here: here.is_root and not here.has_setpriv,
        "setpriv is missing or too old for --pdeathsig",
        "install a current util-linux, or run peloarena as an ordinary user",
    ),
    Cause(
        lambda here: here.is_chrooted,
        "a chroot does not allow the namespaces and mounts of a sandbox",
        "change the root folder with pivot_root instead of chroot, as systemd-nspawn and containers do",
    ),
    Cause(
        lambda here: not here.is_root and here.user_namespaces == 0,
        "this machine allows no user namespaces",
        "as root: `sysctl user.max_user_namespaces=10000`",
    ),
    Cause(
        lambda here: not here.is_root and here.userns_clone == 0,
        "this machine allows user namespaces to root only",
        "as root: `sysctl kernel.unprivileged_userns_clone=1`",
    ),
    Cause(
        lambda here: here.in_container and here.is_root,
        "the container does not allow the namespaces and mounts of a sandbox",
        ROOT_CONTAINER_REMEDY,
    ),
    Cause(
        lambda here: here.in_container and here.is_filtered,
        "the container does not allow the namespaces of a sandbox",
        USER_CONTAINER_REMEDY,
    ),
    Cause(  # in a container as well, once it is unconfined: the setting is the host's
        lambda here: not here.is_root and here.apparmor == 1,
        "AppArmor allows user namespaces only to programs with a profile for that",
        "as root: `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or load a profile for bwrap with `userns,`",
    ),
    Cause(
        lambda here: here.in_container,
        "the container does not allow the mounts of a sandbox",
        USER_CONTAINER_REMEDY,
    ),
    Cause(
        lambda here: here.is_root and not here.is_admin,
        "root lacks CAP_SYS_ADMIN or CAP_NET_ADMIN here",
        "start peloarena with both (a systemd service: CapabilityBoundingSet=)",
    ),
    Cause(
        lambda here: True,
        "bubblewrap is installed, but fails",
        "let it make user, mount, PID and network namespaces; `bwrap --unshare-all --ro-bind / / true` tries that",
    ),
)
"""Why bubblewrap makes no sandbox."""

CGROUP_CAUSES = (
    Cause(
        lambda here: here.in_container and here.cgroups != "writable" and here.is_root,
        "the container has no writable cgroups",
        CGROUP_CONTAINER_REMEDY,
    ),
    Cause(
        lambda here: here.in_container and here.cgroups != "writable",
        "the container has no writable cgroups",
        f"{CGROUP_CONTAINER_REMEDY}, and run peloarena as root in it",
    ),
    Cause(
        lambda here: here.is_root and here.cgroups == "absent",
        "no cgroups are mounted",
        "`mount -t cgroup2 cgroup2 /sys/fs/cgroup`",
    ),
    Cause(
        lambda here: here.is_root and here.cgroups == "read-only",
        "cgroups are mounted read-only",
        "`mount -o remount,rw /sys/fs/cgroup`",
    ),
    Cause(
        lambda here: here.is_root and here.has_systemd,
        "the cgroup that peloarena was started in does not offer it",
        "start peloarena in a group of its own: `systemd-run --scope -p Delegate=yes peloarena ...`",
    ),
    Cause(
        lambda here: here.is_root,
        "the cgroup that peloarena was started in does not offer it",
        "start it in a cgroup of its own whose parent lists the controllers memory, pids, cpu and cpuset in "
        "cgroup.subtree_control",
    ),
    Cause(
        lambda here: here.has_systemd and not here.in_container,
        "no cgroup is delegated to this user",
        "start with `systemd-run --user --scope -p Delegate=yes peloarena ...`, or as root",
    ),
    Cause(lambda here: True, "no cgroup is delegated to this user", "run peloarena as root"),
)
"""Why a role of a cgroup cannot be played."""

CPUSET_CAUSE = Cause(
    lambda here: not here.is_root and here.has_systemd and not here.in_container,
    "systemd delegates the controller cpuset to users only if it is configured to",
    "`systemctl edit user@.service` with `[Service]` and `Delegate=cpu cpuset memory pids`, or run peloarena as root",
)
UPGRADE_BUBBLEWRAP = "this bubblewrap is too old: install 0.8 or newer"
REMEDY_OF_PART = {
    "size": UPGRADE_BUBBLEWRAP,
    "userns": UPGRADE_BUBBLEWRAP,
    "seccomp": "there is no list of system calls for this processor: use one with x86-64 or ARM64",
}
"""For optional parts of a sandbox, by the key of the missing part."""
UNKNOWN_REMEDY = (
    "everything that this needs was found: run `peloarena doctor` again while the machine is idle, and report it if "
    "the result stays"
)


def sandbox_remedy(machine: HostFacts, complaint: str) -> str:
    """For a machine where bubblewrap makes no sandbox. `complaint` is bubblewrap's own message."""
    return _remedy(SANDBOX_CAUSES, machine, complaint if machine.has_bwrap else "")


def cgroup_remedy(machine: HostFacts, role: str) -> str:
    return _remedy((CPUSET_CAUSE, *CGROUP_CAUSES) if role == "cores" else CGROUP_CAUSES, machine, "")


def _remedy(causes: Sequence[Cause], machine: HostFacts, complaint: str) -> str:
    cause = next(cause for cause in causes if cause.applies(machine))
    return f"{cause.why}{f' ({complaint})' if complaint else ''}: {cause.cure}"


# -- looking ------------------------------------------------------------------------------------------------------


def inspect_host() -> HostFacts:
    """This machine, as this process sees it."""
    found = sandbox_tools.find()
    capabilities = int(_process_status("CapEff") or "0", 16)
    needed = CAP_SYS_ADMIN | CAP_NET_ADMIN
    mounts = Path("/proc/self/mountinfo").read_text()
    return HostFacts(
        is_root=os.geteuid() == 0,
        in_container="container" in os.environ or any(path.exists() for path in CONTAINER_FILES),
        is_chrooted=is_chrooted(mounts),
        has_systemd=Path("/run/systemd/system").is_dir(),
        has_bwrap=found is not None,
        has_setpriv=sandbox_tools.find_setpriv() is not None,
        is_admin=capabilities & needed == needed,
        is_filtered=_process_status("Seccomp") == "2",
        user_namespaces=_kernel_setting("user/max_user_namespaces"),
        userns_clone=_kernel_setting("kernel/unprivileged_userns_clone"),
        apparmor=_kernel_setting("kernel/apparmor_restrict_unprivileged_userns"),
        cgroups=_cgroup_access(mounts),
    )


def is_chrooted(mountinfo: str) -> bool:
    """The root of a chroot is seldom a mount of its own; everywhere else there is one at `/`."""
    return all(line.split()[4] != "/" for line in mountinfo.splitlines())


def _cgroup_access(mountinfo: str) -> CgroupAccess:
    bases = list(cgroup.own_base_groups(mountinfo, Path("/proc/self/cgroup").read_text()))
    if not any(base.folder.is_dir() for base in bases):
        return "absent"
    return "read-only" if all(_is_read_only(base.folder) for base in bases) else "writable"


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return True  # missing counts as true


def _process_status(name: str) -> str:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return line.split()[1]
    return ""


def _kernel_setting(name: str) -> int | None:
    try:
        return int((PROC_SYS / name).read_text())
    except (OSError, ValueError):
        return None

"""What the doctor advises: by cause, and never what is done already."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest
from promises import SANDBOX, UIDS, needs

from peloarena.referee.sandbox import protections, remedies, sandbox_tools
from peloarena.referee.sandbox.isolation import MISSING_PARTS
from peloarena.referee.sandbox.protections import choose_remedy
from peloarena.referee.sandbox.remedies import CgroupAccess, HostFacts, cgroup_remedy, sandbox_remedy

USER, ROOT = HostFacts(), HostFacts(is_root=True, is_admin=True)


def machine(base: HostFacts = USER, **facts: object) -> HostFacts:
    known = {name: getattr(base, name) for name in HostFacts.__struct_fields__}
    return HostFacts(**{**known, **facts})


SANDBOX_CAUSES = {
    "no bubblewrap": (machine(has_bwrap=False), "bubblewrap is not installed: install it"),
    "no setpriv": (machine(ROOT, has_setpriv=False), "install a current util-linux"),
    "setpriv is root's affair": (machine(has_setpriv=False), "bubblewrap is installed, but fails"),
    "chroot": (machine(ROOT, is_chrooted=True), "with pivot_root instead of chroot"),
    "no user namespaces": (machine(user_namespaces=0), "`sysctl user.max_user_namespaces=10000`"),
    "root's only": (machine(userns_clone=0), "`sysctl kernel.unprivileged_userns_clone=1`"),
    "AppArmor": (machine(apparmor=1), "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`"),
    "container of root": (machine(ROOT, in_container=True, is_admin=False), "--cap-add SYS_ADMIN --cap-add NET_ADMIN"),
    "container of a user": (machine(in_container=True, is_filtered=True), "systempaths=unconfined"),
    "container, kernel": (machine(in_container=True, user_namespaces=0), "`sysctl user.max_user_namespaces=10000`"),
    "container, AppArmor": (machine(in_container=True, apparmor=1), "apparmor_restrict_unprivileged_userns=0"),
    "open container": (machine(in_container=True), "systempaths=unconfined"),
    "weak root": (machine(ROOT, is_admin=False), "root lacks CAP_SYS_ADMIN or CAP_NET_ADMIN"),
    "who knows": (ROOT, "bubblewrap is installed, but fails (its words): let it make"),
}


@pytest.mark.parametrize(("here", "said"), SANDBOX_CAUSES.values(), ids=SANDBOX_CAUSES)
def test_a_missing_sandbox_has_its_causes_remedy(here: HostFacts, said: str) -> None:
    assert said in sandbox_remedy(here, "its words")


CGROUP_CAUSES = {
    "container of root": (machine(ROOT, in_container=True, cgroups="read-only"), "--cgroupns=host --volume"),
    "container of a user": (machine(in_container=True, cgroups="absent"), "and run peloarena as root in it"),
    "user in a good container": (machine(in_container=True, has_systemd=True), "user: run peloarena as root"),
    "nothing mounted": (machine(ROOT, cgroups="absent"), "`mount -t cgroup2 cgroup2 /sys/fs/cgroup`"),
    "read-only": (machine(ROOT, cgroups="read-only"), "`mount -o remount,rw /sys/fs/cgroup`"),
    "shared group, systemd": (machine(ROOT, has_systemd=True), "`systemd-run --scope -p Delegate=yes peloarena ...`"),
    "shared group": (ROOT, "cgroup.subtree_control"),
    "user with systemd": (machine(has_systemd=True), "`systemd-run --user --scope -p Delegate=yes peloarena ...`"),
    "user": (USER, "no cgroup is delegated to this user: run peloarena as root"),
}


@pytest.mark.parametrize(("here", "said"), CGROUP_CAUSES.values(), ids=CGROUP_CAUSES)
def test_a_missing_cgroup_has_its_causes_remedy(here: HostFacts, said: str) -> None:
    assert said in cgroup_remedy(here, "memory")


def test_cores_for_a_user_of_systemd_need_a_word_to_systemd() -> None:
    assert "Delegate=cpu cpuset memory pids" in cgroup_remedy(machine(has_systemd=True), "cores")
    assert cgroup_remedy(ROOT, "cores") == cgroup_remedy(ROOT, "memory")


def every_machine() -> list[HostFacts]:
    flags = [name for name in HostFacts.__struct_fields__ if isinstance(getattr(USER, name), bool)]
    settings = [{}, {"user_namespaces": 0}, {"userns_clone": 0}, {"apparmor": 1}]
    return [
        HostFacts(**dict(zip(flags, values, strict=True)), **setting, cgroups=cgroups)  # type: ignore[arg-type]
        for values in itertools.product((False, True), repeat=len(flags))
        for setting in settings
        for cgroups in get_args(CgroupAccess)
    ]


def test_nobody_is_told_to_do_what_is_done() -> None:
    """Invariant over all machines: root is not sent to root, what is there is not to be installed."""
    for here in every_machine():
        told = f"{sandbox_remedy(here, '')} {cgroup_remedy(here, 'memory')} {cgroup_remedy(here, 'cores')}"
        if here.is_root:
            assert "as root" not in told, here
            assert "--user" not in told, here
        if here.has_bwrap:
            assert "bubblewrap is not installed" not in told, here
        if here.has_setpriv:
            assert "setpriv" not in told, here
        if not here.in_container:
            assert "the container" not in told, here


def test_protections_go_to_the_table_of_what_they_need() -> None:
    no_sandbox, no_memory = MISSING_PARTS["bwrap"], MISSING_PARTS["memory"]
    here = machine(has_bwrap=False)
    assert choose_remedy("files", [no_sandbox], here) == sandbox_remedy(here, "")
    assert choose_remedy("kill", [no_sandbox], here) == sandbox_remedy(here, "")
    assert choose_remedy("memory", [no_sandbox, no_memory], here) == cgroup_remedy(here, "memory")
    assert choose_remedy("tmp", [MISSING_PARTS["size"]], USER) == remedies.UPGRADE_BUBBLEWRAP
    assert choose_remedy("namespaces", [MISSING_PARTS["userns"]], USER) == remedies.UPGRADE_BUBBLEWRAP
    assert "x86-64" in choose_remedy("namespaces", [MISSING_PARTS["seccomp"]], USER)
    assert choose_remedy("memory", [], ROOT) == choose_remedy("files", [], ROOT) == remedies.UNKNOWN_REMEDY
    assert protections.make_protection("files", True, [], ROOT).remedy == "", "what holds needs none"


def test_a_chroot_is_known_by_its_mounts() -> None:
    line = "{} 1 8:1 / {} rw,relatime - ext4 /dev/sda1 rw\n"
    assert not remedies.is_chrooted(line.format(1, "/") + line.format(2, "/proc"))
    assert remedies.is_chrooted(line.format(1, "/srv") + line.format(2, "/proc"))


def test_a_complaint_is_one_line_in_bubblewraps_own_words(tmp_path: Path) -> None:
    script = tmp_path / "bwrap"
    script.write_text("#!/bin/sh\nprintf 'bwrap: no room: none\\nat all\\n' >&2\nexit 1\n")
    script.chmod(0o755)
    found = sandbox_tools.SandboxTools(str(script), None, has_size_option=True, has_disable_userns_option=True)
    assert sandbox_tools.bwrap_problem(found, None) == "no room: none at all"


# ---- real processes

EXAMINE = """
import json
from peloarena.referee.sandbox.protections import examine_protections
print(json.dumps({one.name: one.remedy for one in examine_protections() if not one.holds}))
"""
UNDER_A_FILTER = """
import os, sys
from peloarena.referee.sandbox import seccomp, syscalls
syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
syscalls.install_seccomp_filter(seccomp.program())
os.execv(sys.argv[1], sys.argv[1:])
"""
DOCKERS = (
    *("chown", "dac_override", "fsetid", "fowner", "mknod", "net_raw", "setgid", "setuid", "setfcap", "setpcap"),
    *("net_bind_service", "sys_chroot", "kill", "audit_write"),
)
"""The capabilities of root in a container of Docker."""
READ_ONLY_CGROUPS = """
mount --make-rprivate /
for one in /sys/fs/cgroup /sys/fs/cgroup/*; do mount -o remount,ro,bind "$one" 2>/dev/null; done
exec "$@"
"""


def advice(*argv: str, **variables: str) -> Mapping[str, str]:
    """What the doctor says in a real process that is started like that."""
    environment = {**os.environ, **variables}
    done = subprocess.run([*argv, sys.executable, "-c", EXAMINE], env=environment, stdout=subprocess.PIPE, check=True)
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def test_only_who_has_no_bubblewrap_is_told_to_install_it() -> None:
    told = advice(PATH="/nowhere")
    assert told["files"].startswith("bubblewrap is not installed: install it")


@needs(UIDS, os.geteuid() == 0)
def test_root_in_a_container_is_told_its_options() -> None:
    kept = ",".join(["-all", *(f"+{name}" for name in DOCKERS)])
    limited = ["setpriv", f"--bounding-set={kept}", "--inh-caps=-all", "--"]
    told = advice("unshare", "--mount", "sh", "-c", READ_ONLY_CGROUPS, "sh", *limited, container="docker")
    assert "namespaces and mounts of a sandbox (" in told["files"]
    assert "--cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined" in told["files"]
    assert told["own_uid"] == told["files"]
    assert "--cgroupns=host --volume /sys/fs/cgroup:/sys/fs/cgroup:rw" in told["memory"]
    assert told["cores"] == told["memory"]


@needs(UIDS, os.geteuid() == 0)
def test_without_proc_one_line_says_so() -> None:
    hidden = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc; exec "$@"', "sh"]
    doctor = [sys.executable, "-m", "peloarena.cli.main", "doctor"]
    done = subprocess.run([*hidden, *doctor], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "peloarena: bots cannot be started without /proc: mount it with `mount -t proc proc /proc`\n"


@needs(SANDBOX, shutil.which("bwrap") is not None)
def test_whoever_meets_a_containers_filter_is_told_to_take_it_away() -> None:
    """The filter is our own for bots: like Docker's it refuses new namespaces."""
    told = advice(sys.executable, "-c", UNDER_A_FILTER, container="docker")
    assert "--security-opt seccomp=unconfined" in told["files"]


@needs(UIDS, os.geteuid() == 0)
def test_the_capabilities_that_the_options_give_are_enough() -> None:
    kept = ",".join(["-all", *(f"+{name}" for name in (*DOCKERS, "sys_admin", "net_admin"))])
    told = advice("setpriv", f"--bounding-set={kept}", "--inh-caps=-all", "--", container="docker")
    assert not {"files", "loopback", "own_uid", "uid", "namespaces"} & set(told)

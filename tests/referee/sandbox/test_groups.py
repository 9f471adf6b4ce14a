"""Control groups: where we are in them, what a group tells, and sweeping what the dead left."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from promises import CGROUPS, untried
from sandbox_helpers import eventually

from peloarena.referee.sandbox import bot_cgroup, cgroup, processes
from peloarena.referee.sandbox.bot_cgroup import BotCgroup
from peloarena.referee.sandbox.cgroup import BaseGroup, Hierarchy

PURE_V2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
HYBRID = """\
31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
32 30 0:28 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer
33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
34 30 0:30 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd
35 30 0:31 / / rw - ext4 /dev/root rw"""
CONTAINER = r"36 30 0:32 /docker/abc /sys/fs/cgroup/my\040memory rw - cgroup cgroup rw,memory"


def places(mountinfo: str, membership: str) -> list[tuple[str, int]]:
    return [(str(base.folder), base.version) for base in cgroup.own_base_groups(mountinfo, membership)]


def test_in_pure_v2_our_place_is_below_the_one_mount() -> None:
    assert places(PURE_V2, "0::/user.slice/run.scope\n") == [("/sys/fs/cgroup/user.slice/run.scope", 2)]


def test_in_a_hybrid_layout_the_v1_freezer_is_never_ours() -> None:
    found = places(HYBRID, "3:freezer:/a\n2:cpu,cpuacct:/b\n1:name=systemd:/c\n0::/d\n")
    assert found == [("/sys/fs/cgroup/cpu,cpuacct/b", 1), ("/sys/fs/cgroup/unified/d", 2)]


def test_in_a_container_the_mount_shows_a_part_of_the_tree() -> None:
    assert places(CONTAINER, "4:memory:/docker/abc/x\n") == [("/sys/fs/cgroup/my memory/x", 1)]


def test_a_mount_that_does_not_show_our_place_is_passed_over() -> None:
    assert places(CONTAINER, "4:memory:/docker/other\n") == []
    assert places(PURE_V2, "0::/../elsewhere\n") == []


def test_a_referee_that_moved_down_into_its_leaf_still_makes_groups_above_it() -> None:
    assert places(PURE_V2, "0::/run.scope/peloarena-referee\n") == [("/sys/fs/cgroup/run.scope", 2)]


def test_a_folder_without_control_files_plays_no_role(tmp_path: Path) -> None:
    assert cgroup.find(f"30 23 0:26 / {tmp_path} rw - cgroup cgroup rw,memory", "1:memory:/\n") is None
    assert list(tmp_path.iterdir()) == []


def write_v2_group(folder: Path, members: str) -> str:
    """Writes the files of a delegated group that holds these processes; returns its line of mountinfo."""
    for name, text in (("type", "domain"), ("controllers", "cpuset cpu memory pids"), ("procs", members)):
        (folder / f"cgroup.{name}").write_text(text)
    (folder / "cgroup.subtree_control").touch()
    return f"30 23 0:26 / {folder} rw - cgroup2 cgroup2 rw"


@pytest.mark.parametrize("other", [1, 0], ids=["another's", "out of our sight"])
def test_a_v2_group_that_holds_other_processes_passes_no_controller_on(tmp_path: Path, other: int) -> None:
    cgroup.find(write_v2_group(tmp_path, f"{other}\n{os.getpid()}\n"), "0::/\n")
    assert (tmp_path / "cgroup.subtree_control").read_text() == ""
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_v2_group_without_processes_passes_its_controllers_on(tmp_path: Path) -> None:
    cgroup.find(write_v2_group(tmp_path, ""), "0::/\n")
    assert (tmp_path / "cgroup.subtree_control").read_text().startswith("+")


def test_v2_counters_are_read_as_v1_ones_are(tmp_path: Path) -> None:
    base = BaseGroup(tmp_path, 2)
    group = BotCgroup(Hierarchy((tmp_path,), dict.fromkeys(cgroup.ROLES, base)), "one")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "cpu.stat").write_text("usage_usec 12\nuser_usec 7\n")
    (tmp_path / "one" / "memory.events").write_text("low 0\noom 2\noom_kill 1\n")
    (tmp_path / "one" / "cgroup.procs").write_text("0\n")
    assert (group.cpu_ns(), group.oom_kills(), group.members()) == (12_000, 1, [])
    group.close_descriptors()


@pytest.fixture
def hierarchy() -> Hierarchy:
    found = cgroup.find()
    if found is None:
        untried(CGROUPS, "none is writable")
    return found


def test_the_limits_are_in_the_group(hierarchy: Hierarchy) -> None:
    group = BotCgroup.make(hierarchy, memory_bytes=64 << 20, processes=7)
    try:
        names = ("pids.max", "memory.limit_in_bytes", "memory.max")
        paths = [folder / name for folder in group.folders for name in names if (folder / name).exists()]
        assert sorted(path.read_text().strip() for path in paths) == [str(64 << 20), "7"]
    finally:
        assert group.remove()


JOIN_THEN_RUN = 'echo 0 >"$1" && shift && exec "$@"'
JOIN_A_GROUP_BELOW = """
import subprocess
from peloarena.referee.sandbox import bot_cgroup, cgroup
group = bot_cgroup.BotCgroup.make(cgroup.find(), memory_bytes=1 << 26, processes=9)
child = subprocess.Popen(["sleep", "60"])
try:
    for path in group.join_files:
        cgroup.write_control_file(path, str(child.pid))
    print("joined")
finally:
    child.kill()
    child.wait()
    group.remove()
"""


def test_a_bot_joins_its_group_although_another_program_is_in_ours(hierarchy: Hierarchy) -> None:
    """As below a login's shell: systemd puts it into one group with all that it starts."""
    home = next((base.folder for base in hierarchy.base_of_role.values() if base.version == 2), None)
    if home is None:
        untried(CGROUPS, "no v2 group is writable")
    shared = home / cgroup.group_name("shared")
    shared.mkdir()
    join = ["/bin/sh", "-c", JOIN_THEN_RUN, "join", str(shared / "cgroup.procs")]
    with subprocess.Popen([*join, "sleep", "60"]) as other:
        try:
            assert eventually(lambda: cgroup.read_pids(shared / "cgroup.procs") == [other.pid])
            argv = [*join, sys.executable, "-c", JOIN_A_GROUP_BELOW]
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
            assert done.stdout == "joined\n", done.stderr
        finally:
            other.kill()
            other.wait()
            BotCgroup(Hierarchy((home,), {}), shared.name).remove()


MAKE_AND_DIE = """
import os, subprocess
from peloarena.referee.sandbox import bot_cgroup, cgroup, processes
group = bot_cgroup.BotCgroup.make(cgroup.find(), memory_bytes=1 << 26, processes=9)
child = subprocess.Popen(["sleep", "60"], stdin=-3, stdout=-3, stderr=-3)
for path in group.join_files:
    cgroup.write_control_file(path, str(child.pid))
print(group.name, child.pid, processes.start_time(child.pid), flush=True)
os.kill(os.getpid(), 9)
"""


def test_a_group_left_by_a_killed_referee_is_swept_with_all_inside(hierarchy: Hierarchy) -> None:
    """Every referee of the machine sweeps when it starts, so another one may be at it before us, and not be done."""
    done = subprocess.run([sys.executable, "-c", MAKE_AND_DIE], capture_output=True, text=True, check=False)
    name, pid, start = done.stdout.split()
    bot_cgroup.remove_stale_groups(hierarchy)
    assert eventually(lambda: not processes.is_alive(int(pid), int(start)))
    assert eventually(lambda: not any((home / name).exists() for home in hierarchy.base_folders))


def test_a_group_of_the_living_is_not_swept(hierarchy: Hierarchy) -> None:
    group = BotCgroup.make(hierarchy, memory_bytes=64 << 20, processes=7)
    try:
        assert group.name not in bot_cgroup.remove_stale_groups(hierarchy)
        assert all(folder.exists() for folder in group.folders)
    finally:
        group.remove()


def test_a_group_of_another_pid_namespace_is_not_swept(hierarchy: Hierarchy) -> None:
    foreign = hierarchy.base_folders[0] / f"peloarena-1-999999999-1-{os.getpid()}"
    foreign.mkdir()
    try:
        assert foreign.name not in bot_cgroup.remove_stale_groups(hierarchy)
    finally:
        foreign.rmdir()


def test_a_group_that_cannot_be_made_whole_is_not_made_at_all(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        BotCgroup.make(Hierarchy((tmp_path,), {"memory": BaseGroup(tmp_path, 2)}), memory_bytes=1, processes=1)
    assert list(tmp_path.iterdir()) == []


def test_our_own_process_is_alive_and_a_reused_pid_is_not() -> None:
    start = processes.start_time(os.getpid())
    assert start is not None
    assert processes.is_alive(os.getpid(), start)
    assert not processes.is_alive(os.getpid(), start + 1)

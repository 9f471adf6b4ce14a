"""The small parts: limits, uids, the launcher's shell, the seccomp program, the doctor."""

import resource
import struct
import subprocess
from pathlib import Path

import msgspec
import pytest
from promises import EVERY_PROTECTION, untried

from peloarena.referee.sandbox import cgroup, launch_script, memory, protections, runtimes, seccomp, uids
from peloarena.referee.sandbox.isolation import MISSING_PARTS, Isolation
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.sandbox.remedies import HostFacts


def shell(argv: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="processes must be at least 1, not 0"):
        Limits(processes=0)


def test_limits_are_read_strictly() -> None:
    assert msgspec.json.decode(b'{"memory_mib": 2}', type=Limits).memory_bytes == 2 << 20
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"memory": 2}', type=Limits)


def test_uids_are_distinct_and_used_again_when_given_back() -> None:
    pool = uids.UidPool()
    taken = [pool.take_uid() for _ in range(uids.MAX_SANDBOXES)]
    assert len(set(taken)) == uids.MAX_SANDBOXES
    with pytest.raises(RuntimeError, match="close those"):
        pool.take_uid()
    pool.return_uid(taken[5])
    assert pool.take_uid() == taken[5]


@pytest.mark.parametrize(
    ("uid_map", "expected"), [("0 0 4294967295\n", uids.HIGH_UID_RANGE), ("0 100000 65536\n", uids.LOW_UID_RANGE)]
)
def test_uids_stay_inside_what_the_container_maps(uid_map: str, expected: tuple[int, int]) -> None:
    assert uids._choose_uid_range(uid_map) == expected


def test_the_launcher_takes_the_limits_and_becomes_the_program() -> None:
    rlimits = {"core_blocks": 0, "file_blocks": 2, "open_files": 50, "data_kib": 99_999, "processes": 400}
    argv = launch_script.shell_command(["cat", "/proc/self/limits"], rlimits=rlimits)
    found = {line[:25].strip(): line[25:].split()[:2] for line in shell(argv).stdout.splitlines()}
    assert found["Max core file size"] == ["0", "0"]
    assert found["Max file size"] == ["1024", "1024"]
    assert found["Max open files"] == ["50", "50"]
    assert found["Max data size"] == [str(99_999 * 1024)] * 2
    assert found["Max processes"] == ["400", "400"]
    assert found["Max address space"] == ["unlimited", "unlimited"]


def test_a_limit_above_our_own_is_not_asked_for() -> None:
    ours = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    found = shell(launch_script.shell_command(["sh", "-c", "ulimit -n"], rlimits={"open_files": ours + 1}))
    assert found.stdout == f"{ours}\n"


def test_arguments_reach_the_program_as_they_are() -> None:
    words = ["a b", "$HOME", "--", "'\"", ""]
    assert shell(launch_script.shell_command(["printf", "%s|", *words])).stdout == "a b|$HOME|--|'\"||"


def test_who_cannot_join_the_group_does_not_start(tmp_path: Path) -> None:
    done = shell(launch_script.shell_command(["echo", "started"], joins=[tmp_path / "gone" / "cgroup.procs"]))
    assert (done.returncode, done.stdout) == (launch_script.NOT_JOINED_EXIT_CODE, "")


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_every_jump_of_the_seccomp_program_lands_inside_it(machine: str) -> None:
    program = seccomp.program(machine)
    assert program is not None
    lines = list(struct.iter_unpack("=HBBI", program))
    assert lines[-1] == (seccomp.RETURN, 0, 0, seccomp.ALLOW)
    assert all(index + 1 + max(yes, no) < len(lines) for index, (_, yes, no, _) in enumerate(lines[:-1]))


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_every_call_of_the_seccomp_rules_has_a_number_or_never_was_on_that_machine(machine: str) -> None:
    ruled = {
        *seccomp.REFUSED_CALLS,
        *seccomp.UNKNOWN_CALLS,
        *seccomp.IGNORED_CALLS,
        *(rule.call for rule in seccomp.ARGUMENT_RULES),
    }
    assert ruled - {*seccomp.ARCHITECTURES[machine].calls} == ({"inotify_init"} if machine == "aarch64" else set())


def test_the_host_is_told_in_a_line_whose_memory_is_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "usable_mib", lambda: 4000)
    asked = {"small": 100, "big": 2000, "huge": 3000}
    assert memory.memory_warning(asked, seats=1, slots=1) == ""
    told = "memory: bots ask for 5000 MiB, but a table can have only 4000: huge gets 2000"
    assert memory.memory_warning(asked, seats=2, slots=1) == told
    told = "memory: bots ask for 5100 MiB, but each of 2 tables can have only 2000: huge gets 950, big gets 950"
    assert memory.memory_warning(asked, seats=3, slots=2) == told


@pytest.mark.parametrize(
    ("asked", "available", "granted"),
    [
        ([100, 200], 300, [100, 200]),
        ([100, 200], 240, [100, 140]),
        ([1000, 50, 1000], 450, [200, 50, 200]),
        ([1000], 100, [100]),
        ([1000, 1000], 10, [memory.MIN_BOT_MIB] * 2),
        ([], 100, []),
    ],
)
def test_memory_is_shared_out_and_only_those_who_ask_most_are_lowered(
    asked: list[int], available: int, granted: list[int]
) -> None:
    assert memory.share_memory(asked, available) == granted


def test_an_unknown_machine_has_no_seccomp_program() -> None:
    assert seccomp.program("vax") is None


def test_of_a_prefix_only_pythons_own_parts_are_shown() -> None:
    places = [place for _, place in runtimes.interpreter_mounts()]
    assert all(place.name in runtimes.PREFIX_PARTS or place in runtimes.PACKAGES or place.is_file() for place in places)


def test_the_doctor_finds_every_protection_where_auto_lacks_nothing(isolation: Isolation) -> None:
    if isolation.missing_part_texts:
        untried(EVERY_PROTECTION, "; ".join(isolation.missing_part_texts))
    assert [protection.name for protection in protections.examine_protections("auto") if not protection.holds] == []


def test_the_doctor_does_not_praise_what_is_off() -> None:
    open_doors = {protection.name for protection in protections.examine_protections("off") if not protection.holds}
    assert {"loopback", "abstract", "processes", "files", "folder", "tmp"} <= open_doors
    assert not {"kill", "dies with referee", "environment"} & open_doors


def test_the_doctor_does_not_praise_what_holds_per_process_only() -> None:
    here = HostFacts()
    found = protections.make_protection("memory", True, (MISSING_PARTS["memory"],), here)
    assert (found.holds, found.means) == (False, str(MISSING_PARTS["memory"]))
    assert protections.make_protection("memory", True, (), here).holds
    assert protections.make_protection("files", True, (MISSING_PARTS["memory"],), here).holds
    assert {*protections.ROLE_OF_PROTECTION} <= {*protections.PROTECTION_TESTS}
    assert {*protections.ROLE_OF_PROTECTION.values()} == {*cgroup.ROLES}


def test_each_protection_says_what_it_promises_and_what_its_absence_means() -> None:
    assert all(len(texts) == 2 and all(texts) for texts in protections.PROTECTION_TEXTS.values())
    assert {*protections.PROTECTION_TESTS} <= {*protections.PROTECTION_TEXTS}

"""Memory that the machine does not have: nobody is blamed for what others took, and bots go before the referee.

A group around the whole referee plays the machine, so that nothing else is in danger.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from promises import EVERY_PROTECTION, untried
from zookeeper import CLOCK, Void, Zoo, notes, referee

from peloarena.referee.sandbox import cgroup

MACHINE_MIB = 400
HOG = """
import sys
kept = bytearray(int(sys.argv[1]) << 20)
kept[::4096] = b"x" * (len(kept) // 4096)  # touched, so that it is really there
print("kept", flush=True)
sys.stdin.read()
"""
PATIENT = msgspec.structs.replace(CLOCK, bank=10.0, move=10.0)


@pytest.fixture
def machine() -> Iterator[Path]:
    """A group with the memory of a little machine."""
    found = cgroup.find()
    if found is None or not found.supports("memory") or found.base_of_role["memory"].version != 1:
        untried(EVERY_PROTECTION, "the test makes a memory group of cgroup v1")
    group = found.base_of_role["memory"].folder / f"little-machine-{cgroup.group_name('')}"
    group.mkdir()
    cgroup.write_control_file(group / "memory.limit_in_bytes", str(MACHINE_MIB << 20))
    try:
        yield group
    finally:
        group.rmdir()


@contextmanager
def inside(machine: Path, argv: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
    shell = ["/bin/sh", "-c", 'echo 0 >"$0" && exec "$@"', str(machine / "cgroup.procs"), *argv]
    with subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_bot_killed_within_its_limit_voids_the_game_and_is_not_blamed(
    zoo: Zoo, machine: Path, tmp_path: Path
) -> None:
    """Something else has most of the machine; the bot has less than it was promised, and the referee lives on."""
    eater = zoo.beast("eats_as_much_as_told", limits={"memory_mib": 160}, targets={"mib": 135})
    with referee("auto", tmp_path / "scratch", joins=machine / "cgroup.procs") as arbiter:
        arbiter.play(zoo.good, zoo.good)
        with inside(machine, [sys.executable, "-c", HOG, str(MACHINE_MIB - 150)]) as hog:
            assert hog.stdout is not None
            assert hog.stdout.readline() == b"kept\n"
            with pytest.raises(Void, match="the machine has no memory left"):
                arbiter.play(zoo.good, eater, clock=PATIENT)
        report = arbiter.play(zoo.good, eater, clock=PATIENT)
        assert report.verdicts == ()


def test_limits_that_add_up_to_more_than_the_machine_has_are_lowered(zoo: Zoo, machine: Path, tmp_path: Path) -> None:
    """Each asks for all of it. Whoever takes more than its share is out, and nobody else is hurt."""
    share = MACHINE_MIB * 4 // 5 // 2
    greedy = zoo.lay_out(
        "greedy",
        (Path(__file__).parent / "beasts" / "eats_as_much_as_told.py").read_text(),
        limits={"memory_mib": MACHINE_MIB},
        targets={"mib": share + 20},
    )
    modest = zoo.beast("eats_as_much_as_told", limits={"memory_mib": MACHINE_MIB}, targets={"mib": share - 40})
    with referee("auto", tmp_path / "scratch", joins=machine / "cgroup.procs") as arbiter:
        report = arbiter.play(greedy, modest, clock=PATIENT)
        assert [(verdict.seat, verdict.fault) for verdict in report.verdicts] == [(0, "crashed")]
        assert "out of memory" in report.verdicts[0].reason
        assert arbiter.process.poll() is None
        fed = arbiter.play(modest, zoo.good, clock=PATIENT)
        assert (fed.verdicts, notes(fed, 0)) == ((), ["eaten"])

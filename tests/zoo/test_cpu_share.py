"""Whose CPU time it is: the bot that is asked comes first, at its own table and at the others.

The machine may be busy with other things, so a victim is given several times of what it needs when it is alone; without
the protection it would get a hundredth.
"""

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
from promises import CORES, untried
from zookeeper import CLOCK, PATIENCE, RefereeProcess, Zoo, notes, referee

from peloarena.referee.job import GameReport
from peloarena.referee.sandbox import cgroup
from peloarena.referee.sandbox.isolation import GameSlot

CROWD = {"processes": 250}
LIMITS = {"processes": 256}
VICTIM = {"starts": 0.2, "answers": 3, "thinks": 0.12}
PATIENT = msgspec.structs.replace(CLOCK, bank=40.0, move=40.0)
ROOMY = msgspec.structs.replace(CLOCK, bank=10.0, increment=10.0, move=10.0)


def victims_play(zoo: Zoo, arbiter: RefereeProcess, crowd_from: str, **changes: object) -> GameReport:
    crowd = zoo.beast("burns_with_many_processes", limits=LIMITS, targets={**CROWD, "from": crowd_from})
    victim = zoo.beast("needs_cpu", targets=VICTIM)
    return arbiter.play(victim, crowd, zoo.good, **{"clock": ROOMY, **changes})


def victims_faults(report: GameReport) -> list[str]:
    return [verdict.reason for verdict in report.verdicts if verdict.seat == 0]


def test_a_crowd_that_ponders_leaves_the_asked_bot_its_time(zoo: Zoo, arbiter: RefereeProcess) -> None:
    report = victims_play(zoo, arbiter, "after ready", pondering=True)
    assert victims_faults(report) == []
    assert len(notes(report, 0)) == VICTIM["answers"]


def test_a_crowd_that_may_not_ponder_is_held(zoo: Zoo, arbiter: RefereeProcess) -> None:
    report = victims_play(zoo, arbiter, "after ready", pondering=False)
    assert victims_faults(report) == []
    assert len(notes(report, 0)) == VICTIM["answers"]


@pytest.mark.parametrize("moment", ["before hello", "after hello"])
def test_a_crowd_does_not_make_others_fail_their_handshake(zoo: Zoo, arbiter: RefereeProcess, moment: str) -> None:
    """Each has its even share while all start; who has said its word is held. 0.2 s of CPU time within 15 s."""
    clock = msgspec.structs.replace(ROOMY, startup=15.0)
    report = victims_play(zoo, arbiter, moment, pondering=True, clock=clock)
    assert victims_faults(report) == []


@pytest.fixture
def quiet(zoo: Zoo) -> Iterator[Path]:
    """A group around the whole referee that outweighs all other work: shares are told as on a quiet machine."""
    found = cgroup.find()
    assert found is not None
    base = found.base_of_role["weight"]
    group = base.folder / f"quiet-{cgroup.group_name('')}"
    group.mkdir()
    name, most = {1: ("cpu.shares", 262_144), 2: ("cpu.weight", 10_000)}[base.version]
    if base.version == 2:
        cgroup.write_control_file(base.folder / "cgroup.subtree_control", "+cpu")
    cgroup.write_control_file(group / name, str(most))
    try:
        yield group / "cgroup.procs"
    finally:
        for folder in (*group.glob("peloarena-*"), group):
            folder.rmdir()


def cpu_shares(report: GameReport) -> list[float]:
    return [float(cpu) / float(seconds) for cpu, seconds in (note.split() for note in notes(report, 0))]


def test_the_asked_bot_has_nine_tenths_of_a_core_against_250_processes_of_another(
    zoo: Zoo, quiet: Path, tmp_path: Path
) -> None:
    crowd = zoo.beast("burns_with_many_processes", limits=LIMITS, targets={**CROWD, "from": "after ready"})
    victim = zoo.beast("needs_cpu", targets={"starts": 0.01, "answers": 5, "thinks": 0.3})
    with referee("auto", tmp_path / "scratch", joins=quiet) as process:
        report = process.play(victim, crowd, zoo.good, clock=PATIENT, pondering=True)
    assert statistics.median(cpu_shares(report)) >= 0.9, cpu_shares(report)


def test_a_crowd_in_its_own_turn_takes_nothing_from_the_other_table(zoo: Zoo, quiet: Path, tmp_path: Path) -> None:
    found = cgroup.find()
    if found is None or not found.supports("cores"):
        untried(CORES, "no cpuset is writable")
    crowd = zoo.beast(
        "burns_with_many_processes", limits=LIMITS, targets={**CROWD, "from": "in its turn", "thinks": 15}
    )
    victim = zoo.beast("needs_cpu", targets={"starts": 0.01, "answers": 5, "thinks": 0.3})
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(referee("auto", tmp_path / f"place{number}", GameSlot(number, 2), joins=quiet))
            for number in (0, 1)
        )
        for process in (first, second):
            process.play(zoo.good, zoo.good)
        first.begin(crowd, zoo.good, clock=PATIENT)
        deadline = time.monotonic() + PATIENCE
        while len(zoo.living()) < CROWD["processes"] and time.monotonic() < deadline:
            time.sleep(0.02)
        report = second.play(victim, zoo.good, clock=PATIENT)
        assert len(zoo.living()) >= CROWD["processes"], "the crowd is still in its turn"
        first.finish()
    assert statistics.median(cpu_shares(report)) >= 0.9, cpu_shares(report)

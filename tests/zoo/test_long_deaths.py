"""Bots that make their own end last. A finished game counts, whatever its bots do afterwards, and nobody waits."""

import contextlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from killable import KillableTournament
from promises import UIDS, needs
from zookeeper import CLOCK, WITHOUT_GROUPS, RefereeProcess, Zoo, notes, referee

from peloarena.referee.job import GameReport
from peloarena.tournament.store import Store

DEATH = {"seconds": 8, "locks": 5_000, "descriptors": 3_600, "most": 60}
"""Four seconds on two idle cores, twice as long on busy ones; with fewer descriptors the most that a bot may have of
processes die in 1.4. More locks would take too long to make: that grows with their square."""
ALLOWED = {"open_files": 4_000}
IMPATIENT = """
from peloarena.referee import terminating

survives = terminating.TerminatingBots.survives_kill

async def outlives_its_patience(marks, path):
    terminating.TERMINATION_SECONDS = 60.0 if path.endswith(("/good", "/slow", "/teller")) else 1.0
    return await survives(marks, path)

terminating.TerminatingBots.survives_kill = outlives_its_patience
"""
"""For workers of these tests: with a beast, less than any long death takes; with the others, as long as they need."""
PATIENT = msgspec.structs.replace(CLOCK, bank=30.0, move=30.0)
GONE_WITHIN = 240.0


def eventually(holds: Callable[[], bool], seconds: float = GONE_WITHIN) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def program_of_the_beast() -> str:
    return (Path(__file__).parent / "beasts" / "takes_long_to_die.py").read_text()


def test_a_finished_game_counts_though_a_bot_of_it_does_not_die(zoo: Zoo, arbiter: RefereeProcess) -> None:
    """Its report comes, and the next game is played, while the tree is dying; then nothing is left."""
    beast = zoo.beast("takes_long_to_die", limits=ALLOWED, targets=DEATH)
    report = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
    assert arbiter.groups(), "its report came first"
    assert (report.verdicts, report.outcome.finished) == ((), True)
    following = arbiter.play(zoo.good, zoo.good)
    assert (following.verdicts, following.outcome.finished) == ((), True)
    assert arbiter.groups(), "the game was played while it was dying"
    assert eventually(lambda: not arbiter.groups())
    assert arbiter.children() == 1


def telling_beast(zoo: Zoo) -> Path:
    """Its note is its uid."""
    telling = program_of_the_beast().replace("answer(first)\n", "answer(first, note=str(os.getuid()))\n")
    return zoo.lay_out("telling_beast", telling, limits=ALLOWED, targets=DEATH)


def telling_bot(zoo: Zoo) -> Path:
    return zoo.lay_out("teller", "import os\nfrom manners import play, sit\n\nsit()\nplay(str(os.getuid()))\n")


def told_uids(report: GameReport) -> set[str]:
    return {note for seat in (0, 1) for note in notes(report, seat)}


def living_of(uid: str) -> int:
    """Processes of this user. One that is dying has no command line any more, but it has a uid."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            found += f"\nUid:\t{uid}\t" in Path("/proc", pid, "status").read_text()
    return found


@needs(UIDS, os.geteuid() == 0)
def test_in_the_sandbox_without_groups_a_long_death_is_judged_just_as_well(zoo: Zoo, tmp_path: Path) -> None:
    """The game counts, others play on, the beast's next game is its fault, and nobody has its uid before it is gone."""
    impatient = ("-c", IMPATIENT + WITHOUT_GROUPS[1])
    beast, teller = telling_beast(zoo), telling_bot(zoo)
    with referee("auto", tmp_path / "alone", program=impatient) as arbiter:
        report = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
        (uid,) = notes(report, 1)
        assert (report.verdicts, report.outcome.finished) == ((), True)
        again = arbiter.play(zoo.good, beast, clock=PATIENT)
        assert [(verdict.seat, verdict.fault) for verdict in again.verdicts] == [(1, "no handshake")]
        following = arbiter.play(teller, teller, clock=PATIENT)
        assert (following.verdicts, following.outcome.finished) == ((), True)
        assert uid not in told_uids(following)
        assert living_of(uid), "it is still dying"
        assert arbiter.groups() == []
        assert eventually(lambda: not living_of(uid))
        assert eventually(lambda: uid in told_uids(arbiter.play(teller, teller, clock=PATIENT))), "it is free again"


def test_a_bot_thrown_out_whose_tree_does_not_die_holds_up_nobody(zoo: Zoo, arbiter: RefereeProcess) -> None:
    program = program_of_the_beast()
    late = program[: program.index("answer(first)")] + "answer(first, index=-1)\nquestion()\n"
    beast = zoo.lay_out("illegal_and_long", late, limits=ALLOWED, targets=DEATH)
    report = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
    assert arbiter.groups(), "the game was played to its end while it was dying"
    assert [(verdict.seat, verdict.fault) for verdict in report.verdicts] == [(1, "illegal")]
    assert report.outcome.finished
    assert eventually(lambda: not arbiter.groups())


def test_nothing_is_left_after_a_referee_whose_last_bot_does_not_die(zoo: Zoo, tmp_path: Path) -> None:
    beast = zoo.beast("takes_long_to_die", limits=ALLOWED, targets=DEATH)
    with referee("auto", tmp_path / "last") as process:
        process.play(zoo.good, beast, clock=PATIENT)
        assert process.groups()
    assert eventually(lambda: not process.groups()), "the referee waits, or its guardian goes on"


HURRIED = IMPATIENT + "from peloarena.tournament.worker import main\nmain()"


def test_a_bot_that_is_still_terminating_fails_its_next_game(zoo: Zoo, tmp_path: Path) -> None:
    """P10 of PROTOCOL.md: the game that it finished counts, the one that it cannot begin is its own fault."""
    beast = zoo.beast("takes_long_to_die", limits=ALLOWED, targets=DEATH)
    with referee(
        "auto", tmp_path / "hurried", program=("-c", f"{IMPATIENT}from peloarena.tournament.worker import main\nmain()")
    ) as arbiter:
        finished = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
        assert (finished.verdicts, finished.outcome.finished) == ((), True)
        following = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
        assert [(verdict.seat, verdict.fault) for verdict in following.verdicts] == [(1, "no handshake")]
        assert following.outcome.finished, "the others play"
        assert eventually(lambda: not arbiter.groups())


@needs(UIDS, os.geteuid() == 0)
def test_a_terminating_bot_keeps_its_uid_until_it_is_gone_and_then_it_is_free(
    zoo: Zoo, arbiter: RefereeProcess
) -> None:
    """Else a bot of the next game could be signalled by what is left of the last one, or pools would run out."""
    beast = telling_beast(zoo)
    teller = telling_bot(zoo)
    report = arbiter.play(zoo.good, beast, clock=PATIENT)
    (uid,) = notes(report, 1)
    following = arbiter.play(teller, teller, clock=PATIENT)
    assert arbiter.groups(), "it is still dying"
    assert uid not in told_uids(following)
    assert eventually(lambda: not arbiter.groups())
    later = arbiter.play(teller, teller, clock=PATIENT)
    assert uid in told_uids(later)


def test_a_bot_that_is_still_terminating_is_benched(zoo: Zoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first game counts, the second is its fault, and after that round it is out of the tournament (bench_after =
    1).

    Python runs `sitecustomize` before a worker of a tournament.
    """
    (tmp_path / "early").mkdir()
    (tmp_path / "early" / "sitecustomize.py").write_text(IMPATIENT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "early"))
    slow = "import time\nfrom manners import answer, play, question, sit\n\n"
    slow += "sit()\nfirst = question()\ntime.sleep(3)\nanswer(first)\nplay()\n"
    beast = zoo.lay_out("beast", program_of_the_beast(), limits=ALLOWED, targets={**DEATH, "pause": 2.0})
    tournament = KillableTournament(zoo.folder / "night")
    tournament.file.write_text(
        f'name = "Bench"\nbots = {json.dumps([str(beast), str(zoo.lay_out("slow", slow))])}\ndeals = 2\njobs = 1\n'
        'sandbox = "strict"\ntime = "90s"\nbench_after = 1\n'
    )
    process = tournament.start("run", "--quiet")
    said, _ = process.communicate(timeout=GONE_WITHIN)
    assert process.returncode == 0, said
    with Store.open_to_read(tournament.file.with_suffix(".sqlite")) as store:
        judged = [
            (row.fixture.game[:3], row.played, [verdict.fault for verdict in row.verdicts]) for row in store.games()
        ]
    assert judged == [
        ("r01", True, []),
        ("r01", True, ["no handshake"]),
        ("r02", False, ["forfeit"]),
        ("r02", False, ["forfeit"]),
    ], said
    assert list(tournament.living()) == []

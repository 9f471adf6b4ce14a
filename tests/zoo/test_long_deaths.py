"""Bots that make their own end last. A finished game counts, whatever its bots do afterwards, and nobody waits."""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from zookeeper import CLOCK, RefereeProcess, Zoo, referee

DEATH = {"seconds": 4, "locks": 5_000, "descriptors": 900, "most": 60}
"""Twice as long on a busy machine. More locks would take too long to make: that grows with their square."""
PATIENT = msgspec.structs.replace(CLOCK, bank=30.0, move=30.0)
GONE_WITHIN = 240.0
BESIDE_THE_GAME = 1.5
"""Half a second to start the bots, one to have the report when the game is over."""


def eventually(holds: Callable[[], bool], seconds: float = GONE_WITHIN) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_a_finished_game_counts_though_a_bot_of_it_does_not_die(zoo: Zoo, arbiter: RefereeProcess) -> None:
    """Its report is there within a second; the next game is played while the tree is dying; then nothing is left."""
    beast = zoo.beast("takes_long_to_die", targets=DEATH)
    began = time.monotonic()
    report = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
    beside_the_game = time.monotonic() - began - sum(stats.seconds for stats in report.stats)
    assert (report.verdicts, report.outcome.finished) == ((), True)
    assert arbiter.groups(), "it died too fast to show anything"
    assert beside_the_game < BESIDE_THE_GAME
    following = arbiter.play(zoo.good, zoo.good)
    assert (following.verdicts, following.outcome.finished) == ((), True)
    assert arbiter.groups(), "the game was played while it was dying"
    assert eventually(lambda: not arbiter.groups())
    assert arbiter.children() == 1


def test_a_bot_thrown_out_whose_tree_does_not_die_holds_up_nobody(zoo: Zoo, arbiter: RefereeProcess) -> None:
    program = (Path(__file__).parent / "beasts" / "takes_long_to_die.py").read_text()
    late = program[: program.index("answer(first)")] + "answer(first, index=-1)\nquestion()\n"
    beast = zoo.lay_out("illegal_and_long", late, targets=DEATH)
    began = time.monotonic()
    report = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
    beside_the_game = time.monotonic() - began - sum(stats.seconds for stats in report.stats)
    assert [(verdict.seat, verdict.fault) for verdict in report.verdicts] == [(1, "illegal")]
    assert report.outcome.finished
    assert beside_the_game < BESIDE_THE_GAME
    assert eventually(lambda: not arbiter.groups())


def test_nothing_is_left_after_a_referee_whose_last_bot_does_not_die(zoo: Zoo, tmp_path: Path) -> None:
    beast = zoo.beast("takes_long_to_die", targets=DEATH)
    with referee("auto", tmp_path / "last") as process:
        process.play(zoo.good, beast, clock=PATIENT)
        assert process.groups()
    assert eventually(lambda: not process.groups()), "the referee waits, or its keeper goes on"


HURRIED = """
from peloarena.referee import dying
from peloarena.tournament.worker import main
dying.DEATH_PATIENCE = 0.2
main()
"""
"""A worker that is patient for less time than any long death takes: how quick the kernel is depends on the machine."""


def test_a_bot_that_is_still_dying_fails_its_next_game(zoo: Zoo, tmp_path: Path) -> None:
    """P10 of PROTOCOL.md: the game that it finished counts, the one that it cannot begin is its own fault."""
    beast = zoo.beast("takes_long_to_die", targets=DEATH)
    with referee("auto", tmp_path / "hurried", program=("-c", HURRIED)) as arbiter:
        finished = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
        assert (finished.verdicts, finished.outcome.finished) == ((), True)
        following = arbiter.play(zoo.good, beast, zoo.good, clock=PATIENT)
        assert [(verdict.seat, verdict.fault) for verdict in following.verdicts] == [(1, "no handshake")]
        assert following.outcome.finished, "the others play"
        assert eventually(lambda: not arbiter.groups())

"""The zoo: every bad bot we could think of, against a real referee with real processes, with and without the sandbox.

For each: the right verdict at the deadline or none, the others finish, the whole tree is gone, the referee stays small,
leaves nothing behind and plays the next game as if nothing had been.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from zookeeper import BEASTS, CLOCK, RefereeProcess, Zoo, all_gone, referee, sound

from peloarena.referee.job import GameReport
from peloarena.referee.sandbox.cage import prepare

LARGEST_MIB = 150
GROWTH_MIB = 10
SLACK = 0.4
"""A busy machine may be so late to notice."""


class Expect(NamedTuple):
    fault: str | None
    """None: it plays on."""
    says: str = ""
    """Part of the reason."""
    startup: float = CLOCK.startup
    caged: str | None = None
    """The verdict in the sandbox, where it is another."""

    def where(self, caged: bool) -> "Expect":
        return Expect(self.caged, "", self.startup) if caged and self.caged else self


EXPECTED = {
    "crashes_at_start": Expect("no handshake", "exit status was 3"),
    "leaves_at_start": Expect("no handshake", "exit status was 0"),
    "crashes_in_mid_answer": Expect("crashed", "exit status was 3"),
    "crashes_after_answering": Expect("crashed", "exit status was 4"),
    "crashes_by_a_signal": Expect("crashed", "signal 11"),
    "exits_with_0": Expect("crashed", "exit status was 0"),
    "never_says_hello": Expect("no handshake", "no `hello` within 1 s", startup=1.0),
    "never_answers": Expect("late", "no answer within 0.400 s"),
    "one_byte_a_second": Expect("late", "no answer within"),
    "prints_without_end": Expect("flooded", "longer than 65536 bytes"),
    "prints_without_end_at_start": Expect("no handshake", "longer than 65536 bytes"),
    "valid_lines_for_ever": Expect("malformed", "`ready` out of turn"),
    "a_gigabyte_in_one_line": Expect("flooded", "longer than 65536 bytes"),
    "half_a_line": Expect("late", "no answer within"),
    # In the room bubblewrap holds the pipes, too: that one end of them is closed shows only at the deadline.
    "closes_stdout": Expect("crashed", "closed its output", caged="late"),
    "closes_stdin": Expect("crashed", "closed its input", caged="late"),
    "never_reads_newgame": Expect("no handshake", "no `ready` within 1 s", startup=1.0),
    "never_reads_the_question": Expect("late", "no answer within"),
    "invalid_utf8": Expect("malformed", "UTF-8"),
    "invalid_utf8_in_a_key": Expect("malformed", "UTF-8"),
    "nul_bytes": Expect("malformed", "\\x00"),
    "brackets": Expect("flooded", "longer than 65536 bytes"),
    "brackets_within_the_limit": Expect("malformed", "[[["),
    "huge_number": Expect("malformed", "999"),
    "infinite_float": Expect("malformed", "1e400"),
    "float_index": Expect("malformed", "$.index"),
    "not_a_number": Expect("malformed", "NaN"),
    "duplicate_keys": Expect("malformed", "'index' stands twice"),
    "wrong_id": Expect("malformed", "question 4711"),
    "answers_before_the_question": Expect("malformed", "out of turn"),
    "answers_twice": Expect("malformed", "out of turn"),
    "answers_an_old_question": Expect("malformed", "an answer to question"),
    "unknown_message": Expect("malformed", "resign"),
    "unknown_field": Expect("malformed", "confidence"),
    "illegal_move": Expect("illegal", "no such tile"),
    "index_below_0": Expect("illegal", "index -1"),
    "index_beyond_all": Expect("illegal", "huge number"),
    "moves_for_another_seat": Expect("illegal"),
    "floods_stderr": Expect(None),
    "floods_stderr_only": Expect("late"),
    "ignores_sigterm": Expect(None),
    "leaves_children": Expect("crashed", "exit status was 0"),
    "double_forks": Expect(None),
    "stops_itself": Expect("late"),
    "slow_but_whole": Expect(None),
    "nasty_words": Expect(None),
}


def sentence(name: str) -> str:
    """The first line of a beast, as the name of its test."""
    text = ast.get_docstring(ast.parse((BEASTS / f"{name}.py").read_text()))
    assert text, f"{name}: its first line says what it does"
    return (text[0].lower() + text[1:]).splitlines()[0].rstrip(".")


# -- the stage ----------------------------------------------------------------------------------------------------


class Stage(NamedTuple):
    zoo: Zoo
    referee: RefereeProcess
    memory: float
    descriptors: int

    @property
    def caged(self) -> bool:
        return self.referee.policy != "off"

    def show(self, beast: Path, expect: Expect, **changes: object) -> GameReport:
        """A game with the beast between two good bots, and everything that must hold after any game."""
        before = self.zoo.files()
        clock = msgspec.structs.replace(CLOCK, startup=expect.startup)
        report = self.referee.play(self.zoo.good, beast, self.zoo.good, clock=clock, **changes)
        assert all_gone(self.zoo, self.referee), self.zoo.living()
        self.check_verdict(report, expect)
        assert sound(report)
        assert self.zoo.files() == before
        self.check_nothing_is_left()
        self.check_next_game()
        return report

    def check_verdict(self, report: GameReport, expect: Expect) -> None:
        found = [(verdict.seat, verdict.fault) for verdict in report.verdicts]
        assert found == ([] if expect.fault is None else [(1, expect.fault)]), report.verdicts
        assert all(expect.says in verdict.reason for verdict in report.verdicts), report.verdicts
        assert report.outcome.finished, "the other seats finish"
        assert report.outcome.out == (False, expect.fault is not None, False)
        for evidence in report.evidence:
            assert evidence.seconds is None or evidence.seconds < CLOCK.bank + CLOCK.grace + SLACK, "at the deadline"

    def check_nothing_is_left(self) -> None:
        assert self.referee.groups() == []
        assert self.referee.scratch() == []
        assert self.referee.descriptors() <= self.descriptors
        assert self.referee.peak_mib() < LARGEST_MIB
        assert self.referee.memory_mib() < self.memory + GROWTH_MIB

    def check_next_game(self) -> None:
        report = self.referee.play(self.zoo.good, self.zoo.good)
        assert report.verdicts == ()
        assert report.outcome.finished


def stage(policy: str, folder: Path) -> Iterator[Stage]:
    """One referee for many beasts; what it needs by itself is measured after two games."""
    zoo = Zoo(folder / "bots")
    with referee(policy, folder / "scratch") as process:  # type: ignore[arg-type]
        for _ in range(2):
            process.play(zoo.good, zoo.good, zoo.good)
        yield Stage(zoo, process, process.memory_mib(), process.descriptors())
    assert zoo.living() == [], "nothing outlives the referee"


@pytest.fixture(scope="module")
def in_the_open(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    yield from stage("off", open_folder(tmp_path_factory))


@pytest.fixture(scope="module")
def caged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    skip_without_room()
    yield from stage("auto", open_folder(tmp_path_factory))


@pytest.fixture(scope="module", params=["in the open", "caged"])
def anywhere(request: pytest.FixtureRequest) -> Stage:
    found = request.getfixturevalue({"in the open": "in_the_open", "caged": "caged"}[request.param])
    assert isinstance(found, Stage)
    return found


def open_folder(factory: pytest.TempPathFactory) -> Path:
    """Pytest's folders are for one user alone; caged bots have uids of their own."""
    return factory.mktemp("zoo")


def skip_without_room() -> None:
    with prepare("auto") as isolation:
        if isolation.style == "none":
            pytest.skip("THE SANDBOX IS NOT TESTED: " + "; ".join(isolation.lacks))


# -- protocol, time, exit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED, ids=sentence)
def test_a_beast_that(anywhere: Stage, name: str) -> None:
    anywhere.show(anywhere.zoo.beast(name), EXPECTED[name].where(anywhere.caged))

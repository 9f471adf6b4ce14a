"""The zoo: every bad bot we could think of, against a real referee with real processes, with and without the sandbox.

For each: the right verdict at the deadline or none, the others finish, the whole tree is gone, the referee stays small,
leaves nothing behind and plays the next game as if nothing had been.
"""

import ast
import os
import socket
import statistics
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from promises import EVERY_PROTECTION, SANDBOX, untried
from zookeeper import BEASTS, CLOCK, WITHOUT_GROUPS, WORKER, RefereeProcess, Zoo, all_gone, notes, referee, sound

from peloarena.referee.job import GameReport
from peloarena.referee.sandbox.isolation import prepare
from peloarena.referee.sandbox.protections import examine_protections
from peloarena.referee.sandbox.runtimes import interpreter_mounts

LARGEST_MIB = 150
GROWTH_MIB = 10
PATIENT = {"bank": 60.0, "move": 60.0}
"""The clock of beasts that are ended by something else than time; the kernel takes its time for that."""
HELD_WITHIN = 0.15
"""CPU seconds that a bot may have after its answer and before the next question is read, while another thinks for 0.8:
on a busy machine its referee is late to hold it."""
SLACK = 20.0
"""Seconds: a busy machine may be so late to notice. What beasts do by themselves takes longer, or never ends."""


class Expect(NamedTuple):
    fault: str | None
    """None: it plays on."""
    says: str = ""
    """Part of the reason."""
    startup: float = CLOCK.startup
    sandboxed: str | None = None
    """The verdict in the sandbox, where it is another."""

    def where(self, sandboxed: bool) -> "Expect":
        return Expect(self.sandboxed, "", self.startup) if sandboxed and self.sandboxed else self


EXPECTED = {
    "crashes_at_start": Expect("no handshake", "exit status was 3"),
    "leaves_at_start": Expect("no handshake", "exit status was 0"),
    "uses_the_launchers_status": Expect("no handshake", "exit status was 97"),
    "crashes_in_mid_answer": Expect("crashed", "exit status was 3"),
    "crashes_after_answering": Expect("crashed", "exit status was 4"),
    "crashes_by_a_signal": Expect("crashed", "signal 11"),
    "exits_with_0": Expect("crashed", "exit status was 0"),
    "never_says_hello": Expect("no handshake", "no `hello` within 4 s", startup=4.0),
    "never_answers": Expect("late", f"no answer within {CLOCK.move:g} s"),
    "one_byte_a_second": Expect("late", "no answer within"),
    "prints_without_end": Expect("flooded", "longer than 65536 bytes"),
    "prints_without_end_at_start": Expect("no handshake", "longer than 65536 bytes"),
    "valid_lines_for_ever": Expect("malformed", "`ready` out of turn"),
    "a_gigabyte_in_one_line": Expect("flooded", "longer than 65536 bytes"),
    "half_a_line": Expect("late", "no answer within"),
    # In the sandbox bubblewrap holds the pipes, too: that one end of them is closed shows only at the deadline.
    "closes_stdout": Expect("crashed", "closed its output", sandboxed="late"),
    "closes_stdin": Expect("crashed", "closed its input", sandboxed="late"),
    "never_reads_newgame": Expect("no handshake", "no `ready` within 4 s", startup=4.0),
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
    "duplicate_keys": Expect("malformed", "duplicate key 'index'"),
    "wrong_id": Expect("malformed", "question 4711"),
    "answers_before_the_question": Expect("malformed"),
    "answers_twice": Expect("malformed"),
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
    def sandboxed(self) -> bool:
        return self.referee.policy != "off"

    def show(self, beast: Path, expect: Expect, **changes: float) -> GameReport:
        """A game with the beast between two good bots, and everything that must hold after any game."""
        before = self.zoo.files()
        clock = msgspec.structs.replace(CLOCK, startup=expect.startup, **changes)
        report = self.referee.play(self.zoo.good, beast, self.zoo.good, clock=clock)
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
        granted = expect.startup if expect.fault == "no handshake" else CLOCK.bank + CLOCK.grace
        for evidence in report.evidence:
            assert evidence.seconds is None or evidence.seconds < granted + SLACK, "at the deadline"

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


def stage(policy: str, folder: Path, program: Sequence[str] = WORKER) -> Iterator[Stage]:
    """One referee for many beasts; what it needs by itself is measured after two games."""
    zoo = Zoo(folder / "bots")
    with referee(policy, folder / "scratch", program=program) as process:  # type: ignore[arg-type]
        for _ in range(2):
            process.play(zoo.good, zoo.good, zoo.good)
        yield Stage(zoo, process, process.memory_mib(), process.descriptors())
    assert zoo.living() == [], "nothing outlives the referee"


@pytest.fixture(scope="module")
def in_the_open(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    yield from stage("off", open_folder(tmp_path_factory))


@pytest.fixture(scope="module")
def sandboxed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    skip_without_sandbox()
    yield from stage("auto", open_folder(tmp_path_factory))


@pytest.fixture(scope="module", params=["in the open", "sandboxed"])
def anywhere(request: pytest.FixtureRequest) -> Stage:
    found = request.getfixturevalue({"in the open": "in_the_open", "sandboxed": "sandboxed"}[request.param])
    assert isinstance(found, Stage)
    return found


@pytest.fixture(scope="module", params=["off", "auto"], ids=["off alone", "sandbox alone"])
def without_groups(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    if request.param == "auto":
        skip_without_sandbox()
    yield from stage(request.param, open_folder(tmp_path_factory), WITHOUT_GROUPS)


def open_folder(factory: pytest.TempPathFactory) -> Path:
    """Pytest's folders are for one user alone; sandboxed bots have uids of their own."""
    return factory.mktemp("zoo")


def skip_without_sandbox() -> None:
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))


# -- protocol, time, exit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED, ids=sentence)
def test_a_beast_that(anywhere: Stage, name: str) -> None:
    anywhere.show(anywhere.zoo.beast(name), EXPECTED[name].where(anywhere.sandboxed))


HOLDER = "holds_its_stream"
HELD = 20.0
"""Seconds for which it would hold up whoever reads from a pipe."""
NOT_HELD = 15.0
"""Seconds for a game in which its time is over after two."""


@pytest.mark.parametrize("stream", [0, 1, 2], ids=["stdin", "stdout", "stderr"])
@pytest.mark.parametrize("attempt", [1, 2])
def test_a_beast_that_holds_its_stream_does_not_hold_the_referee(anywhere: Stage, stream: int, attempt: int) -> None:
    """With pipes it did in four of five games."""
    aim = {"stream": stream, "seconds": HELD, "builds": False}
    beast = anywhere.zoo.lay_out(
        f"{HOLDER}_{stream}", (BEASTS / f"{HOLDER}.py").read_text(), limits={"processes": 100}, targets=aim
    )
    on_the_disk(beast / "blanks", b" " * 2**16)
    began = time.monotonic()
    report = anywhere.referee.play(anywhere.zoo.good, beast, anywhere.zoo.good)
    assert time.monotonic() - began < NOT_HELD
    anywhere.check_verdict(report, Expect("late", "no answer within"))
    assert all_gone(anywhere.zoo, anywhere.referee)


def on_the_disk(path: Path, content: bytes) -> None:
    """What was not written there yet stays in memory."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


OF_EACH_KIND = (
    "crashes_by_a_signal",
    "never_answers",
    "prints_without_end",
    "floods_stderr",
    "ignores_sigterm",
    "leaves_children",
    "double_forks",
    "stops_itself",
)
"""Those whose end or whose words a control group could have helped with."""


@pytest.mark.parametrize("name", OF_EACH_KIND, ids=sentence)
def test_without_groups_a_beast_that(without_groups: Stage, name: str) -> None:
    without_groups.show(without_groups.zoo.beast(name), EXPECTED[name].where(without_groups.sandboxed))


def test_a_beast_that_ends_between_games_is_started_again_without_a_verdict(anywhere: Stage) -> None:
    beast = anywhere.zoo.beast("crashes_between_games")
    for _ in range(3):
        report = anywhere.referee.play(anywhere.zoo.good, beast, restart="never")
        assert report.verdicts == ()
        assert report.outcome.finished
    anywhere.show(beast, Expect(None))


def test_beasts_at_one_table_do_not_save_each_other(anywhere: Stage) -> None:
    """Four go out in one game, each for its own fault; one seat is left and wins."""
    names = ("never_answers", "prints_without_end", "crashes_at_start", "index_below_0")
    report = anywhere.referee.play(anywhere.zoo.good, *(anywhere.zoo.beast(name) for name in names))
    assert all_gone(anywhere.zoo, anywhere.referee)
    assert {(v.seat, v.fault) for v in report.verdicts} <= {
        (n, EXPECTED[name].fault) for n, name in enumerate(names, 1)
    }
    assert report.outcome.ranks[0] == 1
    assert report.outcome.out == (False, True, True, True, True)
    assert sound(report)
    anywhere.check_nothing_is_left()


def test_a_bot_that_is_not_to_ponder_gets_no_cpu_on_the_others_turns(anywhere: Stage) -> None:
    """It burns CPU in a thread and a child all the time; the other bot takes 800 ms for some answers.

    It is held 5 ms after its answer at the earliest, and reads the next question when it goes on: that much it has.
    """
    beast, slow = (anywhere.zoo.beast(name) for name in ("burns_cpu_between_decisions", "thinks_a_while"))
    report = anywhere.referee.play(slow, beast, pondering=False)
    assert report.verdicts == ()
    between = [tuple(map(float, note.split())) for note in notes(report, 1)]
    assert statistics.median(cpu for cpu, seconds in between if seconds > 0.7) < HELD_WITHIN
    assert all_gone(anywhere.zoo, anywhere.referee)


# -- containment --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def prison(sandboxed: Stage) -> Stage:
    """The sandbox whose limits were proven: only there bombs go off."""
    missing = [protection.name for protection in examine_protections() if not protection.holds]
    if missing:
        untried(EVERY_PROTECTION, f"{', '.join(missing)} do not hold here (peloarena doctor)")
    return sandboxed


@pytest.fixture(scope="module")
def targets(prison: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """What a bot must not reach: services, files and processes of the host."""
    with ExitStack() as stack:
        service = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        name = f"peloarena-zoo-{uuid.uuid4().hex[:8]}"
        abstract.bind("\0" + name)
        abstract.listen()
        store = tmp_path_factory.mktemp("store") / "night.sqlite"
        store.write_text("secret")
        home = Path.home()
        places = [place for _, place in interpreter_mounts() if place.is_relative_to(home)]
        yield {
            "port": service.getsockname()[1],
            "abstract": name,
            "store": str(store),
            "home": str(home),
            "shown": [place.relative_to(home).parts[0] for place in places],
            "project": str(Path(__file__).parent),
            "referee": prison.referee.process.pid,
            "own": str(prison.zoo.folder),
            "other": str(prison.zoo.good),
            "temporary": str(prison.referee.temporary),
            "cache": str(prison.referee.cache),
        }


REACHES_OUT = ("writes_into_folders", "reads_what_is_not_its_own", "opens_sockets", "signals_everybody")


@pytest.mark.parametrize("name", REACHES_OUT, ids=sentence)
def test_in_vain_a_sandboxed_beast(prison: Stage, targets: dict[str, object], name: str) -> None:
    report = prison.show(prison.zoo.beast(name, targets=targets), Expect(None))
    found = notes(report, 1)[0].split("; ")
    assert len(found) > 2
    assert [line for line in found if not line.endswith(": refused")] == []


def test_a_fork_bomb_stays_within_its_number(prison: Stage) -> None:
    beast = prison.zoo.beast("fork_bomb", limits={"processes": 24})
    report = prison.show(beast, Expect(None), **PATIENT)
    (note,) = notes(report, 1)
    assert int(note.removeprefix("processes: ")) <= 24


def test_memory_without_end_ends_the_bot_and_the_verdict_says_so(prison: Stage) -> None:
    beast = prison.zoo.beast("eats_memory", limits={"memory_mib": 64})
    report = prison.show(beast, Expect("crashed", "out of memory"), **PATIENT)
    assert report.evidence[0].out_of_memory


def test_a_child_that_takes_memory_without_end_is_killed(prison: Stage) -> None:
    beast = prison.zoo.beast("eats_memory_in_a_child", limits={"memory_mib": 64})
    clock = msgspec.structs.replace(CLOCK, **PATIENT)
    report = prison.referee.play(prison.zoo.good, beast, prison.zoo.good, clock=clock)
    assert all_gone(prison.zoo, prison.referee)
    assert sound(report)
    prison.check_nothing_is_left()
    alone = notes(report, 1) == ["status 9"] and report.verdicts == ()
    whole_tree = [v.fault for v in report.verdicts] == ["crashed"] and report.evidence[0].out_of_memory
    assert alone or whole_tree, "cgroup v1 ends the fattest process, v2 the whole tree"


def test_the_disk_is_filled_only_where_and_as_far_as_it_is_private(prison: Stage) -> None:
    report = prison.show(prison.zoo.beast("fills_the_disk", limits={"tmp_mib": 4}), Expect(None))
    written = dict(part.rsplit(":", 1) for part in notes(report, 1)[0].split())
    assert {place for place, mib in written.items() if mib != "0"} <= {"/tmp", "/dev/shm"}
    assert all(int(mib) <= 4 for mib in written.values()), written


def test_the_kernel_works_for_a_bot_on_few_sockets_and_no_terminal(prison: Stage) -> None:
    """What its threads do is in no group and on any core. All processes of a bot share one number of sockets in
    flight: it stops the one that sends the next, so each of the four may be one above it."""
    report = prison.show(prison.zoo.beast("works_in_the_kernel", limits={"open_files": 256}), Expect(None))
    terminals, sent, errors = notes(report, 1)[0].split("; ")
    assert terminals == "0 terminals"
    assert int(sent.split()[0]) <= 256 + 1 + 4
    assert errors == "ETOOMANYREFS"


def test_the_page_cache_of_its_own_files_is_no_notebook(prison: Stage) -> None:
    """Every process of a bot finds the same, whatever an earlier one left there."""
    beast = prison.zoo.beast("keeps_notes_in_the_page_cache")
    with (beast / "notebook").open("wb") as file:
        file.write(bytes(32 << 20))
        os.fsync(file.fileno())
    found = [notes(prison.referee.play(prison.zoo.good, beast), 1)[0] for _ in range(3)]
    assert found == ["00000000"] * 3

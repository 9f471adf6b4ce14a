"""What a hostile node, or a program in the broker's place, can say: bounded, named, and never the end of a tournament.

No cluster is started: what members can do to Dask itself is told in docs/cluster.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing
from msgspec.structs import replace

from peloarena.cluster import broker_client, cluster_runner, fleet, verifier_pool
from peloarena.cluster.address import ClusterAddress
from peloarena.cluster.broker import parse_seen_node, result_problem
from peloarena.cluster.broker_client import BrokerClient
from peloarena.cluster.cluster_runner import ClusterRunner
from peloarena.cluster.fleet import MAX_LEAVES, MAX_NODES, Fleet, FleetNode
from peloarena.cluster.probe import ProbeResult, Versions, parse_probe_result
from peloarena.cluster.untrusted_process import ProcessExited, exposure_warning
from peloarena.cluster.verifier import FalseReport, NodeFailure, ReportVerification, VerifierReady, VerifyRequest
from peloarena.cluster.verifier_pool import VerifierPool
from peloarena.cluster.wire_messages import Membership, RunTask, SeenNode, TaskAnswer
from peloarena.game import ConfigError
from peloarena.referee.sandbox.isolation import MISSING_PARTS, Isolation, SandboxStyle, prepare
from peloarena.tournament.game_runner import MachineLost

SPEED = 1000.0
PROBE_RESULT = ProbeResult(Versions(), "host", 2, 2, SPEED, 0.0, 0.0, 0.0)
ADDRESS = ClusterAddress("tcp://127.0.0.1:1", "tcp://arena:1")


def seen(name: str, number: int = 0) -> SeenNode:
    return SeenNode(f"tcp://10.0.0.1:{number}", name, "", 1)


# ---- names


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("blue", "blue"),
        ("blue\x1b[31m red", "blue␛[31m red"),
        ("two\nlines", "two lines"),
        ("\u202eeulb", "‹202E›eulb"),
        ("x" * 10_000, "x" * 80),
        (" \t\n", "tcp://10.0.0.1:0"),
        ("", "tcp://10.0.0.1:0"),
    ],
)
def test_a_nodes_name_is_one_short_line_that_no_screen_obeys(said: str, shown: str) -> None:
    assert FleetNode(seen(said)).name == shown


def test_neither_is_what_its_machine_calls_itself() -> None:
    fleet = Fleet()
    (node,) = fleet.update([seen("")], "")
    fleet.set_probe_result(node, replace(PROBE_RESULT, host="a\x1b]0;title\x07" * 1000), "", 1.0)
    assert node.name.isprintable()
    assert len(node.name) == 80


@pytest.mark.parametrize("twin", [" blue", "blue\n", "blue ", "blue"])
def test_what_a_node_with_the_name_of_another_does_is_not_told_of_the_other(twin: str) -> None:
    """Dask's scheduler lets in names that differ in blanks, which are one on a screen."""
    fleet = Fleet()
    (blue,) = fleet.update([seen("blue", 1)], "")
    fleet.set_probe_result(blue, PROBE_RESULT, "", 1.0)
    (other,) = fleet.update([seen("blue", 1), seen(twin, 2)], "")
    assert (blue.name, other.name) == ("blue", "blue (10.0.0.1:2)")
    fleet.bench(other, "it lied before it was looked at")
    assert list(fleet.benched) == ["blue (10.0.0.1:2)"]
    (third,) = fleet.update([seen("blue", 1), seen(twin, 2), seen("blue (10.0.0.1:2)", 3)], "")
    fleet.set_probe_result(other, PROBE_RESULT, "", 1.0)
    fleet.set_probe_result(third, PROBE_RESULT, "", 1.0)
    assert len({blue.name, other.name, third.name}) == 3
    assert (blue.refusal, third.refusal) == ("", "")


@pytest.mark.parametrize("threads", [10**30, -1, 0, "2", None, 1.5])
def test_a_node_that_says_what_cannot_be_hides_no_other(threads: object) -> None:
    assert parse_seen_node("tcp://10.0.0.1:1", {"name": "evil", "nthreads": threads}) is None
    assert parse_seen_node("tcp://10.0.0.1:1", {"name": "blue", "nthreads": 2}) is not None


# ---- probes


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slots", "1000000"),
        ("slots", "0"),
        ("slots", "-3"),
        ("slots", "1" + "0" * 400),
        ("cores", "0"),
        ("speed", "1e308"),
        ("speed", "1e999"),
        ("speed", "NaN"),
        ("speed", "0"),
        ("speed", "-1"),
        ("speed", "1"),
        ("speed", "1000000"),
        ("late", "1e300"),
        ("steal", "-5"),
        ("protections", json.dumps([{"name": "", "holds": True, "promise": "", "means": "", "remedy": ""}] * 101)),
        ("host", json.dumps("x" * 300_000)),
    ],
)
def test_a_probe_result_that_cannot_be_is_refused(field: str, value: str) -> None:
    told = {**msgspec.to_builtins(PROBE_RESULT), field: "HERE"}
    with pytest.raises(ConfigError, match="probe result"):
        parse_probe_result(json.dumps(told).replace('"HERE"', value).encode(), SPEED)
    assert parse_probe_result(msgspec.json.encode(PROBE_RESULT), SPEED) == PROBE_RESULT


# ---- what it gives back


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        (b"{}", ""),
        (None, "it returned a NoneType, not bytes"),
        ("{}", "it returned a str, not bytes"),
        (bytearray(3), "it returned a bytearray, not bytes"),
        (bytes(64 * 1024 * 1024 + 1), "it returned 67108865 bytes, which is too much"),
    ],
)
def test_only_bytes_of_a_bounded_number_are_carried_to_the_runner(result: object, wrong: str) -> None:
    assert result_problem(result) == wrong


# ---- what a host risks


@pytest.mark.parametrize(
    ("style", "uid", "warned"), [("none", 1000, True), ("none", 0, False), ("userns", 1000, False), ("root", 0, False)]
)
def test_a_host_without_sandbox_and_root_is_warned(
    monkeypatch: pytest.MonkeyPatch, style: SandboxStyle, uid: int, warned: bool
) -> None:
    monkeypatch.setattr("os.getuid", lambda: uid)
    with prepare("off") as isolation:
        isolation.style, isolation.missing_parts = style, (MISSING_PARTS["bwrap"],)
        text = (
            "UNPROTECTED: members of the cluster can read and change everything that you can, including the store "
            "and the secret (no bubblewrap)"
        )
        assert exposure_warning(isolation) == (text if warned else "")


# ---- crowds


def test_of_ten_thousand_nodes_a_thousand_are_looked_at_and_those_who_play_stay() -> None:
    fleet = Fleet()
    (blue,) = fleet.update([seen("blue", 60_000)], "")
    crowd = [seen(f"n{number}", number) for number in range(10_000)]
    new = fleet.update([*crowd, blue.seen], "")
    assert len(new) == MAX_NODES - 1
    assert len(fleet.nodes) == MAX_NODES
    assert fleet.nodes[blue.seen.address] is blue
    assert fleet.ignored_count == 9_001


def test_a_node_that_leaves_again_and_again_rests_and_then_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(fleet.time, "monotonic", lambda: now[0])
    ours = Fleet()
    for number in range(MAX_LEAVES):
        (node,) = ours.update([replace(seen("blue"), identity=str(number))], "")
        ours.set_probe_result(node, PROBE_RESULT, "", 1.0)
        assert node.slots == 2
        ours.update([], "")
        now[0] += 0.1
    (node,) = ours.update([seen("blue")], "")
    ours.set_probe_result(node, PROBE_RESULT, "", 1.0)
    assert (node.slots, node.problem) == (0, "paused: it left 5 times within 60 s")
    assert ours.waiting_reason() == "a node that may play: blue: paused: it left 5 times within 60 s"
    now[0] += 60.0
    assert (node.slots, node.problem) == (2, "")


def test_nodes_that_go_with_their_scheduler_did_not_leave_by_themselves() -> None:
    fleet = Fleet()
    for number in range(2 * MAX_LEAVES):
        (node,) = fleet.update([replace(seen("blue"), identity=str(number))], "")
        fleet.set_probe_result(node, PROBE_RESULT, "", 1.0)
        assert node.slots == 2
        fleet.update([], "the scheduler at tcp://arena:1: the connection was lost")


# ---- a broker that is not ours any more, verifiers that end


class Told:
    """In a stranger's place: says these words one after the other, then ends."""

    def __init__(self, *words: object, silent: bool = False) -> None:
        self.words = list(words)
        self.silent = silent

    async def send(self, value: object) -> None:
        await trio.lowlevel.checkpoint()

    async def receive(self) -> bytes:
        await trio.lowlevel.checkpoint()
        if self.words:
            word = self.words.pop(0)
            return word if isinstance(word, bytes) else msgspec.msgpack.encode(word)
        if self.silent:
            await trio.sleep_forever()
        raise ProcessExited("it ended")

    def last_stderr_line(self) -> str:
        return ""


def untrusted_processes(*them: Told) -> object:
    """One after the other, as they are started."""
    waiting = list(them)

    @contextmanager
    def untrusted_process(isolation: Isolation, module: str, *, network: bool = False) -> Iterator[Told]:
        yield waiting.pop(0)

    return untrusted_process


@pytest.mark.parametrize(
    "word",
    [
        b"",
        b"\xc1",
        b"\x91" * 100_000,
        {"type": "else"},
        {"type": "members", "nodes": 7},
        {"type": "answer", "number": "x"},
    ],
)
def test_a_broker_that_says_what_is_no_word_is_started_again(monkeypatch: pytest.MonkeyPatch, word: object) -> None:
    heard: list[Membership] = []
    members = Membership((seen("blue"),))
    monkeypatch.setattr(broker_client, "run_untrusted", untrusted_processes(Told(word), Told(members, silent=True)))
    monkeypatch.setattr(broker_client, "BROKER_RESTART_SECONDS", 0)

    async def main() -> None:
        async with trio.open_nursery() as nursery:

            def hear(told: Membership) -> None:
                heard.append(told)
                if told.nodes:
                    nursery.cancel_scope.cancel()

            with prepare("off") as isolation:
                await BrokerClient(ADDRESS, hear).keep_broker_running(isolation)

    trio.run(main)
    assert heard[0].trouble.startswith("the broker, which ended and is restarting")
    assert heard[1] == members


class SaysAllTwice(Told):
    """A broker whose every reply comes again and again."""

    def __init__(self) -> None:
        self.said, self.heard = trio.open_memory_channel[bytes](10)

    async def send(self, value: object) -> None:
        if isinstance(value, RunTask):
            for word in (
                TaskAnswer(7, b"nobody asked"),
                *(TaskAnswer(value.number, text) for text in (b"1st", b"2nd")),
            ):
                await self.said.send(msgspec.msgpack.encode(word))

    async def receive(self) -> bytes:
        return await self.heard.receive()


def test_an_answer_that_comes_twice_counts_once_and_one_that_nobody_asked_for_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker_client, "run_untrusted", untrusted_processes(SaysAllTwice()))
    answers: list[object] = []

    async def main() -> None:
        line = BrokerClient(ADDRESS, lambda _: None)
        with prepare("off") as isolation:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(line.keep_broker_running, isolation)
                await trio.testing.wait_all_tasks_blocked()
                answers.extend([await line.run_task("tcp://blue", "play", b"") for _ in range(3)])
                nursery.cancel_scope.cancel()

    trio.run(main)
    assert answers == [TaskAnswer(1, b"1st"), TaskAnswer(2, b"1st"), TaskAnswer(3, b"1st")]


def test_a_node_that_never_answers_is_named_and_gets_no_more_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_client, "run_untrusted", untrusted_processes(Told(silent=True)))
    notes: list[str] = []

    async def main() -> None:
        with prepare("off") as isolation:
            async with trio.open_nursery() as nursery:
                cluster = ClusterRunner(ADDRESS, "off", Path("/"), notes.append, isolation, nursery)
                (node,) = cluster.fleet.update([seen("blue")], "")
                cluster.fleet.set_probe_result(node, PROBE_RESULT, "", 1.0)
                nursery.start_soon(cluster._broker_client.keep_broker_running, isolation)
                await trio.testing.wait_all_tasks_blocked()
                with pytest.raises(MachineLost):
                    await cluster.run_task(node, "play", b"", 0.01)
                assert node.slots == 0
                nursery.cancel_scope.cancel()

    trio.run(main)
    assert notes == ["blue gets no more games in this run: no answer to task 'play' after 0 s"]


def test_a_node_that_never_tells_of_itself_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_client, "run_untrusted", untrusted_processes(Told(silent=True)))
    monkeypatch.setattr(cluster_runner, "PROBE_ANSWER_SECONDS", 0.5)

    async def main() -> None:
        with prepare("off") as isolation:
            async with trio.open_nursery() as nursery:
                cluster = ClusterRunner(ADDRESS, "off", Path("/"), lambda _: None, isolation, nursery)
                (node,) = cluster.fleet.update([seen("blue")], "")
                nursery.start_soon(cluster._broker_client.keep_broker_running, isolation)
                await trio.testing.wait_all_tasks_blocked()
                assert cluster.fleet.is_probing()
                await cluster.probe_node(node)
                assert not cluster.fleet.is_probing()
                assert node.problem == "benched: no answer to task 'survey' after 0 s"
                nursery.cancel_scope.cancel()

    trio.run(main)


def opinion_by(monkeypatch: pytest.MonkeyPatch, *them: Told) -> tuple[ReportVerification, list[str]]:
    """Of a report, by verifiers that say these words. Two are kept, the others started when they are needed."""
    monkeypatch.setattr(verifier_pool, "run_untrusted", untrusted_processes(*them))
    notes: list[str] = []
    found: list[ReportVerification] = []

    async def main() -> None:
        with prepare("off") as isolation:
            async with trio.open_nursery() as nursery:
                ours = VerifierPool(isolation, notes.append)
                ours.begin(nursery)
                found.append(await ours.verify(VerifyRequest(b"", "blue", 1.0, b"", ())))
                nursery.cancel_scope.cancel()

    trio.run(main)
    return found[0], notes


READY, HELD = VerifierReady(), NodeFailure("held")


def test_a_verifier_that_was_killed_is_not_the_nodes_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks next, and looks at nothing else, decides. One more takes the place of the killed."""
    killed = Told(READY)
    assert opinion_by(monkeypatch, killed, Told(READY), Told(READY, HELD), Told(READY)) == (HELD, [])


def test_a_report_that_ends_two_verifiers_is_a_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    opinion, _ = opinion_by(monkeypatch, Told(READY), Told(READY), Told(READY), Told(READY))
    assert opinion == FalseReport("its report crashed two verifiers")


def test_a_report_that_is_never_done_with_ends_its_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier_pool, "VERIFY_TIMEOUT_SECONDS", 0.01)
    slow = Told(READY, silent=True)
    assert opinion_by(monkeypatch, slow, Told(READY), Told(READY, HELD), Told(READY))[0] == HELD

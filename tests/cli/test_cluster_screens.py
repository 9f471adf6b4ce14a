"""What a host reads of a cluster: the live view, `cluster check`, `plan --cluster`. No Dask: nodes are made up."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_tournament import made

from peloarena.cli import extras
from peloarena.cli.live_view import LiveTournament
from peloarena.cli.main import cli
from peloarena.cluster import cluster_check
from peloarena.cluster.cluster_check import NodeFacts
from peloarena.cluster.probe import ProbeResult, Versions
from peloarena.referee.sandbox.protections import Protection
from peloarena.tournament.heartbeat import ClusterStatus, Heartbeat, NodeStatus

TOURNAMENT = 'name = "Friday"\nbots = ["greedy", "random"]\ndeals = 2\nseed = "s"\n'
FILES = Protection("files", False, "the host's files are not there", "bots can read the host's files", "install it")
PROBE_RESULT = ProbeResult(Versions(software="1.0"), "blue", 4, 2, 1000.0, 0.0001, 0.002, 0.25, (FILES,))
BLUE = NodeFacts("blue", "tls://10.0.0.1:1", True, "", 2, 1.5, PROBE_RESULT)
OLD = NodeFacts("old\x1b[31m", "tls://10.0.0.2:1", False, "incompatible record version: 9 there, 2 here", 0, 0.0, None)


# ---- the live view


@pytest.fixture
def tournament(tmp_path: Path) -> Iterator[LiveTournament]:
    tournament = LiveTournament(made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=2))
    tournament.poll()
    yield tournament
    tournament.follower.close()


def shown(tournament: LiveTournament, now: ClusterStatus, width: int = 120) -> str:
    tournament.heartbeat = Heartbeat(1.0, time.time(), 2, cluster=now)
    return tournament.draw(width, 40).plain


def test_each_node_is_shown_with_its_games_a_second_or_why_it_gets_none(tournament: LiveTournament) -> None:
    nodes = (
        NodeStatus("blue", 4, 2, 812, 3.4, 1.1),
        NodeStatus("green"),
        NodeStatus("red", problem="benched: its record is invalid"),
    )
    text = shown(tournament, ClusterStatus(nodes))
    assert "blue  2 of 4 on, 812 games, 3.4/s, speed 1.1" in text
    assert "green  is being checked" in text
    assert "red  plays no games: benched: its record" in text
    assert " left" in text


@pytest.mark.parametrize("width", [80, 160])
def test_it_says_what_the_tournament_waits_for_and_then_tells_no_time(tournament: LiveTournament, width: int) -> None:
    note = "waits for the scheduler at tls://arena:8786: the connection was lost"
    text = shown(
        tournament, ClusterStatus((), "the scheduler at tls://arena:8786: the connection was lost", (note,)), width
    )
    assert "WAITS FOR the scheduler at tls://" in text
    assert note in text
    assert " left" not in text


# ---- cluster check


def check(monkeypatch: pytest.MonkeyPatch, *nodes: NodeFacts, words: tuple[str, ...] = ()) -> Result:
    look_finds(monkeypatch, *nodes)
    return CliRunner().invoke(cli, ["cluster", "check", "tcp://127.0.0.1:8786", *words])


def look_finds(monkeypatch: pytest.MonkeyPatch, *nodes: NodeFacts) -> None:
    async def look(*_: object) -> list[NodeFacts]:
        return list(nodes)

    monkeypatch.setattr(cluster_check, "check_nodes", look)


def test_check_lists_every_node_with_what_a_host_must_know(monkeypatch: pytest.MonkeyPatch) -> None:
    told = check(monkeypatch, BLUE, OLD)
    assert told.stdout.splitlines() == [
        "blue (tls://10.0.0.1:1) plays",
        "  peloarena 1.0: rules 2, protocol 1, record 3",
        "  2 games at a time on 4 cores, 1.5 times as fast as here",
        "  timer: 0.10 ms late, 2.00 ms at worst; steal time 25.0%",
        "  sandbox: 0 of 1 protections hold",
        "    missing files: bots can read the host's files",
        "old␛[31m (tls://10.0.0.2:1) plays no games",
        "  incompatible record version: 9 there, 2 here",
        "1 of 2 nodes would play, 2 games at a time.",
    ]
    assert told.exit_code == 1
    assert check(monkeypatch, BLUE).exit_code == 0


def test_a_cluster_without_a_node_is_not_good(monkeypatch: pytest.MonkeyPatch) -> None:
    told = check(monkeypatch)
    assert (told.stdout, told.exit_code) == ("0 of 0 nodes would play, 0 games at a time.\n", 1)


def test_check_gives_programs_json(monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.loads(check(monkeypatch, BLUE, OLD, words=("--json",)).stdout)
    assert (told["ok"], told["slots"]) == (False, 2)
    assert [(node["name"], node["plays"]) for node in told["nodes"]] == [("blue", True), ("old\x1b[31m", False)]
    assert told["nodes"][0]["survey"]["versions"]["record"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["127.0.0.1:8786"], "is not the address of a cluster: use tls://HOST:PORT"),
        (["http://127.0.0.1:8786"], "is not the address of a cluster"),
        (["tls://127.0.0.1:70000"], "is not the address of a cluster"),
        (["tls://127.0.0.1:8786"], "tls:// needs --certificates DIR"),
        (["tls://127.0.0.1:8786", "--certificates", "nowhere"], "'nowhere/ca.pem': No such file or directory"),
        (["tcp://127.0.0.1:8786", "--certificates", "keys"], "--certificates works only with tls://"),
        (["tcp://192.0.2.7:8786"], "--trust-network if nobody else is in this network"),
    ],
)
def test_a_wrong_address_is_told_with_what_would_be_right(words: list[str], said: str) -> None:
    told = CliRunner().invoke(cli, ["cluster", "check", *words])
    assert told.exit_code == 2
    assert said in told.stderr


def test_without_the_extra_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(extras.EXTRA_PACKAGES, "cluster", ("a_package_that_nobody_has",))
    file = tmp_path / "night.toml"
    file.write_text(TOURNAMENT)
    for words in (["cluster", "check"], ["tournament", "run", str(file), "--cluster"]):
        told = CliRunner().invoke(cli, [*words, "tcp://127.0.0.1:8786"])
        assert told.exit_code == 2
        assert told.stderr.startswith("peloarena: tournaments on a cluster need more packages; install them with: ")
    told = CliRunner().invoke(cli, ["cluster", "certificates", str(tmp_path / "keys")])
    assert told.stderr.startswith("peloarena: certificates need more packages; install them with: ")


# ---- plan


def plan(monkeypatch: pytest.MonkeyPatch, folder: Path, *nodes: NodeFacts) -> Result:
    look_finds(monkeypatch, *nodes)
    file = folder / "night.toml"
    file.write_text(TOURNAMENT)
    return CliRunner().invoke(cli, ["tournament", "plan", str(file), "--cluster", "tcp://127.0.0.1:8786"])


def test_plan_tells_games_a_second_by_node_and_how_many_are_on_at_a_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = plan(monkeypatch, tmp_path, BLUE, OLD)
    assert told.exit_code == 0
    assert "with 2 games at a time" in told.stdout
    assert "blue: 2 games at a time, 1.5 times as fast as here, likely " in told.stdout
    assert "old␛[31m plays no games: incompatible record version: 9 there, 2 here" in told.stdout


def test_plan_with_no_node_that_would_play_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = plan(monkeypatch, tmp_path, OLD)
    assert told.exit_code == 2
    assert "no node would play: old␛[31m: incompatible record version: 9 there, 2 here" in told.stderr
    assert "no node would play: the cluster has no nodes" in plan(monkeypatch, tmp_path).stderr

"""What else can happen to a tournament on a cluster: drained nodes, killed helpers, an impatient host, a node that
invents.

One cluster for all of them; whatever happens, the games are those of home.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import LocalCluster, Run, games_of, home_tournament, nodes_of, tournament_file
from little_bots import little_bot

from peloarena.tournament.store import Store

DEALS = 24
"""144 games: a tournament that goes on for seconds after whatever a test does to it."""

ALL_CHECKED = "from peloarena.cluster import spot_checks\nspot_checks.GAMES_PER_CHECK = 1\n"
"""In the runner: every game is played again elsewhere."""
INVENTS = """
from peloarena.referee import seat_messages

seat_messages._move_at = lambda decision, index: decision.legal[-1]
"""
"""In the slots of a node: legal games that no bot played."""
CHANCE = "import random; index = random.randrange(len(message['legal']))"


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    return ("greedy", "random", little_bot(tmp_path_factory.mktemp("bots"), "first"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, bots: tuple[str, ...]) -> dict[str, str]:
    return games_of(home_tournament(tournament_file(tmp_path_factory.mktemp("home"), DEALS, *bots, sandbox="off")))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Blue has two threads and says that it plays one game at a time."""
    with LocalCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.start_node("blue", 2, more=("--resources", "peloarena=1"))
        for name in ("green", "red"):
            cluster.start_node(name)
        yield cluster


@pytest.fixture
def three(cluster: LocalCluster) -> LocalCluster:
    """All of them, whatever happened to them before."""
    cluster.revive()
    cluster.wait_for_nodes()
    return cluster


@pytest.fixture
def tournament(tmp_path: Path, bots: tuple[str, ...]) -> Path:
    return tournament_file(tmp_path, DEALS, *bots, sandbox="off")


def assert_nothing_lost_and_nobody_blamed(run: Run, tournament: Path, home: dict[str, str]) -> None:
    assert run.end() == 0, run.said
    store = tournament.with_suffix(".sqlite")
    assert games_of(store) == home
    assert "gets no more games" not in run.said
    with Store.open_to_read(store) as opened:
        assert [row.verdicts for row in opened.games() if row.verdicts] == []


def patched(folder: Path, program: str) -> dict[str, str]:
    """An environment in which every Python runs this first."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(program)
    return {"PYTHONPATH": str(folder)}


def test_a_node_that_is_drained_and_one_that_is_ended_leave_their_games_to_others(
    three: LocalCluster, tournament: Path, home: dict[str, str]
) -> None:
    with Run(tournament, "--cluster", three.address) as run:
        run.wait_for(lambda: run.games >= 5, "games")
        three.retire("green")
        three.terminate("red")
        assert_nothing_lost_and_nobody_blamed(run, tournament, home)
    assert "blue plays 1 game at a time" in run.said


def test_a_broker_that_is_killed_is_started_again_and_the_tournament_goes_on(
    three: LocalCluster, tournament: Path, home: dict[str, str]
) -> None:
    with Run(tournament, "--cluster", three.address) as run:
        run.wait_for(lambda: run.games >= 5, "games")
        assert run.kill_its("broker") == 1
        run.wait_for(lambda: "waits for the broker, which ended and is restarting" in run.said, "the broker's end")
        assert_nothing_lost_and_nobody_blamed(run, tournament, home)
    assert "games can be played again" in run.said


def test_verifiers_that_are_killed_are_replaced_and_no_node_is_taken_for_a_liar(
    three: LocalCluster, tournament: Path, home: dict[str, str]
) -> None:
    with Run(tournament, "--cluster", three.address) as run:
        for due in (5, 12):
            run.wait_for(lambda at=due: run.games >= at, f"game {due}")  # type: ignore[misc]
            assert run.kill_its("verifier") >= 1
        assert_nothing_lost_and_nobody_blamed(run, tournament, home)


def test_a_host_who_interrupts_goes_on_with_every_deal_on_its_node(
    three: LocalCluster, tournament: Path, home: dict[str, str]
) -> None:
    with Run(tournament, "--cluster", three.address) as run:
        run.wait_for(lambda: run.games >= 9, "games")
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130, run.said
    assert "Interrupted. Run the same command to resume." in run.said
    with Run(tournament, "--cluster", three.address) as second:
        assert_nothing_lost_and_nobody_blamed(second, tournament, home)
    nodes = nodes_of(tournament.with_suffix(".sqlite"))
    assert all(nodes[game][0] == nodes[re.sub("-s2$", "-s1", game)][0] for game in home)


def test_bots_that_play_by_chance_name_no_node_though_every_game_is_checked(
    three: LocalCluster, tmp_path: Path
) -> None:
    chance = little_bot(tmp_path, "chance", decide=CHANCE)
    file = tournament_file(tmp_path, 2, chance, "greedy", sandbox="off")
    with Run(file, "--cluster", three.address, env=patched(tmp_path / "all", ALL_CHECKED)) as run:
        assert run.end() == 0, run.said
    assert "came out differently" not in run.said


def test_a_node_that_invents_legal_games_is_named_with_the_one_that_played_them(
    three: LocalCluster, tmp_path: Path, bots: tuple[str, ...]
) -> None:
    """It passes every verifier. A quiet run tells it, too."""
    file = tournament_file(tmp_path, DEALS, *bots, sandbox="off")
    three.start_node("inventor", env=patched(tmp_path / "invents", INVENTS))
    three.wait_for_nodes()
    with Run(file, "--quiet", "--cluster", three.address, env=patched(tmp_path / "all", ALL_CHECKED)) as run:
        assert run.end() == 0, run.said
    named = re.findall(r"came out differently on (\w+) and on (\w+), although its bots are deterministic", run.said)
    assert named
    assert all("inventor" in pair for pair in named)
    assert "gets no more games" not in run.said

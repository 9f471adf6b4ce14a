"""Tournaments on a real cluster on loopback: the same table, games and digests as at home, whatever dies meanwhile."""

from __future__ import annotations

import random
import re
import signal
from pathlib import Path

from clusters import LocalCluster, Run, games_of, home_tournament, nodes_of, proxied, table_of, tournament_file
from little_bots import little_bot

from peloarena.tournament.store import Store

SEED = 20


def test_300_games_on_three_nodes_give_the_table_games_and_digests_of_home(tmp_path: Path) -> None:
    """And all seatings of a deal are played on one node, which is told in the record with its speed."""
    file = tournament_file(tmp_path, 50, "greedy", "random", "planner")
    home = home_tournament(file)
    with LocalCluster(tmp_path) as cluster:
        for name in ("blue", "green", "red"):
            cluster.start_node(name)
        with Run(file, "--cluster", cluster.address) as run:
            assert run.end() == 0, run.said
    store = tmp_path / "night.sqlite"
    played = games_of(store)
    assert len(played) == 300
    assert played == games_of(home)
    assert table_of(store) == table_of(home)
    nodes = nodes_of(store)
    assert {name for name, _ in nodes.values()} == {"blue", "green", "red"}
    assert all(speed > 0 for _, speed in nodes.values())
    assert all(nodes[game] == nodes[re.sub("-s2$", "-s1", game)] for game in played)
    assert "came out differently" not in run.said


def test_ten_killed_nodes_a_killed_scheduler_and_a_killed_runner_lose_nothing_and_blame_nobody(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, 24, "greedy", "random", "planner")
    home = home_tournament(file)
    chance = random.Random(SEED)
    moments = sorted(chance.sample(range(3, 120), 10))
    with LocalCluster(tmp_path) as cluster:
        for name in ("blue", "green", "red"):
            cluster.start_node(name)
        with Run(file, "--cluster", cluster.address) as run:
            for number, moment in enumerate(moments[:5]):
                run.wait_for(lambda at=moment: run.games >= at, f"game {moment}", cluster.revive)  # type: ignore[misc]
                cluster.kill(("blue", "green", "red")[number % 3])
            cluster.kill("scheduler")
            cluster.start_scheduler()
            run.wait_for(lambda: run.games > moments[4] + 2, "games after the scheduler", cluster.revive)
            run.process.send_signal(signal.SIGKILL)
            run.process.wait()
        reported = run.games
        with Run(file, "--cluster", cluster.address) as second:
            for number, moment in enumerate(moments[5:]):
                due = moment - reported
                second.wait_for(lambda at=due: second.games >= at, f"game {moment}", cluster.revive)  # type: ignore[misc]
                cluster.kill(("blue", "green", "red")[number % 3])
            assert second.end(cluster.revive) == 0, second.said
    store = tmp_path / "night.sqlite"
    assert games_of(store) == games_of(home)
    assert table_of(store) == table_of(home)
    with Store.open_to_read(store) as opened:
        assert [row.verdicts for row in opened.games() if row.verdicts] == []


def test_a_node_that_is_cut_off_in_a_game_is_lost_and_the_game_is_played_elsewhere(tmp_path: Path) -> None:
    """First its line only stalls, which nobody is told; then it is cut."""
    slow = little_bot(tmp_path, "slow", decide="time.sleep(0.1)")
    file = tournament_file(tmp_path, 3, slow, "greedy")
    with LocalCluster(tmp_path) as cluster, proxied(cluster.port) as proxy:
        cluster.start_node("far", port=proxy.port)
        with Run(file, "--cluster", cluster.address) as run:
            run.wait_for(lambda: run.games >= 1, "a game")
            proxy.stall()
            cluster.start_node("near")
            run.wait_for(lambda: "far was lost: the node has been silent for 20 s" in run.said, "the stalled node")
            proxy.cut()
            assert run.end() == 0, run.said
    assert len(games_of(tmp_path / "night.sqlite")) == 6
    assert {name for name, _ in nodes_of(tmp_path / "night.sqlite").values()} == {"far", "near"}


def test_a_node_without_the_tool_chain_says_so_once_and_plays_the_others_games(tmp_path: Path) -> None:
    """Three bots, one to be built: `bare` has no compiler on its PATH."""
    built = tmp_path / "built"
    built.mkdir()
    (built / "main.c").write_text((Path(__file__).parent / "first_move.c").read_text())
    (built / "bot.toml").write_text('command = ["./bot"]\nbuild = ["cc", "-O1", "-o", "bot", "main.c"]\n')
    file = tournament_file(tmp_path, 24, str(built), "greedy", "random")
    with LocalCluster(tmp_path) as cluster:
        cluster.start_node("whole")
        cluster.start_node("bare", env={"PATH": programs_but(tmp_path, "cc")})
        cluster.wait_for_nodes()
        with Run(file, "--cluster", cluster.address) as run:
            assert run.end() == 0, run.said
    assert run.said.count("bare cannot play bot v2-") == 1
    assert "the program 'cc' is not installed on this machine" in run.said
    nodes = nodes_of(tmp_path / "night.sqlite")
    assert {name for game, (name, _) in nodes.items() if "-1." in game} == {"whole"}
    assert "bare" in {name for game, (name, _) in nodes.items() if "-2.3-" in game}


def programs_but(folder: Path, missing: str) -> str:
    """A PATH with links to all programs of this one, but one."""
    place = folder / "programs"
    place.mkdir()
    for source in (Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"), Path("/usr/sbin")):
        for program in source.glob("*"):
            if program.name != missing and not (place / program.name).is_symlink():
                (place / program.name).symlink_to(program)
    return str(place)

"""Real Dask workers of an enemy's forge, replay, flood and take names: each is named, and the honest one plays on."""

from __future__ import annotations

from pathlib import Path

from clusters import LocalCluster, Run, games_of, nodes_of, tournament_file

from peloarena.tournament.store import Store

HONEST = """
import base64, hashlib, json
from peloarena.cluster import node

honest = node.honest = getattr(node, "honest", node.play)  # Dask loads this file twice
"""
REPLAYS = """
first = []

def play(data):
    first.append(honest(data)) if not first else None
    return first[0]

node.play = play
"""
FORGES = """
def resealed(record, old, new):
    lines = record.replace(old, new, 1).splitlines(keepends=True)
    timed = b',"timing":'
    plain = b"".join(line[: line.rindex(timed)] + b"}\\n" if timed in line else line for line in lines[:-1])
    end = json.loads(lines[-1])
    end["game"], end["file"] = hashlib.sha256(plain).hexdigest(), hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    return b"".join(lines[:-1]) + json.dumps(end, separators=(",", ":")).encode() + b"\\n"

def play(data):
    said = json.loads(honest(data))
    record = base64.b64decode(said["report"]["record"])
    forged = resealed(record, b'"language":"Python"', b'"language":"Cobol!"')
    assert forged != record
    said["report"]["record"] = base64.b64encode(forged).decode()
    return json.dumps(said).encode()

node.play = play
"""
FLOODS = "node.play = lambda data: bytes(100_000_000)\n"
RAISES = """
def survey(data):
    raise ValueError("it raised")

node.survey = survey
"""
"""Before its first game, while it is being looked at."""


def test_workers_that_replay_forge_or_flood_are_named_and_the_tournament_is_the_honest_ones(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, 4, "greedy", "random")
    expected = {
        "replays": (REPLAYS, "its record is of another game"),
        "forges": (FORGES, "its record has different versions, authors or languages for the bots"),
        "floods": (FLOODS, "it returned 100000000 bytes"),
    }
    with LocalCluster(tmp_path) as cluster:
        for name, (program, _) in expected.items():
            (tmp_path / f"{name}.py").write_text(HONEST + program)
            cluster.start_node(name, preload=tmp_path / f"{name}.py")
        with Run(file, "--cluster", cluster.address) as run:
            for name, (_, problem) in expected.items():
                run.wait_for(lambda told=f"{name} gets no more games in this run: {problem}": told in run.said, problem)
            cluster.start_node("honest")
            assert run.end() == 0, run.said
    store = tmp_path / "night.sqlite"
    assert len(games_of(store)) == 8
    played = [name for name, _ in nodes_of(store).values()]
    assert set(played) <= {"honest", "replays"}
    assert played.count("replays") <= 1, "its first game was played"
    with Store.open_to_read(store) as opened:
        assert {row.origin for row in opened.voids()} == {"machine"}


def test_a_worker_with_the_name_of_another_brings_no_blame_on_it(tmp_path: Path) -> None:
    """On screens its name is the honest one's: they differ in a blank, which Dask's scheduler lets in."""
    file = tournament_file(tmp_path, 2, "greedy", "random")
    (tmp_path / "raises.py").write_text(HONEST + RAISES)
    with LocalCluster(tmp_path) as cluster:
        cluster.start_node("blue")
        cluster.wait_for_nodes()
        cluster.start_node("blue ", preload=tmp_path / "raises.py")
        cluster.wait_for_nodes()
        with Run(file, "--cluster", cluster.address) as run:
            assert run.end() == 0, run.said
    assert "gets no more games in this run: ValueError: it raised" in run.said
    store = tmp_path / "night.sqlite"
    assert len(nodes_of(store)) == 4
    with Store.open_to_read(store) as opened:
        assert opened.voids() == []

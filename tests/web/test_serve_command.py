"""`peloarena serve`: wrong use is one line; what is served is found out before anything listens."""

from __future__ import annotations

import contextlib
import socket
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_tournament import made
from patience import PATIENCE

from peloarena.cli import extras
from peloarena.cli.main import cli
from peloarena.cli.pages_process import serve_arguments
from peloarena.game import ConfigError
from peloarena.tournament.store import Store
from peloarena.web import backend as backend_module
from peloarena.web import restarts
from peloarena.web.backend import Backend
from peloarena.web.web_process import start_web_process

TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


def serve(*words: str) -> Result:
    return CliRunner().invoke(cli, ["serve", *words])


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["tournament", "run", "night.toml", *words])


def problem(result: Result) -> str:
    assert result.exit_code == 2
    return result.output


def test_what_is_not_there_cannot_be_served(tmp_path: Path) -> None:
    assert "nothing at" in problem(serve(str(tmp_path / "nowhere")))
    assert "no tournament file at" in problem(serve(str(tmp_path / "no.toml")))
    assert "no records in" in problem(serve(str(tmp_path)))


def test_a_store_that_cannot_be_read_is_told_before_anything_listens(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with contextlib.closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE games SET fixture = 'nothing'")
    assert "the tournament store is damaged" in problem(serve(str(store)))


def test_one_tournament_at_a_time(tmp_path: Path) -> None:
    stores = [str(made(tmp_path / f"{name}.sqlite", TOURNAMENT, ["a", "b"], most=1)) for name in ("one", "two")]
    assert "cannot serve two tournaments at once" in problem(serve(*stores))


def test_the_admin_page_for_the_network_needs_the_network(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    assert "--host-lan needs --lan" in problem(serve(str(store), "--host-lan"))
    assert "--host-lan needs --lan" in problem(run("--serve", "--host-lan"))


@pytest.mark.parametrize("word", ["--lan", "--host-lan"])
def test_a_run_without_pages_is_for_no_network(word: str) -> None:
    assert "--lan and --host-lan need --serve" in problem(run(word))


def test_a_run_hands_on_for_whom_its_pages_are() -> None:
    """`serve` had `--host-lan` alone, so a host with a tablet had to serve by a second command."""
    assert serve_arguments(True, 8080, True, True) == ["--port", "8080", "--lan", "--host-lan"]
    assert serve_arguments(True, 8000, False, False) == ["--port", "8000"]
    assert serve_arguments(False, 8000, False, False) is None


def test_a_port_that_is_taken_is_told_in_a_line(tmp_path: Path) -> None:
    """And in nothing else: the web process printed a traceback, since the backend ends without an answer to it."""
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        words = [sys.executable, "-m", "peloarena", "serve", str(store), "--port", port]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    (told,) = done.stderr.splitlines()
    assert f"cannot listen on port {port}" in told
    assert "choose another with --port" in told


def test_without_the_extra_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """For `run --serve`, too. What it says: tests/cli/test_extras.py."""
    monkeypatch.setitem(extras.EXTRA_PACKAGES, "web", ("a_package_that_nobody_has",))
    assert problem(serve("friday.toml")).startswith("peloarena: the pages need more packages; install them with: ")
    with pytest.raises(ConfigError, match="the pages need more packages"):
        serve_arguments(serving=True, port=8000, lan=False, host_lan=False)


def test_a_backend_that_cannot_read_its_store_leaves_it_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with contextlib.closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE games SET fixture = 'nothing'")
    opened: list[Store] = []
    read = Store.open_to_read

    def remember(path: Path) -> Store:
        opened.append(read(path))
        return opened[-1]

    monkeypatch.setattr(Store, "open_to_read", remember)
    with pytest.raises(ConfigError, match="damaged"):
        Backend([store], "token")
    assert len(opened) == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].data_version()


# ---- a web process that cannot live


FAILS = ("-c", "import sys; print('no way', file=sys.stderr); sys.exit(3)")
DIES_ONCE_READY = """
import os, socket, sys
from peloarena.web.channel import PagesReady, pack_message
connection = socket.socket(fileno=int(sys.argv[1]))
connection.sendall(pack_message(PagesReady()))
connection.recv(1)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarts, "LONGEST_PAUSE", 0.0)


def serve_with(program: tuple[str, ...], store: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    monkeypatch.setattr(backend_module, "start_web_process", partial(start_web_process, program=program))
    return serve(str(store))


@pytest.mark.usefixtures("without_pauses")
def test_a_web_process_that_cannot_start_ends_serve_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    result = serve_with(FAILS, store, monkeypatch)
    assert result.exit_code == 1
    assert "Page:" not in result.stdout, "no address of a page that is not there"
    ended = "exit code 3, after writing “no way” to stderr"
    again = ["web process: no way", f"The web process ended ({ended}) and is restarting."]
    assert result.stderr.splitlines() == [
        *again,
        *again,
        "web process: no way",
        f"peloarena: the pages are down: the web process ended 3 times in a row before it could show a page, the last "
        f"time: {ended}. Fix the cause and serve the pages again; if it is a bug in peloarena, report it with the "
        f"lines above",
    ]


@pytest.mark.usefixtures("without_pauses")
def test_a_web_process_that_is_ready_and_dies_at_once_is_not_started_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restarts, "MAX_QUICK_DEATHS", 4)
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    result = serve_with(("-c", DIES_ONCE_READY), store, monkeypatch)
    assert result.exit_code == 1
    assert result.stdout.count("Page:") == 1
    assert result.stderr.count("The web process ended (killed by SIGKILL) and is restarting.") == 3
    assert "ended 4 times in a row within seconds, the last time: killed by SIGKILL" in result.stderr

"""`tournament watch`: a tournament seen from a second terminal, before, while and after it is played."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from click.testing import CliRunner
from little_bots import wait_until
from patience import PATIENCE
from sample_tournament import Evening, Keep, Terminal, table

from peloarena.cli.main import cli


def test_killed_watcher_leaves_the_terminal_in_order(evening: Evening, ended: Keep) -> None:
    terminal = Terminal(evening, ended, "watch")
    wait_until(lambda: terminal.shows("has not started"))
    terminal.process.terminate()
    assert terminal.left().strip() == ""
    assert "\x1b[?25h" in terminal.text


def test_watching_a_tournament_that_is_over_prints_its_table(evening: Evening) -> None:
    told = evening.run("--quiet")
    result = evening.call("watch")
    assert result.exit_code == 0
    assert table(result.output) == table(told)


def test_pipe_gets_a_line_for_each_game_and_the_table(evening: Evening, ended: Keep) -> None:
    words = evening.words("watch", str(evening.file))
    watching = ended(subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "120"}))
    assert watching.stdout is not None
    assert watching.stdout.readline() == "night: the tournament has not started yet\n"
    evening.run("--quiet")
    output, _ = watching.communicate(timeout=PATIENCE)
    assert watching.returncode == 0
    for game in ("r01-1.2-d001-s1", "r01-1.2-d001-s2", "r02-1.2-d002-s1", "r02-1.2-d002-s2"):
        assert f"{game}  1. " in output
    assert "4 games, 0 faults." in output
    assert "\x1b" not in output


def test_watching_writes_nothing(evening: Evening) -> None:
    evening.run("--quiet")
    before = {path: path.read_bytes() for path in evening.folder.glob("night.*") if path.is_file()}
    evening.call("watch")
    assert {path: path.read_bytes() for path in evening.folder.glob("night.*") if path.is_file()} == before


def test_neither_file_nor_store_is_told_in_a_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["tournament", "watch", str(tmp_path / "nothing.toml")])
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "neither a tournament file nor a store" in result.output


def test_store_alone_can_be_watched(evening: Evening, tmp_path: Path) -> None:
    evening.run("--quiet")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(evening.store_path, elsewhere)
    result = CliRunner().invoke(cli, ["tournament", "watch", str(elsewhere / "night.sqlite")])
    assert result.exit_code == 0
    assert "4 games, 0 faults." in result.output

"""Bots with a `build` in every command that starts bots: the hash names the author's files, what was built plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_bots import little_bot
from promises import SANDBOX, untried

from peloarena.cli.main import cli
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.sandbox.isolation import prepare

BUILD = "from pathlib import Path; Path('built.py').write_text(Path('main.py').read_text())"


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its program is made by its build."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    path = little_bot(tmp_path, "made")
    (tmp_path / "made" / "bot.toml").write_text(
        f'build = ["{{python}}", "-c", "{BUILD}"]\ncommand = ["{{python}}", "built.py"]\n'
    )
    return path


def run(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, env={"COLUMNS": "120"})


@pytest.mark.parametrize("sandbox", ["auto", "off"])
def test_a_bot_that_is_built_plays_everywhere(tmp_path: Path, bot: str, sandbox: str) -> None:
    with prepare("auto") as isolation:
        if sandbox == "auto" and isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
    digest = find_bot(bot).digest
    assert run("check", bot, "--short", "--sandbox", sandbox).exit_code == 0
    done = run("match", bot, bot, "--sandbox", sandbox, "--games", "2", "--record", "games", "--seed", "s")
    assert done.exit_code == 0, done.output
    record = sorted((tmp_path / "games").iterdir())[0]
    assert [seat["bot"] for seat in json.loads(record.read_text().splitlines()[0])["seats"]] == [digest, digest]
    assert run("solo", bot, "--sandbox", sandbox, "--record", "solo").exit_code in (0, 1)
    assert len(list((tmp_path / "solo").iterdir())) > 0
    assert ": the same\n" in run("ask", str(record), "3", bot, "--sandbox", sandbox).output
    assert "Against made (seat 1)." in run("play", "--opponents", bot, "--sandbox", sandbox, stdin="q\ny\n").output
    assert not (tmp_path / "made" / "built.py").exists(), "its author's folder is left as it is"

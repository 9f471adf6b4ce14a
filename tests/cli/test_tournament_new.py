"""`peloarena tournament new`: what it says to type next leads from nothing to a report."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peloarena.cli.main import cli
from peloarena.tournament.config import FORMAT_NAMES, read_tournament_file


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)


def new(*words: str) -> Result:
    return CliRunner().invoke(cli, ["tournament", "new", *words])


def shown_commands(output: str) -> list[list[str]]:
    lines = [line.partition("#")[0].strip() for line in output.splitlines()]
    return [shlex.split(line) for line in lines if line.startswith("peloarena ")]


def test_what_it_says_to_type_next_plays_the_sample_and_reports_it() -> None:
    told = new("friday.toml")
    assert told.exit_code == 0, told.output
    sample = Path("friday.toml").read_text(encoding="utf-8")
    shorter = sample.replace("deals = 10", "deals = 1")
    assert shorter != sample
    Path("friday.toml").write_text(shorter, encoding="utf-8")
    commands = shown_commands(told.output)
    assert [words[2] for words in commands] == ["plan", "run", "report"]
    for words in commands:
        done = CliRunner().invoke(cli, words[1:])
        assert done.exit_code == 0, done.output
    assert "planner" in CliRunner().invoke(cli, ["tournament", "standings", "friday.toml"]).output
    assert Path("friday.html").exists()


@pytest.mark.parametrize("format", FORMAT_NAMES)
def test_each_format_has_a_sample(format: str) -> None:
    told = new("friday night.toml", "--format", format)
    assert told.exit_code == 0, told.output
    config = read_tournament_file("friday night.toml").config
    assert (config.name, config.format) == ("Friday night", format)
    assert shown_commands(told.output)[0][-1] == "friday night.toml", "quoted for the shell"


def test_an_existing_file_is_never_overwritten() -> None:
    Path("friday.toml").write_text("mine")
    told = new("friday.toml")
    assert (told.exit_code, Path("friday.toml").read_text()) == (2, "mine")
    assert "'friday.toml' exists already" in told.stderr


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("friday", "ends in .toml: peloarena tournament new friday.toml"),
        ("nowhere/friday.toml", "cannot be written: No such file or directory"),
        ("friday.sqlite", "ends in .toml"),
    ],
)
def test_a_file_that_cannot_be_is_refused_in_a_line(file: str, said: str, tmp_path: Path) -> None:
    told = new(file)
    assert told.exit_code == 2
    assert said in told.stderr
    assert told.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []

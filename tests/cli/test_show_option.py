"""`--show` and the key `show` of a tournament file: a tool chain that only the host's word shows starts a bot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from little_bots import little_bot
from promises import SANDBOX, untried

from peloarena.cli.main import cli
from peloarena.referee.sandbox.isolation import prepare

TOURNAMENT = 'name = "Evening"\nbots = ["bots/*"]\ndeals = 1\ntime = "20s"\n'


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A tool chain whose program is Python under another name, and two bots that are started by it."""
    made = tmp_path / "chain"
    (made / "bin").mkdir(parents=True)
    (made / "bin" / "snake").write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
    (made / "bin" / "snake").chmod(0o755)
    (tmp_path / "bots").mkdir()
    for name in ("a", "b"):
        folder = Path(little_bot(tmp_path / "bots", name))
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["snake", "-ISE", "main.py"]\n')
    return made


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(words), env={"COLUMNS": "200"})
    assert "PELOARENA_SHOW" not in os.environ, "a command's word ends with the command"
    return result.exit_code, result.output


def needs_a_sandbox() -> None:
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))


def test_check_starts_a_bot_with_what_is_shown_and_not_without(chain: Path) -> None:
    needs_a_sandbox()
    bot = str(chain.parent / "bots" / "a")
    code, output = run("check", bot, "--short")
    assert (code, "the program 'snake' is not installed on this machine" in output) == (2, True)
    code, output = run("check", bot, "--short", "--show", str(chain))
    assert (code, output.splitlines()[-1]) == (0, "a: it plays.")


@pytest.mark.parametrize("by", ["option", "environment"])
def test_so_does_play(chain: Path, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    needs_a_sandbox()
    words = ["play", "--opponents", str(chain.parent / "bots" / "a"), "--record", str(chain.parent / "games")]
    assert "the program 'snake' is not installed on this machine" in CliRunner().invoke(cli, words).output
    if by == "option":
        words += ["--show", str(chain)]
    else:
        monkeypatch.setenv("PELOARENA_SHOW", str(chain))
    output = CliRunner().invoke(cli, words, input="q\ny\n").output
    assert "Against a (seat 1)." in output
    assert "is eliminated" not in output


def test_a_tournament_shows_what_its_file_says_to_its_trials_and_its_workers(chain: Path) -> None:
    needs_a_sandbox()
    file = chain.parent / "night.toml"
    file.write_text(TOURNAMENT)
    assert "0 bots can play" in run("tournament", "plan", str(file))[1]
    file.write_text(f'{TOURNAMENT}show = ["chain"]\n')
    code, output = run("tournament", "run", str(file), "--quiet")
    assert code == 0, output
    assert "eliminated" not in output


def test_a_file_cannot_show_what_no_host_may_show(chain: Path) -> None:
    file = chain.parent / "night.toml"
    file.write_text(f'{TOURNAMENT}show = ["/proc"]\n')
    code, output = run("tournament", "plan", str(file))
    assert (code, "--show '/proc': devices, sockets and processes" in output) == (2, True)
    file.write_text(f'{TOURNAMENT}show = ["bots"]\n')
    told = f"peloarena: --show '{chain.parent}/bots': the bot 'a' is in it, and bots may not read that\n"
    assert run("tournament", "plan", str(file)) == (2, told), "said once, of one of them"


def test_in_every_command_tournaments_and_other_bots_stay_hidden(chain: Path) -> None:
    """A spy in a match would read what others submitted."""
    bots, file = chain.parent / "bots", chain.parent / "night.toml"
    for name in ("night.bots", "old.entries"):
        (chain.parent / name).mkdir()
    file.write_text(TOURNAMENT)
    commands = (
        ("match", f"{bots}/a", f"{bots}/b"),
        ("solo", f"{bots}/a"),
        ("check", f"{bots}/a"),
        ("play", "--opponents", f"{bots}/a"),
        ("ask", "games/a-b.jsonl", "3", f"{bots}/a"),
        ("tune", f"{bots}/a", "--param", "A=1..2"),
        ("doctor",),
        ("tournament", "run", str(file)),
    )
    for words in commands:
        for name, what in (
            ("night.bots", "the bots of a tournament"),
            ("old.entries", "the entry files of a tournament"),
        ):
            place = f"'{chain.parent}/{name}'"
            told = f"peloarena: --show {place}: {place} contains {what}, which bots may not read\n"
            assert run(*words, "--show", f"{chain.parent}/{name}") == (2, told), words
    assert not list(chain.parent.glob("*.sqlite")), "nothing was begun"


def test_the_folder_of_the_store_stays_hidden_from_its_own_tournament(chain: Path) -> None:
    (chain.parent / "night.toml").write_text(f'{TOURNAMENT}show = ["chain"]\n')
    store = f"{chain}/night.sqlite"
    code, output = run("tournament", "run", f"{chain.parent}/night.toml", "--store", store, "--quiet")
    told = f"--show '{chain}': the tournament's store is in it, and bots may not read that"
    assert (code, output.splitlines()[-1]) == (2, f"peloarena: {told}")


@pytest.mark.parametrize("command", ["plan", "run"])
def test_the_tournament_file_stays_hidden_from_its_own_bots(chain: Path, command: str) -> None:
    """It may have the seed of all deals in it."""
    (chain / "night.toml").write_text(f'{TOURNAMENT.replace("bots/", "../bots/")}seed = "x"\nshow = ["."]\n')
    more = ["--store", f"{chain.parent}/night.sqlite", "--quiet"] if command == "run" else []
    code, output = run("tournament", command, f"{chain}/night.toml", *more)
    told = f"--show '{chain}': the tournament file is in it, and bots may not read that"
    assert (code, output.splitlines()[-1]) == (2, f"peloarena: {told}")
    assert not list(chain.parent.glob("*.sqlite")), "nothing was begun"


def test_a_bot_cannot_say_what_is_shown(chain: Path) -> None:
    bot = chain.parent / "bots" / "a"
    for more, why in (
        ('show = ["/etc"]', "unknown field `show`"),
        ('[env]\nPELOARENA_SHOW = "/etc"', "'PELOARENA_SHOW' is set by peloarena for every bot"),
    ):
        (bot / "bot.toml").write_text(f'command = ["{{python}}", "main.py"]\n{more}\n')
        code, output = run("check", str(bot), "--short")
        assert (code, why in output) == (2, True), output

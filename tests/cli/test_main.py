"""The command itself: exit codes, one line for a user's mistake, text made harmless, a fast --help."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from patience import PATIENCE

from peloarena import __version__
from peloarena.cli import main as main_module
from peloarena.cli.common import print_json, safe, to_plain_text
from peloarena.cli.main import COMMANDS, cli, main
from peloarena.game.errors import ConfigError
from peloarena.referee.sandbox.errors import SandboxError

ESCAPE_CLEAR_SCREEN = "\x1b[2J"


def run_for_real(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "peloarena.cli.main", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False)


def run_main(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["peloarena", *args])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert isinstance(stopped.value.code, int)
    return stopped.value.code


def raising(error: BaseException) -> click.Command:
    @click.command()
    def command() -> None:
        raise error

    return command


def test_version_is_that_of_the_package_and_says_that_these_rules_are_not_compiled() -> None:
    result = CliRunner().invoke(cli, ["--version"])
    assert (result.exit_code, result.output) == (0, f"peloarena {__version__}, engine: pure\n")


def test_help_lists_every_command_with_its_line() -> None:
    output = CliRunner().invoke(cli, ["--help"]).output
    for name, line in COMMANDS.items():
        assert f"  {name} " in output
        assert line.split(".")[0] in " ".join(output.split())


def test_help_groups_commands_by_what_a_reader_wants_to_do() -> None:
    output = CliRunner().invoke(cli, ["--help"]).output
    titles = ["Write and test a bot:", "Play and look at games:", "Run tournaments:", "Reference:"]
    assert [line for line in output.splitlines() if line in titles] == titles


def test_help_of_tournament_follows_the_evening() -> None:
    output = CliRunner().invoke(cli, ["tournament", "--help"]).output
    order = ["Before the tournament:", "  plan ", "While it is played:", "  run ", "Afterwards:", "  report "]
    found = [output.index(f"\n{part}") for part in order]
    assert found == sorted(found)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_can_be_loaded_and_has_help_with_examples(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert f"Usage: cli {name}" in result.output


def test_help_imports_neither_the_rules_nor_rich() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from peloarena.cli.main import cli;"
        "assert CliRunner().invoke(cli, ['--help']).exit_code == 0;"
        "print([name for name in ('rich', 'msgspec', 'trio', 'numpy', 'peloarena.game') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("words", "near"), [(["tils"], "tiles"), (["tournament", "rnu", "x.toml"], "run")])
def test_unknown_command_is_refused_with_the_nearest_one(words: list[str], near: str) -> None:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    wrong = words[1] if len(words) > 1 else words[0]
    assert result.stderr.startswith(f"peloarena: unknown command {wrong!r} (did you mean {near!r}?); the commands are ")
    assert result.stderr.count("\n") == 1


def test_real_process_ends_a_users_mistake_with_one_line_and_code_2() -> None:
    done = run_for_real("play", "--players", "9")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("peloarena: 9 players: ")
    assert done.stderr.count("\n") == 1


def test_real_process_prints_a_table_and_ends_well() -> None:
    done = run_for_real("tiles", "--stack", "A", "--kind", "building", "--set", "base")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Barracks" in done.stdout


def test_closed_pipe_ends_quietly() -> None:
    """A pipe whose reader is gone before the first byte."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        command = [sys.executable, "-m", "peloarena.cli.main", "tiles"]
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


def test_closed_streams_are_no_crash() -> None:
    """`peloarena tiles <&- >&-`"""
    command = f"{shlex.quote(sys.executable)} -m peloarena.cli.main tiles <&- >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "peloarena.cli.main", "tiles"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (2, b"peloarena: cannot write: No space left on device\n")


def test_json_of_a_path_that_is_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"file": "b\udcff"})
    assert json.loads(capsys.readouterr().out) == {"file": "b\udcff"}


def test_terminal_without_unicode_gets_question_marks_instead_of_a_traceback() -> None:
    command = [sys.executable, "-m", "peloarena.cli.main", "play", "--seed", "friday-1"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        command, input=b"\xff\n5\n", capture_output=True, env=environment, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"End of input" in done.stdout


@pytest.mark.parametrize(
    ("error", "code", "stderr"),
    [
        (ConfigError("no such\nthing"), 2, ["peloarena: no such␊thing"]),
        (SandboxError("no cgroup for a bot"), 2, ["peloarena: no cgroup for a bot"]),
        (ExceptionGroup("", [ExceptionGroup("", [SandboxError("it lives")])]), 2, ["peloarena: it lives"]),
        (KeyboardInterrupt(), 130, [""]),
        (
            click.UsageError("that is wrong"),
            2,
            ["Usage: peloarena tiles [OPTIONS]", "Try 'peloarena tiles --help' for help.", "", "Error: that is wrong"],
        ),
    ],
)
def test_main_turns_what_a_user_does_into_exit_codes(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    stderr: list[str],
) -> None:
    monkeypatch.setattr(main_module.LazyGroup, "get_command", lambda self, ctx, name: raising(error))
    assert run_main(monkeypatch, "tiles") == code
    assert capsys.readouterr().err.splitlines() == stderr


def test_error_of_our_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_module.LazyGroup, "get_command", lambda self, ctx, name: raising(ValueError("a bug")))
    monkeypatch.setattr(sys, "argv", ["peloarena", "tiles"])
    with pytest.raises(ValueError, match="a bug"):
        main()


def test_error_of_our_own_in_a_group_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    both = ExceptionGroup("", [SandboxError("it lives"), KeyError("a bug")])
    monkeypatch.setattr(main_module.LazyGroup, "get_command", lambda self, ctx, name: raising(both))
    monkeypatch.setattr(sys, "argv", ["peloarena", "tiles"])
    with pytest.raises(ExceptionGroup):
        main()


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (1, 1), (True, 0), ("text", 0)])
def test_exit_code_is_the_number_a_command_returns(
    monkeypatch: pytest.MonkeyPatch, returned: object, code: int
) -> None:
    @click.command()
    def command() -> object:
        return returned

    monkeypatch.setattr(main_module.LazyGroup, "get_command", lambda self, ctx, name: command)
    assert run_main(monkeypatch, "tiles") == code
    assert CliRunner().invoke(cli, ["tiles"]).exit_code == code


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Sparta", "Sparta"),
        ("naïve Ελλάς 🐐", "naïve Ελλάς 🐐"),
        (ESCAPE_CLEAR_SCREEN, "␛[2J"),
        ("a\r\nb\x00\x7f\x9b", "a␍␊b␀␡‹009B›"),
        ("evil\u202etxt\u2066\u200b\ufeff", "evil‹202E›txt‹2066›‹200B›‹FEFF›"),
        ("\u2028\ud800", "‹2028›‹D800›"),
    ],
)
def test_plain_text_cannot_steer_a_terminal(text: str, shown: str) -> None:
    assert to_plain_text(text) == shown


def test_safe_text_is_no_markup() -> None:
    assert safe("[red]x[/red]") == r"\[red]x\[/red]"


def test_list_of_commands_cuts_no_sentence_short() -> None:
    output = " ".join(CliRunner().invoke(cli, ["tournament", "--help"]).output.split())
    assert "pause Pause the tournament: running games finish, and no new ones start." in output
